//! `hex lab bench`: that its signature stays the same from run to run, and that comparing it with a
//! recorded one finds every difference. What the number is, is CI's business.

use crate::common::{hex_line, refused, Place};

/// The last line of what this prints.
fn signature(printed: &str) -> String {
    printed.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_signature_is_the_same_again_and_another_for_other_searches() {
    let [first, second, other] = [20, 20, 21].map(|simulations| {
        let words = format!("lab bench --simulations {simulations}");
        signature(&Place::new().run(&words))
    });
    let number = first.strip_prefix("Bench: ").map(str::parse::<u32>);
    assert!(matches!(number, Some(Ok(_))), "{first:?}");
    assert_eq!(first, second);
    assert_ne!(first, other);
}

#[test]
fn a_recorded_signature_is_compared() {
    let place = Place::new();
    let recorded = place.run("lab bench --simulations 20 --record bench.txt");
    assert_eq!(place.read("bench.txt").trim_end(), signature(&recorded));
    let check = "lab bench --simulations 20 --check bench.txt";
    place.run(check);
    for (content, complaint) in [
        ("Bench: 1\n", "the signature is"),
        ("Bench: -1\n", "not a signature"),
        ("", "has no line"),
    ] {
        place.write("bench.txt", content);
        refused(place.hex(check), &[complaint, "bench.txt", "--record"]);
    }
}

#[test]
fn a_file_that_is_missing_is_named() {
    let check = hex_line("lab bench --check no-such-file.txt");
    refused(check, &["no-such-file.txt"]);
}
