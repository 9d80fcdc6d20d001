//! Single turns for the bot: the examples of the statement, what it does after its answer, and
//! input that is unusual but possible.

use super::conversation::{plain, Answered, Conversation, Moves, Writing, OWN};
use super::list::Mark;
use super::{processes, silence, CheckRun};
use crate::noise::NoiseWatch;
use crate::player::{Failure, Fault, FaultKind};
use hex_core::record::Side;
use std::time::{Duration, Instant};

/// How long to wait for a second line after an answer. [`BotProcess`](crate::process::BotProcess)
/// adds half a second.
const SECOND_LINE: Duration = Duration::from_millis(20);

/// How often an example is tried if a stall of the machine decides it.
const TRIES: u32 = 3;

/// A bot that uses more of a core than this while its opponent thinks gets a note.
const BUSY: f64 = 0.5;

/// An example of the statement: its name and the moves before the bot's turn. [`OWN`] is the bot's
/// own first move, which may differ from the statement's a2.
struct Example {
    name: &'static str,
    moves: Moves,
}

const EXAMPLES: [Example; 4] = [
    Example {
        name: "Red, turn 1",
        moves: &[],
    },
    Example {
        name: "Red, after d4",
        moves: &[OWN, "d4"],
    },
    Example {
        name: "Red, after a swap",
        moves: &[OWN, "swap-pieces"],
    },
    Example {
        name: "Blue, after d5",
        moves: &["d5"],
    },
];

/// An unusual way to write the judge's lines. The judge does not write this way, so a bot that
/// cannot read it gets a note.
struct Oddity {
    name: &'static str,
    write: Writing,
}

const ODDITIES: [Oddity; 3] = [
    Oddity {
        name: "lines end with CR LF",
        write: |text| text.replace('\n', "\r\n"),
    },
    Oddity {
        name: "blanks at line ends",
        write: |text| text.replace('\n', "  \n"),
    },
    Oddity {
        // The judge sends 11; the statement's sample of a row has 13.
        name: "rows of 13 cells",
        write: with_two_more_cells,
    },
];

/// The lines with two more empty cells in each row.
fn with_two_more_cells(text: &str) -> String {
    let is_row = |line: &&str| line.split(' ').count() == Side::CODINGAME.get();
    let lines = text.lines().map(|line| {
        let added = if is_row(&line) { " . ." } else { "" };
        format!("{line}{added}\n")
    });
    lines.collect()
}

/// Sends the statement's examples to the bot, each to a new process, and checks what the bot does
/// after its answer. Returns true if the bot passes, so that games make sense.
///
/// # Errors
/// If the check was interrupted, or the output is closed.
pub(crate) fn try_examples(run: &mut CheckRun) -> anyhow::Result<bool> {
    let watch = NoiseWatch::start()?;
    let mut first_move_fails = false;
    let mut all_pass = true;
    for example in &EXAMPLES {
        if first_move_fails && example.moves.contains(&OWN) {
            continue;
        }
        let (mark, found) = match answer_fairly(run, example, &watch) {
            Ok(answer) => (Mark::Good, said(&answer)),
            Err(Failure::Fault(fault)) => (Mark::Bad, run.named(&fault)?),
            Err(Failure::Stopped(why)) => return run.stopped(why).map(|()| false),
        };
        first_move_fails |= mark == Mark::Bad && example.moves.is_empty();
        all_pass &= mark == Mark::Good;
        let name = format!("example: {}", example.name);
        run.list.add(mark, &name, &found)?;
    }
    watch.finish();
    if !first_move_fails {
        all_pass &= try_rest(run)?;
    }
    Ok(all_pass)
}

fn said(answer: &Answered) -> String {
    format!(
        "{} in {:.1} ms",
        answer.action,
        answer.time.as_secs_f64() * 1e3
    )
}

/// The bot's answer to an example, asked again if it was late because the machine stalled. The
/// fault of a silent bot says why it is silent.
fn answer_fairly(
    run: &CheckRun,
    example: &Example,
    watch: &NoiseWatch,
) -> Result<Answered, Failure> {
    let mut tries = 1;
    loop {
        let mut bot = Conversation::start(run)?;
        let answer = bot
            .play(run, example.moves, usize::MAX, plain)
            .and_then(|()| bot.turn(run, plain));
        let stalled = |late| watch.stall_beside(late).is_some();
        match answer {
            Err(Failure::Fault(fault)) if is_unexplained(run, &fault) => {
                let why = silence::reason(run, example.moves, bot, &fault)?;
                return Err(Fault::new(FaultKind::Silence, why).into());
            }
            Err(_) if tries < TRIES && bot.late.is_some_and(stalled) => tries += 1,
            answer => return answer,
        }
    }
}

