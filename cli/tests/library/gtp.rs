//! `hex gtp`: transcripts of every command, the form of responses, interruption, and hostile input.

use crate::common::{ended, fed, hex_line, succeed, Place};
use hex_cli::gtp::commands::COMMANDS;
use hex_cli::gtp::game::SwapRule;
use hex_cli::gtp::session::{Context, GtpSession, GtpSettings};
use hex_cli::gtp::{commands, protocol, serve};
use hex_core::engine::{Effort, Networks, Stop};
use hex_core::record::Side;
use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn settings() -> GtpSettings {
    GtpSettings {
        effort: Effort::Simulations(32),
        level: "10".parse().unwrap(),
        swap: SwapRule::Pieces,
        seed: 1,
        live: false,
        networks: Networks::Shipped,
        threads: 1,
        ponder: false,
    }
}

fn session(settings: GtpSettings) -> GtpSession {
    GtpSession::new(Side::CODINGAME, settings).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// Everything that the engine says to `input`.
fn answers(settings: GtpSettings, input: impl Into<Vec<u8>>) -> String {
    let mut output = Vec::new();
    let input = BufReader::new(Cursor::new(input.into()));
    serve(session(settings), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// The engine's response to one command, as lines without the empty one at its end.
fn respond(session: &mut GtpSession, line: &str) -> Vec<String> {
    let protocol::LineKind::Command(request) = protocol::parse(line) else {
        panic!("{line:?} is no command");
    };
    let mut output = String::new();
    let mut show = |text: &str| output.push_str(text);
    let mut context = Context {
        stop: Stop::never(),
        show: &mut show,
    };
    let response = protocol::Response {
        id: request.id,
        result: commands::execute(session, &request, &mut context),
    };
    show(&response.to_string());
    let lines = output.strip_suffix("\n\n").expect("an empty line ends it");
    lines.split('\n').map(str::to_owned).collect()
}

/// Sets an option from a line such as `simulations 64`.
fn set(settings: &mut GtpSettings, option: &str) {
    match option.split_once(' ').unwrap() {
        ("simulations", count) => settings.effort = Effort::Simulations(count.parse().unwrap()),
        ("swap", rule) => settings.swap = clap::ValueEnum::from_str(rule, false).unwrap(),
        ("level", level) => settings.level = level.parse().unwrap(),
        other => panic!("no option {other:?}"),
    }
}

/// Returns true if the response comes as the transcript has it.
fn fits(expected: &[&str], found: &[String]) -> bool {
    let pattern = |line: &str| match line.strip_prefix("~ ") {
        Some(pattern) => pattern.to_owned(),
        None => regex::escape(line),
    };
    let patterns: Vec<String> = expected.iter().map(|line| pattern(line)).collect();
    let whole = Regex::new(&format!("^(?:{})$", patterns.join("\n"))).unwrap();
    whole.is_match(&found.join("\n"))
}

/// Plays a transcript; gives it as it should stand and the names of its commands.
fn replay(text: &str) -> (String, Vec<String>) {
    let mut settings = settings();
    let options = text.lines().filter_map(|line| line.strip_prefix("#! "));
    options.for_each(|option| set(&mut settings, option));
    let mut session = session(settings);
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut names, mut at) = (String::new(), Vec::new(), 0);
    let is_response =
        |line: &str| !(line.is_empty() || line.starts_with("> ") || line.starts_with('#'));
    while at < lines.len() {
        let line = lines[at];
        let _ = writeln!(out, "{line}");
        at += 1;
        let Some(command) = line.strip_prefix("> ") else {
            continue;
        };
        let mut expected = Vec::new();
        while at < lines.len() && (is_response(lines[at]) || is_gap(&lines, at)) {
            expected.push(lines[at]);
            at += 1;
        }
        let found = respond(&mut session, command);
        let kept = if fits(&expected, &found) {
            expected.join("\n")
        } else {
            found.join("\n")
        };
        let _ = writeln!(out, "{kept}");
        let words = command
            .split(' ')
            .skip_while(|word| word.parse::<u32>().is_ok());
        names.extend(words.take(1).map(str::to_owned));
    }
    (out, names)
}

/// Returns true for an empty line inside a response, between a block of graphics and what follows.
fn is_gap(lines: &[&str], at: usize) -> bool {
    lines[at].is_empty()
        && lines
            .get(at + 1)
            .is_some_and(|next| next.starts_with("~ ="))
}

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "gtp"))
        .collect();
    files.sort();
    files
}

