//! The page of `hex web` in a real headless Chromium, used as people use it: clicks, keys, reloads, dropped
//! files. Where there is no Chromium the tests say so and have nothing to do.
//!
//! `UPDATE=1 cargo test -p hex-tools --release --test web_page` takes the screenshots in docs/ anew.

mod common;
mod web_support;

use common::{succeed, Place};
use hex_tools::record::{hexworld, Ending, Game};
use hexbot::cell::Color;
use std::path::Path;
use std::process::{Command, Stdio};
use web_support::browser::{launch, Browser, Screen, Tab, SHOWN};
use web_support::Server;

/// A server and a browser; `None` without a browser.
fn page(arguments: &[&str]) -> Option<(Server, Browser)> {
    let browser = launch()?;
    Some((Server::start(arguments), browser))
}

/// The game in the address bar, by the tools' own reader.
fn game(browser: &mut Browser, tab: &Tab) -> Game {
    let hash = browser.text(tab, "location.hash");
    let text = hash.split(';').next().unwrap().to_owned();
    hexworld::parse(&text).unwrap_or_else(|error| panic!("{hash}: {error}"))
}

/// The moves in the address bar, past and to come.
fn moves(browser: &mut Browser, tab: &Tab) -> String {
    let hash = browser.text(tab, "location.hash");
    let text = hash.split(';').next().unwrap();
    text.split_once(',').unwrap_or(("", "")).1.to_owned()
}

/// What screen readers hear of a cell.
fn label(browser: &mut Browser, tab: &Tab, cell: &str) -> String {
    browser.text(
        tab,
        &format!("document.querySelector('[data-cell=\"{cell}\"]').getAttribute('aria-label')"),
    )
}

/// Waits until the status line says this.
fn wait_for_status(browser: &mut Browser, tab: &Tab, words: &str) {
    let status = format!("document.getElementById('status').textContent.includes({words:?})");
    browser.wait(tab, &status);
}

/// Nothing was asked of another site, and no script failed.
fn assert_sound(browser: &mut Browser, server: &Server) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let requests = browser.requests();
    assert!(requests.len() > 10, "{requests:?}");
    let own = [
        server.url(),
        format!("ws://{}/", server.host),
        format!("blob:{}", server.url()),
    ];
    for request in requests {
        let is_own = own.iter().any(|own| request.starts_with(own));
        assert!(is_own || request == "about:blank", "{request}");
    }
}

#[test]
fn a_whole_game_against_the_bot_by_clicks() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    // Through the fields, as people do.
    for (field, value) in [("side", "5"), ("blue", "1")] {
        let change = format!(
            "(() => {{ const field = document.getElementById({field:?}); field.value = {value:?};
            field.dispatchEvent(new Event('change')); }})()"
        );
        browser.eval(&tab, &change);
    }
    browser.click(&tab, "#setup button");
    browser.wait(&tab, "document.querySelectorAll('.cell').length === 25");
    let over = "document.getElementById('status').textContent.includes('has won')";
    let turn = "document.getElementById('status').textContent.includes('Red (Person) to move')";
    loop {
        browser.wait(&tab, &format!("{SHOWN} && ({over} || {turn})"));
        if browser.eval(&tab, over) == true {
            break;
        }
        let cell = "document.querySelector('.cell.open').dataset.cell";
        let cell = browser.text(&tab, cell);
        browser.click_cell(&tab, &cell);
    }
    let played = game(&mut browser, &tab);
    let outcome = played.outcome().expect("the game is over");
    assert_eq!(outcome.ending, Ending::Connection);
    let winner = match outcome.winner {
        Color::Red => "Red",
        Color::Blue => "Blue",
    };
    wait_for_status(&mut browser, &tab, &format!("{winner} ("));
    let chain = browser.eval(&tab, "document.querySelectorAll('.cell.won').length");
    assert!(chain.as_u64().unwrap() >= 5, "{chain}");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_whole_game_by_keyboard_alone() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", server.url()));
    let focus = "document.activeElement.dataset.cell";
    while browser.eval(&tab, focus).is_null() {
        browser.press(&tab, "Tab");
    }
    let mut at = browser.text(&tab, focus);
    assert_eq!(at, "c3", "the middle is reached first");
    let rings = "document.querySelectorAll('.ring polygon').length";
    assert_eq!(browser.eval(&tab, rings), 1);
    let order = ["c3", "a1", "c2", "a2", "c1", "a3", "c4", "a4"];
    for cell in order.iter().chain(&["c5"]) {
        while at != *cell {
            let key = match (at.as_bytes()[0], at.as_bytes()[1], cell.as_bytes()) {
                (col, _, to) if col < to[0] => "ArrowRight",
                (col, _, to) if col > to[0] => "ArrowLeft",
                (_, row, to) if row < to[1] => "ArrowDown",
                _ => "ArrowUp",
            };
            browser.press(&tab, key);
            at = browser.text(&tab, focus);
        }
        browser.press(&tab, "Enter");
        browser.wait(&tab, &format!("location.hash.includes('{cell};')"));
        browser.wait(&tab, "!document.querySelector('.cell.open') || document.querySelector('#moves [aria-current]')");
        let last = format!("document.querySelector('[data-cell=\"{cell}\"]').getAttribute('aria-label').includes('last move')");
        browser.wait(&tab, &last);
    }
    wait_for_status(&mut browser, &tab, "Red (Person) has won");
    let heard = label(&mut browser, &tab, "c5");
    assert_eq!(
        heard,
        "c5, Red stone, move 9, last move, in the winning chain"
    );
    browser.press(&tab, "u");
    wait_for_status(&mut browser, &tab, "Red (Person) to move");
    assert_eq!(moves(&mut browser, &tab), format!("{},c5", order.concat()));
    browser.press(&tab, "r");
    wait_for_status(&mut browser, &tab, "has won");
    assert_sound(&mut browser, &server);
}

