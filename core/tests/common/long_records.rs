//! Long records, for what reading them costs. The benchmark takes them, too.
#![allow(dead_code, reason = "not every program uses everything")]

use std::fmt::Write;

/// A main line on 19×19 of `depth` moves with a short variation at each of them, and more after the
/// last one, until the record has `bytes` bytes. Red's and Blue's stones join nothing.
pub fn many_variations(depth: usize, bytes: usize) -> String {
    let cell = |number: usize| {
        format!(
            "{}{}",
            (b'a' + (number % 19) as u8) as char,
            number / 19 + 1
        )
    };
    let mut record = String::from("(;FF[4]GM[11]SZ[19]");
    let colors = ["B", "W"];
    for ply in 0..depth {
        let _ = write!(record, "(;{}[{}]", colors[ply % 2], cell(ply));
    }
    record.push(')');
    // Behind each move, the deepest first, another answer than that of the main line.
    for (others, ply) in (1..depth).rev().enumerate() {
        let other = cell(360 - others % 20);
        let _ = write!(record, "(;{}[{other}]))", colors[ply % 2]);
        if record.len() >= bytes {
            break;
        }
    }
    let open = record.matches('(').count() - record.matches(')').count();
    record.push_str(&")".repeat(open - 1));
    let mut number = 0;
    while record.len() < bytes {
        let (a, b) = (number % 300, 340 - number / 300 % 20);
        let _ = write!(
            record,
            "(;B[{}];W[{}];B[{}])",
            cell(a),
            cell(b),
            cell(a + 1)
        );
        number += 1;
    }
    record.push(')');
    record
}

/// A record on 19×19 with exactly `positions` positions, the beginning included, and none twice:
/// answers to each first move, and an answer to each of these. At most 260,281 are possible.
pub fn study(positions: usize) -> String {
    let cell = |number: usize| {
        let column = (b'a' + (number % 19) as u8) as char;
        format!("{column}{}", number / 19 + 1)
    };
    let mut record = String::from("(;FF[4]GM[11]SZ[19]");
    let mut left = positions - 1;
    for first in 0..361 {
        if left == 0 {
            break;
        }
        let _ = write!(record, "(;B[{}]", cell(first));
        left -= 1;
        for second in (0..361).filter(|&second| second != first) {
            if left == 0 {
                break;
            }
            let third = (0..).find(|third| ![first, second].contains(third));
            let _ = write!(record, "(;W[{}]", cell(second));
            left -= 1;
            if left > 0 {
                let _ = write!(record, ";B[{}]", cell(third.unwrap_or(0)));
                left -= 1;
            }
            record.push(')');
        }
        record.push(')');
    }
    record.push(')');
    record
}
