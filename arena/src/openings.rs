//! Openings: the moves of a game before the players take over.
//!
//! A forced first move must not be swapped, but CodinGame's protocol cannot forbid a swap. So a
//! forced first stone comes with its swap: after `c2 swap-pieces` Blue has a stone on b3 and Red is
//! to move, and no further swap is possible. By symmetry (mirror the board, exchange the colours)
//! this equals Red's c2 with Blue to move.

use anyhow::{anyhow, bail, ensure};
use hex_common::fnv;
use hex_common::input;
use hex_common::seeds::generator;
use hex_core::record::{move_list, Game, Move, Side};
use hexbot::cell::Color;
use rand::Rng;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// The sides of boards for games between programs. Side 1 has only one move.
pub(crate) const GAME_SIDES: RangeInclusive<usize> = 2..=Side::MAX;

/// First moves on 11×11 that leave a nearly even game, a line each.
const BALANCED_11: &str = include_str!("balanced-11.txt");

/// The source of a match's openings, as on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningMode {
    /// No forced moves: the bots choose the first move and the swap.
    Own,
    /// Every cell as the forced first move, without a swap.
    All,
    /// Forced first moves that leave a nearly even game, without a swap.
    Balanced,
    /// This many random moves. After two or more no swap is possible.
    Random(usize),
    /// The lines of a file, each a list of moves.
    File(PathBuf),
}

impl FromStr for OpeningMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.split_once(':')) {
            ("own", _) => Ok(OpeningMode::Own),
            ("all", _) => Ok(OpeningMode::All),
            ("balanced", _) => Ok(OpeningMode::Balanced),
            (_, Some(("random", plies))) => match plies.parse() {
                Ok(plies) if (1..=20).contains(&plies) => Ok(OpeningMode::Random(plies)),
                _ => Err(format!("{plies:?} is not a number of moves from 1 to 20")),
            },
            (_, Some(("file", path))) => Ok(OpeningMode::File(path.into())),
            _ => Err("choose own, all, balanced, random:PLIES or file:PATH".to_string()),
        }
    }
}

impl fmt::Display for OpeningMode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OpeningMode::Own => f.write_str("own"),
            OpeningMode::All => f.write_str("all"),
            OpeningMode::Balanced => f.write_str("balanced"),
            OpeningMode::Random(plies) => write!(f, "random:{plies}"),
            OpeningMode::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

/// The openings of a match. The same seed gives the same openings in the same order.
#[derive(Clone, Debug)]
pub struct Openings {
    side: Side,
    seed: u64,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// Used in a random order, shuffled again after each full pass.
    Listed(Vec<Vec<Move>>),
    Random(usize),
}

impl Openings {
    /// The openings of `mode`.
    ///
    /// # Errors
    /// If a file cannot be read or has a bad line, or the mode does not suit the board.
    pub fn new(mode: &OpeningMode, side: Side, seed: u64) -> anyhow::Result<Self> {
        let forced = |point| vec![Move::Place(point), Move::SwapPieces];
        let source = match mode {
            OpeningMode::Own => Source::Listed(vec![Vec::new()]),
            OpeningMode::All => Source::Listed(side.cells().map(forced).collect()),
            OpeningMode::Balanced if side != Side::CODINGAME => {
                bail!(
                    "balanced openings are known for side 11 only, not {side}; use --openings all or \
                     random:2"
                )
            }
            OpeningMode::Balanced => Source::Listed(parse(BALANCED_11, "balanced-11.txt", side)?),
            // A win needs at least as many stones as the board has rows.
            OpeningMode::Random(plies) if plies.div_ceil(2) >= side.get() => {
                let most = 2 * (side.get() - 1);
                bail!("{plies} random moves could decide a game on side {side}; use 1 to {most}")
            }
            OpeningMode::Random(plies) => Source::Random(*plies),
            OpeningMode::File(path) => {
                let text = input::read_text(path)
                    .map_err(|error| anyhow!("{}: {error}", path.display()))?;
                Source::Listed(parse(&text, &path.display().to_string(), side)?)
            }
        };
        Ok(Openings { side, seed, source })
    }

