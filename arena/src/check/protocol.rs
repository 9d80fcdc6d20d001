//! Single questions to the bot: the examples of the statement, and input that is odd but may come.

use super::list::Mark;
use super::Bench;
use crate::judge;
use crate::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, TimedAnswer};
use hex_core::record::codingame::turn_input;
use hex_core::record::{Game, Move, Side};
use std::time::Duration;

/// How long is waited for a second line after an answer. The process waits half a second more.
const SECOND_LINE: Duration = Duration::from_millis(20);

/// How long an answer to a single question is waited for at least: a program that crashes after its
/// limit is not to be taken for a silent one.
const PATIENCE: Duration = Duration::from_secs(3);

/// An example of the statement: its name and the moves before the question. `own` stands for the
/// bot's first move, which need not be the statement's a2.
struct Example {
    name: &'static str,
    moves: &'static [&'static str],
}

const EXAMPLES: [Example; 4] = [
    Example {
        name: "Red, turn 1",
        moves: &[],
    },
    Example {
        name: "Red, after d4",
        moves: &["own", "d4"],
    },
    Example {
        name: "Red, after a swap",
        moves: &["own", "swap-pieces"],
    },
    Example {
        name: "Blue, after d5",
        moves: &["d5"],
    },
];

/// An odd way to write the judge's lines.
struct Oddity {
    name: &'static str,
    /// What it costs to stumble over it.
    mark: Mark,
    write: fn(&str) -> String,
}

const ODDITIES: [Oddity; 3] = [
    Oddity {
        name: "lines end with CR LF",
        mark: Mark::Bad,
        write: |text| text.replace('\n', "\r\n"),
    },
    Oddity {
        name: "blanks at line ends",
        mark: Mark::Bad,
        write: |text| text.replace('\n', "  \n"),
    },
    Oddity {
        // The judge sends 11; the statement's sample of a row has 13.
        name: "rows of 13 cells",
        mark: Mark::Note,
        write: with_two_more_cells,
    },
];

/// The same lines with two more empty cells in each row.
fn with_two_more_cells(text: &str) -> String {
    let is_row = |line: &&str| line.split(' ').count() == Side::CODINGAME.get();
    let lines = text.lines().map(|line| match is_row(&line) {
        true => format!("{line} . .\n"),
        false => format!("{line}\n"),
    });
    lines.collect()
}

/// Puts the statement's examples to the bot, each to a fresh process.
///
/// # Errors
/// If the check was interrupted, or nothing can be printed.
pub fn try_examples(bench: &mut Bench) -> anyhow::Result<()> {
    for example in &EXAMPLES {
        let name = format!("example: {}", example.name);
        let (mark, found) = match answer_to(bench, example) {
            Ok(answer) => (Mark::Good, said(&answer)),
            Err(Failure::Fault(fault)) => (Mark::Bad, fault.to_string()),
            Err(Failure::Interrupted) => return bench.interrupted(),
        };
        bench.list.add(mark, &name, &found)?;
    }
    Ok(())
}

fn said(answer: &TimedAnswer) -> String {
    format!(
        "{} in {:.1} ms",
        answer.decision,
        answer.time.as_secs_f64() * 1e3
    )
}

/// The bot's answer to an example.
fn answer_to(bench: &Bench, example: &Example) -> Result<TimedAnswer, Failure> {
    let mut game = Game::new(Side::CODINGAME);
    let mut bot = bench.start()?;
    for word in example.moves {
        let action = match *word {
            "own" => {
                let answer = asked(&mut bot, &game, bench.spec.limits.first)?;
                judge::play_answer(&mut game, answer.decision)?;
                continue;
            }
            word => Move::parse(word, game.side()).expect("the examples are fine"),
        };
        // The bot itself may have opened there.
        if game.play(action).is_err() {
            let other = Move::parse("e5", game.side()).expect("it is a cell");
            game.play(other).expect("the other cells are free");
        }
    }
    let is_first = !example.moves.contains(&"own");
    let limits = bench.spec.limits;
    let limit = if is_first { limits.first } else { limits.turn };
    let answer = asked(&mut bot, &game, limit)?;
    judge::play_answer(&mut game, answer.decision)?;
    Ok(answer)
}

