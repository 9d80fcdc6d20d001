//! The opening book: every answer is legal and found, in all forms of its position, and is what the
//! bot plays.

use crate::common::answer_on;
use hexbot::board::Board;
use hexbot::book;
use hexbot::budget::{Budget, Clock, SystemClock};
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::opening::Answer;
use hexbot::params::{OpeningBook, Params};
use hexbot::player::Player;
use hexbot::settings::Settings;

/// A position of the book, and the answer.
type Entry = (Board<11>, Cell<11>);

/// A book: its file, and the function that answers from it.
type Book = (&'static [u8], fn(&Board<11>) -> Option<Cell<11>>);

const SMALL: Book = (include_bytes!("../../src/small.book"), book::small_answer);
const LARGE: Book = (include_bytes!("../../src/large.book"), book::answer);

/// Reads a book as its file is described, with a position for each answer.
fn entries((file, _): Book) -> Vec<Entry> {
    let mut entries = Vec::new();
    // The positions that answers follow.
    let mut before = vec![Board::<11>::new()];
    for word in file.chunks(2) {
        let word = usize::from(word[0]) << 8 | usize::from(word[1]);
        let cell = |number: usize| Cell::<11>::new(number / 11, number % 11);
        let theirs = word >> 9;
        let mut board = before.last().expect("a position to follow").clone();
        match cell(theirs) {
            Some(theirs) => board.play(theirs),
            None => assert_eq!((theirs, before.len()), (127, 1), "no move"),
        }
        let ours = cell(word >> 2 & 127).expect("an answer on the board");
        entries.push((board.clone(), ours));
        board.play(ours);
        if word & 1 != 0 {
            before.pop();
        }
        if word & 2 != 0 {
            before.push(board);
        }
    }
    assert_eq!(
        before,
        [],
        "an answer that is the last of its position is missing"
    );
    entries
}

fn rotated(board: &Board<11>) -> Board<11> {
    let [red, blue] = Color::ALL
        .map(|color| -> CellSet<11> { board.stones(color).iter().map(Cell::rotated).collect() });
    Board::from_stones(red, blue, board.to_move()).expect("distinct cells stay distinct")
}

#[test]
fn every_answer_is_found_in_all_forms_of_its_position() {
    for (book, answers) in [(SMALL, 300), (LARGE, 5176)] {
        assert_eq!(
            entries(book).len(),
            answers,
            "docs/search.md has the number"
        );
        are_found_in_all_forms(book);
    }
}

fn are_found_in_all_forms(book: Book) {
    let (entries, (_, answer)) = (entries(book), book);
    // An answer on the empty board begins what follows a first stone and answers nothing.
    let positions = entries.iter().filter(|(board, _)| *board != Board::new());
    for (board, _) in positions {
        let found = answer(board).expect("an answer");
        assert!(board.at(found).is_none(), "{found} is taken:\n{board}");
        // Two orders of moves may lead to one position; then the first one's answer counts.
        let same = entries.iter().filter(|entry| entry.0 == *board);
        assert!(
            same.clone().any(|entry| entry.1 == found),
            "{found}:\n{board}"
        );
        if rotated(board) != *board {
            let forms = [
                (rotated(board), found.rotated()),
                (board.transposed(), found.transposed()),
                (rotated(board).transposed(), found.rotated().transposed()),
            ];
            for (form, expected) in forms {
                assert_eq!(answer(&form), Some(expected), "\n{form}");
            }
        }
    }
}

#[test]
fn there_is_none_on_other_boards_and_off_the_book() {
    let mut board = Board::<14>::new();
    for cell in ["c2", "d8"] {
        board.play(cell.parse().unwrap());
    }
    assert_eq!(book::answer(&board), None);
    let mut board = Board::<11>::new();
    for cell in ["a1", "k11", "b1"] {
        board.play(cell.parse().unwrap());
    }
    assert_eq!(book::answer(&board), None);
}

#[test]
fn the_large_book_has_what_the_small_one_lacks() {
    let positions = entries(LARGE).into_iter().map(|(board, _)| board);
    let positions = positions.filter(|board| *board != Board::new());
    let lacking = positions.filter(|board| book::small_answer(board).is_none());
    assert!(lacking.count() > 4_000);
}

#[test]
fn the_bot_plays_it_and_thinks_ahead() {
    let mut board = Board::<11>::new();
    for cell in ["c2", "d8"] {
        board.play(cell.parse().unwrap());
    }
    let expected = book::answer(&board).expect("c2 d8 is the book's main line");
    let by_book = |opening_book| {
        let params = Params {
            opening_book,
            ..Params::default()
        };
        let settings = Settings {
            params,
            ..Settings::default()
        };
        Player::<11>::new(settings).opening_answer(&board)
    };
    assert_eq!(by_book(OpeningBook::Used), Some(Answer::Play(expected)));
    let small = book::small_answer(&board).map(Answer::Play);
    assert!(small.is_some() && by_book(OpeningBook::Small) == small);
    assert_eq!(by_book(OpeningBook::Ignored), None);

    let settings = Settings {
        simulations: Some(20),
        ..Settings::default()
    };
    let clock = SystemClock::start();
    let mut player = Player::<11>::new(settings);
    let reply = answer_on(&mut player, &board, &clock, clock.now());
    assert_eq!(reply.answer, Answer::Play(expected));
    board.play(expected);
    let mut budget = Budget::simulations(&clock, 0);
    player.search_mut().think(&board, &mut budget);
    let visits = player.search_mut().root_node().unwrap().total_visits();
    assert!(visits > 10.0, "{visits} visits");
}
