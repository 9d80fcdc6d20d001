//! `hex convert`: converts records of games between formats.

use anyhow::{bail, ensure, Context};
use hex_common::aside::tell_line;
use hex_common::games_input::{self, NamedGame, Reading};
use hex_common::options;
use hex_common::record_input::{parse_side, show_notes, Record, SWAP_MEANINGS};
use hex_core::record::conversion::{convert, left_out, write, WrittenFormat};
use hex_core::record::sgf::SwapMeaning;
use hex_core::record::Side;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Convert games: SGF, HexWorld, CodinGame and lists of moves
///
/// The format of the input is recognised: SGF begins with a parenthesis, HexWorld games are links
/// (or the part after their `#`), games of CodinGame's site are JSON, turns of its judge begin with
/// `11 red` or the last move, drawings are rows of `.`, `r` and `b`, and everything else is a list
/// of moves such as `a2 swap-pieces f6`.
///
/// SGF becomes SGF with all its games, variations and properties. For other formats, standard error
/// lists the parts that they cannot hold. With `--out`, each game of a folder, a zip or a `.jsonl`
/// file is written into its own file; from SGF only main lines.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file, a HexWorld link or the part after its `#`; standard input if left out
    input: Option<String>,

    /// The format to write
    #[arg(long, value_parser = options::choice(FORMATS))]
    to: WrittenFormat,

    /// Side of the board, for a list of moves
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// The meaning of a swap in SGF if neither the next move nor the writing program shows it
    #[arg(long, value_name = "MEANING", value_parser = options::choice(SWAP_MEANINGS))]
    swap: Option<SwapMeaning>,

    /// Write all games of a folder, a zip, a `.jsonl` or any other file here, each into its own
    /// file
    #[arg(long, value_name = "FOLDER", requires = "input")]
    out: Option<PathBuf>,
}

/// The formats to write.
const FORMATS: [(&str, &str, WrittenFormat); 3] = [
    (
        "sgf",
        "Smart Game Format: version 4, game 11",
        WrittenFormat::Sgf,
    ),
    (
        "hexworld",
        "A link to HexWorld's board",
        WrittenFormat::HexWorld,
    ),
    (
        "moves",
        "The moves on one line, without the side of the board",
        WrittenFormat::Moves,
    ),
];

/// The extension of files in a format.
fn ending(format: WrittenFormat) -> &'static str {
    match format {
        WrittenFormat::Sgf => "sgf",
        WrittenFormat::HexWorld | WrittenFormat::Moves => "txt",
    }
}

/// Reads a game and prints it in another format.
///
/// # Errors
/// If the input is not a game, or the format cannot express it.
pub fn run(args: Args) -> anyhow::Result<()> {
    let (undecided, target) = (args.swap, args.to);
    let path = args.input.as_deref().map(Path::new);
    if let (Some(path), Some(out)) = (path, &args.out) {
        let reading = Reading {
            side: args.side,
            undecided,
        };
        return convert_all(path, out, target, reading);
    }
    if let Some(path) = path.filter(|path| path.exists() && games_input::holds_many(path)) {
        bail!(
            "{} may contain many games: --out FOLDER converts each into its own file",
            path.display()
        );
    }
    let record = Record::read(args.input.as_deref())?;
    let (written, notes) = record.with(|text| Ok(convert(text, target, args.side, undecided)?))?;
    show_notes("convert", &notes);
    Ok(std::io::stdout().write_all(written.as_bytes())?)
}

/// Converts each game at a path into its own file. Reports games that cannot be converted, and
/// converts the others.
fn convert_all(
    path: &Path,
    out: &Path,
    target: WrittenFormat,
    reading: Reading,
) -> anyhow::Result<()> {
    let mut games = games_input::games(&[path.to_owned()], reading)?;
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let (mut names, mut failed, mut notes) = (HashMap::new(), 0, Vec::new());
    for NamedGame { name, game } in games.by_ref() {
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
        // Never overwrites an earlier conversion.
        let created = File::create_new(&file).and_then(|mut new| new.write_all(written.as_bytes()));
        created.with_context(|| format!("cannot write {}", file.display()))?;
    }
    show_notes("convert", &games.take_notes());
    show_notes("convert", &notes);
    let converted: usize = names.values().sum();
    ensure!(
        converted > 0 || failed > 0,
        "{}: contains no game (.json, .jsonl, .sgf, .txt, .zip)",
        path.display()
    );
    ensure!(
        failed == 0,
        "{failed} of {} games are not converted",
        failed + converted
    );
    Ok(())
}

/// The name of a game's file: its place below `path`, in plain characters.
fn file_name(
    name: &str,
    path: &Path,
    target: WrittenFormat,
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
    format!("{plain}.{}", ending(target))
}
