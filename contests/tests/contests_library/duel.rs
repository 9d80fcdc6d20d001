//! `hex duel` against the assignment's sample, byte for byte.

use hex_contests::duel::{play, Layout, Stream};

fn transcript(input: &str) -> (String, Option<String>) {
    transcript_in(Layout::Square, input)
}

fn transcript_in(layout: Layout, input: &str) -> (String, Option<String>) {
    let mut output = Vec::new();
    let result = play(layout, &mut Stream::new(input.as_bytes()), &mut output);
    let error = result.err().map(|error| format!("{error:#}"));
    (String::from_utf8(output).unwrap(), error)
}

/// An 11×11 board with these rows in place of the empty ones.
fn board(rows: &[(usize, &str)]) -> String {
    let mut text = String::from("A B C D E F G H I J K\n");
    for row in 0..11 {
        let given = rows.iter().find(|(number, _)| *number == row);
        let squares = given.map_or(". . . . . . . . . . .", |(_, squares)| squares);
        text += &format!("{row} {squares}\n");
    }
    text
}

const A0: (usize, &str) = (0, "O . . . . . . . . . .");
const B9: (usize, &str) = (9, ". X . . . . . . . . .");

#[test]
fn the_sample_begins_as_the_text_shows() {
    let invalid = "Invalid move. Enter again!\nPlayer X, make your move: ";
    let expected = format!(
        "{}Player O, make your move: {}Player X, make your move: {}{}Player O, make your move: ",
        board(&[]),
        board(&[A0]),
        invalid.repeat(4),
        board(&[A0, B9]),
    );
    let (output, error) = transcript("A 0\nB 11\nM 4\nA 0\nb 9\nB 9\n");
    assert_eq!(output, expected);
    assert!(error.unwrap().contains("the input ends in line 7"));
}

/// The moves between are not published; any order that leads to the sample's last board will do,
/// so O's and X's stones are played in turns, row by row, and the last two as the sample has them.
#[test]
fn the_sample_ends_as_the_text_shows() {
    let end = include_str!("../data/duel-end.txt");
    let stones = |player: &str, last: &str| -> Vec<String> {
        let mut moves = Vec::new();
        for (row, line) in end.lines().skip(1).take(11).enumerate() {
            let squares = line.split(' ').skip(1).zip('A'..);
            let own = squares.filter(|(square, _)| *square == player);
            moves.extend(own.map(|(_, column)| format!("{column} {row}")));
        }
        moves.retain(|cell| cell != last);
        moves.push(last.to_owned());
        moves
    };
    let (o, x) = (stones("O", "I 5"), stones("X", "I 0"));
    assert_eq!(o.len(), x.len() + 1);
    let mut input = String::new();
    for (number, own) in o.iter().enumerate() {
        input += &format!("{own}\n{}\n", x.get(number).map_or("", |cell| cell));
    }
    let (output, error) = transcript(&input);
    assert_eq!(error, None);
    let tail = format!("Player O, make your move: {end}");
    assert!(output.ends_with(&tail), "{output}");
    assert_eq!(output.matches("wins!").count(), 1);
}

#[test]
fn x_wins_from_top_to_bottom() {
    let moves: String = (0..11).map(|row| format!("A{row} B{row} ")).collect();
    // O's column A joins nothing; X's column B joins top and bottom.
    let (output, error) = transcript(&moves);
    assert_eq!(error, None);
    assert!(output.ends_with("10 O X . . . . . . . . .\nPlayer X wins!\n"));
}

#[test]
fn a_slanted_board_is_a_diamond_with_its_letters_above_the_first_row() {
    let (output, _) = transcript_in(Layout::Slanted, "B 0");
    let drawn: Vec<&str> = output.lines().skip(12).take(12).collect();
    assert_eq!(
        drawn[0],
        "Player O, make your move:   A B C D E F G H I J K"
    );
    assert_eq!(drawn[1], " 0 . O . . . . . . . . .");
    assert_eq!(drawn[2], " 1  . . . . . . . . . . .");
    assert_eq!(drawn[11], "10           . . . . . . . . . . .");
}

#[test]
fn line_breaks_and_blanks_may_fall_anywhere() {
    let (expected, _) = transcript("A 0\nB 9\n");
    let same = [
        "A0B9",
        "A\n0\n\nB\n\t9",
        "  A 0 B 9",
        "A +0 B 09",
        "A\r\n0\r\nB 9\r\n",
    ];
    assert_eq!(
        same.map(|same| transcript(same).0),
        [(); 5].map(|()| expected.clone())
    );
}

#[test]
fn what_is_no_cell_is_asked_for_again() {
    for wrong in "A -1|A 11|L 0|a 0|@ 0|é 0|A 99999999999999999999999".split('|') {
        let (output, _) = transcript(wrong);
        assert_eq!(output.matches("Invalid move.").count(), 1, "{wrong:?}");
        assert!(output.ends_with("Player O, make your move: "));
    }
}

#[test]
fn an_input_that_breaks_off_is_an_error_with_its_place() {
    for (input, expected) in [
        ("", "the input ends in line 1"),
        ("A 0\nB", "the input ends in line 2"),
        ("A 0\nB ", "the input ends in line 2"),
        ("A 0\nB -", "line 2: the end of the input where a row"),
        ("A 0\nB x", "line 2: 'x' where a row number"),
    ] {
        let (output, error) = transcript(input);
        assert!(error.unwrap().contains(expected), "{input:?}");
        assert!(output.ends_with(", make your move: "));
    }
}
