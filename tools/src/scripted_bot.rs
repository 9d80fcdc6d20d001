//! A CodinGame bot for tests of the arena: it plays at once, row by row, or goes wrong as its flags say.

use std::io::{self, BufRead, Write};

fn main() {
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines().map_while(Result::ok);
    let header = lines.next().unwrap_or_default();
    let mut words = header.split_whitespace();
    let side: usize = words.next().and_then(|w| w.parse().ok()).unwrap_or(11);
    while let Some(_last) = lines.next() {
        let rows: Vec<String> = lines.by_ref().take(side).collect();
        let free = rows.iter().enumerate().find_map(|(row, text)| {
            let col = text.split_whitespace().position(|cell| cell == ".")?;
            Some(format!("{}{}", (b'a' + col as u8) as char, row + 1))
        });
        println!("{}", free.unwrap_or_default());
        let _ = io::stdout().flush();
    }
}
