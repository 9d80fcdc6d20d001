//! `hex replay`: the moves of a bot in the positions of a recorded game. The bot receives the turns
//! of the record, never its own moves. Where a move differs, the engine evaluates both.

mod report;
pub mod script;

use crate::journal::Journal;
use crate::judge;
use crate::opinion::Opinion;
use crate::player::{ArenaPlayer, Decision, Failure, Fault, Limits, TimedAnswer};
use crate::probe_report;
use crate::process;
use crate::spec::PlayerSpec;
use anyhow::{bail, Context, Result};
use hex_common::finding::Finding;
use hex_common::interruption::Interruption;
use hex_common::options;
use hex_common::patience::patience;
use hex_common::progress::Progress;
use hex_common::record_input::{parse_side, read_game, show_notes, SWAP_MEANINGS};
use hex_common::system;
use hex_core::engine::{self, SideNotPlayed, Stop};
use hex_core::record::sgf::SwapMeaning;
use hex_core::record::{Game, Move, Side};
use script::{Due, ReplayTurns};
use std::io::Write;
use std::time::Duration;

/// The exit status if moves differ from the record's.
const DIFFERENT: u8 = 1;

/// The exit status if the bot failed.
const FAILED: u8 = 3;

/// The least time to wait for an answer. Late answers are only reported, so that a debugger or a
/// slow machine does not end the replay.
const PATIENCE: Duration = Duration::from_secs(10);

/// The end of `--help`.
const EXAMPLES: &str = "\
Examples:
  hex replay lost.json --player MyBot -- ./mybot
  hex replay lost.sgf --player blue --simulations 20000 -- python3 bot.py
  hex replay lost.json --player 2 -- 'builtin:seed=3,simulations=5000'

The exit status is 0 if the bot plays every move of the record, 1 if a move differs, 2 for bad \
input, and 3 if the bot crashes, does not answer or answers with an illegal move.";

/// Show where a bot now plays other moves than in a recorded game
///
/// The bot receives the input of CodinGame's judge in that game: header, last move, rows. The
/// record continues with its own moves, not with the bot's answers. Where an answer differs, the
/// engine searches the positions after both moves and shows the bot's win probability after each.
/// The bot also plays a last turn for which the record has no move, such as one that exceeded the
/// time limit.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A record in any format that `hex show` reads, or a HexWorld link
    game: String,
    /// The bot's player: a name in the record, red or blue for the colour at the beginning, or 1 or
    /// 2 for the first or second player to move
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// Simulations for each of two moves that differ; 0 for no evaluation
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = options::whole(SIMULATIONS))]
    simulations: u64,
    /// Show all moves, not only different and late ones
    #[arg(long)]
    every: bool,
    /// Side of the board, for a list of moves
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,
    /// What a swap in SGF means where neither the next move nor the writing program shows it
    #[arg(long, value_name = "MEANING", value_parser = options::choice(SWAP_MEANINGS))]
    swap: Option<SwapMeaning>,
    /// The bot: a command with its arguments, or a player as for `hex match`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    bot: Vec<String>,
}

/// The range of `--simulations`.
const SIMULATIONS: std::ops::RangeInclusive<u64> = 0..=*options::SIMULATIONS.end();

/// The bot's answer to a turn of the record.
pub(crate) struct Replayed {
    /// The number of moves before it.
    pub(crate) ply: usize,
    /// The recorded move; `None` if the record ends here.
    pub(crate) recorded: Option<Move>,
    /// The bot's answer.
    pub(crate) answer: Decision,
    /// How long the answer took.
    pub(crate) time: Duration,
    /// The answer's time limit.
    pub(crate) limit: Duration,
    /// The bot's win probability after the recorded move and after its answer, if there are such
    /// moves; `None` if the engine did not evaluate them.
    pub(crate) opinion: Option<[Option<f64>; 2]>,
}

impl Replayed {
    /// Whether the bot's move differs from the record's.
    pub(crate) fn differs(&self) -> bool {
        self.recorded
            .is_some_and(|action| self.answer != Decision::Play(action))
    }

    /// Whether the answer was late.
    pub(crate) fn is_late(&self) -> bool {
        self.time > self.limit
    }
}

