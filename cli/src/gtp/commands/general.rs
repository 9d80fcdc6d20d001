//! Commands about the engine itself.

use super::arguments::GtpArguments;
use super::{find, COMMANDS};
use crate::gtp::protocol::CommandFailure;
use crate::gtp::session::{Context, GtpSession};

pub(crate) fn protocol_version(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok("2".to_owned())
}

pub(crate) fn name(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok("hexbot".to_owned())
}

pub(crate) fn version(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

pub(crate) fn known_command(
    _: &mut GtpSession,
    arguments: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok(find(arguments.text(0)).is_some().to_string())
}

pub(crate) fn list_commands(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

/// The loop in [`crate::gtp::serve`] ends after this command.
pub(crate) fn quit(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok(String::new())
}

/// Does nothing. Its success shows the controller that it may interrupt.
pub(crate) fn gogui_interrupt(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok(String::new())
}

pub(crate) fn analyze_commands(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let menu: Vec<&str> = COMMANDS.iter().filter_map(|command| command.menu).collect();
    Ok(menu.join("\n"))
}
