//! Understanding and watching on the page of `hex web`, in a real headless Chromium: analysis,
//! records, screens. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.
//!
//! `UPDATE=1 cargo test -p hex-cli --release --test foreign web_views::` takes the screenshots in
//! docs/ anew.

use crate::common::{succeed, Place};
use crate::server::Server;
use crate::support::browser::Screen;
use crate::support::page::{assert_sound, moves, page, wait_for_status};
use crate::support::pictures::{is_update, keep};
use std::path::PathBuf;

#[test]
fn analysis_is_shown() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let url = format!("{}#5,a5b2c3a1;red=person;blue=person", server.url());
    let tab = browser.open(&url);
    assert_eq!(
        browser.eval(&tab, "document.getElementById('bar').hidden"),
        true
    );
    browser.click(&tab, "#analysis");
    browser.wait(
        &tab,
        "/^Red \\d+ % · Blue \\d+ %(, proven)?$/.test(document.getElementById('bar-text').textContent)",
    );
    browser.wait(
        &tab,
        "document.querySelector('.line text')?.textContent === '1'",
    );
    let shades = "[...document.querySelectorAll('.cell')].filter((cell) => cell.style.getPropertyValue('--share') !== '0%').length";
    assert!(browser.eval(&tab, shades).as_u64().unwrap() > 0);
    let paths = "document.querySelectorAll('.layer.paths rect').length";
    assert_eq!(browser.eval(&tab, paths), 0);
    browser.click(&tab, "#paths");
    browser.wait(&tab, &format!("{paths} > 0"));
    browser.wait(
        &tab,
        "document.getElementById('distances').textContent.includes('Stones needed')",
    );
    assert!(browser.text(&tab, "location.hash").contains(";analysis"));
    browser.reload(&tab);
    browser.wait(&tab, &format!("{paths} > 0"));
    // On a board that is far from decided: for a proven result only the best move is known.
    let open = format!("{}#11,a2f6;red=person;blue=person;analysis", server.url());
    browser.goto(&tab, &open);
    let by_priors = "(() => { const heat = document.getElementById('heat'); heat.value = 'priors';
        heat.dispatchEvent(new Event('change')); })()";
    browser.eval(&tab, by_priors);
    browser.wait(&tab, &format!("{shades} > 100"));
    assert!(browser.text(&tab, "location.hash").contains(";heat=priors"));
    assert_sound(&mut browser, &server);
}

#[test]
fn the_bots_analysis_is_shown_during_its_search() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let url = format!(
        "{}#11,a2f6;red=10;blue=person;seconds=5;analysis",
        server.url()
    );
    let tab = browser.open(&url);
    // The bot is still thinking, and its analysis is already shown.
    browser.wait(
        &tab,
        "document.getElementById('status').textContent.includes('is thinking')
        && document.getElementById('bar-text').textContent.includes('%')
        && document.querySelector('.line text')?.textContent === '1'",
    );
    // After an undo the bot stops, and the person may play another move.
    browser.click(&tab, "#undo");
    wait_for_status(&mut browser, &tab, "1. Red: a2. Your move, Blue");
    browser.click_cell(&tab, "c9");
    wait_for_status(&mut browser, &tab, "2. Blue: c9");
    wait_for_status(&mut browser, &tab, "3. Red:");
    assert!(moves(&mut browser, &tab).starts_with("a2c9"));
    assert_sound(&mut browser, &server);
}

#[test]
fn proven_winners_are_shown() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let over = "3,a1c1a2c2a3;red=person;blue=person;analysis";
    let tab = browser.open(&format!("{}#{over}", server.url()));
    wait_for_status(&mut browser, &tab, "Red has won");
    let evaluation = "document.getElementById('evaluation').textContent";
    browser.wait(&tab, &format!("{evaluation} === 'Red has a proven win. '"));
    // A reload restores stored evaluations. Without a connection there are no others.
    let stored = r#"[["3,a1c1a2c2",{"redWins":1,"time":0,"proven":"red","line":[]}]]"#;
    let script = format!(
        "sessionStorage.setItem('evaluations', {stored:?}); WebSocket = class extends EventTarget {{}};"
    );
    browser.before_scripts(&tab, &script);
    let before = "3,a1c1a2c2,a3;red=person;blue=person;analysis";
    let go = format!("history.replaceState(null, '', '#{before}')");
    browser.eval(&tab, &go);
    browser.reload(&tab);
    wait_for_status(&mut browser, &tab, "4. Blue: c2");
    browser.wait(&tab, &format!("{evaluation} === 'Red has a proven win. '"));
    assert_sound(&mut browser, &server);
}

