//! `hex analyze`: finds the winner of each position in a contest file, or the number of moves that
//! each player still needs. Here are the arguments and the main loop. [`read`] reads the format,
//! [`report`] writes the answers, [`drawings`] draws them and [`count`] counts shortest paths.
//!
//! In these files X joins left and right, as Blue does, and O joins top and bottom, as Red does.

pub mod count;
pub(crate) mod drawings;
pub(crate) mod read;
pub(crate) mod report;

use anyhow::Context;
use count::{paths, PathCount};
use hex_common::input::Lines;
use hex_core::record::{AnyBoard, AnyCell};
use hexbot::cell::Color;
use hexbot::shortest_path::Distances;
use read::DataSet;
use std::io::Write;
use std::path::PathBuf;

/// The end of the help text: the contest's first sample, shortened.
const SAMPLE: &str = "\
Sample:
  1
  5
  2 2
  C2 A3
  C5 C3
is one data set: a board of side 5, X has stones on C2 and A3, O on C5 and C3. The answer
is a drawing of the board for each player, with one shortest path filled in and its
number of moves; with --json it is one line:
  {\"data_set\":1,\"side\":5,\"winner\":null,\"best_cases\":[…]}";

/// Find each player's shortest path to a win in every position
///
/// The input begins with the number of data sets. Each data set is a line with the side of the
/// board (1 to 21), a line with the numbers of stones of X and of O, a line with X's stones and a
/// line with O's stones, such as `C2 A3`. The line of a player without stones is blank. X joins
/// left and right; O joins top and bottom.
///
/// A shortest path is the fewest empty cells that join the player's edges once they are filled. The
/// opponent's moves are ignored.
#[derive(clap::Args, Debug)]
#[command(after_help = SAMPLE)]
pub struct Args {
    /// The positions; standard input if left out
    file: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

/// Analyses every position of the input.
///
/// # Errors
/// If the input is not in the format. The results of the data sets before the error have been
/// printed.
pub fn run(args: Args) -> anyhow::Result<()> {
    let options = args.options;
    let mut lines = Lines::open(args.file.as_deref())?;
    if let Some(folder) = &options.svg {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let result = analyze_all(&mut lines, &options, &mut output);
    output.flush()?;
    result
}

/// What is found and how it is printed.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Options {
    /// Also print the number of shortest paths
    ///
    /// The number counts sets of empty cells: two paths are different if they fill different empty
    /// cells.
    #[arg(long)]
    pub all: bool,

    /// Print a line with a JSON object for each data set instead of text
    #[arg(long)]
    pub json: bool,

    /// Also draw the positions into this folder, one SVG file for each path
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
}

/// Whether shortest paths are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Not counted.
    Off,
    /// Counted for both players.
    Paths,
}

/// A player as the contest names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContestPlayer {
    /// Joins left and right.
    X,
    /// Joins top and bottom.
    O,
}

impl ContestPlayer {
    /// Both, in the order of the format.
    pub(crate) const ALL: [ContestPlayer; 2] = [ContestPlayer::X, ContestPlayer::O];

    /// The colour with the same edges.
    pub const fn color(self) -> Color {
        match self {
            ContestPlayer::X => Color::Blue,
            ContestPlayer::O => Color::Red,
        }
    }

    /// The name, which is also the character for the player's stones.
    pub const fn name(self) -> &'static str {
        match self {
            ContestPlayer::X => "X",
            ContestPlayer::O => "O",
        }
    }
}

/// The result for a position.
pub enum PathVerdict {
    /// This player has joined their edges.
    Won(ContestPlayer),
    /// The shortest path of each player, in the order of [`ContestPlayer::ALL`].
    Open([BestCase; 2]),
}

/// A shortest path of one player.
pub struct BestCase {
    /// The player.
    pub player: ContestPlayer,
    /// The empty cells to fill, from the left or top edge to the right or bottom edge.
    pub path: Vec<AnyCell>,
    /// The number of shortest paths, if they have been counted.
    pub count: Option<PathCount>,
}

/// Reads, analyses and reports data sets, one after the other.
///
/// # Errors
/// If the input is not in the format, or nothing can be written.
pub fn analyze_all(
    lines: &mut Lines,
    options: &Options,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let mut reader = read::DataSetReader::new(lines);
    let total = reader.number_of_data_sets()?;
    if !options.json {
        writeln!(output, "Analyzing {total} data set(s)")?;
    }
    for number in 1..=total {
        let set = reader
            .next_data_set()
            .with_context(|| format!("data set {number} of {total}"))?;
        report_on(number, &set, options, output)?;
        // A user of a terminal or a pipe sees each result at once.
        output.flush()?;
    }
    reader.expect_end()
}

/// Analyses one data set and writes the result.
fn report_on(
    number: usize,
    set: &DataSet,
    options: &Options,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let position = position(set);
    let counting = if options.all {
        Counting::Paths
    } else {
        Counting::Off
    };
    let verdict = analyze(&position, counting);
    if options.json {
        report::write_json(output, number, set.side, &verdict)?;
    } else {
        report::write_text(output, number, &position, &verdict)?;
    }
    if let Some(folder) = &options.svg {
        drawings::write(folder, number, &position, &verdict)?;
    }
    Ok(())
}

/// The position that a data set describes.
fn position(set: &DataSet) -> AnyBoard {
    let stones = ContestPlayer::ALL.into_iter().flat_map(|player| {
        let cells = set.stones(player).iter();
        cells.map(move |&cell| (cell, player.color()))
    });
    set.side.position(stones, Color::Red)
}

/// Finds the winner or both shortest paths. The cost is O(N²), and O(N⁴) at most with counting.
pub fn analyze(position: &AnyBoard, counting: Counting) -> PathVerdict {
    let winner = position.winner();
    let winner = ContestPlayer::ALL
        .into_iter()
        .find(|player| winner == Some(player.color()));
    match winner {
        Some(winner) => PathVerdict::Won(winner),
        None => PathVerdict::Open(
            ContestPlayer::ALL.map(|player| best_case(position, player, counting)),
        ),
    }
}

fn best_case(position: &AnyBoard, player: ContestPlayer, counting: Counting) -> BestCase {
    let color = player.color();
    let distances = Distances::new(position, color);
    let missing = |cell: &AnyCell| position.at(*cell).is_none();
    let mut path: Vec<AnyCell> = distances.shortest_path().filter(missing).collect();
    path.reverse();
    BestCase {
        player,
        path,
        count: match counting {
            Counting::Paths => Some(paths(position, color)),
            Counting::Off => None,
        },
    }
}
