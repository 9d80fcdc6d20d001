//! `hex lab levels` and `hex lab openings` on small tasks: what they print, and that a measurement
//! goes on where it was.

use crate::common::{refused, Place};
use hex_common::weights_file;
use hex_core::record::Side;

#[test]
fn levels_prints_a_line_for_each_step() {
    let place = Place::new();
    let words = "lab levels --pairs 1 --to 3 --simulations 16";
    let printed = place.run(words);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2, "{printed}");
    assert!(lines[0].starts_with("level 2 against level 1: "));
    assert!(lines[1].starts_with("level 3 against level 2: "));
    assert!(lines.iter().all(|line| line.contains(" Elo, 95 % from ")));
    assert_eq!(place.run(words), printed, "the seed fixes the games");
}

/// A small measurement that keeps its results.
const MEASURED: &str =
    "lab openings --side 3 --games 4 --simulations 8 --threads 1 --out openings.txt";

/// The rows of a table, as they stand in the bot's code.
fn rows(table: &str) -> Vec<Vec<u32>> {
    let row = |line: &str| {
        let row = line.trim_start_matches('[').trim_end_matches("],");
        row.split(", ").map(|cell| cell.parse().unwrap()).collect()
    };
    table.lines().map(row).collect()
}

#[test]
fn openings_measures_each_cell_once_and_goes_on_where_it_was() {
    let place = Place::new();
    let table = place.run(MEASURED);
    let (chances, errors) = table.split_once("\n\n").unwrap();
    assert_eq!(errors.lines().count(), 3);
    let rows = rows(chances);
    let cells = rows.concat();
    let turned: Vec<u32> = cells.iter().rev().copied().collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(cells, turned, "half a turn changes nothing");
    assert!(
        rows[1][1] > rows[0][0],
        "the centre is better than a corner: {table}"
    );
    // The conditions and five openings, the other four cells being their mirror images. Take one
    // away, change one: the one is measured again as before, the other believed.
    let kept = place.read("openings.txt");
    let (conditions, lines) = kept.split_once('\n').unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 5);
    let believed = "b1 1 100 0.2500";
    let changed = [conditions, lines[0], believed, lines[2], lines[3], ""].join("\n");
    place.write("openings.txt", changed);
    assert_ne!(place.run(MEASURED), table);
    let again = place.read("openings.txt");
    let again: Vec<&str> = again.lines().collect();
    let all = [conditions, lines[0], believed, lines[2], lines[3], lines[4]];
    assert_eq!(again, all);
}

#[test]
fn openings_does_not_mix_what_was_measured_otherwise() {
    let place = Place::new();
    place.run(MEASURED);
    for (words, other) in [
        ("--side 3", "--side 4"),
        ("--games 4", "--games 5"),
        ("--out", "--search 20 --out"),
        ("--out", "--seed 2 --out"),
    ] {
        let words = place.hex(&MEASURED.replace(words, other));
        refused(
            words,
            &["openings.txt, line 1: ", "use another file with --out"],
        );
    }
    // Another network, and a log of the days when no network was named.
    let kept = place.read("openings.txt");
    let name = weights_file::shipped(Side::of(3)).name;
    assert!(kept.contains(&format!(", {name}, ")), "{kept}");
    for other in [
        kept.replace(&name, "network w (00000000)"),
        kept.replace(&format!("{name}, "), ""),
    ] {
        place.write("openings.txt", &other);
        refused(place.hex(MEASURED), &[&name, "use another file with --out"]);
        assert_eq!(place.read("openings.txt"), other);
    }
}

#[test]
fn openings_draws_what_it_prints_whatever_the_number_of_threads() {
    let place = Place::new();
    let [(table, drawn), again] = ["1", "3"].map(|threads| {
        let small = "lab openings --side 3 --games 4 --simulations 8 --svg openings.svg --threads";
        let table = place.run(&format!("{small} {threads}"));
        (table, place.read("openings.svg"))
    });
    let first = table.trim_start_matches('[').split(',').next().unwrap();
    assert!(drawn.contains(&format!(">{first}</text>")), "{drawn}");
    assert_eq!(drawn.matches("class=\"note\"").count(), 9);
    assert_eq!(again, (table, drawn));
}

#[test]
fn openings_refuses_a_file_that_is_something_else() {
    let place = Place::new();
    let conditions = format!(
        "side 3, values by 60000 simulations, 40 games each by 200 simulations a move, {}, seed 1",
        weights_file::shipped(Side::of(3)).name
    );
    let begun = format!("{conditions}\na1 1 4 0.4\nbuy milk\n");
    for (notes, told) in [
        ("a1 1 4 0.4\n", "line 1: \"a1 1 4 0.4\" is not \"side 3, "),
        (&begun, "line 3: \"buy milk\" is not CELL WINS GAMES"),
    ] {
        place.write("notes.txt", notes);
        let words = place.hex("lab openings --side 3 --out notes.txt");
        refused(words, &[&format!("notes.txt, {told}")]);
    }
}

#[test]
fn openings_keeps_values_on_the_side_of_the_proven_winner() {
    let place = Place::new();
    place.run("solve --openings --side 3 --threads 1 --out solved.txt");
    // The search sees nothing and no games are played, so its values alone would be wrong.
    let words = "lab openings --side 3 --search 1 --games 0 --threads 1 --playouts-only --proven \
                 solved.txt";
    let table = place.run(words);
    let (chances, _) = table.split_once("\n\n").unwrap();
    let winner = |wins: &u32| if *wins > 50 { 'r' } else { 'b' };
    let winners = rows(chances)
        .concat()
        .iter()
        .map(winner)
        .collect::<String>();
    assert_eq!(winners, "bbrrrrrbb", "{table}");

    let good = place.read("solved.txt");
    for (bad, line) in [
        (good.replace("side 3", "side 4"), "solved.txt, line 1: "),
        (good.replace("b2 red", "b2 green"), "solved.txt, line 2: "),
        (String::new(), "solved.txt, line 1: "),
    ] {
        place.write("solved.txt", bad);
        refused(place.hex(words), &[line]);
    }
}
