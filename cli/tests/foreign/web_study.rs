//! Studying a game on the page of `hex web`: variations, candidates, marks, stones set up, games
//! from the clipboard. In a real headless Chromium; without one the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, choose, label, moves, page, wait_for_status};
use hexbot::cell::Cell;
use hexbot::opening::red_wins;

fn text_of(browser: &mut Browser, tab: &Tab, id: &str) -> String {
    browser.text(tab, &format!("document.getElementById({id:?}).textContent"))
}

/// Pastes text into a field.
fn type_into(browser: &mut Browser, tab: &Tab, id: &str, text: &str) {
    let put = format!(
        "(() => {{ const field = document.getElementById({id:?}); field.focus(); field.value = {text:?};
        field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    );
    browser.eval(tab, &put);
}

/// The moves of the tree, in the order of the list.
fn listed(browser: &mut Browser, tab: &Tab) -> String {
    browser.text(
        tab,
        "[...document.querySelectorAll('#moves button')].map((move) => move.textContent).join(' ')",
    )
}

#[test]
fn variations_are_created_selected_promoted_and_deleted() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3c4;red=person;blue=person", server.url()));
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    browser.click_cell(&tab, "d1");
    wait_for_status(&mut browser, &tab, "3. Red: d1");
    browser.click_cell(&tab, "e1");
    wait_for_status(&mut browser, &tab, "4. Blue: e1");
    assert_eq!(listed(&mut browser, &tab), "a2 b3 c4 d1 e1");
    assert_eq!(moves(&mut browser, &tab), "a2b3d1e1");
    // A click selects the other line; playing its move returns to the first.
    browser.click(&tab, "#moves > li:nth-child(3) button");
    wait_for_status(&mut browser, &tab, "3. Red: c4");
    assert_eq!(moves(&mut browser, &tab), "a2b3c4");
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    browser.click_cell(&tab, "d1");
    wait_for_status(&mut browser, &tab, "3. Red: d1");
    assert_eq!(moves(&mut browser, &tab), "a2b3d1,e1");
    browser.click(&tab, "#promote");
    browser.wait(
        &tab,
        "document.querySelector('#moves > li:nth-child(3) button').textContent === 'd1'",
    );
    assert_eq!(listed(&mut browser, &tab), "a2 b3 d1 c4 e1");
    assert_eq!(
        browser.eval(&tab, "document.getElementById('promote').disabled"),
        true
    );
    type_into(&mut browser, &tab, "comment", "better than c4, I think");
    browser.reload(&tab);
    wait_for_status(&mut browser, &tab, "3. Red: d1");
    assert_eq!(
        text_of(&mut browser, &tab, "remark"),
        "Move 3: better than c4, I think"
    );
    browser.click(&tab, "#delete");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    assert_eq!(listed(&mut browser, &tab), "a2 b3 c4");
    assert_eq!(moves(&mut browser, &tab), "a2b3,c4");
    assert_sound(&mut browser, &server);
}

#[test]
fn bots_answer_replayed_moves() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#5,;red=person;blue=1;seconds=0.1",
        server.url()
    ));
    browser.click_cell(&tab, "a5");
    wait_for_status(&mut browser, &tab, "2. Blue");
    browser.click(&tab, "#undo");
    browser.wait(&tab, "location.hash.startsWith('#5,,')");
    browser.wait(&tab, SHOWN);
    browser.click_cell(&tab, "a5");
    browser.wait(&tab, "/^#5,a5[a-z:]/.test(location.hash)");
    wait_for_status(&mut browser, &tab, "Your move, Red");
    assert_sound(&mut browser, &server);
}

/// Defines `near(element, cell)`, which compares the centres of a drawing and a cell.
const MIDDLE: &str = "window.near = (element, cell) => {
    const middle = (shown) => { const { left, top, width, height } = shown.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
    const [a, b] = [middle(element), middle(document.querySelector(`[data-cell=\"${cell}\"]`))];
    return Math.hypot(a[0] - b[0], a[1] - b[1]) < 6; }; 0";

