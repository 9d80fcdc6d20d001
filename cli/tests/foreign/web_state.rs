//! The state of the game on the page of `hex web`, and that it is never lost, in a real headless
//! Chromium. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

#[path = "../../../core/tests/common/long_records.rs"]
mod long_records;

use crate::common::hex;
use crate::support::browser::{Browser, Tab, SHOWN};
use crate::support::page::{assert_sound, choose, moves, page, wait_for_status};
use hex_core::record::sgf;
use long_records::study;
use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::Instant;

/// The shown error.
const PROBLEM: &str = "document.getElementById('problem').textContent";

fn text_of(browser: &mut Browser, tab: &Tab, id: &str) -> String {
    browser.text(tab, &format!("document.getElementById({id:?}).textContent"))
}

/// Drops a file with this text on the page.
fn drop_text(browser: &mut Browser, tab: &Tab, name: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    browser.drop_files(tab, &[&file]);
    browser.wait(tab, &format!("{SHOWN} && document.title"));
    // The page reads the file after the drop.
    std::thread::sleep(std::time::Duration::from_millis(500));
}

/// Stores downloads in `window.content`.
const CATCH_DOWNLOADS: &str =
    "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
    { const address = URL.createObjectURL;
    URL.createObjectURL = (blob) => { window.content = blob; return address(blob); }; }";

/// The game as the page would save it now.
fn saved_sgf(browser: &mut Browser, tab: &Tab) -> String {
    browser.eval(tab, "window.saved = ''");
    browser.eval(tab, CATCH_DOWNLOADS);
    browser.click(tab, "#save-sgf");
    browser.wait(tab, "window.saved");
    browser
        .eval(tab, "window.content.text()")
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn moves_without_a_server_are_not_lost() {
    let Some((mut server, mut browser)) = page(&[]) else {
        return;
    };
    let port = server.port().to_string();
    let tab = browser.open(&format!("{}#5,a2;red=person;blue=person", server.url()));
    server.signal(Signal::TERM);
    assert!(server.ended().0.success());
    browser.click_cell(&tab, "c3");
    browser.wait(&tab, &format!("{PROBLEM}.includes('does not answer')"));
    assert_eq!(moves(&mut browser, &tab), "a2c3");
    let mut again = hex()
        .args(["web", "--port", &port])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    browser.wait(&tab, "document.getElementById('problem').hidden");
    browser.click_cell(&tab, "d4");
    wait_for_status(&mut browser, &tab, "3. Red: d4");
    again.kill().unwrap();
    again.wait().unwrap();
}

#[test]
fn the_page_works_without_browser_storage() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(
        &tab,
        "for (const name of ['sessionStorage', 'localStorage']) {
            const get = () => { throw new DOMException('Access is denied.', 'SecurityError'); };
            Object.defineProperty(window, name, { get });
        }",
    );
    browser.goto(
        &tab,
        &format!("{}#5,a2;red=person;blue=person", server.url()),
    );
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    drop_text(&mut browser, &tab, "game.sgf", "(;GM[11]SZ[4];B[a1])");
    wait_for_status(&mut browser, &tab, "1. Red: a1");
    choose(&mut browser, &tab, "clock", "5+5");
    assert_sound(&mut browser, &server);
}

#[test]
fn bad_addresses_are_reported() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    for (address, word, cells) in [
        ("11,a1a1", "a1 holds a red stone already", 121),
        ("0", "side", 121),
        ("99,a1", "side", 121),
        ("11,a1,b2b2", "b2 holds", 121),
        ("11,:s", "swap", 121),
    ] {
        browser.goto(
            &tab,
            &format!("{}#{address};red=person;blue=person", server.url()),
        );
        browser.wait(&tab, &format!("{PROBLEM}.includes({word:?})"));
        let shown = "document.querySelectorAll('.cell').length";
        assert_eq!(browser.eval(&tab, shown), cells, "{address}");
        browser.click_cell(&tab, "c3");
        wait_for_status(&mut browser, &tab, "1. Red: c3");
    }
    // A tab with a game keeps it.
    browser.eval(&tab, "location.hash = '#11,a1a1'");
    browser.wait(&tab, &format!("{PROBLEM}.includes('a1 holds')"));
    assert_eq!(moves(&mut browser, &tab), "c3");
    wait_for_status(&mut browser, &tab, "1. Red: c3");
    assert!(browser.eval(&tab, "document.getElementById('bring-back').hidden") == true);
}

