//! `hex analyze` against the contest's samples and against trying all sets of cells.

use hex_common::input::Lines;
use hex_contests::analyze::count::{paths, PathCount};
use hex_contests::analyze::{analyze, analyze_all, ContestPlayer, Counting, Options, PathVerdict};
use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{json, Value};

fn output_for(text: &str, options: &Options) -> (String, Option<String>) {
    let mut output = Vec::new();
    let text: &'static [u8] = Box::leak(text.as_bytes().to_vec().into_boxed_slice());
    let mut lines = Lines::new("test", Box::new(text));
    let result = analyze_all(&mut lines, options, &mut output);
    let error = result.err().map(|error| format!("{error:#}"));
    (String::from_utf8(output).unwrap(), error)
}

/// A position with stones in any number.
fn random_position<const N: usize>(rng: &mut Xoshiro256PlusPlus) -> Board<N> {
    let share_of_stones = rng.random_range(0.0..1.0);
    let mut stones = [CellSet::EMPTY; 2];
    for cell in Cell::<N>::all() {
        if rng.random_bool(share_of_stones) {
            stones[rng.random_range(0..2)].insert(cell);
        }
    }
    Board::from_stones(stones[0], stones[1], Color::Red).unwrap()
}

/// Returns true if `color` has won once these cells are filled too.
fn wins_with<const N: usize>(board: &Board<N>, color: Color, cells: CellSet<N>) -> bool {
    let mut stones = Color::ALL.map(|color| board.stones(color));
    stones[color.index()] |= cells;
    let [red, blue] = stones;
    Board::from_stones(red, blue, Color::Red).unwrap().winner() == Some(color)
}

/// The size of the smallest sets of empty cells that win for `color`, and how many there are.
fn smallest_sets<const N: usize>(board: &Board<N>, color: Color) -> Option<(usize, u128)> {
    let empty: Vec<Cell<N>> = board.empty_cells().iter().collect();
    let mut counts = vec![0; empty.len() + 1];
    for choice in 0u32..1 << empty.len() {
        let set = (0..empty.len())
            .filter(|i| choice >> i & 1 == 1)
            .map(|i| empty[i])
            .collect();
        if wins_with(board, color, set) {
            counts[choice.count_ones() as usize] += 1;
        }
    }
    let size = counts.iter().position(|&count| count > 0)?;
    Some((size, counts[size]))
}

fn check_against_all_sets<const N: usize>(positions: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(N as u64);
    for _ in 0..positions {
        let board = random_position::<N>(&mut rng);
        let cases = match analyze(&board.on(), Counting::Paths) {
            PathVerdict::Won(player) => {
                assert_eq!(board.winner(), Some(player.color()));
                continue;
            }
            PathVerdict::Open(cases) => cases,
        };
        assert_eq!(board.winner(), None);
        for case in cases {
            let color = case.player.color();
            let (size, count) = smallest_sets(&board, color).expect("not cut off");
            let found = (case.path.len(), case.count);
            assert_eq!(
                found,
                (size, Some(PathCount::Exactly(count))),
                "{color} on\n{board}"
            );
            let path: CellSet<N> = case.path.iter().filter_map(|cell| cell.on()).collect();
            assert_eq!(path.len(), size, "a cell twice on\n{board}");
            assert!(wins_with(&board, color, path), "{color} on\n{board}");
        }
    }
}

#[test]
fn lengths_and_counts_are_those_of_trying_all_sets() {
    check_against_all_sets::<1>(10);
    check_against_all_sets::<2>(60);
    check_against_all_sets::<3>(150);
    check_against_all_sets::<4>(6);
}

