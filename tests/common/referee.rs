//! A referee for tests: it plays the game, sends a bot its turns as CodinGame does, and checks the
//! answers. The bot is a program behind pipes. The referee only measures the times of answers; the
//! tests judge them.

use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::opening::Answer;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The side of CodinGame's board.
pub const SIDE: usize = 11;

/// How long an answer or the end of a bot is waited for before the test fails: long enough for any
/// load, for what is found out is whether the bot hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A game as the judge keeps it.
pub struct Game {
    board: Board<SIDE>,
    last: Option<Answer<SIDE>>,
    turns: usize,
}

impl Game {
    /// The beginning.
    pub fn new() -> Self {
        let (board, last, turns) = (Board::new(), None, 0);
        Game { board, last, turns }
    }

    /// The position.
    pub fn board(&self) -> &Board<SIDE> {
        &self.board
    }

    /// How many answers have been taken.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// What the judge sends to the player whose turn it is.
    pub fn turn_text(&self) -> String {
        let last = self.last.map(|last| last.to_string());
        let last = last.as_deref().unwrap_or("empty");
        let mut text = format!("{last}\n");
        for line in self.board.to_string().lines() {
            text += line.trim_start();
            text.push('\n');
        }
        text
    }

    /// Takes an answer's line: a cell or a swap, and maybe a message.
    ///
    /// # Errors
    /// If the answer loses the game on CodinGame; the text says why.
    pub fn play(&mut self, line: &str) -> Result<(), String> {
        let answer = match line.split(' ').next().unwrap_or_default() {
            "swap-pieces" if self.turns != 1 => {
                return Err(format!("{line:?} on turn {}", self.turns + 1));
            }
            "swap-pieces" => {
                // Red's stone goes, a blue one comes to the mirrored cell, and Red moves.
                self.board = self.board.transposed();
                Answer::SwapPieces
            }
            word => {
                let cell = word.parse().map_err(|error| format!("{line:?}: {error}"))?;
                let played = self.board.try_play(cell);
                played.map_err(|error| format!("{line:?}: {error}"))?;
                Answer::Play(cell)
            }
        };
        self.last = Some(answer);
        self.turns += 1;
        Ok(())
    }
}

/// A bot behind pipes. Dropping it kills it.
pub struct Bot {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

/// A line that a bot answered.
#[derive(Clone, Debug)]
pub struct Line {
    /// Without its end.
    pub text: String,
    /// From the last byte of the question to the end of the line, by the wall clock.
    pub time: Duration,
}

impl Bot {
    /// Starts a program with these variables in its environment and no other ones of hexbot's.
    pub fn start(program: &Path, environment: &[(&str, &str)]) -> Self {
        Self::start_by(Command::new(program), environment)
    }

    /// The same with a command, which may have arguments.
    pub fn start_by(mut command: Command, environment: &[(&str, &str)]) -> Self {
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("HEXBOT_") {
                command.env_remove(name);
            }
        }
        let mut child = command
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let mut stderr = child.stderr.take().expect("stderr is a pipe");
        let (sender, lines) = channel();
        // Threads read, so that neither pipe ever fills and a silent bot can be given up.
        std::thread::spawn(move || {
            for line in stdout.split(b'\n').map_while(Result::ok) {
                let text = String::from_utf8_lossy(&line).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).expect("a pipe can be read");
            bytes
        });
        Bot {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr: Some(stderr),
        }
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends text. A bot that has ended misses it, which its silence will show.
    pub fn tell(&mut self, text: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        let _ = stdin.write_all(text).and_then(|()| stdin.flush());
    }

    /// Waits for a line; `None` if the bot has closed its output.
    ///
    /// # Panics
    /// If the bot hangs.
    pub fn listen(&mut self) -> Option<String> {
        use std::sync::mpsc::RecvTimeoutError::{Disconnected, Timeout};
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(Disconnected) => None,
            Err(Timeout) => panic!("the bot has said nothing for {PATIENCE:?}"),
        }
    }

    /// Sends text and waits for the answer.
    ///
    /// # Panics
    /// If there is none.
    pub fn ask(&mut self, text: &str) -> Line {
        let started = Instant::now();
        self.tell(text.as_bytes());
        let Some(answer) = self.listen() else {
            let stderr = self.end().stderr;
            panic!("the bot ended instead of answering {text:?}: {stderr}");
        };
        let time = started.elapsed();
        Line { text: answer, time }
    }

    /// Closes the bot's input and waits for its end.
    ///
    /// # Panics
    /// If the bot hangs.
    pub fn end(&mut self) -> Ending {
        drop(self.stdin.take());
        let lines = std::iter::from_fn(|| self.listen()).collect();
        // Its output is closed, so it is about to end.
        let status = self.child.wait().expect("the bot is our child");
        let stderr = self.stderr.take().expect("a bot ends once");
        let stderr = stderr.join().expect("reading a pipe does not panic");
        Ending {
            status,
            lines,
            stderr_bytes: stderr.len(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a bot left behind.
pub struct Ending {
    /// How it ended.
    pub status: ExitStatus,
    /// Lines without a question.
    pub lines: Vec<String>,
    /// All that it wrote to standard error.
    pub stderr: String,
    /// How much that was.
    pub stderr_bytes: usize,
}

/// Plays a whole game from the empty board. `answer` returns each line from the colour and its
/// input: the turn, and before a player's first turn the header. Returns the finished game.
///
/// # Panics
/// If an answer is illegal.
pub fn play_game(mut answer: impl FnMut(Color, &str) -> String) -> Game {
    let mut game = Game::new();
    while game.board().winner().is_none() {
        let color = game.board().to_move();
        let header = match game.turns() {
            0 | 1 => format!("{SIDE} {color}\n"),
            _ => String::new(),
        };
        let line = answer(color, &(header + &game.turn_text()));
        if let Err(error) = game.play(&line) {
            let (turn, board) = (game.turns() + 1, game.board());
            panic!("{color}'s turn {turn}: {error}\n{board}");
        }
    }
    game
}