/// Whether the bot is silent and nothing is known of the reason.
fn is_unexplained(run: &CheckRun, fault: &Fault) -> bool {
    // A line without an end is the reason.
    fault.kind == FaultKind::Silence && fault.line.is_none() && !run.list.knows(FaultKind::Silence)
}

/// Sends turns that are written in unusual ways, each to a new process.
///
/// # Errors
/// As [`try_examples`].
pub(crate) fn try_odd_input(run: &mut CheckRun) -> anyhow::Result<()> {
    for oddity in &ODDITIES {
        let (mark, found) = match answers_to(run, oddity.write) {
            Ok(moves) => (Mark::Good, moves),
            Err(Failure::Fault(fault)) => {
                let found = format!("{}; the judge does not write so", fault.kind);
                (Mark::Note, found)
            }
            Err(Failure::Stopped(why)) => return run.stopped(why),
        };
        run.list.add(mark, oddity.name, &found)?;
    }
    Ok(())
}

/// The bot's first two moves as Red, if its input is written by `write`.
fn answers_to(run: &CheckRun, write: Writing) -> Result<String, Failure> {
    let mut bot = Conversation::start(run)?;
    let first = bot.turn(run, write)?.action;
    bot.reply("f6");
    let second = bot.turn(run, write)?.action;
    Ok(format!("{first}, {second}"))
}

/// Checks what the bot does after its answers. It has to write one line a turn: a second one would
/// count as its answer to the next turn. And it should rest.
fn try_rest(run: &mut CheckRun) -> anyhow::Result<bool> {
    let (mark, found, share) = match rest(run) {
        Ok(Rest { line: None, share }) => {
            (Mark::Good, "nothing follows the answer".to_owned(), share)
        }
        Ok(Rest {
            line: Some(line),
            share,
        }) => {
            let why = format!("after its answer the bot writes {line:?}, the next turn's answer");
            (Mark::Bad, why, share)
        }
        Err(Failure::Fault(fault)) => (Mark::Bad, run.named(&fault)?, None),
        Err(Failure::Stopped(why)) => return run.stopped(why).map(|()| false),
    };
    run.list.add(mark, "one line a turn", &found)?;
    if let Some(share) = share {
        let name = "rests between turns";
        if share > BUSY {
            let found = format!(
                "uses {:.0} % of a core after its answer: end threads and searches with the \
                 answer, the judge has one core",
                share * 100.0
            );
            run.list.add(Mark::Note, name, &found)?;
        } else {
            run.list.add(Mark::Good, name, "yes")?;
        }
    }
    Ok(mark == Mark::Good)
}

/// What the bot does after its answers.
struct Rest {
    /// A line after the answer.
    line: Option<String>,
    /// The share of a core that it uses; `None` if the system does not report it.
    share: Option<f64>,
}

/// Watches the bot after its first two answers; again if one was late, which the examples and the
/// games judge.
fn rest(run: &CheckRun) -> Result<Rest, Failure> {
    for _ in 1..TRIES {
        match rest_once(run) {
            Err(Failure::Fault(fault)) if fault.kind == FaultKind::Timeout => {}
            watched => return watched,
        }
    }
    rest_once(run)
}

fn rest_once(run: &CheckRun) -> Result<Rest, Failure> {
    let mut bot = Conversation::start(run)?;
    bot.turn(run, plain)?;
    let process = bot.bot.running.id();
    let used = || process.and_then(processes::busy_time);
    let (begun, before) = (Instant::now(), used());
    let mut line = bot.listen(SECOND_LINE)?;
    let share = before
        .zip(used())
        .map(|(before, after)| after.saturating_sub(before).as_secs_f64())
        .map(|used| used / begun.elapsed().as_secs_f64());
    if line.is_none() {
        bot.reply("d4");
        bot.turn(run, plain)?;
        line = bot.listen(SECOND_LINE)?;
    }
    Ok(Rest { line, share })
}
