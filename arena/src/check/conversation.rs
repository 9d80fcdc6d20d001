//! A conversation with a bot, turn by turn, over the judge's lines.

use super::{CheckRun, Slowed};
use crate::codingame;
use crate::judge;
use crate::noise::LateAnswer;
use crate::player::{Decision, Failure, FaultKind};
use crate::process::BotProcess;
use hex_core::record::codingame::turn_input;
use hex_core::record::{Game, Move, Side};
use std::time::{Duration, Instant};

/// How many times the limit of the first answer we wait for an answer to a single turn, so that a
/// crash after the limit is not reported as silence.
const PATIENCE: u32 = 3;

/// What becomes of a turn's text before it is sent.
pub(crate) type Writing = fn(&str) -> String;

/// The text as the judge writes it.
pub(crate) fn plain(text: &str) -> String {
    text.to_owned()
}

/// Moves before a turn of the bot. [`OWN`] stands for an answer of the bot, each other word for a
/// move of its opponent.
pub(crate) type Moves = &'static [&'static str];

/// The bot's own answer in [`Moves`].
pub(crate) const OWN: &str = "own";

/// A process of the bot, and the game with it so far.
pub(crate) struct Conversation {
    pub(crate) bot: Slowed<BotProcess>,
    /// The moves so far. The bot is to move.
    pub(crate) game: Game,
    /// How many turns the bot has answered.
    pub(crate) answers: usize,
    /// The late answer, after a timeout.
    pub(crate) late: Option<LateAnswer>,
}

/// An answer in time.
pub(crate) struct Answered {
    pub(crate) action: Move,
    pub(crate) time: Duration,
}

/// How long we wait for an answer; [`BotProcess`](crate::process::BotProcess) adds half a second.
pub(crate) fn patience(run: &CheckRun) -> Duration {
    let limits = run.spec.limits;
    (limits.first * PATIENCE).max(limits.turn)
}

impl Conversation {
    /// A conversation with a new process, on an empty board.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub(crate) fn start(run: &CheckRun) -> Result<Conversation, Failure> {
        Conversation::from(run, Game::new(Side::CODINGAME))
    }

    /// The same in the middle of a game.
    ///
    /// # Errors
    /// As [`Conversation::start`].
    pub(crate) fn from(run: &CheckRun, game: Game) -> Result<Conversation, Failure> {
        Ok(Conversation {
            bot: run.start_process()?,
            game,
            answers: 0,
            late: None,
        })
    }

    /// The text of the turn that is due.
    pub(crate) fn question(&self) -> String {
        match self.answers {
            0 => turn_input::write(&self.game),
            _ => turn_input::turn(&self.game),
        }
    }

    /// Sends the turn that is due and plays the answer.
    ///
    /// # Errors
    /// If there is no answer, or it is late or illegal.
    pub(crate) fn turn(&mut self, run: &CheckRun, write: Writing) -> Result<Answered, Failure> {
        let limits = run.spec.limits;
        let limit = match self.answers {
            0 => limits.first,
            _ => limits.turn,
        };
        let asked = Instant::now();
        let question = write(&self.question());
        let line = self.bot.running.ask(&question, patience(run))?;
        if line.time > limit {
            let over = Instant::now();
            self.late = Some(LateAnswer { asked, over, limit });
            return Err(judge::late(line.time, limit).into());
        }
        let (action, _) = codingame::parse_answer(&line.text, self.game.side())?;
        judge::play_answer(&mut self.game, Decision::Play(action))?;
        self.answers += 1;
        let time = line.time;
        Ok(Answered { action, time })
    }

    /// Plays the moves, but at most `answers` of the bot.
    ///
    /// # Errors
    /// As [`Conversation::turn`].
    pub(crate) fn play(
        &mut self,
        run: &CheckRun,
        moves: Moves,
        answers: usize,
        write: Writing,
    ) -> Result<(), Failure> {
        for &word in moves {
            if word != OWN {
                self.reply(word);
            } else if self.answers == answers {
                return Ok(());
            } else {
                self.turn(run, write)?;
            }
        }
        Ok(())
    }

    /// A move of the opponent; another one if the bot has taken the cell.
    pub(crate) fn reply(&mut self, word: &str) {
        let side = self.game.side();
        let action = Move::parse(word, side).expect("it is a move");
        if self.game.play(action).is_err() {
            let other = Move::parse("e5", side).expect("it is a cell");
            self.game.play(other).expect("the other cells are free");
        }
    }

    /// The bot's line after this text; `None` if it makes a fault instead.
    ///
    /// # Errors
    /// If the check was stopped.
    pub(crate) fn line(&mut self, text: &str, time: Duration) -> Result<Option<String>, Failure> {
        match self.bot.running.ask(text, time) {
            Ok(line) => Ok(Some(line.text)),
            Err(Failure::Fault(_)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The bot's move after this text; `None` if it writes none.
    ///
    /// # Errors
    /// As [`Conversation::line`].
    pub(crate) fn action(&mut self, text: &str, time: Duration) -> Result<Option<Move>, Failure> {
        let line = self.line(text, time)?.unwrap_or_default();
        let answer = codingame::parse_answer(&line, self.game.side());
        Ok(answer.ok().map(|(action, _)| action))
    }

    /// Another line of the bot without another turn; `None` if nothing comes for `time` and half a
    /// second.
    ///
    /// # Errors
    /// If the bot has ended.
    pub(crate) fn listen(&mut self, time: Duration) -> Result<Option<String>, Failure> {
        match self.bot.running.ask("", time) {
            Ok(line) => Ok(Some(line.text)),
            Err(Failure::Fault(fault)) if fault.kind == FaultKind::Silence => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}