#[test]
fn mistakes_are_found() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    // The player who takes c5 wins, and Red did not.
    let blunder = format!(
        "{}#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person",
        server.url()
    );
    let tab = browser.open(&blunder);
    browser.click(&tab, "#review");
    let text = "document.getElementById('mistakes').textContent";
    browser.wait(&tab, &format!("{text}.includes('9. Red a1 ??: −100 %')"));
    browser.wait(
        &tab,
        "document.getElementById('review').textContent === 'Find mistakes'",
    );
    let points =
        "document.querySelector('#curve polyline').getAttribute('points').split(' ').length";
    assert_eq!(browser.eval(&tab, points), 10);
    let mistake = browser.text(
        &tab,
        "document.querySelector('#mistakes button').textContent",
    );
    browser.click(&tab, "#mistakes button");
    let ply: usize = mistake.split('.').next().unwrap().parse().unwrap();
    browser.wait(
        &tab,
        &format!("document.getElementById('slider').value === '{ply}'"),
    );
    assert_sound(&mut browser, &server);
}

/// The folder of a match between two scripted bots.
fn a_match(place: &Place) -> PathBuf {
    let bots = [place.bot(""), place.bot("--play 7")];
    succeed(&mut place.play(
        "--games 4 --side 5 --openings random:2",
        &[&bots[0], &bots[1]],
    ));
    place.path().join("out")
}

#[test]
fn a_match_is_opened_and_stepped_through() {
    let place = Place::new();
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let folder = a_match(&place);
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[&folder]);
    browser.wait(&tab, "document.querySelectorAll('#games tr').length === 4");
    browser.click(&tab, "#games tr:nth-child(2) button");
    browser.wait(
        &tab,
        "document.getElementById('remark').textContent.includes('won')",
    );
    browser.click(&tab, "#back");
    browser.wait(
        &tab,
        "/^Move \\d+: [\\d.]+ ms$/.test(document.getElementById('remark').textContent)",
    );
    browser.reload(&tab);
    browser.wait(
        &tab,
        "/^Move \\d+: [\\d.]+ ms$/.test(document.getElementById('remark').textContent)",
    );
    browser.wait(&tab, "document.querySelectorAll('#games tr').length === 4");
    browser.eval(
        &tab,
        "document.getElementById('filter-end').selectedIndex = 1;
        document.getElementById('filter-end').dispatchEvent(new Event('change'))",
    );
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('#games tr').length"),
        0
    );
    // The same folder on the command line.
    let named = Server::start(&[folder.to_str().unwrap()]);
    let other = browser.open(&named.url());
    browser.wait(
        &other,
        "document.querySelectorAll('#games tr').length === 4",
    );
    browser.wait(&other, "document.querySelectorAll('#moves li').length > 4");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The page reports a damaged log in words.
