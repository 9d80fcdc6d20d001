//! `hex show`: draws a position, or a game move by move, as text or SVG.

use anyhow::Context;
use hex_common::diagram::Diagram;
use hex_common::options;
use hex_common::record_input::{parse_side, read_game, show_notes, SWAP_MEANINGS};
use hex_core::draw::Drawing;
use hex_core::record::codingame::turn_input;
use hex_core::record::sgf::SwapMeaning;
use hex_core::record::{counted, Ending, Game, Outcome, Side};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

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
    #[arg(long, value_name = "MEANING", value_parser = options::choice(SWAP_MEANINGS))]
    swap: Option<SwapMeaning>,

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

    /// Shade the cells of the SVG drawing in three tones, with dots on the star points
    #[arg(long, requires = "svg")]
    pattern: bool,

    /// Let the moves of the SVG drawing appear one after the other, each after this many seconds
    #[arg(long, value_name = "SECONDS", requires = "svg", value_parser = options::seconds(0.05..=60.0))]
    animate: Option<Duration>,
}

/// Reads a game and draws it.
///
/// # Errors
/// If the input is not a game, has fewer moves than `--after`, or the file cannot be written.
pub fn run(args: Args) -> anyhow::Result<()> {
    let game = read_game(args.input.as_deref(), args.side, args.swap)?;
    show_notes("show", &game.notes);
    let total = game.turns().len();
    let after = args.after.unwrap_or(total);
    anyhow::ensure!(
        after <= total,
        "--after {after}: the game has {}, give 0 to {total}",
        counted(total, "move")
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
    let style = SvgStyle {
        numbers: args.numbers,
        pattern: args.pattern,
        animate: args.animate,
    };
    let drawn = svg(&game, after, style);
    if path.as_os_str() == "-" {
        return Ok(write!(output, "{drawn}")?);
    }
    std::fs::write(&path, drawn).with_context(|| format!("cannot write {}", path.display()))
}

/// How a game is drawn as SVG.
#[derive(Clone, Copy, Debug, Default)]
pub struct SvgStyle {
    /// Whether each stone has the number of its move.
    pub numbers: bool,
    /// Whether the cells are shaded, with dots on the star points.
    pub pattern: bool,
    /// How long each position is shown before the next move; without it only the last is drawn.
    pub animate: Option<Duration>,
}

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

/// The position after `count` moves as SVG, or the moves up to it one after the other.
pub fn svg(game: &Game, count: usize, style: SvgStyle) -> String {
    let first = if style.animate.is_some() { 0 } else { count };
    let games: Vec<Game> = (first..=count).map(|count| game.after(count)).collect();
    let frames: Vec<Drawing> = games.iter().map(|game| drawing(game, style)).collect();
    let seconds = style.animate.unwrap_or_default().as_secs_f64();
    Drawing::animation(&frames, seconds)
}

fn drawing(game: &Game, style: SvgStyle) -> Drawing<'_> {
    let position = game.position();
    let mut drawing = Drawing::new(position);
    if let Some(last) = game.stone_of_turn(game.turns().len()) {
        drawing = drawing.last_move(last);
    }
    if style.pattern {
        drawing = drawing.pattern();
    }
    if style.numbers {
        for (point, number) in game.move_numbers() {
            if position.at(point).is_some() {
                drawing = drawing.label(point, number.to_string());
            }
        }
    }
    drawing
}
