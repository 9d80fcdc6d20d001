//! Matches that documents name, `match 63` or `M29`: whether each is in the data file, and whether
//! the Elo beside it, as in "154 ± 62 Elo (match 143)" or "match 150: +9", is what it has there.

use super::experiments::{data_file, matches, Match, COLUMNS};
use super::{documents, expect_none, prose, read, root};

/// The digits of a number with or without a sign, `None` if a word is none.
fn number(word: &str) -> Option<i32> {
    let digits = word.trim_start_matches(['+', '−', '±', '(']);
    let digits = digits.trim_end_matches([',', '.', ';', ')']);
    digits.parse().ok()
}

/// The number of a match at the beginning of a word, `63` or `M29`, as in `63)`.
fn match_number(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['(', '[', '+']);
    let end = word.find(|c: char| !c.is_ascii_alphanumeric());
    let name = &word[..end.unwrap_or(word.len())];
    let digits = name.strip_prefix('M').unwrap_or(name);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(name)
}

/// All matches that a text names.
fn named<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        found.extend(match_number(word).filter(|name| name.starts_with('M')));
        let bare = word.trim_start_matches(['(', '[']).to_lowercase();
        if bare != "match" && bare != "matches" {
            continue;
        }
        for word in &words[place + 1..] {
            match match_number(word) {
                Some(name) => found.push(name),
                None if ["and", "to", "or"].contains(word) => {}
                None => break,
            }
            // A number after the end of a clause is another one.
            if word.contains(')') || word.ends_with(['.', ':', ';']) {
                break;
            }
        }
    }
    found
}

/// The Elo in the last clause before `(match`, with its error if there is one.
fn elo_before(words: &[&str]) -> Option<(i32, Option<i32>)> {
    let ends_clause = |word: &&str| word.ends_with(['.', ';', ':', ')', ',']);
    let begin = words.iter().rposition(ends_clause).map_or(0, |at| at + 1);
    let clause = &words[begin..];
    let end = clause.iter().rposition(|word| *word == "Elo");
    match &clause[..end.unwrap_or(clause.len())] {
        [.., elo, "±", error] => Some((number(elo)?, Some(number(error)?))),
        [.., elo] if end.is_some() => Some((number(elo)?, None)),
        _ => None,
    }
}

/// Where the Elo beside a match's number is not that of the match.
fn wrong_elo(words: &[&str], matches: &[Match]) -> Vec<String> {
    let mut found = Vec::new();
    for (place, pair) in words.windows(2).enumerate() {
        let Some(name) = match_number(pair[1]) else {
            continue;
        };
        let told = match pair[0] {
            "(match" if pair[1].contains([')', ',', ';']) || pair[1] == name => {
                elo_before(&words[..place])
            }
            "(match" | "match" if pair[1].ends_with(':') => {
                let elo = words.get(place + 2);
                let elo = elo.filter(|word| word.starts_with(['+', '−']));
                let elo = elo.and_then(|word| number(word));
                elo.map(|elo| (elo, None))
            }
            _ => None,
        };
        let known = matches.iter().find(|each| each.field("number") == name);
        let (Some((elo, error)), Some(known)) = (told, known) else {
            continue;
        };
        let right = known.number("elo").map(i32::abs);
        let width = known.number("high").zip(known.number("low"));
        let width = width.map(|(high, low)| high - low);
        let is_far = |error: i32| width.is_some_and(|width| (width - 2 * error).abs() > 2);
        if right != Some(elo) || error.is_some_and(is_far) {
            found.push(format!("match {name}: {elo} should be {}", known.elo()));
        }
    }
    found
}

/// Matches that a text tells without their error, though 0 is within it: read so, they seem proven.
fn untold_errors(words: &[&str], matches: &[Match]) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in words.split_inclusive(|word| word.ends_with(['.', ':'])) {
        let is_error = |word: &&str| *word == "±" || word.starts_with('[');
        let has_error = sentence.iter().any(is_error);
        let is_elo = |word: &&str| {
            let word = word.trim_start_matches('(');
            word.trim_end_matches(['.', ',']) == "Elo"
                || (word.starts_with(['+', '−']) && number(word).is_some())
        };
        if has_error || !sentence.iter().any(is_elo) {
            continue;
        }
        for name in named(sentence) {
            let known = matches.iter().find(|each| each.field("number") == name);
            let range = known.and_then(|each| each.number("low").zip(each.number("high")));
            if range.is_some_and(|(low, high)| low <= 0 && 0 <= high) {
                let (low, high) = range.unwrap_or_default();
                found.push(format!("match {name}: tell its error, {low} to {high} Elo"));
            }
        }
    }
    found
}

#[test]
fn matches_are_named_as_they_are() {
    let data = data_file();
    let matches = matches(&data).expect("lines of 14 fields");
    let mut wrong = Vec::new();
    for path in documents(root()) {
        if path.components().any(|part| part.as_os_str() == "archive") {
            continue;
        }
        let text = read(&path);
        let lines = prose(&text).into_iter().map(|(_, line)| line);
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with('|')).collect();
        let joined = lines.join(" ");
        let words: Vec<&str> = joined.split_whitespace().collect();
        let is_unknown = |name: &&str| !matches.iter().any(|each| each.field("number") == *name);
        let unknown = named(&words).into_iter().filter(is_unknown);
        let mut faults: Vec<String> = unknown.map(|name| format!("no match {name}")).collect();
        faults.extend(wrong_elo(&words, &matches));
        faults.extend(untold_errors(&words, &matches));
        let place = path.display();
        wrong.extend(faults.iter().map(|fault| format!("{place}: {fault}")));
    }
    expect_none(wrong, "write what docs/experiments/experiments.tsv has");
}

#[test]
fn wrong_matches_are_found() {
    let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
    let text = "a match of 3 games (match 4), 3 matches 5, 6 and 7. 8 [M9](x) 10";
    assert_eq!(named(&words(text)), ["4", "5", "6", "7", "M9"]);
    let line = "1\ta\t2026-11-21\t\tb\tc\t60\t59\t0/1/29\t-154\t-216\t-92\t\td.md";
    let data = format!("{COLUMNS}\n{line}\n");
    let of_match = matches(&data).expect("14 fields");
    for (text, faults) in [
        ("154 ± 62 Elo (match 1)", 0),
        ("−154 Elo (match 1),", 0),
        ("is 154 Elo weaker at 50 ms (match 1)", 0),
        ("5 Elo, but more (match 1)", 0),
        ("(match 1: −154 without", 0),
        ("40 games (match 1)", 0),
        ("match 1: 126 of its games", 0),
        ("155 ± 62 Elo (match 1)", 1),
        ("154 ± 64 (match 1).", 1),
        ("gained 153 Elo (match 1, kept)", 1),
        ("match 1: +9 ± 22", 1),
    ] {
        let found = wrong_elo(&words(text), &of_match);
        assert_eq!(found.len(), faults, "{text}: {found:?}");
    }
    let data = data.replace("-154\t-216\t-92", "5\t-20\t30");
    let of_match = matches(&data).expect("14 fields");
    for (text, faults) in [
        ("gained 5 ± 25 Elo (match 1).", 0),
        ("won (match 1). It gained 9 Elo.", 0),
        ("gained 5 Elo (match 1).", 1),
        ("the matches 1 and 2 gained 5 and 9 Elo.", 1),
        ("(match 1, +5).", 1),
    ] {
        let found = untold_errors(&words(text), &of_match);
        assert_eq!(found.len(), faults, "{text}: {found:?}");
    }
}