#[test]
fn candidates_are_previewed_and_played() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#9,a2e5c4;red=person;blue=person;analysis",
        server.url()
    ));
    let cell = |row: usize, column: usize| {
        format!("document.querySelector('#candidates tr:nth-child({row}) td:nth-child({column})').textContent")
    };
    browser.wait(&tab, &format!("{}.split(' ').length > 1", cell(2, 5)));
    let best = browser.text(&tab, &cell(1, 1));
    assert!(browser.text(&tab, &cell(1, 2)).ends_with(" %"));
    // 9,876 or 15.3K.
    let visits = browser.text(&tab, &cell(1, 3)).replace(',', "");
    let number = visits.trim_end_matches(['K', 'M']).parse::<f64>();
    assert!(number.is_ok(), "{visits}");
    // The heat map's numbers are on all cells, including those of the best line.
    browser.eval(&tab, MIDDLE);
    let shown = format!(
        "[...document.querySelectorAll('.labels text')].some((text) => near(text, '{best}'))"
    );
    browser.wait(&tab, &shown);
    // Focusing the second row shows its line.
    browser.click(&tab, "#tab-analysis");
    browser.eval(
        &tab,
        "document.querySelector('#candidates tr:nth-child(2) button').focus()",
    );
    let second =
        "document.querySelector('#candidates tr:nth-child(2) button').textContent.split(' ')[0]";
    let ringed = format!("near(document.querySelector('.line circle'), {second})");
    browser.wait(&tab, &ringed);
    let chosen = browser.text(&tab, second);
    browser.press(&tab, "Enter");
    browser.wait(&tab, "/^#9,a2e5c4[a-i]\\d;/.test(location.hash)");
    let played = moves(&mut browser, &tab);
    assert_eq!(played.len(), 8, "{chosen} or what took its place: {played}");
    assert_sound(&mut browser, &server);
}

#[test]
fn analysis_can_run_until_stopped() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let url = format!("{}#11,a2f6;red=person;blue=person;analysis", server.url());
    let tab = browser.open(&url);
    browser.eval(&tab, "{ const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) { (window.sent ??= []).push(JSON.parse(text)); send.call(this, text); }; }");
    browser.click(&tab, "#endless");
    browser.wait(
        &tab,
        "window.sent?.some((order) => order.do === 'analyse' && order.ms === undefined)",
    );
    browser.wait(
        &tab,
        "document.getElementById('evaluation').textContent.includes('simulations')",
    );
    browser.click(&tab, "#analysis");
    browser.wait(&tab, "window.sent.at(-1).do === 'stop'");
    assert!(browser.text(&tab, "location.hash").contains(";endless"));
    assert_sound(&mut browser, &server);
}

#[test]
fn evaluations_include_the_swap() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    // In the middle of such a small board Red has a proven win, so Blue swaps.
    let tab = browser.open(&format!(
        "{}#5,c3;red=person;blue=person;analysis",
        server.url()
    ));
    let bar = "document.getElementById('bar-text').textContent";
    browser.wait(&tab, "/^Blue would swap: \\d+ %|win. Blue would swap: 100 %/.test(document.getElementById('evaluation').textContent)");
    browser.wait(&tab, &format!("Number(/Red (\\d+) %/.exec({bar})[1]) < 50"));
    let first = "document.querySelector('#candidates button').textContent";
    browser.wait(&tab, &format!("{first} === 'swap'"));
    browser.click(&tab, "#candidates tr:first-child td:last-child");
    wait_for_status(&mut browser, &tab, "2. Blue: swap");
    // Before the first move the map of openings decides.
    browser.goto(
        &tab,
        &format!("{}#11,;red=person;blue=person;analysis", server.url()),
    );
    // Blue swaps what is better than even, so Red opens with the most even stone.
    let even = |cell| red_wins::<11>(cell, 11).min(1.0 - red_wins::<11>(cell, 11));
    let best = Cell::all().map(even).fold(0.0, f32::max) * 100.0;
    let said = format!("Red {best:.0} % · Blue {:.0} %", 100.0 - best);
    browser.wait(&tab, &format!("{bar} === '{said}'"));
    choose(&mut browser, &tab, "heat", "openings");
    browser.wait(
        &tab,
        "document.querySelectorAll('.labels text').length === 121",
    );
    assert!(browser
        .text(&tab, "location.hash")
        .contains(";heat=openings"));
    assert_eq!(text_of(&mut browser, &tab, "problem"), "");
    assert_sound(&mut browser, &server);
}

