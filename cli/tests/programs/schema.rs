//! Whether a file of JSON is as its JSON Schema in `docs` says: it has the fields of the schema and
//! no others, with values of their types, ranges and lists. It knows only the keywords that these
//! schemas use.

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;

/// Fails unless `value` is as the schema says. Fields whose names begin with one of `rare` may be
/// missing.
pub fn check(value: &Value, schema: &str, rare: &[&str]) {
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let is_common = |name: &String| !rare.iter().any(|rare| name.starts_with(rare));
    let (mut found, mut described) = (BTreeSet::new(), BTreeSet::new());
    fields(value, "", &mut found);
    properties(&schema, &schema, "", &mut described);
    // An empty list or `null` stands for what others of its kind have.
    let is_part = |name: &String| {
        let ends = [format!("{name}."), format!("{name}[].")];
        described
            .iter()
            .any(|known| ends.iter().any(|end| known.starts_with(end)))
    };
    found.retain(|name| is_common(name) && !is_part(name));
    described.retain(is_common);
    assert_eq!(found, described, "fields of the file and of the schema");
    let faults = faults(value, &schema, &schema, "");
    assert!(faults.is_empty(), "{faults:#?}");
}

fn below(path: &str, name: &str) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    format!("{path}{dot}{name}")
}

/// The names of all fields: `players[].faults.crash`.
fn fields(value: &Value, path: &str, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(name, value)| fields(value, &below(path, name), names)),
        Value::Array(list) if list.iter().any(Value::is_object) => list
            .iter()
            .for_each(|value| fields(value, &format!("{path}[]"), names)),
        _ => drop(names.insert(path.to_owned())),
    }
}

/// A schema and what it refers to.
fn parts<'a>(schema: &'a Value, root: &'a Value) -> Vec<&'a Value> {
    let name = schema["$ref"].as_str();
    let referred = name.map(|name| root.pointer(&name[1..]).expect("a definition"));
    [schema].into_iter().chain(referred).collect()
}

/// The properties of an object, each with its schema.
fn own_properties<'a>(schema: &'a Value, root: &'a Value) -> Vec<(&'a String, &'a Value)> {
    let parts = parts(schema, root).into_iter();
    parts
        .filter_map(|part| part["properties"].as_object())
        .flatten()
        .collect()
}

/// The names of all fields that the schema has.
fn properties(schema: &Value, root: &Value, path: &str, names: &mut BTreeSet<String>) {
    let own = own_properties(schema, root);
    let items = &schema["items"];
    if !own_properties(items, root).is_empty() {
        properties(items, root, &format!("{path}[]"), names);
    } else if own.is_empty() {
        names.insert(path.to_owned());
    }
    for (name, property) in own {
        properties(property, root, &below(path, name), names);
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    }
}

/// What one part of a schema does not allow in a value.
fn fault(value: &Value, part: &Value) -> Option<&'static str> {
    let types = match &part["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => Vec::from_iter(name.as_str()),
    };
    let number = |key: &str| part[key].as_f64().zip(value.as_f64());
    let pattern = part["pattern"].as_str().zip(value.as_str());
    if !types.is_empty() && !types.iter().any(|name| has_type(value, name)) {
        Some("another type")
    } else if part["enum"]
        .as_array()
        .is_some_and(|list| !list.contains(value))
    {
        Some("not in the list")
    } else if number("minimum").is_some_and(|(least, value)| value < least)
        || number("maximum").is_some_and(|(most, value)| value > most)
    {
        Some("out of its range")
    } else if pattern.is_some_and(|(pattern, text)| !Regex::new(pattern).unwrap().is_match(text)) {
        Some("another pattern")
    } else {
        None
    }
}

/// Where a value is not as the schema says.
fn faults(value: &Value, schema: &Value, root: &Value, path: &str) -> Vec<String> {
    let wrong = parts(schema, root)
        .into_iter()
        .filter_map(|part| fault(value, part));
    let mut found: Vec<String> = wrong
        .map(|fault| format!("{path}: {fault}: {value}"))
        .collect();
    for (name, property) in own_properties(schema, root) {
        if let Some(inner) = value.get(name) {
            found.extend(faults(inner, property, root, &below(path, name)));
        }
    }
    let items = schema.get("items").zip(value.as_array());
    for item in items.iter().flat_map(|(_, list)| *list) {
        found.extend(faults(item, &schema["items"], root, &format!("{path}[]")));
    }
    found
}

#[test]
fn what_a_schema_forbids_is_found() {
    let schema = r##"{"type": "object", "$defs": {"share": {"type": "number", "maximum": 1}},
        "properties": {"list": {"type": "array", "items": {"properties": {
            "a": {"$ref": "#/$defs/share"}, "b": {"enum": ["x", null]}}}}}}"##;
    let root: Value = serde_json::from_str(schema).unwrap();
    let faults = |text: &str| faults(&serde_json::from_str(text).unwrap(), &root, &root, "");
    assert!(faults(r#"{"list": [{"a": 1, "b": null}]}"#).is_empty());
    for wrong in [
        r#"[]"#,
        r#"{"list": {}}"#,
        r#"{"list": [{"a": 2}]}"#,
        r#"{"list": [{"b": "y"}]}"#,
    ] {
        assert_eq!(faults(wrong).len(), 1, "{wrong}");
    }
    let mut names = BTreeSet::new();
    properties(&root, &root, "", &mut names);
    assert_eq!(Vec::from_iter(names), ["list[].a", "list[].b"]);
}
