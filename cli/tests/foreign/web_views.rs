//! Understanding and watching on the page of `hex web`, in a real headless Chromium: analysis,
//! records, screens. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.
//!
//! `UPDATE=1 cargo test -p hex-cli --release --test foreign web_views::` takes the screenshots in
//! docs/ anew.

use crate::common::{assert_says, succeed, Place};
use crate::support::browser::Screen;
use crate::support::page::{visit, visit_with};
use crate::support::pictures::{is_update, keep};
use std::path::PathBuf;

#[test]
fn analysis_is_shown() {
    let page = needs!(visit("#5,a5b2c3a1;red=person;blue=person"));
    assert_eq!(page.eval("$('#bar').hidden"), true);
    page.click("#analysis");
    page.wait("/^Red \\d+ % · Blue \\d+ %(, proven)?$/.test($('#bar-text').textContent)");
    page.wait("$('.line text')?.textContent === '1'");
    let shades =
        "$$('.cell').filter((cell) => cell.style.getPropertyValue('--share') !== '0%').length";
    assert!(page.eval(shades).as_u64().unwrap() > 0);
    let paths = "$$('.layer.paths rect').length";
    assert_eq!(page.eval(paths), 0);
    page.click("#paths");
    page.wait(&format!("{paths} > 0"));
    page.wait_for_words("#distances", "Stones needed");
    assert!(page.text("location.hash").contains(";analysis"));
    page.reload();
    page.wait(&format!("{paths} > 0"));
    // On a board that is far from decided: for a proven result only the best move is known.
    page.goto("#11,a2f6;red=person;blue=person;analysis");
    page.choose("heat", "priors");
    page.wait(&format!("{shades} > 100"));
    assert!(page.text("location.hash").contains(";heat=priors"));
}

#[test]
fn the_bots_analysis_is_shown_during_its_search() {
    let page = needs!(visit("#11,a2f6;red=10;blue=person;seconds=5;analysis"));
    // The bot is still thinking, and its analysis is already shown.
    page.wait(
        "$('#status').textContent.includes('is thinking')
        && $('#bar-text').textContent.includes('%')
        && $('.line text')?.textContent === '1'",
    );
    // After an undo the bot stops, and the person may play another move.
    page.click_then("#undo", "1. Red: a2. Your move, Blue");
    page.play("c9", "2. Blue: c9");
    page.wait_for_status("3. Red:");
    assert!(page.moves().starts_with("a2c9"));
}

#[test]
fn proven_winners_are_shown() {
    let over = "3,a1c1a2c2a3;red=person;blue=person;analysis";
    let page = needs!(visit(&format!("#{over}")));
    page.wait_for_status("Red has won");
    let evaluation = "$('#evaluation').textContent";
    page.wait(&format!("{evaluation} === 'Red has a proven win. '"));
    // A reload restores stored evaluations. Without a connection there are no others.
    let stored = r#"[["3,a1c1a2c2",{"redWins":1,"time":0,"proven":"red","line":[]}]]"#;
    let script = format!(
        "sessionStorage.setItem('evaluations', {stored:?}); WebSocket = class extends EventTarget {{}};"
    );
    page.before_scripts(&script);
    let before = "3,a1c1a2c2,a3;red=person;blue=person;analysis";
    page.eval(&format!("history.replaceState(null, '', '#{before}')"));
    page.reload();
    page.wait_for_status("4. Blue: c2");
    page.wait(&format!("{evaluation} === 'Red has a proven win. '"));
}

#[test]
fn mistakes_are_found() {
    // The player who takes c5 wins, and Red did not.
    let page = needs!(visit("#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person"));
    page.click("#review");
    let text = "$('#mistakes').textContent";
    page.wait(&format!("{text}.includes('9. Red a1 ??: −100 %')"));
    page.wait("$('#review').textContent === 'Find mistakes'");
    let points = "$('#curve polyline').getAttribute('points').split(' ').length";
    assert_eq!(page.eval(points), 10);
    let mistake = page.text_of("#mistakes button");
    page.click("#mistakes button");
    let ply: usize = mistake.split('.').next().unwrap().parse().unwrap();
    page.wait(&format!("$('#slider').value === '{ply}'"));
}

/// The folder of a match between two scripted bots.
pub fn a_match(place: &Place) -> PathBuf {
    let options = "--games 4 --side 5 --openings random:2";
    succeed(&mut place.play(options, &[&place.bot(""), &place.bot("--play 7")]));
    place.path().join("out")
}

