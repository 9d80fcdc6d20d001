//! Readers of what another program or a person says in turn.

use super::text;
use hex_cli::gtp::commands;
use hex_cli::gtp::game::SwapRule;
use hex_cli::gtp::protocol::{self, LineKind, Request, Response};
use hex_cli::gtp::session::{Context, GtpSession, GtpSettings};
use hex_contests::duel;
use hex_contests::tournament::opponent::Opponent;
use hex_contests::tournament::table::{Table, TablePlayer, SIDE};
use hex_core::engine::strength::Level;
use hex_core::engine::{Effort, Networks, StopSign};
use hex_core::record::{AnyCell, Side};
use hex_core::service::messages::Order;
use hex_core::service::orders::{Accepted, ThreadLimit};
use hex_core::service::view::{read_game, View};

/// The most commands of a session that are carried out.
const COMMANDS: usize = 40;

/// Commands that read or write the file that they name: it may be one without an end, or anybody's.
const WITH_FILES: [&str; 2] = ["loadsgf", "savesgf"];

/// GTP: every command gets a response, whose end is its only empty line. Nothing is thought about
/// for longer than it takes to stop.
pub fn gtp(data: &[u8]) {
    let settings = GtpSettings {
        effort: Effort::Simulations(1),
        level: "10".parse::<Level>().expect("there is such a level"),
        swap: SwapRule::Pieces,
        seed: 1,
        live: false,
        networks: Networks::PlayoutsOnly,
        threads: 1,
        ponder: false,
    };
    let side = Side::try_from(3).expect("it is in range");
    let mut session = GtpSession::new(side, settings).expect("it is played");
    let sign = StopSign::default();
    sign.stop_up_to(1);
    let requests = text(data);
    let requests = requests
        .lines()
        .filter_map(|line| match protocol::parse(line) {
            LineKind::Command(request) if !WITH_FILES.contains(&&*request.name) => Some(request),
            _ => None,
        });
    for request in requests.take(COMMANDS) {
        let mut context = Context {
            stop: sign.for_task(1),
            show: &mut |_| {},
        };
        check_response(
            &request,
            commands::execute(&mut session, &request, &mut context),
        );
    }
}

fn check_response(request: &Request, result: Result<String, protocol::CommandFailure>) {
    let response = Response {
        id: request.id,
        result,
    };
    let said = response.to_string();
    let end = said.find("\n\n").map(|at| at + 2);
    assert_eq!(end, Some(said.len()), "{request:?}: {said:?}");
}

/// The page's orders and games: all that is done with them but searching.
pub fn page(data: &[u8]) {
    let text = text(data);
    let limit = ThreadLimit {
        most: 1,
        advice: "there is one",
    };
    if let Err(refusal) = Accepted::read(&text, limit) {
        let refusal = serde_json::to_string(&refusal).expect("a refusal is plain data");
        assert!(refusal.contains("error"), "{refusal}");
    }
    let game = match serde_json::from_str::<Order>(&text) {
        Ok(
            Order::Move { game, .. }
            | Order::Analyse { game, .. }
            | Order::Ponder { game, .. }
            | Order::Prove { game, .. },
        ) => game,
        Ok(Order::Stop) => return,
        Err(_) => text,
    };
    if let Ok(game) = read_game(&game) {
        serde_json::to_string(&View::of(&game)).expect("a view is plain data");
    }
}

/// `hex tournament`: the opponent's moves, answered by the first cell that is free.
pub fn tournament(data: &[u8]) {
    let mut opponent = Opponent::new(data);
    let mut table = Table::new(TablePlayer::Them);
    while table.winner().is_none() {
        match table.to_move() {
            TablePlayer::Us => {
                let free = |point: &AnyCell| table.position().at(*point).is_none();
                let point = SIDE.cells().find(free).expect("nobody has won");
                table.play(point).expect("it is free");
            }
            TablePlayer::Them => match opponent.next_move() {
                Err(_) => return,
                Ok(Err(nonsense)) => assert!(nonsense.to_string().len() < 300),
                Ok(Ok((row, col))) => {
                    let before = table.to_string();
                    if table.play_at(row, col).is_err() {
                        assert_eq!(table.to_string(), before);
                    }
                }
            },
        }
    }
}

/// `hex duel`: it ends with a winner, or by an error that names the line.
pub fn duel(data: &[u8]) {
    let mut shown = Vec::new();
    match duel::play(
        duel::Layout::Slanted,
        &mut duel::Stream::new(data),
        &mut shown,
    ) {
        Ok(()) => assert!(shown.ends_with(b" wins!\n")),
        Err(error) => assert!(error.to_string().contains("line "), "{error}"),
    }
}
