//! Boards in the corner of larger ones, on which the engine plays most sides: the same game, the
//! same evaluations, and as good answers as on a board of the side itself. Only bridges differ:
//! those to an edge become bridges to surplus stones, which are met in another order, so that a
//! proof may be found on one of the two boards alone.

use hex_core::engine::{
    engine, network, network_warning, player, Effort, Engine, Stop, StoppableClock, Task, SIDES,
};
use hex_core::record::{any_cell, stones, AnyBoard, AnyCell, Move, Side};
use hex_core::solver::Solver;
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::budget::{Budget, Clock, SystemClock};
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use hexbot::fallback::FallbackEvaluator;
use hexbot::network::Scratch;
use hexbot::params::Params;
use hexbot::player::Player;
use hexbot::search::Search;
use hexbot::settings::Settings;
use hexbot::shortest_path::Distances;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A board with stones of both colours at random, as many as in a game or nearly so.
fn random_position(side: usize, rng: &mut Xoshiro256PlusPlus) -> AnyBoard {
    let side = Side::try_from(side).unwrap();
    let mut position = side.board();
    let cells: Vec<AnyCell> = side.cells().collect();
    for _ in 0..rng.random_range(0..=cells.len()) {
        let color = Color::ALL[rng.random_range(0..2)];
        // Where a stone lies already, it stays.
        let _ = position.set_up(cells[rng.random_range(0..cells.len())], color);
    }
    position.with_to_move(Color::ALL[rng.random_range(0..2)])
}

/// Compares a board of side S with the same position in the corner of a board of side N. Returns
/// how often bridges prove a winner on both, on the board of side S alone, and in the corner alone.
fn compare_boards<const S: usize, const N: usize>(positions: usize) -> [usize; 3] {
    let mut proofs = [0; 3];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(S as u64);
    for _ in 0..positions {
        let position = random_position(S, &mut rng);
        let own: Board<S> = position.on();
        let corner: Board<N> = position.on();
        assert!(corner.is_valid(), "{position}");
        assert_eq!(corner.winner(), own.winner(), "{position}");
        assert_eq!(position.winner(), own.winner(), "{position}");
        assert_eq!(corner.empty_cells(), own.empty_cells().on());
        for color in Color::ALL {
            let moves = Distances::new(&own, color).moves_to_win();
            assert_eq!(Distances::new(&corner, color).moves_to_win(), moves);
        }
        for order in 0..5 {
            let proven = Bridges::new(&own, order).winner();
            let in_corner = Bridges::new(&corner, order).winner();
            match (proven, in_corner) {
                (Some(own), Some(corner)) => {
                    assert_eq!(own, corner, "order {order}\n{position}");
                    proofs[0] += 1;
                }
                (Some(_), None) => proofs[1] += 1,
                (None, Some(_)) => proofs[2] += 1,
                (None, None) => {}
            }
        }
    }
    proofs
}

#[test]
fn a_board_in_the_corner_has_the_same_rules_and_proofs() {
    let proofs = [
        compare_boards::<1, 5>(20),
        compare_boards::<2, 5>(300),
        compare_boards::<3, 5>(1000),
        compare_boards::<4, 5>(2000),
        compare_boards::<7, 8>(2000),
        compare_boards::<5, 11>(2000),
        compare_boards::<10, 11>(2000),
        compare_boards::<13, 19>(1000),
    ];
    let [both, own, corner] = [0, 1, 2].map(|kind| proofs.iter().map(|p| p[kind]).sum::<usize>());
    // As many are found in the corner as on the board itself, and nearly all on both.
    assert!(
        both > 1000 && own + corner < both / 10 && own < 2 * corner + both / 100,
        "proofs on both {both}, on the board itself alone {own}, in the corner alone {corner}"
    );
}

/// A proof by bridges in the corner is one that the exact solver confirms.
#[test]
fn proofs_in_the_corner_are_true() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut proofs = 0;
    for _ in 0..1000 {
        let position = random_position(4, &mut rng);
        let corner: Board<11> = position.on();
        let Some(proven) = Bridges::new(&corner, rng.random_range(0..5)).winner() else {
            continue;
        };
        let mut solver = Solver::new(&position, 1_000_000).unwrap();
        assert_eq!(solver.winner(&position), Ok(proven), "{position}");
        proofs += 1;
    }
    assert!(proofs > 200, "only {proofs} proofs were checked");
}

