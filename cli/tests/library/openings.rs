//! First moves and swaps: the same in every program.

#[path = "../../../core/tests/common/first_moves.rs"]
mod first_moves;

use first_moves::{after, first_move, sides, swaps};
use hex_cli::gtp::game::SwapRule;
use hex_cli::gtp::session::{Context, GtpSession, GtpSettings, SearchStart};
use hex_core::engine::{network, player, Effort, Networks, Stop, StoppableClock};
use hex_core::record::{AnyCell, Game, Move, Side};
use hex_core::service::messages::{OrderLimit, Subject};
use hex_core::service::{questions, view};
use hexbot::budget::Clock;
use hexbot::cell::Color;
use hexbot::opening::{self, Swaps};
use hexbot::params::OpeningBook;
use hexbot::settings::Settings;

/// The sides that every program plays.
fn common_sides() -> impl Iterator<Item = Side> {
    sides().filter(|side| view::SIDES.contains(&side.get()))
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
        live: false,
        networks: Networks::PlayoutsOnly,
        threads: 1,
        ponder: false,
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
        let mut bot = player(side, settings, 1, network(side)).unwrap();
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
