//! Playing on the page of `hex web`: keys, rotation of the board, hints, clocks, and the page while
//! its server is away, in a real headless Chromium. Without Chromium the tests are skipped, or fail
//! with HEX_IF_MISSING=fail.

use crate::support::browser::{launch_with, Screen, Tab, SHOWN};
use crate::support::page::{served, visit};
use std::time::{Duration, Instant};

/// A game of two people, after three of four moves.
const GAME: &str = "#5,a2b3c4,d5;red=person;blue=person";

/// Waits for a rotation of the board, by HexWorld's number.
fn wait_for_rotation(page: &Tab, rotation: u32) {
    let lies = format!("$('.board').dataset.rotation === '{rotation}'");
    page.wait(&lies);
}

#[test]
fn shortcuts_work_with_any_focus() {
    let page = needs!(visit(GAME));
    for (key, now) in [
        ("ArrowLeft", "a2b3,c4d5"),
        ("Home", ",a2b3c4d5"),
        ("ArrowRight", "a2,b3c4d5"),
        ("End", "a2b3c4d5"),
        ("u", "a2b3c4,d5"),
        ("r", "a2b3c4d5"),
    ] {
        page.press(key);
        page.wait(SHOWN);
        assert_eq!(page.moves(), now, "{key}");
    }
    // After a click on a cell, too, because the mouse set the focus.
    page.play("e1", "5. Red: e1");
    page.press_then("ArrowLeft", "4. Blue: d5");
    // Not while typing, and not on the slider, which has its own arrow keys.
    page.eval("$('#seconds').focus()");
    page.press("Home");
    page.press("u");
    assert_eq!(page.moves(), "a2b3c4d5,e1");
    page.eval("document.activeElement.blur()");
    let open = "$('#keys').open";
    page.press("?");
    page.wait(open);
    page.press("ArrowLeft");
    page.press("Escape");
    page.wait(&format!("!{open}"));
    assert_eq!(page.moves(), "a2b3c4d5,e1");
    for rotation in [9, 7, 12, 10] {
        page.press("f");
        wait_for_rotation(&page, rotation);
    }
}

#[test]
fn after_a_click_arrows_step_through_moves() {
    let page = needs!(visit(GAME));
    let shown = "$('[role=tab][aria-selected=true]').textContent";
    page.click("#tab-analysis");
    page.press_then("ArrowLeft", "2. Blue: b3");
    assert_eq!(page.text(shown), "Study");
    page.click("#tab-game");
    // After a choice by mouse the field loses the focus.
    page.eval(
        "$('#side').focus();
        $('#side').dispatchEvent(new Event('change', { bubbles: true }))",
    );
    page.press_then("ArrowLeft", "1. Red: a2");
    // Tabs that were reached by keyboard have their own arrow keys.
    page.eval("$('#resign').focus()");
    while page.eval("document.activeElement.id") != "tab-game" {
        page.press("Tab");
    }
    page.press("ArrowRight");
    assert_eq!(page.text(shown), "Study");
    page.wait_for_status("1. Red: a2");
}

#[test]
fn arrows_follow_the_rotation_of_the_board() {
    let page = needs!(visit("#5r12c1,;red=person;blue=person"));
    wait_for_rotation(&page, 12);
    let focus = "document.activeElement.dataset.cell";
    while page.eval(focus).is_null() {
        page.press("Tab");
    }
    // The board stands on its corner with a1 at the top.
    for (key, cell) in [
        ("ArrowUp", "b3"),
        ("ArrowDown", "c3"),
        ("ArrowRight", "d2"),
        ("ArrowLeft", "c3"),
    ] {
        let place = "(() => { const { left, top } = document.activeElement.getBoundingClientRect(); return [left, top]; })()";
        let before = page.eval(place);
        page.press(key);
        assert_eq!(page.text(focus), cell, "{key}");
        let after = page.eval(place);
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
}

#[test]
fn rotation_settings_are_applied_and_stored() {
    let place = "(() => { const { left, top } = $('[data-cell=a1]').getBoundingClientRect();
        const last = $('[data-cell=e5]').getBoundingClientRect(); return [last.left - left, last.top - top]; })()";
    let page = needs!(visit(GAME));
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
        page.goto(&link);
        let towards = page.eval(place);
        for (axis, sign) in [(0, x), (1, y)] {
            let way = towards[axis].as_f64().unwrap();
            let side = if way.abs() < 5.0 {
                0
            } else {
                way.signum() as i32
            };
            assert_eq!(side, sign, "{options}: {towards}");
        }
        let link = page.text("$('#hexworld').href");
        assert_eq!(
            link,
            format!("https://hexworld.org/board/#5{options}c1,a2b3c4")
        );
        // The rotation from the link survives a reload of the tab.
        page.reload();
        assert_eq!(page.eval(place), towards, "{options}");
    }
    // Mirrored: rows and columns are exchanged.
    let up = "$('[data-cell=a5]').getBoundingClientRect().top < $('[data-cell=e1]').getBoundingClientRect().top";
    assert_eq!(page.eval(up), true);
    page.click("#settings-open");
    page.choose("rotation", "10");
    page.choose("theme", "dark");
    for name in ["numbers", "sides", "pattern", "mirrored"] {
        page.eval(&format!("$('#{name}').click()"));
    }
    let checks = "$('.board').dataset.rotation === '10' &&
        !$('.board').hasAttribute('data-mirrored') &&
        $$('.names text').length === 20 &&
        $$('.stones .number').length === 3 &&
        new Set($$('.cell').map((cell) => getComputedStyle(cell).fill)).size === 3 &&
        getComputedStyle(document.body).backgroundColor === 'rgb(24, 23, 21)'";
    page.wait(checks);
    // Other tabs and the next visit have the same settings.
    page.reload();
    page.wait(checks);
    let other = page.open(GAME);
    other.wait(checks);
}

