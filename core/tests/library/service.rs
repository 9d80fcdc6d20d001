//! The service of the page, without anything that carries questions and orders to it.

use hex_core::engine::Networks;
use hex_core::service::engine_cache::{CacheLimits, TabId};
use hex_core::service::messages::ServerMessage;
use hex_core::service::orders::{Accepted, ThreadLimit, MAX_ORDER};
use hex_core::service::problem::ProblemKind;
use hex_core::service::problem::{MAX_QUESTION, MAX_RECORD, MAX_SAVED};
use hex_core::service::questions::{QuestionKind, TextFormat};
use hex_core::service::turns::{ClientId, Turns};
use hex_core::service::{Service, ServiceLimits, TooManyTabs};
use serde_json::{json, Value};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::mpsc::{channel, Receiver};
use std::time::Duration;

const ROUND: Duration = Duration::from_millis(1);

fn service(threads: usize) -> Service {
    let cache = CacheLimits {
        engines: 2,
        memory: 64 << 20,
        tree: 8 << 20,
    };
    let limits = ServiceLimits {
        threads,
        tabs: 12,
        tabs_of_a_client: 10,
        cache,
    };
    Service::new(limits, 1, Networks::Shipped)
}

fn accepted(order: &Value) -> Result<Accepted, Value> {
    let limit = ThreadLimit {
        most: 4,
        advice: "there are no more",
    };
    let read = Accepted::read(&order.to_string(), limit);
    read.map_err(|refusal| serde_json::to_value(refusal).unwrap())
}

/// Begins an analysis without a limit; returns where its replies come.
fn begin(service: &mut Service, tab: TabId, threads: usize) -> Receiver<ServerMessage> {
    let order = json!({ "do": "analyse", "id": 1, "game": "5,a1", "threads": threads });
    let Ok(Accepted::Search(search)) = accepted(&order) else {
        panic!("{order} is refused");
    };
    let (sender, replies) = channel();
    service.begin(tab, search, move |reply| drop(sender.send(reply)));
    replies
}

#[test]
fn orders_are_told_apart_by_what_has_to_be_done() {
    let order = |text: &str| json!({ "do": text, "id": 7, "game": "5,a1", "ms": 100, "level": 10 });
    let read = |order: Value| accepted(&order).unwrap();
    assert!(matches!(read(json!({ "do": "stop" })), Accepted::Stop));
    assert!(matches!(read(order("ponder")), Accepted::Search(_)));
    let first = json!({ "do": "move", "id": 7, "game": "5,", "ms": 100, "level": 1 });
    let Accepted::Answered(reply) = read(first) else {
        panic!("the first move needs no search");
    };
    let reply = serde_json::to_value(reply).unwrap();
    assert_eq!((&reply["kind"], &reply["id"]), (&json!("done"), &json!(7)));
    let Accepted::Proof(proof) = read(json!({ "do": "prove", "id": 8, "game": "5,a1c3b2" })) else {
        panic!("it can be tried");
    };
    let reply = serde_json::to_value(proof.reply(|| false)).unwrap();
    assert_eq!((&reply["kind"], &reply["id"]), (&json!("proof"), &json!(8)));
}

#[test]
fn refusals_have_the_orders_number_and_a_reason() {
    let long = format!("5,{}", ":p".repeat(MAX_ORDER / 2));
    let few = "5 threads are not possible, choose 1 to 4; there are no more";
    for (what, id, game, more, word) in [
        ("dance", 1, "", json!({}), "dance"),
        ("prove", 2, &long, json!({}), "too large"),
        ("prove", 3, "3,b1a1b2c1b3", json!({}), "over"),
        ("analyse", 4, "5,a1", json!({ "threads": 5 }), few),
        ("move", 5, "5,a1", json!({ "level": 10 }), "needs a limit"),
        (
            "analyse",
            6,
            "5,a1",
            json!({ "ms": 10, "simulations": 10 }),
            "two limits",
        ),
        (
            "analyse",
            7,
            "5,a1",
            json!({ "simulations": 0 }),
            "0 simulations are not possible",
        ),
    ] {
        let mut order = json!({ "do": what, "id": id, "game": game });
        order
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        // What cannot be read has no number.
        let id = if id < 3 { Value::Null } else { json!(id) };
        let refusal = accepted(&order).unwrap_err();
        assert_eq!((&refusal["kind"], &refusal["id"]), (&json!("problem"), &id));
        let error = refusal["error"].as_str().unwrap();
        assert!(error.contains(word), "{error}");
    }
}

