//! Single turns for the bot: the examples of the statement, and input that is unusual but possible.

use super::list::Mark;
use super::CheckRun;
use crate::judge;
use crate::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, TimedAnswer};
use hex_core::record::codingame::turn_input;
use hex_core::record::{Game, Move, Side};
use std::time::Duration;

/// How long to wait for a second line after an answer. [`BotProcess`](crate::process::BotProcess)
/// adds half a second.
const SECOND_LINE: Duration = Duration::from_millis(20);

/// The least time to wait for an answer to a single turn, so that a crash after the limit is not
/// reported as silence.
const PATIENCE: Duration = Duration::from_secs(3);

/// An example of the statement: its name and the moves before the bot's turn. `own` stands for the
/// bot's own first move, which may differ from the statement's a2.
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

/// An unusual way to write the judge's lines.
struct Oddity {
    name: &'static str,
    /// The mark of a bot that cannot read it.
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

/// The lines with two more empty cells in each row.
fn with_two_more_cells(text: &str) -> String {
    let is_row = |line: &&str| line.split(' ').count() == Side::CODINGAME.get();
    let lines = text.lines().map(|line| {
        let added = if is_row(&line) { " . ." } else { "" };
        format!("{line}{added}\n")
    });
    lines.collect()
}

/// Sends the statement's examples to the bot, each to a new process.
///
/// # Errors
/// If the check was interrupted, or the output is closed.
pub fn try_examples(run: &mut CheckRun) -> anyhow::Result<()> {
    for example in &EXAMPLES {
        let name = format!("example: {}", example.name);
        let (mark, found) = match answer_to(run, example) {
            Ok(answer) => (Mark::Good, said(&answer)),
            Err(Failure::Fault(fault)) => (Mark::Bad, fault.to_string()),
            Err(Failure::Stopped(why)) => return run.stopped(why),
        };
        run.list.add(mark, &name, &found)?;
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
fn answer_to(run: &CheckRun, example: &Example) -> Result<TimedAnswer, Failure> {
    let mut game = Game::new(Side::CODINGAME);
    let mut bot = run.start()?;
    for word in example.moves {
        let action = match *word {
            "own" => {
                let answer = asked(&mut bot, &game, run.spec.limits.first)?;
                judge::play_answer(&mut game, answer.decision)?;
                continue;
            }
            word => Move::parse(word, game.side()).expect("the examples are fine"),
        };
        // The bot's own first move may be on the same cell.
        if game.play(action).is_err() {
            let other = Move::parse("e5", game.side()).expect("it is a cell");
            game.play(other).expect("the other cells are free");
        }
    }
    let is_first = !example.moves.contains(&"own");
    let limits = run.spec.limits;
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

/// Sends turns that are written in unusual ways, each to a new process.
///
/// # Errors
/// As [`try_examples`].
pub fn try_odd_input(run: &mut CheckRun) -> anyhow::Result<()> {
    for oddity in &ODDITIES {
        let (mark, found) = match answers_to(run, oddity.write) {
            Ok(moves) => (Mark::Good, moves),
            Err(Failure::Fault(fault)) => (oddity.mark, fault.to_string()),
            Err(Failure::Stopped(why)) => return run.stopped(why),
        };
        run.list.add(mark, oddity.name, &found)?;
    }
    Ok(())
}

/// The bot's first two moves as Red, if its input is written by `write`.
fn answers_to(run: &CheckRun, write: fn(&str) -> String) -> Result<String, Failure> {
    let mut game = Game::new(Side::CODINGAME);
    let mut bot = run.start_process()?;
    let first = ask(&mut bot, &write(&turn_input::write(&game)), &mut game, run)?;
    let answer = ["f6", "e5"].iter().find_map(|cell| {
        let action = Move::parse(cell, game.side()).expect("it is a cell");
        game.play(action).ok()
    });
    answer.expect("one of two cells is free");
    let second = ask(&mut bot, &write(&turn_input::turn(&game)), &mut game, run)?;
    Ok(format!("{first}, {second}"))
}

/// Sends a text to the bot and plays its answer.
fn ask(
    bot: &mut super::SlowedProcess,
    text: &str,
    game: &mut Game,
    run: &CheckRun,
) -> Result<Move, Failure> {
    let limit = run.spec.limits.first.max(PATIENCE);
    let line = bot.process.ask(text, limit)?;
    let word = line.text.split_whitespace().next().unwrap_or_default();
    let action = Move::parse(word, game.side()).map_err(|error| {
        Fault::new(FaultKind::Illegal, format!("not a move: {error}")).with_line(&line.text)
    })?;
    judge::play_answer(game, Decision::Play(action))?;
    Ok(action)
}

/// Checks that the bot writes one line a turn: a second one would count as its answer to the next
/// turn.
///
/// # Errors
/// As [`try_examples`].
pub fn try_second_line(run: &mut CheckRun) -> anyhow::Result<()> {
    let found = second_line(run);
    let (mark, found) = match found {
        Ok(None) => (Mark::Good, "nothing follows the answer".to_owned()),
        Ok(Some(line)) => {
            let why = format!("after its answer the bot writes {line:?}, the next turn's answer");
            (Mark::Bad, why)
        }
        Err(Failure::Fault(fault)) => (Mark::Bad, fault.to_string()),
        Err(Failure::Stopped(why)) => return run.stopped(why),
    };
    Ok(run.list.add(mark, "one line a turn", &found)?)
}

/// The line after the answer to the first turn, if there is one.
fn second_line(run: &CheckRun) -> Result<Option<String>, Failure> {
    let game = Game::new(Side::CODINGAME);
    let mut bot = run.start_process()?;
    let text = turn_input::write(&game);
    let limit = run.spec.limits.first.max(PATIENCE);
    bot.process.ask(&text, limit)?;
    match bot.process.ask("", SECOND_LINE) {
        Ok(line) => Ok(Some(line.text)),
        Err(Failure::Fault(fault)) if fault.kind == FaultKind::Silence => Ok(None),
        Err(failure) => Err(failure),
    }
}
