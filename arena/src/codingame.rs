//! A bot that speaks CodinGame's protocol for Hex: it receives the board every turn, and answers
//! with a cell or `swap-pieces`.

use super::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, TimedAnswer};
use super::process::BotProcess;
use hex_common::system::ProcessId;
use hex_core::record::codingame::turn_input;
use hex_core::record::{Game, Move};
use std::time::Duration;

/// A player for one game that speaks CodinGame's protocol.
pub struct CodinGamePlayer {
    process: BotProcess,
    header: Header,
}

/// Whether the line before a player's first turn has been sent.
enum Header {
    Due,
    Sent,
}

impl CodinGamePlayer {
    /// The player of this process.
    pub fn new(process: BotProcess) -> Self {
        CodinGamePlayer {
            process,
            header: Header::Due,
        }
    }
}

impl ArenaPlayer for CodinGamePlayer {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        self.process.drain();
        let mut question = String::new();
        if let Header::Due = std::mem::replace(&mut self.header, Header::Sent) {
            question += &turn_input::header(game);
        }
        question += &turn_input::turn(game);
        let line = self.process.ask(&question, limit)?;
        let (action, message) = parse_answer(&line.text, game)?;
        Ok(TimedAnswer {
            decision: Decision::Play(action),
            time: line.time,
            message,
        })
    }

    fn process(&mut self) -> Option<ProcessId> {
        self.process.id()
    }
}

/// The move in an answer's line, and the message after it.
fn parse_answer(line: &str, game: &Game) -> Result<(Move, String), Fault> {
    let text = line.trim();
    let (word, message) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match Move::parse(word, game.side()) {
        Ok(action @ (Move::Place(_) | Move::SwapPieces)) => {
            Ok((action, message.trim().to_string()))
        }
        Ok(other) => Err(Fault::new(
            FaultKind::Illegal,
            format!("{other} is not a move of CodinGame's game"),
        )
        .with_line(line)),
        Err(error) => {
            Err(Fault::new(FaultKind::Illegal, format!("not a move: {error}")).with_line(line))
        }
    }
}
