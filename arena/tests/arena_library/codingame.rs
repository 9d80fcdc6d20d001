//! The table of the answers that the site accepts and refuses.

use hex_arena::codingame::{parse_answer, OnSite, ANSWER_FORMS};
use hex_core::record::Side;

/// Every example has the form that it stands for.
#[test]
fn every_example_is_accepted_or_refused() {
    for form in &ANSWER_FORMS {
        for example in form.examples {
            let parsed = parse_answer(example, Side::CODINGAME);
            let rule = form.rule.replace("{last}", "k11");
            let on_site = match &parsed {
                Ok(_) => OnSite::Accepted,
                Err(fault) if !fault.detail.contains(&rule) => panic!("{example:?}: {fault}"),
                Err(fault) if fault.detail.contains("nobody has told") => OnSite::Unknown,
                Err(_) => OnSite::Refused,
            };
            assert_eq!(on_site, form.on_site, "{example:?}: {parsed:?}");
        }
    }
}

/// The table in docs/protocols.md is this one.
#[test]
fn the_documented_table_is_this_one() {
    let document = include_str!("../../../docs/protocols.md");
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with("| the bot writes |"));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    let wanted = ANSWER_FORMS.iter().map(|form| {
        let examples = form.examples.iter().map(|example| {
            let shown = example.replace('\r', "\\r").replace('\t', "\\t");
            match shown.trim() {
                "" => "nothing".to_owned(),
                _ => format!("`{}`", shown.replace(' ', "␣")),
            }
        });
        let mut examples: Vec<String> = examples.collect();
        examples.dedup();
        let on_site = match form.on_site {
            OnSite::Accepted => "accepted",
            OnSite::Refused => "refused",
            OnSite::Unknown => "not known: refused here",
        };
        let rule = form.rule.replace("{last}", "k11");
        format!("| {} | {on_site} | {rule} |", examples.join(", "))
    });
    let wanted: Vec<String> = wanted.collect();
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows, wanted, "the table should be\n{}", wanted.join("\n"));
}
