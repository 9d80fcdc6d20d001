//! `hex show`: the last move, the numbers of moves and the end of a game, as text and as SVG.

use crate::common::{describe, hex};
use hex_cli::show::{svg, text, SvgStyle};
use hex_core::record::{AnyCell, Ending, Game, Move, Outcome, Side};
use hexbot::cell::Color;
use std::time::Duration;

const PLAIN: SvgStyle = SvgStyle {
    numbers: false,
    pattern: false,
    animate: None,
};
const NUMBERS: SvgStyle = SvgStyle {
    numbers: true,
    ..PLAIN
};

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
    let rows = |style| labels(&svg(&game, 4, style)).len();
    assert_eq!(rows(NUMBERS) - rows(PLAIN), 3);
    let drawn = svg(&game, 4, NUMBERS);
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
        assert_ne!(svg(&game, 1, PLAIN), svg(&game, 2, PLAIN));
        assert_eq!(labels(&svg(&game, 2, NUMBERS)).len(), rows(PLAIN) + 1);
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
    assert_eq!(drawing, svg(&game, 3, NUMBERS));
    let failed = show(&["--svg", "no-such-folder/a.svg"]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(describe(&failed).contains("cannot write no-such-folder/a.svg"));
}

/// The lines of an animated drawing that are visible after this many milliseconds; `None` in a
/// program without animations.
fn visible(drawing: &str, ms: Option<u64>) -> Vec<&str> {
    let number = |line: &str, key: &str| -> Option<u64> {
        let text = line.split_once(key)?.1.split_once("ms\"")?.0;
        Some(text.parse().unwrap())
    };
    let (mut lines, mut is_visible) = (Vec::new(), true);
    for line in drawing.lines() {
        if line.starts_with("<g") {
            let (begin, dur) = (number(line, "begin=\""), number(line, "dur=\"").unwrap());
            let begin = begin.unwrap_or(0);
            let is_set = ms.is_some_and(|ms| (begin..begin + dur).contains(&ms));
            let (base, set) = match line.contains("<g visibility=\"hidden\">") {
                true => ("hidden", "visible"),
                false => ("visible", "hidden"),
            };
            assert!(line.contains(&format!("to=\"{set}\"")), "{line}");
            is_visible = (base == "visible") != is_set;
        } else if line == "</g>" {
            is_visible = true;
        } else if is_visible {
            lines.push(line);
        }
    }
    lines
}

#[test]
fn an_animation_shows_every_position_and_stays_at_the_last() {
    for moves in [
        "b1 swap-pieces c3 b1 d4",
        "b1 swap-sides c3",
        "b1 c3 pass b2",
        "",
    ] {
        let game = game(moves);
        let count = game.turns().len();
        for still in [
            PLAIN,
            NUMBERS,
            SvgStyle {
                pattern: true,
                ..NUMBERS
            },
        ] {
            let animate = Some(Duration::from_millis(333));
            let drawn = svg(&game, count, SvgStyle { animate, ..still });
            for shown in 0..=count + 9 {
                let wanted = svg(&game, shown.min(count), still);
                for ms in [333 * shown as u64, 333 * shown as u64 + 332] {
                    assert_eq!(
                        visible(&drawn, Some(ms)),
                        wanted.lines().collect::<Vec<_>>()
                    );
                }
            }
            let last = svg(&game, count, still);
            assert_eq!(visible(&drawn, None), last.lines().collect::<Vec<_>>());
        }
    }
}