#[test]
fn swap_undo_redo_resign_reload_and_links() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", server.url()));
    browser.click_cell(&tab, "a2");
    wait_for_status(&mut browser, &tab, "or to swap");
    browser.click(&tab, "#swap");
    wait_for_status(&mut browser, &tab, "Blue: swap");
    assert_eq!(
        label(&mut browser, &tab, "b1"),
        "b1, Blue stone, move 2, last move"
    );
    assert_eq!(label(&mut browser, &tab, "a2"), "a2, empty");
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "3. Red: c3");
    browser.click(&tab, "#undo");
    browser.click(&tab, "#undo");
    wait_for_status(&mut browser, &tab, "or to swap");
    assert_eq!(moves(&mut browser, &tab), "a2,:sc3");
    browser.reload(&tab);
    wait_for_status(&mut browser, &tab, "or to swap");
    browser.click(&tab, "#redo");
    wait_for_status(&mut browser, &tab, "2. Blue: swap");
    // A second tab opens the link and goes another way; the first does not notice.
    let link = browser.text(&tab, "location.href");
    let second = browser.open(&link);
    wait_for_status(&mut browser, &second, "2. Blue: swap");
    browser.click_cell(&second, "e5");
    wait_for_status(&mut browser, &second, "3. Red: e5");
    assert_eq!(moves(&mut browser, &second), "a2:se5");
    assert_eq!(moves(&mut browser, &tab), "a2:s,c3");
    browser.click(&second, "#resign");
    wait_for_status(
        &mut browser,
        &second,
        "Red (Person) has won: the other resigned",
    );
    assert_eq!(moves(&mut browser, &second), "a2:se5:rw");
    browser.goto(&tab, &format!("{}#5,zz;red=person", server.url()));
    browser.wait(
        &tab,
        "document.getElementById('problem').textContent.includes('zz')",
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn the_bot_opens_swaps_and_plays_itself() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#11,f6;red=person;blue=3", server.url()));
    wait_for_status(&mut browser, &tab, "Blue: swap");
    assert_eq!(moves(&mut browser, &tab), "f6:s");
    browser.goto(
        &tab,
        &format!("{}#4,;red=2;blue=3;seconds=0.1", server.url()),
    );
    wait_for_status(&mut browser, &tab, "has won");
    assert!(game(&mut browser, &tab).outcome().is_some());
    // Undone, a game of bots waits; it goes on after another move.
    browser.click(&tab, "#first");
    wait_for_status(&mut browser, &tab, "Red (Bot, level 2) to move");
    browser.click(&tab, "#hint");
    wait_for_status(&mut browser, &tab, "has won");
    assert_sound(&mut browser, &server);
}

