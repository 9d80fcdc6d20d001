//! Comfortable study of games on the page of `hex web`: clickable lines, the wheel, autoplay, undo
//! of deletions, links and pictures with all parts of a game, in a real headless Chromium. Without
//! Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, choose, moves, page, wait_for_status};
use std::fmt::Write;

/// The moves of the tree, in the order of the list.
const LISTED: &str =
    "[...document.querySelectorAll('#moves button')].map((move) => move.textContent).join(' ')";

#[test]
fn lines_are_previewed_and_played() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#9,a2e5c4;red=person;blue=person;analysis",
        server.url()
    ));
    browser.click(&tab, "#tab-analysis");
    let third = "document.querySelector('#candidates .line button:nth-of-type(2)')";
    browser.wait(&tab, third);
    // With *Until stopped* the analysis no longer changes.
    browser.eval(&tab, "window.WebSocket.prototype.send = () => {}");
    browser.eval(&tab, &format!("{third}.focus()"));
    let rings = "document.querySelectorAll('.line .place').length";
    browser.wait(&tab, &format!("{rings} === 3"));
    browser.eval(&tab, &format!("{third}.blur()"));
    browser.wait(&tab, &format!("{rings} !== 3"));
    let line = browser.text(
        &tab,
        "[...document.querySelectorAll('#candidates tr:first-child button')].slice(0, 3).map((move) => move.textContent.slice(0, 2)).join('')",
    );
    browser.eval(&tab, &format!("{third}.click()"));
    browser.wait(&tab, "document.getElementById('slider').value === '6'");
    assert_eq!(moves(&mut browser, &tab), format!("a2e5c4{line}"));
    assert_sound(&mut browser, &server);
}

/// Turns the wheel over the board.
fn wheel(browser: &mut Browser, tab: &Tab, pixels: i32) {
    let turn = format!(
        "document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {{ deltaY: {pixels}, bubbles: true, cancelable: true }}))"
    );
    browser.eval(tab, &turn);
    browser.wait(tab, SHOWN);
}

#[test]
fn wheel_and_autoplay_step_through_the_game() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#5,,a2b3c4d5;red=person;blue=person",
        server.url()
    ));
    for (pixels, shown) in [(100, "a2,b3c4d5"), (100, "a2b3,c4d5"), (-100, "a2,b3c4d5")] {
        wheel(&mut browser, &tab, pixels);
        assert_eq!(moves(&mut browser, &tab), shown);
    }
    // Small steps of a touchpad add up.
    for (_, shown) in [(0, "a2,b3c4d5"), (1, "a2b3,c4d5")] {
        wheel(&mut browser, &tab, 25);
        assert_eq!(moves(&mut browser, &tab), shown);
    }
    // A comment stays with its position; the wheel shows that of the next one.
    browser.click(&tab, "#tab-analysis");
    browser.eval(&tab, "document.getElementById('comment').focus()");
    browser.press(&tab, "3");
    wheel(&mut browser, &tab, -100);
    let comment = "document.getElementById('comment').value";
    assert_eq!(browser.text(&tab, comment), "");
    wheel(&mut browser, &tab, 100);
    assert_eq!(browser.text(&tab, comment), "3");
    browser.click(&tab, "#auto");
    let is_on = "document.getElementById('auto').getAttribute('aria-pressed') === 'true'";
    browser.wait(&tab, is_on);
    wait_for_status(&mut browser, &tab, "4. Blue: d5");
    browser.wait(&tab, &format!("!({is_on})"));
    // Another move stops autoplay.
    browser.press(&tab, "Home");
    browser.wait(&tab, SHOWN);
    browser.press(&tab, "p");
    browser.wait(&tab, is_on);
    browser.press(&tab, "ArrowRight");
    browser.wait(&tab, &format!("!({is_on})"));
    assert_sound(&mut browser, &server);
}

/// Presses Ctrl+Z.
fn undo(browser: &mut Browser, tab: &Tab) {
    let press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }))";
    browser.eval(tab, press);
}

