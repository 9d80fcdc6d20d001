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
    let [timeout, illegal, whole] =
        ["timeout", "illegal", "whole"].map(|n| site(&format!("{n}.json")));
    put("b.json", &timeout);
    put("a.json", &site("runner.json"));
    put("ignored.md", "no game");
    put(".hidden.json", "no game");
    put("other.json", &site("other-game.json"));
    let sgf = "(;GM[11]SZ[5];B[a1];W[b2])\n(;GM[11]SZ[5];B[c3])(;GM[11]SZ[5];B[z9])";
    put("collection.sgf", sgf);
    put("turn.txt", &site("turn.txt"));
    put("lines.jsonl", &format!("{illegal}\n{whole}{{\n\n{timeout}"));
    fs::create_dir(folder.path().join("inner")).unwrap();
    put("inner/moves.txt", "a1 swap-pieces f6");
    let files: [(&str, &[u8]); 4] = [
        ("z/whole.json", whole.as_bytes()),
        ("__MACOSX/z/._whole.json", b"no game"),
        ("again.zip", b"PK"),
        ("cut.json", b"{\"frames\": ["),
    ];
    zipped(&folder.path().join("games.zip"), &files);
    folder
}