/// The bot's answer, if it comes in time.
fn asked(bot: &mut dyn ArenaPlayer, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
    let answer = bot.answer(game, limit.max(PATIENCE))?;
    if answer.time <= limit {
        return Ok(answer);
    }
    let (took, allowed) = (answer.time.as_secs_f64() * 1e3, limit.as_millis());
    let why = format!("answered after {took:.1} ms, the limit is {allowed} ms");
    Err(Fault::new(FaultKind::Timeout, why).into())
}

/// Sends turns that are written in odd ways, each to a fresh process.
///
/// # Errors
/// As [`try_examples`].
pub fn try_odd_input(bench: &mut Bench) -> anyhow::Result<()> {
    for oddity in &ODDITIES {
        let (mark, found) = match answers_to(bench, oddity.write) {
            Ok(moves) => (Mark::Good, moves),
            Err(Failure::Fault(fault)) => (oddity.mark, fault.to_string()),
            Err(Failure::Interrupted) => return bench.interrupted(),
        };
        bench.list.add(mark, oddity.name, &found)?;
    }
    Ok(())
}

/// The bot's first two moves as Red where what it reads is written so.
fn answers_to(bench: &Bench, write: fn(&str) -> String) -> Result<String, Failure> {
    let mut game = Game::new(Side::CODINGAME);
    let mut bot = bench.start_process()?;
    let first = ask(
        &mut bot,
        &write(&turn_input::write(&game)),
        &mut game,
        bench,
    )?;
    let answer = ["f6", "e5"].iter().find_map(|cell| {
        let action = Move::parse(cell, game.side()).expect("it is a cell");
        game.play(action).ok()
    });
    answer.expect("one of two cells is free");
    let second = ask(&mut bot, &write(&turn_input::turn(&game)), &mut game, bench)?;
    Ok(format!("{first}, {second}"))
}

/// Puts a text to the bot and plays its answer.
fn ask(
    bot: &mut super::HeldProcess,
    text: &str,
    game: &mut Game,
    bench: &Bench,
) -> Result<Move, Failure> {
    let limit = bench.spec.limits.first.max(PATIENCE);
    let line = bot.process.ask(text, limit)?;
    let word = line.text.split_whitespace().next().unwrap_or_default();
    let action = Move::parse(word, game.side()).map_err(|error| {
        Fault::new(FaultKind::Illegal, format!("not a move: {error}")).with_line(&line.text)
    })?;
    judge::play_answer(game, Decision::Play(action))?;
    Ok(action)
}

/// Looks whether the bot writes a line a turn: a second one would be its answer to the next turn.
///
/// # Errors
/// As [`try_examples`].
pub fn try_second_line(bench: &mut Bench) -> anyhow::Result<()> {
    let found = second_line(bench);
    let (mark, found) = match found {
        Ok(None) => (Mark::Good, "nothing follows the answer".to_owned()),
        Ok(Some(line)) => {
            let why = format!("after its answer the bot writes {line:?}, the next turn's answer");
            (Mark::Bad, why)
        }
        Err(Failure::Fault(fault)) => (Mark::Bad, fault.to_string()),
        Err(Failure::Interrupted) => return bench.interrupted(),
    };
    Ok(bench.list.add(mark, "one line a turn", &found)?)
}

/// What follows the answer to the first turn.
fn second_line(bench: &Bench) -> Result<Option<String>, Failure> {
    let game = Game::new(Side::CODINGAME);
    let mut bot = bench.start_process()?;
    let text = turn_input::write(&game);
    let limit = bench.spec.limits.first.max(PATIENCE);
    bot.process.ask(&text, limit)?;
    match bot.process.ask("", SECOND_LINE) {
        Ok(line) => Ok(Some(line.text)),
        Err(Failure::Fault(fault)) if fault.kind == FaultKind::Silence => Ok(None),
        Err(failure) => Err(failure),
    }
}
