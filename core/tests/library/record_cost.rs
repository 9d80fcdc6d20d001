//! What it costs to read long records: time in proportion to their length, however many variations
//! they have and wherever these begin.

#[path = "../common/long_records.rs"]
mod long_records;

use hex_core::record::{parse_tree, AnyCell, Game, GameTree, Move, Side};
use hex_core::service::problem::ProblemKind;
use hex_core::service::problem::{self, MAX_NODES, MAX_RECORD, MAX_SAVED};
use hex_core::service::questions::{self, SaveQuestion};
use hexbot::cell::Color;
use long_records::{many_variations, study};
use proptest::prelude::*;
use serde_json::{json, Value};
use std::time::{Duration, Instant};

/// How often a time is taken. Others on the machine can only make it longer.
const TRIES: usize = 100;

/// How many times as long `long` takes as `short`, by the least time of each; it is measured until
/// it is below `most`.
fn ratio(short: impl Fn(), long: impl Fn(), most: f64) -> f64 {
    let time = |work: &dyn Fn()| {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    let (mut least, mut ratio) = ([Duration::MAX; 2], f64::INFINITY);
    for _ in 0..TRIES {
        least = [least[0].min(time(&short)), least[1].min(time(&long))];
        ratio = least[1].as_secs_f64() / least[0].as_secs_f64();
        if ratio < most {
            break;
        }
    }
    ratio
}

fn read(record: &str) {
    parse_tree(record, Side::CODINGAME).unwrap();
}

/// The lengths of two records in bytes, and how many times as long the second one may take. It is
/// eight times as long; what takes time by the square takes 64 times as long. In both the nodes
/// have as many children as there are cells.
const LENGTHS: [usize; 2] = [160_000, 1_280_000];
const MOST: f64 = 40.0;

fn assert_in_proportion(short: impl Fn(), long: impl Fn()) {
    let ratio = ratio(short, long, MOST);
    assert!(
        ratio < MOST,
        "8 times the length took {ratio:.1} times as long"
    );
}

/// The page's question to save what it has opened.
fn saving(record: &str) -> Value {
    let opened = questions::read_record(record).unwrap();
    let mut opened = serde_json::to_value(opened).unwrap();
    json!({ "game": opened["game"].take(), "nodes": opened["nodes"].take() })
}

fn save(question: Value) -> String {
    let question: SaveQuestion = serde_json::from_value(question).unwrap();
    questions::save_sgf(question).unwrap()
}

/// What the page opens and saves takes time in proportion to its length, as reading does.
#[test]
fn opening_and_saving_cost_no_more_than_the_length() {
    let records = LENGTHS.map(|bytes| many_variations(250, bytes));
    let questions = [0, 1].map(|at| saving(&records[at]).to_string());
    let open = |at: usize| drop(questions::read_record(&records[at]).unwrap());
    let save = |at: usize| drop(save(serde_json::from_str(&questions[at]).unwrap()));
    assert_in_proportion(|| open(0), || open(1));
    assert_in_proportion(|| save(0), || save(1));
}

/// A question may have its nodes in any order: here it goes from one long line to the other and
/// back with each node.
#[test]
fn nodes_in_any_order_cost_the_same() {
    let cell = |number: usize| Side::of(19).cell(number / 19, number % 19).unwrap();
    // The second line begins with the second cell, so that they share nothing.
    let node = |line: usize, ply: usize| {
        let number = if ply < 2 { (ply + line) % 2 } else { ply };
        (line, ply, cell(number).to_string())
    };
    let lengths = 300;
    let by_line = (0..2).flat_map(|line| (0..lengths).map(move |ply| node(line, ply)));
    let by_turns = (0..lengths).flat_map(|ply| (0..2).map(move |line| node(line, ply)));
    let question = |nodes: Vec<(usize, usize, String)>| {
        let mut list = vec![json!({})];
        let mut ends = [0; 2];
        for (line, _, text) in nodes {
            list.push(json!({ "parent": ends[line], "move": text }));
            ends[line] = list.len() - 1;
        }
        json!({ "game": "19,", "nodes": list })
    };
    let [by_line, by_turns] = [by_line.collect(), by_turns.collect()].map(question);
    assert_eq!(save(by_line.clone()), save(by_turns.clone()));
    let save = |question: &Value| drop(save(question.clone()));
    let ratio = ratio(|| save(&by_line), || save(&by_turns), 10.0);
    assert!(ratio < 10.0, "{ratio:.1} times as long");
}

/// What opens can be saved, and what is saved opens again: at the limits, and not above.
#[test]
fn a_study_that_opens_can_be_saved_and_opened_again() {
    let record = study(MAX_NODES);
    assert!(record.len() <= MAX_RECORD, "{}", record.len());
    let question = saving(&record);
    assert_eq!(question["nodes"].as_array().unwrap().len(), MAX_NODES);
    let bytes = question.to_string().len();
    assert!(bytes <= MAX_SAVED, "{bytes}");
    let saved = save(question.clone());
    assert_eq!(saving(&saved), question);
    let problem = questions::read_record(&study(MAX_NODES + 1)).unwrap_err();
    let more = MAX_NODES + 1;
    let words = format!("{more} positions are too many, at most {MAX_NODES}");
    assert!(problem.message().starts_with(&words), "{problem}");
    let mut larger = question;
    let nodes = larger["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "parent": 0, "move": ":p" }));
    let larger: SaveQuestion = serde_json::from_value(larger).unwrap();
    let problem = questions::save_sgf(larger).unwrap_err();
    assert!(problem.message().starts_with(&words), "{problem}");
    assert!(problem.kind() == ProblemKind::TooLarge);
}

/// The most bytes that the page's question to save a game has for each node, and for each byte of
/// its record, which JSON may escape.
const NODE_BYTES: usize = 32;
const ESCAPED_BYTES: usize = 6;

proptest! {
    /// Whatever opens can be saved: the question is not larger than what is taken.
    #[test]
    fn a_question_is_as_long_as_its_record_allows(
        moves in prop::collection::vec((0..16usize, any::<bool>()), 0..30),
        words in prop::collection::vec("[\\x00-\\x7fé]{0,9}", 30),
    ) {
        let side = Side::of(4);
        let mut tree = GameTree::new(side, &[]).unwrap();
        let points: Vec<AnyCell> = side.cells().collect();
        for (number, &(cell, is_red)) in moves.iter().enumerate() {
            let color = if is_red { Color::Red } else { Color::Blue };
            let parent = number * cell % tree.nodes().len();
            if let Ok(at) = tree.add_for(parent, color, Move::Place(points[cell])) {
                let node = tree.node_mut(at);
                node.comment.clone_from(&words[number]);
                node.labels = vec![(points[cell], "△".to_owned()), (points[number % 16], "x".to_owned())];
                node.arrows = vec![(points[cell], points[number % 16])];
            }
        }
        let record = hex_core::record::sgf::write_tree(&tree);
        let question = saving(&record);
        let nodes = question["nodes"].as_array().unwrap().len();
        let most = NODE_BYTES * nodes + ESCAPED_BYTES * record.len();
        prop_assert!(question.to_string().len() <= most, "{} {}", question, record);
    }
}

/// So every record that opens is small enough to be saved.
const _: () = assert!(NODE_BYTES * MAX_NODES + ESCAPED_BYTES * MAX_RECORD <= MAX_SAVED);

#[test]
fn what_is_too_large_is_told_in_words() {
    for (bytes, words) in [
        (1, "1 bytes"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (64_000, "64 kB"),
        (64_001, "64.1 kB"),
        (1_250_000, "1.3 MB"),
        (3_000_000, "3 MB"),
        (3_000_001, "3.1 MB"),
    ] {
        assert_eq!(problem::words(bytes), words);
    }
    let problem = problem::check_size(1_250_000, 1_000_000).unwrap_err();
    let said = "1.3 MB are too large, at most 1 MB are accepted";
    assert_eq!(problem.message(), said);
    assert_eq!(problem.kind(), ProblemKind::TooLarge);
    assert_eq!(problem::check_size(1_000_000, 1_000_000), Ok(()));
}

#[test]
fn reading_costs_no_more_than_the_length() {
    let [short, long] = LENGTHS.map(|bytes| many_variations(250, bytes));
    assert_in_proportion(|| read(&short), || read(&long));
}

/// A main line as deep as the board allows, and a variation at each of its moves: a replay of the
/// line for each of them would cost the square of its length.
#[test]
fn variations_deep_in_a_line_cost_what_others_do() {
    let [shallow, deep] = [20, 300].map(|depth| many_variations(depth, 4_000));
    let length = deep.len() as f64 / shallow.len() as f64;
    let ratio = ratio(|| read(&shallow), || read(&deep), 10.0 * length) / length;
    assert!(ratio < 10.0, "{ratio:.1} times as much a byte");
}

fn side() -> impl Strategy<Value = Side> {
    (1u8..=9).prop_map(Side::of)
}

proptest! {
    /// The winner that is kept up to date stone by stone is the one that a flood fill finds.
    #[test]
    fn the_winner_is_always_up_to_date(side in side(), order in any::<u64>()) {
        let mut points: Vec<AnyCell> = side.cells().collect();
        let mut position = side.board();
        let (mut state, mut color) = (order | 1, Color::Red);
        while position.winner().is_none() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let point = points.swap_remove((state >> 33) as usize % points.len());
            position.set_up(point, color).unwrap();
            prop_assert!(position.is_valid(), "{}", position);
            prop_assert_ne!(position.winner(), Some(color.opponent()), "{}", position);
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
        let points: Vec<AnyCell> = side.cells().collect();
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

/// Frames without a move are as many as the file has, and each may have something to keep.
#[test]
fn games_of_codingame_cost_no_more_than_their_length() {
    let site = [2_000, 16_000].map(|count| {
        let frame = |number: usize| match number {
            0 => json!({"agentId": 0, "stdout": "a1\n"}),
            _ => json!({"agentId": 1, "stderr": "line", "summary": format!("$1 timeout {number}")}),
        };
        json!({ "frames": (0..count).map(frame).collect::<Vec<_>>() }).to_string()
    });
    let rows = ". . . . . . . . . . .\n".repeat(11);
    let turns =
        [250, 2_000].map(|count| format!("11 red\n{}", format!("empty\n{rows}").repeat(count)));
    for [short, long] in [site, turns] {
        assert_in_proportion(|| read(&short), || read(&long));
    }
}
