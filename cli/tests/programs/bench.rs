//! `hex lab bench`: that its signature stays the same from run to run, and that comparing it with a
//! recorded one finds every difference. What the number is, is CI's business.

use crate::common::hex;
use std::process::Output;

/// Simulations a search: few, for builds without optimisation.
const FEW: [&str; 2] = ["--simulations", "20"];

fn bench(arguments: &[&str]) -> Output {
    let mut command = hex();
    let output = command.args(["lab", "bench"]).args(arguments).output();
    output.expect("hex can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The last line of the output.
fn signature(output: &Output) -> String {
    let last = text(&output.stdout).lines().last().map(str::to_owned);
    last.unwrap_or_default()
}

#[test]
fn the_signature_is_the_same_again_and_another_for_other_searches() {
    let [first, second, other] =
        [FEW, FEW, ["--simulations", "21"]].map(|arguments| signature(&bench(&arguments)));
    let number = first.strip_prefix("Bench: ").map(str::parse::<u32>);
    assert!(matches!(number, Some(Ok(_))), "{first:?}");
    assert_eq!(first, second);
    assert_ne!(first, other);
}

#[test]
fn a_recorded_signature_is_compared() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join("bench.txt");
    let file = path.to_str().expect("the path is text");
    let [simulations, few] = FEW;
    let recorded = bench(&[simulations, few, "--record", file]);
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let written = std::fs::read_to_string(&path).expect("it was recorded");
    assert_eq!(written.trim_end(), signature(&recorded));
    let same = bench(&[simulations, few, "--check", file]);
    assert!(same.status.success(), "{}", text(&same.stderr));

    let cases = [
        ("Bench: 1\n", "the signature is"),
        ("Bench: -1\n", "not a signature"),
        ("", "has no line"),
    ];
    for (content, complaint) in cases {
        std::fs::write(&path, content).expect("the file can be written");
        let output = bench(&[simulations, few, "--check", file]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{content:?}: {said}");
        assert!(
            said.contains(complaint) && said.contains(file),
            "{content:?}: {said}"
        );
        assert!(said.contains("--record"), "no cure in {said}");
    }
}

#[test]
fn a_file_that_is_missing_is_named() {
    let output = bench(&["--check", "no-such-file.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-file.txt"));
}
