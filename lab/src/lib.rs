//! The subcommands of `hex lab`, which measure and train the engine. Modules are in dependency
//! order: a module imports only modules above it. A module with `Args` and a `run` is a subcommand.

// hex lab selfplay: games to train the network with.
pub mod selfplay;
// Games between engines in this process, for measurements.
mod engine_games;
// hex lab bench: speed of the search, and its signature.
pub mod bench;
// hex lab blunders: how often the bot loses a won position.
mod blunders;
// hex lab levels: the Elo differences between the levels of hex gtp.
mod levels;
// hex lab openings: the value of each first move.
pub mod openings_command;
// hex lab book: an opening book from a study.
pub mod book;
// hex lab elo: the Elo difference of two players, from pairs of games.
mod elo;

/// Measure and train the engine
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Bench(bench::Args),
    Blunders(blunders::Args),
    Levels(levels::Args),
    Openings(openings_command::Args),
    Book(book::Args),
    Elo(elo::Args),
    Selfplay(selfplay::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// Those of the subcommand.
pub fn run(args: Args) -> anyhow::Result<()> {
    match args.command {
        Command::Bench(args) => bench::run(args),
        Command::Blunders(args) => blunders::run(args),
        Command::Levels(args) => levels::run(args),
        Command::Openings(args) => openings_command::run(args),
        Command::Book(args) => book::run(args),
        Command::Elo(args) => elo::run(args),
        Command::Selfplay(args) => selfplay::run(args),
    }
}
