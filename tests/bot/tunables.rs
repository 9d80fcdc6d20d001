//! The table of the search's numbers.

use hexbot::params::{Params, TUNABLES};

/// What is shipped lies in the ranges, and no two rows of the table are the same field.
#[test]
fn defaults_are_in_range_and_fields_differ() {
    let mut params = Params::default();
    for tunable in TUNABLES {
        let default = *(tunable.field)(&mut params);
        let name = tunable.name;
        assert!(tunable.range.contains(&default), "{name} is {default}");
    }
    for (at, tunable) in TUNABLES.iter().enumerate() {
        *(tunable.field)(&mut params) = at as f32;
    }
    for (at, tunable) in TUNABLES.iter().enumerate() {
        let value = *(tunable.field)(&mut params);
        assert_eq!(value, at as f32, "{} is another's field", tunable.name);
    }
}

/// The table names every fractional field of `Params`, as the field itself is printed.
#[test]
fn every_fractional_field_is_a_tunable() {
    let mut params = Params::default();
    for tunable in TUNABLES {
        *(tunable.field)(&mut params) = 12345.5;
    }
    let printed = format!("{params:?}");
    let parts = printed.split(['{', ',', '}']);
    let fields = parts.filter_map(|part| part.split_once(": "));
    let fractional = fields.filter(|(_, value)| value.contains('.'));
    let fractional: Vec<(&str, &str)> = fractional.map(|(n, value)| (n.trim(), value)).collect();
    let names = TUNABLES
        .iter()
        .map(|tunable| tunable.name.replace('-', "_"));
    let names: Vec<String> = names.collect();
    let known: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), "12345.5"))
        .collect();
    assert_eq!(fractional, known, "one is not in TUNABLES");
}
