//! Conversions: what is written can be read again, in every format, for random games.

use super::record::any_game;
use hex_core::record::conversion::{write, WrittenFormat};
use hex_core::record::{decode, parse_game, parse_tree, Ending, Game, Move, Outcome, Side};
use hexbot::cell::Color;
use proptest::prelude::*;

fn course(game: &Game) -> Vec<(Color, Move)> {
    let turns = game.turns().iter();
    turns.map(|turn| (turn.color, turn.action)).collect()
}

fn resignation(game: &Game) -> Option<Outcome> {
    let outcome = game.outcome();
    outcome.filter(|outcome| outcome.ending == Ending::Resignation)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_format_gives_the_game_back(game in any_game()) {
        for target in [WrittenFormat::Sgf, WrittenFormat::HexWorld, WrittenFormat::Moves] {
            let is_list = target == WrittenFormat::Moves;
            let Ok(text) = write(&game, target) else {
                // A list has no end out of turn, and an empty one is not read.
                prop_assert!(is_list && (game.turns().is_empty() || game.outcome().is_some()));
                continue;
            };
            let again = parse_game(&text, game.side()).unwrap();
            prop_assert_eq!(course(&again), course(&game), "{:?}: {}", target, text);
            prop_assert_eq!(again.position(), game.position());
            prop_assert!(is_list || again == game, "{:?}: {}", target, text);
            // Of all ends without a connection a list has resignations alone.
            prop_assert_eq!(resignation(&again), resignation(&game), "{:?}: {}", target, text);
            // A second time nothing changes any more.
            prop_assert_eq!(write(&again, target).unwrap(), text);
        }
    }

    #[test]
    fn no_broken_record_breaks_the_reader(cut in 0usize..120, junk in "[;:()\\[\\]a-z0-9,#]{0,6}") {
        let record = "(;FF[4]GM[11]SZ[5]PB[a\\]b];B[b1];W[swap-pieces]C[x];B[c3];W[d4](;B[e5])(;B[a1]))";
        let cut = cut.min(record.len());
        let _ = parse_game(&format!("{}{junk}{}", &record[..cut], &record[cut..]), Side::CODINGAME);
        let link = "https://hexworld.org/board/#11c1,a2:sf6e5,d4:rb";
        let cut = cut.min(link.len());
        let _ = parse_game(&format!("{}{junk}{}", &link[..cut], &link[cut..]), Side::CODINGAME);
    }
}

#[test]
fn formats_are_told_apart() {
    let side = Side::CODINGAME;
    let sgf = parse_game("  (;GM[11]SZ[5];B[b1])", side).unwrap();
    assert_eq!((sgf.side().get(), sgf.turns().len()), (5, 1));
    let link = parse_game("#5c1,b1", side).unwrap();
    assert_eq!(link.side().get(), 5);
    let moves = parse_game("b1 b2, b3", side).unwrap();
    assert_eq!((moves.side().get(), moves.turns().len()), (11, 3));
    // A drawing begins with stones; a list of moves may begin with column b or r.
    let rows = parse_game("b r\n. .\n", side).unwrap();
    assert_eq!(rows.setup().len(), 2);
}

#[test]
fn a_byte_order_mark_does_not_count() {
    for record in [
        "(;GM[11]SZ[5];B[b1])",
        "#5c1,b1",
        "b1",
        ". r\n. .",
        " \n(;SZ[5];B[b1])",
    ] {
        let marked = format!("\u{feff}{record}");
        let game = parse_game(record, Side::CODINGAME).unwrap();
        assert_eq!(parse_game(&marked, Side::CODINGAME).unwrap(), game);
        assert_eq!(decode(marked.clone().into_bytes()).unwrap(), record);
        let tree = parse_tree(&marked, Side::CODINGAME).unwrap();
        assert_eq!(
            tree.game(tree.nodes().len() - 1).position(),
            game.position()
        );
    }
    // Columns are counted without it.
    let error = parse_game("\u{feff}(;SZ[5];B[z1])", Side::CODINGAME).unwrap_err();
    assert!(
        error.to_string().starts_with("line 1, column 11: "),
        "{error}"
    );
}

#[test]
fn sgf_is_latin_1_unless_it_is_utf_8() {
    for head in ["", "CA[ISO-8859-1]", "CA[ latin1]"] {
        let record = [b" (;GM[11]", head.as_bytes(), b"PB[J\xfcrgen];B[b1])"].concat();
        let game = parse_game(&decode(record).unwrap(), Side::CODINGAME).unwrap();
        assert_eq!(game.players[0], "J\u{fc}rgen");
        let written = write(&game, WrittenFormat::Sgf).unwrap();
        assert!(
            written.starts_with("(;FF[4]GM[11]CA[UTF-8]AP["),
            "{written}"
        );
    }
    // Many programs write UTF-8 and do not say so, or say something else.
    let record = "(;CA[ISO-8859-1]PB[J\u{fc}rgen])";
    assert_eq!(decode(record.into()).unwrap(), record);
    for (record, error) in [
        (
            &b"(;GM[11]\nCA[UTF-8]PB[\xfc])"[..],
            "line 2 is not UTF-8; save the file as UTF-8",
        ),
        (
            b"(;CA[GB2312]PB[\xfc])",
            "line 1 is not UTF-8, and SGF in GB2312 is not read; save it as UTF-8",
        ),
        (
            b"a1\nb2 \xfc",
            "line 2 is not UTF-8; save the file as UTF-8",
        ),
    ] {
        assert_eq!(decode(record.to_vec()).unwrap_err().to_string(), error);
    }
    // A broken record is refused for what is broken.
    let text = decode(b"(;PB[\xfc".to_vec()).unwrap();
    let error = parse_game(&text, Side::CODINGAME).unwrap_err();
    assert!(error.to_string().contains("\"]\" is missing"), "{error}");
}
