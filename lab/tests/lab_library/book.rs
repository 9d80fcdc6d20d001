//! `hex lab book`: the opening book is chosen by what the bot loses without it, and written as the
//! bot reads it.

use anyhow::{bail, Result};
use hex_core::record::{any_cell, AnyCell};
use hex_lab::book::answers::{candidates, BookAnswer, Roots, UNJUDGED_LOSS};
use hex_lab::book::bot::BotMove;
use hex_lab::book::choice::{choose, encoded};
use hex_lab::book::study::{Study, SIDE};
use hexbot::board::Board;
use hexbot::book::look_up;
use std::fs;
use tempfile::TempDir;

/// After c2, d8 is good and e8 poor for Blue; after c2 d8, Red has h7, and b8 is worse.
const STUDY: &str = include_str!("../data/book/study.tsv");

const ROOTS: Roots = Roots {
    ours: &[("c2", 0.5)],
    theirs: &[("c2", 0.5)],
};

fn line(moves: &str) -> Vec<AnyCell> {
    let moves = moves.split_whitespace();
    moves.map(|name| SIDE.parse_cell(name).unwrap()).collect()
}

fn study(text: &str) -> Result<Study> {
    let folder = TempDir::new()?;
    let path = folder.path().join("study.tsv");
    fs::write(&path, text)?;
    Study::read(&path)
}

/// The answers if the bot finds `(moves, best move, win probability)`.
fn answers(text: &str, bot: &[(&str, &str, f32)]) -> Result<Vec<BookAnswer>> {
    candidates(&study(text)?, &ROOTS, 2e-4, 2, |moves| {
        let Some(&(_, best, wins)) = bot.iter().find(|known| line(known.0) == moves) else {
            bail!("no search of {moves:?}")
        };
        let cell = line(best)[0];
        Ok(BotMove { cell, wins })
    })
}

const BOT: [(&str, &str, f32); 4] = [
    ("c2", "d8", 0.5),
    ("c2 d8", "b8", 0.5),
    ("c2 e8", "e7", 0.5),
    ("c2 d8 h7", "h8", 0.5),
];

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn values_are_the_means_of_rates_and_of_what_follows() {
    let study = study(STUDY).unwrap();
    let wins = |moves: &str, place: usize| study.judged(&line(moves))[place].wins;
    // The player who moves wins.
    assert_near(wins("c2 d8 h7", 0), 1.0 - 0.28);
    assert_near(wins("c2 d8", 1), (0.3 + 0.28) / 2.0);
    assert_near(wins("c2", 0), 1.0 - (0.2 + 0.29) / 2.0);
    assert_eq!(study.judged(&line("c2 d8")).len(), 2, "g7 is not judged");
}

#[test]
fn an_answer_is_worth_what_the_bots_own_move_loses() {
    let found = answers(STUDY, &BOT).unwrap();
    let of = |moves: &str| found.iter().find(|answer| answer.line == line(moves));
    assert_eq!(found[0].line, line("c2"), "nothing comes before");
    let [reply, poor] = ["c2 d8 h7", "c2 e8 e7"].map(|moves| of(moves).unwrap());
    assert_near(reply.reach + poor.reach, 0.5);
    assert!(reply.reach > poor.reach);
    assert_near(reply.gain, reply.reach * (0.29 - 0.15));
    assert_eq!(poor.gain, 0.0);
    // Half of the players go by the priors, the others avoid a move that loses much.
    let careless = ((0.2 - 0.755_f64) / 0.1).exp();
    assert_near(poor.reach, 0.5 * (0.1 + careless / (1.0 + careless)) / 2.0);
    assert_eq!(of("c2 d8 b8"), None);
    assert!(of("c2 d8").is_some(), "the same stone is theirs");
}

