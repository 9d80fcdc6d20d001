//! Mistakes as puzzles on the page of `hex web`. In a real headless Chromium; without one the tests
//! are skipped, or fail with HEX_IF_MISSING=fail.

use crate::server::Server;
use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, moves, page, wait_for_status};

/// A condition: the puzzle shows this text.
fn says(words: &str) -> String {
    format!("document.getElementById('puzzle-text').textContent.includes({words:?})")
}

/// Opens a game in which the player who takes c5 wins, and neither does at once. Finds its mistakes
/// and returns the tab and the selector of the last one.
fn game_with_mistakes(browser: &mut Browser, server: &Server) -> (Tab, &'static str) {
    let game = "#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person;analysis";
    let tab = browser.open(&format!("{}{game}", server.url()));
    browser.click(&tab, "#review");
    let item = "[...document.querySelectorAll('#mistakes li')].find((item) => item.textContent.startsWith('9. Red a1'))";
    browser.wait(&tab, &format!("{item}?.textContent.includes('better c5')"));
    browser.wait(
        &tab,
        "document.getElementById('review').textContent === 'Find mistakes'",
    );
    (tab, item)
}

#[test]
fn puzzles_show_their_answer() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let (tab, item) = game_with_mistakes(&mut browser, &server);
    browser.eval(
        &tab,
        &format!("{item}.querySelector(':scope > button:last-child').click()"),
    );
    browser.wait(&tab, &says("find a better move"));
    browser.click(&tab, "#puzzle-show");
    browser.wait(&tab, &says("Better was c5"));
    // The analysis continues.
    browser.wait(&tab, "document.querySelector('.line circle')");
    assert_sound(&mut browser, &server);
}

#[test]
fn puzzles_evaluate_other_moves() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let (tab, item) = game_with_mistakes(&mut browser, &server);
    let accuracy = browser.text(&tab, "document.getElementById('accuracy').textContent");
    assert!(
        accuracy.contains("Red ") && accuracy.contains("Blue "),
        "{accuracy}"
    );
    browser.eval(
        &tab,
        &format!("{item}.querySelector(':scope > button:last-child').click()"),
    );
    wait_for_status(&mut browser, &tab, "8. Blue: e5. Red to move");
    // The answer is hidden.
    browser.wait(&tab, &says("find a better move than a1"));
    assert_eq!(
        browser.eval(
            &tab,
            "document.querySelectorAll('.line circle, .labels text, .proofs path').length"
        ),
        0
    );
    assert_eq!(
        browser.eval(&tab, "document.getElementById('candidates-box').hidden"),
        true
    );
    assert_eq!(
        browser.eval(
            &tab,
            "document.getElementById('mistakes').textContent.includes('c5')"
        ),
        false
    );
    browser.click_cell(&tab, "a1");
    browser.wait(&tab, &says("a1 was played: it loses 100 %"));
    browser.click_cell(&tab, "e1");
    browser.wait(&tab, &says("e1 loses 100 %. Try another."));
    browser.click_cell(&tab, "c5");
    browser.wait(&tab, &says("c5 is right."));
    assert_eq!(moves(&mut browser, &tab), "c1a5c2b5c3d5c4e5,a1");
    assert_sound(&mut browser, &server);
}

/// Waits for the mistake at a move and starts its puzzle.
fn try_again(browser: &mut Browser, tab: &Tab, ply: usize) {
    let button =
        format!("document.querySelector('#mistakes [aria-label=\"Try again at move {ply}\"]')");
    browser.click(tab, "#review");
    browser.wait(tab, &button);
    browser.wait(
        tab,
        "document.getElementById('review').textContent === 'Find mistakes'",
    );
    browser.eval(tab, &format!("{button}.click()"));
    browser.wait(tab, &format!("{SHOWN} && {}", says("find a better move")));
}

#[test]
fn puzzles_survive_other_searches() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let game = "#11,a2f6b10d7a11e9k1i3;red=person;blue=person";
    let tab = browser.open(&format!("{}{game}", server.url()));
    try_again(&mut browser, &tab, 3);
    for key in ["h", "a"] {
        browser.click_cell(&tab, "e5");
        browser.wait(&tab, &says("Looking at e5"));
        browser.press(&tab, key);
        browser.wait(&tab, &says("was interrupted"));
    }
    browser.click_cell(&tab, "e5");
    browser.wait(&tab, &says("Looking at e5"));
    browser.wait(
        &tab,
        &format!("{} || {}", says("e5 is right"), says("e5 loses")),
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn a_swap_can_be_the_answer_of_a_puzzle() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    for by_key in [false, true] {
        let tab = browser.open(&format!("{}#5,c3a1b2;red=person;blue=person", server.url()));
        try_again(&mut browser, &tab, 2);
        if by_key {
            browser.press(&tab, "s");
        } else {
            browser.click(&tab, "#swap");
        }
        browser.wait(&tab, &says("swap is right."));
        assert_eq!(moves(&mut browser, &tab), "c3,a1b2");
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn first_moves_in_puzzles_are_valued_with_the_swap() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a1c3;red=person;blue=person", server.url()));
    try_again(&mut browser, &tab, 1);
    browser.click_cell(&tab, "c3");
    // On a busy machine the search is not certain yet.
    let said = "/^c3 loses (4\\d|50) %. Try another.$/.test(document.getElementById('puzzle-text').textContent)";
    browser.wait(&tab, said);
    assert_sound(&mut browser, &server);
}
