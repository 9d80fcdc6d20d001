//! The command line as people see it: help, errors, exit statuses, whole runs. The expected texts
//! are files; `TRYCMD=overwrite cargo test -p hex-cli --test library cli::` writes what comes
//! now.

use crate::common::{assert_says, ended, fed, hex, hex_line, refused, starting, succeed, Place};
use hexbot::cell::Cell;

#[test]
fn commands_print_what_the_files_say() {
    trycmd::TestCases::new()
        .case("tests/data/cli/*.trycmd")
        .case("tests/data/cli/*.toml");
}

fn output_of(args: &[&str]) -> String {
    succeed(hex().args(args))
}

/// The commands that the help of `words` lists, each with the words that lead to it.
fn listed(words: &[&str]) -> Vec<Vec<String>> {
    let help = output_of(&[words, &["--help"]].concat());
    let list = help.split("Options:\n").next().unwrap().lines();
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !["", "help"].contains(name));
    let with_words = |name: &str| {
        let words = words.iter().copied().chain([name]);
        words.map(str::to_owned).collect()
    };
    names.map(with_words).collect()
}

#[test]
fn every_command_has_help_and_a_manual_page_and_is_completed() {
    let [own, of_lab] = [&[][..], &["lab"]].map(listed);
    assert!(own.len() > 14, "{own:?}");
    assert!(of_lab.len() > 5, "{of_lab:?}");
    let place = Place::new();
    place.run("man --out .");
    let [zsh, fish] = ["zsh", "fish"].map(|shell| output_of(&["completions", shell]));
    for words in own.iter().chain(&of_lab) {
        let line: Vec<&str> = words.iter().map(String::as_str).collect();
        let help = output_of(&[&line[..], &["--help"]].concat());
        let usage = format!("Usage: hex {}", line.join(" "));
        assert!(help.contains(&usage), "{help}");
        let page = place.read(format!("hex-{}.1", line.join("-")));
        let usage = format!("hex {}", line.join(" ").replace('-', "\\-"));
        assert!(page.contains(&usage), "{page}");
        let name = line[line.len() - 1];
        assert!(zsh.contains(&format!("({name})\n")), "{name}");
        assert!(fish.contains(&format!("-a \"{name}\"")), "{name}");
    }
    assert!(output_of(&["man"]).contains(".TH hex 1"));
}

/// What bash offers in place of the last of these words.
fn completed_by_bash(words: &str) -> Vec<String> {
    let script = "eval \"$(\"$0\" completions bash)\"
        COMP_WORDS=($1 \"$2\") COMP_CWORD=$(wc -w <<< \"$1\")
        _hex hex \"$2\" \"${COMP_WORDS[COMP_CWORD-1]}\"
        echo \"${COMPREPLY[@]}\"";
    let (before, last) = words.rsplit_once(' ').unwrap();
    let mut bash = starting("bash");
    bash.args(["-c", script, env!("CARGO_BIN_EXE_hex"), before, last]);
    let offered = String::from_utf8(bash.output().unwrap().stdout).unwrap();
    offered.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_their_options() {
    let lab = completed_by_bash("hex lab ");
    for words in listed(&["lab"]) {
        assert!(lab.contains(&words[1]), "{} of {lab:?}", words[1]);
    }
    assert_eq!(completed_by_bash("hex ma"), ["match", "man"]);
    let shards = completed_by_bash("hex lab selfplay --only");
    assert_eq!(shards, ["--only-shards"]);
}

/// Every command stands below a heading, and none is listed twice.
#[test]
fn the_help_has_all_commands_in_groups() {
    let mut names = listed(&[]);
    names.sort();
    let mut commands: Vec<Vec<String>> = crate::options::names();
    commands.sort();
    assert_eq!(names, commands);
    let help = output_of(&["--help"]);
    let usage = help.split("Usage: hex <COMMAND>\n\n").nth(1).unwrap();
    assert!(usage.starts_with("Bot against bot:\n"), "{help}");
    let widest = help.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "a terminal is 80 wide: {help}");
}

#[test]
fn the_commands_of_the_lab_have_no_other_name() {
    for name in ["bench", "blunders", "levels", "elo", "selfplay", "massplay"] {
        refused(hex().arg(name), &[]);
    }
}

/// cg-brutaltester's `-p1` and `-p2` are those of `hex referee` alone.
#[test]
fn words_are_rewritten_for_the_referee_alone() {
    let normalized = |line: &str| {
        let words = line.split(' ').map(std::ffi::OsString::from);
        let words = hex_arena::referee::normalized(words).into_iter();
        let words: Vec<String> = words.map(|word| word.into_string().unwrap()).collect();
        words.join(" ")
    };
    let referee = normalized("hex referee -p1 a -p2 b");
    assert_eq!(referee, "hex referee --p1 a --p2 b");
    let others = [
        "lab bench -p1 a -s",
        "lab referee -p1 a -p2 b",
        "match -p1 a",
    ];
    for line in others.map(|words| format!("hex {words}")) {
        assert_eq!(normalized(&line), line);
    }
}

#[test]
fn analyze_draws_a_file_for_each_path() {
    let place = Place::new();
    let sample = include_str!("../../../contests/tests/data/analyze/sample3.txt");
    place.write("sample", sample);
    place.run("analyze sample --svg boards");
    let expected = ["1-O", "1-X", "2", "3"].map(|name| format!("data-set-{name}.svg"));
    assert_eq!(place.names("boards"), expected);
    let drawn = place.read("boards/data-set-1-X.svg");
    assert_eq!(drawn.matches("class=\"mark blue\"").count(), 6);
    let won = place.read("boards/data-set-2.svg");
    assert_eq!(won.matches("class=\"stone blue\"").count(), 5);
}

#[test]
fn show_numbers_stones_by_their_moves() {
    let link = "https://hexworld.org/board/#5c1,b1:sc3d4";
    let drawn = output_of(&["show", "--svg", "-", "--numbers", link]);
    assert_says(&drawn, &[">2</text>", ">3</text>", ">4</text>"]);
}

#[test]
fn the_bot_answers_a_turn_and_its_knobs_make_it_reproducible() {
    let turn = "11 blue\nd4\n. . . . . . . . . . .\n. . . . . . . . . . .\n. . . . . . . . . . .\n\
                . . . r . . . . . . .\n. . . . . . . . . . .\n. b . . . . . . . . .\n\
                . . . . . r . . . . .\n. . . . . . . . . . .\n. . . . . . . . . . .\n\
                . . . . . . . . . . .\n. . . . . . . . . . .\n";
    let answer = || {
        let mut bot = hex_line("bot --knobs simulations=40,seed=3");
        let output = fed(&mut bot, turn);
        ended(&output, 0, &[]);
        String::from_utf8(output.stdout).unwrap()
    };
    let first = answer();
    assert_eq!(first.lines().count(), 1, "{first:?}");
    let cell: Cell<11> = first.split(' ').next().unwrap().trim().parse().unwrap();
    assert!(!["d4", "b6", "f7"].contains(&cell.to_string().as_str()));
    assert_eq!(answer(), first);
}