#[test]
fn marks_are_drawn_and_stored() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3;red=person;blue=person", server.url()));
    choose(&mut browser, &tab, "mark", "letter");
    for cell in ["c3", "d4", "c3", "b3"] {
        browser.click_cell(&tab, cell);
    }
    choose(&mut browser, &tab, "mark", "arrow");
    browser.click_cell(&tab, "a1");
    browser.click_cell(&tab, "e4");
    let marks = "[...document.querySelectorAll('.marks text')].map((mark) => mark.textContent).join('') + document.querySelectorAll('.marks .arrow').length";
    // The mark on c3 was removed, so its letter is free.
    assert_eq!(browser.text(&tab, marks), "BA1");
    assert_eq!(moves(&mut browser, &tab), "a2b3");
    choose(&mut browser, &tab, "mark", "");
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "3. Red: c3");
    assert_eq!(browser.text(&tab, marks), "0");
    browser.reload(&tab);
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    assert_eq!(browser.text(&tab, marks), "BA1");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_position_is_set_up() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2;red=person;blue=person", server.url()));
    browser.click(&tab, "#set-up");
    browser.wait(&tab, "location.hash.startsWith('#5+a2,:p')");
    browser.click_cell(&tab, "b2");
    browser.wait(&tab, "location.hash.startsWith('#5+a2b2,:p')");
    choose(&mut browser, &tab, "set-up-color", "blue");
    browser.click_cell(&tab, "c3");
    browser.click_cell(&tab, "b2");
    browser.wait(&tab, "location.hash.startsWith('#5+a2-b2c3,:p')");
    browser.click_cell(&tab, "b2");
    choose(&mut browser, &tab, "set-up-turn", "red");
    browser.wait(&tab, "location.hash.startsWith('#5+a2-c3,;')");
    browser.click(&tab, "#set-up");
    wait_for_status(&mut browser, &tab, "Red to move");
    assert_eq!(label(&mut browser, &tab, "c3"), "c3, blue");
    browser.click_cell(&tab, "d4");
    wait_for_status(&mut browser, &tab, "1. Red: d4");
    browser.reload(&tab);
    assert_eq!(moves(&mut browser, &tab), "d4");
    // The previous game is kept.
    browser.click(&tab, "#bring-back");
    browser.wait(&tab, "location.hash.startsWith('#5,a2;')");
    assert_sound(&mut browser, &server);
}

#[test]
fn another_game_ends_setup_mode() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let game = "#9,i9h8e5;red=person;blue=person";
    let tab = browser.open(&format!("{}{game}", server.url()));
    let is_over = "document.getElementById('set-up').textContent === 'Set up stones'";
    for side in ["5", "5"] {
        browser.click(&tab, "#set-up");
        browser.wait(&tab, "/^#\\d[+]/.test(location.hash)");
        browser.wait(&tab, &format!("!({is_over})"));
        choose(&mut browser, &tab, "side", side);
        browser.click(&tab, "#setup button");
        browser.wait(&tab, "location.hash.startsWith('#5,;')");
        browser.wait(&tab, &format!("{SHOWN} && {is_over}"));
        browser.click_cell(&tab, "b2");
        wait_for_status(&mut browser, &tab, "1. Red: b2");
        assert_eq!(moves(&mut browser, &tab), "b2");
    }
    // Opening a game also ends the setup.
    browser.click(&tab, "#set-up");
    browser.wait(
        &tab,
        &format!("location.hash.includes('+') && !({is_over})"),
    );
    type_into(&mut browser, &tab, "paste-text", "c2 b3");
    browser.click(&tab, "#paste button");
    browser.wait(&tab, "location.hash.startsWith('#11,c2b3;')");
    browser.wait(&tab, &format!("{SHOWN} && {is_over}"));
    // A game that comes back is not in setup mode.
    browser.click(&tab, "#set-up");
    browser.wait(&tab, "location.hash.startsWith('#11+c2-b3,;')");
    browser.wait(&tab, SHOWN);
    browser.click(&tab, "#bring-back");
    browser.wait(&tab, "location.hash.startsWith('#11,c2b3;')");
    browser.wait(&tab, &format!("{SHOWN} && {is_over}"));
    assert_sound(&mut browser, &server);
}

#[test]
fn games_with_a_setup_come_back() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let game = "#5+a1-e5,b2c3;red=person;blue=person";
    let tab = browser.open(&format!("{}{game}", server.url()));
    browser.click(&tab, "#set-up");
    browser.wait(&tab, "location.hash.startsWith('#5+a1b2-c3e5,;')");
    browser.click_cell(&tab, "d4");
    browser.wait(&tab, "location.hash.startsWith('#5+a1b2d4-c3e5,;')");
    browser.wait(&tab, SHOWN);
    browser.click(&tab, "#bring-back");
    browser.wait(&tab, "location.hash.startsWith('#5+a1-e5,b2c3;')");
    assert_sound(&mut browser, &server);
}

