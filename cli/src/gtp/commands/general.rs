//! Commands about the engine itself.

use super::{find, Call, Reply, COMMANDS};

pub(crate) fn protocol_version(_: &mut Call) -> Reply {
    Ok("2".to_owned())
}

pub(crate) fn name(_: &mut Call) -> Reply {
    Ok("hexbot".to_owned())
}

pub(crate) fn version(_: &mut Call) -> Reply {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

pub(crate) fn known_command(call: &mut Call) -> Reply {
    Ok(find(call.arguments.text(0)).is_some().to_string())
}

pub(crate) fn list_commands(_: &mut Call) -> Reply {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

/// Does nothing. The loop in [`crate::gtp::serve`] ends after `quit`, and the success of
/// `gogui-interrupt` shows the controller that it may interrupt.
pub(crate) fn succeed(_: &mut Call) -> Reply {
    Ok(String::new())
}

pub(crate) fn analyze_commands(_: &mut Call) -> Reply {
    let menu: Vec<&str> = COMMANDS.iter().filter_map(|command| command.menu).collect();
    Ok(menu.join("\n"))
}
