//! Games in SGF, `FF[4]` with `GM[11]` (<https://www.red-bean.com/sgf/hex.html>): Black is Red.
//!
//! Reading follows the first variation everywhere, knows SZ, PB, PW, RE, AB, AW, B, W and C, and
//! lets other properties pass. Writing gives one line a move.

use super::game::{Ending, Game, Move, Outcome};
use super::side::{Point, Side};
use hexbot::cell::Color;
use std::fmt::Write;
use thiserror::Error;

/// The text is not a game of Hex in SGF.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {why}")]
pub struct SgfError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub why: String,
}

/// The game as SGF.
pub fn write(game: &Game) -> String {
    let mut out = format!(
        "(;FF[4]GM[11]AP[hexbot:{}]SZ[{}]",
        env!("CARGO_PKG_VERSION"),
        game.side()
    );
    for (property, name) in ["PB", "PW"].iter().zip(&game.players) {
        if !name.is_empty() {
            let _ = write!(out, "{property}[{}]", escaped(name));
        }
    }
    if let Some(outcome) = game.outcome() {
        let _ = write!(out, "RE[{}]", result_text(outcome));
    }
    for (color, property) in [(Color::Red, "AB"), (Color::Blue, "AW")] {
        let stones = game.setup().iter().filter(|stone| stone.1 == color);
        for (number, (point, _)) in stones.enumerate() {
            let _ = write!(out, "{}[{point}]", if number == 0 { property } else { "" });
        }
    }
    for turn in game.turns() {
        let _ = write!(out, "\n;{}[{}]", letter(turn.color), turn.action);
        if !turn.comment.is_empty() {
            let _ = write!(out, "C[{}]", escaped(&turn.comment));
        }
    }
    if let Some(outcome) = game.outcome() {
        let word = match outcome.ending {
            Ending::Resignation => "resign",
            Ending::Time | Ending::Forfeit => "forfeit",
            Ending::Connection | Ending::Unstated => "",
        };
        if !word.is_empty() {
            let _ = write!(out, "\n;{}[{word}]", letter(outcome.winner.opponent()));
        }
    }
    out + ")\n"
}

/// The first game in `text`.
///
/// # Errors
/// If it is not SGF, not Hex, or not a legal game; the place is that of the offending value.
pub fn parse(text: &str) -> Result<Game, SgfError> {
    let properties = Scanner::new(text).main_line()?;
    let mut game = Game::new(side(&properties)?);
    let mut ending = Ends::default();
    for property in &properties {
        apply(&mut game, &mut ending, property)?;
    }
    if let Some(outcome) = ending.stated.or(ending.played) {
        game.end(outcome);
    }
    Ok(game)
}

/// How the record says that the game ended.
#[derive(Default)]
struct Ends {
    /// By the property RE.
    stated: Option<Outcome>,
    /// By a move such as `B[resign]`.
    played: Option<Outcome>,
}

/// A property with one of its values.
struct Property {
    name: String,
    value: String,
    /// Where the value begins.
    at: Place,
}

#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn error(self, why: impl Into<String>) -> SgfError {
        SgfError {
            line: self.line,
            column: self.column,
            why: why.into(),
        }
    }
}

/// The board's side; the game must be Hex.
fn side(properties: &[Property]) -> Result<Side, SgfError> {
    let mut side = Side::CODINGAME;
    for property in properties {
        let value = property.value.trim();
        match property.name.as_str() {
            "GM" if value != "11" => {
                let why = format!("GM[{value}] is another game, Hex is GM[11]");
                return Err(property.at.error(why));
            }
            "SZ" => {
                let number = match value.split_once(':') {
                    Some((columns, rows)) if columns.trim() != rows.trim() => None,
                    Some((columns, _)) => columns.trim().parse().ok(),
                    None => value.parse::<usize>().ok(),
                };
                let side_or = number.and_then(|number| Side::try_from(number).ok());
                side = side_or.ok_or_else(|| {
                    let why =
                        format!("SZ[{value}]: only square boards of side 1 to 26 are possible");
                    property.at.error(why)
                })?;
            }
            _ => {}
        }
    }
    Ok(side)
}

fn apply(game: &mut Game, ends: &mut Ends, property: &Property) -> Result<(), SgfError> {
    let value = property.value.as_str();
    match property.name.as_str() {
        "PB" => game.players[Color::Red.index()] = value.to_string(),
        "PW" => game.players[Color::Blue.index()] = value.to_string(),
        "RE" => ends.stated = parse_result(value),
        "C" => game.remark(value),
        "AB" => set_up(game, Color::Red, property)?,
        "AW" => set_up(game, Color::Blue, property)?,
        "B" => play(game, ends, Color::Red, property)?,
        "W" => play(game, ends, Color::Blue, property)?,
        _ => {}
    }
    Ok(())
}