#[test]
fn a_match_is_opened_and_stepped_through() {
    let place = Place::new();
    let folder = a_match(&place);
    let page = needs!(visit(""));
    page.drop_files(&[&folder]);
    page.wait_for_count("#games tr", 4);
    page.click("#games tr:nth-child(2) button");
    page.wait_for_words("#remark", "won");
    page.click("#back");
    page.wait("/^Move \\d+: [\\d.]+ ms$/.test($('#remark').textContent)");
    page.reload();
    page.wait("/^Move \\d+: [\\d.]+ ms$/.test($('#remark').textContent)");
    page.wait_for_count("#games tr", 4);
    page.eval(
        "$('#filter-end').selectedIndex = 1;
        $('#filter-end').dispatchEvent(new Event('change'))",
    );
    assert_eq!(page.count("#games tr"), 0);
    // The same folder on the command line.
    let page = needs!(visit_with(&[folder.to_str().unwrap()], ""));
    page.wait_for_count("#games tr", 4);
    page.wait("$$('#moves li').length > 4");
}

/// The page reports a damaged log in words.
#[test]
fn damaged_matches_are_reported_in_words() {
    let place = Place::new();
    let folder = a_match(&place);
    let log = folder.join("games.jsonl");
    let whole = std::fs::read_to_string(&log).unwrap();
    let page = needs!(visit(""));
    let damaged = "line 2: the line of a game is damaged";
    for (from, to, place) in [
        ("\"players\":", "\"people\":", "log of format 1"),
        ("\"moves\":", "\"motions\":", damaged),
        ("\"times_ms\":[null,", "\"times_ms\":[", damaged),
        ("\"red\":", "\"red\":8", damaged),
        ("{\"id\":", "{\"id\"", "line 2: not a line of a match's log"),
    ] {
        std::fs::write(&log, whole.replacen(from, to, 1)).unwrap();
        page.drop_files(&[&folder]);
        page.wait(&format!("document.body.textContent.includes({place:?})"));
        page.reload();
    }
}

#[test]
fn a_game_record_is_dropped_and_saved() {
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R];B[a2]C[1.5 ms];W[swap-pieces];B[c3]C[2 ms])";
    let page = needs!(visit(""));
    page.drop_text("game.sgf", sgf);
    page.wait_for_status("Blue (Bob) has won");
    page.click("#back");
    page.wait("$('#remark').textContent === 'Move 3: 2 ms'");
    let link = page.text("$('#hexworld').href");
    assert_eq!(link, "https://hexworld.org/board/#5c1,a2:sc3");
    // Reads the download in the page.
    page.catch_downloads();
    let formats = [("sgf", "(;FF[4]"), ("svg", "<svg"), ("png", "\u{fffd}PNG")];
    for (format, begin) in formats {
        page.click(&format!("#save-{format}"));
        let named = format!("/^Ann-vs-Bob_[-\\d]+\\.{format}$/.test(window.saved)");
        page.wait(&named);
        let text = page.download();
        assert!(text.starts_with(begin), "{format}: {text:.20}");
        if format == "sgf" {
            assert_says(&text, &["PB[Ann]", "C[2 ms]"]);
        }
    }
    page.drop_text("game.sgf", "(;GM[1])");
    page.wait_for_words("#problem", "game.sgf: line 1");
    assert_eq!(page.moves(), "a2:sc3,:rb");
}

/// The smallest target for a finger, in CSS pixels: WCAG 2.2, success criterion 2.5.8.
const SMALLEST_TARGET: f64 = 24.0;

/// A game of the engine against itself with analysis, for pictures.
const PICTURED: &str = "11,a10e7h4g6f6f5g4e6d8c8d7b6c6d5b7,;red=person;blue=person;analysis";

#[test]
fn the_page_fits_every_screen() {
    let page = needs!(visit(&format!("#{PICTURED}")));
    page.resize(1280, 800, Screen::Desktop);
    page.set_scheme("light");
    page.click("#review");
    page.wait("$('#review-state').textContent === '' && $('#curve polyline')");
    page.wait("$('.line text')?.textContent === '1'");
    if is_update() {
        // Takes pictures after the analysis has arrived.
        page.wait("/[5-9],[0-9]{3} simulations/.test($('#evaluation').textContent)");
    }
    let fits = "document.documentElement.scrollWidth <= window.innerWidth";
    for (name, width, height, screen, scheme) in [
        ("web-desktop.png", 1280, 800, Screen::Desktop, "light"),
        ("web-dark.png", 1280, 800, Screen::Desktop, "dark"),
        ("web-phone.png", 360, 740, Screen::Phone, "light"),
    ] {
        page.resize(width, height, screen);
        page.set_scheme(scheme);
        page.eval("window.scrollTo(0, 0)");
        page.wait(fits);
        // The whole board is visible, and its cells are large enough to hit.
        let board = "(() => { const { left, right, bottom } = $('.board').getBoundingClientRect();
            return left >= 0 && right <= window.innerWidth && bottom <= window.innerHeight; })()";
        assert_eq!(page.eval(board), true, "{name}");
        let cell = "$('.cell').getBoundingClientRect().width";
        let width = page.eval(cell).as_f64().unwrap();
        assert!(width >= SMALLEST_TARGET, "{name}: {width}");
        keep(&page, &format!("docs/{name}"), 10_000);
    }
}
