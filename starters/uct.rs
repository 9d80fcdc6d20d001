//! A bot for Hex on CodinGame: Monte Carlo tree search (UCT) with random playouts. With `DEPTH` 1
//! the tree ends after one move: plain Monte Carlo.
use std::io::stdin;
use std::ops::Range;
use std::time::{Duration, Instant};

const DEPTH: usize = 100;
const THINK: Duration = Duration::from_millis(80);
const EXPLORE: f32 = 0.7;
/// A row of the board with its frame: Red's stones above and below, Blue's on the left and right.
const W: usize = 13;
/// The six neighbours of a cell, from W cells before it on.
const AROUND: [usize; 6] = [0, 1, W + 1, 2 * W, 2 * W - 1, W - 1];

/// 0 is an empty cell, 1 a red stone, 2 a blue one.
type Board = [u8; W * W];

/// A move in the tree. `wins` counts for the player who made it.
struct Node {
    cell: usize,
    wins: f32,
    visits: f32,
    children: Range<usize>,
}

fn empty_cells(board: &Board) -> impl Iterator<Item = usize> + '_ {
    (0..W * W).filter(|&cell| board[cell] == 0)
}

fn node(cell: usize) -> Node {
    Node { cell, wins: 0.0, visits: 0.0, children: 0..0 }
}

/// Who has won a full board: Red if its stones lead from the top to the bottom.
fn winner(mut board: Board) -> u8 {
    let mut open = vec![1];
    while let Some(cell) = open.pop() {
        if cell / W == W - 1 {
            return 1;
        }
        for to in AROUND.map(|to| (cell + to).wrapping_sub(W)) {
            if to < W * W && board[to] == 1 {
                board[to] = 0;
                open.push(to);
            }
        }
    }
    2
}

/// Goes down the tree, adds the moves of a position that was reached before, plays at random to
/// the end, and counts who has won.
fn simulate(tree: &mut Vec<Node>, mut board: Board, to_move: u8, seed: &mut u64) {
    let (mut path, mut player) = (vec![0], to_move);
    loop {
        let at = path[path.len() - 1];
        let visits = tree[at].visits;
        if visits == 1.0 && path.len() <= DEPTH {
            let first = tree.len();
            tree.extend(empty_cells(&board).map(node));
            tree[at].children = first..tree.len();
        }
        let score = |child: &usize| match &tree[*child] {
            new if new.visits == 0.0 => f32::MAX,
            old => old.wins / old.visits + EXPLORE * (visits.ln() / old.visits).sqrt(),
        };
        let best = tree[at].children.clone().max_by(|a, b| score(a).total_cmp(&score(b)));
        let Some(child) = best else { break };
        board[tree[child].cell] = player;
        path.push(child);
        player = 3 - player;
    }
    let mut left: Vec<usize> = empty_cells(&board).collect();
    while !left.is_empty() {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let cell = left.swap_remove((*seed >> 33) as usize % left.len());
        board[cell] = player;
        player = 3 - player;
    }
    let winner = winner(board);
    for (depth, &at) in path.iter().enumerate() {
        let is_ours = depth % 2 == 1;
        tree[at].wins += f32::from((winner == to_move) == is_ours);
        tree[at].visits += 1.0;
    }
}

fn main() {
    let mut lines = stdin().lines().map(|line| line.expect("text"));
    let me = if lines.next().expect("a header").ends_with("red") { 1 } else { 2 };
    let mut seed = 1;
    while let Some(_last) = lines.next() {
        let start = Instant::now();
        let mut board = [0; W * W];
        for edge in 0..W {
            (board[edge * W], board[edge * W + W - 1]) = (2, 2);
        }
        for edge in 0..W {
            (board[edge], board[W * W - 1 - edge]) = (1, 1);
        }
        for row in 1..W - 1 {
            let line = lines.next().expect("a row");
            for (col, stone) in (1..W - 1).zip(line.split_whitespace()) {
                board[row * W + col] = match stone {
                    "r" => 1,
                    "b" => 2,
                    _ => 0,
                };
            }
        }
        let mut stones = (W..W * W - W).filter(|cell| board[*cell] == 1);
        let (first, second) = (stones.next(), stones.next());
        match (first, second) {
            (None, _) if me == 1 => {
                println!("c2");
                continue;
            }
            (Some(stone), None)
                if me == 2
                    && empty_cells(&board).count() == 120
                    && (3..=9).contains(&(stone / W)) =>
            {
                println!("swap-pieces");
                continue;
            }
            _ => {}
        }
        let mut tree = vec![node(0)];
        while start.elapsed() < THINK {
            simulate(&mut tree, board, me, &mut seed);
        }
        let best =
            tree[0].children.clone().max_by(|&a, &b| tree[a].visits.total_cmp(&tree[b].visits));
        let cell = tree[best.expect("an empty cell")].cell;
        println!("{}{}", (b'a' + (cell % W - 1) as u8) as char, cell / W);
    }
}
