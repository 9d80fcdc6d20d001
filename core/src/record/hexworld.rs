//! Games as links to HexWorld's board, `https://hexworld.org/board/#11c1,a2:sf6e5`: the side and
//! options of drawing, a comma, the moves run together; after a second comma those past the cursor.
//!
//! Reading takes a whole link or what follows its `#`; drawing options and the cursor are not kept.
//! Writing shows colours as red and blue (`c1`). A stone out of turn is written with passes before
//! it.

use super::game::{Ending, Game, GameError, Move, Outcome};
use super::side::{Point, Side};
use hexbot::cell::Color;
use thiserror::Error;

/// What comes before the game in a link.
const PREFIX: &str = "https://hexworld.org/board/#";

/// The text is not a link to a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{link:?}, from {rest:?}: {why}")]
pub struct HexWorldError {
    link: String,
    /// Where reading stopped, shortened.
    rest: String,
    why: String,
}

/// How much of a bad link an error shows, in characters.
const SHOWN: usize = 40;

/// The link to the game.
pub fn write(game: &Game) -> String {
    let mut link = format!("{PREFIX}{}c1,", game.side());
    let mut to_move = Color::Red;
    let setup = game.setup().iter();
    let stones = setup.map(|&(point, color)| (color, Move::Place(point)));
    let turns = game.turns().iter().map(|turn| (turn.color, turn.action));
    for (color, action) in stones.chain(turns) {
        if color != to_move {
            link += ":p";
        }
        match action {
            Move::Place(point) => link += &point.to_string(),
            Move::SwapPieces => link += ":s",
            Move::SwapSides => link += ":S",
            Move::Pass => link += ":p",
        }
        to_move = match action {
            Move::SwapSides => color,
            _ => color.opponent(),
        };
    }
    link + ending_text(game.outcome())
}

fn ending_text(outcome: Option<Outcome>) -> &'static str {
    let Some(Outcome { winner, ending }) = outcome else {
        return "";
    };
    match (ending, winner) {
        (Ending::Connection | Ending::Unstated, _) => "",
        (Ending::Resignation, Color::Red) => ":rw",
        (Ending::Resignation, Color::Blue) => ":rb",
        (Ending::Time | Ending::Forfeit, Color::Red) => ":fw",
        (Ending::Time | Ending::Forfeit, Color::Blue) => ":fb",
    }
}

/// The game that a link leads to.
///
/// # Errors
/// If the text is not such a link, or a move in it cannot be played.
pub fn parse(link: &str) -> Result<Game, HexWorldError> {
    let text = link.trim();
    let text = text.split_once('#').map_or(text, |(_, game)| game);
    let mut reader = Reader { link, rest: text };
    let side = reader.side()?;
    let mut game = Game::new(side);
    while !reader.rest.is_empty() {
        reader.turn(&mut game)?;
    }
    Ok(game)
}

struct Reader<'a> {
    link: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn error(&self, why: impl Into<String>) -> HexWorldError {
        let shown = |text: &str| text.chars().take(SHOWN).collect();
        HexWorldError {
            link: shown(self.link),
            rest: shown(self.rest),
            why: why.into(),
        }
    }

    /// The number at the beginning of the rest, if there is one.
    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest[..digits].parse().ok()?;
        self.rest = &self.rest[digits..];
        Some(number)
    }

    /// The side, past the options and the comma after them.
    fn side(&mut self) -> Result<Side, HexWorldError> {
        let before = self.rest;
        let Some(columns) = self.number() else {
            return Err(self.error("the link should begin with the board's side, such as 11"));
        };
        let mut rows = columns;
        if let Some(rest) = self.rest.strip_prefix('x') {
            self.rest = rest;
            rows = self.number().unwrap_or(0);
        }
        let side = Side::try_from(columns).ok().filter(|_| rows == columns);
        let Some(side) = side else {
            self.rest = before;
            return Err(self.error("only square boards of side 1 to 26 are possible"));
        };
        let (_, moves) = self.rest.split_once(',').unwrap_or(("", ""));
        self.rest = moves;
        Ok(side)
    }

    fn turn(&mut self, game: &mut Game) -> Result<(), HexWorldError> {
        if let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest;
            return Ok(());
        }
        const WORDS: [(&str, Word); 7] = [
            (":s", Word::Action(Move::SwapPieces)),
            (":S", Word::Action(Move::SwapSides)),
            (":p", Word::Action(Move::Pass)),
            (":rb", Word::End(Color::Blue, Ending::Resignation)),
            (":rw", Word::End(Color::Red, Ending::Resignation)),
            (":fb", Word::End(Color::Blue, Ending::Forfeit)),
            (":fw", Word::End(Color::Red, Ending::Forfeit)),
        ];
        let (word, rest) = match WORDS.iter().find(|(text, _)| self.rest.starts_with(text)) {
            Some((text, word)) => (*word, &self.rest[text.len()..]),
            None => self.cell(game.side())?,
        };
        let played: Result<(), GameError> = match word {
            Word::Action(action) => game.play(action),
            Word::End(winner, ending) => {
                game.end(Outcome { winner, ending });
                Ok(())
            }
        };
        played.map_err(|error| self.error(error.to_string()))?;
        self.rest = rest;
        Ok(())
    }

    /// The cell at the beginning of the rest, and what follows it.
    fn cell(&self, side: Side) -> Result<(Word, &'a str), HexWorldError> {
        let letters = self
            .rest
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count();
        let digits = self.rest[letters..].bytes();
        let end = letters + digits.take_while(u8::is_ascii_digit).count();
        let point = Point::parse(&self.rest[..end].to_ascii_lowercase(), side)
            .map_err(|error| self.error(error.to_string()))?;
        Ok((Word::Action(Move::Place(point)), &self.rest[end..]))
    }
}

#[derive(Clone, Copy)]
enum Word {
    Action(Move),
    /// Who won, and how.
    End(Color, Ending),
}
