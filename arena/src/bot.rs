//! `hex bot`: the CodinGame bot as it is uploaded, with its knobs as options. It speaks CodinGame's
//! protocol on standard input and output. [`crate::builtin`] has the same bot as a player in this
//! process.

use crate::knobs::Knobs;
use crate::player::Limits;
use anyhow::{bail, ensure, Context};
use hex_common::aside::tell;
use hex_common::input::{shortened, standard_input, LimitedLines};
use hex_core::engine::{Stop, StoppableClock, SIDES};
use hex_core::record::{AnyBoard, AnyCell, Side};
use hexbot::budget::Clock;
use hexbot::cell::Color;
use hexbot::turn::{Reader, Turn};
use std::io::{BufRead, Cursor, Read, Write};

/// Run the CodinGame bot with other settings than the shipped ones
///
/// It reads CodinGame's turns from standard input, writes its moves to standard output and its
/// search results to standard error. Without options it plays like the uploaded bot.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Settings, as for a `builtin:` player of `hex match`
    ///
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "NAME=VALUE,...",
        value_parser = Knobs::parse,
        long_help = knobs_help()
    )]
    knobs: Knobs,
}

/// The help of `--knobs`, with the list of all knobs.
fn knobs_help() -> String {
    format!(
        "Settings, as for a `builtin:` player of `hex match`\n\n\
         For example `seed=3,simulations=20000,c-puct=0.5`, or `first-ms=500,turn-ms=50` for other \
         time limits than the judge's. There are:\n\n{}",
        Knobs::help()
    )
}

/// Plays one game.
///
/// # Errors
/// If the input does not begin with a board's side and a colour, the bot does not play on that
/// side, a turn was malformed (the bot answers it nevertheless), a line is too long, or the output
/// is closed.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut input = LimitedLines::new(standard_input());
    let beginning = beginning(&mut input)?;
    let played = play_on(
        Reader::new(Cursor::new(beginning).chain(&mut input)),
        &mut std::io::stdout().lock(),
        &args.knobs,
    );
    // The reader of turns takes an error for the end.
    input.check().context("cannot read standard input")?;
    played
}

/// Reads the first line that is not blank, and the next one if the colour stands there. In a
/// contest the bot accepts any beginning. Here a malformed one is a user's mistake.
fn beginning(input: &mut impl BufRead) -> anyhow::Result<Vec<u8>> {
    let (mut bytes, mut lines) = (Vec::new(), 0);
    loop {
        let read = input.read_until(b'\n', &mut bytes);
        let length = read.context("cannot read standard input")?;
        lines += usize::from(length > 0);
        let text = String::from_utf8_lossy(&bytes);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < 2 && length > 0 {
            continue;
        }
        let [side, color, ..] = words[..] else {
            bail!("the input ends before the first line, such as \"11 red\"");
        };
        // A colour on its own line must be in lower case, as the judge writes it.
        let on_one_line = text.trim().lines().count() == 1;
        let is_color = ["red", "blue"].contains(&color)
            || on_one_line && ["red", "blue"].contains(&color.to_ascii_lowercase().as_str());
        match side.parse::<usize>() {
            Ok(side) if is_color && !SIDES.contains(&side) => {
                let (least, most) = (SIDES.start(), SIDES.end());
                bail!("line {lines}: the bot plays on boards of side {least} to {most}, not {side}")
            }
            Ok(_) if is_color => return Ok(bytes),
            _ => bail!(
                "line {lines}: {:?} is not a board's side and a colour, such as \"11 red\"",
                shortened(text.trim())
            ),
        }
    }
}

/// Plays the game that `input` describes, on a board of the side that it says.
fn play_on(
    mut input: Reader<impl BufRead>,
    output: &mut impl Write,
    knobs: &Knobs,
) -> anyhow::Result<()> {
    let Some(header) = input.header() else {
        bail!("the input ends before the first line, such as \"11 red\"");
    };
    let side = Side::try_from(header.side).context("line 1")?;
    let mut bot = knobs.player(side, Limits::CODINGAME).context("line 1")?;
    let clock = StoppableClock::start(&Stop::never());
    // Unlike in a contest, a side other than 11 is no mistake here.
    tell(input.report() + &knobs.warning(side));
    let mut unreadable = false;
    while input.wait() {
        let arrival = clock.now();
        let (position, forbidden) = position(&input.turn(header), side);
        let reply = bot.reply(&position, &forbidden, &clock, arrival);
        if let Some(reply) = &reply {
            let text = format!("{} {}", reply.action, reply.summary);
            writeln!(output, "{}", text.trim_end())?;
            output.flush()?;
        }
        let analysis = reply.as_ref().map_or("", |reply| &reply.report);
        let report = input.report();
        unreadable |= !report.is_empty();
        tell(report + analysis);
        if let Some(reply) = reply {
            bot.tidy_up(&position, reply.action, &clock);
        }
    }
    ensure!(
        !unreadable,
        "not every turn could be read; the lines above show what the bot assumed instead"
    );
    Ok(())
}

/// The position of a turn, and the cells that could not be read. The reader has put the turn into
/// the corner of the largest board.
fn position(turn: &Turn<{ Side::MAX }>, side: Side) -> (AnyBoard, Vec<AnyCell>) {
    let [red, blue] = Color::ALL.map(|color| turn.board.stones(color));
    let position = AnyBoard::of_side(side.get(), red, blue, turn.board.to_move());
    // The reader also reports the cells outside the board.
    let unreadable = turn.unreadable.iter().filter(|&cell| side.contains(cell));
    (
        position.expect("a cell holds one stone"),
        unreadable.collect(),
    )
}
