//! `hex lab levels` and `hex lab openings` on small tasks: what they print, and that a measurement
//! goes on where it was.

use crate::common;
use crate::common::ended;
use hex_common::weights_file;
use std::process::Output;

fn hex(args: &[&str]) -> Output {
    common::hex().args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn levels_prints_a_line_for_each_step() {
    let args = [
        "lab",
        "levels",
        "--pairs",
        "1",
        "--to",
        "3",
        "--simulations",
        "16",
    ];
    let output = hex(&args);
    assert!(output.status.success());
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2, "{printed}");
    assert!(lines[0].starts_with("level 2 against level 1: "));
    assert!(lines[1].starts_with("level 3 against level 2: "));
    assert!(lines.iter().all(|line| line.contains(" Elo, 95 % from ")));
    assert_eq!(
        text(&hex(&args).stdout),
        printed,
        "the seed fixes the games"
    );
}

/// A small measurement that keeps its results in this file.
fn measured_into(path: &str) -> Vec<&str> {
    let options = "lab openings --side 3 --games 4 --simulations 8 --threads 1 --out";
    options.split(' ').chain([path]).collect()
}

#[test]
fn openings_measures_each_cell_once_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    let args = measured_into(file.to_str().unwrap());
    let output = hex(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let (chances, errors) = table.split_once("\n\n").unwrap();
    assert_eq!(errors.lines().count(), 3);
    let rows: Vec<Vec<u32>> = chances
        .lines()
        .map(|line| {
            let row = line.trim_start_matches('[').trim_end_matches("],");
            row.split(", ").map(|cell| cell.parse().unwrap()).collect()
        })
        .collect();
    assert_eq!(rows.len(), 3);
    for row in 0..3 {
        for col in 0..3 {
            assert_eq!(
                rows[row][col],
                rows[2 - row][2 - col],
                "half a turn changes nothing"
            );
        }
    }
    assert!(
        rows[1][1] > rows[0][0],
        "the centre is better than a corner: {table}"
    );
    // The conditions and five openings, the other four cells being their mirror images. Take one
    // away, change one: the one is measured again as before, the other believed.
    let kept = std::fs::read_to_string(&file).unwrap();
    let (conditions, lines) = kept.split_once('\n').unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 5);
    let believed = "b1 1 100 0.2500";
    let changed = [conditions, lines[0], believed, lines[2], lines[3], ""].join("\n");
    std::fs::write(&file, changed).unwrap();
    assert_ne!(text(&hex(&args).stdout), table);
    let again = std::fs::read_to_string(&file).unwrap();
    let again: Vec<&str> = again.lines().collect();
    let all = [conditions, lines[0], believed, lines[2], lines[3], lines[4]];
    assert_eq!(again, all);
}

#[test]
fn openings_does_not_mix_what_was_measured_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    let args = measured_into(file.to_str().unwrap());
    assert!(hex(&args).status.success());
    for other in [
        ["--side", "4"],
        ["--games", "5"],
        ["--search", "20"],
        ["--seed", "2"],
    ] {
        let mut changed = args.clone();
        match args.iter().position(|word| *word == other[0]) {
            Some(place) => changed[place + 1] = other[1],
            None => changed.extend(other),
        }
        let words = ["openings.txt, line 1: ", "use another file with --out"];
        ended(&hex(&changed), 2, &words);
    }
    // Another network, and a log of the days when no network was named.
    let kept = std::fs::read_to_string(&file).unwrap();
    let name = weights_file::shipped().name;
    assert!(kept.contains(&format!(", {name}, ")), "{kept}");
    for other in [
        kept.replace(&name, "network w (00000000)"),
        kept.replace(&format!("{name}, "), ""),
    ] {
        std::fs::write(&file, &other).unwrap();
        ended(&hex(&args), 2, &[&name, "use another file with --out"]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
    }
}

#[test]
fn openings_draws_what_it_prints_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let drawing = folder.path().join("openings.svg");
    let path = drawing.to_str().unwrap();
    let small = ["--side", "3", "--games", "4", "--simulations", "8"];
    let printed = |threads| {
        let more = ["--threads", threads, "--svg", path];
        let output = hex(&[&["lab", "openings"], &small[..], &more[..]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let table = printed("1");
    let drawn = std::fs::read_to_string(&drawing).unwrap();
    assert_eq!(printed("3"), table);
    assert_eq!(std::fs::read_to_string(&drawing).unwrap(), drawn);
    let first = table.trim_start_matches('[').split(',').next().unwrap();
    assert!(drawn.contains(&format!(">{first}</text>")), "{drawn}");
    assert_eq!(drawn.matches("class=\"note\"").count(), 9);
}

#[test]
fn openings_refuses_a_file_that_is_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let conditions = format!(
        "side 3, values by 60000 simulations, 40 games each by 200 simulations a move, {}, seed 1",
        weights_file::shipped().name
    );
    for (notes, told) in [
        (
            "a1 1 4 0.4\n".to_string(),
            "line 1: \"a1 1 4 0.4\" is not \"side 3, ",
        ),
        (
            format!("{conditions}\na1 1 4 0.4\nbuy milk\n"),
            "line 3: \"buy milk\" is not CELL WINS GAMES",
        ),
    ] {
        std::fs::write(&file, notes).unwrap();
        let path = file.to_str().unwrap();
        let output = hex(&["lab", "openings", "--side", "3", "--out", path]);
        ended(&output, 2, &[&format!("notes.txt, {told}")]);
    }
}

#[test]
fn openings_keeps_values_on_the_side_of_the_proven_winner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved.txt");
    let file = path.to_str().unwrap();
    let solve = [
        "solve",
        "--openings",
        "--side",
        "3",
        "--threads",
        "1",
        "--out",
        file,
    ];
    assert!(hex(&solve).status.success());
    // The search sees nothing and no games are played, so its values alone would be wrong.
    let args = "lab openings --side 3 --search 1 --games 0 --threads 1 --playouts-only --proven";
    let args: Vec<&str> = args.split(' ').chain([file]).collect();
    let output = hex(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let winners = table.lines().take(3).map(|row| {
        let row = row.trim_start_matches('[').trim_end_matches("],");
        let wins = row.split(", ").map(|cell| cell.parse::<u32>().unwrap());
        wins.map(|wins| if wins > 50 { 'r' } else { 'b' })
            .collect::<String>()
    });
    assert_eq!(
        winners.collect::<Vec<String>>(),
        ["bbr", "rrr", "rbb"],
        "{table}"
    );

    let good = std::fs::read_to_string(&path).unwrap();
    for (bad, line) in [
        (good.replace("side 3", "side 4"), "solved.txt, line 1: "),
        (good.replace("b2 red", "b2 green"), "solved.txt, line 2: "),
        (String::new(), "solved.txt, line 1: "),
    ] {
        std::fs::write(&path, bad).unwrap();
        ended(&hex(&args), 2, &[line]);
    }
}