/// What a search of some simulations says of each move that is not proven to lose: its prior.
type Known = Vec<(AnyCell, f32)>;

/// By the search on a board of the side itself, and the winner if that is proven.
fn known_natively<const S: usize>(
    position: &AnyBoard,
    simulations: u64,
) -> Option<(AnyCell, Option<Color>, Known)> {
    let params = Params::default();
    let board: Board<S> = position.on();
    let rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut search = Search::new(
        params,
        FallbackEvaluator::new(&params, rng, network(Side::of(S as u8))),
    );
    let mut budget = Budget::simulations(SystemClock::start(), simulations);
    let thought = search.think(&board, &mut budget)?;
    let root = search.root_node().filter(|_| thought.simulations > 0);
    let cells = board.empty_cells().iter().filter(|_| root.is_some());
    let known = cells.filter_map(|cell| {
        let root = root.expect("else there are no cells");
        Some((any_cell(cell), root.prior(cell)?))
    });
    let winner = thought.proof.map(|proof| proof.winner);
    Some((any_cell(thought.best), winner, known.collect()))
}

/// Compares whole searches of positions with few stones; in how many the same move was best, and
/// how many there were.
fn compare_searches<const S: usize>(positions: usize) -> (usize, usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(S as u64);
    let (mut same, mut searched) = (0, 0);
    for _ in 0..positions {
        // A third of the stones: else most positions are decided.
        let side = Side::try_from(S).unwrap();
        let all = random_position(S, &mut rng);
        let kept = stones(&all).filter(|_| rng.random_range(0..3) == 0);
        let position = side.position(kept.collect::<Vec<_>>(), all.to_move());
        let simulations = 400;
        let own = known_natively::<S>(&position, simulations);
        let mut engine = engine(side, &Params::default(), 1).unwrap();
        let task = Task::new(Effort::Simulations(simulations));
        let thought = engine.think(&position, &task, &mut |_| {});
        assert_eq!(own.is_some(), thought.is_some(), "{position}");
        let (Some((best, winner, own)), Some(thought)) = (own, thought) else {
            continue;
        };
        let proven = thought.proof.map(|proof| proof.winner);
        let agree = winner.is_none() || proven.is_none() || winner == proven;
        assert!(agree, "{position}");
        searched += 1;
        same += usize::from(thought.best == best);
        for known in engine.known_positions(2) {
            assert_eq!(known.position.side(), position.side());
            let empty = known.position.empty_cells().iter();
            let moves = known.moves.iter().map(|known| known.cell);
            assert!(moves.eq(empty), "{}", known.position);
        }
        let priors = own.iter().filter_map(|&(point, prior)| {
            let known = thought.moves.iter().find(|known| known.cell == point)?;
            Some((prior, known.prior?))
        });
        for (own, corner) in priors {
            assert_eq!(own, corner, "{position}");
        }
    }
    (same, searched)
}

/// Priors are those of a board of the side itself, bit for bit, and so are nearly all answers. Two
/// sides have to do: every one compiles the search once more.
#[test]
fn a_search_in_the_corner_finds_the_same_moves() {
    let compared = [compare_searches::<6>(60), compare_searches::<13>(25)];
    let same: usize = compared.iter().map(|(same, _)| same).sum();
    let all: usize = compared.iter().map(|(_, all)| all).sum();
    assert!(
        all > 80 && same * 10 > all * 9,
        "{same} of {all} moves are the same"
    );
}

/// Without the network, too, games on boards in the corner are played as well as ever: the first
/// proof found is true.
#[test]
fn playouts_in_the_corner_find_the_winner() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut proofs = 0;
    for _ in 0..300 {
        let position = random_position(4, &mut rng);
        let mut engine = engine(Side::of(4), &Params::playouts_only(), 1).unwrap();
        let task = Task::new(Effort::Simulations(2000));
        let Some(thought) = engine.think(&position, &task, &mut |_| {}) else {
            assert!(position.winner().is_some());
            continue;
        };
        assert!(position.at(thought.best).is_none());
        // Where one move alone is not proven to lose, the search stops without a proof.
        let Some(proof) = thought.proof else { continue };
        let mut solver = Solver::new(&position, 1_000_000).unwrap();
        assert_eq!(solver.winner(&position), Ok(proof.winner));
        proofs += 1;
    }
    assert!(proofs > 100, "only {proofs} positions were solved");
}

