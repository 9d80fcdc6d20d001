//! The questions that need no search, and their answers, as types. A question contains all that it
//! needs, and nothing is kept. The transport decides where questions are sent and in what form.

use super::games::{self, DrawingQuestion, GameQuestion, GradeView, Recorded, SaveQuestion};
use super::problem::{Problem, ProblemKind};
use super::sizes::{self, MAX_QUESTION, MAX_RECORD, MAX_SAVED};
use super::view::View;
use crate::record::Side;
use serde::Serialize;
use std::collections::BTreeMap;

/// The kinds of questions that arrive as text: JSON or a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// [`PageQuestion::Look`].
    Look,
    /// [`PageQuestion::OpenRecord`]; its text is the record.
    OpenRecord,
    /// [`PageQuestion::SaveSgf`].
    SaveSgf,
    /// [`PageQuestion::SaveSvg`].
    SaveSvg,
}

impl QuestionKind {
    /// Returns true if the text is JSON.
    pub fn is_json(self) -> bool {
        self != QuestionKind::OpenRecord
    }

    /// The most bytes that a question of this kind may have.
    pub fn most_bytes(self) -> usize {
        match self {
            QuestionKind::Look | QuestionKind::SaveSvg => MAX_QUESTION,
            QuestionKind::OpenRecord => MAX_RECORD,
            QuestionKind::SaveSgf => MAX_SAVED,
        }
    }

    /// Refuses a text with more bytes. A transport can call it before the whole text has arrived.
    ///
    /// # Errors
    /// If there are more.
    pub fn check_size(self, bytes: usize) -> Result<(), Problem> {
        sizes::check(bytes, self.most_bytes())
    }
}

/// A question.
#[derive(Debug)]
pub enum PageQuestion {
    /// The page's view of a game.
    Look(GameQuestion),
    /// The game in a record of any format that `hex convert` reads.
    OpenRecord(String),
    /// A game with its variations as SGF.
    SaveSgf(SaveQuestion),
    /// A position with the numbers of its moves and its marks, as a drawing.
    SaveSvg(DrawingQuestion),
    /// An empty board, as a drawing; the page adds stones to it.
    Board(Side),
    /// The value of each first move.
    Openings(Side),
    /// The grades of mistakes.
    Grades,
}

impl PageQuestion {
    /// Reads a question of a known kind.
    ///
    /// # Errors
    /// If it is too large, or does not have the form of this kind.
    pub fn read(kind: QuestionKind, text: Vec<u8>) -> Result<PageQuestion, Problem> {
        kind.check_size(text.len())?;
        let text = String::from_utf8(text).map_err(|error| {
            let why = format!("the question is not text in UTF-8: {error}");
            Problem::new(ProblemKind::Unreadable, why)
        })?;
        Ok(match kind {
            QuestionKind::Look => PageQuestion::Look(serde_json::from_str(&text)?),
            QuestionKind::OpenRecord => PageQuestion::OpenRecord(text),
            QuestionKind::SaveSgf => PageQuestion::SaveSgf(serde_json::from_str(&text)?),
            QuestionKind::SaveSvg => PageQuestion::SaveSvg(serde_json::from_str(&text)?),
        })
    }

    /// Finds the answer. Takes time proportional to the question's length.
    ///
    /// # Errors
    /// If a game cannot be read, or the page does not offer its side.
    pub fn answer(self) -> Result<PageAnswer, Problem> {
        Ok(match self {
            PageQuestion::Look(question) => PageAnswer::View(Box::new(games::look(question)?)),
            PageQuestion::OpenRecord(text) => {
                PageAnswer::Record(Box::new(games::read_record(&text)?))
            }
            PageQuestion::SaveSgf(question) => PageAnswer::Sgf(games::save_sgf(question)?),
            PageQuestion::SaveSvg(question) => PageAnswer::Svg(games::save_svg(question)?),
            PageQuestion::Board(side) => PageAnswer::Svg(games::board(side)?),
            PageQuestion::Openings(side) => PageAnswer::Openings(games::openings(side)?),
            PageQuestion::Grades => PageAnswer::Grades(games::grades()),
        })
    }
}

/// An answer.
#[derive(Debug)]
pub enum PageAnswer {
    /// The page's view of a game.
    View(Box<View>),
    /// The game in a record.
    Record(Box<Recorded>),
    /// How good each first move is for Red if Blue does not swap, 0 to 1, by its cell.
    Openings(BTreeMap<String, f32>),
    /// The grades of mistakes, the smallest first.
    Grades(Vec<GradeView>),
    /// A record.
    Sgf(String),
    /// A drawing.
    Svg(String),
}

/// The format of an answer as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// Data for the page.
    Json,
    /// A record for people to keep.
    Sgf,
    /// A drawing.
    Svg,
}

impl PageAnswer {
    /// The answer as text, and its format. An answer may be as long as a record.
    pub fn into_text(self) -> (TextFormat, String) {
        match self {
            PageAnswer::View(view) => json(&view),
            PageAnswer::Record(record) => json(&record),
            PageAnswer::Openings(values) => json(&values),
            PageAnswer::Grades(grades) => json(&grades),
            PageAnswer::Sgf(text) => (TextFormat::Sgf, text),
            PageAnswer::Svg(text) => (TextFormat::Svg, text),
        }
    }
}

fn json(answer: &impl Serialize) -> (TextFormat, String) {
    let text = serde_json::to_string(answer).expect("answers are plain data");
    (TextFormat::Json, text)
}
