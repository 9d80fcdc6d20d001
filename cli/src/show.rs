//! `hex show`: draws a position, or a game move by move, as text or SVG.

use anyhow::Context;
use hex_common::diagram::Diagram;
use hex_common::options;
use hex_common::record_input::{parse_side, read_game, show_notes, UndecidedSwap};
use hex_core::draw::Drawing;
use hex_core::record::codingame::turn_input;
use hex_core::record::{Ending, Game, Outcome, Side};
use std::io::Write;
use std::path::PathBuf;

/// Draw a position or a game, as text or SVG
///
/// Reads the formats of `hex convert`. Marks the stone of the last move.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file, a HexWorld link or the part after its `#`; standard input if left out
    input: Option<String>,

    /// Side of the board, for a list of moves
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// The meaning of a swap in SGF if neither the next move nor the writing program shows it
    #[arg(long, value_enum, value_name = "MEANING")]
    swap: Option<UndecidedSwap>,

    /// Draw the position after this many moves instead of the last one
    #[arg(long, value_name = "MOVES", value_parser = options::whole(options::MOVES))]
    after: Option<usize>,

    /// Draw the position after every move
    #[arg(long, conflicts_with_all = ["after", "svg"])]
    every: bool,

    /// Print the input of CodinGame's judge for the player to move: header, last move, rows
    #[arg(long, conflicts_with_all = ["every", "svg"])]
    turn_input: bool,

    /// Write an SVG file instead of text; `-` is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the number of its move on every stone of the SVG drawing
    #[arg(long, requires = "svg")]
    numbers: bool,
}

/// Reads a game and draws it.
///
/// # Errors
/// If the input is not a game, has fewer moves than `--after`, or the file cannot be written.
pub fn run(args: Args) -> anyhow::Result<()> {
    let game = read_game(args.input.as_deref(), args.side, args.swap.map(Into::into))?;
    show_notes("show", &game.notes);
    let total = game.turns().len();
    let after = args.after.unwrap_or(total);
    anyhow::ensure!(
        after <= total,
        "--after {after}: the game has {total} moves, give 0 to {total}"
    );
    let mut output = std::io::stdout().lock();
    if args.turn_input {
        let earlier = game.after(after);
        return Ok(write!(output, "{}", turn_input::write(&earlier))?);
    }
    if args.every {
        for count in 0..=total {
            write!(output, "{}", text(&game, count))?;
        }
        return Ok(());
    }
    let Some(path) = args.svg else {
        return Ok(write!(output, "{}", text(&game, after))?);
    };
    let drawn = svg(&game, after, args.numbers.then_some(Numbers));
    if path.as_os_str() == "-" {
        return Ok(write!(output, "{drawn}")?);
    }
    std::fs::write(&path, drawn).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the number of its move on each stone.
#[derive(Clone, Copy, Debug)]
pub struct Numbers;

/// The position after `count` moves as text, under a line that names the move, if there was one.
pub fn text(game: &Game, count: usize) -> String {
    let position = game.position_after(count);
    let diagram = Diagram::new(&position).with_last_move(game.stone_of_turn(count));
    let title = match count.checked_sub(1).map(|last| &game.turns()[last]) {
        Some(turn) => format!("Move {count}: {} {}\n", turn.color, turn.action),
        None => String::new(),
    };
    let outcome = game.outcome().filter(|_| count == game.turns().len());
    let end = outcome.map_or(String::new(), |outcome| format!("{}\n", end_text(outcome)));
    format!("{title}{diagram}{end}")
}

fn end_text(outcome: Outcome) -> String {
    let how = match outcome.ending {
        Ending::Connection | Ending::Unstated => "",
        Ending::Resignation => " by resignation",
        Ending::Time => " on time",
        Ending::Forfeit => " by forfeit",
    };
    format!("{} has won{how}", outcome.winner)
}

/// The position after `count` moves as SVG.
pub fn svg(game: &Game, count: usize, numbers: Option<Numbers>) -> String {
    let position = game.position_after(count);
    let mut drawing = Drawing::new(&position);
    if let Some(last) = game.stone_of_turn(count) {
        drawing = drawing.last_move(last);
    }
    if let Some(Numbers) = numbers {
        for (point, number) in game.after(count).move_numbers() {
            if position.at(point).is_some() {
                drawing = drawing.label(point, number.to_string());
            }
        }
    }
    drawing.svg()
}
