//! Opening records on the page of `hex web`: zip files, files with several games, and refused
//! files, in a real headless Chromium. Without Chromium the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::support::browser::{Screen, SHOWN};
use crate::support::local;
use crate::support::page::{visit, visit_with};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The rows of the list: the game and its players, or the error. A star marks the open one.
const ROWS: &str = "$$('#games tr').map((row) =>
    (row.hasAttribute('aria-current') ? '*' : '') + [...row.cells].map((cell) => cell.textContent).filter(Boolean).join('|')).join('; ')";

const ANN: &str = "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[a2];W[b3])";
const CEM: &str = "(;GM[11]SZ[5]PB[Cem]PW[Ann];B[b4];W[c3];B[c4])";

/// Writes a zip.
fn zipped(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let stored = packed.compression_method(CompressionMethod::Stored);
    for (index, (name, bytes)) in files.iter().enumerate() {
        let options = if index % 2 == 0 { packed } else { stored };
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// A zip with a game in every format, and the rows of its list.
fn games(folder: &Path) -> (std::path::PathBuf, String) {
    let path = folder.join("battles.zip");
    let both = format!("{ANN}{CEM}");
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/data/site");
    let lines = ["timeout.json", "whole.json"].map(|name| std::fs::read_to_string(site.join(name)));
    let lines = lines.map(Result::unwrap).concat();
    zipped(
        &path,
        &[
            ("all/ann.sgf", ANN.as_bytes()),
            ("all/both.sgf", both.as_bytes()),
            ("all/again.zip", b"PK"),
            ("all/moves.txt", b"a1"),
            ("all/older/cem.sgf", CEM.as_bytes()),
            ("all/lines.jsonl", lines.as_bytes()),
            ("all/.hidden.sgf", b"nothing"),
            ("__MACOSX/all/ann.sgf", b"nothing"),
            ("all/pictures.png", b"nothing"),
        ],
    );
    let rows = [
        "again.zip|a zip in a zip is not read; unpack it first",
        "*ann.sgf|Ann|Bob|2|unknown",
        "both.sgf, game 1|Ann|Bob|2|unknown",
        "both.sgf, game 2|Cem|Ann|3|unknown",
        "moves.txt|unknown|unknown|1|unknown",
        "older/cem.sgf|Cem|Ann|3|unknown",
        "lines.jsonl, line 1|alice|Boss 4|3|Red won on time",
        "lines.jsonl, line 2|alice|Boss 4|23|Red won by joining the edges",
    ];
    (path, rows.join("; "))
}

#[test]
fn zips_of_games_are_listed() {
    let folder = TempDir::new().unwrap();
    let (path, rows) = games(folder.path());
    let page = needs!(visit(""));
    page.drop_files(&[&path]);
    page.wait(&format!("{ROWS} === {rows:?}"));
    assert_eq!(page.text_of("#records-name"), "battles.zip: 8 games");
    // A zip with one game is that game.
    let only = folder.path().join("only.zip");
    zipped(&only, &[("cem.sgf", CEM.as_bytes())]);
    page.drop_files(&[&only]);
    page.wait_for_address("#5,b4c3c4");
}

#[test]
fn zip_bombs_are_refused() {
    let folder = TempDir::new().unwrap();
    let [bomb, cut] = ["bomb.zip", "cut.zip"].map(|name| folder.path().join(name));
    zipped(
        &bomb,
        &[
            ("bomb.sgf", &vec![b' '; 64_000_001]),
            ("good.sgf", ANN.as_bytes()),
        ],
    );
    let bytes = std::fs::read(&bomb).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 30]).unwrap();
    // A zip that states a smaller size than it has.
    let lying = folder.path().join("lying.zip");
    let mut bytes = bytes;
    let stated = 64_000_001_u32.to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 4)
        .filter(|&at| bytes[at..at + 4] == stated)
        .collect();
    assert_eq!(places.len(), 2);
    for at in places {
        bytes[at..at + 4].copy_from_slice(&9_u32.to_le_bytes());
    }
    std::fs::write(&lying, bytes).unwrap();
    let page = needs!(visit(""));
    for path in [&bomb, &lying] {
        page.drop_files(&[path]);
        let rows = "bomb.sgf|it unpacks to more than 64 MB, which is the most that is read; *good.sgf|Ann|Bob|2|unknown";
        let name = path.file_name().unwrap().display();
        let title = format!("$('#records-name').textContent.startsWith('{name}')");
        page.wait(&format!("{title} && {ROWS} === {rows:?}"));
    }
    page.drop_files(&[&cut]);
    page.wait("$('#problem').textContent === 'cut.zip: this zip cannot be read'");
}

#[test]
fn many_games_of_the_command_line_are_listed() {
    let folder = TempDir::new().unwrap();
    games(folder.path());
    std::fs::write(folder.path().join("mine.sgf"), CEM).unwrap();
    let page = needs!(visit_with(&[folder.path().to_str().unwrap()], ""));
    let begin = "battles.zip/all/again.zip|a zip in a zip is not read";
    let end = "; mine.sgf|Cem|Ann|3|unknown";
    page.wait(&format!(
        "{ROWS}.startsWith({begin:?}) && {ROWS}.endsWith({end:?})"
    ));
    page.wait_for_address("#5,a2b3");
}

#[test]
fn all_games_of_a_file_are_listed() {
    let page = needs!(visit(""));
    page.paste(&format!("{ANN} {CEM}"));
    let rows = "*Pasted games, game 1|Ann|Bob|2|unknown; Pasted games, game 2|Cem|Ann|3|unknown";
    page.wait(&format!("{ROWS} === {rows:?}"));
}

/// The page reports a refused file, and the browser's console stays empty, with and without a
/// server.
#[test]
fn refusals_are_shown_but_not_logged() {
    let said = "$('#problem').textContent.startsWith('The pasted text is not a game: ')";
    if let Some(page) = visit("") {
        page.paste("z99");
        page.wait(said);
        page.goto("#5,a1a1;red=person;blue=person");
        page.wait_for_words("#problem", "a1 holds a red stone");
    }
    if let Some(page) = local::visit("") {
        page.paste("z99");
        page.wait(said);
    }
}

/// A lost game against a bot on a phone: choosing anything below the board scrolls back to it.
#[test]
fn a_lost_game_is_reviewed_on_a_phone() {
    let game = "(;GM[11]SZ[5]PB[Mine]PW[Other];B[c1];W[a5];B[c2];W[b5];B[c3];W[d5];B[c4];W[e5];B[a1];W[c5])";
    let page = needs!(visit(""));
    page.resize(390, 844, Screen::Phone);
    page.click("#tab-games");
    page.wait("scrollY > 100");
    page.drop_text("lost.sgf", game);
    page.wait_for_status("Blue (Other) has won");
    page.wait(&format!("{SHOWN} && scrollY === 0"));
    // A finished game has other buttons.
    let shown = "['hint', 'resign', 'again', 'my-mistakes'].filter((id) => !document.getElementById(id).hidden).join()";
    assert_eq!(page.text(shown), "my-mistakes");
    page.click("#my-mistakes");
    page.wait("$$('#mistakes li').length > 0 && $('#review').textContent === 'Find mistakes'");
    let place = "$('#mistakes').getBoundingClientRect()";
    page.wait(&format!("{place}.top > 0 && {place}.top < innerHeight"));
    page.click("#mistakes li:last-child > button");
    page.wait("$('#mistakes [aria-current]') !== null && scrollY === 0");
}
