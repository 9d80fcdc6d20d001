//! The main paths through the page of `hex web` in a real headless Firefox. Without Firefox they
//! are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::{succeed, Place};
use crate::server::Server;
use crate::support::firefox::{launch, Firefox};
use crate::support::missing::assert_follows_the_setting;
use std::io::Write;

fn wait_for_status(firefox: &mut Firefox, words: &str) {
    firefox.wait(&format!(
        "document.getElementById('status').textContent.includes({words:?})"
    ));
}

/// The moves in the address bar, past and to come.
fn moves(firefox: &mut Firefox) -> String {
    firefox.text("location.hash.split(';')[0].replace(/^#\\d+,?/, '')")
}

#[test]
fn a_game_is_played_and_analysed() {
    let Some(mut firefox) = launch() else {
        return;
    };
    let server = Server::start(&[]);
    firefox.goto(&format!("{}#5,;red=person;blue=person", server.url()));
    firefox.click("[data-cell=a2]");
    wait_for_status(&mut firefox, "They may swap");
    firefox.click("#swap");
    wait_for_status(&mut firefox, "2. Blue: swap");
    firefox.click("[data-cell=c3]");
    wait_for_status(&mut firefox, "3. Red: c3");
    firefox.press("ArrowLeft");
    wait_for_status(&mut firefox, "2. Blue: swap");
    firefox.press("u");
    wait_for_status(&mut firefox, "They may swap");
    assert_eq!(moves(&mut firefox), "a2,:sc3");
    firefox.reload();
    firefox.click("#last");
    wait_for_status(&mut firefox, "3. Red: c3");
    // The bot answers and shows its analysis.
    let bot = "document.getElementById('blue'); field.value = '1'; field.dispatchEvent(new Event('change'));";
    firefox.text(&format!("(() => {{ const field = {bot} }})()"));
    wait_for_status(&mut firefox, "4. Blue:");
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
    firefox.wait("document.querySelectorAll('.ring polygon').length === 1");
    assert_eq!(firefox.complaints(), Vec::<String>::new());
}

#[test]
fn a_match_is_watched() {
    let Some(mut firefox) = launch() else {
        return;
    };
    let place = Place::new();
    let bots = [place.bot(""), place.bot("--play 7")];
    succeed(&mut place.play(
        "--games 4 --side 5 --openings random:2",
        &[&bots[0], &bots[1]],
    ));
    let folder = place.path().join("out");
    let server = Server::start(&[folder.to_str().unwrap()]);
    firefox.goto(&server.url());
    firefox.wait("document.querySelectorAll('#games tr').length === 4");
    firefox.click("#games tr:nth-child(2) button");
    wait_for_status(&mut firefox, "has won");
    firefox.click("#game-next");
    firefox.wait(
        "document.querySelector('#games tr:nth-child(3)').getAttribute('aria-current') === 'true'",
    );
    assert_eq!(firefox.complaints(), Vec::<String>::new());
}

/// The moves of the tree, in the order of the list.
const LISTED: &str =
    "[...document.querySelectorAll('#moves button')].map((move) => move.textContent).join(' ')";

#[test]
fn a_lesson_is_played() {
    let Some(mut firefox) = launch() else {
        return;
    };
    let server = Server::start(&[]);
    firefox.goto(&server.url());
    wait_for_status(
        &mut firefox,
        "You are Red: join the red edges, above and below.",
    );
    firefox.click("#tour-open");
    let said = "document.getElementById('lesson-text').textContent";
    firefox.wait(&format!("{said}.includes('One stone is missing')"));
    firefox.wait(crate::support::browser::SHOWN);
    firefox.click("[data-cell=b5]");
    firefox.wait(&format!("{said}.startsWith('Joined!')"));
    firefox.click("#lesson-end");
    firefox.wait("location.hash.startsWith('#7,;red=person;blue=1')");
    assert_eq!(firefox.complaints(), Vec::<String>::new());
}

