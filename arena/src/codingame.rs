//! A bot that speaks CodinGame's protocol for Hex: it receives the board every turn, and answers
//! with a cell or `swap-pieces`. [`ANSWER_FORMS`] lists how answers may be written.

use super::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, TimedAnswer};
use super::process::BotProcess;
use hex_common::system::ProcessId;
use hex_core::record::codingame::turn_input;
use hex_core::record::{Game, Move, Side};
use std::time::Duration;

/// A player for one game that speaks CodinGame's protocol.
pub(crate) struct CodinGamePlayer {
    process: BotProcess,
    /// Whether the line before a player's first turn is still to be sent.
    is_header_due: bool,
}

impl CodinGamePlayer {
    /// The player of this process.
    pub(crate) fn new(process: BotProcess) -> Self {
        CodinGamePlayer {
            process,
            is_header_due: true,
        }
    }
}

impl ArenaPlayer for CodinGamePlayer {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        self.process.drain();
        let mut question = String::new();
        if std::mem::take(&mut self.is_header_due) {
            question += &turn_input::header(game);
        }
        question += &turn_input::turn(game);
        let line = self.process.ask(&question, limit)?;
        let (action, message) = parse_answer(&line.text, game.side())?;
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

/// What the site does with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnSite {
    /// It plays the move.
    Accepted,
    /// The bot loses the game.
    Refused,
    /// Nobody has told. It is refused here, because a bot that relies on it may lose every game.
    Unknown,
}

/// A way to write an answer.
pub struct AnswerForm {
    /// Examples on a board of side 11, without the end of the line.
    pub examples: &'static [&'static str],
    /// What the site does.
    pub on_site: OnSite,
    /// The rule, for people. `{last}` stands for the last cell of the board.
    pub rule: &'static str,
    fits: fn(&str, Side) -> bool,
}

/// The answers that the site accepts and refuses: the first form that fits decides.
///
/// The statement has the cell, its message, `swap-pieces` and lower case. Ends of lines are those
/// of the site's public runner. Of blanks neither says anything.
pub const ANSWER_FORMS: [AnswerForm; 18] = [
    AnswerForm {
        examples: &["f6", "k11"],
        on_site: OnSite::Accepted,
        rule: "a cell",
        fits: |line, side| is_cell(line, side),
    },
    AnswerForm {
        examples: &["f6 text", "f6 more text ", "f6  text"],
        on_site: OnSite::Accepted,
        rule: "a cell, a blank and a message",
        fits: |line, side| {
            let parts = line.split_once(' ').filter(|_| !line.contains('\r'));
            parts.is_some_and(|(cell, text)| is_cell(cell, side) && !text.trim().is_empty())
        },
    },
    AnswerForm {
        examples: &["swap-pieces"],
        on_site: OnSite::Accepted,
        rule: "a swap, by Blue on turn 2",
        fits: |line, _| line == SWAP,
    },
    AnswerForm {
        examples: &["", " "],
        on_site: OnSite::Refused,
        rule: "an empty line is an answer, too",
        fits: |line, _| line.trim().is_empty(),
    },
    AnswerForm {
        examples: &["f6\rg7", "\rf6"],
        on_site: OnSite::Refused,
        rule: "a carriage return ends the line, and what follows answers the next turn",
        fits: |line, side| line.contains('\r') && is_answer(first_word(line), side),
    },
    AnswerForm {
        examples: &["swap-pieces text", "swap-pieces "],
        on_site: OnSite::Unknown,
        rule: "nothing may stand behind `swap-pieces`",
        fits: |line, _| line.starts_with(SWAP) && first_word(line) == SWAP,
    },
    AnswerForm {
        examples: &[" f6", "\tf6", " swap-pieces"],
        on_site: OnSite::Unknown,
        rule: "no blank may stand before the move",
        fits: |line, side| line.trim_start() != line && is_answer(first_word(line), side),
    },
    AnswerForm {
        examples: &["f6 ", "f6\t"],
        on_site: OnSite::Unknown,
        rule: "no blank may stand behind the cell without a message",
        fits: |line, side| is_cell(line.trim_end(), side),
    },
    AnswerForm {
        examples: &["f6\ttext"],
        on_site: OnSite::Unknown,
        rule: "a blank has to stand between the cell and the message",
        fits: |line, side| is_cell(first_word(line), side),
    },
    AnswerForm {
        examples: &["F6", "F6 text", "Swap-Pieces"],
        on_site: OnSite::Unknown,
        rule: "letters are always lower case",
        fits: |line, side| is_answer(&first_word(line).to_lowercase(), side),
    },
    AnswerForm {
        examples: &["swap", "Swap", "swap text", "swap_pieces", "swap-sides"],
        on_site: OnSite::Refused,
        rule: "the site knows only `swap-pieces`",
        fits: |line, _| first_word(line).to_lowercase().starts_with("swap"),
    },
    AnswerForm {
        examples: &["pass", "resign"],
        on_site: OnSite::Refused,
        rule: "the game has neither passes nor resignations",
        fits: |line, _| ["pass", "resign"].contains(&&*first_word(line).to_lowercase()),
    },
    AnswerForm {
        examples: &["a0", "F0"],
        on_site: OnSite::Refused,
        rule: "rows count from 1",
        fits: |line, _| row_of(first_word(line)) == Some("0"),
    },
    AnswerForm {
        examples: &["f06"],
        on_site: OnSite::Unknown,
        rule: "a row has no zero before it",
        fits: |line, _| row_of(first_word(line)).is_some_and(|row| row.starts_with('0')),
    },
    AnswerForm {
        examples: &["l1", "a12", "z9 text"],
        on_site: OnSite::Refused,
        rule: "the board has the cells a1 to {last}",
        fits: |line, _| row_of(first_word(line)).is_some(),
    },
    AnswerForm {
        examples: &["f6,", "(f6)", "\"f6\"", "f-6", "f 6", "f, 6"],
        on_site: OnSite::Refused,
        rule: "a cell is a letter and a number, and nothing else",
        fits: |line, _| {
            let kept: String = line.chars().filter(|c| c.is_alphanumeric()).collect();
            row_of(&kept).is_some()
        },
    },
    AnswerForm {
        examples: &["5 5", "5,5", "(5, 5)", "6f", "60"],
        on_site: OnSite::Refused,
        rule: "a cell is the letter of the column and the number of the row, such as `f6`",
        fits: |line, _| {
            let mut kept = line.chars().filter(|c| c.is_alphanumeric());
            kept.next().is_some_and(|c| c.is_ascii_digit()) && kept.count() < 4
        },
    },
    AnswerForm {
        examples: &["Debug: depth 3", "thinking", "None"],
        on_site: OnSite::Refused,
        rule: "every line on standard output is an answer; debug text belongs on standard error",
        fits: |_, _| true,
    },
];

