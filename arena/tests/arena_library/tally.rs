//! What the games of a match add up to, and what those that come again do not add.

use hex_arena::match_command::schedule::{Schedule, ScheduleKind};
use hex_arena::match_command::tally::Tally;
use hex_arena::player::Limits;
use hex_arena::scoresheet::GameLine;
use hex_common::stats::sprt::Sprt;
use hex_core::record::{AnyCell, Side};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use std::collections::HashSet;

/// Game `id` of two players, of this one move, which was forced and with which Red has won.
fn game(id: u64, move_: &str) -> GameLine {
    let line = json!({
        "id": id, "seed": 1, "round": id / 2, "red": id % 2, "blue": 1 - id % 2, "winner": "red",
        "reason": "connection", "opening": 1, "moves": [move_], "times_ms": [null],
    });
    serde_json::from_value(line).unwrap()
}

/// The side of the board.
fn side() -> Side {
    Side::try_from(5).unwrap()
}

/// The score after these games, in this order.
fn tally(games: &[GameLine]) -> Tally {
    let schedule = Schedule::new(ScheduleKind::RoundRobin, 2, 50);
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
    let limits = vec![Limits::CODINGAME; 2];
    let mut tally = Tally::new(&schedule, side(), limits, Some(test));
    games.iter().for_each(|game| tally.add(game));
    tally
}

/// Games that repeat earlier ones, pairs that count, and pairs since then that do not.
fn counts(games: &[GameLine]) -> (u64, u64, u64) {
    let tally = tally(games);
    let [score] = &tally.pairings[..] else {
        panic!("two players meet in one way")
    };
    assert_eq!(tally.games, games.len() as u64);
    assert_eq!(score.course.len() as u64, score.pairs.count());
    assert_eq!(score.course.last().copied(), score.pairs.elo());
    (tally.repeated, score.pairs.count(), tally.idle_pairs)
}

#[test]
fn a_pair_that_comes_again_is_no_evidence() {
    let first = [game(0, "a1"), game(1, "b1")];
    let again = [game(2, "a1"), game(3, "b1")];
    let more = [game(4, "a1"), game(5, "c1")];
    assert_eq!(counts(&first), (0, 1, 0));
    assert_eq!(counts(&[&first[..], &again].concat()), (2, 1, 1));
    // One game of it is new.
    assert_eq!(counts(&[&first[..], &again, &more].concat()), (3, 2, 0));
    assert_eq!(counts(&[&first[..], &more, &again].concat()), (3, 2, 1));
}

/// What players open with themselves is what they will open with in a contest.
#[test]
fn a_pair_that_players_open_alike_counts_each_time() {
    let games = [0, 1, 2, 3].map(|id| GameLine {
        opening: 0,
        ..game(id, "a1")
    });
    assert_eq!(counts(&games), (2, 2, 0));
}

/// However the games of several threads end, the same pair counts once.
#[test]
fn pairs_under_way_together_count_once() {
    let games = [game(0, "a1"), game(1, "b1"), game(2, "a1"), game(3, "b1")];
    for order in [[0, 3, 1, 2], [0, 2, 1, 3], [3, 0, 2, 1], [2, 0, 3, 1]] {
        let games = order.map(|place: usize| games[place].clone());
        assert_eq!(counts(&games), (2, 1, 1), "{order:?}");
    }
}

/// A crash or a late answer may be chance, and then it is evidence each time.
#[test]
fn a_fault_repeats_nothing() {
    let lost = |id| {
        let mut line = serde_json::to_value(game(id, "a1")).unwrap();
        line["fault"] = json!({ "kind": "timeout", "detail": "late" });
        serde_json::from_value::<GameLine>(line).unwrap()
    };
    assert_eq!(counts(&[lost(0), lost(1), lost(2), lost(3)]), (0, 2, 0));
}

/// Game `id` of these moves.
fn game_of(id: u64, moves: &[String]) -> GameLine {
    GameLine {
        moves: moves.to_vec(),
        times_ms: vec![None; moves.len()],
        ..game(id, "a1")
    }
}

/// Half a turn of the board repeats a game, and so does the mirror image with colours exchanged:
/// the game in which the other player placed the first stone and nobody swapped.
#[test]
fn symmetry_repeats_games() {
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let [first, second] = ["a2 c3 d4", "b4 c3 a1"].map(words);
    let pair = [game_of(0, &first), game_of(1, &second)];
    let turned = [
        game_of(2, &words("e4 c3 b2")),
        game_of(3, &words("d2 c3 e5")),
    ];
    assert_eq!(counts(&[&pair[..], &turned].concat()), (2, 1, 1));
    // The players' colours differ, their parts do not.
    let swapped = ["b4 swap-pieces c3 a1", "a2 swap-pieces c3 d4"].map(words);
    let swapped = [game_of(2, &swapped[0]), game_of(3, &swapped[1])];
    assert_eq!(counts(&[&pair[..], &swapped].concat()), (2, 1, 1));
    // Mirrored without a swap it is another game: the first player has the other edges.
    let mirrored = [
        game_of(2, &words("b1 c3 d4")),
        game_of(3, &words("d2 c3 a1")),
    ];
    assert_eq!(counts(&[&pair[..], &mirrored].concat()), (0, 2, 0));
}

/// The test would have a verdict if the copies were evidence.
#[test]
fn copies_decide_no_test() {
    let games: Vec<GameLine> = (0..20_000).map(|id| game(id, "a1")).collect();
    let tally = tally(&games);
    assert!(!tally.is_decided(), "{}", tally.test.unwrap());
}

proptest! {
    /// Every image of a game is a repeat of it, and no other game is.
    #[test]
    fn all_images_of_a_game_are_one(seed in any::<u64>(), length in 2_usize..25) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut cells: Vec<AnyCell> = side().cells().collect();
        cells.shuffle(&mut rng);
        cells.truncate(length);
        let named = |cells: &[AnyCell]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        let turned: Vec<AnyCell> = cells.iter().map(|&cell| side().rotated(cell)).collect();
        let images = [&cells, &turned].map(|cells| {
            let mut mirrored = cells.clone();
            mirrored[1..].iter_mut().for_each(|cell| *cell = cell.transposed());
            let mut swapped = named(&mirrored);
            swapped.insert(1, "swap-pieces".to_owned());
            // The other player is Red.
            [game_of(0, &named(cells)), game_of(1, &swapped)]
        });
        prop_assert_eq!(counts(images.as_flattened()).0, 3);
        let mut other = cells.clone();
        other.swap(0, length - 1);
        let both = [game_of(0, &named(&cells)), game_of(2, &named(&other))];
        let is_image = other == turned;
        prop_assert_eq!(counts(&both).0, u64::from(is_image));
    }

    /// No two games have the same opening, the same players and the same colours: what is the same
    /// in two lines of a log is chance, or the players' lack of it.
    #[test]
    fn every_game_of_a_schedule_is_another(
        players in 2_usize..6,
        rounds in 1_u64..40,
        is_gauntlet in any::<bool>(),
    ) {
        let kind = if is_gauntlet { ScheduleKind::Gauntlet } else { ScheduleKind::RoundRobin };
        let schedule = Schedule::new(kind, players, rounds);
        let mut seen = HashSet::new();
        for id in 0..schedule.games() {
            let game = schedule.fixture(id);
            prop_assert!(seen.insert((game.round, game.red, game.blue)), "game {} comes twice", id);
            let other = schedule.fixture(id ^ 1);
            prop_assert_eq!((game.round, game.red, game.blue), (other.round, other.blue, other.red));
        }
    }
}
