//! `hex show`: the last move, the numbers of moves and the end of a game, as text and as SVG.

use crate::common::{describe, hex};
use hex_cli::show::{svg, text, Numbers};
use hex_core::record::{AnyCell, Ending, Game, Move, Outcome, Side};
use hexbot::cell::Color;

fn point(name: &str) -> AnyCell {
    side().parse_cell(name).unwrap()
}

fn side() -> Side {
    Side::try_from(5).unwrap()
}

fn game(moves: &str) -> Game {
    let moves = moves.split_whitespace();
    let moves = moves.map(|word| Move::parse(word, side()).unwrap());
    Game::from_moves(side(), moves).unwrap()
}

/// The cells with a label in a drawing, and the labels.
fn labels(drawing: &str) -> Vec<String> {
    let texts = drawing.split("<text").skip(1);
    let texts = texts.filter_map(|rest| rest.split_once('>')?.1.split_once("</text>"));
    let numbers = texts.map(|(label, _)| label.to_owned());
    numbers
        .filter(|label| label.parse::<usize>().is_ok())
        .collect()
}

#[test]
fn moves_are_numbered_where_their_stones_lie() {
    // Swapped pieces: Red's first stone is gone, Blue's lies mirrored and has the swap's number.
    let game = game("b1 swap-pieces c3 d4");
    let rows = |numbers| labels(&svg(&game, 4, numbers)).len();
    assert_eq!(rows(Some(Numbers)) - rows(None), 3);
    let drawn = svg(&game, 4, Some(Numbers));
    for number in ["2", "3", "4"] {
        assert!(
            labels(&drawn).iter().any(|label| label == number),
            "{drawn}"
        );
    }
    assert_eq!(
        text(&game, 2).lines().next(),
        Some("Move 2: blue swap-pieces")
    );
    assert_eq!(game.position_after(2).at(point("a2")), Some(Color::Blue));
    // A pass and swapped sides put no stone down: nothing is marked, nothing numbered.
    for moves in ["b1 swap-sides", "b1 pass"] {
        let game = self::game(moves);
        assert_ne!(svg(&game, 1, None), svg(&game, 2, None));
        assert_eq!(labels(&svg(&game, 2, Some(Numbers))).len(), rows(None) + 1);
    }
}

#[test]
fn the_end_of_a_game_is_told_after_its_last_move_alone() {
    for (ending, words) in [
        (Ending::Resignation, "blue has won by resignation\n"),
        (Ending::Time, "blue has won on time\n"),
        (Ending::Forfeit, "blue has won by forfeit\n"),
        (Ending::Unstated, "blue has won\n"),
    ] {
        let mut game = game("b1 c3 d4");
        let winner = Color::Blue;
        game.end(Outcome { winner, ending });
        assert!(text(&game, 3).ends_with(words), "{}", text(&game, 3));
        assert!(!text(&game, 2).contains("has won"));
    }
}

#[test]
fn every_position_or_a_drawing_and_errors_name_the_file() {
    let show = |arguments: &[&str]| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "b1 c3 d4").unwrap();
        let mut command = hex();
        command.args(["show", "--side", "5"]).args(arguments);
        command.arg(file.path()).output().unwrap()
    };
    let every = show(&["--every"]);
    let printed = String::from_utf8(every.stdout).unwrap();
    assert_eq!(printed.matches("Move ").count(), 3, "{printed}");
    let drawing = String::from_utf8(show(&["--svg", "-", "--numbers"]).stdout).unwrap();
    let game = game("b1 c3 d4");
    assert_eq!(drawing, svg(&game, 3, Some(Numbers)));
    let failed = show(&["--svg", "no-such-folder/a.svg"]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(describe(&failed).contains("cannot write no-such-folder/a.svg"));
}