/// The only word for a swap.
const SWAP: &str = "swap-pieces";

/// How much of a refused answer is repeated, in characters.
const SHOWN: usize = 30;

/// Reads an answer as the site does: the move, and the message after it. `line` has no end of a
/// line. Whether the move is legal is for [`judge::play_answer`](super::judge::play_answer).
///
/// # Errors
/// If the site refuses it, or may refuse it, in the words of [`ANSWER_FORMS`].
pub fn parse_answer(line: &str, side: Side) -> Result<(Move, String), Fault> {
    let form = ANSWER_FORMS.iter().find(|form| (form.fits)(line, side));
    let form = form.expect("the last one fits every line");
    let (word, message) = line.split_once(' ').unwrap_or((line, ""));
    if let (OnSite::Accepted, Ok(action)) = (form.on_site, Move::parse(word, side)) {
        return Ok((action, message.trim().to_owned()));
    }
    let last = side.cells().last().expect("a board has cells");
    let rule = form.rule.replace("{last}", &last.to_string());
    let shown: String = line.chars().take(SHOWN).collect();
    // Terminals would obey control characters.
    let shown = shown.replace(char::is_control, "\u{fffd}");
    let doubt = match form.on_site {
        OnSite::Unknown => " (the site may accept it; nobody has told)",
        OnSite::Accepted | OnSite::Refused => "",
    };
    let detail = format!("answered `{shown}`; {rule}{doubt}");
    Err(Fault::new(FaultKind::Illegal, detail).with_line(line))
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn is_cell(word: &str, side: Side) -> bool {
    let cell = side.parse_cell(word);
    // Zeros before the row are read, too.
    cell.is_ok_and(|cell| cell.to_string() == word)
}

fn is_answer(word: &str, side: Side) -> bool {
    word == SWAP || is_cell(word, side)
}

/// The number in a word that is a letter and a number, such as a cell.
fn row_of(word: &str) -> Option<&str> {
    let row = word.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
    let is_number = !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(row)
}
