//! The command `hex`. This file has only the list of subcommands and the handling of errors.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hex_arena::{bot, check, match_command, referee, repertoire, replay, review, soak, tune};
use hex_cli::{completions, convert, grouped_help, gtp, manual, show, solve_command};
use hex_common::aside::tell_line;
use hex_common::finding::Finding;
use hex_common::system;
use hex_contests as contests;
use hex_lab as lab;
use hex_web as web;
use std::process::ExitCode;

/// Tools around hexbot, a Hex bot for CodinGame.
#[derive(Parser)]
#[command(name = "hex", version, about, long_about = None)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Match(match_command::Args),
    Tune(tune::Args),
    Soak(soak::Args),
    Referee(referee::Args),
    Check(check::Args),
    Review(review::Args),
    Replay(replay::Args),
    Openings(repertoire::Args),
    Bot(bot::Args),
    Gtp(gtp::Args),
    Web(web::Args),
    Solve(solve_command::Args),
    Show(show::Args),
    Convert(convert::Args),
    Tournament(contests::tournament::Args),
    Analyze(contests::analyze::Args),
    Duel(contests::duel::Args),
    ConnectFour(contests::connect_four::Args),
    Lab(lab::Args),
    Completions(completions::Args),
    Man(manual::Args),
}

/// The headings of `hex --help`, each with the command below it.
const HEADINGS: [(&str, &str); 6] = [
    ("match", "Bot against bot"),
    ("check", "A bot on CodinGame"),
    ("bot", "The bot"),
    ("solve", "Positions and records"),
    ("tournament", "Contests and courses"),
    ("lab", "More"),
];

/// The exit status after bad input.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    if let Some(code) = system::run_if_keeper() {
        return code;
    }
    let result = match parsed().command {
        Command::Match(args) => match_command::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Soak(args) => soak::run(args),
        Command::Referee(args) => referee::run(args),
        Command::Check(args) => check::run(args),
        Command::Review(args) => review::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Openings(args) => repertoire::run(args),
        Command::Bot(args) => bot::run(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Web(args) => web::run(args),
        Command::Solve(args) => solve_command::run(args),
        Command::Show(args) => show::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Tournament(args) => contests::tournament::run(args),
        Command::Analyze(args) => contests::analyze::run(args),
        Command::Duel(args) => contests::duel::run(args),
        Command::ConnectFour(args) => contests::connect_four::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Completions(args) => completions::run(args, command()),
        Command::Man(args) => manual::run(args, command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell_line(format_args!("hex: {error:#}"));
            ExitCode::from(exit_status(&error))
        }
    }
}

/// The exit status of a command that ended with this error.
fn exit_status(error: &anyhow::Error) -> u8 {
    let finding = error.downcast_ref().map(Finding::exit_status);
    finding.unwrap_or(BAD_INPUT)
}

/// The arguments of the command line. Ends the program if they are wrong.
fn parsed() -> Arguments {
    let words = referee::normalized(std::env::args_os());
    let matches = command().get_matches_from(words);
    Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The command with all its subcommands.
pub(crate) fn command() -> clap::Command {
    let command = reading_negative_numbers(Arguments::command());
    grouped_help::with_headings(command, &HEADINGS)
}

/// The command and its subcommands, where a negative number after an option is its value, not
/// another option. So the error shows the option's range.
fn reading_negative_numbers(command: clap::Command) -> clap::Command {
    let with_own = command.mut_args(|argument| {
        let is_option = !argument.is_positional() && argument.get_action().takes_values();
        if is_option && !argument.is_allow_hyphen_values_set() {
            argument.allow_negative_numbers(true)
        } else {
            argument
        }
    });
    with_own.mut_subcommands(reading_negative_numbers)
}

/// Returns true if the reader of our output has closed it, as in `hex analyze … | head`, which is
/// no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = std::io::ErrorKind::BrokenPipe;
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == broken)
}