#[test]
fn the_engine_answers_as_the_transcripts_say() {
    let update = std::env::var_os("HEX_UPDATE").is_some();
    let mut seen = BTreeSet::new();
    for path in transcripts() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (now, names) = replay(&text);
        seen.extend(names);
        if update {
            std::fs::write(&path, now).unwrap();
        } else if now != text {
            let lines = text.lines().zip(now.lines());
            let first = lines.enumerate().find(|(_, (old, new))| old != new);
            panic!(
                "{}: first difference (line from 0, old, new): {first:?}",
                path.display()
            );
        }
    }
    let missing: Vec<&str> = COMMANDS
        .iter()
        .map(|command| command.name)
        .filter(|name| !seen.contains(*name))
        .collect();
    assert!(missing.is_empty(), "no transcript has {missing:?}");
}

#[test]
fn every_response_is_in_the_form_that_hexgui_reads() {
    // An empty success keeps its blank, or HexGui takes it for an error.
    assert_eq!(answers(settings(), "clear_board\n"), "= \n\n");
    assert_eq!(answers(settings(), "12 clear_board\r\n"), "=12 \n\n");
    assert_eq!(answers(settings(), "  name # comment\n"), "= hexbot\n\n");
    assert_eq!(answers(settings(), "\n#nothing\n \t\n"), "");
    assert_eq!(answers(settings(), "name"), "= hexbot\n\n");
    assert_eq!(answers(settings(), "quit\nname\n"), "= \n\n");
    // Nothing inside a response may be empty: that would end it.
    for command in COMMANDS {
        let lines = answers(settings(), format!("{}\n", command.name));
        let inside = lines.strip_suffix("\n\n").unwrap();
        assert!(!inside.contains("\n\n"), "{}: {lines:?}", command.name);
        assert!(inside.starts_with("= ") || inside.starts_with("? "));
    }
}

#[test]
fn names_are_unique_and_menus_name_real_commands() {
    let names: BTreeSet<&str> = COMMANDS.iter().map(|command| command.name).collect();
    assert_eq!(names.len(), COMMANDS.len());
    let menu = answers(settings(), "hexgui-analyze_commands\n");
    for line in menu.trim_start_matches("= ").trim().lines() {
        let [_, _, command] = line.split('/').collect::<Vec<_>>()[..] else {
            panic!("{line:?} is not TYPE/LABEL/COMMAND");
        };
        assert!(names.contains(command.split(' ').next().unwrap()), "{line}");
    }
}

#[test]
fn whatever_comes_is_answered_and_nothing_breaks() {
    let mut input = Vec::new();
    for bytes in [
        &b"\xff\xfe\x00\x01\n"[..],
        b"99999999999999999999 name\n",
        b"-1 name\n",
        b"play b a99999999999999999999\n",
        b"play \xf0\x9f\x98\x80 a1\n",
        b"time_left b 1e400\n",
        b"time_left b nan\n",
        b"boardsize -5\n",
        b"boardsize 18446744073709551616\n",
        b"loadsgf /\n",
        b"set_random_seed -1\n",
    ] {
        input.extend_from_slice(bytes);
    }
    input.extend(vec![b'x'; 1 << 20]);
    input.extend_from_slice(b"\nname\n");
    let output = answers(settings(), input);
    assert!(
        output.ends_with("? unknown command\n\n= hexbot\n\n"),
        "{output}"
    );
    assert_eq!(output.matches("\n\n").count(), 13);
    assert_eq!(output.matches("= ").count(), 1, "{output}");
}

/// A controller that interrupts gets its answer long before the time is over.
#[test]
fn an_interruption_ends_the_command_in_progress_and_no_later_one() {
    let started = Instant::now();
    // The first interruption comes with nothing to interrupt.
    let input =
        "# interrupt\ngenmove b\n# interrupt\nparam_hexbot simulations 8\ngenmove w\nquit\n";
    let output = fed(&mut hex_line("gtp --time 1000 --swap off"), input);
    ended(&output, 0, &[]);
    let output = String::from_utf8(output.stdout).unwrap();
    let form = Regex::new(r"^= [a-k]\d+\n\n= \n\n= [a-k]\d+\n\n= \n\n$").unwrap();
    assert!(form.is_match(&output), "{output:?}");
    // A tenth of what was allowed: no noise reaches that far.
    assert!(started.elapsed() < Duration::from_secs(100));
}

