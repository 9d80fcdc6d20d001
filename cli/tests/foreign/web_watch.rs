//! Watching matches on the page of `hex web`: running matches, ten thousands of games, filters, in
//! a real headless Chromium. Without Chromium the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::server::Server;
use crate::support::browser::{Screen, Tab, SHOWN};
use crate::support::page::{blank, visit, visit_with, Page};
use serde_json::{json, Value};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use tempfile::TempDir;

const NAMES: [&str; 2] = [
    "Ann",
    "a bot whose name is much longer than any table is wide --threads 1",
];

/// A line of a log: game `id`, which Red wins if it is even. Every tenth ends with a fault.
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

fn wait_for_games(page: &Tab, count: usize) {
    page.wait_for_words("#records-name", &format!(": {count} games"));
}

/// The page of `hex web` with this folder.
fn watched(folder: &TempDir) -> Option<Page> {
    visit_with(&[folder.path().to_str().unwrap()], "")
}

#[test]
fn logs_are_read_from_any_byte() {
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
    // A restarted log is read from its beginning.
    write_match(folder.path(), 1);
    let anew = ask(to);
    assert_eq!(anew["from"], 0);
    assert!(anew["text"].as_str().unwrap().starts_with("{\"format\":1"));
    assert_eq!(server.get("/api/opened?from=x").status, 422);
    assert_eq!(server.get("/api/opened?to=1").status, 422);
}

#[test]
fn running_matches_are_followed() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 2);
    let page = needs!(watched(&folder));
    wait_for_games(&page, 2);
    assert_eq!(page.moves(), "a2c3d2:rw");
    append(folder.path(), &format!("{}\n", game_line(2)));
    wait_for_games(&page, 3);
    assert_eq!(page.count("#games tr"), 3);
    // New games do not interrupt a study unless the user wants that.
    assert_eq!(page.moves(), "a2c3d2:rw");
    page.click("#newest");
    page.wait("location.hash.includes('b4c3d2:rw')");
    append(
        folder.path(),
        &format!("{}\n{}\n", game_line(3), game_line(5)),
    );
    wait_for_games(&page, 5);
    page.wait("location.hash.includes('b4c3d2:rb')");
    let open = "$('#games [aria-current] button').textContent";
    page.wait(&format!("{open} === '6'"));
    // If the user has left the game, the next one is offered.
    page.click("#back");
    page.wait(SHOWN);
    append(folder.path(), &format!("{}\n", game_line(6)));
    wait_for_games(&page, 6);
    let offer = "$('#show-newest')";
    page.wait(&format!(
        "!{offer}.hidden && {offer}.textContent === 'Show the newest (1 more)'"
    ));
    assert_eq!(page.text(open), "6");
    page.click("#show-newest");
    page.wait(&format!("{open} === '7' && {offer}.hidden"));
    // A restarted log.
    write_match(folder.path(), 1);
    wait_for_games(&page, 1);
}

#[test]
fn dropped_folders_are_followed() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 2);
    let page = needs!(visit(""));
    page.drop_files(&[folder.path()]);
    wait_for_games(&page, 2);
    append(folder.path(), &format!("{}\n", game_line(2)));
    wait_for_games(&page, 3);
}

#[test]
fn games_are_filtered_by_player_result_opening_and_fault() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 60);
    let page = needs!(watched(&folder));
    wait_for_games(&page, 60);
    let shown = "$('#records-shown').textContent";
    for (field, value, count) in [
        ("player", "Ann as Red", "30 shown"),
        ("result", "won by Ann", "30 shown"),
        ("opening", "a2", "10 shown"),
        ("end", "any fault", "0 shown"),
        ("player", "Ann as Blue", "2 shown"),
        ("result", "all results", "2 shown"),
        ("opening", "all openings", "6 shown"),
        ("end", "late-move", "6 shown"),
        ("end", "all endings", "30 shown"),
    ] {
        page.choose(&format!("filter-{field}"), value);
        assert_eq!(page.text(shown), count, "{field}: {value}");
    }
    // Previous and next are those of the filtered list.
    page.click("#games tr:nth-child(2) button");
    let open = "$('#games [aria-current] button').textContent";
    page.wait(&format!("{open} === '4'"));
    for (button, id) in [("#game-next", 6), ("#game-next", 8), ("#game-before", 6)] {
        page.click(button);
        page.wait(&format!("{open} === '{id}'"));
    }
}

