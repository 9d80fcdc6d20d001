//! The CodinGame bot: turns come in on standard input, answers go out on standard output.

use hexbot::budget::{Clock, SystemClock};
use hexbot::player::Player;
use hexbot::settings::Settings;
use hexbot::turn::{Header, Reader};
use std::io::{stdin, stdout, StdinLock, Write};

type Input = Reader<StdinLock<'static>>;

fn main() {
    let clock = SystemClock::start();
    let (settings, complaints) = Settings::from_environment(|name| std::env::var(name).ok());
    let mut input = Reader::new(stdin().lock());
    complaints
        .iter()
        .for_each(|complaint| eprintln!("{complaint}"));
    if let Some(header) = input.header() {
        game(header.side)(input, header, settings, clock);
    }
}

/// The game for a board of this side; the one for 11 if this build does not have that side.
fn game(side: usize) -> fn(Input, Header, Settings, SystemClock) {
    macro_rules! of {
        ($($side:literal)*) => { match side { $($side => play::<$side>,)* _ => play::<11> } };
    }
    #[cfg(feature = "all-sizes")]
    return of!(2 3 4 5 6 7 8 9 10 12 13 14 15 16 17 18 19);
    #[cfg(not(feature = "all-sizes"))]
    return of!();
}

/// Plays one game until the input ends, or nobody reads the answers any more.
fn play<const N: usize>(mut input: Input, header: Header, settings: Settings, clock: SystemClock) {
    let mut player = Player::<N>::new(settings);
    while input.wait() {
        let arrival = clock.now();
        let turn = input.turn(header);
        let reply = player.reply(&turn.board, turn.unreadable, clock, arrival);
        let written = reply
            .as_ref()
            .map_or(Ok(()), |reply| writeln!(stdout(), "{reply}"));
        eprint!(
            "{}{}",
            input.report(),
            reply.map_or(String::new(), |reply| reply.report())
        );
        if written.is_err() {
            return;
        }
    }
}
