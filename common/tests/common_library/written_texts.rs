//! What is written for other programs contains only characters that XML allows, whatever the user's
//! texts contain; and errors contain no value in the form that Rust prints for programmers.

use hex_common::report_page::page;
use hex_core::draw::Drawing;
use hex_core::record::{parse_game_with, Side};
use hex_core::service::orders::{Accepted, ThreadLimit};
use hex_core::service::questions::QuestionKind;
use proptest::prelude::*;
use regex::Regex;
use serde_json::{json, Value};
use std::sync::LazyLock;

/// The characters of XML 1.0, by its production 2.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// The answer to a question of the page.
fn answer(kind: QuestionKind, question: &Value) -> Result<String, String> {
    match kind.answer(question.to_string().into_bytes()) {
        Ok((_, text)) => Ok(text),
        Err(problem) => Err(problem.message().to_owned()),
    }
}

/// Everything that writes a user's text: its name, and what it writes of this text.
fn writers(text: &str) -> Vec<(&'static str, String)> {
    let board = Side::of(3).board();
    let cell = Side::of(3).parse_cell("b2").unwrap();
    let drawing = || Drawing::new(&board);
    let saved = json!({
        "game": "3,a1",
        "players": [text, text],
        "nodes": [{ "comment": text }, { "parent": 0, "move": "a1", "labels": { "c3": text } }],
    });
    let drawn = json!({ "game": "3,a1", "labels": { "c3": text } });
    vec![
        ("label", drawing().label(cell, text).svg()),
        ("note", drawing().note(cell, text).svg()),
        ("letter", drawing().letter(cell, text).svg()),
        ("page's SVG", answer(QuestionKind::SaveSvg, &drawn).unwrap()),
        ("page's SGF", answer(QuestionKind::SaveSgf, &saved).unwrap()),
        ("report", page(text, text, "", &Default::default())),
    ]
}

#[test]
fn no_writer_writes_a_character_that_xml_forbids() {
    let all = (0..0x300).chain([0xd7ff, 0xe000, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x10ffff]);
    for c in all.filter_map(char::from_u32) {
        for (writer, written) in writers(&format!("x{c}y]]>")) {
            let bad = written.chars().find(|&c| !is_xml(c));
            assert_eq!(bad, None, "{writer} of {c:?}");
            let is_ended = written.contains("]]>") && !writer.ends_with("SGF");
            assert!(!is_ended, "{writer}: {written}");
            // What may be written is.
            let is_lost = is_xml(c) && c.is_alphanumeric() && !written.contains(&format!("x{c}y"));
            assert!(!is_lost, "{writer} of {c:?}");
        }
    }
}

/// A quoted text.
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#""(\\.|[^"\\])*"|'(\\.|[^'\\])+'|`[^`]*`"#).unwrap());

/// A value as Rust prints it for programmers.
static DEBUG_FORM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b\w+\(|\bNone\b|\w \{|\w::\w|(?:^|\s)\[\]").unwrap());

/// What is wrong with the words of an error: a value as Rust prints it. Quoted texts are the
/// user's, and so is what the error repeats of `given` without quotes.
fn debug_form(error: &str, given: &str) -> Option<String> {
    let words = QUOTED.replace_all(error, "…");
    let mut forms = DEBUG_FORM.find_iter(&words).map(|found| found.as_str());
    let form = forms.find(|form| !given.contains(form))?;
    Some(format!("{form} in: {error}"))
}

#[test]
fn debug_forms_are_found() {
    for error in [
        "it cannot be Some(1)",
        "it is None",
        "Cell { x: 1 }",
        "Color::Red",
    ] {
        assert!(debug_form(error, "").is_some(), "{error}");
    }
    for error in ["\"Some(1)\" is not a cell", "a line (the first) of `f(x)`"] {
        assert_eq!(debug_form(error, ""), None);
    }
}

/// A value of JSON that may stand where another is expected.
fn any_value() -> impl Strategy<Value = Value> {
    let fixed = json!([null, [], {}, ["a1", "z9"]]);
    let fixed = fixed.as_array().cloned().unwrap_or_default();
    prop_oneof![
        3 => prop::sample::select(vec!["5,", "5,a1", "a1", ":s"]).prop_map(Value::from),
        1 => "[a-f:,0-9é ]{0,12}".prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        3 => (0u64..4).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f32>().prop_map(Value::from),
        4 => prop::sample::select(fixed),
    ]
}

/// An object with some of these fields, each with a value that may be wrong.
fn object(names: &'static str) -> impl Strategy<Value = Value> {
    let names: Vec<&str> = names.split(' ').collect();
    let field = (prop::sample::select(names), any_value());
    let fields = prop::collection::vec(field, 0..6);
    fields.prop_map(|fields| fields.into_iter().collect())
}

/// A question or an order that may be wrong anywhere.
fn message() -> impl Strategy<Value = Value> {
    let nodes = object("parent move comment labels arrows grade parents");
    let nodes = prop::option::of(prop::collection::vec(nodes, 0..4));
    let outer = object("game players labels arrows do id level ms simulations threads other");
    let order = prop::sample::select(vec!["move", "analyse", "ponder", "prove"]);
    let parts = (outer, nodes, prop::option::of(order), any::<bool>());
    parts.prop_map(|(mut message, nodes, order, is_game)| {
        if let Some(nodes) = nodes {
            message["nodes"] = Value::from(nodes);
        }
        if let Some(order) = order {
            message["do"] = order.into();
            message["id"] = 1.into();
        }
        if is_game {
            message["game"] = "5,".into();
        }
        message
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn errors_of_the_page_are_words(message in message()) {
        for kind in [QuestionKind::Look, QuestionKind::SaveSgf, QuestionKind::SaveSvg] {
            let error = answer(kind, &message).err().unwrap_or_default();
            prop_assert_eq!(debug_form(&error, ""), None);
        }
        let limit = ThreadLimit { most: 1, advice: "there is one" };
        if let Err(reply) = Accepted::read(&message.to_string(), limit) {
            let reply = serde_json::to_value(reply).unwrap();
            prop_assert_eq!(debug_form(reply["error"].as_str().unwrap(), ""), None);
        }
    }

    #[test]
    fn errors_of_records_are_words(
        (record, at, byte) in (0..RECORDS.len(), any::<prop::sample::Index>(), 1u8..127),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = RECORDS[record].as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if is_cut {
            bytes.truncate(at);
        }
        let text = String::from_utf8(bytes).unwrap();
        if let Err(error) = parse_game_with(&text, Side::of(5), None) {
            let error = format!("{:#}", anyhow::Error::from(error));
            prop_assert_eq!(debug_form(&error, &text), None);
        }
    }
}

/// Records in several formats, to be damaged.
const RECORDS: [&str; 6] = [
    "(;FF[4]GM[11]SZ[5]PB[a]AB[a2][b3];B[a1]LB[c3:x];W[swap-pieces](;B[c3])(;B[d4]))",
    "https://hexworld.org/board/#5c1,a1:sb2",
    "a1 swap-pieces b2 c3",
    ". . .\n . r .\n  . b .\n",
    "{\"frames\":[{\"agentId\":0,\"stdout\":\"a1\"}],\"agents\":[{\"index\":0}]}",
    "5\n1\n.....\n.r...\n.....\n.....\n.....\nb2\n",
];