/// Runs the command.
///
/// # Errors
/// If the arguments make no sense, a signal comes, and as a [`Finding`] if the bot plays something
/// else or fails.
pub fn run(args: Args) -> Result<()> {
    let game = read_game(Some(&args.game), args.side, args.swap)?;
    show_notes("replay", &game.notes);
    let script = ReplayTurns::new(&game, &args.player).with_context(|| args.game.clone())?;
    let side = script.game.side();
    if args.simulations > 0 && !engine::SIDES.contains(&side.get()) {
        bail!(
            "{}; give --simulations 0 for no evaluation",
            SideNotPlayed(side)
        );
    }
    let spec = bot(&args.bot)?;
    let interruption = Interruption::watch()?;
    process::prepare_for_games(1)?;
    let journal = Journal::default();
    let ended = replay(&script, &spec, &args, (&interruption, &journal));
    system::reap_all();
    let (replayed, fault) = ended?;
    let mut text = report::text(&script, &spec.name, &replayed, &args.shown());
    let of_record = probe_report::of_remarks(&game);
    let of_bot = probe_report::of_stderr(&journal.errors());
    for (machine, (facts, unreadable)) in [("the record's", of_record), ("this", of_bot)] {
        let notes: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
        show_notes("replay", &notes);
        text += &report::probe(machine, &facts);
    }
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some((ply, fault)) = fault {
        let sentence = format!("{} failed at move {}: {fault}", spec.name, ply + 1);
        return Err(Finding::new(FAILED, sentence).into());
    }
    match replayed.iter().filter(|answer| answer.differs()).count() {
        0 => Ok(()),
        count => {
            let all = replayed.len();
            let sentence = format!("{count} of {all} moves differ from the record");
            Err(Finding::new(DIFFERENT, sentence).into())
        }
    }
}

impl Args {
    fn shown(&self) -> report::Shown {
        report::Shown {
            every: self.every,
            simulations: self.simulations,
        }
    }
}

/// The bot of the command line: a single word is a player as for `hex match`, several words are a
/// command with its arguments.
fn bot(words: &[String]) -> Result<PlayerSpec> {
    let text = match words {
        [player] => player.clone(),
        words => shell_words::join(words),
    };
    PlayerSpec::parse(&text, Limits::CODINGAME)
}

/// All answers, and the fault that ended the replay, with its turn.
type Ended = (Vec<Replayed>, Option<(usize, Fault)>);

/// Lets the bot answer each turn, and the engine evaluate moves that differ.
fn replay(
    script: &ReplayTurns,
    spec: &PlayerSpec,
    args: &Args,
    (interruption, journal): (&Interruption, &Journal),
) -> Result<Ended> {
    let stop = interruption.flag();
    let opinion = Opinion::new(args.simulations.max(1), Stop::by_flag(stop.clone()));
    let mut replayed: Vec<Replayed> = Vec::new();
    let mut progress = Progress::new("turns", script.due.len() as u64, 0);
    let mut bot = match spec.start(script.game.side(), stop.clone(), journal) {
        Ok(bot) => bot,
        Err(failure) => return Ok((replayed, Some((0, fault_of(failure, interruption)?)))),
    };
    for due in &script.due {
        let (first, later) = (spec.limits.first, spec.limits.turn);
        let limit = if replayed.is_empty() { first } else { later };
        let game = script.game.after(due.ply);
        let answer = match asked(bot.as_mut(), &game, limit) {
            Ok(answer) => answer,
            Err(failure) => {
                progress.finish();
                return Ok((replayed, Some((due.ply, fault_of(failure, interruption)?))));
            }
        };
        let mut turn = turn(*due, answer, limit);
        if args.simulations > 0 && turn.recorded != played(turn.answer) {
            turn.opinion = Some(opinions(&opinion, &game, &turn)?);
        }
        if let Some(interrupted) = interruption.error("the replay was interrupted") {
            return Err(interrupted.into());
        }
        progress.one_more(format!("move {}", due.ply + 1));
        replayed.push(turn);
    }
    progress.finish();
    Ok((replayed, None))
}

fn turn(due: Due, answer: TimedAnswer, limit: Duration) -> Replayed {
    Replayed {
        ply: due.ply,
        recorded: due.recorded,
        answer: answer.decision,
        time: answer.time,
        limit,
        opinion: None,
    }
}

/// The bot's legal answer to a turn.
fn asked(bot: &mut dyn ArenaPlayer, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
    let answer = bot.answer(game, limit.max(patience(PATIENCE)))?;
    judge::play_answer(&mut game.clone(), answer.decision)?;
    Ok(answer)
}

/// The fault in a failure.
fn fault_of(failure: Failure, interruption: &Interruption) -> Result<Fault> {
    match failure {
        Failure::Fault(fault) => Ok(fault),
        Failure::Stopped(stopped) => Err(stopped.error(interruption, "the replay")),
    }
}

fn played(answer: Decision) -> Option<Move> {
    match answer {
        Decision::Play(action) => Some(action),
        Decision::Resign => None,
    }
}

/// The engine's evaluation of the recorded move and of the answer.
fn opinions(opinion: &Opinion, game: &Game, turn: &Replayed) -> anyhow::Result<[Option<f64>; 2]> {
    let value = |action: Option<Move>| {
        let value = action.map(|action| opinion.of_move(game, action));
        value.transpose()
    };
    Ok([value(turn.recorded)?, value(played(turn.answer))?])
}
