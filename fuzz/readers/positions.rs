//! Readers of positions.

use hex_common::input::Lines;
use hex_contests::analyze::{analyze_all, Options};
use hex_contests::connect_four::judge_all;
use hexbot::cell::Cell;
use hexbot::turn::{Reader, Turn, SIDE};
use std::io::Cursor;

/// The most turns that are read of one input.
const TURNS: usize = 4;

/// The longest report of a turn, in lines.
const REPORT_LINES: usize = 6;

/// CodinGame's text: a turn is whatever the bytes are, what is unreadable is the opponent's, and
/// the position that was read reads the same once it is written as the judge would.
pub fn turn(data: &[u8]) {
    let mut input = Reader::new(data);
    let Some(header) = input.header() else { return };
    for _ in 0..TURNS {
        if !input.wait() {
            return;
        }
        let turn: Turn<SIDE> = input.turn(header);
        assert!(turn.board.is_valid());
        assert_eq!(turn.board.to_move(), header.color);
        let opponent = Some(header.color.opponent());
        for cell in turn.unreadable.iter() {
            assert_eq!(turn.board.at(cell), opponent, "{cell}");
        }
        assert!(input.report().lines().count() <= REPORT_LINES);
        reads_the_same(&turn, &format!("{SIDE} {}", header.color));
    }
}

fn reads_the_same(turn: &Turn<SIDE>, header: &str) {
    let mut text = format!("{header}\nempty\n");
    for row in 0..SIDE {
        for cell in (0..SIDE).filter_map(|col| Cell::new(row, col)) {
            text += match turn.board.at(cell) {
                None => " .",
                Some(color) if color.index() == 0 => " r",
                Some(_) => " b",
            };
        }
        text.push('\n');
    }
    let mut input = Reader::new(text.as_bytes());
    let header = input.header().expect("there is one");
    let again: Turn<SIDE> = input.turn(header);
    assert_eq!(input.report(), "");
    assert_eq!(again.board.position(), turn.board.position());
    assert!(again.unreadable.is_empty());
}

fn lines(data: &[u8]) -> Lines {
    Lines::new("input", Box::new(Cursor::new(data.to_vec())))
}

/// `hex analyze`: an error names the line.
pub fn analyze(data: &[u8]) {
    for json in [false, true] {
        let options = Options {
            all: true,
            json,
            svg: None,
        };
        if let Err(error) = analyze_all(&mut lines(data), &options, &mut Vec::new()) {
            assert!(format!("{error:#}").contains("line "), "{error:#}");
        }
    }
}

/// `hex connect-four`: a verdict a board; an error names the line.
pub fn connect_four(data: &[u8]) {
    let mut verdicts = Vec::new();
    match judge_all(&mut lines(data), &mut verdicts) {
        Ok(()) => assert!(!verdicts.is_empty()),
        Err(error) => assert!(error.to_string().contains("line "), "{error}"),
    }
}
