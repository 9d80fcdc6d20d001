//! Playing on the page of `hex web`: keys, rotation of the board, hints, clocks, and the page while
//! its server is away, in a real headless Chromium. Without Chromium the tests are skipped, or fail
//! with HEX_IF_MISSING=fail.

use crate::common::hex;
use crate::server::Server;
use crate::support::browser::{launch_with, Browser, Screen, Tab, SHOWN};
use crate::support::page::{assert_sound, choose, moves, page, wait_for_status};
use rustix::process::Signal;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A game of two people, after three of four moves.
const GAME: &str = "#5,a2b3c4,d5;red=person;blue=person";

/// Waits for a rotation of the board, by HexWorld's number.
fn wait_for_rotation(browser: &mut Browser, tab: &Tab, rotation: u32) {
    let lies = format!("document.querySelector('.board').dataset.rotation === '{rotation}'");
    browser.wait(tab, &lies);
}

#[test]
fn shortcuts_work_with_any_focus() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    for (key, now) in [
        ("ArrowLeft", "a2b3,c4d5"),
        ("Home", ",a2b3c4d5"),
        ("ArrowRight", "a2,b3c4d5"),
        ("End", "a2b3c4d5"),
        ("u", "a2b3c4,d5"),
        ("r", "a2b3c4d5"),
    ] {
        browser.press(&tab, key);
        browser.wait(&tab, SHOWN);
        assert_eq!(moves(&mut browser, &tab), now, "{key}");
    }
    // After a click on a cell, too, because the mouse set the focus.
    browser.click_cell(&tab, "e1");
    wait_for_status(&mut browser, &tab, "5. Red: e1");
    browser.press(&tab, "ArrowLeft");
    wait_for_status(&mut browser, &tab, "4. Blue: d5");
    // Not while typing, and not on the slider, which has its own arrow keys.
    browser.eval(&tab, "document.getElementById('seconds').focus()");
    browser.press(&tab, "Home");
    browser.press(&tab, "u");
    assert_eq!(moves(&mut browser, &tab), "a2b3c4d5,e1");
    browser.eval(&tab, "document.activeElement.blur()");
    let open = "document.getElementById('keys').open";
    browser.press(&tab, "?");
    browser.wait(&tab, open);
    browser.press(&tab, "ArrowLeft");
    browser.press(&tab, "Escape");
    browser.wait(&tab, &format!("!{open}"));
    assert_eq!(moves(&mut browser, &tab), "a2b3c4d5,e1");
    for rotation in [9, 7, 12, 10] {
        browser.press(&tab, "f");
        wait_for_rotation(&mut browser, &tab, rotation);
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn after_a_click_arrows_step_through_moves() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    let shown = "document.querySelector('[role=tab][aria-selected=true]').textContent";
    browser.click(&tab, "#tab-analysis");
    browser.press(&tab, "ArrowLeft");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    assert_eq!(browser.text(&tab, shown), "Study");
    browser.click(&tab, "#tab-game");
    // After a choice by mouse the field loses the focus.
    browser.eval(
        &tab,
        "document.getElementById('side').focus();
        document.getElementById('side').dispatchEvent(new Event('change', { bubbles: true }))",
    );
    browser.press(&tab, "ArrowLeft");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    // Tabs that were reached by keyboard have their own arrow keys.
    browser.eval(&tab, "document.getElementById('resign').focus()");
    while browser.eval(&tab, "document.activeElement.id") != "tab-game" {
        browser.press(&tab, "Tab");
    }
    browser.press(&tab, "ArrowRight");
    assert_eq!(browser.text(&tab, shown), "Study");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    assert_sound(&mut browser, &server);
}

