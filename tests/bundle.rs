//! The files that are uploaded: that they can be made, keep the site's limits, and play like
//! the crate. The steps are those of `cargo bundle`, which also tries the statement's examples.

mod common;
#[path = "common/rustc.rs"]
mod rustc;

use bundler::data::Digits;
use bundler::sources::read_sources;
use bundler::tokens::{tokens, Kind, Token};
use bundler::trial::{Unit, ALLOWED};
use bundler::upload;
use common::referee::{play_game, Bot, Game, SIDE};
use common::{answer_to, simulating};
use hexbot::book;
use hexbot::budget::{Clock, SystemClock};
use hexbot::cell::Color;
use hexbot::params::{OpeningBook, Params};
use hexbot::player::Player;
use hexbot::probe::PREFIX;
use hexbot::turn::{Header, Reader};
use rustc::{compile, scratch, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// The environment variable of the number of simulations a move.
const SIMULATIONS: &str = "HEXBOT_SIMULATIONS";

/// An upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upload {
    /// As short as it can be, with the network.
    Short,
    /// The same with wide characters.
    Wide,
    /// With playouts alone, to be read.
    Playouts,
    /// As the short one, with facts about the machine.
    Probe,
}

impl Upload {
    const ALL: [Upload; 4] = [Upload::Short, Upload::Wide, Upload::Playouts, Upload::Probe];

    /// What may be counted in it.
    fn unit(self) -> Unit {
        match self {
            Upload::Wide | Upload::Probe => Unit::Utf16,
            _ => Unit::Bytes,
        }
    }

    /// What the bundler writes.
    fn text(self) -> &'static str {
        static TEXTS: [OnceLock<String>; 4] = [const { OnceLock::new() }; 4];
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let write = || match self {
            Upload::Short => upload::short(root).code,
            Upload::Wide => upload::wide(root).code,
            Upload::Playouts => upload::playouts(root),
            Upload::Probe => upload::probe(root).code,
        };
        TEXTS[self as usize].get_or_init(|| {
            let (first, second) = (write(), write());
            assert!(first == second, "the bundler writes something else again");
            first
        })
    }

    /// It as a program, compiled at this level of optimisation. All tests share it, because it
    /// takes seconds.
    fn program(self, level: usize) -> &'static Path {
        static PROGRAMS: [[OnceLock<PathBuf>; 4]; 4] =
            [const { [const { OnceLock::new() }; 4] }; 4];
        PROGRAMS[self as usize][level].get_or_init(|| {
            let program = scratch("bundle").join(format!("{self:?}_{level}"));
            let source = program.with_extension("rs");
            fs::write(&source, self.text()).expect("the scratch folder can be written");
            let optimisation = format!("opt-level={level}");
            compile(&source, &program, &["-C", &optimisation, "-D", "warnings"]);
            program
        })
    }
}

/// The crate's own program.
fn crate_bot() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hexbot"))
}

#[test]
fn the_uploads_are_small_enough_and_plain_text() {
    for upload in Upload::ALL {
        let (size, unit) = (upload.unit().count(upload.text()), upload.unit());
        println!("{upload:?}: {size} {unit}");
        assert!(size <= ALLOWED, "{size} {unit}, more than {ALLOWED}");
        let is_plain = |c: &char| *c == '\n' || !c.is_control();
        // rustc refuses the characters that change the direction of writing.
        let is_bidi = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let odd = upload.text().chars().find(|c| !is_plain(c) || is_bidi(c));
        assert_eq!(odd, None, "a character that the site may not take");
    }
}

/// The probe's module is as if it were not there.
#[test]
fn the_other_uploads_have_nothing_of_the_probe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for features in [&["network"][..], &["network", "large-book"], &[]] {
        let sources = read_sources(root, features, Digits::Ascii);
        assert!(sources.iter().any(|source| source.module == "player"));
        let probe = sources.iter().find(|source| source.module == "probe");
        assert!(probe.is_none(), "{features:?}");
        let has_probe = sources[0].text.contains("feature = \"probe\"");
        assert!(has_probe, "main has no probe to leave out");
    }
}

#[test]
fn the_first_line_tells_version_and_license() {
    for upload in Upload::ALL {
        let line = upload.text().lines().next().unwrap_or_default();
        let (version, license) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
        for needed in ["// ", version, "Copyright", license] {
            assert!(line.contains(needed), "no {needed} in {line:?}");
        }
    }
}

#[test]
fn the_playouts_are_there_to_be_read() {
    let text = Upload::Playouts.text();
    for needed in [
        "fn evaluate_leaf<C: Clock>(",
        "struct PlayoutEvaluator {",
        "struct Groups<const N: usize>",
        "struct Bridges<const N: usize>",
        "struct Tree<const N: usize>",
        "/// Finds a move in `board` within `budget`",
        "// One simulation has four phases.",
    ] {
        assert!(text.contains(needed), "no {needed}");
    }
    let left = ALLOWED - text.len();
    assert!(
        left < 200,
        "there is room for {left} more bytes of comments"
    );
    let file = scratch("bundle").join("formatted.rs");
    fs::write(&file, text).expect("the scratch folder can be written");
    let rustfmt = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let mut check = Command::new(rustfmt);
    succeed(check.args(["--edition", "2021", "--check"]).arg(file));
}

