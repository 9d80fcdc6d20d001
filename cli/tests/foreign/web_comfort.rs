//! Comfortable study of games on the page of `hex web`: clickable lines, the wheel, autoplay, undo
//! of deletions, links and pictures with all parts of a game, in a real headless Chromium. Without
//! Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::assert_says;
use crate::long_records::many_variations;
use crate::support::browser::{Tab, SHOWN};
use crate::support::page::{visit, LISTED};

#[test]
fn lines_are_previewed_and_played() {
    let page = needs!(visit("#9,a2e5c4;red=person;blue=person;analysis"));
    page.click("#tab-analysis");
    let third = "$('#candidates .line button:nth-of-type(2)')";
    page.wait(third);
    // With *Until stopped* the analysis no longer changes.
    page.eval("window.WebSocket.prototype.send = () => {}");
    page.eval(&format!("{third}.focus()"));
    let rings = "$$('.line .place').length";
    page.wait(&format!("{rings} === 3"));
    page.eval(&format!("{third}.blur()"));
    page.wait(&format!("{rings} !== 3"));
    let line = "$$('#candidates tr:first-child button').slice(0, 3).map((move) => move.textContent.slice(0, 2))";
    let line = page.text(&format!("{line}.join('')"));
    page.eval(&format!("{third}.click()"));
    page.wait("$('#slider').value === '6'");
    assert_eq!(page.moves(), format!("a2e5c4{line}"));
}

/// Turns the wheel over the board.
fn wheel(page: &Tab, pixels: i32) {
    let turn = format!(
        "$('#board').dispatchEvent(new WheelEvent('wheel', {{ deltaY: {pixels}, bubbles: true, cancelable: true }}))"
    );
    page.eval(&turn);
    page.wait(SHOWN);
}

#[test]
fn wheel_and_autoplay_step_through_the_game() {
    let page = needs!(visit("#5,,a2b3c4d5;red=person;blue=person"));
    for (pixels, shown) in [(100, "a2,b3c4d5"), (100, "a2b3,c4d5"), (-100, "a2,b3c4d5")] {
        wheel(&page, pixels);
        assert_eq!(page.moves(), shown);
    }
    // Small steps of a touchpad add up.
    for (_, shown) in [(0, "a2,b3c4d5"), (1, "a2b3,c4d5")] {
        wheel(&page, 25);
        assert_eq!(page.moves(), shown);
    }
    // A comment stays with its position; the wheel shows that of the next one.
    page.click("#tab-analysis");
    page.eval("$('#comment').focus()");
    page.press("3");
    wheel(&page, -100);
    let comment = "$('#comment').value";
    assert_eq!(page.text(comment), "");
    wheel(&page, 100);
    assert_eq!(page.text(comment), "3");
    page.click("#auto");
    let is_on = "$('#auto').getAttribute('aria-pressed') === 'true'";
    page.wait(is_on);
    page.wait_for_status("4. Blue: d5");
    page.wait(&format!("!({is_on})"));
    // Another move stops autoplay.
    page.press("Home");
    page.wait(SHOWN);
    page.press("p");
    page.wait(is_on);
    page.press("ArrowRight");
    page.wait(&format!("!({is_on})"));
}

/// Presses Ctrl+Z.
fn undo(page: &Tab) {
    let press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }))";
    page.eval(press);
}

#[test]
fn deletions_are_undone() {
    let page = needs!(visit("#5,a2b3c4d5;red=person;blue=person"));
    page.click_then("#moves > li:nth-child(2) button", "2. Blue: b3");
    page.click_then("#delete", "1. Red: a2");
    page.click("#delete");
    page.wait(&format!("{LISTED} === ''"));
    // Other moves are played in between.
    page.play("e1", "1. Red: e1");
    undo(&page);
    page.wait(&format!("{LISTED} === 'a2 e1'"));
    page.click("#restore");
    page.wait(&format!("{LISTED} === 'a2 e1 b3 c4 d5'"));
    page.wait_for_status("2. Blue: b3");
    assert_eq!(page.moves(), "a2b3,c4d5");
    // Nothing is left to restore; deletions in older games do not count.
    undo(&page);
    page.wait(SHOWN);
    assert_eq!(page.moves(), "a2b3,c4d5");
    assert_eq!(page.eval("$('#restore').hidden"), true);
    // The same move was played again: both continuations are kept.
    page.click_then("#delete", "1. Red: a2");
    page.play("b3", "2. Blue: b3");
    page.play("e5", "3. Red: e5");
    undo(&page);
    page.wait(&format!("{LISTED} === 'a2 e1 b3 e5 c4 d5'"));
}

