//! The moving picture of README, from the real programs: a game that a starter lost is reviewed,
//! the page opens it, goes to the mistake, and plays the better line. With `UPDATE=1` the frames
//! are kept in target/demonstration; `docs/demonstration.py` does that and joins them.

use crate::common::{hex, succeed, Place};
use crate::server::Server;
use crate::support::browser::{launch, Screen, Tab, SHOWN};
use crate::support::pictures::{is_update, keep};
use std::fs;
use std::path::Path;

/// Where the frames go, from the project's folder.
const FRAMES: &str = "target/demonstration";

const WIDTH: u32 = 1120;
const HEIGHT: u32 = 680;

/// The review that is shown, and the player's name in it.
const REVIEW: &str = "hex review starters/lost.sgf --player path.py";

/// How many moves of the better line are played.
const BETTER: usize = 4;

/// Takes frames. Their names have a number and how long they are shown, in milliseconds.
struct Film {
    tab: Tab,
    frames: usize,
}

impl Film {
    fn frame(&mut self, milliseconds: u32) {
        let name = format!("{FRAMES}/{:02}-{milliseconds}.png", self.frames);
        // A terminal with few words is small.
        keep(&self.tab, &name, 2_000);
        self.frames += 1;
    }

    /// Shows lines as a terminal does.
    fn terminal(&mut self, lines: &str, milliseconds: u32) {
        let style = "margin: 0; padding: 24px; min-height: 100vh; box-sizing: border-box; background: #1b1a18; \
            color: #eee8dc; font: 18px/1.6 monospace; white-space: pre-wrap";
        let text = serde_json::to_string(lines).unwrap();
        let script =
            format!("document.body.style = {style:?}; document.body.textContent = {text};");
        self.tab.eval(&script);
        self.frame(milliseconds);
    }

    /// Clicks a move in the list by the words for screen readers, such as `36. Blue d10`.
    fn clicks_move(&mut self, words: &str) {
        let button = format!("$('#moves button[aria-label^={words:?}]')");
        self.tab.wait(&format!("{button} !== null"));
        self.tab.eval(&format!("{button}.click()"));
    }

    /// Takes a frame of the page once it shows a move and what it is worth.
    fn shows(&mut self, status: &str, milliseconds: u32) {
        self.tab.wait_for_status(status);
        self.tab.wait(SHOWN);
        self.tab.wait("!$('#bar').hidden");
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
    let tab = needs!(launch());
    if is_update() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(FRAMES);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder).unwrap();
    }
    let (place, report, file) = reviewed();
    tab.resize(WIDTH, HEIGHT, Screen::Desktop);
    tab.set_scheme("light");
    let mut film = Film { tab, frames: 0 };
    film.types("", REVIEW);
    // The tables have no room.
    let (begin, _) = report.split_once("\nwhere win").expect("the tables");
    let told = format!("$ {REVIEW}\n{}\n", begin.trim_end());
    film.terminal(&told, 5000);
    film.types(&told, &format!("hex web {file} --open"));

    // Moves of the report: the mistake, and what was better.
    let line = report.lines().find(|line| line.contains("; better "));
    let words: Vec<&str> = line.expect("a mistake").split(' ').collect();
    let after = |word| words.iter().position(|&other| other == word).unwrap() + 1;
    let (ply, mistake) = (words[after("move")], words[after("move") + 1]);
    let better = &words[after("better")..][..BETTER];

    let server = Server::start(&[place.path().join(&file).to_str().unwrap()]);
    film.tab = film.tab.at(&server.url());
    film.tab.goto("");
    film.tab.click("#tab-analysis");
    film.tab.click("#analysis");
    film.shows("has won", 1500);
    film.clicks_move(&format!("{ply}. Blue {}", mistake.trim_end_matches('?')));
    film.shows(&format!("{ply}. Blue: "), 3000);
    film.clicks_move(&format!("{ply}. Blue {}", better[0]));
    for (index, cell) in better.iter().enumerate() {
        if index > 0 {
            film.tab.click("#forward");
        }
        let is_last = index + 1 == better.len();
        film.shows(&format!(": {cell}"), if is_last { 4000 } else { 1000 });
    }
    let blue_wins = "$('#bar-text').textContent.match(/Blue (\\d+) %/)[1] > 80";
    assert_eq!(film.tab.eval(blue_wins), true);
    film.tab.assert_sound();
}
