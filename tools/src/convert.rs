//! `hex convert`: records of games from one format into another.

use crate::record::{hexworld, move_list, sgf, Ending, Game, Outcome, Side};
use crate::record_input::{parse_side, read_game, show_notes};
use anyhow::ensure;
use std::io::Write;

/// Convert a game between SGF, HexWorld links and lists of moves
///
/// The format that is read is recognised: SGF begins with a parenthesis, HexWorld games are links
/// (or what follows their `#`), drawings are rows of `.`, `r` and `b`, and all else is a list of
/// moves such as `a2 swap-pieces f6`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file, or a HexWorld link itself or what follows its `#`; standard input if left out
    input: Option<String>,

    /// The format to write
    #[arg(long, value_enum)]
    to: ConvertFormat,

    /// Side of the board, for a list of moves
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ConvertFormat {
    /// Smart Game Format: version 4, game 11
    Sgf,
    /// A link to HexWorld's board
    Hexworld,
    /// The moves on one line, without the side of the board
    Moves,
}

/// Reads a game and prints it in the format asked for.
///
/// # Errors
/// If the input is not a game, or the format cannot express it.
pub fn run(args: Args) -> anyhow::Result<()> {
    let game = read_game(args.input.as_deref(), args.side)?;
    show_notes("convert", &game.notes);
    let written = write(&game, args.to)?;
    Ok(std::io::stdout().write_all(written.as_bytes())?)
}

/// The game in a format, with a line break at the end.
///
/// # Errors
/// If the format cannot express the game: a list of moves has neither stones that are set up nor
/// moves out of turn, and without a move it would be nothing.
pub fn write(game: &Game, target: ConvertFormat) -> anyhow::Result<String> {
    match target {
        ConvertFormat::Sgf => Ok(sgf::write(game)),
        ConvertFormat::Hexworld => Ok(hexworld::write(game) + "\n"),
        ConvertFormat::Moves => {
            let moves = move_list::write(game);
            ensure!(
                !moves.is_empty(),
                "a list of moves cannot express a game without any; use --to sgf or --to hexworld"
            );
            let read_again = move_list::parse(&moves, game.side()).ok();
            ensure!(
                read_again.is_some_and(|again| same_course(&again, game)),
                "a list of moves cannot express stones that are set up, moves out of turn, or that \
                 somebody resigned who was not to move; use --to sgf or --to hexworld"
            );
            Ok(moves + "\n")
        }
    }
}

/// Returns true if both games go through the same moves by the same colours from the same
/// beginning, and the same player resigned in both or nobody did.
fn same_course(a: &Game, b: &Game) -> bool {
    let course = |game: &Game| -> Vec<_> {
        let turns = game.turns().iter();
        turns.map(|turn| (turn.color, turn.action)).collect()
    };
    let resignation = |game: &Game| {
        let resigned = |outcome: &Outcome| outcome.ending == Ending::Resignation;
        game.outcome().filter(resigned)
    };
    a.setup() == b.setup() && course(a) == course(b) && resignation(a) == resignation(b)
}
