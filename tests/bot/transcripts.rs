//! Conversations with the bot's program in CodinGame's protocol: the statement's examples and
//! unusual input. The cases are the files of tests/data/transcripts; its README describes their
//! format. Legal answers are computed from each case's rows, so no answer is recorded and none
//! becomes outdated.

use crate::common::referee::{Bot, SIDE};
use hexbot::cell::Cell;
use hexbot::cell_set::CellSet;
use std::path::Path;

/// Bytes that the bot may write to standard error in a turn; the site cuts at 4,096.
const STDERR_A_TURN: usize = 1000;

/// Enough for a search to happen, few enough for debug builds.
const ENVIRONMENT: [(&str, &str); 2] = [("HEXBOT_SEED", "1"), ("HEXBOT_SIMULATIONS", "64")];

/// What must be answered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    EmptyCell,
    EmptyCellOrSwap,
    UnknownCell,
    EmptyCellLater,
    Nothing,
}

/// Lines for the bot, and what it must answer to them.
struct Exchange {
    bytes: Vec<u8>,
    expected: Expected,
}

/// A file of tests/data/transcripts.
#[derive(Default)]
struct Transcript {
    exchanges: Vec<Exchange>,
    warnings: Vec<String>,
}

impl Transcript {
    /// Reads a case. A mistake in it is reported with its line.
    fn parse(text: &str) -> Result<Self, String> {
        let mut transcript = Transcript::default();
        let mut bytes = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let at = |what: &str| format!("line {}: {what}: {line:?}", index + 1);
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            match kind {
                "" | "#" => {}
                ">" => bytes.extend(unescape(rest).ok_or_else(|| at("unknown escape"))?),
                "=" => transcript.exchanges.push(Exchange {
                    bytes: std::mem::take(&mut bytes),
                    expected: expected(rest).ok_or_else(|| at("unknown answer"))?,
                }),
                "!" => transcript.warnings.push(rest.to_owned()),
                _ => return Err(at("begins with none of # > = !")),
            }
        }
        if bytes.is_empty() {
            Ok(transcript)
        } else {
            Err("the last lines for the bot lack an answer".to_owned())
        }
    }

    /// Talks with the bot.
    fn run(&self, program: &Path) -> Result<(), String> {
        let mut bot = Bot::start(program, &ENVIRONMENT);
        // Exchanges whose answers have not been read; more than one where an answer comes late.
        let mut open: Vec<&Exchange> = Vec::new();
        for (index, exchange) in self.exchanges.iter().enumerate() {
            bot.tell(&exchange.bytes);
            open.push(exchange);
            let is_last = index + 1 == self.exchanges.len();
            if is_last || exchange.expected == Expected::EmptyCellLater {
                continue;
            }
            for exchange in open.drain(..) {
                if exchange.expected != Expected::Nothing {
                    let line = bot.listen().ok_or("the output ends early")?;
                    exchange.check(&line)?;
                }
            }
        }
        let end = bot.end();
        open.retain(|exchange| exchange.expected != Expected::Nothing);
        if open.len() != end.lines.len() {
            return Err(format!("the answers at the end: {:?}", end.lines));
        }
        for (exchange, line) in open.iter().zip(&end.lines) {
            exchange.check(line)?;
        }
        self.check_end(end.status.success(), &end.stderr, end.stderr_bytes)
    }

    fn check_end(&self, succeeded: bool, stderr: &str, bytes: usize) -> Result<(), String> {
        let allowed = STDERR_A_TURN * self.exchanges.len().max(1);
        if !succeeded {
            return Err(format!("the bot failed: {stderr}"));
        }
        if bytes > allowed {
            return Err(format!("{bytes} bytes on stderr: {stderr:.1500}"));
        }
        match self.warnings.iter().find(|words| !stderr.contains(*words)) {
            Some(words) => Err(format!("stderr lacks {words:?}: {stderr}")),
            None => Ok(()),
        }
    }
}

impl Exchange {
    /// Returns true if the line is one of the legal answers.
    fn check(&self, line: &str) -> Result<(), String> {
        let word = line.split(' ').next().unwrap_or_default();
        let shown = Shown::by(&self.bytes);
        let cells = match self.expected {
            Expected::UnknownCell => CellSet::FULL - shown.empty - shown.stones,
            Expected::EmptyCellOrSwap if word == "swap-pieces" => return Ok(()),
            _ => shown.empty,
        };
        match word.parse::<Cell<SIDE>>() {
            Ok(cell) if cells.contains(cell) => Ok(()),
            Ok(_) => Err(format!("{line:?} is answered, but legal is {cells:?}")),
            Err(error) => Err(format!("{line:?} is answered: {error}")),
        }
    }
}

/// What the rows among some lines show, read in the plainest way.
struct Shown {
    empty: CellSet<SIDE>,
    stones: CellSet<SIDE>,
}

impl Shown {
    fn by(bytes: &[u8]) -> Self {
        let mut shown = Shown {
            empty: CellSet::EMPTY,
            stones: CellSet::EMPTY,
        };
        let text = String::from_utf8_lossy(bytes);
        for (row, line) in text.lines().filter(|line| is_row(line)).enumerate() {
            let words = line.split_whitespace();
            let marks = words.flat_map(|word| if is_marks(word) { word } else { "?" }.chars());
            for (col, mark) in marks.enumerate() {
                match (Cell::new(row, col), mark) {
                    (Some(cell), '.') => shown.empty.insert(cell),
                    (Some(cell), 'r' | 'b') => shown.stones.insert(cell),
                    _ => {}
                }
            }
        }
        shown
    }
}

/// A row has more than one word, or is one long word of marks. Headers and last moves in the cases
/// are not like that.
fn is_row(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] => false,
        [word] => word.len() >= SIDE && is_marks(word),
        _ => words.iter().any(|word| is_marks(word)) || words.len() == SIDE,
    }
}

fn is_marks(word: &str) -> bool {
    word.chars().all(|c| matches!(c, '.' | 'r' | 'b'))
}

fn expected(text: &str) -> Option<Expected> {
    Some(match text {
        "an empty cell" => Expected::EmptyCell,
        "an empty cell or swap-pieces" => Expected::EmptyCellOrSwap,
        "an unknown cell" => Expected::UnknownCell,
        "an empty cell, but later" => Expected::EmptyCellLater,
        "nothing" => Expected::Nothing,
        _ => return None,
    })
}

/// The bytes of a line for the bot; `None` if an escape is unknown.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend(rest[..at].bytes());
        let escape = &rest[at + 1..];
        let (byte, length) = match escape.chars().next()? {
            'x' => (u8::from_str_radix(escape.get(1..3)?, 16).ok()?, 3),
            'c' if escape.len() == 1 => return Some(bytes),
            't' => (b'\t', 1),
            'r' => (b'\r', 1),
            '\\' => (b'\\', 1),
            _ => return None,
        };
        bytes.push(byte);
        rest = &escape[length..];
    }
    bytes.extend(rest.bytes());
    bytes.push(b'\n');
    Some(bytes)
}

#[test]
fn every_transcript_is_kept_to() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let entries = std::fs::read_dir(&folder).expect("the cases are there");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(paths.len() >= 40, "only {} cases were found", paths.len());
    let bot = Path::new(env!("CARGO_BIN_EXE_hexbot"));
    let failures = paths.iter().filter_map(|path| {
        let text = std::fs::read_to_string(path).expect("a case is text");
        let result = Transcript::parse(&text).and_then(|case| case.run(bot));
        result
            .err()
            .map(|error| format!("{}: {error}", path.display()))
    });
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