#[test]
fn hints_titles_sounds_and_delay_of_bots() {
    let page = needs!(visit("#5,a2;red=1;blue=person"));
    let hinted = "$('#hint-text').textContent";
    page.click("#hint");
    page.wait(&format!("{hinted} !== ''"));
    let hint = page.text(hinted);
    let cell = hint
        .trim_start_matches("Hint: ")
        .trim_end_matches('.')
        .to_owned();
    assert_eq!(page.moves(), "a2", "a hint plays nothing");
    if cell != "swap" {
        assert_eq!(page.count(".hint circle"), 1);
    }
    assert_eq!(page.text("document.title"), "● Your turn – Hex");
    // Counts the sounds.
    page.eval("const make = BaseAudioContext.prototype.createOscillator;
        window.tones = 0;
        BaseAudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); };",
    );
    // Level 1 answers at once, but its move is delayed.
    let began = Instant::now();
    page.play("c3", "2. Blue: c3");
    assert_eq!(page.text(hinted), "");
    page.wait_for_status("3. Red:");
    assert!(
        began.elapsed() > Duration::from_millis(450),
        "{:?}",
        began.elapsed()
    );
    page.wait("window.tones === 2");
    page.click_at_once("#sound");
    // An undo before the bot's answer cancels it.
    page.click_then("#undo", "1. Red: a2");
    page.play("d4", "is thinking");
    page.click_then("#undo", "1. Red: a2");
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(page.moves(), "a2,d4");
    assert_eq!(page.eval("window.tones"), 2);
    page.click_at_once("#turn");
    page.wait("document.title === 'Hex'");
}

#[test]
fn clocks_run_are_taken_back_and_run_out() {
    let page = needs!(visit("#5,;red=person;blue=person"));
    page.choose("clock", "5+5");
    let clock = |color: &str| format!("$('#clock-{color}').textContent");
    page.wait(&format!("{} === '5:00'", clock("red")));
    for (cell, said) in [("a2", "1. Red: a2"), ("c3", "2. Blue: c3")] {
        page.play(cell, said);
    }
    // The second move added five seconds.
    page.wait(&format!("{} === '5:04'", clock("blue")));
    page.wait(&format!("{} === '4:59'", clock("red")));
    page.click("#undo");
    page.wait(&format!("/^(5:00|4:59)$/.test({})", clock("blue")));
    page.click("#redo");
    // The page returns from the back-forward cache and continues.
    page.wait(&format!("{} < '4:59'", clock("red")));
    let left = page.text(&clock("red"));
    for name in ["pagehide", "pageshow"] {
        let event = format!("new PageTransitionEvent('{name}', {{ persisted: true }})");
        page.eval(&format!("dispatchEvent({event})"));
    }
    page.wait(&format!("{} < '{left}'", clock("red")));
    // Simulates that the time is nearly up.
    page.eval("$('#clock').dispatchEvent(new Event('change'))");
    page.eval("addEventListener('pagehide', () => { const clock = JSON.parse(sessionStorage.getItem('clock'));
        clock.left.at(-1).red = 300; sessionStorage.setItem('clock', JSON.stringify(clock)); })",
    );
    page.reload();
    page.wait_for_status("Blue has won: Red: out of time");
    assert_eq!(page.moves(), "a2c3:fb");
    page.choose("clock", "off");
    page.wait("$('#clock-red').hidden");
}

