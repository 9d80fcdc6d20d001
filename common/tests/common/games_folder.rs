//! A folder with games in every form. The tests of cli use it, too.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The text of a game of the site.
pub fn site(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/data/site");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Writes a zip of these files.
pub fn zipped(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// A folder with a game in every form.
pub fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("b.json", &site("timeout.json"));
    put("a.json", &site("runner.json"));
    put("ignored.md", "no game");
    put(".hidden.json", "no game");
    put("other.json", &site("other-game.json"));
    put(
        "collection.sgf",
        "(;GM[11]SZ[5];B[a1];W[b2])\n(;GM[11]SZ[5];B[c3])(;GM[11]SZ[5];B[z9])",
    );
    put("turn.txt", &site("turn.txt"));
    let lines = format!(
        "{}\n{}{{\n\n{}",
        site("illegal.json"),
        site("whole.json"),
        site("timeout.json")
    );
    put("lines.jsonl", &lines);
    fs::create_dir(folder.path().join("inner")).unwrap();
    put("inner/moves.txt", "a1 swap-pieces f6");
    let whole = site("whole.json");
    let files: [(&str, &[u8]); 4] = [
        ("z/whole.json", whole.as_bytes()),
        ("__MACOSX/z/._whole.json", b"no game"),
        ("again.zip", b"PK"),
        ("cut.json", b"{\"frames\": ["),
    ];
    zipped(&folder.path().join("games.zip"), &files);
    folder
}
