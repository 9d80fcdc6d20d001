//! A first visit to the page of `hex web`: the goal, lessons on the board, and the first games, in
//! a real headless Chromium. Without Chromium the tests are skipped, or fail with
//! HEX_IF_MISSING=fail.

use crate::support::browser::{Screen, Tab, SHOWN};
use crate::support::page::{blank, visit};
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
    let page = needs!(visit("#5,a2b3;red=person;blue=person"));
    page.click("#tour-open");
    page.wait(&format!("{SHOWN} && {SAID}.includes('above and below')"));
    page.click_cell("a1");
    page.wait(&format!("{SAID}.startsWith('Not a1.')"));
    assert!(page.moves().is_empty(), "a wrong move is not played");
    for (_, answers) in lessons() {
        if answers == ":s" {
            page.click("#swap");
        } else {
            page.click_cell(&answers[..2]);
        }
        let is_right = "document.getElementById('lesson-next').classList.contains('main')";
        page.wait(&format!("{SHOWN} && {is_right}"));
        page.click("#lesson-next");
        page.wait(&format!(
            "{SHOWN} && !({is_right} && !document.getElementById('lesson').hidden)"
        ));
    }
    // The previous game comes back.
    page.wait("document.getElementById('lesson').hidden");
    page.wait_for_status("2. Blue: b3");
    assert_eq!(page.moves(), "a2b3");
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
    let first = needs!(blank(&[]));
    for (width, height, screen, sides) in [
        (1280, 800, Screen::Desktop, "above and below"),
        (390, 844, Screen::Phone, "left and right"),
    ] {
        let page = first.open_blank();
        page.resize(width, height, screen);
        page.goto("");
        page.wait_for_status(&format!("You are Red: join the red edges, {sides}"));
        assert_eq!(page.text(RED_EDGES), sides);
        assert!(page
            .text("location.hash")
            .starts_with("#7,;red=person;blue=1;"));
        let is_lit = "document.querySelector('.board').classList.contains('highlight-red')";
        assert_eq!(page.eval(is_lit), true);
    }
}

#[test]
fn second_tap_is_requested_near_the_finger() {
    let page = needs!(blank(&[]));
    page.resize(390, 844, Screen::Phone);
    page.goto("#11,;red=person;blue=person");
    for cell in ["a1", "f6", "k11"] {
        let place = page.touch_cell(cell);
        let request = "document.querySelector('.aim text')";
        page.wait(&format!("{request}?.textContent === 'tap again'"));
        let distance = format!("(() => {{ const {{ left, top, width, height, right }} = {request}.getBoundingClientRect();
            return left >= 0 && right <= innerWidth && Math.abs(top + height / 2 - {}) < 100; }})()", place[1]);
        assert_eq!(page.eval(&distance), true, "{cell}");
    }
    assert_eq!(page.moves(), "");
}

/// A game on 7×7 in which Red joins its edges by d1.
const NEARLY: &str = "#7,d7a1d6a2d5b1d4b2d3c1d2c2;red=person;blue=1;paused";

#[test]
fn a_win_leads_to_the_next_step() {
    let page = needs!(visit(NEARLY));
    let is_shown = |id: &str| format!("!document.getElementById('{id}').hidden");
    assert_eq!(page.eval(&is_shown("again")), false);
    page.play("d1", "You (Red) have won: the edges are joined");
    for id in ["again", "my-mistakes", "next-step"] {
        page.wait(&is_shown(id));
    }
    page.click("#next-step");
    page.wait_for_address("#7,");
    page.wait("location.hash.includes(';red=2;blue=person')");
    // The next visit continues with that step.
    let other = page.open("");
    other.wait("location.hash.includes(';red=2;blue=person')");
    // The user has chosen another game and so left the path.
    other.click("#setup button");
    let third = page.open("");
    third.wait_for_address("#11,");
}

#[test]
fn a_finished_game_offers_review_and_rematch() {
    let page = needs!(visit(NEARLY));
    page.play("d1", "have won");
    page.click("#my-mistakes");
    let selected = "document.getElementById('tab-analysis').getAttribute('aria-selected')";
    assert_eq!(page.text(selected), "true");
    page.wait("document.querySelectorAll('#mistakes li').length > 0");
    page.click("#again");
    page.wait_for_address("#7,;red=person;blue=1");
}

#[test]
fn a_loss_offers_a_rematch_first() {
    let lost = "#7,a1d1a2d2a3d3a4d4a5d5a6d6:rb;red=person;blue=1";
    let page = needs!(visit(lost));
    let offers = "['again', 'next-step'].map((id) => document.getElementById(id)).map(({ hidden, className }) =>
        hidden ? 'hidden' : className).join()";
    page.wait(&format!("{offers} === 'offer main,offer'"));
    // After a loss the user may skip the step.
    page.click("#next-step");
    page.wait("location.hash.includes(';red=2;blue=person')");
}

#[test]
fn lessons_hide_game_buttons() {
    let page = needs!(visit("#5,a2b3;red=person;blue=1"));
    let shown = "['bot-moves', 'pause', 'resign', 'bring-back'].filter((id) => !document.getElementById(id).hidden).join()";
    page.wait(&format!("{shown} === 'bot-moves,pause,resign'"));
    page.click("#tour-open");
    page.wait(&format!("{shown} === ''"));
    page.click("#lesson-end");
    page.wait(&format!("{shown}.startsWith('bot-moves,pause,resign')"));
}

fn status(page: &Tab) -> String {
    page.text("document.getElementById('status').textContent")
}

#[test]
fn the_swap_is_explained_to_both_players() {
    let page = needs!(visit("#7,d4:s;red=person;blue=2;paused"));
    let said = status(&page);
    assert!(
        said.contains("Blue took over your stone: it was too good."),
        "{said}"
    );
    page.goto("#7,d4;red=2;blue=person");
    let said = status(&page);
    assert!(
        said == "You are Blue: join left and right. Too good a stone? Swap: it becomes yours.",
        "{said}"
    );
}