#[test]
fn a_game_is_studied() {
    let Some(mut firefox) = launch() else {
        return;
    };
    let server = Server::start(&[]);
    let game = "#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person";
    firefox.goto(&format!("{}{game}", server.url()));
    // A variation is played, and made the main line.
    firefox.click("#back");
    wait_for_status(&mut firefox, "8. Blue: e5");
    firefox.click("[data-cell=b1]");
    wait_for_status(&mut firefox, "9. Red: b1");
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
    firefox.click("#candidates button");
    wait_for_status(&mut firefox, "has won");
    assert_eq!(moves(&mut firefox), "c1a5c2b5c3d5c4e5c5");
    // Mistakes; one of them is tried again.
    firefox.wait("document.getElementById('review').textContent === 'Find mistakes'");
    let last = "[...document.querySelectorAll('#mistakes li')].find((item) => item.textContent.startsWith('8. Blue e5'))";
    firefox.wait(&format!("{last}?.textContent.includes('better c5')"));
    firefox.text(&format!(
        "{last}.querySelector(':scope > button:last-child').click()"
    ));
    wait_for_status(&mut firefox, "7. Red: c4");
    firefox.click("[data-cell=c5]");
    firefox.wait("document.getElementById('puzzle-text').textContent === 'c5 is right.'");
    assert_eq!(firefox.complaints(), Vec::<String>::new());
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
    let Some(mut firefox) = launch() else {
        return;
    };
    let server = Server::start(&[]);
    firefox.goto(&server.url());
    let one = "(;GM[11]SZ[5]PB[Ann]PW[Bob]C[Before];B[a2](;W[b3]C[Main])(;W[c4]LB[d5:A]))";
    let other = "(;GM[11]SZ[5]AB[a1]PL[W];W[c3])";
    choose_files(
        &mut firefox,
        "open-file",
        &[("one.sgf", one), ("two.sgf", other)],
    );
    firefox.wait("document.querySelectorAll('#games tr').length === 2");
    wait_for_status(&mut firefox, "Red (Ann) to move");
    assert_eq!(moves(&mut firefox), "a2b3");
    firefox.click("#game-next");
    firefox.wait("document.querySelector('#games tr:nth-child(2)').hasAttribute('aria-current')");
    firefox.wait("location.hash.startsWith('#5+a1,:pc3')");
    firefox.click("#game-before");
    wait_for_status(&mut firefox, "Red (Ann) to move");
    // The saved file is complete.
    let saved = saved_sgf(&mut firefox);
    for part in ["PB[Ann]PW[Bob]C[Before]", ";W[b3]C[Main]", ";W[c4]LB[d5:A]"] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    assert_eq!(firefox.complaints(), Vec::<String>::new());
    // A running match from the command line is followed. For a folder from the button the page
    // explains that it was read once.
    let folder = tempfile::tempdir().unwrap();
    let header = r#"{"format":1,"side":5,"players":[{"name":"Ann"},{"name":"Bob"}]}"#;
    let game = r#"{"id":0,"red":0,"blue":1,"winner":"red","reason":"resignation","fault":null,"moves":["a2","c3"],"times_ms":[1.5,2.5]}"#;
    let log = format!("{header}\n{game}\n");
    std::fs::write(folder.path().join("games.jsonl"), &log).unwrap();
    choose_files(&mut firefox, "open-folder", &[("games.jsonl", &log)]);
    firefox.wait(
        "document.getElementById('records-note').textContent.includes('cannot read the file again')",
    );
    // A dropped folder, too: its files keep their size.
    firefox.goto(&server.url());
    drop_file(&mut firefox, "games.jsonl", &log);
    firefox.wait(
        "document.getElementById('records-note').textContent.includes('cannot read the file again')",
    );
    let server = Server::start(&[folder.path().to_str().unwrap()]);
    firefox.goto(&server.url());
    let count = |count: usize| format!("document.querySelectorAll('#games tr').length === {count}");
    firefox.wait(&count(1));
    let file = std::fs::OpenOptions::new()
        .append(true)
        .open(folder.path().join("games.jsonl"));
    writeln!(file.unwrap(), "{}", game.replace("\"id\":0", "\"id\":1")).unwrap();
    firefox.wait(&count(2));
    assert_eq!(firefox.complaints(), Vec::<String>::new());
}

#[test]
fn missing_browser_skips_or_fails() {
    assert_follows_the_setting("web_firefox::a_match_is_watched", ("PATH", ""));
}