#[test]
fn arrows_follow_the_rotation_of_the_board() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5r12c1,;red=person;blue=person", server.url()));
    wait_for_rotation(&mut browser, &tab, 12);
    let focus = "document.activeElement.dataset.cell";
    while browser.eval(&tab, focus).is_null() {
        browser.press(&tab, "Tab");
    }
    // The board stands on its corner with a1 at the top.
    for (key, cell) in [
        ("ArrowUp", "b3"),
        ("ArrowDown", "c3"),
        ("ArrowRight", "d2"),
        ("ArrowLeft", "c3"),
    ] {
        let place = "(() => { const { left, top } = document.activeElement.getBoundingClientRect(); return [left, top]; })()";
        let before = browser.eval(&tab, place);
        browser.press(&tab, key);
        assert_eq!(browser.text(&tab, focus), cell, "{key}");
        let after = browser.eval(&tab, place);
        let (axis, grows) = match key {
            "ArrowLeft" => (0, false),
            "ArrowRight" => (0, true),
            "ArrowUp" => (1, false),
            _ => (1, true),
        };
        let moved = after[axis].as_f64().unwrap() - before[axis].as_f64().unwrap();
        assert!(
            moved.abs() > 5.0 && (moved > 0.0) == grows,
            "{key}: {moved}"
        );
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn rotation_settings_are_applied_and_stored() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let place = "(() => { const { left, top } = document.querySelector('[data-cell=a1]').getBoundingClientRect();
        const last = document.querySelector('[data-cell=e5]').getBoundingClientRect(); return [last.left - left, last.top - top]; })()";
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    // HexWorld's rotations: 9 is the wide diamond, 12 the upright one, 4 the flat board upside
    // down.
    for (options, x, y) in [
        ("", 1, 1),
        ("r9", 1, 0),
        ("r12", 0, 1),
        ("r4", -1, -1),
        ("r9m", 1, 0),
    ] {
        let link = GAME.replacen("#5,", &format!("#5{options}c1,"), 1);
        browser.goto(&tab, &format!("{}{link}", server.url()));
        let towards = browser.eval(&tab, place);
        for (axis, sign) in [(0, x), (1, y)] {
            let way = towards[axis].as_f64().unwrap();
            let side = if way.abs() < 5.0 {
                0
            } else {
                way.signum() as i32
            };
            assert_eq!(side, sign, "{options}: {towards}");
        }
        let link = browser.text(&tab, "document.getElementById('hexworld').href");
        assert_eq!(
            link,
            format!("https://hexworld.org/board/#5{options}c1,a2b3c4")
        );
        // The rotation from the link survives a reload of the tab.
        browser.reload(&tab);
        assert_eq!(browser.eval(&tab, place), towards, "{options}");
    }
    // Mirrored: rows and columns are exchanged.
    let up = "document.querySelector('[data-cell=a5]').getBoundingClientRect().top < document.querySelector('[data-cell=e1]').getBoundingClientRect().top";
    assert_eq!(browser.eval(&tab, up), true);
    browser.click(&tab, "#settings-open");
    choose(&mut browser, &tab, "rotation", "10");
    choose(&mut browser, &tab, "theme", "dark");
    for name in ["numbers", "sides", "pattern", "mirrored"] {
        browser.eval(&tab, &format!("document.getElementById('{name}').click()"));
    }
    let checks = "document.querySelector('.board').dataset.rotation === '10' &&
        !document.querySelector('.board').hasAttribute('data-mirrored') &&
        document.querySelectorAll('.names text').length === 20 &&
        document.querySelectorAll('.stones .number').length === 3 &&
        new Set([...document.querySelectorAll('.cell')].map((cell) => getComputedStyle(cell).fill)).size === 3 &&
        getComputedStyle(document.body).backgroundColor === 'rgb(24, 23, 21)'";
    browser.wait(&tab, checks);
    // Other tabs and the next visit have the same settings.
    browser.reload(&tab);
    browser.wait(&tab, checks);
    let other = browser.open(&format!("{}{GAME}", server.url()));
    browser.wait(&other, checks);
    assert_sound(&mut browser, &server);
}

#[test]
fn hints_titles_sounds_and_delay_of_bots() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2;red=1;blue=person", server.url()));
    let hinted = "document.getElementById('hint-text').textContent";
    browser.click(&tab, "#hint");
    browser.wait(&tab, &format!("{hinted} !== ''"));
    let hint = browser.text(&tab, hinted);
    let cell = hint
        .trim_start_matches("Hint: ")
        .trim_end_matches('.')
        .to_owned();
    assert_eq!(moves(&mut browser, &tab), "a2", "a hint plays nothing");
    if cell != "swap" {
        assert_eq!(
            browser.eval(&tab, "document.querySelectorAll('.hint circle').length"),
            1
        );
    }
    assert_eq!(browser.text(&tab, "document.title"), "● Your turn – Hex");
    // Counts the sounds.
    browser.eval(
        &tab,
        "const make = BaseAudioContext.prototype.createOscillator;
        window.tones = 0;
        BaseAudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); };",
    );
    // Level 1 answers at once, but its move is delayed.
    let began = Instant::now();
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "2. Blue: c3");
    assert_eq!(browser.text(&tab, hinted), "");
    wait_for_status(&mut browser, &tab, "3. Red:");
    assert!(
        began.elapsed() > Duration::from_millis(450),
        "{:?}",
        began.elapsed()
    );
    browser.wait(&tab, "window.tones === 2");
    browser.eval(&tab, "document.getElementById('sound').click()");
    // An undo before the bot's answer cancels it.
    browser.click(&tab, "#undo");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    browser.click_cell(&tab, "d4");
    wait_for_status(&mut browser, &tab, "is thinking");
    browser.click(&tab, "#undo");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(moves(&mut browser, &tab), "a2,d4");
    assert_eq!(browser.eval(&tab, "window.tones"), 2);
    browser.eval(&tab, "document.getElementById('turn').click()");
    browser.wait(&tab, "document.title === 'Hex'");
    assert_sound(&mut browser, &server);
}

