//! Mistakes on the page of `hex web`: grades, accuracy, variations, and saved remarks, in a real
//! headless Chromium. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, page, wait_for_status};
use hex_core::record::MoveGrade;
use serde_json::{json, Value};

/// A game of persons. The engine searches none of its lines before a test orders it.
const GAME: &str = "5,a1b1c1d1e1a2b2c2";

/// Opens the game as if its positions had been searched. The values are Red's probability to win
/// after 0, 1, 2, … moves.
fn open_evaluated(browser: &mut Browser, url: &str, values: &[f64], set: &str) -> Tab {
    let tab = browser.open_when("about:blank", "true");
    let known: Vec<Value> = values
        .iter()
        .enumerate()
        .map(|(ply, value)| {
            let (head, moves) = GAME.split_once(',').unwrap();
            let game = format!("{head},{}", &moves[..2 * ply]);
            json!([game, { "redWins": value, "time": 10_000, "proven": null, "line": ["e5", "d5"] }])
        })
        .collect();
    let evaluations = Value::Array(known).to_string();
    let script = format!(
        "if (location.protocol === 'http:' && sessionStorage.getItem('evaluations') === null) {{
        sessionStorage.setItem('evaluations', {evaluations:?}); sessionStorage.setItem('reviewed', JSON.stringify({GAME:?})); }} {set}"
    );
    browser.before_scripts(&tab, &script);
    browser.goto(&tab, &format!("{url}#{GAME};red=person;blue=person"));
    tab
}

/// The values: losses of 0.15 by move 3, 0.25 by move 4, 0.5 by move 5.
const VALUES: [f64; 9] = [0.5, 0.5, 0.5, 0.35, 0.6, 0.1, 0.1, 0.1, 0.1];

const MISTAKES: &str = "[...document.querySelectorAll('#mistakes li > button:first-child')].map((item) => item.textContent).join('; ')";

#[test]
fn mistakes_have_grades() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = open_evaluated(&mut browser, &server.url(), &VALUES, "");
    let wanted = "3. Red c1 ?!: −15 %; 4. Blue d1 ?: −25 %; 5. Red e1 ??: −50 %";
    browser.wait(&tab, &format!("{MISTAKES} === {wanted:?}"));
    // In the list of moves and on the curve, too.
    let moves = "[...document.querySelectorAll('#moves li button')].map((item) => item.textContent).join(' ')";
    assert_eq!(browser.text(&tab, moves), "a1 b1 c1 ?! d1 ? e1 ?? a2 b2 c2");
    for kind in ["doubtful", "wrong", "blunder"] {
        let marks = format!("document.querySelectorAll('#curve .mistake.{kind}').length");
        assert_eq!(browser.eval(&tab, &marks), 1, "{kind}");
    }
    // To the next mistake and back.
    let step = |id: &str| format!("#mistake-{id}");
    for (button, ply) in [
        ("before", 5),
        ("before", 4),
        ("before", 3),
        ("next", 4),
        ("next", 5),
    ] {
        browser.click(&tab, &step(button));
        browser.wait(
            &tab,
            &format!("{SHOWN} && document.getElementById('slider').value === '{ply}'"),
        );
    }
    let is_last = "document.getElementById('mistake-next').disabled";
    assert_eq!(browser.eval(&tab, is_last), true);
    assert_sound(&mut browser, &server);
}

#[test]
fn grades_equal_those_of_hex_review() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    let served = browser.eval(&tab, "fetch('api/grades').then((answer) => answer.json())");
    let wanted =
        MoveGrade::MISTAKES.map(|(grade, loss)| json!({ "sign": grade.sign(), "loss": loss }));
    assert_eq!(served, json!(wanted));
    assert_sound(&mut browser, &server);
}

