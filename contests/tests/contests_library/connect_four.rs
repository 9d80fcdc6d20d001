//! `hex connect-four` against the problem's own examples, all short games and random long ones.

use hex_common::input::Lines;
use hex_contests::connect_four::judge::{
    BoardVerdict, ConnectFourBoard, ConnectFourPlayer, Square, COLUMNS, ROWS,
};
use hex_contests::connect_four::judge_all;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{HashMap, HashSet};

/// Characters of the squares, the top row first.
type Drawing = [[char; COLUMNS]; ROWS];

const EMPTY: Drawing = [['.'; COLUMNS]; ROWS];

fn verdict(drawing: &Drawing) -> BoardVerdict {
    let squares = drawing.map(|row| row.map(|c| Square::from_char(c).unwrap()));
    ConnectFourBoard::from_rows(&squares).verdict()
}

/// The judge says this of the drawing.
fn expect(drawing: &Drawing, expected: BoardVerdict) {
    let picture = || drawing.map(|row| row.iter().collect::<String>()).join("\n");
    assert_eq!(verdict(drawing), expected, "\n{}", picture());
}

/// Is there a line of four equal stones? Every line is walked along.
fn has_four(drawing: &Drawing) -> bool {
    let at = |row: i32, col: i32| -> Option<char> {
        let row = drawing.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    };
    (0..ROWS as i32).any(|row| {
        (0..COLUMNS as i32).any(|col| {
            let stone = at(row, col).unwrap();
            let mut ways = [(0, 1), (1, 0), (1, 1), (1, -1)].iter();
            let is_four = |(down, right): &(i32, i32)| {
                (1..4).all(|i| at(row + i * down, col + i * right) == Some(stone))
            };
            stone != '.' && ways.any(is_four)
        })
    })
}

fn stones(drawing: &Drawing) -> usize {
    drawing.iter().flatten().filter(|&&c| c != '.').count()
}

/// The stone that is dropped when `count` are on the board.
fn stone_after(count: usize) -> char {
    ['X', 'O'][count % 2]
}

/// All positions after one more stone.
fn successors(drawing: &Drawing) -> Vec<Drawing> {
    if has_four(drawing) {
        return Vec::new();
    }
    let stone = stone_after(stones(drawing));
    (0..COLUMNS)
        .filter_map(|col| {
            let row = (0..ROWS).rev().find(|&row| drawing[row][col] == '.')?;
            let mut next = *drawing;
            next[row][col] = stone;
            Some(next)
        })
        .collect()
}

/// What is worth saying of a position, which some game reaches or none.
fn judged(drawing: &Drawing, is_reached: bool) -> BoardVerdict {
    let count = stones(drawing);
    let players = [ConnectFourPlayer::First, ConnectFourPlayer::Second];
    if !is_reached {
        BoardVerdict::Invalid
    } else if has_four(drawing) {
        BoardVerdict::Wins(players[(count + 1) % 2])
    } else if count == ROWS * COLUMNS {
        BoardVerdict::Draw
    } else {
        BoardVerdict::Moves(players[count % 2])
    }
}

/// Can a game end in this drawing? Takes stones back in every possible way and plays by the rules
/// at every step, without the arguments that make the judge fast.
fn is_reachable(drawing: &Drawing, known: &mut HashMap<Drawing, bool>) -> bool {
    if *drawing == EMPTY {
        return true;
    }
    if let Some(&answer) = known.get(drawing) {
        return answer;
    }
    let last = stone_after(stones(drawing) - 1);
    let answer = (0..COLUMNS).any(|col| {
        let Some(row) = (0..ROWS).find(|&row| drawing[row][col] != '.') else {
            return false;
        };
        let mut before = *drawing;
        before[row][col] = '.';
        let rests = row == ROWS - 1 || drawing[row + 1][col] != '.';
        rests && drawing[row][col] == last && !has_four(&before) && is_reachable(&before, known)
    });
    known.insert(*drawing, answer);
    answer
}

fn judged_slowly(drawing: &Drawing) -> BoardVerdict {
    judged(drawing, is_reachable(drawing, &mut HashMap::new()))
}

/// All drawings of `count` stones without a floating one.
fn all_drawings(count: usize) -> Vec<Drawing> {
    fn fill(col: usize, left: usize, drawing: &mut Drawing, all: &mut Vec<Drawing>) {
        if col == COLUMNS {
            if left == 0 {
                all.push(*drawing);
            }
            return;
        }
        for height in 0..=left.min(ROWS) {
            for pattern in 0..1 << height {
                for row in 0..height {
                    let stone = ['X', 'O'][pattern >> row & 1];
                    drawing[ROWS - 1 - row][col] = stone;
                }
                fill(col + 1, left - height, drawing, all);
            }
            for row in 0..height {
                drawing[ROWS - 1 - row][col] = '.';
            }
        }
    }
    let mut all = Vec::new();
    fill(0, count, &mut EMPTY.clone(), &mut all);
    all
}