#[test]
fn after_opening_a_game_arrows_step_through_it() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 4);
    let page = needs!(watched(&folder));
    wait_for_games(&page, 4);
    page.click("#games tr:nth-child(2) button");
    page.wait(&format!("location.hash.startsWith('#5,b4') && {SHOWN}"));
    page.press("Home");
    page.wait(&format!("location.hash.startsWith('#5,,b4') && {SHOWN}"));
    page.press("ArrowRight");
    page.wait_for_address("#5,b4,");
}

#[test]
fn swaps_in_openings_are_shown_in_words() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 1);
    let mut swapped = game_line(1);
    swapped["moves"] = json!(["b4", "swap-pieces", "d2"]);
    swapped["times_ms"] = json!([null, null, 2.5]);
    append(folder.path(), &format!("{swapped}\n"));
    let page = needs!(watched(&folder));
    wait_for_games(&page, 2);
    page.choose("filter-opening", "b4 swap");
    let shown = "$('#records-shown').textContent";
    assert_eq!(page.text(shown), "1 shown");
}

#[test]
fn twenty_thousand_games_scroll_smoothly() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 20_000);
    let page = needs!(watched(&folder));
    page.wait("$$('#games tr').length > 3");
    // Once it took 17 s, hundreds of times as long as reading the log; now ten to twenty times. The
    // ratio does not depend on the machine's speed and load.
    let times = "(async () => {
        const address = new URL('api/opened?from=0', location.href).href;
        const shown = performance.getEntriesByName('games-shown')[0].startTime - performance.getEntriesByName(address)[0].responseEnd;
        const { text } = await (await fetch(address)).json();
        const begin = performance.now();
        text.trimEnd().split('\\n').forEach((line) => JSON.parse(line));
        return [shown, performance.now() - begin];
    })()";
    let times = page.eval(times);
    let [shown, parsed] = [0, 1].map(|at| times[at].as_f64().unwrap());
    println!("20,000 games shown in {shown:.0} ms, their log parsed in {parsed:.0} ms");
    assert!(
        shown < 100.0 * parsed,
        "{shown:.0} ms, {parsed:.0} ms to parse"
    );
    let rows = "$$('#games tr').length";
    assert!(page.eval(rows).as_u64().unwrap() < 100);
    let last = "(async () => { const place = document.querySelector('#records .rows'); place.scrollTop = place.scrollHeight;
        await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame);
        return document.querySelector('#games tr:last-child button').textContent; })()";
    assert_eq!(page.eval(last), "20000");
    page.click("#games tr:last-child button");
    page.wait(SHOWN);
    page.wait("$('#games tr:last-child').getAttribute('aria-current') === 'true'");
    assert_eq!(page.text("$('#games tr:last-child').ariaRowIndex"), "20001");
}

/// The open game's row stays in view and the list ends with the last game, for any row height, and
/// when other parts of the page take room from the list.
#[test]
fn the_open_game_stays_in_view_for_any_row_height() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 20_000);
    let page = needs!(watched(&folder));
    let count = "$('#records-name').textContent.includes(': 20,000 games')";
    page.wait(&format!("{SHOWN} && {count}"));
    let in_sight = "(() => { const row = $('#games [aria-current]')?.getBoundingClientRect();
        const list = $('#records .rows').getBoundingClientRect();
        const head = $('#records thead th').getBoundingClientRect().height;
        return row !== undefined && row.top > list.top + head - 2 && row.bottom < list.bottom + 2; })()";
    let last = "$('#games tr:last-child').ariaRowIndex === '20001'";
    let sizes = [(1280, 900), (1280, 640), (1100, 1000)];
    for (number, height) in ["auto", "44.04px", "51.3px", "36.5px"].iter().enumerate() {
        let style = format!(
            "(() => {{ const sheet = document.styleSheets[0];
            sheet.insertRule('#games td {{ height: {height} !important }}', sheet.cssRules.length); }})()"
        );
        page.eval(&style);
        for (width, height) in sizes {
            page.resize(width, height - number as u32, Screen::Desktop);
            page.eval("(() => { const place = $('#records .rows');
                place.dispatchEvent(new Event('wheel')); place.scrollTop = place.scrollHeight; })()");
            page.wait(last);
            // Without the mouse: a second press after a missed one would count as scrolling.
            page.click_at_once("#games tr:last-child button");
            page.wait(&format!("{SHOWN} && {in_sight} && {last}"));
            // The page around it takes room and returns it.
            page.eval("$('#records-note').textContent = 'x '.repeat(400)");
            page.wait(in_sight);
            page.eval("$('#records-note').textContent = ''");
            page.wait(in_sight);
        }
    }
}

/// The rows of the list; a star marks the open one.
const ROWS: &str = "$$('#games tr').map((row) =>
    (row.hasAttribute('aria-current') ? '*' : '') + [...row.cells].map((cell) => cell.textContent).join('|')).join('; ')";

