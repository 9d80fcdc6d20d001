//! Studying a game on the page of `hex web`: variations, candidates, marks, stones set up, games
//! from the clipboard. In a real headless Chromium; without one the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::support::browser::SHOWN;
use crate::support::page::{blank, visit, LISTED};
use hexbot::cell::Cell;
use hexbot::opening::red_wins;

#[test]
fn variations_are_created_selected_promoted_and_deleted() {
    let page = needs!(visit("#5,a2b3c4;red=person;blue=person"));
    page.click_then("#back", "2. Blue: b3");
    page.play("d1", "3. Red: d1");
    page.play("e1", "4. Blue: e1");
    assert_eq!(page.text(LISTED), "a2 b3 c4 d1 e1");
    assert_eq!(page.moves(), "a2b3d1e1");
    // A click selects the other line; playing its move returns to the first.
    page.click_then("#moves > li:nth-child(3) button", "3. Red: c4");
    assert_eq!(page.moves(), "a2b3c4");
    page.click_then("#back", "2. Blue: b3");
    page.play("d1", "3. Red: d1");
    assert_eq!(page.moves(), "a2b3d1,e1");
    page.click("#promote");
    page.wait("$('#moves > li:nth-child(3) button').textContent === 'd1'");
    assert_eq!(page.text(LISTED), "a2 b3 d1 c4 e1");
    assert_eq!(page.eval("$('#promote').disabled"), true);
    page.type_into("comment", "better than c4, I think");
    page.reload();
    page.wait_for_status("3. Red: d1");
    assert_eq!(page.text_of("#remark"), "Move 3: better than c4, I think");
    page.click_then("#delete", "2. Blue: b3");
    assert_eq!(page.text(LISTED), "a2 b3 c4");
    assert_eq!(page.moves(), "a2b3,c4");
}

#[test]
fn bots_answer_replayed_moves() {
    let page = needs!(visit("#5,;red=person;blue=1;seconds=0.1"));
    page.play("a5", "2. Blue");
    page.click("#undo");
    page.wait_for_address("#5,,");
    page.wait(SHOWN);
    page.click_cell("a5");
    page.wait("/^#5,a5[a-z:]/.test(location.hash)");
    page.wait_for_status("Your move, Red");
}

/// Defines `near(element, cell)`, which compares the centres of a drawing and a cell.
const MIDDLE: &str = "window.near = (element, cell) => {
    const middle = (shown) => { const { left, top, width, height } = shown.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
    const [a, b] = [middle(element), middle($(`[data-cell=\"${cell}\"]`))];
    return Math.hypot(a[0] - b[0], a[1] - b[1]) < 6; }; 0";

#[test]
fn candidates_are_previewed_and_played() {
    let page = needs!(visit("#9,a2e5c4;red=person;blue=person;analysis"));
    let cell = |row: usize, column: usize| {
        format!("$('#candidates tr:nth-child({row}) td:nth-child({column})').textContent")
    };
    page.wait(&format!("{}.split(' ').length > 1", cell(2, 5)));
    let best = page.text(&cell(1, 1));
    assert!(page.text(&cell(1, 2)).ends_with(" %"));
    // 9,876 or 15.3K.
    let visits = page.text(&cell(1, 3)).replace(',', "");
    let number = visits.trim_end_matches(['K', 'M']).parse::<f64>();
    assert!(number.is_ok(), "{visits}");
    // The heat map's numbers are on all cells, including those of the best line.
    page.eval(MIDDLE);
    let shown = format!("$$('.labels text').some((text) => near(text, '{best}'))");
    page.wait(&shown);
    // Focusing the second row shows its line.
    page.click("#tab-analysis");
    page.eval("$('#candidates tr:nth-child(2) button').focus()");
    let second = "$('#candidates tr:nth-child(2) button').textContent.split(' ')[0]";
    let ringed = format!("near($('.line circle'), {second})");
    page.wait(&ringed);
    let chosen = page.text(second);
    page.press("Enter");
    page.wait("/^#9,a2e5c4[a-i]\\d;/.test(location.hash)");
    let played = page.moves();
    assert_eq!(played.len(), 8, "{chosen} or what took its place: {played}");
}