#[test]
fn deletions_are_undone() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#5,a2b3c4d5;red=person;blue=person",
        server.url()
    ));
    browser.click(&tab, "#moves > li:nth-child(2) button");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    browser.click(&tab, "#delete");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    browser.click(&tab, "#delete");
    browser.wait(&tab, &format!("{LISTED} === ''"));
    // Other moves are played in between.
    browser.click_cell(&tab, "e1");
    wait_for_status(&mut browser, &tab, "1. Red: e1");
    undo(&mut browser, &tab);
    browser.wait(&tab, &format!("{LISTED} === 'a2 e1'"));
    browser.click(&tab, "#restore");
    browser.wait(&tab, &format!("{LISTED} === 'a2 e1 b3 c4 d5'"));
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    assert_eq!(moves(&mut browser, &tab), "a2b3,c4d5");
    // Nothing is left to restore; deletions in older games do not count.
    undo(&mut browser, &tab);
    browser.wait(&tab, SHOWN);
    assert_eq!(moves(&mut browser, &tab), "a2b3,c4d5");
    assert_eq!(
        browser.eval(&tab, "document.getElementById('restore').hidden"),
        true
    );
    // The same move was played again: both continuations are kept.
    browser.click(&tab, "#delete");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    browser.click_cell(&tab, "b3");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    browser.click_cell(&tab, "e5");
    wait_for_status(&mut browser, &tab, "3. Red: e5");
    undo(&mut browser, &tab);
    browser.wait(&tab, &format!("{LISTED} === 'a2 e1 b3 e5 c4 d5'"));
    assert_sound(&mut browser, &server);
}

#[test]
fn links_hold_variations() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3c4;red=person;blue=person", server.url()));
    for (back, cell) in [(1, "d1"), (2, "e5")] {
        for _ in 0..back {
            browser.click(&tab, "#back");
            browser.wait(&tab, SHOWN);
        }
        browser.click_cell(&tab, cell);
        browser.wait(
            &tab,
            &format!("{SHOWN} && location.hash.includes('{cell}')"),
        );
    }
    let listed = browser.text(&tab, LISTED);
    browser.eval(
        &tab,
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })",
    );
    browser.click(&tab, "#copy-link");
    browser.wait(&tab, "window.copied !== undefined");
    let link = browser.text(&tab, "window.copied");
    assert!(link.ends_with(";tree=a2b3(e5)c4(d1)"), "{link}");
    let other = browser.open(&link);
    browser.wait(&other, &format!("{LISTED} === '{listed}'"));
    assert_eq!(moves(&mut browser, &other), "a2e5");
    // The address has one line again. The copied link can be pasted, too.
    assert!(!browser.text(&other, "location.hash").contains("tree="));
    let third = browser.open(&server.url());
    browser.eval(
        &third,
        &format!("document.getElementById('paste-text').value = {link:?}"),
    );
    browser.click(&third, "#paste button");
    browser.wait(&third, &format!("{LISTED} === '{listed}'"));
    // A damaged link is reported in words.
    for tree in ["a2)", "(a2)", "a2b9x", "c3"] {
        browser.goto(
            &third,
            &format!("{}#5,a2;red=person;blue=person;tree={tree}", server.url()),
        );
        browser.wait(
            &third,
            "document.getElementById('problem').textContent.includes('variations')",
        );
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn saved_pictures_have_marks() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3;red=person;blue=person", server.url()));
    choose(&mut browser, &tab, "mark", "letter");
    browser.click_cell(&tab, "c3");
    choose(&mut browser, &tab, "mark", "arrow");
    browser.click_cell(&tab, "a1");
    browser.click_cell(&tab, "e4");
    browser.eval(
        &tab,
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
        const address = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.content ??= blob; return address(blob); };",
    );
    browser.click(&tab, "#save-svg");
    browser.wait(&tab, "window.saved?.endsWith('.svg')");
    let text = browser.eval(&tab, "window.content.text()");
    let text = text.as_str().unwrap();
    assert!(
        text.contains("class=\"letter\"") && text.contains(">A</text>"),
        "{text}"
    );
    assert!(text.contains("class=\"arrow\""), "{text}");
    assert_sound(&mut browser, &server);
}

