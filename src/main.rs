//! The CodinGame bot: turns come in on standard input, answers go out on standard output.

use hexbot::budget::{Clock, SystemClock};
use hexbot::player::Player;
use hexbot::settings::Settings;
use hexbot::turn::{Header, Reader};
use std::io::{stderr, stdin, stdout, Result, StdinLock, Write};

type Input = Reader<StdinLock<'static>>;

fn main() {
    let (settings, complaints) = Settings::from_environment(|name| std::env::var(name).ok());
    let mut input = Reader::new(stdin().lock());
    let _ = write!(stderr(), "{complaints}");
    if let Some(header) = input.header() {
        // It fails when nobody reads the answers any more; then there is nothing left to do.
        let _ = game(header.side)(input, header, settings);
    }
}

/// The game for a board of this side; the one for 11 if this build does not have that side.
fn game(side: usize) -> fn(Input, Header, Settings) -> Result<()> {
    macro_rules! of {
        ($($side:literal)*) => { match side { $($side => play::<$side>,)* _ => play::<11> } };
    }
    #[cfg(feature = "all-sizes")]
    return of!(2 3 4 5 6 7 8 9 10 12 13 14 15 16 17 18 19);
    #[cfg(not(feature = "all-sizes"))]
    return of!();
}

/// Plays one game until the input ends.
fn play<const N: usize>(mut input: Input, header: Header, settings: Settings) -> Result<()> {
    let clock = SystemClock::start();
    let mut player = Player::<N>::new(settings);
    let _ = write!(stderr(), "{}", player.complaint());
    while input.wait() {
        let arrival = clock.now();
        let turn = input.turn(header);
        let reply = player.reply(&turn.board, turn.unreadable, clock, arrival);
        if let Some(reply) = &reply {
            writeln!(stdout(), "{reply}")?;
        }
        let thought = reply.map_or(String::new(), |reply| reply.report());
        let _ = write!(stderr(), "{}{thought}", input.report());
    }
    Ok(())
}
