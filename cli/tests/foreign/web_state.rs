//! The state of the game on the page of `hex web`, and that it is never lost, in a real headless
//! Chromium. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::long_records::study;
use crate::support::browser::SHOWN;
use crate::support::page::{blank, visit};
use hex_core::record::sgf;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Instant;

#[test]
fn moves_without_a_server_are_not_lost() {
    let mut page = needs!(visit("#5,a2;red=person;blue=person"));
    page.stop_server();
    page.click_cell("c3");
    page.wait_for_words("#problem", "does not answer");
    assert_eq!(page.moves(), "a2c3");
    page.start_server();
    page.wait_for_status("2. Blue: c3");
    page.wait("$('#problem').hidden");
    page.play("d4", "3. Red: d4");
}

#[test]
fn the_page_works_without_browser_storage() {
    let page = needs!(blank(&[]));
    page.before_scripts(
        "for (const name of ['sessionStorage', 'localStorage']) {
            const get = () => { throw new DOMException('Access is denied.', 'SecurityError'); };
            Object.defineProperty(window, name, { get });
        }",
    );
    page.goto("#5,a2;red=person;blue=person");
    page.play("c3", "2. Blue: c3");
    page.drop_text("game.sgf", "(;GM[11]SZ[4];B[a1])");
    page.wait_for_status("1. Red: a1");
    page.choose("clock", "5+5");
}

#[test]
fn bad_addresses_are_reported() {
    let page = needs!(visit(""));
    for (address, word) in [
        ("11,a1a1", "a1 holds a red stone already"),
        ("0", "side"),
        ("99,a1", "side"),
        ("11,a1,b2b2", "b2 holds"),
        ("11,:s", "swap"),
    ] {
        page.goto(&format!("#{address};red=person;blue=person"));
        page.wait_for_words("#problem", word);
        assert_eq!(page.count(".cell"), 121, "{address}");
        page.play("c3", "1. Red: c3");
    }
    // A tab with a game keeps it.
    page.eval("location.hash = '#11,a1a1'");
    page.wait_for_words("#problem", "a1 holds");
    assert_eq!(page.moves(), "c3");
    page.wait_for_status("1. Red: c3");
    assert_eq!(page.eval("$('#bring-back').hidden"), true);
}

#[test]
fn links_from_other_sites_are_opened() {
    let page = needs!(blank(&[])).unchecked();
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = elsewhere.local_addr().unwrap().port();
    let link = format!("{}#5,a2;red=person;blue=person", page.home());
    let unknown = format!("{}api/opened", page.home());
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
    page.goto_when(&other, "$('#page')");
    page.click("#page");
    page.wait_for_count(".cell", 25);
    page.wait_for_status("1. Red: a2");
    page.goto_when(&other, "$('#other')");
    page.click("#other");
    page.wait("document.body.textContent === 'null'");
}

#[test]
fn replaced_games_come_back() {
    let page = needs!(visit("#5,;red=person;blue=person"));
    let hidden = "$('#bring-back').hidden";
    for cell in ["a2", "c3"] {
        page.play(cell, &format!(": {cell}"));
    }
    assert_eq!(page.eval(hidden), true);
    page.click_then("#back", "1. Red: a2");
    page.play("d4", "2. Blue: d4");
    page.click("#setup button");
    page.wait(&format!("location.hash.startsWith('#5,;') && !{hidden}"));
    page.click_then("#bring-back", "2. Blue: d4");
    assert_eq!(page.count("#moves button"), 3);
    // A file replaces it, too; a reload keeps both.
    page.drop_text("game.sgf", "(;GM[11]SZ[4];B[a1])");
    page.wait_for_count(".cell", 16);
    page.reload();
    page.wait(&format!("!{hidden}"));
    page.click_then("#bring-back", "2. Blue: d4");
}

#[test]
fn a_study_survives_a_reload() {
    let page = needs!(visit(""));
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]C[Before it began];B[a2]C[first](;W[b2];B[c3])(;W[d4]LB[e5:A]AR[a1:b1];B[e4]))";
    page.drop_text("study.sgf", sgf);
    page.wait_for_status("3. Red: c3");
    assert_eq!(page.count("#moves button"), 5);
    page.click("#first");
    page.wait("$('#comment').value === 'Before it began'");
    assert_eq!(page.text_of("#remark"), "Before it began");
    // A save at the first position contains everything.
    let saved = page.saved_sgf();
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
    let name = page.text("window.saved");
    assert!(
        name.starts_with("Ann-vs-Bob_20") && name.ends_with(".sgf"),
        "{name}"
    );
}

