//! The opening book: every answer is legal and found, in all forms of its position, and is what the
//! bot plays.

use crate::common::{answer_on, changed, half_turn, played, simulating};
use hexbot::board::Board;
use hexbot::book;
use hexbot::budget::{Budget, Clock, SystemClock};
use hexbot::cell::Cell;
use hexbot::opening::Answer;
use hexbot::params::OpeningBook;
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
    assert_eq!(before, [], "the last answer of its position is missing");
    entries
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
        assert!(
            entries.contains(&(board.clone(), found)),
            "{found}:\n{board}"
        );
        if half_turn(board) != *board {
            let forms = [
                (half_turn(board), found.rotated()),
                (board.transposed(), found.transposed()),
                (half_turn(board).transposed(), found.rotated().transposed()),
            ];
            for (form, expected) in forms {
                assert_eq!(answer(&form), Some(expected), "\n{form}");
            }
        }
    }
}

#[test]
fn there_is_none_on_other_boards_and_off_the_book() {
    assert_eq!(book::answer(&played::<14>("c2 d8")), None);
    assert_eq!(book::answer(&played::<11>("a1 k11 b1")), None);
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
    let mut board = played::<11>("c2 d8");
    let expected = book::answer(&board).expect("c2 d8 is the book's main line");
    let by_book = |opening_book| {
        let settings = changed(|s: &mut Settings| s.params.opening_book = opening_book);
        Player::<11>::new(settings).opening_answer(&board)
    };
    assert_eq!(by_book(OpeningBook::Used), Some(Answer::Play(expected)));
    let small = book::small_answer(&board).map(Answer::Play);
    assert!(small.is_some() && by_book(OpeningBook::Small) == small);
    assert_eq!(by_book(OpeningBook::Ignored), None);

    let clock = SystemClock::start();
    let mut player = Player::<11>::new(simulating(20));
    let reply = answer_on(&mut player, &board, &clock, clock.now());
    assert_eq!(reply.answer, Answer::Play(expected));
    board.play(expected);
    let mut budget = Budget::simulations(&clock, 0);
    player.search_mut().think(&board, &mut budget);
    let visits = player.search_mut().root_node().unwrap().total_visits();
    assert!(visits > 10.0, "{visits} visits");
}
