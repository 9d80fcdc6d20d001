//! Numbers of the search that documents name, as in "`max_nodes` (65,000)" and "c_puct = 1.2": each
//! is the one that the code has.

use super::{documents, expect_none, read, root};
use hexbot::params::{Params, TUNABLES};
use std::time::Duration;

/// The page that has every number of the search.
const PAGE: &str = "docs/search.md";

/// The tunables' defaults and the constants of `params.rs`, by their names. Times are in
/// milliseconds.
fn numbers() -> Vec<(String, f64)> {
    let mut params = Params::default();
    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    let own = [
        ("max_nodes", params.max_nodes as f64),
        ("margin", milliseconds(params.margin)),
        ("first_margin", milliseconds(params.first_margin)),
    ];
    let mut numbers: Vec<(String, f64)> = own.map(|(name, n)| (name.to_owned(), n)).into();
    for tunable in TUNABLES {
        let value = f64::from(*(tunable.field)(&mut params));
        numbers.push((tunable.name.replace('-', "_"), value));
    }
    let code = read("src/params.rs");
    numbers.extend(code.lines().filter_map(constant));
    numbers
}

/// The name and the number of a line such as `pub const MOST: u32 = 4;`.
fn constant(line: &str) -> Option<(String, f64)> {
    let (name, rest) = line.trim().strip_prefix("pub const ")?.split_once(": ")?;
    let value = rest.split_once("= ")?.1.strip_suffix(';')?;
    let of_time = |unit: &str| {
        let count = value.strip_prefix("Duration::from_")?.strip_prefix(unit)?;
        count.strip_suffix(')')?.parse::<f64>().ok()
    };
    let number = value.replace('_', "").parse().ok();
    let number = number.or_else(|| of_time("millis("));
    let number = number.or_else(|| of_time("micros(").map(|count| count / 1e3));
    Some((name.to_owned(), number?))
}

/// The numbers that a text gives to a name, `name = 1.2` or "`name` (1.2)", as they stand there. A
/// hyphen in the text may be an underscore in the name.
fn told<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let places = text.match_indices(name).filter_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let is_part = before.is_some_and(|c| c.is_alphanumeric() || "_-".contains(c));
        let after = text[at + name.len()..].trim_start_matches('`').trim_start();
        let number = after.strip_prefix("= ").or(after.strip_prefix('('))?;
        let starts = number.starts_with(|c: char| c.is_ascii_digit());
        let end = number.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c)));
        let digits = number[..end.unwrap_or(number.len())].trim_end_matches(['.', ',']);
        let rest = number[digits.len()..].trim_start();
        let share = match rest.starts_with('%') {
            true => &number[..=digits.len() + 1],
            false => digits,
        };
        (starts && !is_part).then_some(share)
    });
    places.collect()
}

/// A number as documents write it, `65,000` or `15 %`.
fn parsed(text: &str) -> f64 {
    let digits = text.trim_end_matches(['%', ' ']).replace(',', "");
    let unit = if text.ends_with('%') { 0.01 } else { 1.0 };
    unit * digits.parse().unwrap_or(f64::NAN)
}

/// Whether two numbers are the same, one of which was rounded to `f32`.
fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs()
}

/// The numbers of a text that are not those of the code.
fn stale(text: &str, numbers: &[(String, f64)]) -> Vec<String> {
    let mut stale = Vec::new();
    for (name, value) in numbers {
        for name in [name.clone(), name.replace('_', "-")] {
            let others = told(text, &name).into_iter();
            let others = others.filter(|told| !is_same(parsed(told), *value));
            stale.extend(others.map(|told| format!("{name} is {}, not {told}", *value as f32)));
            if !name.contains('_') {
                break;
            }
        }
    }
    stale
}

/// The pages as they are today: those on experiments and changes tell what was.
fn pages() -> Vec<(String, String)> {
    let pages = documents(root()).into_iter().filter_map(|path| {
        let name = path.strip_prefix(root()).ok()?.display().to_string();
        let is_past = name.contains("experiments") || name == "CHANGELOG.md";
        (!is_past).then(|| (name, read(path)))
    });
    pages.collect()
}

#[test]
fn numbers_of_the_search_are_those_of_the_code() {
    let numbers = numbers();
    let wrong = pages().into_iter().flat_map(|(name, text)| {
        let stale = stale(&text, &numbers);
        stale.into_iter().map(move |what| format!("{name}: {what}"))
    });
    expect_none(wrong.collect(), "write the number that src/params.rs has");
}

/// So a changed number fails the test above.
#[test]
fn every_number_of_the_search_is_on_its_page() {
    let pages = pages();
    let (_, text) = pages.iter().find(|(name, _)| name == PAGE).expect("it");
    let numbers = numbers();
    assert!(numbers.len() > TUNABLES.len() + 8, "{numbers:?}");
    let changed = |(name, value): &(String, f64)| vec![(name.clone(), 2.0 * value + 1.0)];
    let numbers = numbers.iter();
    let missing = numbers.filter(|number| stale(text, &changed(number)).is_empty());
    let missing = missing.map(|(name, value)| format!("`{name}` ({value})"));
    let cure = format!("write it on {PAGE} in this form");
    expect_none(missing.collect(), &cure);
}

/// The other order would not be found.
#[test]
fn names_stand_before_their_numbers() {
    let mut wrong = Vec::new();
    for (page, text) in pages() {
        for (name, _) in numbers() {
            let behind = format!("(`{name}`)");
            let before = text.match_indices(&behind).map(|(at, _)| &text[..at]);
            let after_number = before.filter(|text| {
                let word = text.trim_end().trim_end_matches(['%', 'm', 's', ' ']);
                word.ends_with(|c: char| c.is_ascii_digit())
            });
            wrong.extend(after_number.map(|_| format!("{page}: {behind}")));
        }
    }
    expect_none(wrong, "write `name` (number)");
}

#[test]
fn changed_numbers_are_found() {
    let numbers = [("c_puct", 1.2), ("SHARE", 0.15), ("MOST", 1e4)];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), number));
    let stale = |text| stale(text, &numbers).len();
    let good = "score = q + c_puct · p      c_puct = 1.2\n`c-puct` (1.2), `SHARE` (15 %), `MOST` (10,000).";
    assert_eq!(stale(good), 0);
    assert_eq!(stale("`c_puct` = 1.3, and `SHARE` (16 %)"), 2);
    assert_eq!(stale("c-puct (1)\nMOST = 1,000."), 2);
    // Settings and other names are none.
    assert_eq!(
        stale("builtin:c-puct=1 my_c_puct = 3 c_puct (see below)"),
        0
    );
    let slow = constant("pub const SLOW: Duration = Duration::from_micros(100);");
    assert_eq!(slow, Some(("SLOW".to_owned(), 0.1)));
    assert_eq!(constant("pub const TUNABLES: [Tunable; 9] = ["), None);
}
