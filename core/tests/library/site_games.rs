//! Games as CodinGame's site and its game SDK write them, and what the judge sends: the files in
//! data/site/, which were written by hand from their description, and random games.

use hex_core::record::codingame::turn_input;
use hex_core::record::{parse_game, parse_tree, sgf, AnyCell, Ending, Game, Move, Outcome, Side};
use hexbot::cell::Color;
use proptest::prelude::*;
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// A file in data/site/.
fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/site");
    folder.join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap()
}

fn read(name: &str) -> Game {
    parse_game(&text(name), Side::CODINGAME).unwrap()
}

/// What is wrong with a text.
fn refusal(text: &str) -> String {
    let error = parse_game(text, Side::CODINGAME).expect_err(text);
    format!("{error:#}")
}

fn moves(game: &Game) -> String {
    let turns: Vec<String> = game.turns().iter().map(|t| t.action.to_string()).collect();
    turns.join(" ")
}

/// Who has won, and how.
fn ended(game: &Game) -> (Color, Ending) {
    let Outcome { winner, ending } = game.outcome().expect("it has ended");
    (winner, ending)
}

fn comment(game: &Game, number: usize) -> &str {
    &game.turns()[number - 1].comment
}

#[test]
fn a_game_of_the_site_is_read_with_names_and_messages() {
    let game = read("whole.json");
    let begin = "a2 swap-pieces c1 h1 c2 h2";
    assert!(moves(&game).starts_with(begin), "{}", moves(&game));
    assert_eq!(game.turns().len(), 23);
    assert_eq!(game.players, ["alice", "Boss 4"]);
    assert_eq!(ended(&game), (Color::Red, Ending::Connection));
    assert_eq!(comment(&game, 1), "");
    assert_eq!(comment(&game, 3), "55% 1000");
    assert!(game.notes.is_empty(), "{:?}", game.notes);
}

#[test]
fn a_fault_ends_the_game_and_its_words_are_kept() {
    let game = read("timeout.json");
    assert_eq!(moves(&game), "a3 swap-pieces f6");
    assert_eq!(ended(&game), (Color::Red, Ending::Time));
    assert_eq!(comment(&game, 2), "stderr: read 1 stone\nvalue 0.52");
    let words =
        "hello there\nstderr: thread 'main' panicked\nBoss 4 has not provided 1 lines in time";
    assert_eq!(comment(&game, 3), words);

    let game = read("illegal.json");
    assert_eq!(moves(&game), "a10 f6");
    assert_eq!(ended(&game), (Color::Blue, Ending::Forfeit));
    assert_eq!(game.players, ["", ""]);
    let words =
        "Red answered \"f6\": f6 holds a blue stone already\nstderr: I take f6\nInvalid move: f6 is \
                 already played";
    assert_eq!(comment(&game, 2), words);
}

#[test]
fn a_game_of_the_local_runner_is_read() {
    let game = read("runner.json");
    assert_eq!(moves(&game), "b4 c9 g7");
    assert_eq!(game.players, ["./hexbot", "python3 bot.py"]);
    assert_eq!(comment(&game, 1), "stderr: think");
    let words = "ok\npython3 bot.py has not provided 1 lines in time";
    assert_eq!(comment(&game, 3), words);
    assert_eq!(ended(&game), (Color::Red, Ending::Time));
}

#[test]
fn what_the_judge_sends_is_read_with_the_player_to_move() {
    let game = read("turn.txt");
    assert_eq!((game.to_move(), moves(&game).as_str()), (Color::Red, "d4"));
    assert_eq!(game.setup().len(), 1);
    // Blue may swap, and has swapped.
    let first = read("turns.txt");
    assert_eq!(
        (first.to_move(), moves(&first).as_str()),
        (Color::Blue, "c3")
    );
    assert_eq!(first.notes, ["of 2 turns the last one is read"]);
    let one = text("turns.txt")
        .lines()
        .take(13)
        .collect::<Vec<_>>()
        .join("\r\n");
    let one = parse_game(&one, Side::CODINGAME).unwrap();
    assert!(one.may_swap());
    let swapped = read("turn-swap.txt");
    assert_eq!(moves(&swapped), "a2 swap-pieces");
    assert_eq!(turn_input::turn(&swapped), text("turn-swap.txt"));
    assert_eq!(turn_input::write(&game), text("turn.txt"));
}

