//! The matches of `docs/experiments/experiments.tsv`: whether a match's figures agree with one
//! another, whether the index is made from them, and whether other tables repeat them correctly.

use super::{expect_none, prose, read, root};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// What writes the index instead of comparing it.
const WRITE: &str = "HEX_EXPERIMENTS=write cargo test --release --test documents experiments";

/// The line of the index below which it is made from the matches.
const MADE: &str = "<!-- The rest is made from experiments.tsv. -->\n";

/// The first line of the data file.
pub const COLUMNS: &str = "number\tseries\tdate\tcommit\tchange\tconditions\tgames\twon\t\
    pairs\telo\tlow\thigh\tverdict\tlog";

/// A line of the data file. A field is empty if it is not known.
pub struct Match<'a> {
    fields: Vec<&'a str>,
}

impl<'a> Match<'a> {
    pub fn field(&self, column: &str) -> &'a str {
        let place = COLUMNS.split('\t').position(|name| name == column);
        self.fields[place.expect("a column")]
    }

    /// A number of the match. `None` if it is not known or none.
    pub fn number(&self, column: &str) -> Option<i32> {
        self.field(column).parse().ok()
    }

    /// Elo as documents show it.
    pub fn elo(&self) -> String {
        let end = |column| self.number(column).map_or("–".to_owned(), signed);
        match (self.number("elo"), self.number("low")) {
            (Some(elo), _) => format!("{} [{}, {}]", signed(elo), end("low"), end("high")),
            (None, Some(low)) => format!("above {}", signed(low)),
            (None, None) => "–".to_owned(),
        }
    }

    /// Games won and lost as documents show them.
    fn score(&self) -> String {
        match (self.number("games"), self.number("won")) {
            (Some(games), Some(won)) => format!("{won} - {}", games - won),
            _ => "–".to_owned(),
        }
    }

    /// What a table of another document shows of this match in a column, if it is one of those that
    /// are compared.
    fn shown(&self, header: &str) -> Option<String> {
        match header {
            "date" => Some(self.field("date").to_owned()),
            "games" => Some(self.field("games").to_owned()),
            "score" => Some(self.score()),
            "Elo" => Some(self.elo()),
            _ => None,
        }
    }

    /// How many games of complete pairs were won and played. `None` if the pairs are not known.
    fn pairs(&self) -> Option<[i32; 2]> {
        let pairs = self.field("pairs").split('/');
        let pairs: Vec<i32> = pairs.flat_map(str::parse).collect();
        let [none, one, both] = pairs[..] else {
            return None;
        };
        Some([one + 2 * both, 2 * (none + one + both)])
    }

    /// What does not agree within the match.
    fn violations(&self) -> Vec<&'static str> {
        let mut found = Vec::new();
        let (games, won) = (self.number("games"), self.number("won"));
        if games.is_none() {
            found.push("no number of games");
        }
        let played = self.pairs();
        if played.is_none() && !self.field("pairs").is_empty() {
            found.push("pairs are not three numbers");
        }
        // A match that was stopped early may have one game without its pair.
        let is_rest = |whole: Option<i32>, paired| {
            whole.is_some_and(|whole| [0, 1].contains(&(whole - paired)))
        };
        if played.is_some_and(|[won_in_pairs, paired]| {
            !is_rest(games, paired) || !is_rest(won, won_in_pairs)
        }) {
            found.push("pairs do not add up to the games and those won");
        }
        let counted = played.or(won.zip(games).map(|(won, games)| [won, games]));
        if let (Some([won, games]), Some(elo)) = (counted, self.number("elo")) {
            if (elo_of(won, games) - f64::from(elo)).abs() > 1.0 {
                found.push("Elo does not follow from the games won");
            }
        }
        let ends = [self.number("low"), self.number("elo"), self.number("high")];
        if !ends.iter().flatten().is_sorted() {
            found.push("Elo lies outside of its interval");
        }
        found
    }
}

/// The difference in strength at which `won` of `games` are expected.
fn elo_of(won: i32, games: i32) -> f64 {
    400.0 * (f64::from(won) / f64::from(games - won)).log10()
}

/// A number with its sign, as documents show it.
fn signed(number: i32) -> String {
    match number {
        0 => "0".to_owned(),
        _ => format!("{number:+}").replace('-', "−"),
    }
}

/// The matches of a data file, or what is wrong with its lines.
pub fn matches(text: &str) -> Result<Vec<Match<'_>>, String> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|(_, line)| line) != Some(COLUMNS) {
        return Err(format!("the first line is not {COLUMNS:?}"));
    }
    let read = |(number, line)| {
        let fields: Vec<_> = str::split(line, '\t').collect();
        match fields.len() {
            14 => Ok(Match { fields }),
            count => Err(format!("line {number} has {count} fields, not 14")),
        }
    };
    lines.map(read).collect()
}

fn experiments() -> PathBuf {
    root().join("docs/experiments")
}

/// The data file.
pub fn data_file() -> String {
    read(experiments().join("experiments.tsv"))
}

