//! `hex check`, `hex match` and `hex referee` accept and refuse the answers that the site does, by
//! one table.

use crate::checks::{self, check};
use crate::common::{describe, hex, Place, PATIENT};
use hex_arena::codingame::{AnswerForm, OnSite, ANSWER_FORMS};

/// The three commands read every form in the same way.
#[test]
fn the_commands_agree() {
    std::thread::scope(|scope| {
        for form in &ANSWER_FORMS {
            scope.spawn(|| try_form(form));
        }
    });
}

fn try_form(form: &AnswerForm) {
    let (place, example) = (Place::new(), form.examples[0]);
    let rule = form.rule.replace("{last}", "k11");
    let is_accepted = form.on_site == OnSite::Accepted;
    let assert_rule = |told: &str| assert_eq!(told.contains(&rule), !is_accepted, "{told}");
    // Blue swaps; all other answers are Red's.
    let is_swap = example.contains("swap");
    let bot = place.bot(&format!("--trouble 'say={example}@1'"));
    let (good, seat) = (place.bot(""), usize::from(is_swap));
    let players = if is_swap {
        [&good, &bot]
    } else {
        [&bot, &good]
    };

    let mut referee = hex();
    referee.arg("referee").args(PATIENT);
    referee.args(["--p1", players[0], "--p2", players[1]]);
    let output = referee.output().unwrap();
    assert_rule(&String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let score = told.lines().nth(seat).unwrap();
    assert_eq!(score == "-1", !is_accepted, "{example:?}: {told}");

    place.played("--games 2 --openings own --threads 1", &[&bot, &good]);
    let color = if is_swap { "blue" } else { "red" };
    let games = place.log().1;
    let game = games.iter().find(|game| game[color] == 0).unwrap();
    assert_rule(game["fault"]["detail"].as_str().unwrap_or_default());

    let check = check(&format!("{bot} {}", checks::PATIENT), "--games 0").output();
    let told = describe(&check.unwrap());
    let name = if is_swap {
        "example: Blue, after d5"
    } else {
        "example: Red, turn 1"
    };
    let line = told.lines().find(|line| line.contains(name)).unwrap();
    assert_eq!(line.starts_with('✓'), is_accepted, "{told}");
    // It may be named at an example before.
    assert_rule(&told);
}
