//! The table of commands, with their names and arguments. The only list of commands.

mod analysis;
mod arguments;
mod general;
mod parameters;
mod play;
mod rules;
mod solve;

use super::protocol::{CommandFailure, Request};
use super::session::{Context, GtpSession};
use arguments::GtpArguments;

/// A command of the engine.
#[derive(Clone, Copy)]
pub struct GtpCommand {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, for people.
    pub(crate) usage: &'static str,
    /// The least and the largest number of arguments.
    count: (usize, usize),
    /// Its entry in HexGui's menu of analysis commands: the type of the answer, the label, and the
    /// command with wildcards. `None` for other commands.
    menu: Option<&'static str>,
    run: Handler,
}

/// What a command works with.
pub(crate) struct Call<'a, 'c> {
    pub(crate) session: &'a mut GtpSession,
    pub(crate) arguments: GtpArguments<'a>,
    pub(crate) context: &'a mut Context<'c>,
}

/// The text of a command's response.
type Reply = Result<String, CommandFailure>;

/// Carries out a command.
type Handler = fn(&mut Call) -> Reply;

/// Any number of arguments.
const ANY: usize = usize::MAX;

/// A command without an entry in HexGui's menu.
const fn plain(
    name: &'static str,
    usage: &'static str,
    count: (usize, usize),
    run: Handler,
) -> GtpCommand {
    GtpCommand {
        name,
        usage,
        count,
        menu: None,
        run,
    }
}

impl GtpCommand {
    /// The same command with an entry in HexGui's menu.
    const fn in_menu(self, menu: &'static str) -> GtpCommand {
        GtpCommand {
            menu: Some(menu),
            ..self
        }
    }
}

/// All commands, in the order of `list_commands`.
pub const COMMANDS: &[GtpCommand] = &[
    plain("protocol_version", "", (0, 0), general::protocol_version),
    plain("name", "", (0, 0), general::name),
    plain("version", "", (0, 0), general::version),
    plain("known_command", "COMMAND", (1, 1), general::known_command),
    plain("list_commands", "", (0, 0), general::list_commands),
    plain("quit", "", (0, 0), general::succeed),
    plain("boardsize", "SIDE [SIDE]", (1, 2), play::boardsize),
    plain("clear_board", "", (0, 0), play::clear_board),
    plain("play", "COLOR MOVE", (2, 2), play::play),
    plain("play-game", "[MOVE...]", (0, ANY), play::play_game),
    plain("undo", "", (0, 0), play::undo),
    plain("genmove", "COLOR", (1, 1), play::genmove),
    plain("reg_genmove", "COLOR", (1, 1), play::reg_genmove).in_menu("var/Move/reg_genmove %m"),
    plain("all_legal_moves", "[COLOR]", (0, 1), play::all_legal_moves)
        .in_menu("plist/All Legal Moves/all_legal_moves %c"),
    plain("final_score", "", (0, 0), play::final_score).in_menu("string/Final Score/final_score"),
    plain("showboard", "", (0, 0), play::showboard).in_menu("string/Show Board/showboard"),
    plain("loadsgf", "FILE [MOVES]", (1, 2), play::loadsgf),
    plain("savesgf", "FILE", (1, 1), play::savesgf),
    plain("printsgf", "", (0, 0), play::printsgf).in_menu("string/Print SGF/printsgf"),
    plain("gogui-rules_game_id", "", (0, 0), rules::game_id),
    plain("gogui-rules_board_size", "", (0, 0), rules::board_size),
    plain("gogui-rules_board", "", (0, 0), rules::board),
    plain("gogui-rules_side_to_move", "", (0, 0), rules::side_to_move),
    plain("gogui-rules_legal_moves", "", (0, 0), rules::legal_moves),
    plain("gogui-rules_final_result", "", (0, 0), rules::final_result),
    plain(
        "time_settings",
        "MAIN BYO-YOMI STONES",
        (3, 3),
        parameters::time_settings,
    ),
    plain(
        "time_left",
        "[COLOR [SECONDS [STONES]]]",
        (0, 3),
        parameters::time_left,
    ),
    plain("param_game", "[NAME VALUE]", (0, 2), parameters::param_game)
        .in_menu("param/Game Parameters/param_game"),
    plain(
        "param_hexbot",
        "[NAME VALUE]",
        (0, 2),
        parameters::param_hexbot,
    )
    .in_menu("param/Engine Parameters/param_hexbot"),
    plain(
        "set_random_seed",
        "SEED",
        (1, 1),
        parameters::set_random_seed,
    ),
    plain("gogui-interrupt", "", (0, 0), general::succeed),
    plain(
        "hexgui-analyze_commands",
        "",
        (0, 0),
        general::analyze_commands,
    ),
    plain(
        "gogui-analyze_commands",
        "",
        (0, 0),
        general::analyze_commands,
    ),
    plain("gogui-gfx-analyze", "COLOR", (1, 1), analysis::gfx_analyze)
        .in_menu("none/Analyze/gogui-gfx-analyze %m"),
    plain("hexbot-best-line", "COLOR", (1, 1), analysis::best_line)
        .in_menu("var/Best Line/hexbot-best-line %m"),
    plain("hexbot-visits", "COLOR", (1, 1), analysis::visits)
        .in_menu("pspairs/Visits/hexbot-visits %m"),
    plain("hexbot-win-rates", "COLOR", (1, 1), analysis::win_rates)
        .in_menu("pspairs/Win Rates/hexbot-win-rates %m"),
    plain("hexbot-priors", "COLOR", (1, 1), analysis::priors)
        .in_menu("pspairs/Priors/hexbot-priors %m"),
    plain(
        "hexbot-shortest-path",
        "COLOR",
        (1, 1),
        analysis::shortest_path,
    )
    .in_menu("plist/Shortest Path/hexbot-shortest-path %c"),
    plain("hexbot-distances", "COLOR", (1, 1), analysis::distances)
        .in_menu("pspairs/Distances/hexbot-distances %c"),
    plain("hexbot-search", "COLOR", (1, 1), analysis::search)
        .in_menu("string/Search/hexbot-search %m"),
    plain("hexbot-solve", "COLOR [SECONDS]", (1, 2), solve::solve)
        .in_menu("string/Solve/hexbot-solve %m"),
    plain(
        "hexbot-winning-moves",
        "COLOR [SECONDS]",
        (1, 2),
        solve::winning_moves,
    )
    .in_menu("plist/Winning Moves/hexbot-winning-moves %m"),
    plain(
        "dfpn-solve-state",
        "COLOR [SECONDS]",
        (1, 2),
        solve::solve_state,
    ),
    plain(
        "dfpn-solver-find-winning",
        "COLOR [SECONDS]",
        (1, 2),
        solve::winning_moves,
    ),
];

/// The command of this name.
pub(crate) fn find(name: &str) -> Option<&'static GtpCommand> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Carries out a request.
///
/// # Errors
/// If the command is unknown, its arguments are wrong, or it fails.
pub fn execute(
    session: &mut GtpSession,
    request: &Request,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let command =
        find(&request.name).ok_or_else(|| CommandFailure("unknown command".to_owned()))?;
    let (least, most) = command.count;
    let given = request.arguments.len();
    if !(least..=most).contains(&given) {
        return Err(CommandFailure(format!(
            "{given} arguments; use {} {}",
            command.name,
            if command.usage.is_empty() {
                "alone"
            } else {
                command.usage
            }
        )));
    }
    (command.run)(&mut Call {
        session,
        arguments: GtpArguments::new(&request.arguments),
        context,
    })
}
