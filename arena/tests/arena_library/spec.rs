//! Lists of players.

use hex_arena::spec;
use std::fs;
use tempfile::TempDir;

/// A list of players, read with a mark and without.
#[test]
fn a_list_of_players_may_begin_with_a_mark() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("players.toml");
    let text = "[[player]]\nname = \"one\"\ncommand = \"builtin:simulations=2\"\n";
    let read = |text: String| {
        fs::write(&path, text).unwrap();
        format!("{:?}", spec::roster(&path).unwrap())
    };
    assert_eq!(read(format!("\u{feff}{text}")), read(text.to_owned()));
}
