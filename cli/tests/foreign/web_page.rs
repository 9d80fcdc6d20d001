//! Playing on the page of `hex web` in a real headless Chromium by clicks, keys and reloads.
//! Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::hex;
use crate::support::browser::{Tab, SHOWN};
use crate::support::missing::assert_follows_the_setting;
use crate::support::page::{assert_sound, game, label, moves, page, wait_for_status};
use hex_core::record::{hexworld, Ending};
use hex_core::solver::{Solver, SolverQuestion};
use hexbot::cell::Color;
use rustix::process::Signal;
use std::process::Stdio;

#[test]
fn a_whole_game_against_the_bot_by_clicks() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    // Through the fields of the form.
    for (field, value) in [("side", "5"), ("blue", "1")] {
        let change = format!(
            "(() => {{ const field = document.getElementById({field:?}); field.value = {value:?};
            field.dispatchEvent(new Event('change')); }})()"
        );
        browser.eval(&tab, &change);
    }
    browser.click(&tab, "#setup button");
    browser.wait(&tab, "document.querySelectorAll('.cell').length === 25");
    let over = "document.getElementById('status').textContent.includes(' won: ')";
    let turn = "document.getElementById('status').textContent.includes('Your move')";
    loop {
        browser.wait(&tab, &format!("{SHOWN} && ({over} || {turn})"));
        if browser.eval(&tab, over) == true {
            break;
        }
        let cell = "document.querySelector('.cell.open').dataset.cell";
        let cell = browser.text(&tab, cell);
        browser.click_cell(&tab, &cell);
    }
    let played = game(&mut browser, &tab);
    let outcome = played.outcome().expect("the game is over");
    assert_eq!(outcome.ending, Ending::Connection);
    let winner = match outcome.winner {
        Color::Red => "Red",
        Color::Blue => "Blue",
    };
    wait_for_status(&mut browser, &tab, winner);
    let chain = browser.eval(&tab, "document.querySelectorAll('.cell.won').length");
    assert!(chain.as_u64().unwrap() >= 5, "{chain}");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_whole_game_by_keyboard_alone() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", server.url()));
    let focus = "document.activeElement.dataset.cell";
    while browser.eval(&tab, focus).is_null() {
        browser.press(&tab, "Tab");
    }
    let mut at = browser.text(&tab, focus);
    assert_eq!(at, "c3", "the middle is reached first");
    let rings = "document.querySelectorAll('.ring polygon').length";
    assert_eq!(browser.eval(&tab, rings), 1);
    let order = ["c3", "a1", "c2", "a2", "c1", "a3", "c4", "a4"];
    for cell in order.iter().chain(&["c5"]) {
        while at != *cell {
            let key = match (at.as_bytes()[0], at.as_bytes()[1], cell.as_bytes()) {
                (col, _, to) if col < to[0] => "ArrowRight",
                (col, _, to) if col > to[0] => "ArrowLeft",
                (_, row, to) if row < to[1] => "ArrowDown",
                _ => "ArrowUp",
            };
            browser.press(&tab, key);
            at = browser.text(&tab, focus);
        }
        browser.press(&tab, "Enter");
        browser.wait(&tab, &format!("location.hash.includes('{cell};')"));
        browser.wait(&tab, "!document.querySelector('.cell.open') || document.querySelector('#moves [aria-current]')");
        let last = format!("document.querySelector('[data-cell=\"{cell}\"]').getAttribute('aria-label').includes('last move')");
        browser.wait(&tab, &last);
    }
    wait_for_status(&mut browser, &tab, "Red has won");
    let heard = label(&mut browser, &tab, "c5");
    assert_eq!(heard, "c5, red, move 9, last move, in the winning chain");
    browser.press(&tab, "u");
    wait_for_status(&mut browser, &tab, "Red to move");
    assert_eq!(moves(&mut browser, &tab), format!("{},c5", order.concat()));
    browser.press(&tab, "r");
    wait_for_status(&mut browser, &tab, "has won");
    assert_sound(&mut browser, &server);
}