#[test]
fn live_graphics_come_in_blocks_before_the_response() {
    let input = "param_hexbot live_graphics 1\nparam_hexbot simulations 4500\n\
                 boardsize 6\nplay b a2\nplay w d4\nreg_genmove b\n";
    let mut settings = settings();
    settings.swap = SwapRule::Off;
    let output = answers(settings, input);
    let block = Regex::new(
        r"(?m)^gogui-gfx:\nuct\nVAR( [BW] [a-f]\d)+\nINFLUENCE( [a-f]\d \d\.\d\d)+\nLABEL( [a-f]\d \d+)+\nTEXT .+\n\n",
    )
    .unwrap();
    // A proof may end the search before its pauses; then there is nothing to show.
    let blocks = block.find_iter(&output).count();
    assert_eq!(output.matches("gogui-gfx:").count(), blocks, "{output}");
    let responses = block.replace_all(&output, "");
    let form = Regex::new(r"^(= \n\n){5}= [a-f]\d\n\n$").unwrap();
    assert!(form.is_match(&responses), "{responses:?}");
}

#[test]
fn the_same_seed_gives_the_same_move() {
    let game = "param_hexbot simulations 300\nplay b d4\nplay w f6\nreg_genmove b\nreg_genmove b\n";
    let output = answers(settings(), game);
    let moves: Vec<&str> = output.split("\n\n").skip(3).take(2).collect();
    assert_eq!(moves[0], moves[1]);
    assert_eq!(answers(settings(), game), output);
}

#[test]
fn two_engines_play_a_whole_game_under_a_clock() {
    let mut engine = session(settings());
    respond(&mut engine, "boardsize 7");
    respond(&mut engine, "time_settings 1 0 0");
    let mut color = ["b", "w"].iter().cycle();
    for _ in 0..50 {
        let answer = respond(&mut engine, &format!("genmove {}", color.next().unwrap()));
        if answer == ["= resign"] {
            break;
        }
        assert!(answer[0].starts_with("= "), "{answer:?}");
    }
    let score = respond(&mut engine, "final_score");
    assert!(score == ["= B+"] || score == ["= W+"], "{score:?}");
}

/// Only a turn of the game takes its time: no other command does that searches for the colour.
#[test]
fn only_a_move_spends_the_clock() {
    let mut settings = settings();
    settings.swap = SwapRule::Off;
    let mut engine = session(settings);
    respond(&mut engine, "boardsize 7");
    let mut spent = Vec::new();
    let list = respond(&mut engine, "list_commands").join("\n");
    let names = list.trim_start_matches("= ").lines();
    let others = ["quit", "time_left", "play-game", "loadsgf", "savesgf"];
    for name in names.filter(|name| !others.contains(name)) {
        respond(&mut engine, "play b d4");
        respond(&mut engine, "time_left w 1");
        respond(&mut engine, &format!("{name} w"));
        if respond(&mut engine, "time_left w") != ["= 1.0"] {
            spent.push(name.to_owned());
        }
        respond(&mut engine, "clear_board");
    }
    assert_eq!(spent, ["genmove"]);
}

/// Each new game has its full clock. When the controller ends a time for each move, the owner's
/// number of simulations applies again.
#[test]
fn a_clock_is_for_each_game_and_the_owners_setting_stays() {
    let mut settings = settings();
    settings.swap = SwapRule::Off;
    let mut engine = session(settings);
    respond(&mut engine, "boardsize 7");
    respond(&mut engine, "time_settings 2 0 0");
    respond(&mut engine, "genmove b");
    assert_ne!(respond(&mut engine, "time_left b"), ["= 2.0"]);
    respond(&mut engine, "clear_board");
    assert_eq!(respond(&mut engine, "time_left b"), ["= 2.0"]);
    let simulations = |engine: &mut GtpSession| {
        respond(engine, "clear_board");
        let said = respond(engine, "hexbot-search b").concat();
        let words: Vec<&str> = said.split(' ').collect();
        let at = words.iter().position(|&word| word == "simulations");
        words[at.unwrap() - 1].parse::<u64>().unwrap()
    };
    respond(&mut engine, "time_settings 0 5 10");
    assert!(simulations(&mut engine) > 64);
    respond(&mut engine, "time_settings 0 5 0");
    assert!(simulations(&mut engine) <= 64);
}