/// In rounds, so that others get their turn.
#[test]
fn a_search_ends_after_the_simulations_ordered() {
    let mut service = service(1);
    let tab = service.open_tab(ClientId::ONLY).unwrap();
    let order = json!({ "do": "analyse", "id": 1, "game": "11,a2f6", "simulations": 1200 });
    let Ok(Accepted::Search(search)) = accepted(&order) else {
        panic!("{order} is refused");
    };
    let (sender, replies) = channel();
    service.begin(tab, search, move |reply| drop(sender.send(reply)));
    let mut rounds = 0;
    while let Some(mut round) = service.next_round() {
        round.run(ROUND);
        drop(service.put_back(round));
        rounds += 1;
    }
    assert!(rounds > 1, "{rounds} rounds");
    let last = serde_json::to_value(replies.try_iter().last().unwrap()).unwrap();
    assert_eq!(last["kind"], "done");
    assert_eq!(last["analysis"]["simulations"], 1200);
}

#[test]
fn searches_take_turns_and_share_idle_threads() {
    let mut service = service(3);
    let tabs = [(); 2].map(|()| service.open_tab(ClientId::ONLY).unwrap());
    let first = begin(&mut service, tabs[0], 4);
    let _second = begin(&mut service, tabs[1], 1);
    // The other search waits, so one thread is left for it.
    let mut round = service.next_round().unwrap();
    let other = service.next_round().unwrap();
    assert!(service.next_round().is_none() && !service.has_searches());
    round.run(ROUND);
    assert!(first.try_recv().is_ok());
    drop(service.put_back(round));
    assert!(service.has_searches());
    // An engine that fails costs its search.
    drop(service.put_back(other));
    drop(service.next_round().unwrap());
}

#[test]
fn a_search_ends_with_a_newer_one_a_stop_and_its_tab() {
    let mut service = service(1);
    let tab = service.open_tab(ClientId::ONLY).unwrap();
    let old = begin(&mut service, tab, 1);
    let mut round = service.next_round().unwrap();
    let new = begin(&mut service, tab, 1);
    round.run(Duration::from_secs(60));
    drop(service.put_back(round));
    let last = serde_json::to_value(old.iter().last().unwrap()).unwrap();
    assert_eq!(last["kind"], "done", "it ends at once: {last}");
    let mut round = service.next_round().unwrap();
    round.run(ROUND);
    drop(service.put_back(round));
    assert!(new.try_recv().is_ok() && service.has_searches());
    service.stop(tab);
    assert!(!service.has_searches());
    let _newest = begin(&mut service, tab, 1);
    assert_eq!(service.close_tab(tab).len(), 1, "the engine is given back");
    assert!(!service.has_searches());
}

#[test]
fn questions_are_refused_by_their_kinds_limit() {
    for (kind, most) in [
        (QuestionKind::Look, MAX_QUESTION),
        (QuestionKind::SaveSvg, MAX_QUESTION),
        (QuestionKind::SaveSgf, MAX_SAVED),
        (QuestionKind::OpenRecord, MAX_RECORD),
    ] {
        assert!(kind.check_size(most).is_ok());
        let problem = kind.answer(vec![b' '; most + 1]).unwrap_err();
        assert_eq!(problem.kind(), ProblemKind::TooLarge, "{problem}");
    }
}

#[test]
fn problems_have_the_kind_of_what_is_wrong() {
    let problem = |text: &[u8]| QuestionKind::Look.answer(text.to_vec()).unwrap_err();
    assert_eq!(problem(b"{").kind(), ProblemKind::Unreadable);
    assert_eq!(
        problem(b"{\"game\":\"\xff\"}").kind(),
        ProblemKind::Unreadable
    );
    assert_eq!(problem(b"{\"game\":5}").kind(), ProblemKind::Impossible);
    let record = QuestionKind::OpenRecord.answer(b"\xff".to_vec());
    assert_eq!(record.unwrap_err().kind(), ProblemKind::Unreadable);
}

