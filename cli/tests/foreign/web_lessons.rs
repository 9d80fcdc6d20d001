//! A first visit to the page of `hex web`: the goal, lessons on the board, and the first games, in
//! a real headless Chromium. Without Chromium the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::support::browser::{Browser, Screen, Tab, SHOWN};
use crate::support::page::{assert_sound, moves, page, wait_for_status};
use hex_core::record::hexworld;
use hex_core::solver::{Solver, SolverQuestion};

/// The positions of the lessons with their answers, from the page's source.
fn lessons() -> Vec<(&'static str, &'static str)> {
    let source = include_str!("../../../web/src/page/lessons.js");
    let quoted = |line: &'static str, name: &str| {
        let (_, rest) = line.split_once(name)?;
        rest.split('"').nth(1)
    };
    let lines = source.lines();
    lines
        .filter_map(|line| Some((quoted(line, "game:")?, quoted(line, "answers:")?)))
        .collect()
}

#[test]
fn lesson_answers_are_all_winning_moves() {
    let lessons = lessons();
    assert_eq!(lessons.len(), 6);
    for (text, answers) in lessons {
        let game = hexworld::parse(text).unwrap();
        let mut solver = Solver::new(game.position(), u64::MAX).unwrap();
        let found = solver.appraise(game.position(), SolverQuestion::AllMoves);
        if answers == ":s" {
            // The first stone wins, so Blue swaps.
            assert_eq!(found.winner, Some(game.to_move().opponent()), "{text}");
            assert!(game.may_swap());
        } else {
            let winning: Vec<String> = found.winning.iter().map(ToString::to_string).collect();
            assert_eq!(winning.concat(), answers, "{text}");
        }
    }
}

/// The text of the lesson.
const SAID: &str = "document.getElementById('lesson-text').textContent";

#[test]
fn lessons_are_played_on_the_board() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3;red=person;blue=person", server.url()));
    browser.click(&tab, "#tour-open");
    browser.wait(
        &tab,
        &format!("{SHOWN} && {SAID}.includes('above and below')"),
    );
    browser.click_cell(&tab, "a1");
    browser.wait(&tab, &format!("{SAID}.startsWith('Not a1.')"));
    assert!(
        moves(&mut browser, &tab).is_empty(),
        "a wrong move is not played"
    );
    for (_, answers) in lessons() {
        if answers == ":s" {
            browser.click(&tab, "#swap");
        } else {
            browser.click_cell(&tab, &answers[..2]);
        }
        let is_right = "document.getElementById('lesson-next').classList.contains('main')";
        browser.wait(&tab, &format!("{SHOWN} && {is_right}"));
        browser.click(&tab, "#lesson-next");
        browser.wait(
            &tab,
            &format!("{SHOWN} && !({is_right} && !document.getElementById('lesson').hidden)"),
        );
    }
    // The previous game comes back.
    browser.wait(&tab, "document.getElementById('lesson').hidden");
    wait_for_status(&mut browser, &tab, "2. Blue: b3");
    assert_eq!(moves(&mut browser, &tab), "a2b3");
    assert_sound(&mut browser, &server);
}

/// Where the two red edges are, from the drawing.
const RED_EDGES: &str = "(() => {
    const [a, b] = [...document.querySelectorAll('.edge.red')].map((edge) => edge.getBoundingClientRect());
    const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
    const [dx, dy] = [middle(b)[0] - middle(a)[0], middle(b)[1] - middle(a)[1]].map(Math.abs);
    return dx > dy ? 'left and right' : 'above and below';
})()";

#[test]
fn first_visit_shows_a_small_board_and_the_goal() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    for (width, height, screen, sides) in [
        (1280, 800, Screen::Desktop, "above and below"),
        (390, 844, Screen::Phone, "left and right"),
    ] {
        let tab = browser.open_when("about:blank", "true");
        browser.resize(&tab, width, height, screen);
        browser.goto(&tab, &server.url());
        wait_for_status(
            &mut browser,
            &tab,
            &format!("You are Red: join the red edges, {sides}"),
        );
        assert_eq!(browser.text(&tab, RED_EDGES), sides);
        assert!(browser
            .text(&tab, "location.hash")
            .starts_with("#7,;red=person;blue=1;"));
        let is_lit = "document.querySelector('.board').classList.contains('highlight-red')";
        assert_eq!(browser.eval(&tab, is_lit), true);
    }
    assert_sound(&mut browser, &server);
}

