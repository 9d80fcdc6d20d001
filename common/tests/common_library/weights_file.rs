//! Files with weights, and what is wrong with them in the words that users see.

use hex_common::weights_file;
use std::fs;
use std::path::Path;

#[test]
fn unreadable_weights_name_their_file() {
    let error = |path: &Path| format!("{:#}", weights_file::read(path).unwrap_err());
    let found = error("no-such.weights".as_ref());
    assert!(
        found.starts_with("cannot read no-such.weights: "),
        "{found}"
    );
    let shipped = include_bytes!("../../../src/network/shipped.weights");
    let mut damaged = shipped.to_vec();
    damaged[1000] ^= 1;
    let file = tempfile::NamedTempFile::new().unwrap();
    for (content, why) in [
        (&b"nothing"[..], "the weights' magic number cannot be"),
        (&shipped[..9000], "the weights' checksum cannot be"),
        (&damaged, "the weights' checksum cannot be"),
    ] {
        fs::write(file.path(), content).unwrap();
        let found = error(file.path());
        let name = file.path().display();
        let wanted = format!("{name} is not a file of weights; `python");
        assert!(found.starts_with(&wanted) && found.contains(why), "{found}");
        assert!(found.ends_with(": export them again"), "{found}");
    }
    fs::write(file.path(), shipped).unwrap();
    weights_file::read(file.path()).expect("the shipped file is whole");
}
