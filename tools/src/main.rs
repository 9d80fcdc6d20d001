//! The command `hex`: everything that people run beside the bot, a subcommand a module.
//! This file knows the list of subcommands and how errors end; nothing else.

use clap::{Parser, Subcommand};
use hex_tools::{
    analyze, bench, connect_four, convert, duel, gtp, levels, match_command, openings_command,
    referee, show, tournament,
};
use std::process::ExitCode;

/// Tools around hexbot, a Hex bot for CodinGame.
#[derive(Parser)]
#[command(name = "hex", version, about, long_about = None, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Match(match_command::Args),
    Referee(referee::Args),
    Analyze(analyze::Args),
    Bench(bench::Args),
    Duel(duel::Args),
    ConnectFour(connect_four::Args),
    Gtp(gtp::Args),
    Convert(convert::Args),
    Show(show::Args),
    Tournament(tournament::Args),
    Levels(levels::Args),
    Openings(openings_command::Args),
}

fn main() -> ExitCode {
    let result = match Arguments::parse_from(referee::normalized(std::env::args_os())).command {
        Command::Match(args) => match_command::run(args),
        Command::Referee(args) => referee::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Duel(args) => duel::run(args),
        Command::ConnectFour(args) => connect_four::run(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Show(args) => show::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Levels(args) => levels::run(args),
        Command::Openings(args) => openings_command::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hex: {error:#}");
            ExitCode::from(2)
        }
    }
}
