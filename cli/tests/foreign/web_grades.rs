//! Mistakes on the page of `hex web`: grades, accuracy, variations, and saved remarks, in a real
//! headless Chromium. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::support::browser::SHOWN;
use crate::support::page::{blank, visit, Page};
use hex_core::record::MoveGrade;
use serde_json::{json, Value};

/// A game of persons. The engine searches none of its lines before a test orders it.
const GAME: &str = "5,a1b1c1d1e1a2b2c2";

/// Opens the game as if its positions had been searched. The values are Red's probability to win
/// after 0, 1, 2, … moves.
fn evaluated(values: &[f64], set: &str) -> Option<Page> {
    let page = blank(&[])?;
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
    page.before_scripts(&script);
    page.goto(&format!("#{GAME};red=person;blue=person"));
    Some(page)
}

/// The values: losses of 0.15 by move 3, 0.25 by move 4, 0.5 by move 5.
const VALUES: [f64; 9] = [0.5, 0.5, 0.5, 0.35, 0.6, 0.1, 0.1, 0.1, 0.1];

const MISTAKES: &str =
    "$$('#mistakes li > button:first-child').map((item) => item.textContent).join('; ')";

#[test]
fn mistakes_have_grades() {
    let page = needs!(evaluated(&VALUES, ""));
    let wanted = "3. Red c1 ?!: −15 %; 4. Blue d1 ?: −25 %; 5. Red e1 ??: −50 %";
    page.wait(&format!("{MISTAKES} === {wanted:?}"));
    // In the list of moves and on the curve, too.
    let moves = "$$('#moves li button').map((item) => item.textContent).join(' ')";
    assert_eq!(page.text(moves), "a1 b1 c1 ?! d1 ? e1 ?? a2 b2 c2");
    for kind in ["doubtful", "wrong", "blunder"] {
        assert_eq!(page.count(&format!("#curve .mistake.{kind}")), 1, "{kind}");
    }
    // To the next mistake and back.
    let [before, next] = ["#mistake-before", "#mistake-next"];
    for (button, ply) in [(before, 5), (before, 4), (before, 3), (next, 4), (next, 5)] {
        page.click(button);
        page.wait(&format!("{SHOWN} && $('#slider').value === '{ply}'"));
    }
    assert_eq!(page.eval("$('#mistake-next').disabled"), true);
}

#[test]
fn grades_equal_those_of_hex_review() {
    let page = needs!(visit(""));
    let served = page.eval("fetch('api/grades').then((answer) => answer.json())");
    let wanted =
        MoveGrade::MISTAKES.map(|(grade, loss)| json!({ "sign": grade.sign(), "loss": loss }));
    assert_eq!(served, json!(wanted));
}

#[test]
fn variations_have_a_curve_and_mistakes() {
    let page = needs!(evaluated(&VALUES, ""));
    page.wait(&format!("{MISTAKES} !== ''"));
    page.click_then("#moves > li:nth-child(4) button", "4. Blue: d1");
    page.play("e5", "5. Red: e5");
    // Curve and mistakes belong to the shown line.
    page.wait(&format!(
        "{MISTAKES} === '3. Red c1 ?!: −15 %; 4. Blue d1 ?: −25 %'"
    ));
    assert_eq!(page.eval("$('#curve polyline') !== null"), true);
}

#[test]
fn forced_moves_are_not_graded() {
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
    let page = needs!(evaluated(&VALUES, &keep));
    page.wait(&format!("{MISTAKES} === '5. Red e1 ??: −50 %'"));
}

#[test]
fn accuracy_ignores_moves_in_lost_positions() {
    // Red throws the game away with two moves and cannot make mistakes afterwards.
    let values = [0.5, 0.5, 0.5, 0.2, 0.2, 0.02, 0.02, 0.02, 0.02];
    let page = needs!(evaluated(&values, ""));
    let accuracy = "Number(/Red (\\d+) %/.exec($('#accuracy').textContent)?.[1])";
    page.wait(&format!("{accuracy} > 0"));
    let found = page.eval(accuracy).as_f64().unwrap();
    // The unweighted mean of all four moves would be 72.
    assert!(found < 68.0, "{found}");
}

#[test]
fn grades_are_saved_and_reloaded() {
    let page = needs!(evaluated(&VALUES, ""));
    page.wait(&format!("{MISTAKES} !== ''"));
    let text = page.saved_sgf();
    for wanted in [
        "B[c1]DO[]C[50 % to win before, 35 % after; better e5 d5]",
        "W[d1]BM[1]C[65 % to win before, 40 % after; better e5 d5]",
        "B[e1]BM[2]C[60 % to win before, 10 % after; better e5 d5]",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // The saved file contains the grades; no search is needed.
    let other = page.open("");
    other.drop_text("judged.sgf", &text);
    let signs = "$$('#moves .grade').map((sign) => sign.textContent).join(' ')";
    other.wait(&format!("{signs} === '?! ? ??'"));
    let listed = "3. Red c1 ?!; 4. Blue d1 ?; 5. Red e1 ??";
    other.wait(&format!("{MISTAKES} === {listed:?}"));
    // A puzzle of one of them is judged although no value is known yet.
    other.click_at_once("#mistakes li:nth-child(2) > button:last-child");
    other.wait_for_words("#puzzle-text", "find a better move");
    for (cell, words) in [("d1", "d1 was played. "), ("e5", " %")] {
        other.click_cell(cell);
        other.wait_for_words("#puzzle-text", words);
    }
}
