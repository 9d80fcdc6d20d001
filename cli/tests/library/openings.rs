//! First moves and swaps: the same in every program, right where the winner is proven, and as
//! measured elsewhere.

use hex_cli::gtp::game::SwapRule;
use hex_cli::gtp::session::{
    Context, GtpSession, GtpSettings, LiveGraphics, Pondering, SearchStart,
};
use hex_common::solved_openings;
use hex_core::engine::{network, player, Effort, Stop, StoppableClock, SIDES};
use hex_core::record::{AnyCell, Game, Move, Side};
use hex_core::service::messages::{OrderLimit, Subject};
use hex_core::service::{questions, view};
use hex_core::solver::Solver;
use hex_lab::openings_command::store::OpeningStore;
use hex_lab::openings_command::OpeningMap;
use hexbot::budget::Clock;
use hexbot::cell::Color;
use hexbot::opening::{self, Answer, Swaps};
use hexbot::params::OpeningBook;
use hexbot::settings::Settings;
use std::path::{Path, PathBuf};

/// The sides whose winners are proven.
const PROVEN: std::ops::RangeInclusive<u8> = 2..=8;

/// A limit that no opening of these tests reaches.
const PATIENT: u64 = 10_000_000;

fn sides() -> impl Iterator<Item = Side> {
    SIDES.map(|side| Side::try_from(side).unwrap())
}

/// The sides that every program plays.
fn common_sides() -> impl Iterator<Item = Side> {
    sides().filter(|side| view::SIDES.contains(&side.get()))
}

/// The position after a first move of Red.
fn after(opening: AnyCell, side: Side) -> Game {
    let mut game = Game::new(side);
    game.play(Move::Place(opening)).unwrap();
    game
}

fn swaps(opening: AnyCell, side: Side) -> bool {
    let game = after(opening, side);
    let answer = opening::decide(game.position(), Swaps::Allowed, OpeningBook::Ignored);
    answer == Some(Answer::SwapPieces)
}

fn first_move(side: Side) -> AnyCell {
    match opening::decide(&side.board(), Swaps::Allowed, OpeningBook::Used) {
        Some(Answer::Play(cell)) => cell,
        other => panic!("{other:?} on an empty board of side {side}"),
    }
}

/// Compares openings with the solver: Blue swaps those, and only those, that win for Red.
fn compare_with_solver(side: Side, openings: impl Iterator<Item = AnyCell>) {
    let mut solver = Solver::new(&side.board(), PATIENT).unwrap();
    for opening in openings {
        let winner = solver.winner(after(opening, side).position()).unwrap();
        assert_eq!(
            swaps(opening, side),
            winner == Color::Red,
            "{opening} on side {side}"
        );
    }
}

#[test]
fn blue_swaps_what_the_solver_proves_to_win() {
    for side in (2..=5).map(Side::of) {
        compare_with_solver(side, side.cells());
    }
    // All of 6×6 and of 7×7 are below; these take a tenth of a second.
    let seven = Side::of(7);
    let cells = ["d1", "f2", "e3"].map(|cell| seven.parse_cell(cell).unwrap());
    compare_with_solver(seven, cells.into_iter());
}

/// The solver's map of 6×6 is the published one: `all_openings_of_6x6_are_valued_as_published`.
#[test]
#[ignore = "takes minutes"]
fn blue_swaps_what_the_solver_proves_to_win_on_6x6_and_7x7() {
    for side in [6, 7].map(Side::of) {
        compare_with_solver(side, side.cells());
    }
}

/// What `hex solve --openings --out` wrote, and what others published.
#[test]
fn blue_swaps_what_is_proven_to_win_and_red_opens_with_what_loses() {
    for side in PROVEN.map(Side::of) {
        let published = super::solver::published(side);
        let log = docs(&format!("solved-{side}.txt"));
        let solved = log
            .exists()
            .then(|| solved_openings::read(&log, side).unwrap());
        assert!(published.is_some() || solved.is_some(), "side {side}");
        for opening in side.cells() {
            let swap = swaps(opening, side);
            if let Some(rows) = &published {
                let letter = &rows[opening.row()][opening.col()..][..1];
                assert_eq!(swap, letter == "r", "{opening} on side {side}");
            }
            if let Some(winners) = &solved {
                let half = opening.min(side.rotated(opening));
                assert_eq!(
                    swap,
                    winners[&half] == Color::Red,
                    "{opening} on side {side}"
                );
            }
        }
        assert!(!swaps(first_move(side), side), "side {side}");
    }
}

/// A log of `hex lab openings`.
fn docs(file: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("docs/openings").join(file)
}

