//! Playing on the page of `hex web` in a real headless Chromium by clicks, keys and reloads.
//! Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::support::browser::Tab;
use crate::support::missing::assert_follows_the_setting;
use crate::support::page::{blank, visit};
use hex_core::record::hexworld;
use hex_core::solver::{Solver, SolverQuestion};
use hexbot::cell::Color;

#[test]
fn a_whole_game_against_the_bot_by_clicks() {
    let page = needs!(visit(""));
    // Through the fields of the form.
    page.choose("side", "5");
    page.choose("blue", "1");
    page.click("#setup button");
    page.wait_for_count(".cell", 25);
    let outcome = page.play_out();
    let winner = match outcome.winner {
        Color::Red => "Red",
        Color::Blue => "Blue",
    };
    page.wait_for_status(winner);
    let chain = page.count(".cell.won");
    assert!(chain >= 5, "{chain}");
}

#[test]
fn a_whole_game_by_keyboard_alone() {
    let page = needs!(visit("#5,;red=person;blue=person"));
    let focus = "document.activeElement.dataset.cell";
    while page.eval(focus).is_null() {
        page.press("Tab");
    }
    let mut at = page.text(focus);
    assert_eq!(at, "c3", "the middle is reached first");
    let rings = "$$('.ring polygon').length";
    assert_eq!(page.eval(rings), 1);
    let order = ["c3", "a1", "c2", "a2", "c1", "a3", "c4", "a4"];
    for cell in order.iter().chain(&["c5"]) {
        while at != *cell {
            let key = match (at.as_bytes()[0], at.as_bytes()[1], cell.as_bytes()) {
                (col, _, to) if col < to[0] => "ArrowRight",
                (col, _, to) if col > to[0] => "ArrowLeft",
                (_, row, to) if row < to[1] => "ArrowDown",
                _ => "ArrowUp",
            };
            page.press(key);
            at = page.text(focus);
        }
        page.press("Enter");
        page.wait(&format!("location.hash.includes('{cell};')"));
        page.wait("!$('.cell.open') || $('#moves [aria-current]')");
        let last =
            format!("$('[data-cell=\"{cell}\"]').getAttribute('aria-label').includes('last move')");
        page.wait(&last);
    }
    page.wait_for_status("Red has won");
    let heard = page.label("c5");
    assert_eq!(heard, "c5, red, move 9, last move, in the winning chain");
    page.press_then("u", "Red to move");
    assert_eq!(page.moves(), format!("{},c5", order.concat()));
    page.press_then("r", "has won");
}

#[test]
fn swap_undo_redo_resign_reload_and_links() {
    let page = needs!(visit("#5,;red=person;blue=person"));
    page.play("a2", "They may swap");
    page.click_then("#swap", "Blue: swap");
    assert_eq!(page.label("b1"), "b1, blue, move 2, last move");
    assert_eq!(page.label("a2"), "a2, empty");
    page.play("c3", "3. Red: c3");
    page.click("#undo");
    page.click_then("#undo", "They may swap");
    assert_eq!(page.moves(), "a2,:sc3");
    page.reload();
    page.wait_for_status("They may swap");
    page.click_then("#redo", "2. Blue: swap");
    // A second tab opens the link and plays other moves; the first one does not change.
    let link = page.text("location.href");
    let second = page.open(&link);
    second.wait_for_status("2. Blue: swap");
    second.play("e5", "3. Red: e5");
    assert_eq!(second.moves(), "a2:se5");
    assert_eq!(page.moves(), "a2:s,c3");
    second.click_then("#resign", "Red has won: Blue resigned");
    assert_eq!(second.moves(), "a2:se5:rw");
    page.goto("#5,zz;red=person");
    page.wait_for_words("#problem", "zz");
}

#[test]
fn the_bot_opens_swaps_and_plays_itself() {
    let page = needs!(visit("#11,f6;red=person;blue=3"));
    page.wait_for_status("Blue: swap");
    assert_eq!(page.moves(), "f6:s");
    page.goto("#4,;red=2;blue=3;seconds=0.1");
    page.wait_for_status("has won");
    assert!(page.game().outcome().is_some());
    // After an undo, bots wait until the next move.
    page.click_then("#first", "Red (Bot 2, easy) to move");
    page.click_then("#bot-moves", "has won");
}

#[test]
fn proven_moves_are_marked_while_the_analysis_is_on() {
    let game = "#5,a1:se1c3;red=person;blue=person";
    let page = needs!(visit(&format!("{game};analysis")));
    let position = hexworld::parse("5,a1:se1c3").unwrap().position().clone();
    let mut solver = Solver::new(&position, u64::MAX).unwrap();
    let right = solver.appraise(&position, SolverQuestion::AllMoves);
    let marks = |kind: &str| format!("$$('.proofs .{kind}').length");
    page.wait(&format!("{} > 0", marks("loses")));
    for (kind, words, cells) in [
        ("wins", "proven to win", &right.winning),
        ("loses", "proven to lose", &right.losing),
    ] {
        assert_eq!(page.eval(&marks(kind)), cells.len(), "{kind}");
        for cell in cells {
            let heard = page.label(&cell.to_string());
            assert_eq!(heard, format!("{cell}, empty, {words}"));
        }
    }
    // The bar shows the proven result instead of the search's estimate.
    let winner = match right.winner.unwrap() {
        Color::Red => "Red 100 %",
        Color::Blue => "Red 0 %",
    };
    let bar = format!("$('#bar-text').textContent.startsWith('{winner}')");
    page.wait(&bar);
    // The marks follow the position; without analysis there are none.
    let page = needs!(visit(game));
    page.wait_for_status("to move");
    assert_eq!(page.count(".proofs path"), 0);
}

#[test]
fn ten_tabs_search_at_once() {
    let page = needs!(blank(&[]));
    let tabs: Vec<Tab> = (1..=10)
        .map(|row| page.open(&format!("#11,a{row};red=person;blue=person;analysis")))
        .collect();
    for tab in &tabs {
        tab.wait("$('.line text')?.textContent === '1'");
    }
    tabs[9].play("f6", "2. Blue: f6");
}

#[test]
fn reconnects_after_a_lost_server() {
    let mut page = needs!(visit("#5,a2;red=person;blue=person"));
    page.stop_server();
    page.wait_for_words("#problem", "does not answer");
    page.start_server();
    page.wait("$('#problem').hidden");
    page.play("c3", "2. Blue: c3");
}

#[test]
fn missing_browser_skips_or_fails() {
    assert_follows_the_setting(
        "web_page::a_whole_game_against_the_bot_by_clicks",
        ("PATH", ""),
    );
}