/// The tables of all series, in the order of their first matches.
fn index(matches: &[Match], title: impl Fn(&str) -> String) -> String {
    let mut series: Vec<&str> = Vec::new();
    for each in matches {
        if !series.contains(&each.field("series")) {
            series.push(each.field("series"));
        }
    }
    let mut text = String::new();
    for name in series {
        write!(text, "\n### {}\n\n", title(name)).expect("a string takes it");
        text.push_str("|#|date|commit|change|conditions|games|Elo|verdict|\n");
        text.push_str("|---|---|---|---|---|---|---|---|\n");
        for each in matches.iter().filter(|each| each.field("series") == name) {
            let [number, log] = ["number", "log"].map(|column| each.field(column));
            let day = each.field("date").trim_start_matches("2026-");
            let [commit, change, conditions, games, verdict] =
                ["commit", "change", "conditions", "games", "verdict"].map(|name| each.field(name));
            let match_ = format!("[{number}](archive/{log})|{day}|{commit}|{change}|{conditions}");
            let elo = each.elo();
            writeln!(text, "|{match_}|{games}|{elo}|{verdict}|").expect("a string takes it");
        }
    }
    text
}

/// Where rows of tables that begin with the number of a match differ from the match.
fn differences(text: &str, matches: &[Match]) -> Vec<String> {
    let cells = |row: &str| -> Vec<String> {
        let cells = row.trim().trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let mut found = Vec::new();
    let mut header: Vec<String> = Vec::new();
    for (line, row) in prose(text) {
        if !row.starts_with('|') {
            header.clear();
        } else if header.is_empty() {
            header = cells(row);
        } else if header[0] == "#" && !row.starts_with("|---") {
            let row = cells(row);
            let name = row[0].trim_start_matches('[').split(']').next();
            let is_this = |each: &&Match| Some(each.field("number")) == name;
            let Some(known) = matches.iter().find(is_this) else {
                found.push(format!("{line}: there is no match {}", row[0]));
                continue;
            };
            for (header, cell) in header.iter().zip(&row) {
                let shown = known.shown(header).filter(|shown| shown != cell);
                found.extend(shown.map(|shown| format!("{line}: {cell} should be {shown}")));
            }
        }
    }
    found
}

#[test]
fn experiments_agree_with_themselves() {
    let text = data_file();
    let matches = matches(&text).expect("lines of 14 fields");
    let mut violations = Vec::new();
    for (place, each) in matches.iter().enumerate() {
        let number = each.field("number");
        let mut earlier = matches[..place].iter();
        if earlier.any(|other| other.field("number") == number) {
            violations.push(format!("{number}: two matches have this number"));
        }
        let own = each.violations().into_iter();
        violations.extend(own.map(|fault| format!("{number}: {fault}")));
    }
    expect_none(violations, "correct docs/experiments/experiments.tsv");
}

#[test]
fn experiments_are_in_the_index() {
    let folder = experiments();
    let text = data_file();
    let matches = matches(&text).expect("lines of 14 fields");
    let title = |series: &str| {
        let page = read(folder.join(series).with_extension("md"));
        page.lines().next().expect("a title").replace("# ", "")
    };
    let path = folder.join("README.md");
    let readme = read(&path);
    let (before, found) = readme.split_once(MADE).expect("the line above the tables");
    let made = index(&matches, title);
    if std::env::var("HEX_EXPERIMENTS").is_ok_and(|action| action == "write") {
        fs::write(&path, [before, MADE, &made].concat()).expect("the index can be written");
        return;
    }
    let lines = found.lines().zip(made.lines());
    let differ = lines.filter(|(found, made)| found != made);
    let differ = differ.map(|(found, made)| format!("{found}\n  {made}"));
    let mut differ: Vec<String> = differ.collect();
    if differ.is_empty() && found != made {
        differ.push("it has not as many lines as the data file makes".to_owned());
    }
    differ.truncate(3);
    let cure = format!("edit experiments.tsv, not the tables of README.md, and run\n  {WRITE}");
    expect_none(differ, &cure);
}

#[test]
fn experiments_are_repeated_correctly() {
    let text = data_file();
    let matches = matches(&text).expect("lines of 14 fields");
    let mut found = Vec::new();
    for name in ["README.md", "docs/strength.md"] {
        let differences = differences(&read(name), &matches).into_iter();
        found.extend(differences.map(|difference| format!("{name}:{difference}")));
    }
    let cure = "write what docs/experiments/experiments.tsv has of the match";
    expect_none(found, cure);
}

#[test]
fn wrong_experiments_are_found() {
    let file = |line: &str| format!("{COLUMNS}\n{line}\n");
    let faults = |line: &str| matches(&file(line)).expect("14 fields")[0].violations();
    let right = "1\ta\t2026-11-21\t\tb\tc\t60\t59\t0/1/29\t708\t516\t1200\t\td.md";
    assert!(faults(right).is_empty());
    assert_eq!(faults(&right.replace("0/1/29", "1/0/29")).len(), 1);
    assert_eq!(faults(&right.replace("0/1/29", "30")).len(), 1);
    assert_eq!(faults(&right.replace("708", "700")).len(), 1);
    assert_eq!(faults(&right.replace("516", "716")).len(), 1);
    assert!(matches(&file("1\ta")).is_err());

    let text = file(right);
    let matches = matches(&text).expect("14 fields");
    let row = |elo| {
        format!("| # | x | score | Elo |\n|---|---|---|---|\n| [1](y) | z | 59 - 1 | {elo} |")
    };
    assert!(differences(&row("+708 [+516, +1200]"), &matches).is_empty());
    assert_eq!(differences(&row("+709 [+516, +1200]"), &matches).len(), 1);
    assert_eq!(differences("| # |\n|---|\n| 2 |", &matches).len(), 1);
}