#[test]
fn analysis_can_run_until_stopped() {
    let page = needs!(visit("#11,a2f6;red=person;blue=person;analysis"));
    page.eval("{ const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) { (window.sent ??= []).push(JSON.parse(text)); send.call(this, text); }; }");
    page.click("#endless");
    page.wait("window.sent?.some((order) => order.do === 'analyse' && order.ms === undefined)");
    page.wait_for_words("#evaluation", "simulations");
    page.click("#analysis");
    page.wait("window.sent.at(-1).do === 'stop'");
    assert!(page.text("location.hash").contains(";endless"));
}

#[test]
fn evaluations_include_the_swap() {
    let page = needs!(blank(&[]));
    // In the middle of such a small board Red has a proven win, so Blue swaps.
    page.goto("#5,c3;red=person;blue=person;analysis");
    let bar = "$('#bar-text').textContent";
    page.wait(
        "/^Blue would swap: \\d+ %|win. Blue would swap: 100 %/.test($('#evaluation').textContent)",
    );
    page.wait(&format!("Number(/Red (\\d+) %/.exec({bar})[1]) < 50"));
    let first = "$('#candidates button').textContent";
    page.wait(&format!("{first} === 'swap'"));
    page.click_then("#candidates tr:first-child td:last-child", "2. Blue: swap");
    // Before the first move the map of openings decides.
    page.goto("#11,;red=person;blue=person;analysis");
    // Blue swaps what is better than even, so Red opens with the most even stone.
    let even = |cell| red_wins::<11>(cell, 11).min(1.0 - red_wins::<11>(cell, 11));
    let best = Cell::all().map(even).fold(0.0, f32::max) * 100.0;
    let said = format!("Red {best:.0} % · Blue {:.0} %", 100.0 - best);
    page.wait(&format!("{bar} === '{said}'"));
    page.choose("heat", "openings");
    page.wait_for_count(".labels text", 121);
    assert!(page.text("location.hash").contains(";heat=openings"));
    assert_eq!(page.text_of("#problem"), "");
}

#[test]
fn marks_are_drawn_and_stored() {
    let page = needs!(visit("#5,a2b3;red=person;blue=person"));
    page.choose("mark", "letter");
    for cell in ["c3", "d4", "c3", "b3"] {
        page.click_cell(cell);
    }
    page.choose("mark", "arrow");
    page.click_cell("a1");
    page.click_cell("e4");
    let marks =
        "$$('.marks text').map((mark) => mark.textContent).join('') + $$('.marks .arrow').length";
    // The mark on c3 was removed, so its letter is free.
    assert_eq!(page.text(marks), "BA1");
    assert_eq!(page.moves(), "a2b3");
    page.choose("mark", "");
    page.play("c3", "3. Red: c3");
    assert_eq!(page.text(marks), "0");
    page.reload();
    page.click_then("#back", "2. Blue: b3");
    assert_eq!(page.text(marks), "BA1");
}

#[test]
fn a_position_is_set_up() {
    let page = needs!(visit("#5,a2;red=person;blue=person"));
    page.click("#set-up");
    page.wait_for_address("#5+a2,:p");
    page.click_cell("b2");
    page.wait_for_address("#5+a2b2,:p");
    page.choose("set-up-color", "blue");
    page.click_cell("c3");
    page.click_cell("b2");
    page.wait_for_address("#5+a2-b2c3,:p");
    page.click_cell("b2");
    page.choose("set-up-turn", "red");
    page.wait_for_address("#5+a2-c3,;");
    page.click_then("#set-up", "Red to move");
    assert_eq!(page.label("c3"), "c3, blue");
    page.play("d4", "1. Red: d4");
    page.reload();
    assert_eq!(page.moves(), "d4");
    // The previous game is kept.
    page.click("#bring-back");
    page.wait_for_address("#5,a2;");
}

#[test]
fn another_game_ends_setup_mode() {
    let game = "#9,i9h8e5;red=person;blue=person";
    let page = needs!(visit(game));
    let is_over = "$('#set-up').textContent === 'Set up stones'";
    for side in ["5", "5"] {
        page.click("#set-up");
        page.wait("/^#\\d[+]/.test(location.hash)");
        page.wait(&format!("!({is_over})"));
        page.choose("side", side);
        page.click("#setup button");
        page.wait_for_address("#5,;");
        page.wait(&format!("{SHOWN} && {is_over}"));
        page.play("b2", "1. Red: b2");
        assert_eq!(page.moves(), "b2");
    }
    // Opening a game also ends the setup.
    page.click("#set-up");
    page.wait(&format!("location.hash.includes('+') && !({is_over})"));
    page.paste("c2 b3");
    page.wait_for_address("#11,c2b3;");
    page.wait(&format!("{SHOWN} && {is_over}"));
    // A game that comes back is not in setup mode.
    page.click("#set-up");
    page.wait_for_address("#11+c2-b3,;");
    page.wait(SHOWN);
    page.click("#bring-back");
    page.wait_for_address("#11,c2b3;");
    page.wait(&format!("{SHOWN} && {is_over}"));
}