#[test]
fn second_tap_is_requested_near_the_finger() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.resize(&tab, 390, 844, Screen::Phone);
    browser.goto(
        &tab,
        &format!("{}#11,;red=person;blue=person", server.url()),
    );
    for cell in ["a1", "f6", "k11"] {
        let middle = format!("(() => {{ const {{ left, top, width, height }} = document.querySelector('[data-cell={cell}]').getBoundingClientRect();
            return [left + width / 2, top + height / 2]; }})()");
        let place = browser.eval(&tab, &middle);
        browser.touch(&tab, &place);
        let request = "document.querySelector('.aim text')";
        browser.wait(&tab, &format!("{request}?.textContent === 'tap again'"));
        let distance = format!("(() => {{ const {{ left, top, width, height, right }} = {request}.getBoundingClientRect();
            return left >= 0 && right <= innerWidth && Math.abs(top + height / 2 - {}) < 100; }})()", place[1]);
        assert_eq!(browser.eval(&tab, &distance), true, "{cell}");
    }
    assert_eq!(moves(&mut browser, &tab), "");
    assert_sound(&mut browser, &server);
}

/// A game on 7×7 in which Red joins its edges by d1.
const NEARLY: &str = "#7,d7a1d6a2d5b1d4b2d3c1d2c2;red=person;blue=1;paused";

#[test]
fn a_win_leads_to_the_next_step() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{NEARLY}", server.url()));
    let is_shown = |id: &str| format!("!document.getElementById('{id}').hidden");
    assert_eq!(browser.eval(&tab, &is_shown("again")), false);
    browser.click_cell(&tab, "d1");
    wait_for_status(
        &mut browser,
        &tab,
        "You (Red) have won: the edges are joined",
    );
    for id in ["again", "my-mistakes", "next-step"] {
        browser.wait(&tab, &is_shown(id));
    }
    browser.click(&tab, "#next-step");
    browser.wait(&tab, "location.hash.startsWith('#7,')");
    browser.wait(&tab, "location.hash.includes(';red=2;blue=person')");
    // The next visit continues with that step.
    let other = browser.open(&server.url());
    browser.wait(&other, "location.hash.includes(';red=2;blue=person')");
    // The user has chosen another game and so left the path.
    browser.click(&other, "#setup button");
    let third = browser.open(&server.url());
    browser.wait(&third, "location.hash.startsWith('#11,')");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_finished_game_offers_review_and_rematch() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}{NEARLY}", server.url()));
    browser.click_cell(&tab, "d1");
    wait_for_status(&mut browser, &tab, "have won");
    browser.click(&tab, "#my-mistakes");
    let selected = "document.getElementById('tab-analysis').getAttribute('aria-selected')";
    assert_eq!(browser.text(&tab, selected), "true");
    browser.wait(&tab, "document.querySelectorAll('#mistakes li').length > 0");
    browser.click(&tab, "#again");
    browser.wait(&tab, "location.hash.startsWith('#7,;red=person;blue=1')");
    assert_sound(&mut browser, &server);
}

#[test]
fn a_loss_offers_a_rematch_first() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let lost = "#7,a1d1a2d2a3d3a4d4a5d5a6d6:rb;red=person;blue=1";
    let tab = browser.open(&format!("{}{lost}", server.url()));
    let offers = "['again', 'next-step'].map((id) => document.getElementById(id)).map(({ hidden, className }) =>
        hidden ? 'hidden' : className).join()";
    browser.wait(&tab, &format!("{offers} === 'offer main,offer'"));
    // After a loss the user may skip the step.
    browser.click(&tab, "#next-step");
    browser.wait(&tab, "location.hash.includes(';red=2;blue=person')");
    assert_sound(&mut browser, &server);
}

#[test]
fn lessons_hide_game_buttons() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,a2b3;red=person;blue=1", server.url()));
    let shown = "['bot-moves', 'pause', 'resign', 'bring-back'].filter((id) => !document.getElementById(id).hidden).join()";
    browser.wait(&tab, &format!("{shown} === 'bot-moves,pause,resign'"));
    browser.click(&tab, "#tour-open");
    browser.wait(&tab, &format!("{shown} === ''"));
    browser.click(&tab, "#lesson-end");
    browser.wait(
        &tab,
        &format!("{shown}.startsWith('bot-moves,pause,resign')"),
    );
    assert_sound(&mut browser, &server);
}

fn status(browser: &mut Browser, tab: &Tab) -> String {
    browser.text(tab, "document.getElementById('status').textContent")
}

#[test]
fn the_swap_is_explained_to_both_players() {
    let Some((server, mut browser)) = page(&[]) else {
        return;
    };
    let tab = browser.open(&format!("{}#7,d4:s;red=person;blue=2;paused", server.url()));
    let said = status(&mut browser, &tab);
    assert!(
        said.contains("Blue took over your stone: it was too good."),
        "{said}"
    );
    browser.goto(&tab, &format!("{}#7,d4;red=2;blue=person", server.url()));
    let said = status(&mut browser, &tab);
    assert!(
        said == "You are Blue: join left and right. Too good a stone? Swap: it becomes yours.",
        "{said}"
    );
    assert_sound(&mut browser, &server);
}
