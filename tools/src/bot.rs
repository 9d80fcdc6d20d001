//! `hex bot`: the CodinGame bot as it is uploaded, with its knobs as options. It speaks CodinGame's text
//! on standard input and output; for games by other means see [`crate::arena::builtin`].

use crate::arena::builtin::Knobs;
use crate::arena::player::Limits;
use hexbot::budget::{Clock, SystemClock};
use hexbot::player::Player;
use hexbot::settings::Settings;
use hexbot::turn::{Header, Reader};
use std::io::{BufRead, Write};

/// Run the CodinGame bot with other settings than the shipped ones
///
/// It reads CodinGame's turns from standard input, writes its moves to standard output and what it thought
/// to standard error. Without options it plays as the bot that is uploaded.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Settings, as for a `builtin:` player of `hex match`
    ///
    /// For example `seed=3,simulations=20000,exploration=0.5`, or `first-ms=500,turn-ms=50` for other time
    /// limits than the judge's. A wrong name is answered with the list of all knobs.
    #[arg(long, default_value = "", hide_default_value = true, value_name = "NAME=VALUE,...", value_parser = Knobs::parse)]
    knobs: Knobs,
}

/// Plays one game.
///
/// # Errors
/// If the input does not begin with a board's side and a colour, the bot does not play on that side, or
/// nobody reads its moves.
pub fn run(args: Args) -> anyhow::Result<()> {
    let settings = args.knobs.settings(Limits::CODINGAME);
    play_on(
        Reader::new(std::io::stdin().lock()),
        &mut std::io::stdout().lock(),
        settings,
    )
}

/// Plays the game that `input` describes, on a board of the side that it says.
fn play_on(
    mut input: Reader<impl BufRead>,
    output: &mut impl Write,
    settings: Settings,
) -> anyhow::Result<()> {
    let Some(header) = input.header() else {
        anyhow::bail!("the input ends before the first line, such as \"11 red\"");
    };
    macro_rules! of {
        ($($side:literal)*) => { match header.side {
            $($side => play::<$side>(input, header, output, settings),)*
            side => anyhow::bail!("line 1: the bot plays on boards of side 2 to 19, not {side}"),
        } };
    }
    of!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
}

/// Answers turns until the input ends.
fn play<const N: usize>(
    mut input: Reader<impl BufRead>,
    header: Header,
    output: &mut impl Write,
    settings: Settings,
) -> anyhow::Result<()> {
    let clock = SystemClock::start();
    let mut player = Player::<N>::new(settings);
    eprint!("{}", player.complaint());
    while input.wait() {
        let arrival = clock.now();
        let turn = input.turn(header);
        let reply = player.reply(&turn.board, turn.unreadable, clock, arrival);
        if let Some(reply) = &reply {
            writeln!(output, "{reply}")?;
            output.flush()?;
        }
        let thought = reply.map_or(String::new(), |reply| reply.report());
        eprint!("{}{thought}", input.report());
    }
    Ok(())
}