#[test]
fn links_from_other_sites_are_opened() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = elsewhere.local_addr().unwrap().port();
    let link = format!("{}#5,a2;red=person;blue=person", server.url());
    let unknown = format!("{}api/opened", server.url());
    std::thread::spawn(move || {
        for stream in elsewhere.incoming().map_while(Result::ok) {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4096]);
            let body = format!("<a id=page href='{link}'>x</a><a id=other href='{unknown}'>y</a>");
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len());
        }
    });
    // The host name differs, so it is another site.
    let other = format!("http://localhost:{port}/");
    let tab = browser.open_when(&other, "document.getElementById('page')");
    browser.click(&tab, "#page");
    browser.wait(&tab, "document.querySelectorAll('.cell').length === 25");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    let tab = browser.open_when(&other, "document.getElementById('other')");
    browser.click(&tab, "#other");
    browser.wait(&tab, "document.body.textContent === 'null'");
}

#[test]
fn replaced_games_come_back() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", server.url()));
    let hidden = "document.getElementById('bring-back').hidden";
    for cell in ["a2", "c3"] {
        browser.click_cell(&tab, cell);
        wait_for_status(&mut browser, &tab, &format!(": {cell}"));
    }
    assert_eq!(browser.eval(&tab, hidden), true);
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    browser.click_cell(&tab, "d4");
    wait_for_status(&mut browser, &tab, "2. Blue: d4");
    browser.click(&tab, "#setup button");
    browser.wait(
        &tab,
        &format!("location.hash.startsWith('#5,;') && !{hidden}"),
    );
    browser.click(&tab, "#bring-back");
    wait_for_status(&mut browser, &tab, "2. Blue: d4");
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('#moves button').length"),
        3
    );
    // A file replaces it, too; a reload keeps both.
    drop_text(&mut browser, &tab, "game.sgf", "(;GM[11]SZ[4];B[a1])");
    browser.wait(&tab, "document.querySelectorAll('.cell').length === 16");
    browser.reload(&tab);
    browser.wait(&tab, &format!("!{hidden}"));
    browser.click(&tab, "#bring-back");
    wait_for_status(&mut browser, &tab, "2. Blue: d4");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_study_survives_a_reload() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]C[Before it began];B[a2]C[first](;W[b2];B[c3])(;W[d4]LB[e5:A]AR[a1:b1];B[e4]))";
    drop_text(&mut browser, &tab, "study.sgf", sgf);
    wait_for_status(&mut browser, &tab, "3. Red: c3");
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('#moves button').length"),
        5
    );
    browser.click(&tab, "#first");
    browser.wait(
        &tab,
        "document.getElementById('comment').value === 'Before it began'",
    );
    assert_eq!(text_of(&mut browser, &tab, "remark"), "Before it began");
    // A save at the first position contains everything.
    let saved = saved_sgf(&mut browser, &tab);
    for part in [
        "PB[Ann]PW[Bob]",
        "C[Before it began]",
        ";B[a2]C[first]",
        ";B[c3]",
        ";W[d4]LB[e5:A]AR[a1:b1]",
        ";B[e4]",
    ] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    let name = browser.text(&tab, "window.saved");
    assert!(
        name.starts_with("Ann-vs-Bob_20") && name.ends_with(".sgf"),
        "{name}"
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn games_of_bots_are_undone_move_by_move() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#11,a2b3c4d5;red=1;blue=1;paused", server.url()));
    browser.click(&tab, "#undo");
    wait_for_status(&mut browser, &tab, "3. Red: c4");
    browser.click(&tab, "#forward");
    wait_for_status(&mut browser, &tab, "4. Blue: d5");
    assert_sound(&mut browser, &server);
}

#[test]
fn too_long_games_are_refused_once() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let long = ":p".repeat(4500);
    let tab = browser.open(&format!(
        "{}#5,{long};red=person;blue=person;analysis",
        server.url()
    ));
    browser.wait(&tab, &format!("{PROBLEM}.includes('too long')"));
    let sockets = |browser: &mut Browser| {
        let asked = browser.requests();
        asked.iter().filter(|url| url.starts_with("ws:")).count()
    };
    std::thread::sleep(std::time::Duration::from_secs(3));
    browser.eval(&tab, "1");
    assert_eq!(sockets(&mut browser), 1);
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "1. Red: c3");
}

