//! Layout and quality of the page of `hex web`: it fits every screen, has names, contrast and large
//! targets, is small and fast, and logs nothing to the console, in a real headless Chromium.
//! Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::server::Server;
use crate::support::browser::{Browser, Screen, Tab, SHOWN};
use crate::support::page::{assert_sound, choose, page, wait_for_status};
use serde_json::Value;

/// A game with long names and long times.
const GAME: &str = "#11,a10e7h4g6f6f5g4e6d8c8d7b6c6d5b7,;red=person;blue=person;analysis";

/// Screens of desktops and phones, upright and on their sides.
const SCREENS: [(u32, u32, Screen); 7] = [
    (1920, 1080, Screen::Desktop),
    (1280, 800, Screen::Desktop),
    (800, 600, Screen::Desktop),
    (390, 844, Screen::Phone),
    (360, 640, Screen::Phone),
    (844, 390, Screen::Phone),
    (740, 360, Screen::Phone),
];

/// Target sizes for fingers and for a mouse, in CSS pixels.
const FINGER: u32 = 44;
const MOUSE: u32 = 24;

/// The most bytes of the page.
const MOST_BYTES: u64 = 75_000;

/// Far more than the 0.15 s of processor time until the first board, for busy machines.
const MOST_MS: f64 = 3000.0;

#[test]
fn board_and_bar_fit_every_screen() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    browser.wait(&tab, "!document.getElementById('bar').hidden");
    for (width, height, screen) in SCREENS {
        browser.resize(&tab, width, height, screen);
        // On small screens the page scrolls, and the panel is below.
        let scrolls = screen == Screen::Phone;
        let cell = "document.querySelector('.cell').getBoundingClientRect().width";
        browser.eval(&tab, TURNS);
        let before = browser.eval(&tab, cell);
        assert!(
            before.as_f64().unwrap() > f64::from(MOUSE) - 0.01,
            "{width}×{height}: {before}"
        );
        for panel in ["game", "analysis", "games"] {
            browser.click(&tab, &format!("#tab-{panel}"));
            browser.eval(&tab, "scrollTo(0, 0)");
            // In every view the board, the bar and the buttons are visible and do not overlap.
            let problems = format!(
                "(() => {{
                const places = ['header', '#players', '#status', '#bar', '#board', '.steps', '.actions', '.side'].map((name) =>
                    ({{ name, ...document.querySelector(name).getBoundingClientRect().toJSON() }}));
                const off = places.filter(({{ name, left, top, right, bottom }}) =>
                    left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || (bottom > innerHeight + 0.5 && !({scrolls} && name === '.side')));
                const over = places.flatMap((one, index) => places.slice(index + 1).filter((other) =>
                    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
                    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1).map((other) => [one.name, other.name]));
                return JSON.stringify([...off.map(({{ name }}) => name), ...over]);
            }})()"
            );
            let settled = format!("{problems} === '[]'");
            browser.wait(&tab, &settled);
            assert_eq!(
                browser.text(&tab, &problems),
                "[]",
                "{width}×{height}, {panel}"
            );
            // The board neither rotates nor shrinks.
            assert_eq!(
                browser.eval(&tab, cell),
                before,
                "{width}×{height}, {panel}"
            );
        }
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn moves_and_evaluations_share_a_screen() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    browser.click(&tab, "#tab-analysis");
    browser.wait(
        &tab,
        "document.querySelector('#candidates td:nth-child(2)').textContent !== ''",
    );
    browser.click(&tab, "#review");
    browser.wait(&tab, "document.querySelector('#curve polyline') !== null");
    for (width, height) in [(1100, 800), (1440, 900), (1920, 1080)] {
        browser.resize(&tab, width, height, Screen::Desktop);
        let all = "['.board', '#moves', '#candidates-box', '#curve', '#review', '#mistake-next'].filter((name) => {
            const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || right - left < 20 || bottom - top < 20; }).join()";
        browser.wait(&tab, &format!("{all} === ''"));
        assert_eq!(browser.text(&tab, all), "", "{width}×{height}");
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn long_names_and_times_fit() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let name = "averylongnamewithoutanyspaces".repeat(6);
    let times = ";B[a2]C[123456.789 ms];W[b3]C[12 ms]";
    let sgf = format!("(;FF[4]GM[11]SZ[5]PB[{name}]PW[{name} {name}]{times})");
    std::fs::write(&file, sgf).unwrap();
    let tab = browser.open(&server.url());
    browser.drop_files(&tab, &[&file]);
    wait_for_status(&mut browser, &tab, "averylong");
    for (width, height, screen) in SCREENS {
        browser.resize(&tab, width, height, screen);
        browser.click(&tab, "#tab-game");
        // On small screens the page scrolls, but never sideways.
        let scrolls = screen == Screen::Phone;
        let fits = format!("document.documentElement.scrollWidth <= innerWidth && ({scrolls} || document.documentElement.scrollHeight <= innerHeight) &&
            [...document.querySelectorAll('[role=tabpanel]')].every((panel) => panel.scrollWidth <= panel.clientWidth) &&
            [...document.querySelectorAll('#moves button')].every((button) => button.getBoundingClientRect().right <= innerWidth)");
        browser.wait(&tab, &fits);
    }
    assert_sound(&mut browser, &server);
}