/// Standard input of a controller that waits before each line.
struct Slow(Vec<&'static str>, Duration);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Some(line) = self.0.pop() else {
            return Ok(0);
        };
        std::thread::sleep(self.1);
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// How many visits the engine knows of in the position that the opponent's first answer leaves.
fn visits_after_the_answer(ponder: bool, level: &str) -> u64 {
    let mut settings = settings();
    (settings.ponder, settings.swap) = (ponder, SwapRule::Off);
    settings.level = level.parse().unwrap();
    let mut lines = vec![
        "genmove b\n",
        "time_left b\n",
        "hexbot-visits w\n",
        "quit\n",
    ];
    lines.reverse();
    let mut output = Vec::new();
    let input = BufReader::new(Slow(lines, Duration::from_millis(400)));
    serve(session(settings), input, &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let visits = output.split("\n\n").nth(2).unwrap();
    let numbers = visits
        .split_whitespace()
        .filter_map(|word| word.parse::<u64>().ok());
    numbers.sum()
}

/// During the opponent's time its position is searched, also after a question in between. The next
/// command or the end of the input stops this search at once.
#[test]
fn pondering_fills_the_tree_while_the_opponent_thinks() {
    let started = Instant::now();
    let simulations = 2 * 32;
    let pondered = visits_after_the_answer(true, "10");
    let waited = visits_after_the_answer(false, "10");
    assert!(waited <= simulations, "{waited} visits");
    assert!(pondered > simulations, "{pondered} visits");
    // A weaker level gets no stronger.
    let weaker = visits_after_the_answer(true, "9");
    assert!(weaker <= simulations, "{weaker} visits");
    // An hour would be pondered.
    assert!(started.elapsed() < Duration::from_secs(600));
}

#[test]
fn nothing_is_pondered_before_our_move_or_after_the_game() {
    let mut settings = settings();
    settings.ponder = true;
    let mut engine = session(settings);
    let started = Instant::now();
    engine.ponder(Stop::never());
    respond(&mut engine, "boardsize 2");
    respond(&mut engine, "param_game allow_swap 0");
    for line in ["play b a1", "play w b1", "genmove b"] {
        engine.ponder(Stop::never());
        respond(&mut engine, line);
    }
    assert_eq!(respond(&mut engine, "final_score"), ["= B+"]);
    engine.ponder(Stop::never());
    assert!(started.elapsed() < Duration::from_secs(600));
}

#[test]
fn games_are_played_on_several_threads() {
    let output = answers(
        settings(),
        "param_hexbot threads 3\nboardsize 6\nplay b a2\nplay w d4\ngenmove b\nquit\n",
    );
    let form = Regex::new(r"^(= \n\n){4}= [a-f]\d\n\n= \n\n$").unwrap();
    assert!(form.is_match(&output), "{output:?}");
}

/// A move that was never tried is worth nothing that is known: it is not drawn as a certain loss.
#[test]
fn moves_that_were_not_tried_are_not_drawn() {
    let mut settings = settings();
    (settings.effort, settings.swap) = (Effort::Simulations(4), SwapRule::Off);
    let said = respond(&mut session(settings), "gogui-gfx-analyze b").join("\n");
    let moves = said.matches("info move").count();
    let tried = Regex::new(r"visits [1-9]\d* winrate").unwrap();
    assert!((1..=4).contains(&moves), "{said}");
    assert_eq!(tried.find_iter(&said).count(), moves, "{said}");
}

/// benzene's tournament scripts give every engine a seed of their own and the name of a log.
#[test]
fn the_options_of_benzenes_tournaments_are_taken() {
    let options = "gtp --seed 5 --seed 940123 --logfile-name no/such/folder/log";
    succeed(hex_line(options).stdin(Stdio::null()));
}

/// What is saved is what is loaded again.
#[test]
fn a_saved_game_loads_again() {
    let folder = Place::new();
    let path = folder.at("game.sgf");
    let mut engine = session(settings());
    for action in ["b a2", "w swap-pieces", "b d4", "w e5", "w f6"] {
        respond(&mut engine, &format!("play {action}"));
    }
    let board = respond(&mut engine, "showboard");
    let saved = respond(&mut engine, &format!("savesgf {}", path.display()));
    assert_eq!(saved, ["= "]);
    respond(&mut engine, "clear_board");
    respond(&mut engine, &format!("loadsgf {}", path.display()));
    assert_eq!(respond(&mut engine, "showboard"), board);
}

/// Notes about a record go to standard error, not into the protocol.
#[test]
fn notes_about_a_loaded_game_go_to_stderr() {
    let folder = Place::new();
    let file = folder.at("late.sgf");
    std::fs::write(&file, "(;FF[4]GM[11]SZ[2];B[a1];W[b1];B[a2];W[resign])").unwrap();
    let input = format!("loadsgf {}\nquit\n", file.display());
    let output = fed(&mut hex_line("gtp"), input);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "= \n\n= \n\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_note = |line: &str| line.starts_with("hex gtp: note: ") && line.contains("resign");
    assert!(said.lines().any(is_note), "{said}");
}