#[test]
fn evaluations_are_hidden_during_a_game() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#7,b2;red=person;blue=10;seconds=0.3;analysis",
        server.url()
    ));
    wait_for_status(&mut browser, &tab, "Your move, Red");
    let curve = "document.querySelector('#curve svg') && !document.getElementById('curve').hidden";
    browser.wait(&tab, curve);
    browser.click(&tab, "#analysis");
    browser.wait(&tab, "document.getElementById('curve').hidden");
    browser.click_cell(&tab, "e5");
    wait_for_status(&mut browser, &tab, "4. Blue");
    assert_eq!(
        browser.eval(&tab, "document.getElementById('curve').hidden"),
        true
    );
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('#mistakes li').length"),
        0
    );
    assert_eq!(text_of(&mut browser, &tab, "accuracy"), "");
    // After the game there is nothing to spoil.
    browser.click(&tab, "#resign");
    wait_for_status(&mut browser, &tab, "has won");
    browser.wait(&tab, curve);
    assert_sound(&mut browser, &server);
}

#[test]
fn bot_moves_during_a_hint() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    // At one second a move both have the same order.
    let tab = browser.open(&format!(
        "{}#11,a2:sc3;red=person;blue=person",
        server.url()
    ));
    browser.eval(
        &tab,
        "document.getElementById('hint').click(); document.getElementById('bot-moves').click()",
    );
    wait_for_status(&mut browser, &tab, "4. Blue:");
    assert_sound(&mut browser, &server);
}

#[test]
fn typed_text_is_not_replaced() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2,c3;red=person;blue=person", server.url()));
    browser.eval(&tab, "document.getElementById('seconds').select()");
    browser.press(&tab, "3");
    // Simulates a bot's move.
    browser.eval(&tab, "document.getElementById('forward').click()");
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    let field = "document.getElementById('seconds').value";
    assert_eq!(browser.text(&tab, field), "3");
    browser.press(&tab, "Enter");
    browser.wait(&tab, "location.hash.includes(';seconds=3')");
    assert_eq!(moves(&mut browser, &tab), "a2c3");
    // A comment belongs to the move on which its writer began.
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    browser.click(&tab, "#tab-analysis");
    browser.eval(&tab, "document.getElementById('comment').focus()");
    browser.press(&tab, "1");
    browser.eval(&tab, "document.getElementById('forward').click()");
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    browser.press(&tab, "2");
    browser.click(&tab, "#back");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    assert_eq!(text_of(&mut browser, &tab, "remark"), "Move 1: 12");
    // Text that is dragged into a field is not a record.
    let drop =
        "(() => { const dataTransfer = new DataTransfer(); dataTransfer.setData('text', 'no game');
        const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
        return document.getElementById('comment').dispatchEvent(drop); })()";
    assert_eq!(browser.eval(&tab, drop), true);
    assert_sound(&mut browser, &server);
}

/// A study as large as those in collections is opened, extended and saved.
#[test]
fn a_large_study_is_opened_and_saved() {
    let folder = tempfile::TempDir::new().unwrap();
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let positions: usize = 21_002;
    let file = folder.path().join("large.sgf");
    std::fs::write(&file, study(positions)).unwrap();
    let tab = browser.open(&server.url());
    let begun = Instant::now();
    browser.drop_files(&tab, &[&file]);
    browser.wait(&tab, "location.hash.startsWith('#19,a1')");
    let items = format!(
        "document.querySelectorAll('#moves button').length === {}",
        positions - 1
    );
    browser.wait(&tab, &format!("{SHOWN} && {items}"));
    let opened = begun.elapsed();
    let begun = Instant::now();
    browser.click_cell(&tab, "j10");
    browser.wait(&tab, &format!("{SHOWN} && location.hash.includes('j10')"));
    let played = begun.elapsed();
    let begun = Instant::now();
    let saved = saved_sgf(&mut browser, &tab);
    println!(
        "{positions} positions: opened in {opened:.1?}, played on in {played:.1?}, saved in {:.1?}",
        begun.elapsed()
    );
    let tree = sgf::parse_tree(&saved).unwrap();
    assert_eq!(tree.nodes().len(), positions + 1);
    assert_sound(&mut browser, &server);
}
