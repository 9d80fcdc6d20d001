//! Watching matches on the page of `hex web`: as they run, by the ten thousand, by what is asked
//! for, in a real headless Chromium. Without Chromium the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, choose, moves, page};
use crate::support::Server;
use serde_json::{json, Value};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use tempfile::TempDir;

const NAMES: [&str; 2] = [
    "Ann",
    "a bot whose name is much longer than any table is wide --threads 1",
];

/// A line of a log: game `id`, which Red wins if it is even. Every tenth ends by a fault.
fn game_line(id: usize) -> Value {
    let opening = if id.is_multiple_of(3) { "a2" } else { "b4" };
    let is_fault = id % 10 == 9;
    let fault = json!({ "kind": "late-move", "detail": "123.4 ms" });
    json!({
        "id": id, "seed": 1, "round": id / 2, "red": id % 2, "blue": 1 - id % 2,
        "winner": if id.is_multiple_of(2) { "red" } else { "blue" },
        "reason": if is_fault { "late-move" } else { "resignation" },
        "fault": if is_fault { fault } else { Value::Null },
        "opening": 1, "moves": [opening, "c3", "d2"], "times_ms": [null, 12345.678, 2.5],
    })
}

/// Writes the log of a match into a folder.
fn write_match(folder: &Path, games: usize) {
    let mut log = BufWriter::new(File::create(folder.join("games.jsonl")).unwrap());
    let players = NAMES.map(|name| json!({ "name": name }));
    let header = json!({ "format": 1, "side": 5, "players": players });
    writeln!(log, "{header}").unwrap();
    for id in 0..games {
        writeln!(log, "{}", game_line(id)).unwrap();
    }
}

/// Adds text to the log.
fn append(folder: &Path, text: &str) {
    let mut log = OpenOptions::new()
        .append(true)
        .open(folder.join("games.jsonl"))
        .unwrap();
    log.write_all(text.as_bytes()).unwrap();
}

fn wait_for_count(browser: &mut Browser, tab: &Tab, count: usize) {
    let said =
        format!("document.getElementById('records-name').textContent.includes(': {count} games')");
    browser.wait(tab, &said);
}

#[test]
fn a_log_is_read_from_any_byte() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 2);
    let server = Server::start(&[folder.path().to_str().unwrap()]);
    let ask = |from: u64| server.get(&format!("/api/opened?from={from}")).json();
    let all = ask(0);
    let (text, to) = (all["text"].as_str().unwrap(), all["to"].as_u64().unwrap());
    assert_eq!((all["from"].as_u64(), text.len() as u64), (Some(0), to));
    assert_eq!(ask(to)["text"], "");
    let line = format!("{}\n", game_line(2));
    let (begun, rest) = line.split_at(20);
    append(folder.path(), begun);
    assert_eq!(ask(to)["to"], to, "a torn line waits");
    append(folder.path(), rest);
    let news = ask(to);
    assert_eq!((&news["text"], &news["from"]), (&json!(line), &json!(to)));
    // Begun anew, it is read from its beginning.
    write_match(folder.path(), 1);
    let anew = ask(to);
    assert_eq!(anew["from"], 0);
    assert!(anew["text"].as_str().unwrap().starts_with("{\"format\":1"));
    assert_eq!(server.get("/api/opened?from=x").status, 422);
    assert_eq!(server.get("/api/opened?to=1").status, 422);
}

#[test]
fn a_match_is_followed_while_it_runs() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 2);
    let Some((server, mut browser)) = page(&[folder.path().to_str().unwrap()]) else {
        return;
    };
    let tab = browser.open(&server.url());
    wait_for_count(&mut browser, &tab, 2);
    assert_eq!(moves(&mut browser, &tab), "a2c3d2:rw");
    append(folder.path(), &format!("{}\n", game_line(2)));
    wait_for_count(&mut browser, &tab, 3);
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('#games tr').length"),
        3
    );
    // Whoever studies a game is not taken from it, unless that is wanted.
    assert_eq!(moves(&mut browser, &tab), "a2c3d2:rw");
    browser.click(&tab, "#newest");
    browser.wait(&tab, "location.hash.includes('b4c3d2:rw')");
    append(
        folder.path(),
        &format!("{}\n{}\n", game_line(3), game_line(5)),
    );
    wait_for_count(&mut browser, &tab, 5);
    browser.wait(&tab, "location.hash.includes('b4c3d2:rb')");
    let open = "document.querySelector('#games [aria-current] button').textContent";
    browser.wait(&tab, &format!("{open} === '6'"));
    // Begun anew.
    write_match(folder.path(), 1);
    wait_for_count(&mut browser, &tab, 1);
    assert_sound(&mut browser, &server);
}