#[test]
fn the_samples_are_judged_as_the_text_says() {
    let lines = include_str!("../data/connect-four/samples.txt").lines();
    let lines = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    for case in lines.chunks(1 + ROWS) {
        let mut drawing = EMPTY;
        for (row, line) in drawing.iter_mut().zip(&case[1..]) {
            *row = line.chars().collect::<Vec<_>>().try_into().unwrap();
        }
        assert_eq!(verdict(&drawing).to_string(), case[0], "{case:?}");
    }
}

/// The numbers of positions after n stones are published: John Tromp's table, sequence A212693 of
/// the On-Line Encyclopedia of Integer Sequences.
#[test]
fn exactly_the_positions_of_short_games_are_possible() {
    const PUBLISHED: [usize; 8] = [1, 7, 49, 238, 1120, 4263, 16422, 54859];
    let mut reached = HashSet::from([EMPTY]);
    for (count, &published) in PUBLISHED.iter().enumerate() {
        assert_eq!(reached.len(), published, "after {count} stones");
        for drawing in all_drawings(count) {
            expect(&drawing, judged(&drawing, reached.contains(&drawing)));
        }
        reached = reached.iter().flat_map(successors).collect();
    }
}

fn random_game(rng: &mut impl Rng) -> Vec<Drawing> {
    let mut game = vec![EMPTY];
    loop {
        let next = successors(game.last().unwrap());
        if next.is_empty() {
            return game;
        }
        game.push(next[rng.random_range(0..next.len())]);
    }
}

#[test]
fn every_position_of_a_random_game_is_possible() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..200 {
        for drawing in random_game(&mut rng) {
            expect(&drawing, judged(&drawing, true));
        }
    }
}

/// Positions of random games with two squares exchanged or one replaced, judged by the slow rules.
#[test]
fn mutated_positions_are_judged_as_by_the_slow_rules() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut verdicts: HashMap<String, usize> = HashMap::new();
    for _ in 0..400 {
        let game = random_game(&mut rng);
        // Late positions take the slow rules too long when no game leads there.
        let mut drawing = game[rng.random_range(0..game.len().min(22))];
        let mut square = || (rng.random_range(0..ROWS), rng.random_range(0..COLUMNS));
        let (a, b) = (square(), square());
        let stones = [drawing[a.0][a.1], drawing[b.0][b.1]];
        drawing[a.0][a.1] = stones[1];
        if a.0 % 2 == 1 {
            drawing[b.0][b.1] = stones[0];
        }
        let expected = judged_slowly(&drawing);
        *verdicts.entry(expected.to_string()).or_default() += 1;
        expect(&drawing, expected);
    }
    // The mutations must not all be of one kind, or the test would prove nothing.
    assert!(verdicts["invalid"] > 50, "{verdicts:?}");
    assert!(verdicts["first player moves"] > 50, "{verdicts:?}");
    assert!(verdicts["second player moves"] > 20, "{verdicts:?}");
}

/// Columns of random stones with equal numbers of both colours are the hard case: nearly all
/// combinations of heights may have to be looked at.
#[test]
fn full_boards_of_random_stones_are_judged_as_by_the_slow_rules() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..8 {
        let mut stones: Vec<char> = (0..ROWS * COLUMNS).map(stone_after).collect();
        stones.shuffle(&mut rng);
        let mut drawing = EMPTY;
        for (square, stone) in drawing.iter_mut().flatten().zip(stones) {
            *square = stone;
        }
        expect(&drawing, judged_slowly(&drawing));
    }
}

#[test]
fn braces_quotes_and_blank_lines_make_no_difference() {
    let rows = "\".......\",\n".repeat(ROWS);
    let text = format!("\n\n{{\n{rows}}}\n{{{rows}}}\n\n{rows}\n");
    let plain = rows.replace(['"', ','], "");
    let all: &'static str = Box::leak(format!("{text}\n{plain}\r\n").into_boxed_str());
    let mut output = Vec::new();
    judge_all(
        &mut Lines::new("test", Box::new(all.as_bytes())),
        &mut output,
    )
    .unwrap();
    assert_eq!(
        String::from_utf8(output).unwrap(),
        "first player moves\n".repeat(4)
    );
}