#[test]
fn variations_have_a_curve_and_mistakes() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = open_evaluated(&mut browser, &server.url(), &VALUES, "");
    browser.wait(&tab, &format!("{MISTAKES} !== ''"));
    browser.click(&tab, "#moves > li:nth-child(4) button");
    wait_for_status(&mut browser, &tab, "4. Blue: d1");
    browser.click_cell(&tab, "e5");
    wait_for_status(&mut browser, &tab, "5. Red: e5");
    // Curve and mistakes belong to the shown line.
    browser.wait(
        &tab,
        &format!("{MISTAKES} === '3. Red c1 ?!: −15 %; 4. Blue d1 ?: −25 %'"),
    );
    assert_eq!(
        browser.eval(&tab, "document.querySelector('#curve polyline') !== null"),
        true
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn forced_moves_are_not_graded() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let nodes: Vec<Value> = std::iter::once(json!({}))
        .chain((0..8).map(|ply| {
            let (_, moves) = GAME.split_once(',').unwrap();
            let comment = if ply < 4 { "forced" } else { "3.0 ms" };
            json!({ "parent": ply, "move": &moves[2 * ply..2 * ply + 2], "comment": comment })
        }))
        .collect();
    let tree = json!({ "game": GAME, "head": "5", "nodes": nodes, "isEdited": false, "players": { "red": "person", "blue": "person" }, "record": null });
    let keep = format!(
        "if (location.protocol === 'http:' && sessionStorage.getItem('tree') === null) sessionStorage.setItem('tree', {:?});",
        tree.to_string()
    );
    let tab = open_evaluated(&mut browser, &server.url(), &VALUES, &keep);
    browser.wait(&tab, &format!("{MISTAKES} === '5. Red e1 ??: −50 %'"));
    assert_sound(&mut browser, &server);
}

#[test]
fn accuracy_ignores_moves_in_lost_positions() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    // Red throws the game away with two moves and cannot make mistakes afterwards.
    let values = [0.5, 0.5, 0.5, 0.2, 0.2, 0.02, 0.02, 0.02, 0.02];
    let tab = open_evaluated(&mut browser, &server.url(), &values, "");
    let accuracy =
        "Number(/Red (\\d+) %/.exec(document.getElementById('accuracy').textContent)?.[1])";
    browser.wait(&tab, &format!("{accuracy} > 0"));
    let found = browser.eval(&tab, accuracy).as_f64().unwrap();
    // The unweighted mean of all four moves would be 72.
    assert!(found < 68.0, "{found}");
    assert_sound(&mut browser, &server);
}

#[test]
fn grades_are_saved_and_reloaded() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = open_evaluated(&mut browser, &server.url(), &VALUES, "");
    browser.wait(&tab, &format!("{MISTAKES} !== ''"));
    browser.eval(
        &tab,
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
        const address = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.content = blob; return address(blob); };",
    );
    browser.click(&tab, "#save-sgf");
    browser.wait(&tab, "window.saved !== undefined");
    let text = browser.eval(&tab, "window.content.text()");
    let text = text.as_str().unwrap();
    for wanted in [
        "B[c1]DO[]C[50 % to win before, 35 % after; better e5 d5]",
        "W[d1]BM[1]C[65 % to win before, 40 % after; better e5 d5]",
        "B[e1]BM[2]C[60 % to win before, 10 % after; better e5 d5]",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // The saved file contains the grades; no search is needed.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("judged.sgf");
    std::fs::write(&file, text).unwrap();
    let other = browser.open(&server.url());
    browser.drop_files(&other, &[&file]);
    let signs =
        "[...document.querySelectorAll('#moves .grade')].map((sign) => sign.textContent).join(' ')";
    browser.wait(&other, &format!("{signs} === '?! ? ??'"));
    let listed = "3. Red c1 ?!; 4. Blue d1 ?; 5. Red e1 ??";
    browser.wait(&other, &format!("{MISTAKES} === {listed:?}"));
    // A puzzle of one of them is judged although no value is known yet.
    browser.eval(
        &other,
        "document.querySelector('#mistakes li:nth-child(2) > button:last-child').click()",
    );
    browser.wait(
        &other,
        "document.getElementById('puzzle-text').textContent.includes('find a better move')",
    );
    for (cell, words) in [("d1", "d1 was played. "), ("e5", " %")] {
        browser.click_cell(&other, cell);
        browser.wait(
            &other,
            &format!("document.getElementById('puzzle-text').textContent.includes({words:?})"),
        );
    }
    assert_sound(&mut browser, &server);
}
