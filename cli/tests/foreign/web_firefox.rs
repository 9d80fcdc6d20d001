//! The main paths through the page of `hex web` in a real headless Firefox. Without Firefox they
//! are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::Place;
use crate::support::firefox::{visit, Firefox};
use crate::support::missing::assert_follows_the_setting;
use crate::web_views::a_match;
use std::io::Write;

#[test]
fn a_game_is_played_and_analysed() {
    let mut firefox = needs!(visit(&[], "#5,;red=person;blue=person"));
    firefox.click_then("[data-cell=a2]", "They may swap");
    firefox.click_then("#swap", "2. Blue: swap");
    firefox.click_then("[data-cell=c3]", "3. Red: c3");
    firefox.press_then("ArrowLeft", "2. Blue: swap");
    firefox.press_then("u", "They may swap");
    assert_eq!(firefox.moves(), "a2,:sc3");
    firefox.reload();
    firefox.click_then("#last", "3. Red: c3");
    // The bot answers and shows its analysis.
    let bot = "document.getElementById('blue'); field.value = '1'; field.dispatchEvent(new Event('change'));";
    firefox.text(&format!("(() => {{ const field = {bot} }})()"));
    firefox.wait_for_status("4. Blue:");
    firefox.click("#tab-analysis");
    firefox.click("#analysis");
    firefox
        .wait("/^Red \\d+ % · Blue \\d+ %(, proven)?$/.test(document.getElementById('bar-text').textContent)");
    // The board is rotated and played on by keyboard alone.
    firefox.press("f");
    firefox.wait("document.querySelector('.board').dataset.rotation === '9'");
    firefox.text("document.getElementById('keys-open').focus()");
    firefox.press("Tab");
    firefox.wait("document.activeElement.dataset.cell !== undefined");
    firefox.press("ArrowRight");
    firefox.wait_for_count(".ring polygon", 1);
}

#[test]
fn a_match_is_watched() {
    let place = Place::new();
    let folder = a_match(&place);
    let mut firefox = needs!(visit(&[folder.to_str().unwrap()], ""));
    firefox.wait_for_count("#games tr", 4);
    firefox.click_then("#games tr:nth-child(2) button", "has won");
    firefox.click("#game-next");
    firefox.wait(
        "document.querySelector('#games tr:nth-child(3)').getAttribute('aria-current') === 'true'",
    );
}

/// The moves of the tree, in the order of the list.
const LISTED: &str =
    "[...document.querySelectorAll('#moves button')].map((move) => move.textContent).join(' ')";

#[test]
fn a_lesson_is_played() {
    let mut firefox = needs!(visit(&[], ""));
    firefox.wait_for_status("You are Red: join the red edges, above and below.");
    firefox.click("#tour-open");
    let said = "document.getElementById('lesson-text').textContent";
    firefox.wait(&format!("{said}.includes('One stone is missing')"));
    firefox.wait(crate::support::browser::SHOWN);
    firefox.click("[data-cell=b5]");
    firefox.wait(&format!("{said}.startsWith('Joined!')"));
    firefox.click("#lesson-end");
    firefox.wait("location.hash.startsWith('#7,;red=person;blue=1')");
}

#[test]
fn a_game_is_studied() {
    let game = "#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person";
    let mut firefox = needs!(visit(&[], game));
    // A variation is played, and made the main line.
    firefox.click_then("#back", "8. Blue: e5");
    firefox.click_then("[data-cell=b1]", "9. Red: b1");
    firefox.wait(&format!("{LISTED} === 'c1 a5 c2 b5 c3 d5 c4 e5 a1 b1'"));
    firefox.click("#tab-analysis");
    firefox.click("#promote");
    firefox.wait(&format!("{LISTED} === 'c1 a5 c2 b5 c3 d5 c4 e5 b1 a1'"));
    // The candidates in the table; a click plays one.
    firefox.click("#back");
    firefox.click("#tab-analysis");
    firefox.click("#analysis");
    let best = "document.querySelector('#candidates button').textContent";
    firefox.wait(&format!("{best}.startsWith('c5')"));
    firefox
        .wait("document.querySelector('#candidates td:nth-child(2)').textContent.endsWith(' %')");
    firefox.click_then("#candidates button", "has won");
    assert_eq!(firefox.moves(), "c1a5c2b5c3d5c4e5c5");
    // Mistakes; one of them is tried again.
    firefox.wait("document.getElementById('review').textContent === 'Find mistakes'");
    let last = "[...document.querySelectorAll('#mistakes li')].find((item) => item.textContent.startsWith('8. Blue e5'))";
    firefox.wait(&format!("{last}?.textContent.includes('better c5')"));
    firefox.text(&format!(
        "{last}.querySelector(':scope > button:last-child').click()"
    ));
    firefox.wait_for_status("7. Red: c4");
    firefox.click("[data-cell=c5]");
    firefox.wait("document.getElementById('puzzle-text').textContent === 'c5 is right.'");
}