/// Who is cut off has lost: without a winner both players have a path, and with one only the winner
/// has.
#[test]
fn a_side_is_cut_off_if_and_only_if_the_other_has_won() {
    fn check<const N: usize>() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(100 + N as u64);
        for _ in 0..200 {
            let board = random_position::<N>(&mut rng);
            for color in Color::ALL {
                let cut_off = !wins_with(&board, color, board.empty_cells());
                assert_eq!(cut_off, board.winner() == Some(color.opponent()), "{board}");
                if cut_off {
                    assert_eq!(paths(&board, color), PathCount::Exactly(0));
                }
            }
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<5>();
    check::<8>();
    check::<21>();
}

/// Proof by exhaustion that it cannot happen on the smallest boards: every filling of every cell
/// with a stone of X, of O or none.
#[test]
fn on_every_filling_of_small_boards_nobody_is_cut_off_without_a_winner() {
    fn check<const N: usize>() {
        for number in 0..3usize.pow((N * N) as u32) {
            let mut stones = [CellSet::EMPTY; 3];
            let mut digits = number;
            for cell in Cell::<N>::all() {
                stones[digits % 3].insert(cell);
                digits /= 3;
            }
            let board = Board::from_stones(stones[0], stones[1], Color::Red).unwrap();
            if let PathVerdict::Open(cases) = analyze(&board.on(), Counting::Off) {
                assert!(cases.iter().all(|case| !case.path.is_empty()), "{board}");
            }
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
}

/// On the empty N×N board a shortest path of O steps down or down-left N - 1 times. Counted here by
/// a recurrence over rows.
#[test]
fn the_empty_board_has_as_many_paths_as_the_recurrence_says() {
    fn check<const N: usize>() {
        let mut ways = vec![1u128; N];
        for _ in 1..N {
            ways = (0..N)
                .map(|col| ways[col] + ways.get(col + 1).copied().unwrap_or(0))
                .collect();
        }
        let expected = PathCount::Exactly(ways.iter().sum());
        for color in Color::ALL {
            assert_eq!(paths(&Board::<N>::new(), color), expected);
        }
    }
    check::<1>();
    check::<5>();
    check::<11>();
    check::<21>();
}

#[test]
fn the_samples_come_out_as_the_text_says() {
    for sample in 1..=3 {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/analyze");
        let [text, expected] = ["txt", "out"].map(|kind| {
            std::fs::read_to_string(format!("{folder}/sample{sample}.{kind}")).unwrap()
        });
        assert_eq!(output_for(&text, &Options::default()), (expected, None));
    }
}

/// What is found in sample 1 with all shortest paths.
fn all_paths(json: bool) -> String {
    let options = Options {
        all: true,
        json,
        svg: None,
    };
    output_for(include_str!("../data/analyze/sample1.txt"), &options).0
}

/// The text counts six ways for X and two for O in the first position of sample 1. In the second it
/// names three ways for O, "which can be done in three ways"; there are five, as trying all sets
/// shows: it leaves out E1-E2-D3-D4 and E1-E2-E3-D4.
#[test]
fn the_ways_that_the_text_counts() {
    let output = all_paths(false);
    let lines = output.lines();
    let counts = lines.filter_map(|line| line.strip_prefix("Number of shortest paths: "));
    assert_eq!(counts.collect::<Vec<_>>(), ["6", "2", "4", "5"]);
}

#[test]
fn json_says_the_same_as_the_text() {
    let output = all_paths(true);
    let first: Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["data_set"], &first["winner"]),
        (&json!(1), &Value::Null)
    );
    let [x, o] = [0, 1].map(|player| &first["best_cases"][player]);
    assert_eq!(x["player"], ContestPlayer::X.name());
    assert_eq!(
        (&x["moves"], &x["shortest_paths"]),
        (&json!(3), &json!("6"))
    );
    assert_eq!(o["path"].as_array().unwrap().len(), 3);
}

#[test]
fn blank_lines_and_line_breaks_are_free() {
    let wrapped = "\n2\n\n3\n2 0\na2\nB2\n\n1\n0 0\n";
    let (output, error) = output_for(wrapped, &Options::default());
    assert_eq!(error, None);
    assert_eq!(
        output.matches("Number of moves: 1\n").count(),
        3,
        "{output}"
    );
}

/// Inputs, `/` for the end of a line, and what is wrong with them.
const WRONG: &str = r#"
=> line 1: the input ends where the number of data sets should follow
0/ => line 1: "0" where the number of data sets should be
101/ => line 1: "101" where the number of data sets should be
1/22/ => line 2: "22" where the side of the board should be
1/2/5 0/ => line 3: "5 0" where the numbers of X's and of O's stones
1/2/1/ => line 3: "1" where the numbers of X's and of O's stones
1/2/1 0/C1/ => line 4: "C1" is not a cell from A1 to B2
1/2/1 0/A/ => line 4: "A" is not a cell from A1 to B2
1/2/1 0/A1 A2/ => line 4: "A2" is one stone of X too many
1/2/1 1/A1/A1/ => line 5: A1 is X's already
1/2/1 1/A1/ => line 4: the input ends where O's stones should follow
1/1/0 0///xyz/ => line 6: "xyz" after the last data set
"#;

#[test]
fn errors_name_the_line_and_the_value() {
    for case in WRONG.trim().lines() {
        let (text, expected) = case.split_once("=> ").unwrap();
        let (_, error) = output_for(&text.trim_end().replace('/', "\n"), &Options::default());
        assert!(
            error.is_some_and(|error| error.contains(expected)),
            "{case}"
        );
    }
}

#[test]
fn what_was_found_before_an_error_is_printed() {
    let (output, error) = output_for("2\n1\n0 0\n\n\n1\n2 0\n", &Options::default());
    assert!(output.contains("Data Set 1\n") && output.contains("Best case for O:\nO\n"));
    assert!(error
        .unwrap()
        .starts_with("data set 2 of 2: test, line 7: \"2 0\""));
}