#[test]
fn clocks_run_are_taken_back_and_run_out() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", server.url()));
    choose(&mut browser, &tab, "clock", "5+5");
    let clock = |color: &str| format!("document.getElementById('clock-{color}').textContent");
    browser.wait(&tab, &format!("{} === '5:00'", clock("red")));
    for (cell, said) in [("a2", "1. Red: a2"), ("c3", "2. Blue: c3")] {
        browser.click_cell(&tab, cell);
        wait_for_status(&mut browser, &tab, said);
    }
    // The second move added five seconds.
    browser.wait(&tab, &format!("{} === '5:04'", clock("blue")));
    browser.wait(&tab, &format!("{} === '4:59'", clock("red")));
    browser.click(&tab, "#undo");
    browser.wait(&tab, &format!("/^(5:00|4:59)$/.test({})", clock("blue")));
    browser.click(&tab, "#redo");
    // The page returns from the back-forward cache and continues.
    browser.wait(&tab, &format!("{} < '4:59'", clock("red")));
    let left = browser.text(&tab, &clock("red"));
    for name in ["pagehide", "pageshow"] {
        let event = format!("new PageTransitionEvent('{name}', {{ persisted: true }})");
        browser.eval(&tab, &format!("dispatchEvent({event})"));
    }
    browser.wait(&tab, &format!("{} < '{left}'", clock("red")));
    // Simulates that the time is nearly up.
    browser.eval(
        &tab,
        "document.getElementById('clock').dispatchEvent(new Event('change'))",
    );
    browser.eval(
        &tab,
        "addEventListener('pagehide', () => { const clock = JSON.parse(sessionStorage.getItem('clock'));
        clock.left.at(-1).red = 300; sessionStorage.setItem('clock', JSON.stringify(clock)); })",
    );
    browser.reload(&tab);
    wait_for_status(&mut browser, &tab, "Blue has won: Red: out of time");
    assert_eq!(moves(&mut browser, &tab), "a2c3:fb");
    choose(&mut browser, &tab, "clock", "off");
    browser.wait(&tab, "document.getElementById('clock-red').hidden");
    assert_sound(&mut browser, &server);
}

#[test]
fn levels_are_described() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=3", server.url()));
    let words = "document.getElementById('level-words').textContent";
    browser.wait(&tab, &format!("{words}.includes('in 25 of 100 cases')"));
    choose(&mut browser, &tab, "blue", "10");
    browser.wait(
        &tab,
        &format!("{words}.includes('thinks as long as it may')"),
    );
    choose(&mut browser, &tab, "blue", "person");
    browser.wait(&tab, &format!("{words} === ''"));
    let options = "[...document.getElementById('red').options].length";
    assert_eq!(browser.eval(&tab, options), 11);
}

