//! The questions that need no search, and their answers: views of positions, reading and saving
//! records. A question contains all that it needs, the whole game too, and nothing is kept.

use super::problem::{
    check_nodes, check_size, Problem, ProblemKind, MAX_QUESTION, MAX_RECORD, MAX_SAVED,
};
use super::variations::{self, NodeList, NodeView};
use super::view::{self, offered, read_game, View};
use crate::draw::Drawing;
use crate::record::{parse_tree, sgf, texts, GameTree, MoveGrade, Side};
use hexbot::opening;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kinds of questions that arrive as text: JSON or a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// The page's view of a game.
    Look,
    /// The game in a record of any format that `hex convert` reads; the text is the record.
    OpenRecord,
    /// A game with its variations as SGF.
    SaveSgf,
    /// A position with the numbers of its moves and its marks, as a drawing.
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
        check_size(bytes, self.most_bytes())
    }

    /// Finds the answer to a question of this kind. Takes time proportional to its length.
    ///
    /// # Errors
    /// If it is too large or does not have the form of this kind, or a game cannot be read.
    pub fn answer(self, text: Vec<u8>) -> Result<AnswerText, Problem> {
        self.check_size(text.len())?;
        let text = String::from_utf8(text).map_err(|error| {
            let why = format!("the question is not text in UTF-8: {error}");
            Problem::new(ProblemKind::Unreadable, why)
        })?;
        Ok(match self {
            QuestionKind::Look => json(&look(serde_json::from_str(&text)?)?),
            QuestionKind::OpenRecord => json(&read_record(&text)?),
            QuestionKind::SaveSgf => (TextFormat::Sgf, save_sgf(serde_json::from_str(&text)?)?),
            QuestionKind::SaveSvg => (TextFormat::Svg, save_svg(serde_json::from_str(&text)?)?),
        })
    }
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

impl TextFormat {
    /// The content type of the response.
    pub fn mime(self) -> &'static str {
        match self {
            TextFormat::Json => "application/json",
            TextFormat::Sgf => "application/x-go-sgf; charset=utf-8",
            TextFormat::Svg => "image/svg+xml",
        }
    }
}

/// An answer as it is sent.
pub type AnswerText = (TextFormat, String);

/// An answer that is data.
pub(crate) fn json(answer: &impl Serialize) -> AnswerText {
    let text = serde_json::to_string(answer).expect("answers are plain data");
    (TextFormat::Json, text)
}

/// A question about a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameQuestion {
    /// All moves, as in a HexWorld link.
    game: String,
}

/// A position to draw, with its marks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DrawingQuestion {
    /// All moves, as in a HexWorld link.
    game: String,
    /// Short texts by cell.
    #[serde(default)]
    labels: BTreeMap<String, String>,
    /// From one cell to another.
    #[serde(default)]
    arrows: Vec<[String; 2]>,
}

/// A grade of a mistake.
#[derive(Debug, Serialize)]
struct GradeView {
    /// `?!`, `?` or `??`.
    sign: &'static str,
    /// The least loss of the mover's win probability that gets this grade, 0 to 1.
    loss: f64,
}

/// The grades of mistakes, the smallest first.
pub fn grades() -> AnswerText {
    let view = |(grade, loss): (MoveGrade, f64)| GradeView {
        sign: grade.sign(),
        loss,
    };
    json(&MoveGrade::MISTAKES.map(view))
}

/// A game to save.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveQuestion {
    /// The main line, as in a HexWorld link.
    game: String,
    /// The players' names, Red's first.
    #[serde(default)]
    players: [String; 2],
    /// All variations; empty where there is the main line alone.
    #[serde(default)]
    nodes: NodeList,
}

impl SaveQuestion {
    fn tree(self) -> Result<GameTree, Problem> {
        let mut tree = if self.nodes.is_empty() {
            GameTree::of(&read_game(&self.game)?)
        } else {
            variations::tree(&self.game, &self.nodes)?
        };
        tree.players = self.players;
        Ok(tree)
    }
}

/// The view of a game.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn look(question: GameQuestion) -> Result<View, Problem> {
    Ok(View::of(&read_game(&question.game)?))
}

/// The game as SGF, with its variations.
///
/// # Errors
/// If it cannot be read.
pub fn save_sgf(question: SaveQuestion) -> Result<String, Problem> {
    Ok(sgf::write_tree(&question.tree()?))
}

/// The position with the numbers of the moves and the marks, as an SVG drawing.
///
/// # Errors
/// If the game cannot be read, or a mark is on no cell of its board.
pub(crate) fn save_svg(question: DrawingQuestion) -> Result<String, Problem> {
    let game = read_game(&question.game)?;
    let mut drawing = Drawing::new(game.position());
    for (point, number) in game.move_numbers() {
        if game.position().at(point).is_some() {
            drawing = drawing.label(point, number.to_string());
        }
    }
    let side = game.side();
    let cell = |name: &str| side.parse_cell(name).map_err(Problem::impossible);
    for (name, text) in question.labels {
        drawing = drawing.letter(cell(&name)?, text);
    }
    for [from, to] in &question.arrows {
        drawing = drawing.arrow(cell(from)?, cell(to)?);
    }
    Ok(drawing.svg())
}

/// An empty board as an SVG drawing, which the page puts stones on.
///
/// # Errors
/// If the page does not offer boards of this side.
pub(crate) fn board(side: Side) -> Result<AnswerText, Problem> {
    let svg = Drawing::new(&offered(side)?.board()).svg();
    Ok((TextFormat::Svg, svg))
}

/// How good each first move is for Red if Blue does not swap, 0 to 1, by its cell.
///
/// # Errors
/// If the page does not offer boards of this side.
pub fn openings(side: Side) -> Result<BTreeMap<String, f32>, Problem> {
    let side = offered(side)?;
    let mut values = BTreeMap::new();
    for cell in side.cells() {
        values.insert(cell.to_string(), opening::red_wins(cell, side.get()));
    }
    Ok(values)
}

/// A game read from a record.
#[derive(Debug, Serialize)]
pub struct Recorded {
    /// The main line, as the page writes games.
    game: String,
    /// The players' names, Red's first; empty where unknown.
    players: [String; 2],
    /// Who won and how, in words, if the game is decided.
    result: Option<String>,
    /// All variations, with what the record says to each move.
    nodes: Vec<NodeView>,
    /// Notes for the user about how the record was read, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// The text of each game, this one's first, if there are several; a record of one leaves it
    /// out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<String>,
}

/// Reads a record in any format that `hex convert` knows; of a file of SGF the first game.
///
/// # Errors
/// If it cannot be read, is too long, or its board is too small or too large.
pub fn read_record(text: &str) -> Result<Recorded, Problem> {
    check_size(text.len(), MAX_RECORD)?;
    let mut tree = parse_tree(text, Side::CODINGAME)
        .map_err(|error| Problem::impossible(format!("{error:#}")))?;
    offered(tree.side())?;
    check_nodes(tree.nodes().len())?;
    let game = variations::main_line(&tree);
    // The main line may be longer than the page's questions may be.
    read_game(&game)?;
    Ok(Recorded {
        game,
        players: tree.players.clone(),
        result: tree.outcome().map(view::sentence),
        nodes: variations::nodes(&tree),
        notes: std::mem::take(&mut tree.notes),
        games: several(text),
    })
}

/// The text of each game in a record that has several; of any other record nothing.
fn several(text: &str) -> Vec<String> {
    match texts(text).0.as_slice() {
        [] | [_] => Vec::new(),
        games => games.iter().map(|&game| game.to_owned()).collect(),
    }
}
