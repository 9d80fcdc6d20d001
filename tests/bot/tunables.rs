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
        let name = tunable.name;
        assert_eq!(
            *(tunable.field)(&mut params),
            at as f32,
            "{name} is another's field"
        );
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
    let fields = printed
        .split(['{', ',', '}'])
        .filter_map(|part| part.split_once(": "));
    let fractional: Vec<(&str, &str)> = fields.filter(|(_, value)| value.contains('.')).collect();
    let left: Vec<_> = fractional
        .iter()
        .filter(|(_, value)| *value != "12345.5")
        .collect();
    assert!(left.is_empty(), "not in TUNABLES: {left:?}");
    for (tunable, (field, _)) in TUNABLES.iter().zip(&fractional) {
        assert_eq!(tunable.name.replace('-', "_"), field.trim());
    }
}
