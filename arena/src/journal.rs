//! A bot's input, output and standard error in one game, for people who look for a fault of the
//! bot. The size of a journal is limited.

use hex_common::workers::lock;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// The most bytes of a transcript, and of a standard error, that are kept: half from the beginning,
/// half from the end.
pub(crate) const KEPT: usize = 4 * 1024 * 1024;

/// The journal of one player in one game. Clones are of the same journal.
#[derive(Clone, Debug, Default)]
pub struct Journal(Arc<Mutex<Pages>>);

#[derive(Debug)]
struct Pages {
    begun: Instant,
    transcript: Excerpt,
    errors: Excerpt,
}

impl Default for Pages {
    fn default() -> Self {
        Pages {
            begun: Instant::now(),
            transcript: Excerpt::of(KEPT),
            errors: Excerpt::of(KEPT),
        }
    }
}

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the arena to the bot.
    Sent,
    /// From the bot to the arena.
    Received,
    /// From the bot, without a newline at its end.
    Unfinished,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Way::Sent => ">",
            Way::Received => "<",
            Way::Unfinished => "< (no newline)",
        })
    }
}

impl Journal {
    /// Notes lines of one direction, with the time since the game began in milliseconds.
    pub fn note(&self, way: Way, text: &str) {
        let mut pages = self.pages();
        let ms = pages.begun.elapsed().as_secs_f64() * 1e3;
        for line in text.lines() {
            let noted = format!("{ms:>11.3} {way} {line}\n");
            pages.transcript.push(noted.as_bytes());
        }
    }

    /// Notes bytes of the bot's standard error.
    pub fn note_errors(&self, bytes: &[u8]) {
        self.pages().errors.push(bytes);
    }

    /// The last bytes of the standard error, at most `most`.
    pub fn last_errors(&self, most: usize) -> Vec<u8> {
        self.pages().errors.end(most)
    }

    /// All lines of input and output, each with its time and direction.
    pub fn transcript(&self) -> Vec<u8> {
        self.pages().transcript.bytes()
    }

    /// The bot's standard error.
    pub fn errors(&self) -> Vec<u8> {
        self.pages().errors.bytes()
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        lock(&self.0)
    }
}

/// The beginning and the end of a text of any length.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The most bytes of the beginning, and of the end.
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// How many bytes between them were dropped.
    left_out: u64,
}

impl Excerpt {
    /// An empty excerpt that keeps at most `most` bytes.
    pub fn of(most: usize) -> Excerpt {
        Excerpt {
            half: most / 2,
            head: Vec::new(),
            tail: VecDeque::new(),
            left_out: 0,
        }
    }

    /// Appends bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.half - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..surplus);
        self.left_out += surplus as u64;
    }

    /// All kept bytes. A line marks the gap, if there is one.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        if self.left_out > 0 {
            let cut = format!("\n[{} bytes are left out here]\n", self.left_out);
            bytes.extend_from_slice(cut.as_bytes());
        }
        bytes.extend(&self.tail);
        bytes
    }

    /// The last bytes, at most `most`; fewer if they would reach into the gap.
    fn end(&self, most: usize) -> Vec<u8> {
        let from_tail = self.tail.len().min(most);
        let from_head = match self.left_out {
            0 => self.head.len().min(most - from_tail),
            _ => 0,
        };
        let head = &self.head[self.head.len() - from_head..];
        let tail = self.tail.iter().skip(self.tail.len() - from_tail);
        head.iter().chain(tail).copied().collect()
    }
}