/// Passes files to one of the page's fields, as if the user had chosen them.
fn choose_files(firefox: &mut Firefox, field: &str, files: &[(&str, &str)]) {
    let files = serde_json::to_string(files).unwrap();
    firefox.text(&format!(
        "(() => {{ const chosen = new DataTransfer();
        for (const [name, text] of {files}) chosen.items.add(new File([text], name));
        const field = document.getElementById({field:?});
        field.files = chosen.files; field.dispatchEvent(new Event('change')); }})()"
    ));
}

/// Drops a file on the page.
fn drop_file(firefox: &mut Firefox, name: &str, text: &str) {
    firefox.text(&format!(
        "(() => {{ const dropped = new DataTransfer();
        dropped.items.add(new File([{text:?}], {name:?}));
        const event = {{ dataTransfer: dropped, bubbles: true, cancelable: true }};
        document.body.dispatchEvent(new DragEvent('drop', event)); }})()"
    ));
}

/// The shown game, as the page saves it.
fn saved_sgf(firefox: &mut Firefox) -> String {
    firefox.text("(() => { HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
        const address = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.content = blob; return address(blob); }; })()");
    firefox.click("#tab-game");
    firefox.click("#save-sgf");
    firefox.wait("window.saved?.startsWith('Ann-vs-Bob') && window.content !== undefined");
    firefox.text("window.content.text().then((text) => { window.text = text; })");
    firefox.wait("window.text !== undefined");
    firefox.text("window.text")
}

#[test]
fn records_are_opened_saved_and_followed() {
    let mut firefox = needs!(visit(&[], ""));
    let one = "(;GM[11]SZ[5]PB[Ann]PW[Bob]C[Before];B[a2](;W[b3]C[Main])(;W[c4]LB[d5:A]))";
    let other = "(;GM[11]SZ[5]AB[a1]PL[W];W[c3])";
    choose_files(
        &mut firefox,
        "open-file",
        &[("one.sgf", one), ("two.sgf", other)],
    );
    firefox.wait_for_count("#games tr", 2);
    firefox.wait_for_status("Red (Ann) to move");
    assert_eq!(firefox.moves(), "a2b3");
    firefox.click("#game-next");
    firefox.wait("document.querySelector('#games tr:nth-child(2)').hasAttribute('aria-current')");
    firefox.wait("location.hash.startsWith('#5+a1,:pc3')");
    firefox.click_then("#game-before", "Red (Ann) to move");
    // The saved file is complete.
    let saved = saved_sgf(&mut firefox);
    for part in ["PB[Ann]PW[Bob]C[Before]", ";W[b3]C[Main]", ";W[c4]LB[d5:A]"] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    // A running match from the command line is followed. For a folder from the button the page
    // explains that it was read once.
    let folder = tempfile::tempdir().unwrap();
    let header = r#"{"format":1,"side":5,"players":[{"name":"Ann"},{"name":"Bob"}]}"#;
    let game = r#"{"id":0,"red":0,"blue":1,"winner":"red","reason":"resignation","fault":null,"moves":["a2","c3"],"times_ms":[1.5,2.5]}"#;
    let log = format!("{header}\n{game}\n");
    std::fs::write(folder.path().join("games.jsonl"), &log).unwrap();
    choose_files(&mut firefox, "open-folder", &[("games.jsonl", &log)]);
    firefox.wait_for_words("#records-note", "cannot read the file again");
    // A dropped folder, too: its files keep their size.
    firefox.goto("");
    drop_file(&mut firefox, "games.jsonl", &log);
    firefox.wait_for_words("#records-note", "cannot read the file again");
    let mut firefox = needs!(visit(&[folder.path().to_str().unwrap()], ""));
    firefox.wait_for_count("#games tr", 1);
    let file = std::fs::OpenOptions::new()
        .append(true)
        .open(folder.path().join("games.jsonl"));
    writeln!(file.unwrap(), "{}", game.replace("\"id\":0", "\"id\":1")).unwrap();
    firefox.wait_for_count("#games tr", 2);
}

#[test]
fn missing_browser_skips_or_fails() {
    assert_follows_the_setting("web_firefox::a_match_is_watched", ("PATH", ""));
}
