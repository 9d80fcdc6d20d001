//! Files with weights, and what is wrong with them in the words that users see.

use hex_common::weights_file;
use std::fs;

#[test]
fn unreadable_weights_name_their_file() {
    let error = weights_file::read("no-such.weights".as_ref()).unwrap_err();
    assert!(
        format!("{error:#}").starts_with("cannot read no-such.weights: "),
        "{error:#}"
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
        let error = format!("{:#}", weights_file::read(file.path()).unwrap_err());
        let wanted = format!(
            "{} is not a file of weights; `python",
            file.path().display()
        );
        assert!(error.starts_with(&wanted), "{error}");
        assert!(error.contains(why), "{error}");
        assert!(error.ends_with(": export them again"), "{error}");
    }
    fs::write(file.path(), shipped).unwrap();
    weights_file::read(file.path()).expect("the shipped file is whole");
}
