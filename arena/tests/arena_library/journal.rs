//! What a bot said, cut to a size.

use hex_arena::journal::{Excerpt, Journal, Way};
use proptest::prelude::*;

proptest! {
    /// However the text is cut into pieces, its beginning and end are kept, and the number of bytes
    /// between them is reported.
    #[test]
    fn an_excerpt_has_both_ends(
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
        half in 1_usize..60,
    ) {
        let mut excerpt = Excerpt::of(2 * half);
        pieces.iter().for_each(|piece| excerpt.push(piece));
        let whole = pieces.concat();
        let kept = excerpt.bytes();
        if whole.len() <= 2 * half {
            prop_assert_eq!(kept, whole);
        } else {
            let left_out = whole.len() - 2 * half;
            let cut = format!("\n[{left_out} bytes are left out here]\n");
            let tail = &whole[whole.len() - half..];
            prop_assert_eq!(kept, [&whole[..half], cut.as_bytes(), tail].concat());
        }
    }
}

#[test]
fn a_journal_tells_who_said_what() {
    let journal = Journal::default();
    journal.note(Way::Sent, "5 red\nempty\n");
    journal.note(Way::Received, "a1 hello");
    journal.note(Way::Unfinished, "b");
    journal.note(Way::Unfinished, "");
    let text = String::from_utf8(journal.transcript()).unwrap();
    let said = text.lines().map(|line| {
        let (ms, said) = line.trim().split_once(' ').unwrap();
        assert!(ms.parse::<f64>().unwrap() >= 0.0, "{text}");
        said
    });
    let wanted = ["> 5 red", "> empty", "< a1 hello", "< (no newline) b"];
    assert_eq!(said.collect::<Vec<_>>(), wanted);
    assert!(journal.errors().is_empty());
    journal.note_errors(b"panic\n");
    assert_eq!(journal.last_errors(3), b"ic\n");
}