/// Writes records as files: two games, one of them below a folder, and something else.
fn write_records(folder: &Path) {
    std::fs::create_dir(folder.join("older")).unwrap();
    for (name, text) in [
        (
            "game 10.sgf",
            "(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R];B[a2];W[b3];B[c4])",
        ),
        (
            "older/game 9.sgf",
            "(;GM[11]SZ[5]PB[Cem]PW[Ann];B[b4];W[c3])",
        ),
        ("broken.sgf", "(;GM[1]SZ[19];B[aa])"),
        ("notes.txt", "nothing"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn records_of_a_folder_are_listed() {
    let folder = TempDir::new().unwrap();
    write_records(folder.path());
    let page = needs!(visit(""));
    page.drop_files(&[folder.path()]);
    let shown = |first: &str, second: &str| {
        format!("broken.sgf||||line 1, column 6: GM[1] is another game, Hex is GM[11]; \
            {first}game 9.sgf|Cem|Ann|2|unknown; {second}game 10.sgf|Ann|Bob|3|Red won, the other resigned; \
            notes.txt||||line 1, move 1: \"nothing\" is not a cell from a1 to k11, nor swap-pieces, swap-sides or pass")
    };
    page.wait(&format!("{ROWS} === {:?}", shown("*", "")));
    page.wait_for_address("#5,b4c3");
    page.click("#game-next");
    page.wait(&format!("{ROWS} === {:?}", shown("", "*")));
    page.wait_for_address("#5,a2b3c4:rw");
    assert_eq!(page.text_of("#games .won"), "Ann");
    // The filters find them by their properties, and they survive a reload.
    page.choose("filter-player", "Ann as Blue");
    page.wait(&format!("{ROWS} === '{}'", "game 9.sgf|Cem|Ann|2|unknown"));
    page.reload();
    page.wait(&format!("{SHOWN} && {ROWS} === {:?}", shown("", "")));
    // Opening a file that is not a game shows the reason.
    page.click("#games tr:first-child button");
    page.wait_for_words("#problem", "broken.sgf: line 1");
}

#[test]
fn dropped_files_are_listed() {
    let folder = TempDir::new().unwrap();
    write_records(folder.path());
    let page = needs!(visit(""));
    let files = ["game 10.sgf", "older/game 9.sgf"].map(|name| folder.path().join(name));
    page.drop_files(&[&files[0], &files[1]]);
    let rows = "*game 9.sgf|Cem|Ann|2|unknown; game 10.sgf|Ann|Bob|3|Red won, the other resigned";
    page.wait(&format!("{ROWS} === {rows:?}"));
    assert_eq!(page.text_of("#records-name"), "Files: 2 games");
}

/// Replaces the folder that a person would choose by the page's private folder, whose handles
/// behave like those of real folders. `write(text)` writes a log there.
const PICKED: &str = "window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('a match', { create: true });
    window.write = async (text) => {
        const folder = await window.showDirectoryPicker();
        const file = await (await folder.getFileHandle('games.jsonl', { create: true })).createWritable();
        await file.write(text);
        await file.close();
    };";

#[test]
fn chosen_folders_are_followed() {
    let folder = TempDir::new().unwrap();
    let page = needs!(visit(""));
    page.eval(PICKED);
    let write = |games: usize| {
        write_match(folder.path(), games);
        let text = std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
        page.eval(&format!("window.write({text:?})"));
    };
    write(2);
    page.click("#open-folder");
    wait_for_games(&page, 2);
    assert_eq!(page.text_of("#records-name"), "a match: 2 games");
    assert_eq!(page.text_of("#records-note"), "");
    write(5);
    wait_for_games(&page, 5);
    // Cancelling changes nothing.
    page.eval(
        "window.showDirectoryPicker = async () => { throw new DOMException('', 'AbortError'); }",
    );
    page.click("#open-folder");
    page.wait("$('#problem').hidden");
}

#[test]
fn folders_that_cannot_be_followed_are_reported() {
    let folder = TempDir::new().unwrap();
    write_match(folder.path(), 2);
    let text = std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let page = needs!(blank(&[]));
    page.before_scripts("delete window.showDirectoryPicker");
    page.goto("");
    let choose = format!(
        "(() => {{ const files = new DataTransfer();
        files.items.add(new File([{text:?}], 'games.jsonl'));
        const field = $('#open-folder');
        field.files = files.files; field.dispatchEvent(new Event('change')); }})()"
    );
    page.eval(&choose);
    wait_for_games(&page, 2);
    page.wait_for_words("#records-note", "A snapshot");
}
