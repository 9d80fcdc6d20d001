//! The start of the page of `hex web`, in a real headless Chromium: one script, the board first,
//! small tasks. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, page};

/// Runs the page's next task only on `window.step()`.
const STEPWISE: &str = "{
    const { postMessage } = MessagePort.prototype;
    const held = [];
    MessagePort.prototype.postMessage = function (message) { held.push(() => postMessage.call(this, message)); };
    window.isHeld = () => held.length > 0;
    window.step = () => held.shift()?.();
}";

/// Steps until a condition is true.
fn step_until(browser: &mut Browser, tab: &Tab, condition: &str) {
    let stepped = format!("Boolean({condition}) || (window.step(), false)");
    browser.wait(tab, &stepped);
}

#[test]
fn the_board_comes_first_and_no_event_is_lost() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(&tab, STEPWISE);
    let address = format!("{}#9,a2:sc3;red=person;blue=person", server.url());
    browser.goto_when(&tab, &address, "window.isHeld?.()");
    let rest = "['#red option', 'dialog[open]', '#analysis:checked'].map((name) =>
        document.querySelectorAll(name).length).join()";
    assert_eq!(browser.text(&tab, rest), "0,0,0");
    browser.press(&tab, "ArrowLeft");
    browser.eval(&tab, "document.getElementById('analysis').click()");
    browser.click(&tab, "#settings-open");
    // The server may have answered before the first step.
    step_until(&mut browser, &tab, "document.querySelector('.cell')");
    let cells = "document.querySelectorAll('.cell').length";
    assert_eq!(browser.eval(&tab, cells), 81);
    assert_eq!(browser.text(&tab, rest), "0,0,0");
    step_until(&mut browser, &tab, SHOWN);
    // One move back, with the analysis on and the dialog open.
    browser.wait(
        &tab,
        "/^#9,a2:s,c3;.*;analysis/.test(location.hash) && document.querySelector('#settings[open]')",
    );
    assert_eq!(
        browser.text(&tab, "document.getElementById('analysis').checked"),
        "true"
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn all_modules_are_one_script() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    let scripts =
        "performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))
        .filter((name) => name.endsWith('.js')).join()";
    assert_eq!(browser.text(&tab, scripts), "main.js");
    assert_sound(&mut browser, &server);
}

#[test]
fn restored_records_do_not_replace_new_ones() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let files = ["a2", "b3", "c4"].map(|cell| {
        let file = folder.path().join(format!("{cell}.sgf"));
        std::fs::write(&file, format!("(;GM[11]SZ[5];B[{cell}])")).unwrap();
        file
    });
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[&files[0], &files[1]]);
    browser.wait(&tab, "location.hash.startsWith('#5,a2')");
    // Delays the server's answer that there is nothing to show.
    browser.before_scripts(
        &tab,
        "{ const { fetch } = window;
        const held = new Promise((letGo) => { window.letGo = letGo; });
        window.fetch = async (address, options) => {
            if (address.startsWith('api/opened')) { window.isHeld = true; await held; }
            return fetch(address, options);
        } }",
    );
    browser.reload(&tab);
    browser.wait(&tab, "window.isHeld");
    browser.drop_files(&tab, &[&files[1], &files[2]]);
    let named = "document.getElementById('games').textContent.includes('c4.sgf')";
    browser.wait(
        &tab,
        &format!("{named} && location.hash.startsWith('#5,b3')"),
    );
    browser.eval(&tab, "letGo()");
    // A late result has arrived once the server has answered another request.
    browser.eval(&tab, "fetch('api/opened').then((answer) => answer.text())");
    assert_eq!(browser.eval(&tab, named), true);
    browser.click(&tab, "#game-next");
    browser.wait(&tab, "location.hash.startsWith('#5,c4')");
    assert_sound(&mut browser, &server);
}

/// Games of CodinGame's site: a single file, a folder, and a file with one per line.
#[test]
fn games_of_codingame_are_opened() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let site = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/data/site");
    let [whole, late] = ["whole.json", "timeout.json"].map(|name| site.join(name));
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[&late]);
    browser.wait(&tab, "location.hash.includes('a3:sf6')");
    let comment = "document.getElementById('comment').value.startsWith('hello there')";
    // The last move is followed by the loss on time.
    let status = "document.getElementById('status').textContent";
    browser.wait(&tab, &format!("/^Red .* has won: Blue/.test({status})"));
    browser.click(&tab, "#back");
    browser.wait(&tab, "location.hash.includes('sf6,:fw')");
    browser.wait(&tab, comment);
    let listed =
        |name: &str| format!("document.getElementById('games').textContent.includes({name:?})");
    browser.drop_files(&tab, &[&late, &whole]);
    browser.wait(
        &tab,
        &format!("{} && {}", listed("alice"), listed("whole.json")),
    );
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("mine.jsonl");
    let texts = [late, whole].map(|path| std::fs::read_to_string(path).unwrap());
    std::fs::write(&lines, texts.concat()).unwrap();
    browser.drop_files(&tab, &[&lines]);
    browser.wait(&tab, &listed("mine.jsonl, line 2"));
    assert_sound(&mut browser, &server);
}
