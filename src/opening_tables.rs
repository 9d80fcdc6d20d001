//! Red's win probability after each first move on boards of other sides than CodinGame's.
//!
//! Up to side 8 the winners are proven. A value there says how hard the loser makes it: the share
//! of games that Red won, played by a weak engine, kept on the winner's side of 50. The others are
//! measured as those of 11×11 are, with fewer games. `docs/openings` has the logs, and
//! `docs/search.md` the errors.

/// The values in percent of a board of this side: of its upper half, row by row to the centre.
struct SideTable {
    side: usize,
    red_wins: &'static [u8],
}

/// The tables, smallest side first. Side 11 is in [`crate::opening`].
#[rustfmt::skip]
const TABLES: [SideTable; 14] = [
    SideTable { side: 1, red_wins: &[
        100,
    ] },
    SideTable { side: 2, red_wins: &[
        0, 100,
    ] },
    SideTable { side: 3, red_wins: &[
        0, 0, 97,
        86, 100,
    ] },
    SideTable { side: 4, red_wins: &[
        31, 31, 28, 71,
        42, 29, 98, 46,
    ] },
    SideTable { side: 5, red_wins: &[
        40, 45, 42, 36, 64,
        49, 51, 65, 78, 58,
        49, 59, 81,
    ] },
    SideTable { side: 6, red_wins: &[
        15, 15, 15, 7, 19, 59,
        34, 87, 98, 98, 93, 96,
        79, 99, 65, 99, 94, 73,
    ] },
    SideTable { side: 7, red_wins: &[
        10, 3, 7, 5, 3, 10, 65,
        28, 32, 51, 45, 79, 99, 73,
        18, 86, 97, 51, 99, 81, 36,
        64, 51, 96, 100,
    ] },
    SideTable { side: 8, red_wins: &[
        4, 8, 10, 4, 8, 4, 6, 58,
        22, 15, 17, 15, 26, 49, 88, 71,
        17, 91, 88, 84, 85, 87, 72, 28,
        29, 52, 96, 58, 97, 92, 87, 65,
    ] },
    SideTable { side: 9, red_wins: &[
        21, 24, 20, 22, 21, 23, 20, 15, 74,
        53, 57, 67, 47, 40, 44, 58, 86, 81,
        59, 94, 93, 82, 83, 80, 90, 75, 41,
        79, 73, 88, 90, 89, 95, 91, 92, 69,
        69, 82, 85, 95, 96,
    ] },
    SideTable { side: 10, red_wins: &[
        20, 19, 19, 15, 16, 17, 17, 19, 19, 50,
        38, 44, 47, 39, 30, 36, 40, 51, 77, 68,
        37, 75, 76, 71, 75, 69, 69, 80, 64, 36,
        68, 71, 84, 82, 79, 74, 86, 77, 79, 54,
        62, 75, 78, 81, 75, 79, 78, 75, 76, 66,
    ] },
    SideTable { side: 12, red_wins: &[
        24, 23, 29, 21, 35, 28, 28, 23, 22, 23, 26, 56,
        45, 44, 45, 39, 53, 35, 41, 45, 50, 52, 64, 69,
        40, 73, 64, 70, 61, 73, 73, 61, 74, 64, 65, 49,
        65, 72, 71, 72, 77, 72, 77, 73, 82, 63, 77, 51,
        60, 66, 76, 72, 71, 78, 73, 79, 57, 77, 68, 68,
        61, 76, 76, 71, 79, 73, 74, 76, 70, 65, 68, 66,
    ] },
    SideTable { side: 13, red_wins: &[
        33, 31, 30, 31, 32, 29, 32, 30, 31, 31, 32, 35, 54,
        45, 46, 43, 47, 42, 43, 44, 46, 44, 47, 49, 66, 55,
        40, 60, 61, 61, 61, 61, 60, 57, 59, 58, 63, 52, 39,
        60, 59, 61, 66, 63, 63, 64, 61, 61, 67, 61, 59, 51,
        51, 59, 61, 65, 66, 64, 63, 61, 65, 63, 63, 62, 55,
        51, 62, 61, 63, 66, 60, 62, 64, 63, 66, 66, 59, 51,
        53, 60, 65, 61, 62, 64, 67,
    ] },
    SideTable { side: 14, red_wins: &[
        36, 37, 34, 32, 32, 34, 38, 38, 38, 34, 35, 38, 37, 56,
        50, 44, 50, 48, 46, 49, 47, 48, 47, 49, 48, 54, 67, 57,
        43, 60, 58, 61, 57, 58, 61, 59, 61, 60, 61, 64, 53, 38,
        60, 60, 57, 61, 59, 63, 60, 61, 61, 62, 67, 56, 59, 54,
        53, 57, 59, 60, 59, 63, 61, 61, 58, 66, 62, 66, 58, 59,
        57, 61, 62, 65, 65, 65, 61, 64, 65, 66, 62, 63, 61, 56,
        52, 61, 61, 63, 65, 63, 60, 67, 63, 62, 61, 59, 63, 56,
    ] },
    SideTable { side: 19, red_wins: &[
        49, 48, 43, 41, 41, 40, 40, 41, 40, 41, 41, 41, 40, 41, 41, 42, 41, 42, 56,
        57, 49, 50, 49, 49, 48, 48, 48, 48, 49, 50, 49, 49, 49, 51, 51, 52, 58, 54,
        52, 57, 54, 55, 55, 55, 55, 55, 56, 56, 56, 56, 56, 56, 57, 58, 56, 53, 48,
        56, 55, 56, 56, 56, 56, 56, 57, 58, 59, 58, 58, 57, 58, 58, 59, 57, 55, 53,
        56, 55, 55, 55, 56, 55, 56, 56, 57, 58, 58, 57, 57, 57, 57, 57, 55, 54, 55,
        53, 55, 55, 55, 55, 55, 55, 56, 57, 57, 57, 57, 56, 58, 59, 57, 55, 55, 53,
        53, 55, 54, 55, 55, 55, 55, 55, 56, 57, 56, 56, 59, 58, 56, 56, 55, 54, 53,
        53, 54, 54, 55, 55, 55, 56, 56, 56, 56, 55, 58, 58, 57, 56, 56, 55, 55, 54,
        53, 55, 54, 55, 55, 55, 55, 56, 56, 57, 58, 58, 57, 56, 56, 56, 55, 55, 54,
        53, 55, 54, 55, 55, 55, 56, 57, 57, 59,
    ] },
];

/// Red's win probability in percent after a first move on a board of `side`, if Blue does not swap.
/// A side without a table takes the value of the cell with the same distances from the nearer
/// edges on the nearest side that has one.
pub fn red_wins_percent(row: usize, col: usize, side: usize) -> u8 {
    let nearest = TABLES.iter().min_by_key(|table| table.side.abs_diff(side));
    let table = nearest.expect("there are tables");
    // The upper of the two cells that half a turn makes equal. The middle row and column of an odd
    // side have no image of their own on a table of an even one.
    let number = row * side + col;
    let number = number.min(side * side - 1 - number);
    let [row, col] = [number / side, number % side].map(|x| on_table(x, side, table.side));
    let number = row * table.side + col;
    table.red_wins[number.min(table.side * table.side - 1 - number)]
}

/// The row or column on a board of side `other` for `x`, 0 to `side` − 1.
fn on_table(x: usize, side: usize, other: usize) -> usize {
    let middle = (other - 1) / 2;
    if 2 * x < side {
        x.min(middle)
    } else {
        other - 1 - (side - 1 - x).min(middle)
    }
}
