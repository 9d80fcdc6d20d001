//! A bot for Hex on CodinGame: Monte Carlo tree search with random playouts. With `DEPTH` 1 the tree
//! ends after one move: plain Monte Carlo. With `AMAF` 0 it is UCT.
use std::io::stdin;
use std::ops::Range;
use std::time::{Duration, Instant};

const DEPTH: usize = 100;
const THINK: Duration = Duration::from_millis(80);
const EXPLORE: f32 = 0.0;
/// How many visits the statistics of all moves as first (AMAF) are worth.
const AMAF: f32 = 300.0;
/// A row of the board with its frame: Red's stones above and below, Blue's on the left and right.
const W: usize = 13;
/// The six neighbours of a cell, from W cells before it on.
const AROUND: [usize; 6] = [0, 1, W + 1, 2 * W, 2 * W - 1, W - 1];

/// 0 is an empty cell, 1 a red stone, 2 a blue one.
type Board = [u8; W * W];

/// A move in the tree: its visits and wins, counted for the player who made it. `later` counts the
/// games in which that player took the cell at any time.
struct Node {
    cell: usize,
    visits: f32,
    wins: f32,
    later_visits: f32,
    later_wins: f32,
    children: Range<usize>,
}

impl Node {
    fn new(cell: usize) -> Node {
        Node { cell, visits: 0.0, wins: 0.0, later_visits: 0.0, later_wins: 0.0, children: 0..0 }
    }

    /// How much the move should be tried: its share of wins, and more if it is rarely tried.
    fn score(&self, all_visits: f32) -> f32 {
        let later = self.later_wins / self.later_visits.max(1.0);
        let share = (self.wins + AMAF * later) / (self.visits + AMAF).max(1e-3);
        share + EXPLORE * (all_visits.ln() / self.visits.max(0.1)).sqrt()
    }
}

fn empty_cells(board: &Board) -> impl Iterator<Item = usize> + '_ {
    (0..W * W).filter(|&cell| board[cell] == 0)
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
            tree.extend(empty_cells(&board).map(Node::new));
            tree[at].children = first..tree.len();
        }
        let score = |child: usize| tree[child].score(visits);
        let best = tree[at].children.clone().max_by(|&a, &b| score(a).total_cmp(&score(b)));
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
        let mover = if depth % 2 == 0 { to_move } else { 3 - to_move };
        tree[at].visits += 1.0;
        tree[at].wins += f32::from(winner != mover);
        for child in tree[at].children.clone() {
            if board[tree[child].cell] == mover {
                tree[child].later_visits += 1.0;
                tree[child].later_wins += f32::from(winner == mover);
            }
        }
    }
}

/// The move that was tried most.
fn search(board: &Board, me: u8, seed: &mut u64) -> usize {
    let start = Instant::now();
    let mut tree = vec![Node::new(0)];
    while start.elapsed() < THINK {
        simulate(&mut tree, *board, me, seed);
    }
    let tried = |&child: &usize| tree[child].visits as u32;
    tree[tree[0].children.clone().max_by_key(tried).expect("an empty cell")].cell
}

fn main() {
    let mut lines = stdin().lines().map(|line| line.expect("text"));
    let me = if lines.next().expect("a header").contains("red") { 1 } else { 2 };
    let mut seed = 1;
    while let Some(last) = lines.next() {
        let mut board = [1; W * W];
        for row in 1..W - 1 {
            let line = lines.next().expect("a row");
            let stones =
                line.split_whitespace().map(|cell| ".rb".find(cell).expect("a cell") as u8);
            (board[row * W], board[row * W + W - 1]) = (2, 2);
            for (col, stone) in (1..W - 1).zip(stones) {
                board[row * W + col] = stone;
            }
        }
        let swaps = me == 2 && matches!(last.trim()[1..].parse(), Ok(3..=9));
        match 121 - empty_cells(&board).count() {
            0 => println!("c2"),
            1 if swaps => println!("swap-pieces"),
            _ => {
                let cell = search(&board, me, &mut seed);
                println!("{}{}", (b'a' + (cell % W) as u8 - 1) as char, cell / W);
            }
        }
    }
}
