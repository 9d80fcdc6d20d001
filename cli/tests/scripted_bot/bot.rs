//! A bot for tests of the arena: it plays at once by a simple rule, over CodinGame's protocol or
//! GTP, and makes the fault that its options set. It is not meant as an opponent.

mod gtp;
mod mistake;
mod trouble;

use clap::Parser;
use hex_common::system;
use hex_core::record::{AnyBoard, AnyCell, Move, Side};
use hexbot::cell::Color;
use hexbot::shortest_path::heuristic_move;
use mistake::{Mistake, Output};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, BufRead};
use std::time::Duration;
use trouble::Trouble;

/// A bot for tests that follows its options.
#[derive(Parser)]
struct Arguments {
    /// How it chooses its moves: first (free cell), path (a shortest one) or a number, the seed of
    /// random moves
    #[arg(long, default_value = "first")]
    play: Rule,
    /// Swaps whenever it may
    #[arg(long)]
    swap: bool,
    /// Speaks GTP
    #[arg(long)]
    gtp: bool,
    /// Its name in GTP
    #[arg(long, default_value = "scripted")]
    name: String,
    /// The GTP command, words joined by "_", that has to set the time before it answers a move
    #[arg(long)]
    pace: Option<String>,
    /// The fault at its answer number N, from 1: "crash@N" and so on
    #[arg(long, value_name = "TROUBLE@N")]
    trouble: Option<Trouble>,
    /// What it has misunderstood
    #[arg(long)]
    mistake: Option<Mistake>,
    /// Bytes written to standard error before every answer
    #[arg(long, default_value_t = 0)]
    stderr: usize,
    /// Memory that it takes at each answer and never frees, in MiB
    #[arg(long, default_value_t = 0)]
    leak: usize,
    /// How long each answer takes, in milliseconds
    #[arg(long, default_value_t = 0)]
    think: u64,
    /// Ignores signals to terminate
    #[arg(long)]
    stubborn: bool,
    /// Starts processes that hold its standard output and error open
    #[arg(long, value_delimiter = ',')]
    child: Vec<trouble::Child>,
    /// Kills its parent at its answer number N, counted from 1
    #[arg(long, value_name = "N")]
    parricide: Option<u64>,
}

#[derive(Clone)]
enum Rule {
    First,
    Path,
    Random(u64),
}

impl std::str::FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        match text {
            "first" => Ok(Rule::First),
            "path" => Ok(Rule::Path),
            seed => seed
                .parse()
                .map(Rule::Random)
                .map_err(|_| format!("{seed:?}?")),
        }
    }
}

fn main() {
    let arguments = Arguments::parse();
    if arguments.stubborn {
        system::ignore_signals().expect("signals can be caught");
    }
    for child in &arguments.child {
        child.start();
    }
    if arguments.gtp {
        gtp::run(&arguments);
    } else {
        codingame(&arguments);
    }
}

/// Plays over CodinGame's protocol, in the exact form of the referee.
fn codingame(arguments: &Arguments) {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let header = lines.next().unwrap_or_default();
    let mut words = header.split_whitespace();
    let (Some(side), Some(color)) = (words.next(), words.next()) else {
        return;
    };
    let side = Side::try_from(side.parse::<usize>().expect("a side")).expect("a side");
    let color = match (color, arguments.mistake) {
        ("red", Some(Mistake::OtherColor)) => Color::Blue,
        ("red", _) => Color::Red,
        (_, Some(Mistake::OtherColor)) => Color::Red,
        (_, _) => Color::Blue,
    };
    let mut output = Output::new(arguments.mistake);
    let mut answers = 0;
    let mut first_stones = None;
    let extra = mistake::extra_lines_before(arguments.mistake);
    while let Some(last) = lines.by_ref().nth(extra) {
        let mut stones = stones_in(side, lines.by_ref());
        if let Some(Mistake::ExtraRow) = arguments.mistake {
            lines.next();
        }
        if let Some(Mistake::OldBoard) = arguments.mistake {
            stones = first_stones.get_or_insert(stones).clone();
        }
        let position = side.position(stones, color);
        answers += 1;
        trouble::flood_stderr(arguments.stderr);
        trouble::take_memory(arguments.leak);
        std::thread::sleep(Duration::from_millis(arguments.think));
        if arguments.parricide == Some(answers) {
            trouble::kill_parent();
        }
        let trouble = arguments.trouble.as_ref();
        if trouble.is_some_and(|trouble| trouble.strike(answers, &last)) {
            continue;
        }
        let may_swap = color == Color::Blue && position.own_stones(Color::Blue).is_empty();
        let answer = if arguments.swap && may_swap {
            Move::SwapPieces
        } else {
            choose(arguments, &position)
        };
        output.answer(answer);
    }
    output.end();
}

/// The stones in the rows of a board, which are taken from the lines.
fn stones_in(side: Side, lines: &mut impl Iterator<Item = String>) -> Vec<(AnyCell, Color)> {
    let mut stones = Vec::new();
    for row in 0..side.get() {
        let text = lines.next().unwrap_or_default();
        for (col, cell) in text.split_whitespace().enumerate() {
            let owner = match cell {
                "r" => Color::Red,
                "b" => Color::Blue,
                _ => continue,
            };
            stones.push((side.cell(row, col).expect("on the board"), owner));
        }
    }
    stones
}

/// A free cell by the rule.
fn choose(arguments: &Arguments, position: &AnyBoard) -> Move {
    let side = Side::of_board(position);
    let free: Vec<AnyCell> = position.empty_cells().iter().collect();
    Move::Place(match &arguments.play {
        Rule::First => free[0],
        Rule::Path => heuristic_move(position).unwrap_or(free[0]),
        Rule::Random(seed) => {
            // Equal positions get equal moves, different positions unrelated ones.
            let stones = side.cells().map(|point| match position.at(point) {
                None => 0,
                Some(Color::Red) => 1,
                Some(Color::Blue) => 2,
            });
            let number = stones.fold(*seed, |sum: u64, stone| {
                sum.wrapping_mul(3).wrapping_add(stone)
            });
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
            free[(rng.next_u64() % free.len() as u64) as usize]
        }
    })
}
