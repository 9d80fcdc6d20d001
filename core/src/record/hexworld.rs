//! Games as links to HexWorld's board, `https://hexworld.org/board/#11c1,a2:sf6e5`: the side and
//! drawing options, a comma, the moves without separators, a second comma, the moves after the
//! cursor.
//!
//! The reader accepts a whole link or the part after its `#`; it drops drawing options and the
//! cursor. The writer shows colours as red and blue (`c1`). It writes a pass before a stone out of
//! turn; a swap is never out of turn.
//!
//! Links to trmph.com, `http://www.trmph.com/hex/board#13,g1a7 b`, have the same form. In files a
//! letter for the winner may follow. Blue begins there and joins top and bottom, so `b` is Red
//! here.
//!
//! As an extension of ours, stones that are set up stand after the side: in `11+a1b2-c3,d4` Red has
//! a1 and b2, Blue has c3. [`write()`] turns them into moves and passes, which HexWorld
//! understands.

use super::any_board::{AnyCell, NotOnBoard, Side};
use super::game::{Ending, Game, GameError, Move, Outcome};
use super::record_error::RecordError;
use hexbot::cell::Color;
use std::fmt;

/// The part of a link before the game.
const PREFIX: &str = "https://hexworld.org/board/#";

/// How much of a malformed link an error shows, in characters.
const SHOWN: usize = 40;

/// The link to the game. If the stones that were set up win, the link cannot be read back beyond
/// that win.
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
        link += &LinkToken::Action(action).to_string();
        to_move = action.next_mover(color);
    }
    if game.outcome().is_none() && to_move != game.to_move() {
        link += ":p"; // After stones set up, either may be to move.
    }
    link + &ending_text(game.outcome())
}

/// The word for an end without a connection; empty if none is needed.
fn ending_text(outcome: Option<Outcome>) -> String {
    let token = outcome.and_then(LinkToken::ending);
    token.map_or(String::new(), |token| token.to_string())
}

/// One turn in a link, or the game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkToken {
    /// A move.
    Action(Move),
    /// The end of the game: who has won, and how.
    End(Color, Ending),
}

/// The words of a link other than cells.
const WORDS: [(&str, LinkToken); 7] = [
    (":s", LinkToken::Action(Move::SwapPieces)),
    (":S", LinkToken::Action(Move::SwapSides)),
    (":p", LinkToken::Action(Move::Pass)),
    (":rb", LinkToken::End(Color::Blue, Ending::Resignation)),
    (":rw", LinkToken::End(Color::Red, Ending::Resignation)),
    (":fb", LinkToken::End(Color::Blue, Ending::Forfeit)),
    (":fw", LinkToken::End(Color::Red, Ending::Forfeit)),
];

/// Other spellings that people use. A longer word stands before its own prefix.
const SPELLINGS: [(&str, LinkToken); 5] = [
    ("swap-pieces", LinkToken::Action(Move::SwapPieces)),
    ("swap-sides", LinkToken::Action(Move::SwapSides)),
    ("swap", LinkToken::Action(Move::SwapPieces)),
    ("SWAP", LinkToken::Action(Move::SwapPieces)),
    ("pass", LinkToken::Action(Move::Pass)),
];

impl LinkToken {
    /// The word for this outcome; `None` if the stones show it, or the record does not say how it
    /// came.
    pub fn ending(outcome: Outcome) -> Option<LinkToken> {
        match outcome.ending {
            Ending::Connection | Ending::Unstated => None,
            Ending::Resignation => Some(LinkToken::End(outcome.winner, Ending::Resignation)),
            Ending::Time | Ending::Forfeit => Some(LinkToken::End(outcome.winner, Ending::Forfeit)),
        }
    }

    /// The word or cell at the beginning of `text`, and what follows it.
    ///
    /// # Errors
    /// If there is none for a board of `side`.
    pub fn parse(text: &str, side: Side) -> Result<(LinkToken, &str), NotOnBoard> {
        let mut words = WORDS.iter().chain(&SPELLINGS);
        let word = words.find_map(|(word, token)| Some((*token, text.strip_prefix(word)?)));
        match word {
            Some(found) => Ok(found),
            None => {
                let (point, rest) = leading_cell(text, side)?;
                Ok((LinkToken::Action(Move::Place(point)), rest))
            }
        }
    }

    /// Makes the move in `game`, or ends it.
    ///
    /// # Errors
    /// If the rules forbid it; the game is then unchanged.
    pub(crate) fn play(self, game: &mut Game) -> Result<(), GameError> {
        match self {
            LinkToken::Action(action) => game.play(action),
            LinkToken::End(winner, ending) => game.try_end(Outcome { winner, ending }),
        }
    }
}

impl fmt::Display for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LinkToken::Action(Move::Place(point)) => point.fmt(f),
            token => {
                let word = WORDS.iter().find(|(_, known)| known == token);
                f.write_str(word.map_or("", |(word, _)| word))
            }
        }
    }
}

/// The cell at the beginning of `text`, and what follows it.
fn leading_cell(text: &str, side: Side) -> Result<(AnyCell, &str), NotOnBoard> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = text[letters..].bytes();
    let end = letters + digits.take_while(u8::is_ascii_digit).count();
    let point = side.parse_cell(&text[..end].to_ascii_lowercase())?;
    Ok((point, &text[end..]))
}

