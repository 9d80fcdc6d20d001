//! The start of the page of `hex web`, in a real headless Chromium: one script, the board first,
//! small tasks. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::support::browser::{Tab, SHOWN};
use crate::support::page::{blank, visit};

/// Runs the page's next task only on `window.step()`.
const STEPWISE: &str = "{
    const { postMessage } = MessagePort.prototype;
    const held = [];
    MessagePort.prototype.postMessage = function (message) { held.push(() => postMessage.call(this, message)); };
    window.isHeld = () => held.length > 0;
    window.step = () => held.shift()?.();
}";

/// Steps until a condition is true.
fn step_until(page: &Tab, condition: &str) {
    let stepped = format!("Boolean({condition}) || (window.step(), false)");
    page.wait(&stepped);
}

#[test]
fn the_board_comes_first_and_no_event_is_lost() {
    let page = needs!(blank(&[]));
    page.before_scripts(STEPWISE);
    page.goto_when("#9,a2:sc3;red=person;blue=person", "window.isHeld?.()");
    let rest = "['#red option', 'dialog[open]', '#analysis:checked'].map((name) =>
        document.querySelectorAll(name).length).join()";
    assert_eq!(page.text(rest), "0,0,0");
    page.press("ArrowLeft");
    page.click_at_once("#analysis");
    page.click("#settings-open");
    // The server may have answered before the first step.
    step_until(&page, "$('.cell')");
    let cells = "$$('.cell').length";
    assert_eq!(page.eval(cells), 81);
    assert_eq!(page.text(rest), "0,0,0");
    step_until(&page, SHOWN);
    // One move back, with the analysis on and the dialog open.
    page.wait("/^#9,a2:s,c3;.*;analysis/.test(location.hash) && $('#settings[open]')");
    assert_eq!(page.text("$('#analysis').checked"), "true");
}

#[test]
fn all_modules_are_one_script() {
    let page = needs!(visit(""));
    let scripts =
        "performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))
        .filter((name) => name.endsWith('.js')).join()";
    assert_eq!(page.text(scripts), "main.js");
}

#[test]
fn restored_records_do_not_replace_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a2", "b3", "c4"].map(|cell| {
        let file = folder.path().join(format!("{cell}.sgf"));
        std::fs::write(&file, format!("(;GM[11]SZ[5];B[{cell}])")).unwrap();
        file
    });
    let page = needs!(visit(""));
    page.drop_files(&[&files[0], &files[1]]);
    page.wait_for_address("#5,a2");
    // Delays the server's answer that there is nothing to show.
    page.before_scripts(
        "{ const { fetch } = window;
        const held = new Promise((letGo) => { window.letGo = letGo; });
        window.fetch = async (address, options) => {
            if (address.startsWith('api/opened')) { window.isHeld = true; await held; }
            return fetch(address, options);
        } }",
    );
    page.reload();
    page.wait("window.isHeld");
    page.drop_files(&[&files[1], &files[2]]);
    let named = "$('#games').textContent.includes('c4.sgf')";
    page.wait(&format!("{named} && location.hash.startsWith('#5,b3')"));
    page.eval("letGo()");
    // A late result has arrived once the server has answered another request.
    page.eval("fetch('api/opened').then((answer) => answer.text())");
    assert_eq!(page.eval(named), true);
    page.click("#game-next");
    page.wait_for_address("#5,c4");
}

/// Games of CodinGame's site: a single file, a folder, and a file with one per line.
#[test]
fn games_of_codingame_are_opened() {
    let site = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/data/site");
    let [whole, late] = ["whole.json", "timeout.json"].map(|name| site.join(name));
    let page = needs!(visit(""));
    page.drop_files(&[&late]);
    page.wait("location.hash.includes('a3:sf6')");
    let comment = "$('#comment').value.startsWith('hello there')";
    // The last move is followed by the loss on time.
    let status = "$('#status').textContent";
    page.wait(&format!("/^Red .* has won: Blue/.test({status})"));
    page.click("#back");
    page.wait("location.hash.includes('sf6,:fw')");
    page.wait(comment);
    let listed = |name: &str| format!("$('#games').textContent.includes({name:?})");
    page.drop_files(&[&late, &whole]);
    page.wait(&format!("{} && {}", listed("alice"), listed("whole.json")));
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("mine.jsonl");
    let texts = [late, whole].map(|path| std::fs::read_to_string(path).unwrap());
    std::fs::write(&lines, texts.concat()).unwrap();
    page.drop_files(&[&lines]);
    page.wait(&listed("mine.jsonl, line 2"));
}