#[test]
fn swap_undo_redo_resign_reload_and_links() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", server.url()));
    browser.click_cell(&tab, "a2");
    wait_for_status(&mut browser, &tab, "They may swap");
    browser.click(&tab, "#swap");
    wait_for_status(&mut browser, &tab, "Blue: swap");
    assert_eq!(
        label(&mut browser, &tab, "b1"),
        "b1, blue, move 2, last move"
    );
    assert_eq!(label(&mut browser, &tab, "a2"), "a2, empty");
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "3. Red: c3");
    browser.click(&tab, "#undo");
    browser.click(&tab, "#undo");
    wait_for_status(&mut browser, &tab, "They may swap");
    assert_eq!(moves(&mut browser, &tab), "a2,:sc3");
    browser.reload(&tab);
    wait_for_status(&mut browser, &tab, "They may swap");
    browser.click(&tab, "#redo");
    wait_for_status(&mut browser, &tab, "2. Blue: swap");
    // A second tab opens the link and plays other moves; the first one does not change.
    let link = browser.text(&tab, "location.href");
    let second = browser.open(&link);
    wait_for_status(&mut browser, &second, "2. Blue: swap");
    browser.click_cell(&second, "e5");
    wait_for_status(&mut browser, &second, "3. Red: e5");
    assert_eq!(moves(&mut browser, &second), "a2:se5");
    assert_eq!(moves(&mut browser, &tab), "a2:s,c3");
    browser.click(&second, "#resign");
    wait_for_status(&mut browser, &second, "Red has won: Blue resigned");
    assert_eq!(moves(&mut browser, &second), "a2:se5:rw");
    browser.goto(&tab, &format!("{}#5,zz;red=person", server.url()));
    browser.wait(
        &tab,
        "document.getElementById('problem').textContent.includes('zz')",
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn the_bot_opens_swaps_and_plays_itself() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#11,f6;red=person;blue=3", server.url()));
    wait_for_status(&mut browser, &tab, "Blue: swap");
    assert_eq!(moves(&mut browser, &tab), "f6:s");
    browser.goto(
        &tab,
        &format!("{}#4,;red=2;blue=3;seconds=0.1", server.url()),
    );
    wait_for_status(&mut browser, &tab, "has won");
    assert!(game(&mut browser, &tab).outcome().is_some());
    // After an undo, bots wait until the next move.
    browser.click(&tab, "#first");
    wait_for_status(&mut browser, &tab, "Red (Bot 2, easy) to move");
    browser.click(&tab, "#bot-moves");
    wait_for_status(&mut browser, &tab, "has won");
    assert_sound(&mut browser, &server);
}

#[test]
fn proven_moves_are_marked_while_the_analysis_is_on() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let game = "#5,a1:se1c3;red=person;blue=person";
    let tab = browser.open(&format!("{}{game};analysis", server.url()));
    let position = hexworld::parse("5,a1:se1c3").unwrap().position().clone();
    let mut solver = Solver::new(&position, u64::MAX).unwrap();
    let right = solver.appraise(&position, SolverQuestion::AllMoves);
    let marks = |kind: &str| format!("document.querySelectorAll('.proofs .{kind}').length");
    browser.wait(&tab, &format!("{} > 0", marks("loses")));
    for (kind, words, cells) in [
        ("wins", "proven to win", &right.winning),
        ("loses", "proven to lose", &right.losing),
    ] {
        assert_eq!(browser.eval(&tab, &marks(kind)), cells.len(), "{kind}");
        for cell in cells {
            let heard = label(&mut browser, &tab, &cell.to_string());
            assert_eq!(heard, format!("{cell}, empty, {words}"));
        }
    }
    // The bar shows the proven result instead of the search's estimate.
    let winner = match right.winner.unwrap() {
        Color::Red => "Red 100 %",
        Color::Blue => "Red 0 %",
    };
    let bar = format!("document.getElementById('bar-text').textContent.startsWith('{winner}')");
    browser.wait(&tab, &bar);
    // The marks follow the position; without analysis there are none.
    browser.goto(&tab, &format!("{}{game}", server.url()));
    wait_for_status(&mut browser, &tab, "to move");
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('.proofs path').length"),
        0
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn ten_tabs_search_at_once() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tabs: Vec<Tab> = (1..=10)
        .map(|row| {
            browser.open(&format!(
                "{}#11,a{row};red=person;blue=person;analysis",
                server.url()
            ))
        })
        .collect();
    for tab in &tabs {
        browser.wait(
            tab,
            "document.querySelector('.line text')?.textContent === '1'",
        );
    }
    browser.click_cell(&tabs[9], "f6");
    wait_for_status(&mut browser, &tabs[9], "2. Blue: f6");
    assert_sound(&mut browser, &server);
}

#[test]
fn reconnects_after_a_lost_server() {
    let Some((mut server, mut browser)) = page(&[]) else {
        return;
    };
    let port = server.port().to_string();
    let tab = browser.open(&format!("{}#5,a2;red=person;blue=person", server.url()));
    server.signal(Signal::TERM);
    assert!(server.ended().0.success());
    browser.wait(
        &tab,
        "document.getElementById('problem').textContent.includes('does not answer')",
    );
    let mut again = hex()
        .args(["web", "--port", &port])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    browser.wait(&tab, "document.getElementById('problem').hidden");
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    again.kill().unwrap();
    again.wait().unwrap();
}

#[test]
fn missing_browser_skips_or_fails() {
    assert_follows_the_setting(
        "web_page::a_whole_game_against_the_bot_by_clicks",
        ("PATH", ""),
    );
}
