//! A game of the site as a list of frames: the agents' outputs in turn, and the referee's messages.

use super::faults::{plain, SiteFault};
use crate::record::{Ending, Game, GameError, Move, NotOnBoard, Outcome, RecordError, Side};
use hexbot::cell::Color;
use thiserror::Error;

/// One step of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The agent that had the turn; `None` if no agent had it.
    pub(crate) agent: Option<usize>,
    /// Its output: a move, perhaps with a message.
    pub(crate) stdout: String,
    /// Its error output. The site shows users only their own.
    pub(crate) stderr: String,
    /// The referee's messages.
    pub(crate) messages: Vec<String>,
}

impl Frame {
    /// The agent whose answer it contains; `None` if it contains none.
    fn answers(&self) -> Option<usize> {
        self.agent.filter(|_| !self.stdout.trim().is_empty())
    }

    /// The fault that the referee reports.
    fn fault(&self) -> Option<SiteFault> {
        let mut messages = self.messages.iter();
        messages.find_map(|text| SiteFault::of(text, self.agent))
    }
}

/// A game's frames and its result.
pub(crate) struct Replay {
    /// The name of the list of frames in the file.
    pub(crate) place: &'static str,
    /// In the order of the game.
    pub(crate) frames: Vec<Frame>,
    /// The agents' names; empty where unknown.
    pub(crate) names: [String; 2],
    /// The agent that won, if the file says so.
    pub(crate) winner: Option<usize>,
}

/// Why an answer is not the next move.
#[derive(Debug, Error)]
enum Refused {
    #[error("there are two players, agent 0 and agent 1")]
    ThirdPlayer,
    #[error("it is the other agent's turn")]
    NotItsTurn,
    #[error("{0}, nor swap-pieces; is this a game of Hex?")]
    NoMove(#[from] NotOnBoard),
    #[error("{0}")]
    Illegal(#[from] GameError),
    #[error("the referee refused it")]
    ByReferee,
}

/// How much of an answer an error shows, in characters.
const SHOWN: usize = 40;

impl Replay {
    /// The game.
    ///
    /// # Errors
    /// If an answer is not a legal move, unless it was a fault that ended the game.
    pub(crate) fn game(&self) -> Result<Game, RecordError> {
        let red = self.red();
        let last = self.frames.iter().rposition(|f| f.answers().is_some());
        // Warnings may stand before the last answer; a fault ends the game.
        let fault = self.frames[last.unwrap_or(0)..].iter();
        let fault = fault.filter_map(Frame::fault).next();
        let players = self.players(red);
        let mut game = Game::new(Side::CODINGAME);
        for (at, frame) in self.frames.iter().enumerate() {
            if let Some(agent) = frame.answers() {
                let color = color(agent, red);
                let own = |fault: SiteFault| fault.agent == Some(agent);
                let mut done = if last == Some(at) && frame.fault().is_some_and(own) {
                    // The rules' own reason, if there is one. Else the answer came too late.
                    play(&mut game.clone(), frame, agent, color).and(Err(Refused::ByReferee))
                } else {
                    play(&mut game, frame, agent, color)
                };
                let accused = fault.as_ref().and_then(|fault| fault.agent);
                let is_faulty = match (self.winner, &fault) {
                    (Some(winner), _) => winner != agent,
                    (None, Some(_)) => accused.is_none_or(|accused| accused == agent),
                    (None, None) => false,
                };
                if let (Err(why), true) = (&done, is_faulty && last == Some(at)) {
                    let (line, name) = (shown(&frame.stdout), &players[agent.min(1)]);
                    game.remark(format!("{name} answered {line:?}: {why}"));
                    done = Ok(());
                }
                done.map_err(|why| self.error(at, frame, agent, &why))?;
            }
            remark_outputs(&mut game, frame, &players);
        }
        game.players = [red, 1 - red].map(|agent| one_line(&self.names[agent]));
        self.end(&mut game, red, fault);
        Ok(game)
    }

    /// The agent that plays Red: the first one that answers, or else the first one to have a turn.
    fn red(&self) -> usize {
        let mut answering = self.frames.iter().filter_map(Frame::answers);
        let mut on_turn = self.frames.iter().filter_map(|frame| frame.agent);
        let first = answering.next().or_else(|| on_turn.next());
        first.filter(|&agent| agent < 2).unwrap_or(0)
    }

    /// The names of the two agents in remarks.
    fn players(&self, red: usize) -> [String; 2] {
        [0, 1].map(|agent: usize| match one_line(&self.names[agent]) {
            name if name.is_empty() => match color(agent, red) {
                Color::Red => "Red".to_owned(),
                Color::Blue => "Blue".to_owned(),
            },
            name => name,
        })
    }

    fn error(&self, at: usize, frame: &Frame, agent: usize, why: &Refused) -> RecordError {
        let (place, line) = (self.place, shown(&frame.stdout));
        RecordError::new(format!(
            "{place}[{at}]: agent {agent} answers {line:?}: {why}"
        ))
    }

    /// Ends the game as the file says, unless the stones have decided it.
    fn end(&self, game: &mut Game, red: usize, fault: Option<SiteFault>) {
        let accused = fault.as_ref().and_then(|fault| fault.agent);
        let by_fault = accused.filter(|&agent| agent < 2).map(|agent| 1 - agent);
        let Some(winner) = self.winner.or(by_fault) else {
            return;
        };
        // CodinGame has no resignation: a game without a connection ends by a fault.
        let ending = match fault {
            Some(fault) if fault.agent != Some(winner) => fault.ending,
            _ => Ending::Forfeit,
        };
        let winner = color(winner, red);
        game.end_as_stated(Outcome { winner, ending });
    }
}

fn color(agent: usize, red: usize) -> Color {
    if agent == red {
        Color::Red
    } else {
        Color::Blue
    }
}

/// Plays an agent's answer: the first word is the move, the rest becomes its remark.
fn play(game: &mut Game, frame: &Frame, agent: usize, color: Color) -> Result<(), Refused> {
    if agent > 1 {
        return Err(Refused::ThirdPlayer);
    }
    if game.outcome().is_none() && game.to_move() != color {
        return Err(Refused::NotItsTurn);
    }
    let answer = frame.stdout.trim();
    let (word, message) = answer
        .split_once(char::is_whitespace)
        .unwrap_or((answer, ""));
    let action = match word {
        "swap-pieces" => Move::SwapPieces,
        cell => Move::Place(game.side().parse_cell(&cell.to_ascii_lowercase())?),
    };
    game.play(action)?;
    game.remark(text(message));
    Ok(())
}

/// Keeps an agent's error output, and the referee's messages about a fault, as remarks.
fn remark_outputs(game: &mut Game, frame: &Frame, players: &[String; 2]) {
    let stderr = text(&frame.stderr);
    if !stderr.is_empty() {
        game.remark(format!("stderr: {stderr}"));
    }
    if frame.fault().is_some() {
        // The same words often stand in two fields.
        let mut kept: Vec<String> = Vec::new();
        for message in &frame.messages {
            let message = text(&plain(message, players));
            if !kept.contains(&message) {
                game.remark(&message);
                kept.push(message);
            }
        }
    }
}

/// An answer, shortened for errors.
fn shown(answer: &str) -> String {
    answer.trim().chars().take(SHOWN).collect()
}

/// A text without carriage returns, and without blanks around it.
fn text(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .trim()
        .to_owned()
}

/// A name on one line.
fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