#[test]
fn answers_know_what_text_they_are() {
    let game = b"{\"game\":\"5,a1\"}";
    for (kind, format, begin) in [
        (QuestionKind::Look, TextFormat::Json, "{\"side\":5"),
        (QuestionKind::SaveSgf, TextFormat::Sgf, "(;FF[4]"),
        (QuestionKind::SaveSvg, TextFormat::Svg, "<svg"),
    ] {
        let (is, text) = kind.answer(game.to_vec()).unwrap();
        assert_eq!(is, format);
        assert!(text.starts_with(begin), "{text:.40}");
    }
}

/// Another client than [`ClientId::ONLY`].
fn client(number: u8) -> ClientId {
    ClientId(IpAddr::V4(Ipv4Addr::new(127, 0, 0, number)))
}

#[test]
fn all_clients_and_each_have_only_so_many_tabs() {
    let mut service = service(1);
    let mut open = |client| {
        (0..20)
            .map(|_| service.open_tab(client))
            .collect::<Vec<_>>()
    };
    let one = open(client(2));
    assert_eq!(one.iter().filter(|tab| tab.is_ok()).count(), 10);
    assert_eq!(one[10], Err(TooManyTabs::OfClient(10)));
    let other = open(client(3));
    assert_eq!(other.iter().filter(|tab| tab.is_ok()).count(), 2);
    assert_eq!(other[2], Err(TooManyTabs::OfAll(12)));
    // A closed one makes room for its client.
    drop(service.close_tab(one[0].unwrap()));
    assert!(service.open_tab(client(2)).is_ok());
}

/// The tab of the next round, which is run and put back.
fn next_tab(service: &mut Service) -> TabId {
    let mut round = service.next_round().unwrap();
    round.run(ROUND);
    let tab = round.tab();
    drop(service.put_back(round));
    tab
}

#[test]
fn clients_take_turns_and_then_their_tabs() {
    let mut service = service(1);
    let many = [(); 4].map(|()| service.open_tab(client(2)).unwrap());
    let one = service.open_tab(client(3)).unwrap();
    let _replies: Vec<_> = many
        .iter()
        .map(|&tab| begin(&mut service, tab, 1))
        .collect();
    // Those of the one client wait already; the other comes, and has every second turn.
    let _other = begin(&mut service, one, 1);
    let turns: Vec<TabId> = (0..10).map(|_| next_tab(&mut service)).collect();
    let its = |tab: &&TabId| **tab == one;
    assert_eq!(turns.iter().filter(its).count(), 5, "{turns:?}");
    for pair in turns.chunks(2) {
        assert!(pair.contains(&one), "{turns:?}");
    }
    let others: Vec<&TabId> = turns.iter().filter(|tab| !its(tab)).collect();
    assert_eq!(others[..4], many.each_ref(), "{turns:?}");
    // Who leaves and comes again gains nothing by it.
    for _ in 0..4 {
        drop(service.close_tab(one));
        let one = service.open_tab(client(3)).unwrap();
        let _again = begin(&mut service, one, 1);
        assert_ne!(next_tab(&mut service), one);
        drop(service.close_tab(one));
    }
}

/// Who has never had a turn waits no longer than who had the last one.
#[test]
fn a_client_without_a_turn_is_not_the_last() {
    let mut turns = Turns::default();
    turns.take(client(1));
    let waiting = [(client(2), "new"), (client(1), "old")];
    assert_eq!(turns.next(waiting.into_iter()), Some("new"));
}

/// Three tabs, three threads, and memory for two engines: two search at a time, and all get their
/// turns.
#[test]
fn engines_at_work_count() {
    let mut service = service(3);
    let tabs = [2, 3, 4].map(|number| service.open_tab(client(number)).unwrap());
    let _replies = tabs.map(|tab| begin(&mut service, tab, 1));
    let mut searched = Vec::new();
    for _ in 0..6 {
        let rounds = [(); 2].map(|()| service.next_round().unwrap());
        assert!(service.next_round().is_none(), "there is room for two");
        for mut round in rounds {
            round.run(ROUND);
            searched.push(round.tab());
            drop(service.put_back(round));
        }
    }
    for tab in tabs {
        assert_eq!(searched.iter().filter(|&&other| other == tab).count(), 4);
    }
}
