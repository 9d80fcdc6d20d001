//! Readers of whole games.

use super::text;
use hex_arena::replay::script::ReplayTurns;
use hex_common::record_input::parse_game;
use hex_core::record::codingame;
use hex_core::record::codingame::turn_input as judge;
use hex_core::record::{
    hexworld as link, move_list, playhex as play_hex, sgf as smart, stones, Game, GameTree,
    RecordError, Side,
};

/// The positions on the way are those of the game, and the last is the one that it ends with.
fn is_sound(game: &Game) {
    let turns = game.turns().len();
    assert_eq!(&game.position_after(turns), game.position());
    game.position_after(turns / 2);
}

/// The same game; the order in which stones were set up does not matter.
fn assert_same(again: &Game, game: &Game, written: &str) {
    assert_eq!(again.players, game.players, "{written}");
    assert_eq!(again.comment, game.comment, "{written}");
    assert_eq!(again.setup().len(), game.setup().len(), "{written}");
    assert_eq!(again.first(), game.first(), "{written}");
    assert_eq!(again.turns(), game.turns(), "{written}");
    assert_eq!(again.position(), game.position(), "{written}");
    assert_eq!(again.outcome(), game.outcome(), "{written}");
}

/// A sound game, and SGF keeps all of it.
fn comes_back(game: &Game) {
    is_sound(game);
    let written = smart::write(game);
    let again = smart::parse(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_same(&again, game, &written);
}

/// SGF: what was read and written reads the same.
pub fn sgf(data: &[u8]) {
    let text = text(data);
    whole_file(&text);
    if let Ok(tree) = smart::parse_tree(&text) {
        let written = smart::write_tree(&tree);
        let again = smart::parse_tree(&written);
        let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(again.nodes().len(), tree.nodes().len(), "{written}");
        assert_eq!(smart::write_tree(&again), written);
    }
    match smart::parse(&text) {
        Ok(game) => {
            comes_back(&game);
            assert_eq!(GameTree::of(&game).main_game(), game);
        }
        Err(error) => assert!(
            (1..=text.lines().count() + 1).contains(&error.line),
            "{error}"
        ),
    }
}

/// PlayHex's data set: likewise, and one of a list reads as it does alone.
pub fn playhex(data: &[u8]) {
    let text = text(data);
    match play_hex::parse(&text) {
        Some(Ok(game)) => {
            comes_back(&game);
        }
        Some(Err(error)) => assert!(!error.to_string().contains('\n'), "{error}"),
        None => {}
    }
    for game in play_hex::texts(&text).unwrap_or_default() {
        assert_eq!(play_hex::texts(game).map_or(1, |alone| alone.len()), 1);
    }
}

/// A whole file: what was read and written reads, and writes the same.
fn whole_file(text: &str) {
    if let Ok((written, _)) = smart::rewrite(text, None) {
        let again = smart::rewrite(&written, None);
        let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(again.0, written);
    }
}

/// HexWorld's links: what was read and written reads the same, and the link can be written again.
/// Stones that were set up read as turns that lead to the same position, if nobody has won: no turn
/// may follow a win, but stones set up may.
pub fn hexworld(data: &[u8]) {
    if let Ok(mut game) = link::parse(&text(data)) {
        // What is left out is not written.
        game.notes.clear();
        is_sound(&game);
        let written = link::write(&game);
        let again = link::parse(&written);
        if game.setup().is_empty() {
            assert_eq!(again.as_ref(), Ok(&game), "{written}");
        } else if game.position().winner().is_none() {
            let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
            // Whose turn it is after the end, a link does not say.
            assert!(
                stones(again.position()).eq(stones(game.position())),
                "{written}"
            );
            assert_eq!(again.outcome(), game.outcome(), "{written}");
            let is_on = game.outcome().is_none();
            assert!(!is_on || again.to_move() == game.to_move(), "{written}");
        }
    }
}

/// Lists of moves: likewise. The first byte is the board's side.
pub fn moves(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else {
        return;
    };
    let side = Side::try_from(usize::from(first) % Side::MAX + 1).expect("it is in range");
    let text = text(rest);
    match move_list::parse(&text, side) {
        Ok(mut game) => {
            // What is left out is not written.
            game.notes.clear();
            is_sound(&game);
            let written = move_list::write(&game);
            assert_eq!(
                move_list::parse(&written, side).as_ref(),
                Ok(&game),
                "{written}"
            );
        }
        Err(error) => assert!(names_line_of(&text, &error), "{error}"),
    }
}

/// Whether the error begins with the number of a line of the text.
fn names_line_of(text: &str, error: &RecordError) -> bool {
    let error = error.to_string();
    let line = error.strip_prefix("line ").unwrap_or_default();
    let digits = line.split(|c: char| !c.is_ascii_digit()).next();
    let line = digits.unwrap_or_default().parse();
    line.is_ok_and(|line| (1..=text.lines().count().max(1)).contains(&line))
}

/// Games of CodinGame's site: SGF keeps all of them, and an error is a sentence on one line.
pub fn site_game(data: &[u8]) {
    match codingame::parse(&text(data)) {
        Ok(game) => {
            comes_back(&game);
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}

/// What CodinGame's judge sends: what was read and written reads the same.
pub fn turn_input(data: &[u8]) {
    let text = text(data);
    match judge::parse(&text) {
        Ok(game) => {
            is_sound(&game);
            let written = judge::write(&game);
            let again = judge::parse(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
            assert_eq!(again.position(), game.position(), "{written}");
            assert_eq!(again.to_move(), game.to_move(), "{written}");
            assert_eq!(judge::write(&again), written);
        }
        Err(error) => assert!(names_line_of(&text, &error), "{error}"),
    }
}

/// Whatever `hex convert` and the page take: it can be written in every format, and SGF keeps all.
pub fn any(data: &[u8]) {
    if let Ok(game) = parse_game(&text(data), Side::CODINGAME) {
        comes_back(&game);
        link::write(&game);
        move_list::write(&game);
    }
}

/// A record as `hex replay` takes it: each turn is the player's, and what the judge sends for it
/// reads as the position of the turn.
pub fn replay(data: &[u8]) {
    let Ok(game) = parse_game(&text(data), Side::CODINGAME) else {
        return;
    };
    for player in ["red", "blue", "1", "2"] {
        let script = match ReplayTurns::new(&game, player) {
            Ok(script) => script,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        for due in &script.due {
            let before = script.game.after(due.ply);
            assert_eq!(before.to_move(), script.color);
            let sent = judge::write(&before);
            let read = judge::parse(&sent).unwrap_or_else(|error| panic!("{error}: {sent}"));
            assert_eq!(read.position(), before.position(), "{sent}");
        }
    }
}