#[test]
fn games_of_bots_are_undone_move_by_move() {
    let page = needs!(visit("#11,a2b3c4d5;red=1;blue=1;paused"));
    page.click_then("#undo", "3. Red: c4");
    page.click_then("#forward", "4. Blue: d5");
}

#[test]
fn too_long_games_are_refused_once() {
    let long = ":p".repeat(4500);
    let place = format!("#5,{long};red=person;blue=person;analysis");
    let page = needs!(visit(&place)).unchecked();
    page.wait_for_words("#problem", "too long");
    std::thread::sleep(std::time::Duration::from_secs(3));
    page.eval("1");
    let requests = page.requests();
    let sockets = requests.iter().filter(|url| url.starts_with("ws:"));
    assert_eq!(sockets.count(), 1);
    page.play("c3", "1. Red: c3");
}

#[test]
fn evaluations_are_hidden_during_a_game() {
    let page = needs!(visit("#7,b2;red=person;blue=10;seconds=0.3;analysis"));
    page.wait_for_status("Your move, Red");
    let curve = "$('#curve svg') && !$('#curve').hidden";
    page.wait(curve);
    page.click("#analysis");
    page.wait("$('#curve').hidden");
    page.play("e5", "4. Blue");
    assert_eq!(page.eval("$('#curve').hidden"), true);
    assert_eq!(page.count("#mistakes li"), 0);
    assert_eq!(page.text_of("#accuracy"), "");
    // After the game there is nothing to spoil.
    page.click_then("#resign", "has won");
    page.wait(curve);
}

#[test]
fn bot_moves_during_a_hint() {
    let page = needs!(blank(&[]));
    // At one second a move both have the same order.
    page.goto("#11,a2:sc3;red=person;blue=person");
    page.eval("$('#hint').click(); $('#bot-moves').click()");
    page.wait_for_status("4. Blue:");
}

#[test]
fn typed_text_is_not_replaced() {
    let page = needs!(visit("#5,a2,c3;red=person;blue=person"));
    page.eval("$('#seconds').select()");
    page.press("3");
    // Simulates a bot's move.
    page.click_at_once("#forward");
    page.wait_for_status("2. Blue: c3");
    let field = "$('#seconds').value";
    assert_eq!(page.text(field), "3");
    page.press("Enter");
    page.wait("location.hash.includes(';seconds=3')");
    assert_eq!(page.moves(), "a2c3");
    // A comment belongs to the move on which its writer began.
    page.click_then("#back", "1. Red: a2");
    page.click("#tab-analysis");
    page.eval("$('#comment').focus()");
    page.press("1");
    page.click_at_once("#forward");
    page.wait_for_status("2. Blue: c3");
    page.press("2");
    page.click_then("#back", "1. Red: a2");
    assert_eq!(page.text_of("#remark"), "Move 1: 12");
    // Text that is dragged into a field is not a record.
    let drop =
        "(() => { const dataTransfer = new DataTransfer(); dataTransfer.setData('text', 'no game');
        const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
        return $('#comment').dispatchEvent(drop); })()";
    assert_eq!(page.eval(drop), true);
}

/// A study as large as those in collections is opened, extended and saved.
#[test]
fn a_large_study_is_opened_and_saved() {
    let folder = tempfile::TempDir::new().unwrap();
    let positions: usize = 21_002;
    let file = folder.path().join("large.sgf");
    std::fs::write(&file, study(positions)).unwrap();
    let page = needs!(visit(""));
    let begun = Instant::now();
    page.drop_files(&[&file]);
    page.wait_for_address("#19,a1");
    let items = format!("$$('#moves button').length === {}", positions - 1);
    page.wait(&format!("{SHOWN} && {items}"));
    let opened = begun.elapsed();
    let begun = Instant::now();
    page.click_cell("j10");
    page.wait(&format!("{SHOWN} && location.hash.includes('j10')"));
    let played = begun.elapsed();
    let begun = Instant::now();
    let saved = page.saved_sgf();
    println!(
        "{positions} positions: opened in {opened:.1?}, played on in {played:.1?}, saved in {:.1?}",
        begun.elapsed()
    );
    let tree = sgf::parse_tree(&saved).unwrap();
    assert_eq!(tree.nodes().len(), positions + 1);
}
