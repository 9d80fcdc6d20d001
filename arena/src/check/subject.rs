//! The bot to check: a program, or a source file with its compiler or interpreter.

use crate::player::Limits;
use crate::spec::{PlayerSettings, PlayerSpec};
use anyhow::{bail, ensure, Context, Result};
use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The placeholder of the source file in a command.
const SOURCE: &str = "{source}";

/// The placeholder of the compiled program in a command.
const PROGRAM: &str = "{program}";

/// How many lines of a compiler's error are shown.
const COMPLAINT: usize = 6;

/// Compilers by the ending of the source file. The judge's own options for C and C++ are not
/// published; these are the usual ones of contests.
const COMPILERS: [(&str, &str); 5] = [
    (
        "rs",
        "rustc --edition 2021 -C opt-level=3 {source} -o {program}",
    ),
    ("cpp", "g++ -std=c++20 -O2 {source} -o {program} -lpthread"),
    ("cc", "g++ -std=c++20 -O2 {source} -o {program} -lpthread"),
    ("cxx", "g++ -std=c++20 -O2 {source} -o {program} -lpthread"),
    (
        "c",
        "gcc -std=gnu17 -O2 {source} -o {program} -lm -lpthread",
    ),
];

/// Interpreters by the ending of the source file.
const INTERPRETERS: [(&str, &str); 3] = [
    ("py", "python3 {source}"),
    ("js", "node {source}"),
    ("rb", "ruby {source}"),
];

/// A bot before it is started.
#[derive(Clone, Debug)]
pub(crate) struct CheckedBot {
    /// The bot as on the command line.
    pub(crate) name: String,
    /// The source file, if it is known.
    pub(crate) source: Option<PathBuf>,
    /// The words of the compiler's command, if it has to be compiled.
    pub(crate) compiler: Option<Vec<String>>,
    settings: PlayerSettings,
}

impl CheckedBot {
    /// The bot that the command line names. Nothing is run.
    ///
    /// # Errors
    /// If the words make no sense, or a file is not there.
    pub(crate) fn new(
        bot: &str,
        source: Option<&Path>,
        compile: Option<&str>,
    ) -> Result<CheckedBot> {
        let settings = PlayerSettings::parse(bot)?;
        let file = &*PathBuf::from(&settings.command);
        if let Some(source) = source {
            ensure!(
                source.is_file(),
                "--source {}: no such file",
                source.display()
            );
        }
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        let of = |table: &[(&str, &'static str)]| {
            let found = table.iter().find(|(known, _)| *known == ending);
            found.map(|(_, command)| *command)
        };
        let is_file = file.is_file();
        let mut subject = CheckedBot {
            name: bot.to_owned(),
            source: source.map(Path::to_owned),
            compiler: None,
            settings,
        };
        let compiler = compile.or(of(&COMPILERS).filter(|_| is_file));
        if let Some(compiler) = compiler {
            let shown = file.display();
            ensure!(is_file, "--compile: {shown} is not a source file");
            for part in [SOURCE, PROGRAM] {
                ensure!(
                    compiler.contains(part),
                    "--compile {compiler:?} lacks the placeholder {part}"
                );
            }
            let words = shell_words::split(compiler).context("--compile")?;
            subject.source = Some(file.to_owned());
            subject.compiler = Some(words);
            return Ok(subject);
        }
        if let Some(interpreter) = of(&INTERPRETERS).filter(|_| is_file) {
            subject.source = Some(file.to_owned());
            subject.settings.command = filled(interpreter, &[(SOURCE, file)]);
        }
        let named = subject.source.take();
        subject.source = named.or_else(|| source_in(&subject.settings.command));
        subject.player()?;
        Ok(subject)
    }

    /// The player of a bot that needs no compiler.
    ///
    /// # Errors
    /// If its settings make no sense, or it does not speak CodinGame's protocol.
    pub(crate) fn player(&self) -> Result<PlayerSpec> {
        let spec = self.settings.player(Limits::CODINGAME)?;
        if !spec.is_codingame() {
            bail!(
                "{:?}: give a command that speaks CodinGame's protocol, or a source file",
                self.name
            );
        }
        Ok(spec)
    }

    /// Compiles the source into `folder`. The inner error is that of the compiler.
    ///
    /// # Errors
    /// If the settings make no sense.
    pub(crate) fn compiled(&self, folder: &Path) -> Result<Result<Compiled, String>> {
        let source = self.source.as_deref().context("there is a source")?;
        let program = folder.join(format!("bot{EXE_SUFFIX}"));
        let words = self.compiler.as_deref().context("there is a compiler")?;
        let places = [(SOURCE, source), (PROGRAM, &*program)];
        let words = words.iter().map(|word| with_places(word, &places));
        let words: Vec<String> = words.collect();
        let begun = Instant::now();
        let output = Command::new(&words[0]).args(&words[1..]).output();
        let output = match output {
            Ok(output) => output,
            Err(error) => return Ok(Err(format!("{} cannot be run: {error}", words[0]))),
        };
        if !output.status.success() || !program.is_file() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = complaint.lines().take(COMPLAINT).collect();
            return Ok(Err(format!("{}\n{}", words.join(" "), lines.join("\n"))));
        }
        let command = filled(PROGRAM, &places);
        let mut subject = self.clone();
        subject.settings.command = command;
        Ok(Ok(Compiled {
            player: subject.player()?,
            time: begun.elapsed(),
            compiler: words[0].clone(),
        }))
    }
}

/// A compiled program.
pub(crate) struct Compiled {
    /// The player.
    pub(crate) player: PlayerSpec,
    /// How long the compiler took.
    pub(crate) time: Duration,
    /// The compiler's name.
    pub(crate) compiler: String,
}

/// The source file among the words of a command, such as `python3 bot.py`.
fn source_in(command: &str) -> Option<PathBuf> {
    let words = shell_words::split(command).ok()?;
    let is_source = |file: &Path| {
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        let known = COMPILERS.iter().chain(&INTERPRETERS);
        known.map(|(known, _)| *known).any(|known| known == ending)
    };
    let files = words.into_iter().map(PathBuf::from);
    files.rev().find(|file| is_source(file) && file.is_file())
}

/// A word with the files in place of the placeholders.
fn with_places(word: &str, places: &[(&str, &Path)]) -> String {
    let mut word = word.to_owned();
    for (place, path) in places {
        word = word.replace(place, &path.display().to_string());
    }
    word
}

/// A command, quoted for a shell, with the files in place of the placeholders.
fn filled(command: &str, places: &[(&str, &Path)]) -> String {
    let words = command.split(' ').map(|word| with_places(word, places));
    shell_words::join(words.collect::<Vec<String>>())
}
