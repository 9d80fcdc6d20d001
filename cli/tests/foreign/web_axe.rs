//! axe-core finds nothing wrong with the page of `hex web`, in any of its views, in a real headless
//! Chromium. Without Chromium or axe-core the test is skipped, or fails with HEX_IF_MISSING=fail.

use crate::support::axe::{assert_finds_something, findings, script};
use crate::support::browser::{Screen, SHOWN};
use crate::support::page::{assert_sound, choose, page};

/// A game with analysis.
const GAME: &str = "#9,a9d4g4e6f5d7;red=person;blue=person;analysis;paths";

#[test]
fn axe_finds_nothing_in_any_view() {
    let Some(script) = script() else {
        return;
    };
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    for (width, height, screen) in [
        (1280, 800, Screen::Desktop),
        (1920, 1080, Screen::Desktop),
        (390, 844, Screen::Phone),
    ] {
        let tab = browser.open_when("about:blank", "true");
        browser.resize(&tab, width, height, screen);
        browser.goto(&tab, &format!("{}{GAME}", server.url()));
        browser.wait(&tab, "!document.getElementById('bar').hidden");
        assert_finds_something(&mut browser, &tab, &script);
        for theme in ["light", "dark", "contrast"] {
            choose(&mut browser, &tab, "theme", theme);
            for opener in [
                "tab-game",
                "tab-analysis",
                "tab-games",
                "settings-open",
                "keys-open",
            ] {
                browser.eval(
                    &tab,
                    &format!("document.getElementById('{opener}').click()"),
                );
                browser.wait(&tab, "document.getAnimations().length === 0");
                let found = findings(&mut browser, &tab, &script);
                assert_eq!(found, Vec::<String>::new(), "{theme}, {width}, {opener}");
                browser.eval(&tab, "document.querySelector('dialog[open]')?.close()");
            }
        }
        // A lesson, and a finished game.
        browser.eval(&tab, "document.getElementById('tour-open').click()");
        browser.wait(&tab, SHOWN);
        let found = findings(&mut browser, &tab, &script);
        assert_eq!(found, Vec::<String>::new(), "{width}, lesson");
        browser.goto(
            &tab,
            &format!("{}#3,a1c1a2c2a3;red=person;blue=1", server.url()),
        );
        let found = findings(&mut browser, &tab, &script);
        assert_eq!(found, Vec::<String>::new(), "{width}, end");
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn the_board_is_a_grid_of_named_cells() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3;red=person;blue=person", server.url()));
    let shape = "[document.querySelectorAll('[role=grid] > [role=row]').length,
        document.querySelectorAll('[role=row] > [role=gridcell]').length].join()";
    assert_eq!(browser.text(&tab, shape), "5,25");
    let name = "document.querySelector('[data-cell=b3]').getAttribute('aria-label')";
    assert_eq!(browser.text(&tab, name), "b3, blue, move 2, last move");
    let listed =
        "document.querySelector('#moves li:nth-child(2) button').getAttribute('aria-label')";
    assert_eq!(browser.text(&tab, listed), "2. Blue b3");
    assert_sound(&mut browser, &server);
}

/// The room on a screen of 1280 × 1024 at 200 % and 400 % zoom.
const ZOOMED: [(u32, u32); 2] = [(640, 512), (320, 256)];

#[test]
fn controls_are_reachable_at_high_zoom() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{GAME}", server.url()));
    for (width, height) in ZOOMED.into_iter().chain([(844, 390)]) {
        browser.resize(&tab, width, height, Screen::Desktop);
        for panel in ["game", "analysis", "games"] {
            browser.click(&tab, &format!("#tab-{panel}"));
            // Every control can be scrolled into view.
            let hidden = "[...document.querySelectorAll('header button, .steps button, .actions button, .tabs button, [role=tabpanel] :is(button, select, textarea), [data-cell=a1], [data-cell=i9]')]
                .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('#candidates, .rows') === null && element.getBoundingClientRect().width > 0)
                .filter((element) => {
                    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
                    const { left, top, right, bottom } = element.getBoundingClientRect();
                    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
                    return !(x >= 0 && x <= innerWidth && y >= 0 && y <= innerHeight);
                }).map((element) => element.id || element.dataset.cell || element.textContent).join()";
            assert_eq!(browser.text(&tab, hidden), "", "{width}×{height}, {panel}");
        }
        let cell = "document.querySelector('.cell').getBoundingClientRect().width";
        let cell = browser.eval(&tab, cell).as_f64().unwrap();
        assert!(cell > 23.5, "{width}×{height}: {cell}");
        let sideways = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(browser.eval(&tab, sideways), true, "{width}×{height}");
    }
    assert_sound(&mut browser, &server);
}