#[test]
fn the_playouts_have_no_network() {
    let words = tokens(Upload::Playouts.text());
    let is_of_network = |token: &&Token| {
        // `c_puct` is also the constant of UCT.
        let text = token.text.to_lowercase().replace("c_puct", "");
        let mut words = "network weights puct bias_correction convolution".split(' ');
        token.kind == Kind::Word && words.any(|word| text.contains(word))
            || token.kind == Kind::Literal && text.len() > 2_000
    };
    let found: Vec<&Token> = words.iter().filter(is_of_network).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// A game of the upload's bots in which every line has to be the one that `expected` gives for the
/// same turn, messages included; they end well and have nothing more to say.
fn plays_as_expected(
    program: &Path,
    environment: &[(&str, &str)],
    mut expected: impl FnMut(Color, &str) -> String,
) {
    let mut bundles = Color::ALL.map(|_| Bot::start(program, environment));
    let game = play_game(|color, text| {
        let expected = expected(color, text);
        let found = bundles[color.index()].ask(text).text;
        assert_eq!(found, expected, "{color} by {environment:?}, asked\n{text}");
        found
    });
    assert!(game.turns() > 20, "{} turns tell little", game.turns());
    bundles.iter_mut().for_each(ends_well);
}

fn ends_well(bot: &mut Bot) {
    let end = bot.end();
    let is_well = end.status.success() && end.lines.is_empty();
    assert!(is_well, "{}", end.stderr);
}

/// Same seed and same number of simulations: same lines, move by move.
#[test]
fn the_wide_bundle_plays_like_the_crate() {
    let bundled = Upload::Wide.program(3);
    for (seed, simulations) in [("1", "60"), ("18446744073709551615", "20")] {
        let environment = [("HEXBOT_SEED", seed), (SIMULATIONS, simulations)];
        let mut crates = Color::ALL.map(|_| Bot::start(crate_bot(), &environment));
        plays_as_expected(bundled, &environment, |color, text| {
            crates[color.index()].ask(text).text
        });
        crates.iter_mut().for_each(ends_well);
    }
}

/// A vector instruction lost on the way to the upload changes no move, only the time it takes: that
/// of the portable code is five times as long.
#[test]
fn the_bundle_is_as_fast_as_the_crate() {
    let environment = [("HEXBOT_SEED", "1"), (SIMULATIONS, "600")];
    let turn = include_str!("data/statement/third-turn.in");
    let time = |program: &Path| {
        let mut bot = Bot::start(program, &environment);
        let answer = bot.ask(turn);
        ends_well(&mut bot);
        answer.time
    };
    // The short one has the same instructions.
    let (bundled, mut fastest) = (Upload::Wide.program(3), [Duration::MAX; 2]);
    // In turns, as other programs may run beside them.
    for round in 0..10 {
        fastest[0] = fastest[0].min(time(bundled));
        fastest[1] = fastest[1].min(time(crate_bot()));
        if round >= 2 && fastest[0] < 2 * fastest[1] {
            return;
        }
    }
    panic!("{:?}, the crate {:?}", fastest[0], fastest[1]);
}

/// A player in this process, which reads the judge's text.
struct InProcess {
    player: Player<SIDE>,
    header: Header,
}

impl InProcess {
    fn new(params: Params, color: Color, seed: u64, simulations: u64) -> Self {
        let mut settings = simulating(simulations);
        (settings.seed, settings.params) = (Some(seed), params);
        let (player, side) = (Player::new(settings), SIDE);
        let header = Header { side, color };
        InProcess { player, header }
    }

    /// The answer to a turn, with the header before it or without.
    fn ask(&mut self, text: &str) -> String {
        let header = format!("{SIDE} ");
        let turn = match text.split_once('\n') {
            Some((line, turn)) if line.starts_with(&header) => turn,
            _ => text,
        };
        let turn = Reader::new(turn.as_bytes()).turn(self.header);
        let clock = SystemClock::start();
        let reply = answer_to(&mut self.player, &turn, &clock, clock.now());
        reply.expect("the game is not over").to_string()
    }
}

/// With the same seed and number of simulations: the same lines as the crate's with the small book.
/// Returns the program.
fn plays_like_the_crate(
    upload: Upload,
    mut params: Params,
    games: [(u64, u64); 2],
) -> &'static Path {
    params.opening_book = OpeningBook::Small;
    let bundled = upload.program(1);
    for (seed, simulations) in games {
        let [seed_text, count] = [seed, simulations].map(|number| number.to_string());
        let environment = [("HEXBOT_SEED", seed_text.as_str()), (SIMULATIONS, &count)];
        let mut crates = Color::ALL.map(|color| InProcess::new(params, color, seed, simulations));
        plays_as_expected(bundled, &environment, |color, text| {
            crates[color.index()].ask(text)
        });
    }
    bundled
}

