//! What beginners misunderstand of the judge's protocol.

use clap::ValueEnum;
use hex_core::record::Move;
use std::io::{self, Write};

/// A misunderstanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mistake {
    /// Writes debug text to standard output before its answer.
    DebugText,
    /// Answers with row and column exchanged.
    Exchanged,
    /// Reads the rows of the first turn only.
    OldBoard,
    /// Answers in upper case.
    UpperCase,
    /// Counts rows from 0.
    ZeroBased,
    /// Plays as if it had the other colour.
    OtherColor,
    /// Has a thread that never rests.
    BusyThread,
    /// Leaves its answers in a buffer until it ends.
    NoFlush,
    /// Waits for the header on every turn.
    HeaderEveryTurn,
    /// Waits for a row more than there are.
    ExtraRow,
    /// Calls a swap "swap".
    SaysSwap,
    /// Writes a message after its swap.
    SwapText,
    /// Writes an empty line after its answer.
    EmptyLine,
}

/// How many lines it reads before a turn that the judge does not send.
pub fn extra_lines_before(mistake: Option<Mistake>) -> usize {
    usize::from(mistake == Some(Mistake::HeaderEveryTurn))
}

/// The bot's standard output.
pub struct Output {
    mistake: Option<Mistake>,
    /// What is not written yet.
    kept: String,
}

impl Output {
    pub fn new(mistake: Option<Mistake>) -> Output {
        if let Some(Mistake::BusyThread) = mistake {
            std::thread::spawn(|| loop {
                std::hint::spin_loop();
            });
        }
        let kept = String::new();
        Output { mistake, kept }
    }

    /// Writes an answer, each in its own way.
    pub fn answer(&mut self, answer: Move) {
        let text = match (answer, self.mistake) {
            (Move::SwapPieces, Some(Mistake::SaysSwap)) => "swap".to_owned(),
            (Move::SwapPieces, Some(Mistake::SwapText)) => format!("{answer} thank you"),
            (Move::SwapPieces, _) => answer.to_string(),
            (_, Some(Mistake::DebugText)) => format!("thinking...\n{answer}"),
            (_, Some(Mistake::EmptyLine)) => format!("{answer}\n"),
            (_, Some(Mistake::UpperCase)) => answer.to_string().to_uppercase(),
            (Move::Place(cell), Some(Mistake::Exchanged)) => named(cell.row(), cell.col() + 1),
            (Move::Place(cell), Some(Mistake::ZeroBased)) => named(cell.col(), cell.row()),
            _ => format!("{answer} at your service"),
        };
        self.kept += &(text + "\n");
        if self.mistake != Some(Mistake::NoFlush) {
            self.end();
        }
    }

    /// Writes what is kept.
    pub fn end(&mut self) {
        print!("{}", std::mem::take(&mut self.kept));
        let _ = io::stdout().flush();
    }
}

/// The cell of a column from 0, with this number.
fn named(col: usize, number: usize) -> String {
    let letter = char::from(b'a' + col as u8);
    format!("{letter}{number}")
}