    /// The board's side.
    pub(crate) fn side(&self) -> Side {
        self.side
    }

    /// The seed that orders or draws them.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// How many different ones there are; `None` if they are random.
    pub fn count(&self) -> Option<usize> {
        match &self.source {
            Source::Listed(list) => Some(list.len()),
            Source::Random(_) => None,
        }
    }

    /// The mode, with a digest of the openings of a file, because files may change. It has to be
    /// equal for a run to be resumed.
    pub(crate) fn identity(&self, mode: &OpeningMode) -> String {
        match (mode, &self.source) {
            (OpeningMode::File(_), Source::Listed(list)) => {
                format!(
                    "{mode} ({} openings, digest {:016x})",
                    list.len(),
                    digest(list)
                )
            }
            _ => mode.to_string(),
        }
    }

    /// The opening of round `round`, as a game.
    pub fn game(&self, round: u64) -> Game {
        let moves = match &self.source {
            Source::Listed(list) => {
                let (lap, place) = (round / list.len() as u64, round % list.len() as u64);
                let order = shuffled(list.len(), &mut generator(self.seed, lap));
                list[order[place as usize]].clone()
            }
            Source::Random(plies) => {
                let points: Vec<_> = self.side.cells().collect();
                let order = shuffled(points.len(), &mut generator(self.seed, round));
                let chosen = order[..*plies].iter();
                chosen.map(|&index| Move::Place(points[index])).collect()
            }
        };
        Game::from_moves(self.side, moves).expect("every opening has been checked")
    }
}

/// The hash of the openings' text.
fn digest(openings: &[Vec<Move>]) -> u64 {
    let lines = openings.iter().map(|moves| {
        let words: Vec<String> = moves.iter().map(Move::to_string).collect();
        words.join(" ") + "\n"
    });
    lines.fold(fnv::OFFSET_BASIS, |digest, line| {
        fnv::extended(digest, line.as_bytes())
    })
}

/// 0 to `count` in random order (Fisher and Yates).
pub(crate) fn shuffled(count: usize, rng: &mut impl Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (rng.next_u64() % (last as u64 + 1)) as usize);
    }
    order
}

/// Reads openings, one a line, with the words of a move list. Ignores empty lines and comments
/// after `#`. A single cell is a forced first move and gets its swap.
fn parse(text: &str, place: &str, side: Side) -> anyhow::Result<Vec<Vec<Move>>> {
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words = move_list::words(line.split('#').next().unwrap_or(""));
        let fail = |why: String| anyhow!("{place}, line {}: {why}", number + 1);
        let mut moves = words
            .map(|word| Move::parse(&word, side).map_err(|error| fail(error.to_string())))
            .collect::<Result<Vec<_>, _>>()?;
        match moves[..] {
            [] => continue,
            [Move::Place(_)] => moves.push(Move::SwapPieces),
            _ => {}
        }
        let game = Game::from_moves(side, moves.iter().copied())
            .map_err(|(number, error)| fail(format!("move {number}: {error}")))?;
        if game.outcome().is_some() {
            return Err(fail("the opening decides the game".to_string()));
        }
        let unusual = |turn: &&hex_core::record::PlayedMove| {
            matches!(turn.action, Move::SwapSides | Move::Pass)
                || (turn.action == Move::SwapPieces && turn.color == Color::Red)
        };
        if let Some(turn) = game.turns().iter().find(unusual) {
            return Err(fail(format!(
                "{} is not a move of CodinGame's game",
                turn.action
            )));
        }
        openings.push(moves);
    }
    ensure!(
        !openings.is_empty(),
        "{place} contains no opening; write one a line, such as \"c2 swap-pieces\""
    );
    Ok(openings)
}
