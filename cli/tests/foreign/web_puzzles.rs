//! Mistakes as puzzles on the page of `hex web`. In a real headless Chromium; without one the tests
//! are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::assert_says;
use crate::support::browser::{Tab, SHOWN};
use crate::support::page::{blank, visit, Page};

/// A condition: the puzzle shows this text.
fn says(words: &str) -> String {
    format!("$('#puzzle-text').textContent.includes({words:?})")
}

/// A game in which the player who takes c5 wins, and neither does at once. Its mistakes have been
/// found, and the last one is tried again.
fn last_mistake() -> Option<Page> {
    let page = visit("#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person;analysis")?;
    page.click("#review");
    let item = "$$('#mistakes li').find((item) => item.textContent.startsWith('9. Red a1'))";
    page.wait(&format!("{item}?.textContent.includes('better c5')"));
    page.wait("$('#review').textContent === 'Find mistakes'");
    let button = format!("{item}.querySelector(':scope > button:last-child')");
    page.eval(&format!("{button}.click()"));
    Some(page)
}

#[test]
fn puzzles_show_their_answer() {
    let page = needs!(last_mistake());
    page.wait(&says("find a better move"));
    page.click("#puzzle-show");
    page.wait(&says("Better was c5"));
    // The analysis continues.
    page.wait("$('.line circle')");
}

#[test]
fn puzzles_evaluate_other_moves() {
    let page = needs!(last_mistake());
    assert_says(&page.text_of("#accuracy"), &["Red ", "Blue "]);
    page.wait_for_status("8. Blue: e5. Red to move");
    // The answer is hidden.
    page.wait(&says("find a better move than a1"));
    assert_eq!(page.count(".line circle, .labels text, .proofs path"), 0);
    assert_eq!(page.eval("$('#candidates-box').hidden"), true);
    assert_eq!(
        page.eval("$('#mistakes').textContent.includes('c5')"),
        false
    );
    page.click_cell("a1");
    page.wait(&says("a1 was played: it loses 100 %"));
    page.click_cell("e1");
    page.wait(&says("e1 loses 100 %. Try another."));
    page.click_cell("c5");
    page.wait(&says("c5 is right."));
    assert_eq!(page.moves(), "c1a5c2b5c3d5c4e5,a1");
}

/// Waits for the mistake at a move and starts its puzzle.
fn try_again(page: &Tab, ply: usize) {
    let button = format!("$('#mistakes [aria-label=\"Try again at move {ply}\"]')");
    page.click("#review");
    page.wait(&button);
    page.wait("$('#review').textContent === 'Find mistakes'");
    page.eval(&format!("{button}.click()"));
    page.wait(&format!("{SHOWN} && {}", says("find a better move")));
}

#[test]
fn puzzles_survive_other_searches() {
    let game = "#11,a2f6b10d7a11e9k1i3;red=person;blue=person";
    let page = needs!(visit(game));
    try_again(&page, 3);
    for key in ["h", "a"] {
        page.click_cell("e5");
        page.wait(&says("Looking at e5"));
        page.press(key);
        page.wait(&says("was interrupted"));
    }
    page.click_cell("e5");
    page.wait(&says("Looking at e5"));
    page.wait(&format!("{} || {}", says("e5 is right"), says("e5 loses")));
}

#[test]
fn a_swap_can_be_the_answer_of_a_puzzle() {
    let page = needs!(blank(&[]));
    for by_key in [false, true] {
        page.goto("#5,c3a1b2;red=person;blue=person");
        try_again(&page, 2);
        if by_key {
            page.press("s");
        } else {
            page.click("#swap");
        }
        page.wait(&says("swap is right."));
        assert_eq!(page.moves(), "c3,a1b2");
    }
}

#[test]
fn first_moves_in_puzzles_are_valued_with_the_swap() {
    let page = needs!(visit("#5,a1c3;red=person;blue=person"));
    try_again(&page, 1);
    page.click_cell("c3");
    // On a busy machine the search is not certain yet.
    let said = "/^c3 loses (4\\d|50) %. Try another.$/.test($('#puzzle-text').textContent)";
    page.wait(said);
}
