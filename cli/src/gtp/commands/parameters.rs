//! Commands that set clocks and parameters. Without arguments, `param_…` commands list their values
//! for a dialog of GoGui and HexGui, one line each: `[type] name value`.

use super::arguments::GtpArguments;
use super::{Call, Reply};
use crate::gtp::game::{name, SwapRule};
use crate::gtp::protocol::CommandFailure;
use crate::gtp::time_control::TimeControl;
use clap::ValueEnum;
use hex_common::options;
use hex_core::engine::threads::THREADS;
use hex_core::engine::Effort;
use hexbot::cell::Color;

/// GTP's absolute time, byo-yomi and Canadian byo-yomi.
pub(crate) fn time_settings(call: &mut Call) -> Reply {
    let main = call.arguments.seconds(0)?;
    let byo_yomi = call.arguments.seconds(1)?;
    let stones: u32 = call.arguments.parse(2, "a number of stones")?;
    call.session
        .set_time_control(TimeControl::of_gtp(main, byo_yomi, stones));
    Ok(String::new())
}

pub(crate) fn time_left(call: &mut Call) -> Reply {
    let left = |color| match call.session.time_left(color) {
        Some(time) => format!("{:.1}", time.as_secs_f64()),
        None => "unlimited".to_owned(),
    };
    match call.arguments.count() {
        0 => {
            let both = Color::ALL.map(|color| format!("{}: {}", name(color), left(color)));
            Ok(both.join(", "))
        }
        1 => Ok(left(call.arguments.color(0)?)),
        _ => {
            let color = call.arguments.color(0)?;
            let time = call.arguments.seconds(1)?;
            if call.arguments.count() == 3 {
                // We use the time for all remaining moves, and only check the number of stones.
                call.arguments.parse::<u32>(2, "a number of stones")?;
            }
            call.session.set_clock(color, time);
            Ok(String::new())
        }
    }
}

pub(crate) fn param_game(call: &mut Call) -> Reply {
    if call.arguments.count() == 0 {
        let allowed = u8::from(call.session.swap_action().is_some());
        let rule = options::word(&call.session.settings.swap);
        let time = call.session.time_control().total().as_secs_f64();
        return Ok(format!(
            "[bool] allow_swap {allowed}\n\
             [list/pieces/sides/off] swap_rule {rule}\n\
             [string] game_time {time}"
        ));
    }
    match name_and_value(&call.arguments)? {
        "allow_swap" => {
            call.session.allows_swaps = call.arguments.truth(1)?;
            if call.session.allows_swaps && call.session.settings.swap == SwapRule::Off {
                call.session.settings.swap = SwapRule::Pieces;
            }
        }
        "swap_rule" => {
            call.session.settings.swap = choice(&call.arguments, "pieces, sides or off")?
        }
        "game_time" => {
            let total = call.arguments.seconds(1)?;
            call.session.set_time_control(TimeControl::of_game(total));
        }
        _ => {
            return Err(call
                .arguments
                .wrong(0, "allow_swap, swap_rule or game_time"))
        }
    }
    Ok(String::new())
}

pub(crate) fn param_hexbot(call: &mut Call) -> Reply {
    let settings = &mut call.session.settings;
    if call.arguments.count() == 0 {
        let (time, simulations) = match settings.effort {
            Effort::Time(time) => (time.as_secs_f64(), 0),
            Effort::Simulations(count) => (0.0, count),
        };
        return Ok(format!(
            "[list/1/2/3/4/5/6/7/8/9/10] level {}\n\
             [string] time {time}\n\
             [string] simulations {simulations}\n\
             [bool] live_graphics {}\n\
             [string] threads {}\n\
             [bool] ponder {}",
            settings.level,
            u8::from(settings.live),
            settings.threads,
            u8::from(settings.ponder),
        ));
    }
    match name_and_value(&call.arguments)? {
        "level" => settings.level = call.arguments.parse(1, "a level from 1 to 10")?,
        "time" => {
            let time = call
                .arguments
                .option(1, options::seconds(options::THINKING_SECONDS))?;
            settings.effort = Effort::Time(time);
        }
        "simulations" => {
            let count = call
                .arguments
                .option(1, options::whole(options::SIMULATIONS))?;
            settings.effort = Effort::Simulations(count);
        }
        "live_graphics" => settings.live = call.arguments.truth(1)?,
        "threads" => settings.threads = call.arguments.option(1, options::whole(THREADS))?,
        "ponder" => settings.ponder = call.arguments.truth(1)?,
        _ => {
            let names = "level, time, simulations, live_graphics, threads or ponder";
            return Err(call.arguments.wrong(0, names));
        }
    }
    Ok(String::new())
}

pub(crate) fn set_random_seed(call: &mut Call) -> Reply {
    call.session
        .set_seed(call.arguments.parse(0, "a whole number, 0 or more")?)?;
    Ok(String::new())
}

/// The parameter's name, if a value follows it.
fn name_and_value<'a>(arguments: &GtpArguments<'a>) -> Result<&'a str, CommandFailure> {
    match arguments.count() {
        2 => Ok(arguments.text(0)),
        _ => Err(CommandFailure(
            "give a parameter's name and its value".to_owned(),
        )),
    }
}

/// A value given by its word.
fn choice<T: ValueEnum>(arguments: &GtpArguments, what: &str) -> Result<T, CommandFailure> {
    T::from_str(arguments.text(1), false).map_err(|_| arguments.wrong(1, what))
}