/// The bot of games answers on other boards as the uploaded one does when it is built for them.
/// Both have swapped Red's stone on `board` and searched the position after that. When Red plays
/// the most visited move, the next answers are also the same: neither has lost its tree.
fn check_the_answer_after_a_swap<const S: usize>(
    own: &mut Player<S>,
    bot: &mut Engine,
    board: &Board<S>,
) {
    let clock = StoppableClock::start(&Stop::never());
    let mut board = board.transposed();
    let root = own.search_mut().root_node().expect("a search");
    board.play(root.best_move(&Params::default()).expect("a move"));
    let expected = own.reply(&board, CellSet::EMPTY, &clock, clock.now());
    let expected = expected.and_then(|reply| reply.result).expect("a search");
    let reply = bot.reply(&board.on(), &[], &clock, clock.now());
    let reply = reply.expect("a search");
    // The report ends with the principal variation; it has the time before.
    let line = |report: &str| report.rsplit(':').next().map(|line| line.trim().to_owned());
    assert_eq!(reply.summary, expected.summary(), "{board}");
    assert_eq!(line(&reply.report), line(&expected.to_string()), "{board}");
}

#[test]
fn the_bot_answers_as_if_it_were_built_for_the_side() {
    const S: usize = 6;
    let settings = Settings {
        seed: Some(1),
        simulations: Some(60),
        ..Settings::default()
    };
    let side = Side::try_from(S).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let clock = StoppableClock::start(&Stop::never());
    let empty = side.board();
    let opening = |cell| side.position([(cell, Color::Red)], Color::Blue);
    let mut cases = Color::ALL.map(|color| empty.with_to_move(color)).to_vec();
    cases.extend(side.cells().map(opening));
    cases.extend((0..60).map(|_| random_position(S, &mut rng)));
    for position in cases {
        let mut own = Player::<S>::new(settings.clone());
        let mut bot = player(side, settings.clone(), 1, network(side)).unwrap();
        let board: Board<S> = position.on();
        let expected = own.reply(&board, CellSet::EMPTY, &clock, clock.now());
        let reply = bot.reply(&position, &[], &clock, clock.now());
        let action = reply.as_ref().map(|reply| reply.action);
        if action == Some(Move::SwapPieces) {
            check_the_answer_after_a_swap(&mut own, &mut bot, &board);
        }
        let expected = expected.map(|reply| reply.to_string());
        let reply = reply.map(|reply| format!("{} {}", reply.action, reply.summary));
        let reply = reply.map(|reply| reply.trim_end().to_owned());
        let mover = position.to_move();
        assert_eq!(reply, expected, "{mover} to move\n{position}");
        assert_eq!(network_warning(side), "");
    }
}

/// Every side is played on: the answer is on the board, and priors are those of the network on it.
#[test]
fn priors_are_those_of_the_side() {
    macro_rules! check {
        ($($s:literal)*) => { $({
            let position = Side::of($s).board();
            let task = Task::new(Effort::Simulations(16));
            let params = Params::default();
            let mut engine = engine(Side::of($s), &params, 1).unwrap();
            let thought = engine.think(&position, &task, &mut |_| {}).unwrap();
            let board = Board::<$s>::new();
            let network = network(Side::of($s)).unwrap();
            let logits = network.logits(&board, &mut Scratch::default());
            let priors = logits.priors(board.empty_cells(), params.policy_temperature);
            if thought.simulations > 0 {
                assert_eq!(thought.moves.len(), $s * $s);
                for known in &thought.moves {
                    let prior = priors[known.cell.on().unwrap()];
                    assert_eq!(known.prior, Some(prior), "{} on side {}", known.cell, $s);
                }
            }
        })* };
    }
    check!(4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    assert_eq!(SIDES, 2..=19);
}
