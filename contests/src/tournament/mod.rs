//! `hex tournament`: plays in the championship of the course MAC 121 (IME-USP, 2016) on 14×14, with
//! one move on each line of standard output and standard input. Here are the arguments and the
//! protocol. [`table`] has the rules; [`opponent`] reads the other program's moves.

pub mod opponent;
pub mod table;

use hex_common::aside::{tell, tell_line};
use hex_common::input::standard_input;
use hex_common::options;
use hex_core::engine::game_clock::GameClock;
use hex_core::engine::threads::THREADS;
use hex_core::engine::{engine, Effort, Engine, Task};
use hex_core::record::AnyCell;
use hexbot::opening::{self, Answer, Swaps};
use hexbot::params::{OpeningBook, Params};
use opponent::Opponent;
use std::io::{BufRead, ErrorKind, Write};
use std::time::{Duration, Instant};
use table::{Table, TablePlayer, SIDE};

/// The shortest time for a game, in seconds.
const SHORTEST_CLOCK: f64 = 0.001;

/// Play in a 14×14 championship, a move a line
///
/// The program writes its moves to standard output and reads the opponent's from standard input.
///
/// A move is a row and a column from 0 to 13. White moves first and joins row 0 with row 13; black
/// joins column 0 with column 13. Black may answer the first move by repeating it (the pie rule).
/// Then the players exchange colours: the stone stays white, and the player who began now plays
/// black and is to move. If a move of the opponent is invalid, a message on standard error says so,
/// and the next move is read instead.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Begin with the white stones (b, brancas) or play second with the black ones (p, pretas)
    #[arg(value_enum)]
    seat: StartingSide,

    /// Draw the board on standard error after each move
    #[arg(value_enum)]
    draw: Option<Draw>,

    /// Time for all our moves of the game together, in seconds
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = options::seconds(SHORTEST_CLOCK..=options::DAY))]
    clock: Duration,

    /// Search this many simulations for each move, without a time limit: on one thread the moves
    /// are the same every time
    #[arg(long, value_name = "COUNT", value_parser = options::whole(options::SIMULATIONS))]
    simulations: Option<u64>,

    /// Seed of all random numbers
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,

    /// Threads that search each move together
    ///
    /// One thread plays the same moves for the same seed and simulations; several threads do not.
    #[arg(long, default_value = "1", value_name = "N", value_parser = options::whole(THREADS))]
    threads: usize,
}

/// Which side the program begins on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum StartingSide {
    /// White: moves first
    B,
    /// Black: moves second and may swap
    P,
}

/// The argument for drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Draw {
    /// Draw the board
    D,
}

/// Plays a game.
///
/// # Errors
/// If the opponent's moves end before the game does, or a move cannot be written.
pub fn run(args: Args) -> anyhow::Result<()> {
    let first = match args.seat {
        StartingSide::B => TablePlayer::Us,
        StartingSide::P => TablePlayer::Them,
    };
    let mut game = TournamentGame {
        table: Table::new(first),
        engine: ClockedEngine::new(&args)?,
        opponent: Opponent::new(standard_input()),
        draw: args.draw,
    };
    game.play(&mut std::io::stdout().lock())
}

/// A game under way.
struct TournamentGame<R> {
    table: Table,
    engine: ClockedEngine,
    opponent: Opponent<R>,
    draw: Option<Draw>,
}

impl<R: BufRead> TournamentGame<R> {
    fn play(&mut self, output: &mut impl Write) -> anyhow::Result<()> {
        loop {
            if let Some(winner) = self.table.winner() {
                tell_line(winner);
                return Ok(());
            }
            match self.table.to_move() {
                TablePlayer::Us => {
                    let point = self.engine.choose(&self.table);
                    say(output, point)?;
                    let played = self.table.play(point);
                    played.expect("the engine chooses cells that may be played");
                }
                TablePlayer::Them => self.opponent_moves()?,
            }
            if let Some(Draw::D) = self.draw {
                tell(&self.table);
            }
        }
    }

    /// Reads and plays the opponent's move. After each invalid move it reads the next one.
    fn opponent_moves(&mut self) -> anyhow::Result<()> {
        loop {
            let read = self.opponent.next_move()?;
            let Err(problem) = read.and_then(|(row, col)| self.table.play_at(row, col)) else {
                return Ok(());
            };
            tell_line(format_args!("Invalid move: {problem}. Enter another one."));
        }
    }
}

/// Writes our move. A closed pipe is an error here, because the game is unfinished. Other commands
/// end silently when their output is closed.
fn say(output: &mut impl Write, point: AnyCell) -> anyhow::Result<()> {
    let (row, col) = (point.row(), point.col());
    match writeln!(output, "{row} {col}").and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => anyhow::bail!(
            "cannot send our move {row} {col}: the opponent has ended before the end of the game"
        ),
        written => Ok(written?),
    }
}

/// Chooses our moves and keeps our clock.
struct ClockedEngine {
    engine: Engine,
    clock: GameClock,
    simulations: Option<u64>,
    threads: usize,
}

impl ClockedEngine {
    fn new(args: &Args) -> anyhow::Result<Self> {
        Ok(ClockedEngine {
            engine: engine(SIDE, &Params::default(), args.seed)?,
            clock: GameClock::new(args.clock),
            simulations: args.simulations,
            threads: args.threads,
        })
    }

    /// Our move. The cell of the first stone means a swap.
    fn choose(&mut self, table: &Table) -> AnyCell {
        let started = Instant::now();
        let effort = match self.simulations {
            Some(count) => Effort::Simulations(count),
            None => Effort::Time(self.clock.share(table.empty_cells())),
        };
        let task = Task {
            threads: self.threads,
            ..Task::new(effort)
        };
        let point = self.choose_with(table, &task);
        self.clock.spend(started.elapsed());
        point
    }

    fn choose_with(&mut self, table: &Table, task: &Task) -> AnyCell {
        let stone = table.swappable();
        let swaps = match stone {
            None if !table.is_empty() => Swaps::Off,
            _ => Swaps::Allowed,
        };
        match opening::decide(table.position(), swaps, OpeningBook::Used) {
            Some(Answer::Play(cell)) => return cell,
            Some(Answer::SwapPieces) => return stone.expect("there is a stone to swap"),
            None => {}
        }
        let analysis = self.engine.think(table.position(), task, &mut |_| {});
        analysis.expect("the game is not over").best
    }
}