#[test]
fn links_hold_variations() {
    let page = needs!(visit("#5,a2b3c4;red=person;blue=person"));
    for (back, cell) in [(1, "d1"), (2, "e5")] {
        for _ in 0..back {
            page.click("#back");
            page.wait(SHOWN);
        }
        page.click_cell(cell);
        page.wait(&format!("{SHOWN} && location.hash.includes('{cell}')"));
    }
    let listed = page.text(LISTED);
    page.catch_copies();
    page.click("#copy-link");
    page.wait("window.copied !== undefined");
    let link = page.text("window.copied");
    assert!(link.ends_with(";tree=a2b3(e5)c4(d1)"), "{link}");
    let other = page.open(&link);
    other.wait(&format!("{LISTED} === '{listed}'"));
    assert_eq!(other.moves(), "a2e5");
    // The address has one line again. The copied link can be pasted, too.
    assert!(!other.text("location.hash").contains("tree="));
    let third = page.open("");
    third.paste(&link);
    third.wait(&format!("{LISTED} === '{listed}'"));
    // A damaged link is reported in words.
    for tree in ["a2)", "(a2)", "a2b9x", "c3"] {
        third.goto(&format!("#5,a2;red=person;blue=person;tree={tree}"));
        third.wait_for_words("#problem", "variations");
    }
}

#[test]
fn saved_pictures_have_marks() {
    let page = needs!(visit("#5,a2b3;red=person;blue=person"));
    page.choose("mark", "letter");
    page.click_cell("c3");
    page.choose("mark", "arrow");
    page.click_cell("a1");
    page.click_cell("e4");
    page.catch_downloads();
    page.click("#save-svg");
    page.wait("window.saved?.endsWith('.svg')");
    let text = page.download();
    assert_says(&text, &["class=\"letter\"", ">A</text>", "class=\"arrow\""]);
}

#[test]
fn heat_map_of_win_probabilities() {
    let page = needs!(visit("#9,a2e5c4;red=person;blue=person;analysis;heat=wins"));
    // The numbers on the cells equal those in the table.
    let same = "$$('#candidates tr').slice(0, 3).every((row) => {
        const cell = $(`[data-cell='${row.cells[0].textContent.split(' ')[0]}']`)?.getBoundingClientRect();
        const text = cell && $$('.labels text').find((text) => {
            const { left, top, width, height } = text.getBoundingClientRect();
            return Math.hypot(left + width / 2 - cell.left - cell.width / 2, top + height / 2 - cell.top - cell.height / 2) < 6;
        });
        return text !== undefined && Math.abs(Number(text.textContent) - parseFloat(row.cells[1].textContent)) <= 1; })";
    page.wait(same);
    assert!(page.text("location.hash").contains(";heat=wins"));
    // Numbers do not overlap.
    let over = "(() => {
        const places = $$('.labels text, .line text').map((text) => text.getBoundingClientRect());
        return places.filter((one, index) => places.slice(index + 1).some((other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3)).length; })()";
    page.wait("$$('.line text').length > 3");
    assert_eq!(page.eval(over), 0);
}

#[test]
fn warnings_stay_until_closed() {
    let page = needs!(visit("#5,a2b3;red=person;blue=person"));
    // Simulates a browser without room for such a large study.
    page.eval("{ const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (name, value) { if (value.length > 1_000_000) throw new Error('full'); setItem.call(this, name, value); };
        const field = $('#comment'); field.value = 'x'.repeat(1_100_000); field.dispatchEvent(new Event('input')); }",
    );
    let is_shown =
        "!$('#warning').hidden && $('#warning-text').textContent.includes('Save it as SGF')";
    page.wait(is_shown);
    page.click_then("#back", "1. Red: a2");
    assert_eq!(page.eval(is_shown), true);
    page.click("#warning-read");
    page.wait(&format!("!({is_shown})"));
}

#[test]
fn without_javascript_a_note_is_shown() {
    let page = needs!(visit(""));
    let said = "fetch('./').then((answer) => answer.text()).then((text) =>
        new DOMParser().parseFromString(text, 'text/html').querySelector('noscript').textContent)";
    assert!(page.eval(said).to_string().contains("needs JavaScript"));
}

#[test]
fn steps_in_a_large_study_are_fast() {
    let page = needs!(visit(""));
    page.drop_text("study.sgf", &many_variations(200, 150_000));
    page.wait("$$('#moves li button').length > 12_000");
    // From the middle, after everything is loaded.
    page.eval("$('#slider').value = 100; $('#slider').dispatchEvent(new Event('input'))");
    page.wait(SHOWN);
    let steps = "(async () => {
        const times = [];
        for (let step = 0; step < 21; step++) {
            await new Promise((done) => setTimeout(done, 60));
            const began = performance.now();
            document.getElementById('forward').click();
            while (document.querySelector('#moves [aria-current]')?.getAttribute('aria-label')?.startsWith(`${101 + step}.`) !== true) {
                await new Promise((done) => setTimeout(done, 1));
            }
            document.body.offsetHeight;
            times.push(performance.now() - began);
        }
        return times.sort((a, b) => a - b)[10]; })()";
    let median = page.eval(steps).as_f64().unwrap();
    println!("a step in a study of 12,000 nodes takes {median:.1} ms, with the server's answer");
    assert!(median < 250.0, "{median}");
    // The list shows the present move, in a variation, too.
    page.eval("$$('#moves .variation button')[9000].click()");
    page.wait(
        "(() => { const [item, list] = ['[aria-current]', ''].map((inner) =>
        $(`#moves ${inner}`).getBoundingClientRect());
        return item !== null && list.top <= item.top && item.bottom <= list.bottom; })()",
    );
}
