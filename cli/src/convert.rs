//! `hex convert`: records of games from one format into another.

use anyhow::{bail, ensure, Context};
use hex_common::aside::tell_line;
use hex_common::games_input::{self, NamedGame, Reading};
use hex_common::record_input::{parse_side, show_notes, Record, UndecidedSwap};
use hex_core::record::sgf::{Collection, SgfContents, SwapMeaning};
use hex_core::record::{
    hexworld, is_sgf, move_list, parse_game, parse_game_with, sgf, Ending, Game, Outcome, Side,
};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Convert games of SGF, HexWorld, CodinGame and lists of moves
///
/// The format that is read is recognised: SGF begins with a parenthesis, HexWorld games are links
/// (or what follows their `#`), games of CodinGame's site are JSON, turns of its judge begin with
/// `11 red` or the last move, drawings are rows of `.`, `r` and `b`, and all else is a list of
/// moves such as `a2 swap-pieces f6`.
///
/// SGF becomes SGF with all its games, variations and properties; what another format cannot hold
/// is named on standard error. With `--out`, the games of a folder, a zip or a `.jsonl` file are
/// written into a file each; of SGF the main lines.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file, or a HexWorld link itself or what follows its `#`; standard input if left out
    input: Option<String>,

    /// The format to write
    #[arg(long, value_enum)]
    to: ConvertFormat,

    /// Side of the board, for a list of moves
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// What a swap in SGF means where neither the next move nor the writing program shows it
    #[arg(long, value_enum, value_name = "MEANING")]
    swap: Option<UndecidedSwap>,

    /// Write all games of a folder, a zip, a `.jsonl` or any other file here, a file each
    #[arg(long, value_name = "FOLDER", requires = "input")]
    out: Option<PathBuf>,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ConvertFormat {
    /// Smart Game Format: version 4, game 11
    Sgf,
    /// A link to HexWorld's board
    Hexworld,
    /// The moves on one line, without the side of the board
    Moves,
}

impl ConvertFormat {
    /// The ending of files in this format.
    fn ending(self) -> &'static str {
        match self {
            ConvertFormat::Sgf => "sgf",
            ConvertFormat::Hexworld | ConvertFormat::Moves => "txt",
        }
    }
}

/// Reads a game and prints it in the format asked for.
///
/// # Errors
/// If the input is not a game, or the format cannot express it.
pub fn run(args: Args) -> anyhow::Result<()> {
    let undecided = args.swap.map(SwapMeaning::from);
    let path = args.input.as_deref().map(Path::new);
    if let (Some(path), Some(out)) = (path, &args.out) {
        let reading = Reading {
            side: args.side,
            undecided,
        };
        return convert_all(path, out, args.to, reading);
    }
    if let Some(path) = path.filter(|path| path.exists() && games_input::holds_many(path)) {
        bail!(
            "{} may hold many games: --out FOLDER converts each into a file",
            path.display()
        );
    }
    let record = Record::read(args.input.as_deref())?;
    let (written, notes) = record.with(|text| convert(text, args.to, args.side, undecided))?;
    show_notes("convert", &notes);
    Ok(std::io::stdout().write_all(written.as_bytes())?)
}

/// Converts all games at a path into a file each. One that cannot be converted is reported, and the
/// others are still converted.
fn convert_all(
    path: &Path,
    out: &Path,
    target: ConvertFormat,
    reading: Reading,
) -> anyhow::Result<()> {
    let games = games_input::games(&[path.to_owned()], reading)?;
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let (mut names, mut failed, mut notes) = (HashMap::new(), 0, Vec::new());
    for NamedGame { name, game } in games {
        let written = game.and_then(|game| {
            let written = write(&game, target)?;
            let left_out = left_out(&game, None, target, &written);
            let own = game.notes.iter().cloned().chain(left_out);
            notes.extend(own.map(|note| format!("{name}: {note}")));
            Ok(written)
        });
        let written = match written {
            Ok(written) => written,
            Err(error) => {
                failed += 1;
                tell_line(format_args!("hex convert: {name}: {error:#}"));
                continue;
            }
        };
        let file = out.join(file_name(&name, path, target, &mut names));
        // Nothing of an earlier conversion is lost.
        let created = File::create_new(&file).and_then(|mut new| new.write_all(written.as_bytes()));
        created.with_context(|| format!("cannot write {}", file.display()))?;
    }
    show_notes("convert", &notes);
    let converted: usize = names.values().sum();
    ensure!(
        converted > 0 || failed > 0,
        "{}: there is no game (.json, .jsonl, .sgf, .txt, .zip)",
        path.display()
    );
    ensure!(
        failed == 0,
        "{failed} of {} games are not converted",
        failed + converted
    );
    Ok(())
}

/// The name of a game's file: where the game was found below `path`, in plain characters.
fn file_name(
    name: &str,
    path: &Path,
    target: ConvertFormat,
    names: &mut HashMap<String, usize>,
) -> String {
    let below = name.strip_prefix(&*path.to_string_lossy()).unwrap_or(name);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let place = match below.trim_start_matches('/') {
        place if place.is_empty() || place.starts_with(',') => format!("{name}{place}"),
        place => place.to_owned(),
    };
    let endings = [".json", ".sgf", ".txt"];
    let stem = endings.iter().find_map(|ending| place.strip_suffix(ending));
    let stem = stem.unwrap_or(&place);
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let words = stem.split(|c| !is_plain(c)).filter(|word| !word.is_empty());
    let mut plain = words.collect::<Vec<_>>().join("-");
    let count = names.entry(plain.clone()).or_insert(0);
    *count += 1;
    if *count > 1 {
        plain += &format!("-{count}");
    }
    format!("{plain}.{}", target.ending())
}