#[test]
fn bots_and_clocks_wait_in_setup_mode() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=3", server.url()));
    choose(&mut browser, &tab, "clock", "5+5");
    browser.click(&tab, "#set-up");
    browser.click_cell(&tab, "a1");
    browser.wait(&tab, "location.hash.startsWith('#5+a1,;')");
    choose(&mut browser, &tab, "set-up-turn", "blue");
    wait_for_status(&mut browser, &tab, "Blue (Bot 3, fairly easy) to move");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(moves(&mut browser, &tab), ":p");
    choose(&mut browser, &tab, "blue", "person");
    wait_for_status(&mut browser, &tab, "Blue to move");
    let runs = "document.querySelector('#players .running') !== null";
    assert_eq!(browser.eval(&tab, runs), false);
    choose(&mut browser, &tab, "blue", "3");
    wait_for_status(&mut browser, &tab, "Blue (Bot 3, fairly easy) to move");
    browser.click(&tab, "#set-up");
    wait_for_status(&mut browser, &tab, "2. Blue: ");
    browser.wait(&tab, runs);
    assert_sound(&mut browser, &server);
}

#[test]
fn games_are_pasted_and_links_copied() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    let own = format!("{}#5,a2:sc3,d4;red=3;seconds=1", server.url());
    for (text, wanted) in [
        ("https://hexworld.org/board/#5c1,a2:sc3", "#5,a2:sc3;"),
        (own.as_str(), "#5,a2:sc3d4;"),
        ("(;GM[11]SZ[4];B[a1];W[b2])", "#4,a1b2;"),
        ("c2 swap-pieces f6", "#11,c2:sf6;"),
    ] {
        type_into(&mut browser, &tab, "paste-text", text);
        browser.click(&tab, "#paste button");
        browser.wait(&tab, &format!("location.hash.startsWith({wanted:?})"));
        browser.wait(&tab, "document.getElementById('paste-text').value === ''");
    }
    type_into(&mut browser, &tab, "paste-text", "no game at all");
    browser.click(&tab, "#paste button");
    browser.wait(
        &tab,
        "document.getElementById('problem').textContent.includes('is not a game')",
    );
    browser.eval(
        &tab,
        "navigator.clipboard.writeText = async (text) => { window.copied = text; }",
    );
    let label = "document.getElementById('copy-link').textContent";
    for _ in 0..2 {
        browser.click(&tab, "#copy-link");
        browser.wait(&tab, "window.copied === location.href");
        browser.wait(&tab, &format!("{label} === 'Copied'"));
    }
    // The turn input of this position, as the judge sends it.
    browser.click(&tab, "#copy-turn");
    browser.wait(
        &tab,
        "/^\\d+ (red|blue)\\n\\S+\\n[.rb] /.test(window.copied)",
    );
    browser.wait(
        &tab,
        "document.getElementById('copy-turn').textContent === 'Copied'",
    );
    // Longer than the reply to either click takes.
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(browser.text(&tab, label), "Copy link");
}

/// All words for a swap in use, and the notes about skipped or guessed parts.
#[test]
fn pasted_swaps_are_read_with_notes() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#11,;red=person;blue=person", server.url()));
    for swap in ["swap", "SWAP", "Swap-Pieces", "swap-pieces"] {
        for text in [
            format!("a2 {swap} f6"),
            format!("a2,{swap},f6"),
            format!("1. a2 2. {swap} 3. f6"),
            format!("(;FF[4]GM[11]SZ[11];B[a2];W[{swap}];B[f6])"),
        ] {
            type_into(&mut browser, &tab, "paste-text", &text);
            browser.click(&tab, "#paste button");
            browser.wait(&tab, "document.getElementById('paste-text').value === ''");
            browser.wait(&tab, SHOWN);
            assert_eq!(moves(&mut browser, &tab), "a2:sf6", "{text}");
            type_into(&mut browser, &tab, "paste-text", "c3");
            browser.click(&tab, "#paste button");
            browser.wait(&tab, "location.hash.includes(',c3;')");
        }
    }
    let late = "(;FF[4]GM[11]SZ[3]RE[B+];B[a1];W[b1];B[a2];W[b2];B[a3];W[resign])";
    type_into(&mut browser, &tab, "paste-text", late);
    browser.click(&tab, "#paste button");
    let problem = "document.getElementById('problem')";
    browser.wait(&tab, &format!("{problem}.textContent.startsWith('Note: ')"));
    let said = browser.text(&tab, &format!("{problem}.textContent"));
    assert!(said.contains("resign"), "{said}");
    // Until the next move.
    browser.click(&tab, "#back");
    browser.wait(&tab, &format!("{problem}.hidden"));
    assert_sound(&mut browser, &server);
}