/// The installed app opens without the server, and continues when the server is back.
#[test]
fn the_page_opens_without_its_server() {
    // A shared browser cannot install anything.
    let Some(mut browser) = launch_with(&[]) else {
        return;
    };
    let mut server = Server::start(&[]);
    let port = server.port().to_string();
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    let files = "new Set(performance.getEntriesByType('resource').map(({ name }) => name)
        .filter((name) => !name.includes('/api/'))).size";
    let all = browser.eval(&tab, files).as_u64().unwrap();
    let manifest = "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())
        .then(async ({ icons, start_url, display }) => display === 'standalone' && start_url === './' &&
            (await Promise.all(icons.map(({ src }) => fetch(src)))).every((answer) => answer.ok))";
    assert_eq!(browser.eval(&tab, manifest), true);
    let errors = browser.installability_errors(&tab);
    assert_eq!(errors, serde_json::json!([]), "it can be installed");
    let kept = "caches.open('page').then((kept) => kept.keys()).then((keys) => keys.length)";
    let deadline = Instant::now() + crate::server::PATIENCE;
    while browser.eval(&tab, kept).as_u64().unwrap() < all {
        assert!(
            Instant::now() < deadline,
            "kept: {}",
            browser.eval(&tab, kept)
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    server.signal(Signal::TERM);
    assert!(server.ended().0.success());
    browser.eval(&tab, "window.isOld = true; location.reload()");
    let is_reported = "!window.isOld && document.getElementById('problem')?.textContent.includes('does not answer')";
    browser.wait(&tab, is_reported);
    let mut again = hex()
        .args(["web", "--port", &port])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    browser.wait(&tab, "document.getElementById('problem').hidden");
    browser.reload(&tab);
    wait_for_status(&mut browser, &tab, "3. Red: c4");
    again.kill().unwrap();
    again.wait().unwrap();
}

#[test]
fn shortest_paths_rotate_with_the_board() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let game = "#3,b2;red=person;blue=person;analysis;paths";
    let tab = browser.open(&format!("{}{game}", server.url()));
    // The deviation of each bar's long side from its colour's direction in degrees: Blue's is along
    // a row, Red's across. Also fails if two bars overlap.
    let off = "(() => {
        const middle = (cell) => { const { left, top, width, height } = document.querySelector(`[data-cell=${cell}]`).getBoundingClientRect();
            return [left + width / 2, top + height / 2]; };
        const [from, to] = [middle('a1'), middle('c1')];
        const row = Math.atan2(to[1] - from[1], to[0] - from[0]);
        const bars = [...document.querySelectorAll('.paths rect')];
        const turned = bars.map((bar) => {
            const { a, b, c, d } = bar.getScreenCTM();
            const isLong = bar.width.baseVal.value > bar.height.baseVal.value;
            const way = (isLong ? Math.atan2(b, a) : Math.atan2(d, c)) - row - (bar.classList.contains('red') ? Math.PI / 2 : 0);
            return Math.abs(Math.sin(way)) > 0.02;
        });
        const places = bars.map((bar) => bar.getBoundingClientRect());
        const over = places.some((one, index) => places.slice(index + 1).some((other) =>
            Math.hypot(one.left + one.width / 2 - other.left - other.width / 2, one.top + one.height / 2 - other.top - other.height / 2) < 4));
        return bars.length < 3 || over || turned.includes(true);
    })()";
    for mirrored in [false, true] {
        browser.eval(
            &tab,
            &format!("document.getElementById('mirrored').checked !== {mirrored} && document.getElementById('mirrored').click()"),
        );
        for rotation in 1..=12 {
            choose(&mut browser, &tab, "rotation", &rotation.to_string());
            wait_for_rotation(&mut browser, &tab, rotation);
            assert_eq!(
                browser.eval(&tab, off),
                false,
                "{rotation}, mirrored: {mirrored}"
            );
        }
    }
    assert_sound(&mut browser, &server);
}

/// Taps a cell with a finger.
fn touch(browser: &mut Browser, tab: &Tab, cell: &str) {
    let place = format!(
        "(() => {{ const {{ left, top, width, height }} = document.querySelector('[data-cell={cell}]').getBoundingClientRect();
        return [left + width / 2, top + height / 2]; }})()"
    );
    let place = browser.eval(tab, &place);
    browser.touch(tab, &place);
}

#[test]
fn small_cells_need_two_taps() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#11,a2;red=person;blue=person", server.url()));
    browser.resize(&tab, 360, 640, Screen::Phone);
    // The board stands, because its cells are then larger than those of a flat one, 20 pixels.
    browser.wait(
        &tab,
        "document.querySelector('.board').dataset.rotation === '7'",
    );
    let cell = "(({ width, height }) => Math.min(width, height))(document.querySelector('.cell').getBoundingClientRect())";
    let size = browser.eval(&tab, cell).as_f64().unwrap();
    assert!(size > 22.0, "{size}");
    let said = "document.getElementById('hint-text').textContent";
    let aimed = "document.querySelectorAll('.aim .blue').length";
    touch(&mut browser, &tab, "f6");
    browser.wait(&tab, &format!("{said} === 'Tap f6 again.'"));
    assert_eq!(browser.eval(&tab, aimed), 1);
    // A tap beside the cell does no harm.
    touch(&mut browser, &tab, "f7");
    browser.wait(&tab, &format!("{said} === 'Tap f7 again.'"));
    assert_eq!(browser.eval(&tab, aimed), 1);
    assert_eq!(moves(&mut browser, &tab), "a2");
    touch(&mut browser, &tab, "f7");
    wait_for_status(&mut browser, &tab, "2. Blue: f7");
    assert_eq!(browser.eval(&tab, aimed), 0);
    // Stones stay where they are after two taps.
    for _ in 0..2 {
        touch(&mut browser, &tab, "f7");
    }
    assert_eq!(moves(&mut browser, &tab), "a2f7");
    // A mouse hits small cells; the preference allows a single tap.
    browser.click_cell(&tab, "c3");
    wait_for_status(&mut browser, &tab, "3. Red: c3");
    browser.eval(&tab, "document.getElementById('twice').click()");
    touch(&mut browser, &tab, "d4");
    wait_for_status(&mut browser, &tab, "4. Blue: d4");
    browser.eval(&tab, "document.getElementById('twice').click()");
    // Large cells need one tap.
    let small = format!("{}#3,;red=person;blue=person", server.url());
    browser.goto(&tab, &small);
    touch(&mut browser, &tab, "a2");
    wait_for_status(&mut browser, &tab, "1. Red: a2");
    assert_sound(&mut browser, &server);
}