/// A record in another format, and what the user should know about it, a sentence each.
///
/// # Errors
/// If it is not a game, or the format cannot express it.
pub fn convert(
    text: &str,
    target: ConvertFormat,
    side: Side,
    undecided: Option<SwapMeaning>,
) -> anyhow::Result<(String, Vec<String>)> {
    if is_sgf(text) && target == ConvertFormat::Sgf {
        let collection = Collection::parse(text, undecided)?;
        return Ok((collection.write(), collection.notes));
    }
    let game = parse_game_with(text, side, undecided)?;
    let written = write(&game, target)?;
    let mut notes = game.notes.clone();
    let contents = match is_sgf(text).then(|| SgfContents::of(text)) {
        Some(Ok(contents)) => Some(contents),
        Some(Err(error)) => {
            notes.push(format!("behind the main line is no SGF: {error}"));
            None
        }
        None => None,
    };
    notes.extend(left_out(&game, contents.as_ref(), target, &written));
    Ok((written, notes))
}

/// Properties of SGF that say nothing about the game itself.
const OF_THE_FILE: [&str; 4] = ["FF", "GM", "CA", "AP"];

/// Properties that a list of moves and a link have in other words, if they do at all.
const OF_THE_MOVES: [&str; 3] = ["B", "W", "RE"];

/// The note about what a format does not hold of a game; `None` if it holds all.
fn left_out(
    game: &Game,
    contents: Option<&SgfContents>,
    target: ConvertFormat,
    written: &str,
) -> Option<String> {
    let mut missing = contents.map_or(Vec::new(), SgfContents::others);
    if target == ConvertFormat::Moves && game.side() != Side::CODINGAME {
        missing.push(format!("the board's side {}", game.side()));
    }
    if contents.is_none() && target != ConvertFormat::Sgf {
        if game.players.iter().any(|name| !name.is_empty()) {
            missing.push("the players' names".to_owned());
        }
        let mut comments = game.turns().iter().map(|turn| &turn.comment);
        if !game.comment.is_empty() || comments.any(|comment| !comment.is_empty()) {
            missing.push("the remarks".to_owned());
        }
    }
    let outcome = |game: &Game| game.outcome().map(|outcome| outcome.winner);
    let again = parse_game(written, game.side()).ok();
    if again.is_some_and(|again| outcome(&again) != outcome(game)) {
        missing.push("the result".to_owned());
    }
    let of_setup: &[&str] = match target {
        ConvertFormat::Moves => &["SZ"],
        _ => &["SZ", "AB", "AW", "AE", "PL"],
    };
    let names = contents.map_or(&[][..], |contents| &contents.properties);
    let is_held = |name: &str| {
        [&OF_THE_FILE[..], &OF_THE_MOVES, of_setup]
            .iter()
            .any(|held| held.contains(&name))
    };
    let others: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|n| !is_held(n))
        .collect();
    if !others.is_empty() {
        missing.push(format!("the properties {}", others.join(" ")));
    }
    let format = match target {
        ConvertFormat::Sgf => "SGF",
        ConvertFormat::Hexworld => "a link",
        ConvertFormat::Moves => "a list of moves",
    };
    let note = format!("{format} cannot hold all; left out: {}", missing.join(", "));
    (!missing.is_empty()).then_some(note)
}

/// The game in a format, with a line break at the end.
///
/// # Errors
/// If the format cannot express the game: a list of moves has neither stones that are set up nor
/// moves out of turn, and without a move it would be nothing.
pub fn write(game: &Game, target: ConvertFormat) -> anyhow::Result<String> {
    match target {
        ConvertFormat::Sgf => Ok(sgf::write(game)),
        ConvertFormat::Hexworld => Ok(hexworld::write(game) + "\n"),
        ConvertFormat::Moves => {
            let moves = move_list::write(game);
            ensure!(
                !moves.is_empty(),
                "a list of moves cannot express a game without any; use --to sgf or --to hexworld"
            );
            let read_again = move_list::parse(&moves, game.side()).ok();
            ensure!(
                read_again.is_some_and(|again| same_course(&again, game)),
                "a list of moves cannot express stones that are set up, moves out of turn, or that \
                 somebody resigned who was not to move; use --to sgf or --to hexworld"
            );
            Ok(moves + "\n")
        }
    }
}

/// Returns true if both games go through the same moves by the same colours from the same
/// beginning, and the same player resigned in both or nobody did.
fn same_course(a: &Game, b: &Game) -> bool {
    let course = |game: &Game| -> Vec<_> {
        let turns = game.turns().iter();
        turns.map(|turn| (turn.color, turn.action)).collect()
    };
    let resignation = |game: &Game| {
        let resigned = |outcome: &Outcome| outcome.ending == Ending::Resignation;
        game.outcome().filter(resigned)
    };
    a.setup() == b.setup() && course(a) == course(b) && resignation(a) == resignation(b)
}