#[test]
fn games_with_a_setup_come_back() {
    let game = "#5+a1-e5,b2c3;red=person;blue=person";
    let page = needs!(visit(game));
    page.click("#set-up");
    page.wait_for_address("#5+a1b2-c3e5,;");
    page.click_cell("d4");
    page.wait_for_address("#5+a1b2d4-c3e5,;");
    page.wait(SHOWN);
    page.click("#bring-back");
    page.wait_for_address("#5+a1-e5,b2c3;");
}

#[test]
fn bots_and_clocks_wait_in_setup_mode() {
    let page = needs!(visit("#5,;red=person;blue=3"));
    page.choose("clock", "5+5");
    page.click("#set-up");
    page.click_cell("a1");
    page.wait_for_address("#5+a1,;");
    page.choose("set-up-turn", "blue");
    page.wait_for_status("Blue (Bot 3, fairly easy) to move");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(page.moves(), ":p");
    page.choose("blue", "person");
    page.wait_for_status("Blue to move");
    let runs = "$('#players .running') !== null";
    assert_eq!(page.eval(runs), false);
    page.choose("blue", "3");
    page.wait_for_status("Blue (Bot 3, fairly easy) to move");
    page.click_then("#set-up", "2. Blue: ");
    page.wait(runs);
}

#[test]
fn games_are_pasted_and_links_copied() {
    let page = needs!(visit(""));
    let own = format!("{}#5,a2:sc3,d4;red=3;seconds=1", page.home());
    for (text, wanted) in [
        ("https://hexworld.org/board/#5c1,a2:sc3", "#5,a2:sc3;"),
        (own.as_str(), "#5,a2:sc3d4;"),
        ("(;GM[11]SZ[4];B[a1];W[b2])", "#4,a1b2;"),
        ("c2 swap-pieces f6", "#11,c2:sf6;"),
    ] {
        page.paste(text);
        page.wait_for_address(wanted);
        page.wait("$('#paste-text').value === ''");
    }
    page.paste("no game at all");
    page.wait_for_words("#problem", "is not a game");
    page.catch_copies();
    let label = "$('#copy-link').textContent";
    for _ in 0..2 {
        page.click("#copy-link");
        page.wait("window.copied === location.href");
        page.wait(&format!("{label} === 'Copied'"));
    }
    // The turn input of this position, as the judge sends it.
    page.click("#copy-turn");
    page.wait("/^\\d+ (red|blue)\\n\\S+\\n[.rb] /.test(window.copied)");
    page.wait("$('#copy-turn').textContent === 'Copied'");
    // Longer than the reply to either click takes.
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(page.text(label), "Copy link");
}

/// All words for a swap in use, and the notes about skipped or guessed parts.
#[test]
fn pasted_swaps_are_read_with_notes() {
    let page = needs!(visit("#11,;red=person;blue=person"));
    for swap in ["swap", "SWAP", "Swap-Pieces", "swap-pieces"] {
        for text in [
            format!("a2 {swap} f6"),
            format!("a2,{swap},f6"),
            format!("1. a2 2. {swap} 3. f6"),
            format!("(;FF[4]GM[11]SZ[11];B[a2];W[{swap}];B[f6])"),
        ] {
            page.paste(&text);
            page.wait("$('#paste-text').value === ''");
            page.wait(SHOWN);
            assert_eq!(page.moves(), "a2:sf6", "{text}");
            page.paste("c3");
            page.wait("location.hash.includes(',c3;')");
        }
    }
    let late = "(;FF[4]GM[11]SZ[3]RE[B+];B[a1];W[b1];B[a2];W[b2];B[a3];W[resign])";
    page.paste(late);
    let problem = "$('#problem')";
    page.wait(&format!("{problem}.textContent.startsWith('Note: ')"));
    let said = page.text(&format!("{problem}.textContent"));
    assert!(said.contains("resign"), "{said}");
    // Until the next move.
    page.click("#back");
    page.wait(&format!("{problem}.hidden"));
}
