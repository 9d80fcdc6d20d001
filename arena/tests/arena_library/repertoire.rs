//! `hex openings`: what is counted, and what the counts suggest.

use hex_arena::repertoire::count::{
    OpeningTally, Repertoire, Score, SwapAdvice, SwapHabits, OPINION_GAMES,
};
use hex_core::record::{AnyCell, Ending, Game, Move, Outcome, Side};
use hexbot::cell::Color;
use proptest::prelude::*;

/// A game with these players and moves that this colour has won.
fn game(players: [&str; 2], moves: &str, winner: Color) -> Game {
    let side = Side::CODINGAME;
    let moves = moves
        .split(' ')
        .map(|word| Move::parse(word, side).unwrap());
    let mut game = Game::from_moves(side, moves).unwrap();
    game.players = players.map(str::to_owned);
    let ending = Ending::Resignation;
    game.end(Outcome { winner, ending });
    game
}

fn opening(cell: &str) -> AnyCell {
    Side::CODINGAME.opening(Side::CODINGAME.parse_cell(cell).unwrap())
}

fn counted(games: &[Game], player: &str) -> Repertoire {
    let mut openings = Repertoire::default();
    games
        .iter()
        .for_each(|game| openings.add(game, player, Side::CODINGAME));
    openings
}

#[test]
fn openings_are_counted_by_who_opened_and_swapped() {
    let (red, blue) = (Color::Red, Color::Blue);
    let games = [
        game(["me", "a"], "c2 swap-pieces f6", red),
        game(["me", "b"], "c2 f6", blue),
        // The same opening, half a turn round the board.
        game(["me", "b"], "i10 f6", red),
        game(["a", "me"], "f6 swap-pieces c3", blue),
        game(["a", "me"], "f6 c3", red),
        // A swap of sides: who was Blue at first is Red then, and wins.
        game(["c", "me"], "f6 swap-sides c3", red),
        // What says nothing.
        game(["a", "b"], "f6 c3", red),
        game(["me", "me"], "f6 c3", red),
        game(["me", "a"], "f6", red),
    ];
    let openings = counted(&games, "me");
    assert_eq!((openings.games, openings.left_out), (6, 3));
    let score = |games, won| Score { games, won };
    let own = &openings.own[&opening("c2")];
    assert_eq!((own.swapped, own.kept), (score(1, 1), score(2, 1)));
    assert_eq!((openings.own.len(), own.all()), (1, score(3, 2)));
    let theirs = &openings.theirs[&opening("f6")];
    assert_eq!((theirs.swapped, theirs.kept), (score(2, 2), score(1, 0)));
    assert_eq!(theirs.opponents.len(), 2);
    let mut small = Repertoire::default();
    small.add(&games[0], "me", Side::of(9));
    assert_eq!((small.games, small.left_out), (0, 1));
}

fn tally(swapped: Score, kept: Score) -> OpeningTally {
    OpeningTally {
        swapped,
        kept,
        ..OpeningTally::default()
    }
}

/// Many games outweigh the engine's opinion, few do not.
#[test]
fn games_and_the_engine_decide_together() {
    let none = Score::default();
    // The engine gives Red 70 % : swap.
    let advice = SwapAdvice::new(&tally(none, none), 0.7);
    assert!(advice.swap == 0.7 && (advice.keep - 0.3).abs() < 1e-9);
    let one_loss = SwapAdvice::new(&tally(Score { games: 1, won: 0 }, none), 0.7);
    assert!(one_loss.swap > one_loss.keep);
    let many_losses = SwapAdvice::new(&tally(Score { games: 50, won: 5 }, none), 0.7);
    assert!(many_losses.swap < many_losses.keep);
}

/// Against opponents who never swap the strongest first move is best, against others an even one.
#[test]
fn opponents_who_never_swap_are_opened_against_strongly() {
    let strongest = |swapped: u64, kept: u64| {
        let won = |games: u64| Score {
            games,
            won: games / 2,
        };
        let mut openings = Repertoire::default();
        openings
            .own
            .insert(opening("e5"), tally(won(swapped), won(kept)));
        let habits = SwapHabits::of(&openings.own, |_| 0.8);
        // A strong opening, with which Red wins 80 %, and an even one.
        let expected = |red_wins| habits.expected(&OpeningTally::default(), red_wins);
        expected(0.8) > expected(0.45)
    };
    assert!(strongest(0, 40));
    assert!(!strongest(40, 0));
    // Without any game they are taken for careful.
    assert!(!strongest(0, 0));
}

proptest! {
    #[test]
    fn half_a_turn_changes_no_opening(row in 0..11_usize, col in 0..11_usize) {
        let side = Side::CODINGAME;
        let cell = side.cell(row, col).unwrap();
        let turned = side.cell(10 - row, 10 - col).unwrap();
        let opening = side.opening(cell);
        prop_assert_eq!(opening, side.opening(turned));
        prop_assert!(opening == cell || opening == turned);
    }

    /// An expectation lies between the games' share and the opinion, and is one of both without
    /// the other.
    #[test]
    fn expectations_are_shares(games in 0..1000_u64, won in 0..1000_u64, opinion in 0.0..=1.0) {
        let won = won.min(games);
        let expected = Score { games, won }.expected(opinion);
        let share = if games == 0 { opinion } else { won as f64 / games as f64 };
        prop_assert!(expected >= opinion.min(share) - 1e-9);
        prop_assert!(expected <= opinion.max(share) + 1e-9);
        prop_assert!(OPINION_GAMES > 0.0);
    }
}