/// Stones that are set up, as a link has them after the side: `+a1b2-c3`; empty without stones.
pub fn setup_text(setup: &[(AnyCell, Color)]) -> String {
    let stones = |sign: char, color: Color| {
        let own = setup.iter().filter(|stone| stone.1 == color);
        let cells: String = own.map(|(point, _)| point.to_string()).collect();
        if cells.is_empty() {
            cells
        } else {
            format!("{sign}{cells}")
        }
    };
    stones('+', Color::Red) + &stones('-', Color::Blue)
}

/// The old and new hosts of HexWorld's board, and trmph.com.
const HOSTS: [&str; 3] = ["hexworld.org/", "hexanna1.github.io/", TRMPH];

/// The board of trmph.com, as its links name it.
const TRMPH: &str = "trmph.com/hex/board#";

/// Words behind the moves of a link to trmph.com, and the winner that they name. Files have
/// letters; older ones have numbers.
const TRMPH_WINNERS: [(&str, Color); 4] = [
    ("b", Color::Red),
    ("r", Color::Blue),
    ("1", Color::Red),
    ("2", Color::Blue),
];

/// Whether the text is a link to the board of HexWorld or trmph.com, or the part of one from its
/// `#` on.
pub fn is_link(text: &str) -> bool {
    text.starts_with('#') || HOSTS.iter().any(|host| text.contains(host))
}

/// The game that a link contains.
///
/// ```
/// let game = hex_core::record::hexworld::parse("https://hexworld.org/board/#11,c2:sf6").unwrap();
/// assert_eq!(game.turns().len(), 3);
/// assert_eq!(game.side().get(), 11);
/// ```
///
/// # Errors
/// If the text is not such a link, or a move in it cannot be played.
pub fn parse(link: &str) -> Result<Game, RecordError> {
    // Some programs percent-encode links.
    let decoded = link
        .replace("%2C", ",")
        .replace("%2c", ",")
        .replace("%3A", ":")
        .replace("%3a", ":");
    let text = decoded.trim();
    let text = text.split_once('#').map_or(text, |(_, game)| game);
    let (text, winner) = match text.split_once(char::is_whitespace) {
        Some((moves, winner)) if link.contains(TRMPH) => (moves, winner.trim()),
        _ => (text, ""),
    };
    let mut reader = Reader { link, rest: text };
    let side = reader.side()?;
    let mut game = Game::new(side);
    reader.set_up(&mut game)?;
    while !reader.rest.is_empty() {
        reader.turn(&mut game)?;
    }
    if !winner.is_empty() {
        reader.rest = winner;
        reader.winner(&mut game)?;
    }
    Ok(game)
}

struct Reader<'a> {
    link: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn error(&self, why: impl fmt::Display) -> RecordError {
        let [link, rest] =
            [self.link, self.rest].map(|text| text.chars().take(SHOWN).collect::<String>());
        RecordError::new(format!("{link:?}, from {rest:?}: {why}"))
    }

    /// The number at the beginning of the rest, if there is one.
    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest[..digits].parse().ok()?;
        self.rest = &self.rest[digits..];
        Some(number)
    }

    /// The side, up to the options.
    fn side(&mut self) -> Result<Side, RecordError> {
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
        Ok(side)
    }

    /// The stones set up, past the options and the comma after them.
    fn set_up(&mut self, game: &mut Game) -> Result<(), RecordError> {
        let (head, moves) = self.rest.split_once(',').unwrap_or((self.rest, ""));
        let (options, mut stones) = head.split_at(head.find(['+', '-']).unwrap_or(head.len()));
        if !options.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            // Any text that begins with a number is taken for a link, also a list of moves.
            return Err(self.error(
                "only options such as r9c1 or stones such as +a1-b2 may stand between the side and \
                 the comma; if this is a list of moves, remove the number at its beginning",
            ));
        }
        let mut color = Color::Red;
        while !stones.is_empty() {
            self.rest = stones;
            if let Some(rest) = stones.strip_prefix(['+', '-']) {
                color = if stones.starts_with('+') {
                    Color::Red
                } else {
                    Color::Blue
                };
                stones = rest;
                continue;
            }
            let (point, rest) =
                leading_cell(stones, game.side()).map_err(|error| self.error(error))?;
            let placed = game.set_up(point, color);
            placed.map_err(|error| self.error(error))?;
            stones = rest;
        }
        self.rest = moves;
        Ok(())
    }

    fn turn(&mut self, game: &mut Game) -> Result<(), RecordError> {
        if let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest;
            return Ok(());
        }
        let (token, rest) =
            LinkToken::parse(self.rest, game.side()).map_err(|error| self.error(error))?;
        if let (LinkToken::End(..), Some(outcome)) = (token, game.outcome()) {
            let winner = outcome.winner;
            let note =
                format!("{token} after the game's end is left out: {winner} has won already");
            game.notes.push(note);
            self.rest = rest;
            return Ok(());
        }
        token.play(game).map_err(|error| self.error(error))?;
        self.rest = rest;
        Ok(())
    }

    /// The word for the winner behind a link to trmph.com.
    fn winner(&self, game: &mut Game) -> Result<(), RecordError> {
        let named = TRMPH_WINNERS.iter().find(|(word, _)| *word == self.rest);
        let Some(&(_, winner)) = named else {
            return Err(self.error(
                "only the winner may follow the moves: b, the player who begins, or r, the other",
            ));
        };
        game.end_as_stated(Outcome {
            winner,
            ending: Ending::Unstated,
        });
        let note = "trmph.com's Blue moves first and is Red here";
        game.notes.push(note.to_owned());
        Ok(())
    }
}
