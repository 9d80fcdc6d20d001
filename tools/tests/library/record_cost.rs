//! What it costs to read long records: time in proportion to their length, however many variations
//! they have and wherever these begin.

use hex_tools::record::{parse_tree, Game, GameTree, Move, Point, Position, Side};
use hexbot::cell::Color;
use proptest::prelude::*;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A main line on 19×19 of `depth` moves with a short variation at each of them, and more after the
/// last one, until the record has `bytes` bytes. Red's and Blue's stones join nothing.
fn many_variations(depth: usize, bytes: usize) -> String {
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

/// The least time of five readings: others can only make it longer.
fn reading_time(record: &str) -> Duration {
    let times = (0..5).map(|_| {
        let begin = Instant::now();
        parse_tree(record, Side::CODINGAME).unwrap();
        begin.elapsed()
    });
    times.min().unwrap()
}

#[test]
fn reading_costs_no_more_than_the_length() {
    let lengths = [20_000, 160_000];
    let times = lengths.map(|bytes| reading_time(&many_variations(250, bytes)));
    let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
    assert!(
        ratio < 24.0,
        "8 times the length took {ratio:.1} times as long: {times:?}"
    );
}

/// A main line as deep as the board allows, and a variation at each of its moves: a replay of the
/// line for each of them would cost the square of its length.
#[test]
fn variations_deep_in_a_line_cost_what_others_do() {
    let bytes = 4_000;
    let [shallow, deep] = [20, 300].map(|depth| {
        let record = many_variations(depth, bytes);
        (reading_time(&record), record.len())
    });
    let per_byte = |(time, length): (Duration, usize)| time.as_secs_f64() / length as f64;
    let ratio = per_byte(deep) / per_byte(shallow);
    assert!(
        ratio < 10.0,
        "{ratio:.1} times as much a byte: {shallow:?} {deep:?}"
    );
}

fn side() -> impl Strategy<Value = Side> {
    (1u8..=9).prop_map(Side::of)
}

proptest! {
    /// The winner that one new stone makes is the winner of the whole position.
    #[test]
    fn a_stone_wins_by_its_own_group(side in side(), order in any::<u64>()) {
        let mut points: Vec<Point> = side.points().collect();
        let mut position = Position::new(side);
        let (mut state, mut color) = (order | 1, Color::Red);
        while position.winner().is_none() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let point = points.swap_remove((state >> 33) as usize % points.len());
            position.set(point, Some(color));
            let wins = position.winner() == Some(color);
            prop_assert_eq!(position.joins_edges(point), wins, "{}", position);
            color = color.opponent();
        }
    }

    /// However a tree is gone through, the game at a node is the one that its turns make.
    #[test]
    fn visits_in_any_order_find_the_same_games(
        side in 2u8..=5,
        steps in prop::collection::vec((any::<u16>(), any::<u8>()), 1..60),
    ) {
        let side = Side::of(side);
        let points: Vec<Point> = side.points().collect();
        let mut tree = GameTree::new(side, &[]).unwrap();
        for &(parent, action) in &steps {
            let parent = usize::from(parent) % tree.nodes().len();
            let color = tree.visit(parent).to_move();
            let action = match action {
                250.. => Move::SwapPieces,
                245.. => Move::SwapSides,
                240.. => Move::Pass,
                cell => Move::Place(points[usize::from(cell) % points.len()]),
            };
            // Those that the rules forbid change nothing.
            let _ = tree.add_for(parent, color, action);
        }
        for &(node, _) in steps.iter().rev() {
            let node = usize::from(node) % tree.nodes().len();
            let replayed: Game = tree.game(node);
            prop_assert_eq!(tree.visit(node), &replayed);
        }
    }
}