#[test]
fn levels_are_described() {
    let page = needs!(visit("#5,;red=person;blue=3"));
    let words = "$('#level-words').textContent";
    page.wait(&format!("{words}.includes('in 25 of 100 cases')"));
    page.choose("blue", "10");
    page.wait(&format!("{words}.includes('thinks as long as it may')"));
    page.choose("blue", "person");
    page.wait(&format!("{words} === ''"));
    let options = "[...$('#red').options].length";
    assert_eq!(page.eval(options), 11);
}

/// The installed app opens without the server, and continues when the server is back.
#[test]
fn the_page_opens_without_its_server() {
    // A shared browser cannot install anything.
    let mut page = served(needs!(launch_with(&[])), &[]);
    page.goto(GAME);
    let files = "new Set(performance.getEntriesByType('resource').map(({ name }) => name)
        .filter((name) => !name.includes('/api/'))).size";
    let all = page.eval(files).as_u64().unwrap();
    let manifest = "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())
        .then(async ({ icons, start_url, display }) => display === 'standalone' && start_url === './' &&
            (await Promise.all(icons.map(({ src }) => fetch(src)))).every((answer) => answer.ok))";
    assert_eq!(page.eval(manifest), true);
    let errors = page.installability_errors();
    assert_eq!(errors, serde_json::json!([]), "it can be installed");
    let kept = "caches.open('page').then((kept) => kept.keys()).then((keys) => keys.length)";
    let deadline = Instant::now() + crate::server::PATIENCE;
    while page.eval(kept).as_u64().unwrap() < all {
        assert!(Instant::now() < deadline, "kept: {}", page.eval(kept));
        std::thread::sleep(Duration::from_millis(50));
    }
    page.stop_server();
    page.eval("window.isOld = true; location.reload()");
    let is_reported = "!window.isOld && $('#problem')?.textContent.includes('does not answer')";
    page.wait(is_reported);
    page.start_server();
    page.wait("$('#problem').hidden");
    page.reload();
    page.wait_for_status("3. Red: c4");
}

#[test]
fn shortest_paths_rotate_with_the_board() {
    let game = "#3,b2;red=person;blue=person;analysis;paths";
    let page = needs!(visit(game));
    // The deviation of each bar's long side from its colour's direction in degrees: Blue's is along
    // a row, Red's across. Also fails if two bars overlap.
    let off = "(() => {
        const middle = (cell) => { const { left, top, width, height } = $(`[data-cell=${cell}]`).getBoundingClientRect();
            return [left + width / 2, top + height / 2]; };
        const [from, to] = [middle('a1'), middle('c1')];
        const row = Math.atan2(to[1] - from[1], to[0] - from[0]);
        const bars = $$('.paths rect');
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
        page.eval(&format!(
            "$('#mirrored').checked !== {mirrored} && $('#mirrored').click()"
        ));
        for rotation in 1..=12 {
            page.choose("rotation", &rotation.to_string());
            wait_for_rotation(&page, rotation);
            assert_eq!(page.eval(off), false, "{rotation}, mirrored: {mirrored}");
        }
    }
}

#[test]
fn small_cells_need_two_taps() {
    let page = needs!(visit("#11,a2;red=person;blue=person"));
    page.resize(360, 640, Screen::Phone);
    // The board stands, because its cells are then larger than those of a flat one, 20 pixels.
    page.wait("$('.board').dataset.rotation === '7'");
    let cell =
        "(({ width, height }) => Math.min(width, height))($('.cell').getBoundingClientRect())";
    let size = page.eval(cell).as_f64().unwrap();
    assert!(size > 22.0, "{size}");
    let said = "$('#hint-text').textContent";
    let aimed = "$$('.aim .blue').length";
    page.touch_cell("f6");
    page.wait(&format!("{said} === 'Tap f6 again.'"));
    assert_eq!(page.eval(aimed), 1);
    // A tap beside the cell does no harm.
    page.touch_cell("f7");
    page.wait(&format!("{said} === 'Tap f7 again.'"));
    assert_eq!(page.eval(aimed), 1);
    assert_eq!(page.moves(), "a2");
    page.touch_cell("f7");
    page.wait_for_status("2. Blue: f7");
    assert_eq!(page.eval(aimed), 0);
    // Stones stay where they are after two taps.
    for _ in 0..2 {
        page.touch_cell("f7");
    }
    assert_eq!(page.moves(), "a2f7");
    // A mouse hits small cells; the preference allows a single tap.
    page.play("c3", "3. Red: c3");
    page.click_at_once("#twice");
    page.touch_cell("d4");
    page.wait_for_status("4. Blue: d4");
    page.click_at_once("#twice");
    // Large cells need one tap.
    page.goto("#3,;red=person;blue=person");
    page.touch_cell("a2");
    page.wait_for_status("1. Red: a2");
}
