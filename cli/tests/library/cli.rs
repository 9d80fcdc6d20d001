//! The command line as people see it: help, errors, exit statuses, whole runs. The expected texts
//! are files; `TRYCMD=overwrite cargo test -p hex-cli --test library cli::` writes what comes
//! now.

use hexbot::cell::Cell;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn commands_print_what_the_files_say() {
    trycmd::TestCases::new()
        .case("tests/data/cli/*.trycmd")
        .case("tests/data/cli/*.toml");
}

fn output_of(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hex")).args(args).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The words after "Commands:" in the help.
fn subcommands() -> Vec<String> {
    let help = output_of(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_subcommand_has_help_and_a_manual_page_and_is_completed() {
    let names = subcommands();
    assert!(names.len() > 10, "{names:?}");
    let folder = tempfile::tempdir().unwrap();
    let folder_name = folder.path().to_str().unwrap();
    output_of(&["man", "--out", folder_name]);
    let scripts = ["bash", "zsh", "fish"].map(|shell| output_of(&["completions", shell]));
    for name in names {
        assert!(output_of(&[&name, "--help"]).contains("Usage: hex "));
        let page = folder.path().join(format!("hex-{name}.1"));
        assert!(page.exists(), "no manual page for {name}");
        for script in &scripts {
            assert!(script.contains(&name), "{name} is not completed");
        }
    }
    assert!(output_of(&["man"]).contains(".TH hex 1"));
}

#[test]
fn analyze_draws_a_file_for_each_path() {
    let folder = tempfile::tempdir().unwrap();
    let drawings = folder.path().join("boards");
    let input = "tests/data/analyze/sample3.txt";
    output_of(&["analyze", input, "--svg", drawings.to_str().unwrap()]);
    let mut names: Vec<String> = std::fs::read_dir(&drawings)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = [
        "data-set-1-O.svg",
        "data-set-1-X.svg",
        "data-set-2.svg",
        "data-set-3.svg",
    ];
    assert_eq!(names, expected);
    let drawn = std::fs::read_to_string(drawings.join("data-set-1-X.svg")).unwrap();
    assert_eq!(drawn.matches("class=\"mark blue\"").count(), 6);
    let won = std::fs::read_to_string(drawings.join("data-set-2.svg")).unwrap();
    assert_eq!(won.matches("class=\"stone blue\"").count(), 5);
}

#[test]
fn show_numbers_stones_by_their_moves() {
    let link = "https://hexworld.org/board/#5c1,b1:sc3d4";
    let drawn = output_of(&["show", "--svg", "-", "--numbers", link]);
    for number in ["2", "3", "4"] {
        assert!(
            drawn.contains(&format!(">{number}</text>")),
            "{number} in {drawn}"
        );
    }
}

#[test]
fn the_bot_answers_a_turn_and_its_knobs_make_it_reproducible() {
    let turn = "11 blue\nd4\n. . . . . . . . . . .\n. . . . . . . . . . .\n. . . . . . . . . . .\n\
                . . . r . . . . . . .\n. . . . . . . . . . .\n. b . . . . . . . . .\n\
                . . . . . r . . . . .\n. . . . . . . . . . .\n. . . . . . . . . . .\n\
                . . . . . . . . . . .\n. . . . . . . . . . .\n";
    let answer = || {
        let mut bot = Command::new(env!("CARGO_BIN_EXE_hex"))
            .args(["bot", "--knobs", "simulations=40,seed=3"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = bot.stdin.take().unwrap();
        input.write_all(turn.as_bytes()).unwrap();
        drop(input);
        let output = bot.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let first = answer();
    assert_eq!(first.lines().count(), 1, "{first:?}");
    let cell: Cell<11> = first.split(' ').next().unwrap().trim().parse().unwrap();
    assert!(!["d4", "b6", "f7"].contains(&cell.to_string().as_str()));
    assert_eq!(answer(), first);
}
