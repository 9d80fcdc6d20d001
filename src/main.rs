//! The CodinGame bot: turns come in on standard input, answers go out on standard output.

use hexbot::budget::{Clock, SystemClock};
use hexbot::player::Player;
use hexbot::settings::Settings;
use hexbot::turn::{Header, Reader, SIDE};
use std::io::{self, stderr, stdin, stdout, StdinLock, Write};

fn main() {
    let (settings, warnings) = Settings::from_environment(|name| std::env::var(name).ok());
    let mut input = Reader::new(stdin().lock());
    let _ = write!(stderr(), "{warnings}");
    if let Some(header) = input.header() {
        // It fails only if the output is closed. Then nothing is left to do.
        let _ = play_game(input, header, settings);
    }
}

/// Plays one game until the input ends.
fn play_game(mut input: Reader<StdinLock>, header: Header, settings: Settings) -> io::Result<()> {
    let clock = SystemClock::start();
    #[cfg(feature = "probe")]
    let (clock, settings) = hexbot::probe::Probe::start(clock, settings);
    let mut player = Player::<SIDE>::new(settings);
    let _ = write!(stderr(), "{}", player.warning());
    while input.wait() {
        let arrival = clock.now();
        let turn = input.turn(header);
        let reply = player.reply(&turn.board, turn.unreadable, &clock, arrival);
        if let Some(reply) = &reply {
            writeln!(stdout(), "{reply}")?;
        }
        let report = reply.as_ref().map_or(String::new(), |reply| reply.report());
        let _ = write!(stderr(), "{}{report}", input.report());
        if let Some(reply) = reply {
            player.tidy_up(&turn.board, reply.answer, &clock);
        }
        #[cfg(feature = "probe")]
        let _ = write!(stderr(), "{}", clock.report());
    }
    Ok(())
}