/// The findings on the current page.
fn audit(browser: &mut Browser, tab: &Tab, least: u32) -> Value {
    let script = include_str!("support/audit.js");
    let code: Vec<&str> = script
        .lines()
        .filter(|line| !line.starts_with("//"))
        .collect();
    browser.eval(tab, &format!("({})({{ least: {least} }})", code.join("\n")))
}

#[test]
fn controls_have_names_contrast_and_size() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    browser.wait(&tab, "!document.getElementById('bar').hidden");
    for theme in ["light", "dark", "contrast"] {
        choose(&mut browser, &tab, "theme", theme);
        for (width, height, screen) in [SCREENS[1], SCREENS[3], SCREENS[6]] {
            browser.resize(&tab, width, height, screen);
            let least = if screen == Screen::Phone {
                FINGER
            } else {
                MOUSE
            };
            for opener in [
                "tab-game",
                "tab-analysis",
                "tab-games",
                "settings-open",
                "keys-open",
                "tour-open",
                "lesson-end",
            ] {
                browser.eval(
                    &tab,
                    &format!("document.getElementById('{opener}').click()"),
                );
                // Waits until moved elements are in place.
                browser.wait(&tab, "document.getAnimations().length === 0");
                let problems = audit(&mut browser, &tab, least);
                assert_eq!(
                    problems,
                    Value::Array(Vec::new()),
                    "{theme}, {width} wide, {opener}"
                );
                browser.eval(&tab, "document.querySelector('dialog[open]')?.close()");
            }
        }
    }
    assert_sound(&mut browser, &server);
}

/// With forced colours, meaningful colours stay.
#[test]
fn bar_and_stones_keep_colours_in_forced_colours_mode() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    browser.wait(&tab, "!document.getElementById('bar').hidden");
    let colors = "['#bar', '#bar-red', '.card.red > .swatch', '.stone.blue circle'].map((name) => {
        const { backgroundColor, fill } = getComputedStyle(document.querySelector(name)); return backgroundColor + fill; }).join('; ')";
    let before = browser.text(&tab, colors);
    let card = "getComputedStyle(document.querySelector('.side')).borderTopColor";
    let chosen = browser.text(&tab, card);
    browser.set_media(&tab, "forced-colors", "active");
    browser.wait(&tab, &format!("{card} !== {chosen:?}"));
    assert_eq!(browser.text(&tab, colors), before);
    // Dark colours would be light text on white paper.
    browser.eval(&tab, "document.documentElement.dataset.theme = 'dark'");
    browser.set_media(&tab, "forced-colors", "none");
    browser.show_on_paper(&tab);
    let printed = "['colorScheme', 'display'].map((name, index) =>
        getComputedStyle(document.querySelectorAll('html, .side')[index])[name]).join()";
    browser.wait(&tab, &format!("{printed} === 'light,none'"));
    assert_sound(&mut browser, &server);
}

#[test]
fn a_new_game_scrolls_to_the_board_on_a_phone() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&server.url());
    browser.resize(&tab, 390, 844, Screen::Phone);
    browser.click(&tab, "#tab-game");
    browser.wait(&tab, "scrollY > 100");
    browser.click(&tab, "#setup button");
    browser.wait(&tab, "scrollY === 0");
    assert_sound(&mut browser, &server);
}

/// Coordinates on a small board do not grow with the cells, and highlighted edges stay inside the
/// drawing.
#[test]
fn small_boards_have_small_coordinates_and_whole_edges() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.resize(&tab, 1440, 900, Screen::Desktop);
    browser.goto(&tab, &server.url());
    let heights = "[...document.querySelectorAll('.board .name')].map((name) => name.getBoundingClientRect().height)";
    let most = browser.eval(&tab, &format!("Math.max(...{heights})"));
    assert!(most.as_f64().unwrap() < 30.0, "{most}");
    let is_lit = "document.querySelector('.board').classList.contains('highlight-red')";
    browser.wait(&tab, is_lit);
    // The widest frame of their animation.
    let off = "(() => { const board = document.querySelector('.board');
        const { x, y, width, height } = board.viewBox.baseVal;
        const widest = Math.max(...[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
            .filter(({ name }) => name === 'light').flatMap(({ cssRules }) => [...cssRules]).map(({ style }) => Number.parseFloat(style.strokeWidth)));
        return [...document.querySelectorAll('.edge')].filter((edge) => { const box = edge.getBBox(); const half = widest / 2;
            return box.x - half < x - .1 || box.y - half < y - .1 || box.x + box.width + half > x + width + .1 || box.y + box.height + half > y + height + .1; }).length; })()";
    assert_eq!(browser.eval(&tab, off), 0);
    assert_sound(&mut browser, &server);
}

