//! The main paths through the page of `hex web` in a real headless Firefox. Without Firefox they
//! are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::{succeed, Place};
use crate::support::firefox::{launch, Firefox};
use crate::support::missing::assert_follows_the_setting;
use crate::support::Server;

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
fn a_game_is_played_and_understood() {
    let Some(mut firefox) = launch() else {
        return;
    };
    let server = Server::start(&[]);
    firefox.goto(&format!("{}#5,;red=person;blue=person", server.url()));
    firefox.click("[data-cell=a2]");
    wait_for_status(&mut firefox, "or to swap");
    firefox.click("#swap");
    wait_for_status(&mut firefox, "2. Blue: swap");
    firefox.click("[data-cell=c3]");
    wait_for_status(&mut firefox, "3. Red: c3");
    firefox.press("ArrowLeft");
    wait_for_status(&mut firefox, "2. Blue: swap");
    firefox.press("u");
    wait_for_status(&mut firefox, "or to swap");
    assert_eq!(moves(&mut firefox), "a2,:sc3");
    firefox.reload();
    firefox.click("#last");
    wait_for_status(&mut firefox, "3. Red: c3");
    // The bot answers, and says what it thinks.
    let bot = "document.getElementById('blue'); field.value = '1'; field.dispatchEvent(new Event('change'));";
    firefox.text(&format!("(() => {{ const field = {bot} }})()"));
    wait_for_status(&mut firefox, "4. Blue:");
    firefox.click("#tab-analysis");
    firefox.click("#analysis");
    firefox
        .wait("/^Red \\d+ % · Blue \\d+ %(, proven)?$/.test(document.getElementById('bar-text').textContent)");
    // The board turns, and is played on with keys alone.
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
    let match_of_four = [
        "--games",
        "4",
        "--side",
        "5",
        "--openings",
        "random:2",
        &bots[0],
        &bots[1],
    ];
    succeed(&mut place.hex_match(&match_of_four));
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

#[test]
fn a_missing_browser_is_skipped_or_fails() {
    assert_follows_the_setting("web_firefox::a_match_is_watched", ("PATH", ""));
}
