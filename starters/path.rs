//! A bot for Hex on CodinGame: it reads the turn, swaps, keeps bridges and takes the shortest path.
use std::{cmp::Reverse, collections::BinaryHeap};

const STONE: usize = 10; // what a step costs that needs a stone,
const BRIDGE: usize = 1; // and one over a bridge that has to be kept
const N: usize = 11;
const WIDTH: usize = N + 3; // of a row of the board: its cells, the edges on both sides, a '#'
const AROUND: [usize; 7] = [0, 1, WIDTH + 1, 2 * WIDTH, 2 * WIDTH - 1, WIDTH - 1, 0]; // and WIDTH

/// What it costs a colour to join each cell to its edge; a stone on the cell included.
fn costs_from(board: &[u8], edge: usize, color: u8) -> Vec<usize> {
    let (mut costs, mut queue) = (vec![999; board.len()], BinaryHeap::from([Reverse((0, edge))]));
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if costs[cell] <= cost {
            continue;
        }
        costs[cell] = cost;
        let mut step = |cost, cell: usize| match board[cell] {
            b'.' => queue.push(Reverse((cost + STONE, cell))),
            stone if stone == color => queue.push(Reverse((cost, cell))),
            _ => {}
        };
        for pair in AROUND.windows(2) {
            let (one, other) = (cell + pair[0] - WIDTH, cell + pair[1] - WIDTH);
            step(cost, one);
            if board[one] == b'.' && board[other] == b'.' {
                step(cost + BRIDGE, one + other - cell);
            }
        }
    }
    costs
}

fn main() {
    let mut lines = std::io::stdin().lines().map(Result::unwrap);
    let color = lines.next().unwrap().trim().replace("11 ", "");
    while let Some(last) = lines.next() {
        let (outside, edge) = ("#".repeat(WIDTH), "r".repeat(N + 2) + "#");
        let cells = |line: String| line.split_whitespace().take(N).collect::<String>();
        let rows: String =
            lines.by_ref().take(N).map(|line| format!("b{}b#", cells(line))).collect();
        let board = (outside.clone() + &edge + &rows + &edge + &outside).into_bytes();
        let [top, bottom] = [WIDTH, (N + 2) * WIDTH].map(|edge| costs_from(&board, edge, b'r'));
        let [left, right] = [0, N + 1].map(|edge| costs_from(&board, 2 * WIDTH + edge, b'b'));
        let worth = |&cell: &usize| {
            let (red, blue) = (top[cell] + bottom[cell], left[cell] + right[cell]);
            let wins = if color == "red" { red } else { blue } == 2 * STONE;
            let middle = (cell / WIDTH).abs_diff(N / 2 + 2) + (cell % WIDTH).abs_diff(N / 2 + 1);
            (!wins, red + blue, middle)
        };
        let empty: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] == b'.').collect();
        let best = *empty.iter().min_by_key(|&cell| worth(cell)).unwrap();
        let swaps = color == "blue" && matches!(last.trim()[1..].parse(), Ok(3..=9));
        match N * N - empty.len() {
            0 => println!("c2"),
            1 if swaps => println!("swap-pieces"),
            _ => println!("{}{}", (b'a' + (best % WIDTH) as u8 - 1) as char, best / WIDTH - 1),
        }
    }
}
