//! The moving picture of README, from the real programs: games that a starter lost are reviewed, the
//! page opens one of them at its mistake, and the better line is played. With `UPDATE=1` the frames
//! are kept in target/demonstration; `docs/demonstration.py` does that and joins them.

use crate::common::{hex, succeed, Place};
use crate::server::Server;
use crate::support::browser::{launch, Browser, Screen, Tab, SHOWN};
use crate::support::page::{assert_sound, wait_for_status};
use crate::support::pictures::{is_update, keep};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Where the frames go, from the project's folder.
const FRAMES: &str = "target/demonstration";

const WIDTH: u32 = 1120;
const HEIGHT: u32 = 680;

/// The review that is shown, and the player's name in it.
const REVIEW: &str = "hex review starters/lost.sgf --player path.py";

/// Takes frames. Their names have a number and how long they are shown, in milliseconds.
struct Film {
    browser: Browser,
    tab: Tab,
    frames: usize,
}

impl Film {
    fn frame(&mut self, milliseconds: u32) {
        let name = format!("{FRAMES}/{:02}-{milliseconds}.png", self.frames);
        keep(&mut self.browser, &self.tab, &name);
        self.frames += 1;
    }

    /// Shows lines as a terminal does.
    fn terminal(&mut self, lines: &str, milliseconds: u32) {
        let style = "margin: 0; padding: 24px; min-height: 100vh; box-sizing: border-box; background: #1b1a18; \
            color: #eee8dc; font: 16px/1.5 monospace; white-space: pre";
        let text = serde_json::to_string(lines).unwrap();
        let script =
            format!("document.body.style = {style:?}; document.body.textContent = {text};");
        self.browser.eval(&self.tab, &script);
        self.frame(milliseconds);
    }

    /// Types a command behind what the terminal shows.
    fn types(&mut self, before: &str, command: &str) {
        let words: Vec<&str> = command.split_inclusive(' ').collect();
        for count in 0..=words.len() {
            self.terminal(&format!("{before}$ {}▌", words[..count].concat()), 220);
        }
    }
}

/// The place with a review in it, its report, and the file of the costliest lost game.
fn reviewed() -> (Place, String, String) {
    let place = Place::new();
    let starters = Path::new(env!("CARGO_MANIFEST_DIR")).join("../starters");
    std::os::unix::fs::symlink(starters, place.path().join("starters")).unwrap();
    let mut review = hex();
    review
        .args(REVIEW.split(' ').skip(1))
        .current_dir(place.path());
    let report = succeed(&mut review);
    let command = report
        .lines()
        .find_map(|line| line.trim().strip_prefix("hex web "));
    let file = command.expect("a game was lost").to_owned();
    (place, report, file)
}

#[test]
fn a_lost_game_is_reviewed_and_opened_at_its_mistake() {
    let Some(mut browser) = launch() else {
        return;
    };
    if is_update() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(FRAMES);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder).unwrap();
    }
    let (place, report, file) = reviewed();
    let tab = browser.open_when("about:blank", "true");
    browser.resize(&tab, WIDTH, HEIGHT, Screen::Desktop);
    browser.set_scheme(&tab, "light");
    let mut film = Film {
        browser,
        tab,
        frames: 0,
    };
    film.types("", REVIEW);
    let told = format!("$ {REVIEW}\n{}\n", report.trim_end());
    film.terminal(&told, 5000);
    film.types(&told, &format!("hex web {file} --open"));

    let server = Server::start(&[place.path().join(&file).to_str().unwrap()]);
    let Film { browser, tab, .. } = &mut film;
    browser.goto(tab, &server.url());
    browser.click(tab, "#tab-analysis");
    browser.wait(tab, "document.querySelector('#mistakes li') !== null");
    film.frame(1500);

    // The report's mistake is in the page's list, with the same better move.
    let line = report
        .lines()
        .find(|line| line.contains("better "))
        .expect("the mistake");
    let ply = line
        .split_once("move ")
        .and_then(|(_, rest)| rest.split_once(' '))
        .expect("its number")
        .0;
    let better = line
        .split_once("better ")
        .and_then(|(_, rest)| rest.split(' ').next())
        .expect("its cure");
    let item = format!("[...document.querySelectorAll('#mistakes li')].find((item) => item.textContent.startsWith('{ply}. '))");
    let Film { browser, tab, .. } = &mut film;
    browser.eval(tab, &format!("{item}.children[0].click()"));
    wait_for_status(browser, tab, &format!("{ply}. "));
    let moves = format!("[...{item}.querySelectorAll('span button')]");
    assert_eq!(
        browser.text(tab, &format!("{moves}[0].textContent")),
        better
    );
    film.frame(3000);

    let Film { browser, tab, .. } = &mut film;
    let count = browser
        .eval(tab, &format!("{moves}.length"))
        .as_u64()
        .unwrap();
    assert!(count > 1, "{count}");
    for index in 0..count {
        let Film { browser, tab, .. } = &mut film;
        browser.eval(tab, &format!("{moves}[{index}].click()"));
        let shown = format!(
            "{SHOWN} && document.getElementById('slider').value === String({ply} + {index})"
        );
        browser.wait(tab, &shown);
        film.frame(if index + 1 == count { 4000 } else { 900 });
    }
    let Film { browser, tab, .. } = &mut film;
    assert_ne!(
        browser.eval(tab, "document.getElementById('bar').hidden"),
        Value::Bool(true)
    );
    assert_sound(browser, &server);
}