#[test]
fn files_are_sent_in_gzip_if_accepted() {
    let server = Server::start(&[]);
    for (accepted, encoding) in [
        ("gzip, deflate, br", Some("gzip")),
        ("gzip", Some("gzip")),
        ("br", None),
    ] {
        let answer = server.request("GET /main.js", &[("Accept-Encoding", accepted)], "");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        let is_plain = answer.body.contains("class Board {");
        assert_eq!(is_plain, encoding.is_none());
    }
    let answer = server.request("GET /api/board/5", &[("Accept-Encoding", "gzip")], "");
    assert_eq!(answer.header("content-encoding"), None);
}

#[test]
fn the_page_is_small_and_fast() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    browser.wait(&tab, SHOWN);
    let bytes = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => !name.includes('/api/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)";
    let bytes = browser.eval(&tab, bytes).as_u64().unwrap();
    assert!(bytes > 20_000 && bytes < MOST_BYTES, "{bytes} bytes");
    let first = "performance.getEntriesByName('first-board')[0].startTime";
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            browser.reload(&tab);
            browser.eval(&tab, first).as_f64().unwrap()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{bytes} bytes, first board after {:.0} ms", times[2]);
    assert!(times[2] < MOST_MS, "{times:?}");
    assert_sound(&mut browser, &server);
}

/// Holds the page's orders back until `window.release()`.
const HOLD: &str = "{ const { send } = WebSocket.prototype; let held = [];
    WebSocket.prototype.send = function (text) { if (held === null) send.call(this, text); else held.push([this, text]); };
    window.release = () => { const all = held; held = null; for (const [socket, text] of all) send.call(socket, text); }; }";

/// The places of all visible buttons and fields, and of the board.
const PLACES: &str = "JSON.stringify([...document.querySelectorAll('button, input, select, textarea, .board')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('#candidates, dialog, tr') === null)
    .map((element) => { const { left, top } = element.getBoundingClientRect();
        return `${element.id || element.tagName} ${Math.round(left + scrollX)} ${Math.round(top + scrollY)}`; }))";

/// Waits until the browser has laid out all changes, including the board's size.
const TURNS: &str = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))";

#[test]
fn nothing_moves_when_an_analysis_arrives() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    for (width, height, screen) in [SCREENS[1], SCREENS[3], SCREENS[4]] {
        let tab = browser.open_when("about:blank", "true");
        browser.before_scripts(&tab, HOLD);
        browser.resize(&tab, width, height, screen);
        browser.goto(&tab, &format!("{}{GAME}", server.url()));
        browser.click(&tab, "#tab-analysis");
        browser.wait(&tab, "document.getAnimations().length === 0");
        browser.eval(&tab, TURNS);
        let before = browser.text(&tab, PLACES);
        assert!(before.contains("review ") && before.contains("undo "));
        browser.eval(&tab, "window.release()");
        let known =
            "document.querySelector('#candidates tr:nth-child(3) td:nth-child(2)').textContent";
        browser.wait(
            &tab,
            &format!("{known} !== '' && document.querySelector('#curve')"),
        );
        assert_eq!(browser.text(&tab, PLACES), before, "{width}×{height}");
        // A hint moves nothing, either.
        browser.click(&tab, "#hint");
        browser.wait(
            &tab,
            "document.getElementById('hint-text').textContent !== ''",
        );
        browser.wait(&tab, &format!("{known} !== ''"));
        assert_eq!(browser.text(&tab, PLACES), before, "{width}×{height}, hint");
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn nothing_moves_on_a_phone_when_a_swap_becomes_possible() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    // The list of moves in the panel grows with the game.
    let places = &PLACES.replace("dialog, ", "dialog, [role=tabpanel], ");
    let is_possible = "!document.getElementById('swap').disabled";
    for (width, height, screen) in SCREENS.into_iter().skip(3) {
        let tab = browser.open_when("about:blank", "true");
        browser.resize(&tab, width, height, screen);
        let address = format!("{}#11,;red=person;blue=person", server.url());
        browser.goto(&tab, &address);
        browser.eval(&tab, TURNS);
        let before = browser.text(&tab, places);
        assert!(before.contains("swap "), "{before}");
        browser.eval(&tab, &click("[data-cell=a2]"));
        browser.wait(&tab, &format!("{SHOWN} && {is_possible}"));
        assert_eq!(browser.text(&tab, places), before, "{width}×{height}");
        browser.eval(&tab, &click("#swap"));
        wait_for_status(&mut browser, &tab, "Red to move");
        browser.wait(&tab, &format!("{SHOWN} && !({is_possible})"));
        assert_eq!(browser.text(&tab, places), before, "{width}×{height}, swap");
    }
    assert_sound(&mut browser, &server);
}

/// Clicks an element at any place; small cells need no first tap.
fn click(selector: &str) -> String {
    format!("document.querySelector({selector:?}).dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")
}