#[test]
fn the_short_bundle_plays_like_the_crate_with_the_small_book() {
    plays_like_the_crate(Upload::Short, Params::default(), [(1, 60), (u64::MAX, 20)]);
}

/// The bot against itself plays lines that both books have.
#[test]
fn the_wide_bundle_alone_has_the_large_book() {
    let mut game = Game::new();
    for cell in ["c2", "h9"] {
        game.play(cell).expect("a legal move");
    }
    assert_eq!(book::small_answer(game.board()), None);
    let large = book::answer(game.board()).expect("the large book has it");
    let text = format!("{SIDE} red\n{}", game.turn_text());
    for upload in Upload::ALL {
        // The wide one unpacks its network without optimisation, too.
        let program = upload.program(if upload == Upload::Wide { 0 } else { 1 });
        let mut bot = Bot::start(program, &[(SIMULATIONS, "10")]);
        // A searched move has a message.
        let is_large = bot.ask(&text).text == large.to_string();
        assert_eq!(is_large, upload == Upload::Wide, "{upload:?}");
        ends_well(&mut bot);
    }
}

/// What it measures changes no move, and is written in the first turns.
#[test]
fn the_probe_plays_like_the_crate_with_the_small_book_and_reports() {
    let games = [(1, 60), (u64::MAX, 20)];
    let program = plays_like_the_crate(Upload::Probe, Params::default(), games);
    let mut bot = Bot::start(program, &[("HEXBOT_FIRST_MS", "250"), (SIMULATIONS, "40")]);
    let mut game = Game::new();
    for (number, reply) in ["a5", "b5", "c5", "d5", "e5"].into_iter().enumerate() {
        let header = if number == 0 { "11 red\n" } else { "" };
        let answer = bot.ask(&(header.to_owned() + &game.turn_text())).text;
        game.play(&answer).expect("a legal move");
        // A stopped process naps once.
        #[cfg(unix)]
        for signal in ["-STOP", "-CONT"] {
            succeed(Command::new("kill").args([signal, &bot.id().to_string()]));
            std::thread::sleep(Duration::from_millis(60));
        }
        game.play(reply).expect("the bot begins elsewhere");
    }
    let stderr = bot.end().stderr;
    let lines = stderr.lines();
    let facts = lines.filter_map(|line| line.strip_prefix(PREFIX)?.split_once(": "));
    let facts: Vec<(&str, &str)> = facts.collect();
    let names: Vec<&str> = facts.iter().map(|(name, _)| *name).collect();
    let expected = "processor,instructions,cores,evaluation,second thread,wait,wait,wait,gap";
    assert_eq!(names.join(","), expected, "{stderr}");
    #[cfg(unix)]
    for (_, wait) in facts.iter().filter(|(name, _)| *name == "wait") {
        let longest = wait.rsplit(' ').nth(1).and_then(|ms| ms.parse().ok());
        assert!(longest >= Some(60.0), "{wait}");
    }
}

/// A site that compiles it counts UTF-16 units.
#[test]
fn the_probe_shows_what_the_site_counts() {
    let text = Upload::Probe.text();
    assert!(Unit::Bytes.count(text) > ALLOWED);
    assert!(Unit::Utf16.count(text) <= ALLOWED);
}

#[test]
fn the_playouts_play_like_the_crate_without_network() {
    let games = [(1, 400), (u64::MAX, 100)];
    plays_like_the_crate(Upload::Playouts, Params::playouts_only(), games);
}

/// The site may compile without optimisation. The clock is then all that keeps the bot in time.
#[test]
fn a_bundle_without_optimisation_plays_a_whole_game_in_time() {
    // The probe plays like the other two with the network, and has more of their code.
    plays_in_time(Upload::Probe.program(0));
}

#[test]
fn the_playouts_without_optimisation_play_a_whole_game_in_time() {
    plays_in_time(Upload::Playouts.program(0));
}

fn plays_in_time(bundled: &Path) {
    const LIMIT: Duration = Duration::from_millis(100);
    let mut bots = Color::ALL.map(|_| Bot::start(bundled, &[("HEXBOT_SEED", "1")]));
    let mut times = Color::ALL.map(|_| Vec::new());
    let game = play_game(|color, text| {
        let line = bots[color.index()].ask(text);
        times[color.index()].push(line.time);
        line.text
    });
    bots.iter_mut().for_each(ends_well);
    let mut later = times.map(|times| times[1..].to_vec()).concat();
    later.sort();
    let [p10, p50, p90] = [1, 5, 9].map(|tenths| later[tenths * (later.len() - 1) / 10]);
    println!(
        "{} turns; later answers {p10:?}, {p50:?}, {p90:?}",
        game.turns()
    );
    // A busy machine makes single answers late, and so does a bot that is sometimes slow. But a bot
    // that is too slow is slow in every game.
    assert!(
        p10 <= LIMIT,
        "a tenth at least should keep {LIMIT:?}: {p10:?}"
    );
}
