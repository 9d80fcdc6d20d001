//! The one file that is uploaded: that it can be made, keeps the site's limits, and plays like the
//! crate. The steps are those of bundle.sh, which also tries the statement's examples.

mod common;

use common::referee::{play_game, Bot};
use hexbot::cell::Color;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::Duration;

/// Bytes that the site takes.
const BYTES_ALLOWED: usize = 100_000;

/// The environment variable of the number of simulations a move.
const PLAYOUTS: &str = "HEXBOT_PLAYOUTS";

/// A folder for what is built here.
fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundle");
    fs::create_dir_all(&folder).expect("cargo's folder for tests can be written");
    folder
}

/// Runs a command that is expected to succeed.
fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the program exists");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {said}");
    output
}

/// Compiles one file with a bare rustc, as the site does: no cargo, no crates.
fn compile(source: &Path, program: &Path, options: &[&str]) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2021"]).args(options);
    succeed(command.arg(source).arg("-o").arg(program));
}

/// What the bundler writes.
fn bundle() -> &'static str {
    static BUNDLE: OnceLock<String> = OnceLock::new();
    BUNDLE.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = scratch().join("bundler");
        compile(&root.join("bundle/bundler.rs"), &program, &[]);
        let run = || succeed(Command::new(&program).current_dir(root)).stdout;
        let (first, second) = (run(), run());
        assert!(
            first == second,
            "the bundler writes something else the second time"
        );
        String::from_utf8(first).expect("the bundle is UTF-8")
    })
}

/// The bundle as a program, compiled with a rustc option for its optimisation.
fn bundled_bot(name: &str, optimisation: &str) -> PathBuf {
    let (source, program) = (scratch().join(format!("{name}.rs")), scratch().join(name));
    fs::write(&source, bundle()).expect("the scratch folder can be written");
    compile(&source, &program, &["-C", optimisation, "-D", "warnings"]);
    program
}

/// The crate's own program.
fn crate_bot() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hexbot"))
}

#[test]
fn the_bundle_is_small_enough_and_plain_text() {
    let bytes = bundle().len();
    println!("{bytes} bytes");
    assert!(
        bytes <= BYTES_ALLOWED,
        "{bytes} bytes, more than {BYTES_ALLOWED}"
    );
    let is_plain = |c: &char| *c == '\n' || !c.is_control();
    // rustc refuses the characters that change the direction of writing.
    let is_bidi = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let odd = bundle().chars().find(|c| !is_plain(c) || is_bidi(c));
    assert_eq!(odd, None, "a character that the site may not take");
}

#[test]
fn the_first_line_tells_version_and_license() {
    let line = bundle().lines().next().unwrap_or_default();
    for needed in [
        env!("CARGO_PKG_VERSION"),
        "Copyright",
        env!("CARGO_PKG_LICENSE"),
    ] {
        assert!(
            line.starts_with("// ") && line.contains(needed),
            "no {needed} in {line:?}"
        );
    }
}

/// Same seed and same number of simulations: same lines, messages included, move by move.
#[test]
fn the_bundle_plays_like_the_crate() {
    let bundled = bundled_bot("optimised", "opt-level=3");
    for (seed, simulations) in [("1", "150"), ("18446744073709551615", "40")] {
        let environment = [("HEXBOT_SEED", seed), (PLAYOUTS, simulations)];
        let start = |program| Color::ALL.map(|_| Bot::start(program, &environment));
        let (mut bundles, mut crates) = (start(&bundled), start(crate_bot()));
        let game = play_game(|color, text| {
            let expected = crates[color.index()].ask(text).text;
            let found = bundles[color.index()].ask(text).text;
            assert_eq!(found, expected, "{color} with seed {seed}, asked\n{text}");
            found
        });
        assert!(
            game.turns() > 20,
            "a game of {} turns tells little",
            game.turns()
        );
        for bot in bundles.iter_mut().chain(&mut crates) {
            let end = bot.end();
            assert!(
                end.status.success() && end.lines.is_empty(),
                "{}",
                end.stderr
            );
        }
    }
}

/// The site may compile without optimisation. The clock is then all that keeps the bot in time.
#[test]
fn a_bundle_without_optimisation_plays_a_whole_game_in_time() {
    const LIMIT: Duration = Duration::from_millis(100);
    let bundled = bundled_bot("plain", "opt-level=0");
    let mut bots = Color::ALL.map(|_| Bot::start(&bundled, &[("HEXBOT_SEED", "1")]));
    let mut times = Color::ALL.map(|_| Vec::new());
    let game = play_game(|color, text| {
        let line = bots[color.index()].ask(text);
        times[color.index()].push(line.time);
        line.text
    });
    for bot in &mut bots {
        let end = bot.end();
        assert!(end.status.success(), "{}", end.stderr);
    }
    let first: Vec<Duration> = times.iter().map(|times| times[0]).collect();
    let mut later: Vec<Duration> = times
        .iter()
        .flat_map(|times| &times[1..])
        .copied()
        .collect();
    later.sort();
    let at = |share: f64| later[(share * (later.len() - 1) as f64) as usize];
    println!(
        "{} turns; first answers {first:?}; later ones p10 {:?}, p50 {:?}, p90 {:?}, max {:?}",
        game.turns(),
        at(0.1),
        at(0.5),
        at(0.9),
        at(1.0)
    );
    // A busy machine makes single answers late, which cannot be told from a bot that is slow now and
    // then. A bot that is slow by itself is slow always, though.
    assert!(
        at(0.1) <= LIMIT,
        "a tenth of the answers at least should keep {LIMIT:?}"
    );
}
