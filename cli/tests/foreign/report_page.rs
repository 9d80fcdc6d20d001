//! The page of a match's report in a real headless Chromium: narrow and wide, light and dark, whole
//! and damaged. Without Chromium the tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::{assert_says, succeed, Place};
use crate::support::browser::{launch, Screen, Tab};
use std::fs;
use std::path::{Path, PathBuf};

/// Everything that a page can do has been done.
const LOADED: &str = "document.readyState === 'complete'";

/// The screen's height in pixels.
const HEIGHT: u32 = 1400;

/// Writes the page of a match between two players with these names, from openings of this kind.
fn report(place: &Place, names: [&str; 2], openings: &str) -> PathBuf {
    let player = |name: &str| {
        let bot = place.bot("--play path");
        format!("[[player]]\nname = \"{name}\"\ncommand = '{bot}'\n")
    };
    let roster = place.path().join("players.toml");
    fs::write(&roster, names.map(player).concat()).unwrap();
    let options = format!("--games 18 --side 3 --openings {openings}");
    succeed(place.hex_match(&options).arg("--players").arg(&roster));
    place.path().join("out/report.html")
}

fn open(tab: &Tab, page: &Path) {
    tab.goto_when(&format!("file://{}", page.display()), LOADED);
}

/// Leaves pictures of the whole page in the folder that the variable SCREENSHOTS names, for people.
fn picture(page: &Tab, name: &str) {
    let Some(folder) = std::env::var_os("SCREENSHOTS") else {
        return;
    };
    let tall = page.eval("document.documentElement.scrollHeight");
    for part in 0..tall.as_u64().unwrap().div_ceil(HEIGHT.into()) {
        page.eval(&format!("window.scrollTo(0, {HEIGHT} * {part})"));
        let path = PathBuf::from(&folder).join(format!("{name}-{part}.base64"));
        fs::write(path, page.screenshot()).unwrap();
    }
}

#[test]
fn a_long_name_does_not_widen_the_page() {
    let page = needs!(launch());
    let place = Place::new();
    let long = "very".repeat(60);
    let names = [format!("{long}-one"), format!("{long}-two")];
    open(
        &page,
        &report(&place, names.each_ref().map(String::as_str), "all"),
    );
    for (width, screen) in [(1280, Screen::Desktop), (390, Screen::Phone)] {
        page.resize(width, HEIGHT, screen);
        for scheme in ["light", "dark"] {
            page.set_scheme(scheme);
            picture(&page, &format!("long-{width}-{scheme}"));
        }
        let wide = page.eval("document.documentElement.scrollWidth");
        assert!(
            wide.as_u64().unwrap() <= u64::from(width),
            "{wide} of {width}"
        );
        let beyond = "$$('section > *').filter((element) =>
            element.getBoundingClientRect().right > innerWidth).map((element) => element.outerHTML.slice(0, 80))";
        assert_eq!(page.eval(beyond), serde_json::json!([]));
        // What stands in tables is cut, not spread over half of the screen.
        let tall = "Math.max(...$$('.times tr, #games tr')
            .map((row) => row.getBoundingClientRect().height))";
        let tall = page.eval(tall).as_f64().unwrap();
        assert!(tall < 120.0, "a row is {tall} high at {width}");
    }
    assert_eq!(page.complaints(), Vec::<String>::new());
}

/// The luminance of a colour that the browser has worked out, from 0 to 1.
fn luminance(page: &Tab, selector: &str) -> f64 {
    // Painted and looked at, because a mixed colour is told in other words than a plain one.
    let pixel = page.eval(&format!(
        "(() => {{ const pen = document.createElement('canvas').getContext('2d');
            pen.fillStyle = getComputedStyle($({selector:?})).fill;
            pen.fillRect(0, 0, 1, 1); return [...pen.getImageData(0, 0, 1, 1).data]; }})()"
    ));
    let channel = |index: usize| {
        let share = pixel[index].as_f64().unwrap() / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
}

#[test]
fn dark_mode_reaches_the_first_moves() {
    let page = needs!(launch());
    let place = Place::new();
    open(&page, &report(&place, ["one", "two"], "all"));
    page.resize(390, HEIGHT, Screen::Phone);
    for (scheme, is_dark) in [("light", false), ("dark", true)] {
        page.set_scheme(scheme);
        picture(&page, &format!("first-moves-{scheme}"));
        for cell in ["a1", "b2", "c3"] {
            let selector = format!(".map [data-cell={cell}]");
            let cell = luminance(&page, &selector);
            assert_eq!(cell < 0.2, is_dark, "{scheme}: {cell}");
            let label = luminance(&page, ".map .label");
            let contrast = (cell.max(label) + 0.05) / (cell.min(label) + 0.05);
            assert!(contrast >= 4.5, "{scheme}: {contrast}");
        }
    }
}

/// Beside a game that was lost by a fault stand links to what was said in it.
#[test]
fn a_fault_links_to_what_was_said() {
    let page = needs!(launch());
    let place = Place::new();
    let long = "w".repeat(40);
    let faulty = place.bot(&format!("--trouble say=zz9@2 ;; name={long}"));
    let arguments = "--games 2 --side 5 --openings random:2";
    place.played(arguments, &[&faulty, &place.bot("")]);
    open(&page, &place.path().join("out/report.html"));
    page.resize(390, HEIGHT, Screen::Phone);
    let links = "$$('#logs a').map((link) => link.getAttribute('href'))";
    let links = page.eval(links);
    let links: Vec<String> = serde_json::from_value(links).unwrap();
    assert_eq!(links.len(), 2, "{links:?}");
    for link in links {
        assert!(place.path().join("out").join(&link).is_file(), "{link}");
    }
    let wide = page.eval("document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 390, "{wide}");
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn a_damaged_page_says_so() {
    let page = needs!(launch());
    let place = Place::new();
    let report = report(&place, ["one", "two"], "random:2");
    let whole = fs::read_to_string(&report).unwrap();
    let data = whole.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = data + whole[data..].find("</script>").unwrap();
    let cut = format!("{}{}", &whole[..end - 40], &whole[end..]);
    let times = whole.replacen("\"times\":[", "\"times\":[7,", 1);
    for damaged in [cut, times] {
        fs::write(&report, damaged).unwrap();
        open(&page, &report);
        let words = page.text("$('#damage').checkVisibility() && $('#damage').textContent");
        assert_says(&words, &["damaged", "--resume"]);
        assert_eq!(page.complaints(), Vec::<String>::new());
    }
}