/// Each mistake gets one sentence with the place and the value.
#[test]
fn what_is_no_game_of_hex_is_told_in_a_sentence() {
    let frames = |answers: &[(u8, &str)]| {
        let frames = answers
            .iter()
            .map(|(agent, text)| json!({"agentId": agent, "stdout": text}));
        json!({ "frames": frames.collect::<Vec<Value>>() }).to_string()
    };
    let whole = text("whole.json");
    let cases = [
        (text("other-game.json"), "frames[1]: agent 0 answers \"MOVE 3 4\": \"move\" is not a cell from \
            a1 to k11, nor swap-pieces; is this a game of Hex?"),
        (text("other-side.json"), "refereeInput says \"boardSize=13\": CodinGame's Hex has a board of \
            side 11, not 13"),
        (whole[..whole.len() / 2].to_owned(), "the JSON breaks off at line 1, column "),
        ("{}".to_owned(), "this JSON is not a game of CodinGame: it has neither frames, "),
        ("[{\"frames\":[]}]".to_owned(), "line 1, column 1: not the JSON of a game of CodinGame: invalid \
            type: sequence, expected the object of one game"),
        (format!("{whole}{whole}"), "line 2, column 1: not the JSON of a game of CodinGame: more follows \
            behind the first game; a file with a game on each line is read if its name ends in .jsonl"),
        (frames(&[(0, "a1"), (0, "b1")]), "frames[1]: agent 0 answers \"b1\": it is the other agent's turn"),
        (frames(&[(0, "a1"), (1, "a1")]), "frames[1]: agent 1 answers \"a1\": a1 holds a red stone already"),
        (frames(&[(0, "a1"), (1, "b1"), (0, "swap-pieces")]), "frames[2]: agent 0 answers \"swap-pieces\": \
            a swap is possible only as Blue's answer to Red's first stone"),
        (frames(&[(0, "a1"), (1, "b1"), (2, "c1")]), "frames[2]: agent 2 answers \"c1\": there are two \
            players, agent 0 and agent 1"),
    ];
    for (text, wanted) in cases {
        let error = refusal(&text);
        assert!(error.starts_with(wanted), "{error}\n{wanted}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn what_no_judge_sends_is_told_with_its_line() {
    let turn = text("turn.txt");
    let six = turn.lines().take(7).collect::<Vec<_>>().join("\n");
    let other_row = turn.replacen(". r", ". x", 1).replacen("r .", "x .", 1);
    let no_side = "line 1: a board of side 99 is not possible";
    let no_move = "line 2: \"hello\" is not a last move: a cell, empty or swap-pieces";
    let short = "line 4: 10 cells, where a row of side 11 has 11";
    let color = "line 2: after this move red is to move, but the header says that we are blue";
    let no_stone = "line 2: the last move is e5, but the rows have no stone there";
    let swap = "line 2: after swap-pieces one blue stone is on the board, not 1 red and 1 blue";
    let cases = [
        (
            "11 red\n".to_owned(),
            "line 1: the text ends before the last move",
        ),
        ("99 red\nempty\n".to_owned(), no_side),
        ("11 red\nhello\n".to_owned(), no_move),
        (six, "line 7: the text ends before row 6"),
        (other_row, "line 4: \"x\" is not a row of . r b"),
        (turn.replacen("r . . .", "r . .", 1), short),
        (turn.replace("red", "blue"), color),
        (turn.replace("d4", "e5"), no_stone),
        (turn.replace("d4", "swap-pieces"), swap),
    ];
    for (text, wanted) in cases {
        let error = refusal(&text);
        assert!(error.starts_with(wanted), "{error}\n{wanted}");
    }
}

/// A game as the site's JSON, alone or wrapped, Red being either agent.
fn site_json(game: &Game, red: usize, wrapper: Option<&str>) -> String {
    let mut frames = vec![json!({"agentId": -1, "view": "{\"a\": [1]}", "keyframe": true})];
    for turn in game.turns() {
        let is_red = turn.color == Color::Red;
        let agent = if is_red { red } else { 1 - red };
        let line = format!("{} {}\n", turn.action, turn.comment);
        frames.push(json!({"agentId": agent, "stdout": line, "gameInformation": "", "x": {}}));
    }
    let mut document = json!({ "frames": frames, "unknown": [null, {}] });
    if let Some(outcome) = game.outcome() {
        let first = (outcome.winner == Color::Red) == (red == 0);
        document["ranks"] = if first { json!([0, 1]) } else { json!([1, 0]) };
    }
    match wrapper {
        Some(name) => json!({ name: document }).to_string(),
        None => document.to_string(),
    }
}

/// Any game that CodinGame's judge allows, by numbers that choose among what is possible.
fn played(side: usize, choices: &[u16], swaps: bool) -> Game {
    let mut game = Game::new(Side::try_from(side).unwrap());
    for &choice in choices {
        if game.outcome().is_some() {
            break;
        }
        if swaps && game.may_swap() {
            game.play(Move::SwapPieces).unwrap();
            continue;
        }
        let is_empty = |&cell: &AnyCell| game.position().at(cell).is_none();
        let empty: Vec<AnyCell> = game.side().cells().filter(is_empty).collect();
        let cell = empty[choice as usize % empty.len()];
        game.play(Move::Place(cell)).unwrap();
        if choice % 3 == 0 {
            game.remark(format!("{choice} % \\]"));
        }
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_game_comes_back_from_the_sites_json(
        choices in prop::collection::vec(any::<u16>(), 1..122),
        swaps in any::<bool>(),
        red in 0usize..2,
        wrapper in prop::sample::select(vec![None, Some("success"), Some("gameResult")]),
    ) {
        let game = played(11, &choices, swaps);
        let written = site_json(&game, red, wrapper);
        let again = parse_game(&written, Side::CODINGAME).unwrap();
        prop_assert_eq!(again.turns(), game.turns());
        prop_assert_eq!(again.outcome(), game.outcome());
        // The tools' other door, and what they make of it.
        let tree = parse_tree(&written, Side::CODINGAME).unwrap();
        let end = tree.game(tree.nodes().len() - 1);
        prop_assert_eq!(end.position(), game.position());
        prop_assert_eq!(sgf::parse(&sgf::write(&again)).unwrap(), again);
    }

    /// Cut off anywhere it is an error, not a shorter game and no panic.
    #[test]
    fn a_file_that_is_cut_off_is_refused(
        choices in prop::collection::vec(any::<u16>(), 1..40),
        cut in any::<prop::sample::Index>(),
    ) {
        let written = site_json(&played(11, &choices, true), 0, Some("success"));
        let cut = cut.index(written.len() - 1).max(1);
        prop_assert!(parse_game(&written[..cut], Side::CODINGAME).is_err());
    }

    /// Frames that are missing at the end make a shorter game; any other change is an error or a
    /// game, and never a panic.
    #[test]
    fn frames_may_be_missing_or_doubled(
        choices in prop::collection::vec(any::<u16>(), 2..60),
        kept in 0usize..60,
        doubled in 0usize..60,
    ) {
        let game = played(11, &choices, false);
        let mut value: Value = serde_json::from_str(&site_json(&game, 0, None)).unwrap();
        value.as_object_mut().unwrap().remove("ranks");
        let frames = value["frames"].as_array_mut().unwrap();
        let kept = kept.min(frames.len() - 1);
        frames.truncate(kept + 1);
        let shorter = parse_game(&value.to_string(), Side::CODINGAME).unwrap();
        prop_assert_eq!(shorter.turns(), &game.turns()[..kept]);
        let frames = value["frames"].as_array_mut().unwrap();
        let doubled = frames[doubled.min(kept)].clone();
        frames.push(doubled);
        let _ = parse_game(&value.to_string(), Side::CODINGAME);
    }

    #[test]
    fn what_the_judge_sends_gives_the_position_back(
        side in 1usize..=26,
        choices in prop::collection::vec(any::<u16>(), 0..150),
        swaps in any::<bool>(),
        setup in 0usize..4,
    ) {
        let mut game = played(side, &choices, swaps && side > 1);
        if setup == 0 {
            // The same stones without the moves that led to them.
            let mut stones = Game::new(game.side());
            for (cell, color) in hex_core::record::stones(game.position()) {
                stones.set_up(cell, color).unwrap();
            }
            stones.begin_with(game.to_move()).unwrap();
            game = stones;
        }
        let written = turn_input::write(&game);
        let again = parse_game(&written, Side::CODINGAME).unwrap();
        prop_assert_eq!(again.position(), game.position());
        prop_assert_eq!(again.to_move(), game.to_move());
        prop_assert_eq!(again.may_swap(), setup != 0 && game.may_swap());
        prop_assert_eq!(turn_input::write(&again), written.clone());
        // Without the header, the player to move follows from the last move and from the stones.
        let turn = turn_input::turn(&game);
        let headless = parse_game(&turn, Side::CODINGAME).unwrap();
        prop_assert!(turn.starts_with("empty") || headless == again);
        // Cut off it is refused, or no turn any more.
        let rows: Vec<&str> = written.lines().collect();
        prop_assert!(parse_game(&rows[..rows.len() - 1].join("\n"), Side::CODINGAME).is_err());
    }
}