/// A table in the bot's source is what the command makes of its log.
#[test]
fn tables_are_what_their_logs_say() {
    let folder = tempfile::tempdir().unwrap();
    for side in sides() {
        let log = docs(&format!("{side}.txt"));
        let Ok(text) = std::fs::read_to_string(&log) else {
            assert!((15..=18).contains(&side.get()), "side {side} has no log");
            continue;
        };
        let conditions = text.lines().next().unwrap();
        // The store opens its log to go on with it.
        let copy = folder.path().join(format!("{side}.txt"));
        std::fs::write(&copy, &text).unwrap();
        let store = OpeningStore::open(Some(&copy), side, conditions).unwrap();
        let winner = |cell| match swaps(cell, side) {
            true => Color::Red,
            false => Color::Blue,
        };
        let proven = PROVEN.contains(&(side.get() as u8));
        let cells = side.cells().filter(|_| proven);
        let winners = cells.map(|cell| (cell, winner(cell))).collect();
        let map = OpeningMap::new(store.results(), &winners, side);
        for opening in side.cells() {
            let measured = 100.0 * map.estimate(opening).wins;
            let wins = 100.0 * f64::from(opening::red_wins(opening, side.get()));
            assert!((wins - measured).abs() < 0.501, "{opening} on side {side}");
        }
    }
}

#[test]
fn values_are_probabilities_and_stay_after_half_a_turn() {
    for side in (1..=19).map(Side::of) {
        let values = |cell| opening::red_wins(cell, side.get());
        for cell in side.cells() {
            assert!((0.0..=1.0).contains(&values(cell)), "{cell} on side {side}");
            assert_eq!(
                values(cell),
                values(side.rotated(cell)),
                "{cell} on side {side}"
            );
        }
        assert!(
            side.get() == 1 || !swaps(first_move(side), side),
            "side {side}"
        );
    }
}

/// The move of a GTP session.
fn gtp_chooses(session: &mut GtpSession, color: Color) -> Move {
    let mut context = Context {
        stop: Stop::never(),
        show: &mut |_| {},
    };
    let chosen = session.choose(color, SearchStart::Ordinary, &mut context);
    chosen.unwrap().expect("the game goes on")
}

/// The decision of a GTP session about a swap.
fn gtp_swaps(session: &mut GtpSession, opening: AnyCell) -> bool {
    session.play(Color::Red, Move::Place(opening)).unwrap();
    let chosen = gtp_chooses(session, Color::Blue);
    session.undo().unwrap();
    let swap = session.swap_action();
    assert!(
        matches!(chosen, Move::Place(_)) || Some(chosen) == swap,
        "{chosen}"
    );
    !matches!(chosen, Move::Place(_))
}

fn gtp(side: Side, swap: SwapRule) -> GtpSession {
    let settings = GtpSettings {
        effort: Effort::Simulations(1),
        level: "10".parse().unwrap(),
        swap,
        seed: 1,
        live: LiveGraphics::Off,
        network: None,
        threads: 1,
        ponder: Pondering::Off,
    };
    GtpSession::new(side, settings).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The page's, npm's and Python's answer to a game.
fn service(game: &str) -> Option<Move> {
    let limit = OrderLimit {
        ms: None,
        simulations: Some(1),
    };
    Subject::to_move(game, 10, limit).unwrap().ready_move()
}

/// `hex tournament` has its own rules of swapping, and a test of its own.
#[test]
fn all_programs_open_and_swap_alike() {
    for side in common_sides() {
        let settings = Settings {
            simulations: Some(1),
            ..Settings::default()
        };
        let mut bot = player(side, settings, 1, network()).unwrap();
        let clock = StoppableClock::start(&Stop::never());
        let mut reply = |game: &Game| bot.reply(game.position(), &[], &clock, clock.now());
        let mut sessions = [SwapRule::Pieces, SwapRule::Sides].map(|rule| gtp(side, rule));
        let map = questions::openings(side).unwrap();
        for opening in side.cells() {
            let swap = swaps(opening, side);
            let game = after(opening, side);
            if game.outcome().is_some() {
                continue;
            }
            let bot_swaps = reply(&game).unwrap().action == Move::SwapPieces;
            let page_swaps = service(&format!("{side},{opening}")) == Some(Move::SwapPieces);
            let gtp_swaps = sessions
                .each_mut()
                .map(|session| gtp_swaps(session, opening));
            assert_eq!(
                (
                    bot_swaps,
                    page_swaps,
                    gtp_swaps,
                    map[&opening.to_string()] > 0.5
                ),
                (swap, swap, [swap; 2], swap),
                "{opening} on side {side}"
            );
        }
        let first = Some(Move::Place(first_move(side)));
        assert_eq!(
            reply(&Game::new(side)).map(|reply| reply.action),
            first,
            "side {side}"
        );
        assert_eq!(service(&format!("{side},")), first, "side {side}");
    }
}

/// The table's first moves lose if Blue does not swap, the book's c2 too: then the search decides.
#[test]
fn without_a_swap_the_first_move_is_the_searchs() {
    for side in common_sides() {
        let answer = opening::decide(&side.board(), Swaps::Off, OpeningBook::Used);
        assert_eq!(answer, None, "side {side}");
        assert_eq!(service(&format!("{side},:p:p")), None, "side {side}");
    }
    let mut session = gtp(Side::CODINGAME, SwapRule::Off);
    let chosen = gtp_chooses(&mut session, Color::Red);
    assert_ne!(chosen, Move::Place(first_move(Side::CODINGAME)));
    let f6 = Side::CODINGAME.parse_cell("f6").unwrap();
    assert!(!gtp_swaps(&mut session, f6));
    let f6 = after(f6, Side::CODINGAME);
    let answer = opening::decide(f6.position(), Swaps::Off, OpeningBook::Ignored);
    assert_eq!(answer, None);
}
