//! Why a bot is silent: it gets more input, or its input ends, and what it does then shows what it
//! was waiting for.

use super::conversation::{patience, plain, Conversation, Moves};
use super::{probe, processes, CheckRun};
use crate::codingame;
use crate::player::{Failure, Fault, FaultKind};
use hex_core::record::codingame::turn_input;
use hex_core::record::{counted, Move};
use std::time::Duration;

/// How many lines more a bot may wait for until we no longer count them.
const COUNTED: usize = 3;

/// If a silent bot used this share of a processor, it is computing.
const BUSY: f64 = 0.5;

/// What a silent bot does after a change of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaction {
    /// It writes a move and runs on.
    Answers,
    /// It writes a move and ends.
    AnswersAndEnds,
    /// It ends without a move.
    Ends,
    Nothing,
}

/// The reason in words, with the cure. `silent` is the conversation in which the bot did not answer
/// its last turn, after these moves.
///
/// # Errors
/// If the check was stopped.
pub(crate) fn reason(
    run: &CheckRun,
    moves: Moves,
    mut silent: Conversation,
    fault: &Fault,
) -> Result<String, Failure> {
    let answers = silent.answers;
    let wait = run.spec.limits.first.max(run.spec.limits.turn);
    let used = silent.bot.running.id().and_then(processes::busy_time);
    let header = turn_input::header(&silent.game);
    let again = |more: &str, wait: Duration| -> Result<(Conversation, Reaction), Failure> {
        let mut bot = Conversation::start(run)?;
        bot.play(run, moves, answers, plain)?;
        let text = bot.question() + more;
        let reaction = bot.reaction(&text, wait)?;
        Ok((bot, reaction))
    };
    let (_, to_more) = again(&row(&silent).repeat(silent.game.side().get() + 1), wait)?;
    silent.bot.running.end_input();
    let to_end = silent.reaction("", wait)?;
    if waits_for_more(to_more, to_end) {
        if wants_header(run, moves, answers)? {
            let first = header.trim_end();
            return Ok(format!(
                "it waits for the line `{first}` on every turn, and the judge sends it \
                 once: read it before the loop"
            ));
        }
        let count = missing_lines(run, again("", Duration::ZERO)?.0)?;
        return Ok(format!(
            "it waits for {count} than the judge sends: a turn is the last move and {} \
             rows, after the line `{}` on the first turn",
            silent.game.side(),
            header.trim_end()
        ));
    }
    if matches!(to_end, Reaction::Answers | Reaction::AnswersAndEnds) {
        return Ok(match answers_two_turns(run, moves, answers)? {
            true => "its answers come only when its input ends: flush the output after \
                     each answer (`endl`, `fflush(stdout)`, `flush=True`)"
                .to_owned(),
            false => "it reads its input to the end before it answers: answer after the \
                      last row of each turn, because the input goes on"
                .to_owned(),
        });
    }
    let waited = patience(run).as_secs_f64();
    let is_busy = used.is_some_and(|used| used.as_secs_f64() > BUSY * waited);
    Ok(match is_busy {
        true => format!(
            "it still computes after {:.0} ms, or loops without end",
            1e3 * waited
        ),
        false => format!(
            "{}; neither more input nor the end of its input changes that",
            fault.detail
        ),
    })
}

/// Whether the bot waits for more input than the judge sends, by its reactions to more input and to
/// the end of its input.
fn waits_for_more(to_more: Reaction, to_end: Reaction) -> bool {
    match to_more {
        Reaction::Answers => true,
        Reaction::Ends => to_end == Reaction::Ends || to_end == Reaction::Nothing,
        Reaction::Nothing | Reaction::AnswersAndEnds => to_end == Reaction::Ends,
    }
}

/// An empty row of the board.
fn row(bot: &Conversation) -> String {
    let row = vec!["."; bot.game.side().get()];
    row.join(" ") + "\n"
}

/// Whether the bot reads a turn rightly that comes after one more header. The board has one free
/// cell, so that a bot that waits for another line too many gives itself away.
fn wants_header(run: &CheckRun, moves: Moves, answers: usize) -> Result<bool, Failure> {
    let mut bot = Conversation::start(run)?;
    bot.play(run, moves, answers, plain)?;
    let (board, free) = probe::one_free_cell();
    let header = turn_input::header(&bot.game);
    let first = if answers == 0 { &*header } else { "" };
    let text = format!("{first}{header}{}", turn_input::turn(&board));
    Ok(bot.action(&text, patience(run))? == Some(Move::Place(free)))
}

/// How many lines the bot waits for that the judge does not send, in words.
fn missing_lines(run: &CheckRun, mut bot: Conversation) -> Result<String, Failure> {
    let row = row(&bot);
    for count in 1..=COUNTED {
        if bot.reaction(&row, run.spec.limits.turn)? != Reaction::Nothing {
            return Ok(counted(count, "line") + " more");
        }
    }
    Ok("more lines".to_owned())
}

/// Whether a bot whose input ends after two turns has answered both.
fn answers_two_turns(run: &CheckRun, moves: Moves, answers: usize) -> Result<bool, Failure> {
    let mut bot = Conversation::start(run)?;
    bot.play(run, moves, answers, plain)?;
    // The second turn is written as if the bot had not answered the first one: only the number of
    // answers counts.
    let text = bot.question() + &turn_input::turn(&bot.game);
    bot.reaction(&text, Duration::ZERO)?;
    bot.bot.running.end_input();
    for _ in 0..2 {
        if bot.line("", patience(run))?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Conversation {
    /// What the bot does after this text within `time` and half a second.
    fn reaction(&mut self, text: &str, time: Duration) -> Result<Reaction, Failure> {
        let answers = match self.bot.running.ask(text, time) {
            Ok(line) => codingame::parse_answer(&line.text, self.game.side()).is_ok(),
            Err(Failure::Fault(fault)) if fault.kind == FaultKind::Silence => {
                return Ok(Reaction::Nothing)
            }
            Err(Failure::Fault(_)) => return Ok(Reaction::Ends),
            Err(failure) => return Err(failure),
        };
        let runs_on = match self.listen(Duration::ZERO) {
            Ok(_) => true,
            Err(Failure::Fault(_)) => false,
            Err(failure) => return Err(failure),
        };
        Ok(match (answers, runs_on) {
            (true, true) => Reaction::Answers,
            (true, false) => Reaction::AnswersAndEnds,
            (false, _) => Reaction::Ends,
        })
    }
}