#[test]
fn a_dropped_folder_is_followed_too() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 2);
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[folder.path()]);
    wait_for_count(&mut browser, &tab, 2);
    append(folder.path(), &format!("{}\n", game_line(2)));
    wait_for_count(&mut browser, &tab, 3);
    assert_sound(&mut browser, &server);
}

#[test]
fn games_are_found_by_player_result_opening_and_fault() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 60);
    let Some((server, mut browser)) = page(&[folder.path().to_str().unwrap()]) else {
        return;
    };
    let tab = browser.open(&server.url());
    wait_for_count(&mut browser, &tab, 60);
    let shown = "document.getElementById('records-shown').textContent";
    for (field, value, count) in [
        ("player", "Ann as Red", "30 shown"),
        ("result", "won by Ann", "30 shown"),
        ("opening", "a2", "10 shown"),
        ("end", "any fault", "0 shown"),
        ("player", "Ann as Blue", "2 shown"),
        ("result", "all results", "2 shown"),
        ("opening", "all openings", "6 shown"),
        ("end", "late-move", "6 shown"),
        ("end", "all ends", "30 shown"),
    ] {
        choose(&mut browser, &tab, &format!("filter-{field}"), value);
        assert_eq!(browser.text(&tab, shown), count, "{field}: {value}");
    }
    // The games before and after are those of the list.
    browser.click(&tab, "#games tr:nth-child(2) button");
    let open = "document.querySelector('#games [aria-current] button').textContent";
    browser.wait(&tab, &format!("{open} === '4'"));
    for (button, id) in [("#game-next", 6), ("#game-next", 8), ("#game-before", 6)] {
        browser.click(&tab, button);
        browser.wait(&tab, &format!("{open} === '{id}'"));
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn twenty_thousand_games_stay_fluent() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 20_000);
    let Some((server, mut browser)) = page(&[folder.path().to_str().unwrap()]) else {
        return;
    };
    let tab = browser.open(&server.url());
    browser.wait(&tab, "document.querySelectorAll('#games tr').length > 3");
    // It took 17 s once, hundreds of times what it takes to read the log, and takes ten to twenty
    // times now. That is the measure, as machines differ in speed and in what else they do.
    let times = "(async () => {
        const address = new URL('api/opened?from=0', location.href).href;
        const shown = performance.getEntriesByName('games-shown')[0].startTime - performance.getEntriesByName(address)[0].responseEnd;
        const { text } = await (await fetch(address)).json();
        const begin = performance.now();
        text.trimEnd().split('\\n').forEach((line) => JSON.parse(line));
        return [shown, performance.now() - begin];
    })()";
    let times = browser.eval(&tab, times);
    let [shown, parsed] = [0, 1].map(|at| times[at].as_f64().unwrap());
    println!("20,000 games shown in {shown:.0} ms, their log parsed in {parsed:.0} ms");
    assert!(
        shown < 100.0 * parsed,
        "{shown:.0} ms, {parsed:.0} ms to parse"
    );
    let rows = "document.querySelectorAll('#games tr').length";
    assert!(browser.eval(&tab, rows).as_u64().unwrap() < 100);
    let last = "(async () => { const place = document.querySelector('#records .rows'); place.scrollTop = place.scrollHeight;
        await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame);
        return document.querySelector('#games tr:last-child button').textContent; })()";
    assert_eq!(browser.eval(&tab, last), "20000");
    browser.click(&tab, "#games tr:last-child button");
    browser.wait(&tab, SHOWN);
    browser.wait(
        &tab,
        "document.querySelector('#games tr:last-child').getAttribute('aria-current') === 'true'",
    );
    assert_eq!(
        browser.text(
            &tab,
            "document.querySelector('#games tr:last-child').ariaRowIndex"
        ),
        "20001"
    );
    assert_sound(&mut browser, &server);
}
