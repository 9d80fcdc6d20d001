//! axe-core finds nothing wrong with the page of `hex web`, in any of its views, in a real headless
//! Chromium. Without Chromium or axe-core the test is skipped, or fails with HEX_IF_MISSING=fail.

use crate::support::axe::{assert_finds_something, findings, script};
use crate::support::browser::{Screen, SHOWN};
use crate::support::page::{blank, visit};

/// A game with analysis.
const GAME: &str = "#9,a9d4g4e6f5d7;red=person;blue=person;analysis;paths";

#[test]
fn axe_finds_nothing_in_any_view() {
    let script = needs!(script());
    let first = needs!(blank(&[]));
    for (width, height, screen) in [
        (1280, 800, Screen::Desktop),
        (1920, 1080, Screen::Desktop),
        (390, 844, Screen::Phone),
    ] {
        let page = first.open_blank();
        page.resize(width, height, screen);
        page.goto(GAME);
        page.wait("!$('#bar').hidden");
        assert_finds_something(&page, &script);
        for theme in ["light", "dark", "contrast"] {
            page.choose("theme", theme);
            for opener in [
                "tab-game",
                "tab-analysis",
                "tab-games",
                "settings-open",
                "keys-open",
            ] {
                page.eval(&format!("$('#{opener}').click()"));
                page.wait("document.getAnimations().length === 0");
                let found = findings(&page, &script);
                assert_eq!(found, Vec::<String>::new(), "{theme}, {width}, {opener}");
                page.eval("$('dialog[open]')?.close()");
            }
        }
        // A lesson, and a finished game.
        page.click_at_once("#tour-open");
        page.wait(SHOWN);
        let found = findings(&page, &script);
        assert_eq!(found, Vec::<String>::new(), "{width}, lesson");
        page.goto("#3,a1c1a2c2a3;red=person;blue=1");
        let found = findings(&page, &script);
        assert_eq!(found, Vec::<String>::new(), "{width}, end");
    }
}

#[test]
fn the_board_is_a_grid_of_named_cells() {
    let page = needs!(visit("#5,a2b3;red=person;blue=person"));
    let shape = "[$$('[role=grid] > [role=row]').length,
        $$('[role=row] > [role=gridcell]').length].join()";
    assert_eq!(page.text(shape), "5,25");
    let name = "$('[data-cell=b3]').getAttribute('aria-label')";
    assert_eq!(page.text(name), "b3, blue, move 2, last move");
    let listed = "$('#moves li:nth-child(2) button').getAttribute('aria-label')";
    assert_eq!(page.text(listed), "2. Blue b3");
}

/// The room on a screen of 1280 × 1024 at 200 % and 400 % zoom.
const ZOOMED: [(u32, u32); 2] = [(640, 512), (320, 256)];

#[test]
fn controls_are_reachable_at_high_zoom() {
    let page = needs!(visit(GAME));
    for (width, height) in ZOOMED.into_iter().chain([(844, 390)]) {
        page.resize(width, height, Screen::Desktop);
        for panel in ["game", "analysis", "games"] {
            page.click(&format!("#tab-{panel}"));
            // Every control can be scrolled into view.
            let hidden = "$$('header button, .steps button, .actions button, .tabs button, [role=tabpanel] :is(button, select, textarea), [data-cell=a1], [data-cell=i9]')
                .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('#candidates, .rows') === null && element.getBoundingClientRect().width > 0)
                .filter((element) => {
                    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
                    const { left, top, right, bottom } = element.getBoundingClientRect();
                    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
                    return !(x >= 0 && x <= innerWidth && y >= 0 && y <= innerHeight);
                }).map((element) => element.id || element.dataset.cell || element.textContent).join()";
            assert_eq!(page.text(hidden), "", "{width}×{height}, {panel}");
        }
        let cell = "$('.cell').getBoundingClientRect().width";
        let cell = page.eval(cell).as_f64().unwrap();
        assert!(cell > 23.5, "{width}×{height}: {cell}");
        let sideways = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(page.eval(sideways), true, "{width}×{height}");
    }
}
