//! The judgement of `hex review`: planted blunders are found, and no move is called a mistake that
//! nothing could better.

use hex_arena::review::analysis::analyse;
use hex_arena::review::games::RecordedGame;
use hex_arena::review::judgement::{judge, Exemption, JudgedMove};
use hex_core::engine::{engine, Effort, Engine, Task};
use hex_core::record::{AnyBoard, AnyCell, Game, Move, MoveGrade, Side};
use hex_core::solver::Solver;
use hexbot::book;
use hexbot::params::Params;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Simulations of a move of the player who will blunder.
const PLAYED: u64 = 200;

/// A mover with at least this chance has something to lose.
const GOOD: f32 = 0.5;

/// A mover with at most this chance has lost.
const HOPELESS: f32 = 0.1;

fn task(simulations: u64) -> Task {
    Task::new(Effort::Simulations(simulations))
}

fn recorded(game: Game) -> RecordedGame {
    RecordedGame {
        name: "a game".to_owned(),
        game,
        given: 0,
        times_ms: Vec::new(),
        fault: None,
    }
}

fn reviewed(game: Game, simulations: u64) -> Vec<JudgedMove> {
    let recorded = recorded(game);
    let analysed = analyse(&recorded, &task(simulations)).unwrap();
    judge(&recorded, &analysed.expect("nobody stops it"))
}

/// Games with one planted blunder each.
struct Planter {
    rng: Xoshiro256PlusPlus,
    engine: Engine,
    /// Thinks anew about every question, `simulations` long.
    judge: Engine,
    simulations: u64,
    /// Simulations of a move of the opponent, who is much stronger.
    strong: u64,
}

impl Planter {
    fn new(seed: u64, simulations: u64, strong: u64) -> Planter {
        let new = || engine(Side::CODINGAME, &Params::default(), seed).unwrap();
        Planter {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            engine: new(),
            judge: new(),
            simulations,
            strong,
        }
    }

    /// The probability that the player to move wins.
    fn value(&mut self, position: &AnyBoard, simulations: u64) -> f32 {
        let found = self.judge.think(position, &task(simulations), &mut |_| {});
        found.map_or(0.0, |found| found.win_probability)
    }

    /// The mover's probability after a move.
    fn value_after(&mut self, position: &AnyBoard, cell: AnyCell, simulations: u64) -> f32 {
        let mut after = position.clone();
        after.set_up(cell, position.to_move()).unwrap();
        after.set_to_move(position.to_move().opponent());
        1.0 - self.value(&after, simulations)
    }

    /// A move that loses a good position for certain, if one is drawn.
    fn blunder(&mut self, position: &AnyBoard) -> Option<AnyCell> {
        let efforts = [PLAYED, self.simulations];
        if book::answer(position).is_some()
            || efforts
                .iter()
                .any(|&simulations| self.value(position, simulations) < GOOD)
        {
            return None;
        }
        let empty: Vec<AnyCell> = position.empty_cells().iter().collect();
        (0..10).find_map(|_| {
            let cell = empty[self.rng.random_range(0..empty.len())];
            let is_lost = self.value_after(position, cell, PLAYED) < 2.0 * HOPELESS
                && self.value_after(position, cell, self.simulations) < HOPELESS;
            is_lost.then_some(cell)
        })
    }

    /// A game against a much stronger engine, with a blunder, its number from 0, and the answer.
    fn game(&mut self) -> (Game, usize) {
        loop {
            let mut game = Game::new(Side::CODINGAME);
            let (due, mut planted) = (self.rng.random_range(4..40), None);
            while game.outcome().is_none() {
                let ply = game.turns().len();
                if planted.is_some_and(|planted| ply > planted + 1) {
                    break;
                }
                let position = game.position().clone();
                let is_victim = ply % 2 == due % 2;
                let is_due = planted.is_none() && ply >= due && is_victim;
                let blunder = is_due.then(|| self.blunder(&position));
                if let Some(cell) = blunder.flatten() {
                    planted = Some(ply);
                    game.play(Move::Place(cell)).unwrap();
                    continue;
                }
                let simulations = if is_victim { PLAYED } else { self.strong };
                let task = task(simulations);
                let found = self.engine.think(&position, &task, &mut |_| {});
                let found = found.expect("the game goes on");
                let cell = match ply {
                    0..6 => found.draw(&mut self.rng),
                    _ => found.best,
                };
                game.play(Move::Place(cell)).unwrap();
            }
            if let Some(planted) = planted {
                return (game, planted);
            }
        }
    }
}

