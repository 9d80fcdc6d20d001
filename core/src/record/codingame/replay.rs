//! A game of the site as a list of frames: what each agent printed in turn, and what the referee
//! said to it.

use super::faults::{plain, SiteFault};
use crate::record::{Ending, Game, GameError, Move, NotOnBoard, Outcome, Side};
use hexbot::cell::Color;
use thiserror::Error;

/// The file is no game of Hex that CodinGame's site or its SDK has written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SiteGameError(String);

impl SiteGameError {
    /// What is wrong with the file as a whole.
    pub(super) fn of_file(why: impl Into<String>) -> SiteGameError {
        SiteGameError(why.into())
    }
}

/// One step of a game.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Whose turn it was; `None` if nobody's.
    pub agent: Option<usize>,
    /// What it printed: a move, perhaps with a message.
    pub stdout: String,
    /// What it printed for itself. The site shows only one's own.
    pub stderr: String,
    /// What the referee says.
    pub told: Vec<String>,
}

impl Frame {
    /// Whose answer it holds; `None` if it holds none.
    fn answers(&self) -> Option<usize> {
        self.agent.filter(|_| !self.stdout.trim().is_empty())
    }

    /// The fault that the referee tells.
    fn fault(&self) -> Option<SiteFault> {
        let mut told = self.told.iter();
        told.find_map(|text| SiteFault::of(text, self.agent))
    }
}

/// A game's frames and its end.
pub struct Replay {
    /// What the list of frames is called in the file.
    pub place: &'static str,
    /// In the order of the game.
    pub frames: Vec<Frame>,
    /// The agents' names; empty where unknown.
    pub names: [String; 2],
    /// The agent that won, if the file says so.
    pub winner: Option<usize>,
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
    /// If an answer is not the next move, unless a fault in it ended the game.
    pub fn game(&self) -> Result<Game, SiteGameError> {
        let red = self.red();
        let last = self.frames.iter().rposition(|f| f.answers().is_some());
        // Warnings may stand before the last answer; a fault ends the game.
        let fault = self.frames[last.unwrap_or(0)..].iter();
        let fault = fault.filter_map(Frame::fault).next();
        let players = self.players(red);
        let mut game = Game::new(Side::CODINGAME);
        for (at, frame) in self.frames.iter().enumerate() {
            if let Some(agent) = frame.answers() {
                let mut done = play(&mut game, frame, agent, color(agent, red), last == Some(at));
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

    /// The agent that plays Red: the first that answers, or else the first whose turn it is.
    fn red(&self) -> usize {
        let mut answering = self.frames.iter().filter_map(Frame::answers);
        let mut asked = self.frames.iter().filter_map(|frame| frame.agent);
        let first = answering.next().or_else(|| asked.next());
        first.filter(|&agent| agent < 2).unwrap_or(0)
    }

    /// What the two agents are called in remarks.
    fn players(&self, red: usize) -> [String; 2] {
        [0, 1].map(|agent: usize| match one_line(&self.names[agent]) {
            name if name.is_empty() => match color(agent, red) {
                Color::Red => "Red".to_owned(),
                Color::Blue => "Blue".to_owned(),
            },
            name => name,
        })
    }

    fn error(&self, at: usize, frame: &Frame, agent: usize, why: &Refused) -> SiteGameError {
        let (place, line) = (self.place, shown(&frame.stdout));
        SiteGameError(format!(
            "{place}[{at}]: agent {agent} answers {line:?}: {why}"
        ))
    }

    /// Ends the game as the file says, where the stones do not tell it.
    fn end(&self, game: &mut Game, red: usize, fault: Option<SiteFault>) {
        let accused = fault.as_ref().and_then(|fault| fault.agent);
        let by_fault = accused.filter(|&agent| agent < 2).map(|agent| 1 - agent);
        let Some(winner) = self.winner.or(by_fault) else {
            return;
        };
        // Nobody resigns on CodinGame: a game without a connection ends by a fault.
        let ending = match fault {
            Some(fault) if fault.agent != Some(winner) => fault.ending,
            _ => Ending::Forfeit,
        };
        let winner = color(winner, red);
        let stated = Some(Outcome { winner, ending });
        let played = game.outcome();
        game.notes.extend(Outcome::contradiction(stated, played));
        game.end(Outcome { winner, ending });
    }
}

fn color(agent: usize, red: usize) -> Color {
    if agent == red {
        Color::Red
    } else {
        Color::Blue
    }
}

/// Plays an agent's answer: the first word is the move, all that follows is kept as its remark. The
/// last answer of a game may be legal and yet refused, as it came too late.
fn play(
    game: &mut Game,
    frame: &Frame,
    agent: usize,
    color: Color,
    is_last: bool,
) -> Result<(), Refused> {
    if agent > 1 {
        return Err(Refused::ThirdPlayer);
    }
    if game.outcome().is_none() && game.to_move() != color {
        return Err(Refused::NotItsTurn);
    }
    let refused = frame.fault().filter(|fault| fault.agent == Some(agent));
    let answer = frame.stdout.trim();
    let (word, message) = answer
        .split_once(char::is_whitespace)
        .unwrap_or((answer, ""));
    let action = match word {
        "swap-pieces" => Move::SwapPieces,
        cell => Move::Place(game.side().parse_cell(&cell.to_ascii_lowercase())?),
    };
    if is_last && refused.is_some() {
        // The rules' own reason, if there is one.
        game.clone().play(action)?;
        return Err(Refused::ByReferee);
    }
    game.play(action)?;
    game.remark(text(message));
    Ok(())
}

/// Keeps what an agent printed for itself, and what the referee says of faults.
fn remark_outputs(game: &mut Game, frame: &Frame, players: &[String; 2]) {
    let stderr = text(&frame.stderr);
    if !stderr.is_empty() {
        game.remark(format!("stderr: {stderr}"));
    }
    if frame.fault().is_some() {
        // The same words often stand in two fields.
        let mut told: Vec<String> = Vec::new();
        for text in frame.told.iter().map(|told| text(&plain(told, players))) {
            if !told.contains(&text) {
                game.remark(&text);
                told.push(text);
            }
        }
    }
}

/// An answer as errors show it.
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
