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
const TABLES: [SideTable; 15] = [
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
        14, 17, 17, 14, 16, 15, 16, 18, 68,
        48, 53, 61, 39, 36, 36, 52, 85, 81,
        47, 89, 92, 79, 79, 76, 90, 74, 35,
        71, 68, 88, 91, 89, 92, 89, 91, 61,
        73, 82, 85, 93, 95,
    ] },
    SideTable { side: 10, red_wins: &[
        18, 19, 14, 11, 11, 12, 16, 16, 18, 59,
        44, 43, 54, 44, 28, 37, 38, 55, 80, 77,
        46, 80, 87, 79, 82, 71, 71, 79, 59, 38,
        63, 72, 86, 90, 88, 84, 94, 82, 89, 64,
        69, 81, 85, 88, 81, 84, 76, 78, 84, 73,
    ] },
    SideTable { side: 12, red_wins: &[
        28, 28, 27, 23, 26, 23, 25, 26, 24, 27, 29, 62,
        47, 48, 47, 47, 43, 43, 43, 48, 47, 51, 76, 67,
        42, 72, 74, 73, 69, 69, 70, 70, 71, 76, 59, 38,
        69, 69, 77, 77, 73, 76, 76, 72, 82, 74, 76, 57,
        63, 71, 76, 78, 78, 77, 75, 78, 75, 76, 73, 65,
        62, 75, 75, 77, 78, 73, 82, 75, 75, 77, 71, 62,
    ] },
    SideTable { side: 13, red_wins: &[
        26, 27, 26, 23, 26, 23, 24, 25, 25, 25, 27, 30, 57,
        46, 46, 45, 45, 41, 43, 42, 44, 44, 48, 51, 71, 62,
        39, 65, 66, 67, 66, 65, 66, 67, 65, 67, 72, 55, 36,
        63, 64, 69, 71, 69, 71, 70, 70, 68, 75, 67, 68, 54,
        57, 64, 68, 73, 71, 71, 70, 67, 73, 68, 70, 67, 61,
        55, 66, 68, 70, 72, 70, 71, 73, 70, 72, 73, 67, 58,
        59, 69, 71, 70, 71, 72, 75,
    ] },
    SideTable { side: 14, red_wins: &[
        36, 37, 34, 32, 32, 32, 33, 34, 34, 33, 34, 35, 36, 58,
        49, 49, 49, 49, 48, 49, 50, 49, 50, 49, 49, 51, 69, 60,
        42, 61, 62, 64, 63, 62, 63, 62, 64, 63, 63, 67, 55, 41,
        60, 61, 65, 67, 65, 66, 67, 65, 67, 62, 72, 64, 67, 55,
        55, 62, 63, 68, 66, 67, 66, 65, 63, 70, 65, 66, 62, 61,
        55, 64, 62, 65, 68, 66, 67, 64, 70, 67, 68, 68, 64, 58,
        56, 64, 65, 66, 67, 67, 65, 72, 67, 65, 66, 66, 63, 58,
    ] },
    SideTable { side: 15, red_wins: &[
        35, 34, 33, 31, 32, 31, 33, 32, 32, 32, 33, 33, 34, 37, 54,
        48, 47, 47, 47, 47, 48, 49, 48, 49, 48, 50, 48, 53, 66, 56,
        41, 59, 59, 60, 61, 59, 60, 61, 60, 62, 62, 62, 64, 52, 37,
        56, 58, 59, 61, 62, 62, 63, 64, 63, 63, 62, 67, 60, 62, 51,
        53, 59, 60, 61, 61, 61, 62, 62, 61, 60, 65, 61, 62, 60, 57,
        52, 58, 58, 60, 61, 62, 62, 62, 60, 65, 65, 65, 64, 61, 57,
        52, 59, 58, 61, 61, 62, 62, 63, 64, 63, 63, 62, 63, 61, 56,
        52, 60, 61, 62, 62, 63, 62, 67,
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