/// How many of the planted blunders a review with these simulations grades as mistakes, and how
/// many of the moves before them it calls blunders. A blunder is one by `certain` times as many.
fn found(seed: u64, games: u64, simulations: u64, certain: u64) -> (u64, u64) {
    let (mut found, mut others) = (0, 0);
    let mut planter = Planter::new(seed, certain * simulations, simulations);
    for number in 1..=games {
        let (game, planted) = planter.game();
        for judged in reviewed(game, simulations) {
            let grade = judged.grade();
            let is_very_bad = grade == Some(MoveGrade::VeryBad);
            found += u64::from(judged.ply == planted && grade >= Some(MoveGrade::Bad));
            others += u64::from(judged.ply < planted && is_very_bad);
        }
        println!("seed {seed}: {found} of {number} found, {others} others");
    }
    (found, others)
}

#[test]
fn planted_blunders_are_found() {
    let (found, _) = found(1, 2, 200, 4);
    assert_eq!(found, 2);
}

#[test]
#[ignore = "takes some minutes"]
fn ninety_five_of_a_hundred_planted_blunders_are_found() {
    let threads = (1..=4).map(|seed| std::thread::spawn(move || found(seed, 25, 2000, 5)));
    let threads: Vec<_> = threads.collect();
    let counts = threads.into_iter().map(|thread| thread.join().unwrap());
    let sum = |(a, b): (u64, u64), (c, d): (u64, u64)| (a + c, b + d);
    let (found, others) = counts.fold((0, 0), sum);
    println!("{found} of 100 found; {others} other moves are called blunders");
    assert!(found >= 95, "{found} of 100");
}

/// The search gets the positions of the small book wrong; of the large book only answers are
/// excused.
#[test]
fn the_books_excuse_moves() {
    let cases = [
        ("c2 d8 a1", Some(Exemption::Book)),
        ("c2 h9 e7", Some(Exemption::Book)),
        ("c2 h9 a1", None),
    ];
    for (moves, exemption) in cases {
        let mut game = Game::new(Side::CODINGAME);
        for name in moves.split(' ') {
            let cell = Side::CODINGAME.parse_cell(name).unwrap();
            game.play(Move::Place(cell)).unwrap();
        }
        assert_eq!(reviewed(game, 20)[2].exemption, exemption, "{moves}");
    }
}

/// A game of moves drawn at random, to a connection.
fn random_game(side: usize, rng: &mut Xoshiro256PlusPlus) -> Game {
    let mut game = Game::new(Side::try_from(side).unwrap());
    while game.outcome().is_none() {
        let empty: Vec<AnyCell> = game.position().empty_cells().iter().collect();
        let cell = empty[rng.random_range(0..empty.len())];
        game.play(Move::Place(cell)).unwrap();
    }
    game
}

#[test]
fn a_mistake_is_made_in_no_lost_position_and_where_there_is_a_choice() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut mistakes, mut lost, mut forced) = (0, 0, 0);
    for number in 0..60 {
        let game = random_game(3 + number % 3, &mut rng);
        let mut solver = Solver::new(&game.side().board(), u64::MAX).unwrap();
        for judged in reviewed(game.clone(), 100) {
            lost += u32::from(judged.exemption == Some(Exemption::Lost));
            forced += u32::from(judged.exemption == Some(Exemption::Forced));
            if judged.grade().is_none() {
                continue;
            }
            mistakes += 1;
            let position = game.position_after(judged.ply);
            let winning = solver.winning_moves(&position).unwrap();
            assert!(
                !winning.is_empty(),
                "move {} in\n{position}",
                judged.ply + 1
            );
            assert!(judged.exemption.is_none());
            let played = game.turns()[judged.ply].action;
            assert!(!winning.iter().any(|&cell| Move::Place(cell) == played));
        }
    }
    println!("{mistakes} mistakes, {lost} in lost positions, {forced} forced");
    assert!(mistakes > 30 && lost > 100, "{mistakes} {lost} {forced}");
}