fn set_up(game: &mut Game, color: Color, property: &Property) -> Result<(), SgfError> {
    let text = property.value.trim().to_ascii_lowercase();
    let point = Point::parse(&text, game.side());
    let point = point.map_err(|error| property.at.error(error.to_string()))?;
    game.set_up(point, color)
        .map_err(|error| property.at.error(error.to_string()))
}

fn play(
    game: &mut Game,
    ends: &mut Ends,
    color: Color,
    property: &Property,
) -> Result<(), SgfError> {
    let text = property.value.trim().to_ascii_lowercase();
    let ending = match text.as_str() {
        "resign" => Some(Ending::Resignation),
        "forfeit" => Some(Ending::Forfeit),
        _ => None,
    };
    if let Some(ending) = ending {
        let winner = color.opponent();
        ends.played = Some(Outcome { winner, ending });
        return Ok(());
    }
    let action = Move::parse(&text, game.side());
    let action = action.map_err(|error| property.at.error(error.to_string()))?;
    game.play_as(color, action)
        .map_err(|error| property.at.error(error.to_string()))
}

fn letter(color: Color) -> char {
    match color {
        Color::Red => 'B',
        Color::Blue => 'W',
    }
}

fn result_text(outcome: Outcome) -> String {
    let how = match outcome.ending {
        Ending::Connection | Ending::Unstated => "",
        Ending::Resignation => "R",
        Ending::Time => "T",
        Ending::Forfeit => "F",
    };
    format!("{}+{how}", letter(outcome.winner))
}

/// `B+`, `W+R`, `B+Time` and so on; `None` for draws, unknown results and anything else.
fn parse_result(text: &str) -> Option<Outcome> {
    let (who, how) = text.trim().split_once('+')?;
    let winner = match who {
        "B" | "b" => Color::Red,
        "W" | "w" => Color::Blue,
        _ => return None,
    };
    let ending = match how.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some('R') => Ending::Resignation,
        Some('T') => Ending::Time,
        Some('F') => Ending::Forfeit,
        _ => Ending::Unstated,
    };
    Some(Outcome { winner, ending })
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Cuts the text into properties.
struct Scanner<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        Scanner {
            chars: text.chars().peekable(),
            place: Place { line: 1, column: 1 },
        }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.chars.next()?;
        if next == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    fn next_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let &next = self.chars.peek()?;
        wanted(next).then(|| self.next()).flatten()
    }

    fn skip_blanks(&mut self) {
        while self.next_if(char::is_whitespace).is_some() {}
    }

    /// The properties from the first opening parenthesis to the first closing one: always the
    /// first variation.
    fn main_line(mut self) -> Result<Vec<Property>, SgfError> {
        while self.next_if(|c| c != '(').is_some() {}
        if self.next().is_none() {
            let why = "there is no game; SGF begins with \"(;\"";
            return Err(self.place.error(why));
        }
        let mut properties = Vec::new();
        loop {
            self.skip_blanks();
            let place = self.place;
            match self.next() {
                None => return Err(place.error("the game does not end; \")\" is missing")),
                Some(')') => return Ok(properties),
                Some('(' | ';') => {}
                Some(first) if first.is_ascii_alphabetic() => {
                    self.property(first, &mut properties)?
                }
                Some(other) => {
                    let why = format!("{other:?} is not expected here, but a property or \";\"");
                    return Err(place.error(why));
                }
            }
        }
    }

    /// A property's name, of which `first` has been read, and all its values.
    fn property(&mut self, first: char, into: &mut Vec<Property>) -> Result<(), SgfError> {
        let mut name = String::from(first);
        while let Some(letter) = self.next_if(|c| c.is_ascii_alphabetic()) {
            name.push(letter);
        }
        // Older files write the names in full, with the letters that count in capitals.
        name.retain(|letter| letter.is_ascii_uppercase());
        self.skip_blanks();
        let place = self.place;
        if self.next_if(|c| c == '[').is_none() {
            return Err(place.error(format!("{name} has no value; \"[\" is missing")));
        }
        loop {
            let at = self.place;
            let value = self.value(at)?;
            into.push(Property {
                name: name.clone(),
                value,
                at,
            });
            self.skip_blanks();
            if self.next_if(|c| c == '[').is_none() {
                return Ok(());
            }
        }
    }

    /// The text up to the closing bracket, without its escapes.
    fn value(&mut self, begin: Place) -> Result<String, SgfError> {
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(begin.error("the value does not end; \"]\" is missing")),
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    Some('\n') | None => {}
                    Some(escaped) => value.push(escaped),
                },
                Some(other) => value.push(other),
            }
        }
    }
}
