//! Commands about the engine itself.

use super::arguments::Arguments;
use super::{find, COMMANDS};
use crate::gtp::protocol::Failure;
use crate::gtp::session::{Context, Session};

pub fn protocol_version(
    _: &mut Session,
    _: &Arguments,
    _: &mut Context,
) -> Result<String, Failure> {
    Ok("2".to_owned())
}

pub fn name(_: &mut Session, _: &Arguments, _: &mut Context) -> Result<String, Failure> {
    Ok("hexbot".to_owned())
}

pub fn version(_: &mut Session, _: &Arguments, _: &mut Context) -> Result<String, Failure> {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

pub fn known_command(
    _: &mut Session,
    arguments: &Arguments,
    _: &mut Context,
) -> Result<String, Failure> {
    Ok(find(arguments.text(0)).is_some().to_string())
}

pub fn list_commands(_: &mut Session, _: &Arguments, _: &mut Context) -> Result<String, Failure> {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

/// The end itself is the business of the loop that reads commands.
pub fn quit(_: &mut Session, _: &Arguments, _: &mut Context) -> Result<String, Failure> {
    Ok(String::new())
}

/// Does nothing: that it succeeds tells the controller that it may interrupt.
pub fn gogui_interrupt(_: &mut Session, _: &Arguments, _: &mut Context) -> Result<String, Failure> {
    Ok(String::new())
}

pub fn analyze_commands(
    _: &mut Session,
    _: &Arguments,
    _: &mut Context,
) -> Result<String, Failure> {
    let menu: Vec<&str> = COMMANDS.iter().filter_map(|command| command.menu).collect();
    Ok(menu.join("\n"))
}
