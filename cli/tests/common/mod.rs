//! Running `hex` and looking at what it leaves.
#![allow(dead_code, reason = "not every test file uses everything")]

#[cfg(unix)]
use hex_common::system;
use serde_json::Value;
use std::borrow::BorrowMut;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(unix)]
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The bot that follows a script, as a word of a command line: its path may have blanks.
pub const BOT: &str = concat!("\"", env!("CARGO_BIN_EXE_scripted-bot"), "\"");

/// Where it is.
pub const BOT_PATH: &str = env!("CARGO_BIN_EXE_scripted-bot");

/// Limits for tests that are not about time.
pub const PATIENT: [&str; 4] = ["--first-ms", "20000", "--turn-ms", "20000"];

/// CodinGame's limits, for a player.
pub const HASTY: &str = ";; first-ms=1000 ;; turn-ms=100";

/// A folder for a match, and a word that marks all processes of it.
pub struct Place {
    folder: TempDir,
    pub mark: String,
}

impl Place {
    pub fn new() -> Place {
        let folder = TempDir::new().unwrap();
        let mark = format!("HEX_TEST={}", folder.path().display());
        Place { folder, mark }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of something in this place.
    pub fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    /// The text of a file in this place.
    #[track_caller]
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.at(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names in a folder of this place, sorted.
    pub fn names(&self, folder: impl AsRef<Path>) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The JSON in a file of this place.
    #[track_caller]
    pub fn json(&self, name: impl AsRef<Path>) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The lines of JSON in a file of this place.
    #[track_caller]
    pub fn json_lines(&self, name: impl AsRef<Path>) -> Vec<Value> {
        let text = self.read(name);
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    }

    /// Writes a file of this place, and makes its folder.
    #[track_caller]
    pub fn write(&self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    /// `hex` in this place's folder, with words as they are written in a shell.
    pub fn hex(&self, words: &str) -> Command {
        let mut command = hex();
        command.args(shell_words::split(words).unwrap());
        command.current_dir(self.path());
        command
    }

    /// What this prints; it must succeed.
    #[track_caller]
    pub fn run(&self, words: &str) -> String {
        succeed(&mut self.hex(words))
    }

    /// The scripted bot with these options, marked.
    pub fn bot(&self, options: &str) -> String {
        format!("{} {BOT} {options}", self.mark)
    }

    /// A bot that sends a signal to its keeper after these commands of a shell, and never answers.
    pub fn signals_its_keeper(&self, before: &str, signal: &str) -> String {
        let script = format!("{before}kill -{signal} $PPID; sleep 987");
        let limits = "first-ms=10 ;; turn-ms=10";
        format!("{} sh -c '{script}' ;; {limits} ;; name=bad", self.mark)
    }

    /// `hex match` with its folder in this place, limits that no noise can break, and options as
    /// they are written in a shell, without quotes.
    pub fn hex_match(&self, options: &str) -> Command {
        let mut command = hex();
        command.arg("match").args(PATIENT);
        command.arg("--out").arg(self.at("out"));
        command.args(options.split_whitespace());
        command
    }

    /// The same with these bots.
    pub fn play(&self, options: &str, bots: &[impl AsRef<str>]) -> Command {
        let mut command = self.hex_match(options);
        command.args(bots.iter().map(AsRef::as_ref));
        command
    }

    /// The report of such a match, which is played to its end.
    #[track_caller]
    pub fn played(&self, options: &str, bots: &[impl AsRef<str>]) -> String {
        succeed(&mut self.play(options, bots))
    }

    /// Waits until the log has this many lines.
    #[track_caller]
    pub fn wait_for_lines(&self, count: usize) {
        let log = self.path().join("out/games.jsonl");
        wait_until("the match gets on", || lines_of(&log) >= count);
    }

    /// The log's lines: header, then games.
    pub fn log(&self) -> (Value, Vec<Value>) {
        let mut lines = self.json_lines("out/games.jsonl");
        let games = lines.split_off(1);
        (lines.remove(0), games)
    }

    /// The log's games by their numbers; none is there twice.
    pub fn games(&self) -> BTreeMap<u64, Value> {
        let games = self.log().1;
        let count = games.len();
        let numbered = |game: Value| (game["id"].as_u64().unwrap(), game);
        let games: BTreeMap<u64, Value> = games.into_iter().map(numbered).collect();
        assert_eq!(games.len(), count, "a game is there twice");
        games
    }

    /// All games of the log, at least one, have this value at a place such as `/fault/kind`.
    #[track_caller]
    pub fn assert_each(&self, pointer: &str, value: impl Into<Value>) {
        let (games, value) = (self.log().1, value.into());
        assert!(!games.is_empty(), "no game was played");
        for game in games {
            let found = game.pointer(pointer).unwrap_or(&Value::Null);
            assert_eq!(found, &value, "{game}");
        }
    }

    /// No process of this place's bots is left, or it disappears within a moment.
    pub fn assert_no_process_left(&self) {
        self.assert_no_process_left_after(Duration::from_secs(5));
    }

    /// No process of this place's bots is left this much later.
    pub fn assert_no_process_left_after(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while !self.processes().is_empty() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(self.processes(), [], "still running");
    }

    /// The processes of this place's bots that have not ended, each with its number and its words.
    pub fn processes(&self) -> Vec<(String, String)> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let marked = processes.map(|entry| entry.path()).filter_map(|path| {
            let environment = fs::read(path.join("environ")).ok()?;
            let mut variables = environment.split(|&byte| byte == 0);
            variables.find(|&variable| variable == self.mark.as_bytes())?;
            let words = fs::read_to_string(path.join("cmdline")).ok()?;
            let number = path.file_name()?.to_str()?.to_string();
            Some((number, words.replace('\0', " ").trim().to_string()))
        });
        marked.collect()
    }
}

/// The command under test.
pub fn hex() -> Command {
    starting(env!("CARGO_BIN_EXE_hex"))
}

/// The same with words as they are written in a shell, without quotes.
pub fn hex_line(words: &str) -> Command {
    let mut command = hex();
    command.args(words.split_whitespace());
    command
}

/// The cases of a text, a line each, whose parts stand between bars. `#` begins a comment.
pub fn cases(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines();
    let cases = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    cases
        .map(|line| line.split('|').map(str::trim).collect())
        .collect()
}

/// A command that begins with the usual signals. A program hands on the signals that it ignores,
/// and these tests may be started by `nohup` or in the background. All tests start programs by
/// this. A bot that panics prints no backtrace, which takes it half a second.
pub fn starting(program: impl AsRef<OsStr>) -> Command {
    #[cfg(unix)]
    catch_ignored_signals();
    let mut command = Command::new(program);
    command.env_remove("RUST_BACKTRACE");
    command
}

/// Runs the cases of a table side by side, because most of their time they wait.
pub fn side_by_side<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(case);
                }
            });
        }
    });
}