#[test]
fn damaged_matches_are_reported_in_words() {
    let place = Place::new();
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let folder = a_match(&place);
    let log = folder.join("games.jsonl");
    let whole = std::fs::read_to_string(&log).unwrap();
    let tab = browser.open(&server.url());
    for (from, to, place) in [
        ("\"players\":", "\"people\":", "log of format 1"),
        (
            "\"moves\":",
            "\"motions\":",
            "line 2: the line of a game is damaged",
        ),
        (
            "\"times_ms\":[null,",
            "\"times_ms\":[",
            "line 2: the line of a game is damaged",
        ),
        (
            "\"red\":",
            "\"red\":8",
            "line 2: the line of a game is damaged",
        ),
        ("{\"id\":", "{\"id\"", "line 2: not a line of a match's log"),
    ] {
        std::fs::write(&log, whole.replacen(from, to, 1)).unwrap();
        browser.drop_files(&tab, &[&folder]);
        browser.wait(
            &tab,
            &format!("document.body.textContent.includes({place:?})"),
        );
        browser.reload(&tab);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_game_record_is_dropped_and_saved() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R];B[a2]C[1.5 ms];W[swap-pieces];B[c3]C[2 ms])";
    std::fs::write(&file, sgf).unwrap();
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[&file]);
    wait_for_status(&mut browser, &tab, "Blue (Bob) has won");
    browser.click(&tab, "#back");
    browser.wait(
        &tab,
        "document.getElementById('remark').textContent === 'Move 3: 2 ms'",
    );
    let link = browser.text(&tab, "document.getElementById('hexworld').href");
    assert_eq!(link, "https://hexworld.org/board/#5c1,a2:sc3");
    // Reads the download in the page.
    browser.eval(
        &tab,
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
        const address = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.content = blob; return address(blob); };",
    );
    let formats = [("sgf", "(;FF[4]"), ("svg", "<svg"), ("png", "\u{fffd}PNG")];
    for (format, begin) in formats {
        browser.click(&tab, &format!("#save-{format}"));
        let named = format!("/^Ann-vs-Bob_[-\\d]+\\.{format}$/.test(window.saved)");
        browser.wait(&tab, &named);
        let text = browser.eval(&tab, "window.content.text()");
        let text = text.as_str().unwrap();
        assert!(text.starts_with(begin), "{format}: {text:.20}");
        if format == "sgf" {
            assert!(
                text.contains("PB[Ann]") && text.contains("C[2 ms]"),
                "{text}"
            );
        }
    }
    std::fs::write(&file, "(;GM[1])").unwrap();
    browser.drop_files(&tab, &[&file]);
    browser.wait(
        &tab,
        "document.getElementById('problem').textContent.includes('game.sgf: line 1')",
    );
    assert_eq!(moves(&mut browser, &tab), "a2:sc3,:rb");
}

/// The smallest target for a finger, in CSS pixels: WCAG 2.2, success criterion 2.5.8.
const SMALLEST_TARGET: f64 = 24.0;

/// A game of the engine against itself with analysis, for pictures.
const PICTURED: &str = "11,a10e7h4g6f6f5g4e6d8c8d7b6c6d5b7,;red=person;blue=person;analysis";

#[test]
fn the_page_fits_every_screen() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#{PICTURED}", server.url()));
    browser.resize(&tab, 1280, 800, Screen::Desktop);
    browser.set_scheme(&tab, "light");
    browser.click(&tab, "#review");
    browser.wait(&tab, "document.getElementById('review-state').textContent === '' && document.querySelector('#curve polyline')");
    browser.wait(
        &tab,
        "document.querySelector('.line text')?.textContent === '1'",
    );
    if is_update() {
        // Takes pictures after the analysis has arrived.
        browser.wait(
            &tab,
            "/[5-9],[0-9]{3} simulations/.test(document.getElementById('evaluation').textContent)",
        );
    }
    let fits = "document.documentElement.scrollWidth <= window.innerWidth";
    for (name, width, height, screen, scheme) in [
        ("web-desktop.png", 1280, 800, Screen::Desktop, "light"),
        ("web-dark.png", 1280, 800, Screen::Desktop, "dark"),
        ("web-phone.png", 360, 740, Screen::Phone, "light"),
    ] {
        browser.resize(&tab, width, height, screen);
        browser.set_scheme(&tab, scheme);
        browser.eval(&tab, "window.scrollTo(0, 0)");
        browser.wait(&tab, fits);
        // The whole board is visible, and its cells are large enough to hit.
        let board = "(() => { const { left, right, bottom } = document.querySelector('.board').getBoundingClientRect();
            return left >= 0 && right <= window.innerWidth && bottom <= window.innerHeight; })()";
        assert_eq!(browser.eval(&tab, board), true, "{name}");
        let cell = "document.querySelector('.cell').getBoundingClientRect().width";
        let width = browser.eval(&tab, cell).as_f64().unwrap();
        assert!(width >= SMALLEST_TARGET, "{name}: {width}");
        keep(&mut browser, &tab, &format!("docs/{name}"), 10_000);
    }
    assert_sound(&mut browser, &server);
}