#[test]
fn heat_map_of_win_probabilities() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#9,a2e5c4;red=person;blue=person;analysis;heat=wins",
        server.url()
    ));
    // The numbers on the cells equal those in the table.
    let same = "[...document.querySelectorAll('#candidates tr')].slice(0, 3).every((row) => {
        const cell = document.querySelector(`[data-cell='${row.cells[0].textContent.split(' ')[0]}']`)?.getBoundingClientRect();
        const text = cell && [...document.querySelectorAll('.labels text')].find((text) => {
            const { left, top, width, height } = text.getBoundingClientRect();
            return Math.hypot(left + width / 2 - cell.left - cell.width / 2, top + height / 2 - cell.top - cell.height / 2) < 6;
        });
        return text !== undefined && Math.abs(Number(text.textContent) - parseFloat(row.cells[1].textContent)) <= 1; })";
    browser.wait(&tab, same);
    assert!(browser.text(&tab, "location.hash").contains(";heat=wins"));
    // Numbers do not overlap.
    let over = "(() => {
        const places = [...document.querySelectorAll('.labels text, .line text')].map((text) => text.getBoundingClientRect());
        return places.filter((one, index) => places.slice(index + 1).some((other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3)).length; })()";
    browser.wait(&tab, "document.querySelectorAll('.line text').length > 3");
    assert_eq!(browser.eval(&tab, over), 0);
    assert_sound(&mut browser, &server);
}

#[test]
fn warnings_stay_until_closed() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3;red=person;blue=person", server.url()));
    // Simulates a browser without room for such a large study.
    browser.eval(
        &tab,
        "{ const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (name, value) { if (value.length > 1_000_000) throw new Error('full'); setItem.call(this, name, value); };
        const field = document.getElementById('comment'); field.value = 'x'.repeat(1_100_000); field.dispatchEvent(new Event('input')); }",
    );
    let is_shown = "!document.getElementById('warning').hidden && document.getElementById('warning-text').textContent.includes('Save it as SGF')";
    browser.wait(&tab, is_shown);
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    assert_eq!(browser.eval(&tab, is_shown), true);
    browser.click(&tab, "#warning-read");
    browser.wait(&tab, &format!("!({is_shown})"));
    assert_sound(&mut browser, &server);
}

#[test]
fn without_javascript_a_note_is_shown() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    let said = "fetch('./').then((answer) => answer.text()).then((text) =>
        new DOMParser().parseFromString(text, 'text/html').querySelector('noscript').textContent)";
    assert!(browser
        .eval(&tab, said)
        .to_string()
        .contains("needs JavaScript"));
    assert_sound(&mut browser, &server);
}

/// A study with this number of nodes: a long line, and a variation of nine moves at each of its
/// moves.
fn study(nodes: usize) -> String {
    let side = 19;
    let cell = |index: usize| {
        format!(
            "{}{}",
            (b'a' + (index % side) as u8) as char,
            index / side + 1
        )
    };
    let mut text = format!("(;FF[4]GM[11]SZ[{side}]");
    let (line, mut count) = (200, 0);
    let color = |ply: usize| if ply.is_multiple_of(2) { 'B' } else { 'W' };
    let mut end = String::new();
    for ply in 0..line {
        let _ = write!(text, "(;{}[{}]", color(ply), cell(ply));
        count += 1;
        end = format!("{}{end}", ")");
    }
    // Variations at the end of the line, and at each move before it.
    let variation = |ply: usize, first: usize| {
        let moves: String = (0..10)
            .map(|step| {
                format!(
                    ";{}[{}]",
                    color(ply + step),
                    cell(210 + (first * 10 + step) % 150)
                )
            })
            .collect();
        format!("({moves})")
    };
    text += ")";
    for ply in (1..line).rev() {
        for first in 0..10 {
            if count < nodes {
                text += &variation(ply, first);
                count += 10;
            }
        }
        text += ")";
    }
    text + ")"
}

#[test]
fn steps_in_a_large_study_are_fast() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.sgf");
    std::fs::write(&file, study(20_000)).unwrap();
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[&file]);
    browser.wait(
        &tab,
        "document.querySelectorAll('#moves li button').length > 15_000",
    );
    // From the middle, after everything is loaded.
    browser.eval(&tab, "document.getElementById('slider').value = 100; document.getElementById('slider').dispatchEvent(new Event('input'))");
    browser.wait(&tab, SHOWN);
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
    let median = browser.eval(&tab, steps).as_f64().unwrap();
    println!("a step in a study of 20,000 nodes takes {median:.1} ms, with the server's answer");
    assert!(median < 250.0, "{median}");
    // The list shows the present move, in a variation, too.
    browser.eval(
        &tab,
        "document.querySelectorAll('#moves .variation button')[9000].click()",
    );
    browser.wait(
        &tab,
        "(() => { const [item, list] = ['[aria-current]', ''].map((inner) =>
        document.querySelector(`#moves ${inner}`).getBoundingClientRect());
        return item !== null && list.top <= item.top && item.bottom <= list.bottom; })()",
    );
    assert_sound(&mut browser, &server);
}