#[test]
fn of_answers_that_are_as_good_the_bots_own_move_or_its_belief_counts() {
    // b8 is nearly as good as h7, which has 290.
    let close = STUDY.replace("b8:400:150", "b8:400:270");
    let answer = |bot: &[(&str, &str, f32)]| {
        let mut found = answers(&close, bot).unwrap().into_iter();
        let answer = found.find(|found| found.line_before() == line("c2"));
        let BookAnswer { line, reach, gain } = answer.unwrap();
        (line[2].to_string(), gain / reach)
    };
    assert_eq!(answer(&BOT), ("b8".to_owned(), 0.0));
    let mut bot = [&BOT[..], &[("c2 d8 b8", "a1", 0.55)]].concat();
    bot[1].1 = "g7";
    bot[3].2 = 0.6;
    let (move_made, loss) = answer(&bot);
    assert_eq!(move_made, "b8", "Blue's chance after it is less");
    assert_near(loss, UNJUDGED_LOSS);
}

fn book_answer(moves: &str, gain: f64) -> BookAnswer {
    let (line, reach) = (line(moves), 0.5);
    BookAnswer { line, reach, gain }
}

#[test]
fn what_is_chosen_brings_what_leads_there_and_fits() {
    let all = [
        ("c2", 0.0),
        ("c2 e8 e7", 0.1),
        ("c2 d8 h7", 0.3),
        ("c2 f8 e7", 0.0),
    ];
    let all = all.map(|(moves, gain)| book_answer(moves, gain));
    let chosen = |count: usize, most| choose(all[..count].to_vec(), most);
    assert_eq!(chosen(3, 2), [all[0].clone(), all[2].clone()]);
    assert_eq!(chosen(3, 1), all[..1], "the others do not fit");
    assert_eq!(chosen(4, 3), all[..3]);
    assert_eq!(chosen(4, 9), all, "there is room");
    assert_eq!(chosen(2, 0), []);
}

#[test]
fn the_bot_reads_every_answer_of_the_file() {
    let answers = ["c2", "c2 d8 h7", "c2 e8 e7", "c2 d8", "c2 d8 h7 k11 a1"];
    let answers = answers.map(|moves| book_answer(moves, 0.0));
    let file = encoded(&answers);
    assert_eq!(file.len(), 2 * answers.len());
    for answer in &answers {
        let (ours, moves) = answer.line.split_last().unwrap();
        let mut board = Board::<11>::new();
        for cell in moves {
            board.play(cell.on().unwrap());
        }
        let found = look_up(&file, &board).map(any_cell);
        assert_eq!(found, Some(*ours), "\n{board}");
    }
}

#[test]
fn a_line_that_cannot_be_read_is_named() {
    let folder = TempDir::new().unwrap();
    for (line, why) in [
        ("c2 d8\tmany\t", "\"many\" is not a number from 0 to 1000"),
        ("c2 d8\t200\te8:1001:3", "\"1001\" is not a number from 0"),
        ("c2 d8\t200\te8:100", "\"e8:100\" is not CELL:PRIOR:RATE"),
        ("c2 d8\t200\tl1:100:200", "\"l1\""),
        ("c2 d8\t200\td8:100:200", "d8 occurs twice"),
        ("c2 d8 200", "\"c2 d8 200\" is not MOVES TAB RATE"),
        ("\t200\t", "a position has at least one stone"),
    ] {
        let text = format!("c2\t200\td8:900:200\n{line}\n");
        let error = format!("{:#}", study(&text).unwrap_err());
        let is_named = error.contains("study.tsv, line 2: ");
        assert!(is_named && error.contains(why), "{line}: {error}");
    }
    for name in ["nothere.tsv", "nothere.tsv.gz"] {
        let error = format!("{:#}", Study::read(name.as_ref()).unwrap_err());
        assert!(error.contains(name), "{error}");
    }
    // It is called packed and is not.
    let path = folder.path().join("study.tsv.gz");
    fs::write(&path, STUDY).unwrap();
    let error = format!("{:#}", Study::read(&path).unwrap_err());
    assert!(error.contains("cannot read "), "{error}");
}