#[test]
fn analysis_appears_and_mistakes_are_found() {
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
        "/^Red \\d+ % · Blue \\d+ %$/.test(document.getElementById('bar-text').textContent)",
    );
    browser.wait(
        &tab,
        "document.querySelector('.line text')?.textContent === '1'",
    );
    let shades = "[...document.querySelectorAll('.cell')].filter((cell) => cell.style.getPropertyValue('--share') !== '0%').length";
    assert!(browser.eval(&tab, shades).as_u64().unwrap() > 1);
    let paths = "document.querySelectorAll('.layer.paths rect').length";
    assert_eq!(browser.eval(&tab, paths), 0);
    browser.click(&tab, "#paths");
    browser.wait(&tab, &format!("{paths} > 0"));
    browser.wait(
        &tab,
        "document.getElementById('needs').textContent.includes('Red needs')",
    );
    assert!(browser.text(&tab, "location.hash").contains(";analysis"));
    browser.reload(&tab);
    browser.wait(&tab, &format!("{paths} > 0"));
    // Whoever takes c5 wins, and Red did not.
    let blunder = format!(
        "{}#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person",
        server.url()
    );
    browser.goto(&tab, &blunder);
    browser.click(&tab, "#review");
    let text = "document.getElementById('mistakes').textContent";
    browser.wait(&tab, &format!("{text}.includes('9. Red a1: −100 %')"));
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
fn a_match(place: &Place) -> std::path::PathBuf {
    let bots = [place.bot(""), place.bot("--play 7")];
    let arguments = [
        "--games",
        "4",
        "--side",
        "5",
        "--openings",
        "random:2",
        &bots[0],
        &bots[1],
    ];
    succeed(&mut place.hex_match(&arguments));
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
    browser.eval(&tab, "document.getElementById('filter').selectedIndex = 3");
    browser.eval(
        &tab,
        "document.getElementById('filter').dispatchEvent(new Event('change'))",
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
    // What would be downloaded is looked at in the page.
    browser.eval(
        &tab,
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
        const address = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.content = blob; return address(blob); };",
    );
    let formats = [("sgf", "(;FF[4]"), ("svg", "<svg"), ("png", "\u{fffd}PNG")];
    for (format, begin) in formats {
        browser.click(&tab, &format!("#save-{format}"));
        browser.wait(&tab, &format!("window.saved === 'hex.{format}'"));
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

#[test]
fn ten_tabs_think_at_once() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tabs: Vec<Tab> = (1..=10)
        .map(|row| {
            browser.open(&format!(
                "{}#11,a{row};red=person;blue=person;analysis",
                server.url()
            ))
        })
        .collect();
    for tab in &tabs {
        browser.wait(
            tab,
            "document.querySelector('.line text')?.textContent === '1'",
        );
    }
    browser.click_cell(&tabs[9], "f6");
    wait_for_status(&mut browser, &tabs[9], "2. Blue: f6");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_lost_server_is_noticed_and_found_again() {
    let Some((mut server, mut browser)) = page(&[]) else {
        return;
    };
    let port = server.port().to_string();
    let tab = browser.open(&format!("{}#5,a2;red=person;blue=person", server.url()));
    server.signal(libc::SIGTERM);
    assert!(server.ended().0.success());
    browser.wait(
        &tab,
        "document.getElementById('problem').textContent.includes('does not answer')",
    );
    let mut again = Command::new(env!("CARGO_BIN_EXE_hex"))
        .args(["web", "--port", &port])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    browser.wait(&tab, "document.getElementById('problem').hidden");
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    again.kill().unwrap();
    again.wait().unwrap();
}

/// Writes a screenshot into docs/ if that is wanted.
fn keep(browser: &mut Browser, tab: &Tab, name: &str) {
    let picture = browser.screenshot(tab);
    assert!(picture.len() > 10_000, "{name} shows something");
    if std::env::var_os("UPDATE").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        std::fs::write(folder.join(name), decoded(&picture)).unwrap();
    }
}

/// The bytes that base64 stands for.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text
        .bytes()
        .filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte));
    let digits: Vec<u32> = digits.map(|digit| digit as u32).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        let bytes = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        bytes.into_iter().take(four.len() - 1)
    });
    bytes.collect()
}

/// What a finger can hit, in CSS pixels: WCAG 2.2, success criterion 2.5.8.
const SMALLEST_TARGET: f64 = 24.0;

/// A game of the engine against itself with the analysis on, for pictures.
const PICTURED: &str = "11,a10e7h4g6f6f5g4e6d8c8d7b6c6d5b7,;red=person;blue=person;analysis;paths";

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
        // All of the board is on the screen, and its cells are large enough to hit.
        let board = "(() => { const { left, right, bottom } = document.querySelector('.board').getBoundingClientRect();
            return left >= 0 && right <= window.innerWidth && bottom <= window.innerHeight; })()";
        assert_eq!(browser.eval(&tab, board), true, "{name}");
        let cell = "document.querySelector('.cell').getBoundingClientRect().width";
        let width = browser.eval(&tab, cell).as_f64().unwrap();
        assert!(width >= SMALLEST_TARGET, "{name}: {width}");
        keep(&mut browser, &tab, name);
    }
    assert_sound(&mut browser, &server);
}