/// Catches the signals that this program ignores, without effect: what is caught begins as usual in
/// a child.
#[cfg(unix)]
fn catch_ignored_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            if system::is_ignored(signal) {
                signal_hook::flag::register(signal, Arc::default()).expect("it can be caught");
            }
        }
    });
}

/// Runs to the end; the status must be 0.
pub fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let told = describe(&output);
    assert!(output.status.success(), "{command:?}: {told}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_plurals(&said);
    said
}

/// One game is no "1 games". A part of a whole, "0 of 1 moves", keeps its plural.
fn assert_plurals(said: &str) {
    const COUNTED: &str = "answers games moves pairs positions simulations turns";
    for line in said.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for three in words.windows(3) {
            let noun = three[2].trim_end_matches([',', '.', ';', ':', ')']);
            let is_one = three[1] == "1" && three[0] != "of";
            let is_plural = COUNTED.split(' ').any(|counted| counted == noun);
            assert!(!is_one || !is_plural, "{three:?} in {said}");
        }
    }
}

/// Runs to the end, with this status and all of these words. Returns what [`describe`] does.
#[track_caller]
pub fn ends(mut command: impl BorrowMut<Command>, status: i32, words: &[&str]) -> String {
    ended(&command.borrow_mut().output().unwrap(), status, words)
}

/// The command has ended with this status and all of these words. Returns what [`describe`] does.
#[track_caller]
pub fn ended(output: &Output, status: i32, words: &[&str]) -> String {
    let told = describe(output);
    assert_eq!(output.status.code(), Some(status), "{told}");
    assert_says(&told, words);
    let panicked = told.contains("panicked") && !told.contains("on purpose");
    assert!(!panicked, "{told}");
    told
}

/// The command is refused: it ends with status 2 and these words.
#[track_caller]
pub fn refused(command: impl BorrowMut<Command>, words: &[&str]) -> String {
    ends(command, 2, words)
}

/// All of these words are in the text.
#[track_caller]
pub fn assert_says(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

/// Starts a command whose output can be had at its end.
pub fn started(command: &mut Command) -> Child {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().unwrap()
}

/// Runs a command to its end with this standard input.
pub fn fed(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = started(command.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    // It may end before it has read all.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Sends a signal such as `-INT` to the process with this number.
#[track_caller]
pub fn signal(name: &str, process: impl ToString) {
    let sent = starting("kill").args([name, &process.to_string()]).status();
    assert!(sent.unwrap().success(), "{name}");
}

/// How many lines a file has; none if there is no file.
pub fn lines_of(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Waits until this is so, a minute at most.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "it never comes: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn describe(output: &Output) -> String {
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
    format!("{}\n{stdout}\n{stderr}", output.status)
}

/// The text without what the machine's speed decides: times become `#`.
pub fn without_times(report: &str) -> String {
    let mut in_times = false;
    let mut lines = Vec::new();
    let lines_told = report.lines();
    for line in lines_told.filter(|line| !line.starts_with("clock noise")) {
        in_times &= !line.is_empty();
        let words: Vec<&str> = line.split_whitespace().collect();
        // The name stands in the first of two rows.
        let first = words
            .iter()
            .position(|word| ["first", "later"].contains(word));
        let line = match first {
            Some(at) if in_times && words[at + 3] != "-" => {
                format!("{} # # # # # {}", words[..at + 3].join(" "), words[at + 8])
            }
            _ => line.to_string(),
        };
        in_times |= line.starts_with("player ") && line.contains("headroom");
        lines.push(line);
    }
    lines.join("\n") + "\n"
}
