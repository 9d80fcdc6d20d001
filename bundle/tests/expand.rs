//! Macros that declare items, and what the bundler writes instead of them.

use bundler::expand::expanded;
use bundler::tokens::{tokens, Token};

/// A macro with all that can be expanded.
const MACRO: &str = "
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $public:vis $name:ident: $type:ty = $value:expr
        $(, $range:expr, $help:literal)?;)*) => {
        struct Numbers { $($(#[doc = $doc])* $public $name: $type,)* }
        fn make() -> Numbers { Numbers { $($name: $value,)* } }
        const NAMES: &[(&str, &str)] = &[$($((stringify!($name), $help),)?)*];
    };
}
";

/// The tokens of a source as text.
fn plain(source: &str) -> Vec<String> {
    let text = |token: &Token| token.text.clone();
    tokens(source).iter().map(text).collect()
}

#[test]
fn a_call_becomes_the_items_that_it_declares() {
    let cases = [
        ("", "", "", ""),
        ("pub a: u8 = 1;", "pub a: u8,", "a: 1,", ""),
        (
            "pub a: Vec<u8> = f(1, 2), 0.0..=1.0, \"x\"; pub b: f32 = { 3.0 };",
            "pub a: Vec<u8>, pub b: f32,",
            "a: f(1, 2), b: { 3.0 },",
            "(stringify!(a), \"x\"),",
        ),
    ];
    for (call, fields, values, names) in cases {
        let source = format!("{MACRO} fn before() {{}} numbers! {{ {call} }} fn after() {{}}");
        let expected = format!(
            "fn before() {{}} struct Numbers {{ {fields} }} fn make() -> Numbers {{ Numbers {{ \
             {values} }} }} const NAMES: &[(&str, &str)] = &[{names}]; fn after() {{}}"
        );
        assert_eq!(plain(&expanded(&source)), plain(&expected), "{call}");
    }
}

/// A comment stays with the first copy of what it is about, for the upload that has comments.
#[test]
fn comments_are_written_once() {
    let call = "numbers! {\n    /// The first.\n    pub a: u8 = 1;\n}\n";
    let written = expanded(&format!("{MACRO}{call}"));
    assert_eq!(written.matches("/// The first.").count(), 1, "{written}");
    assert!(written.contains("/// The first.\n    pub a"), "{written}");
}

/// Other macros are left alone, and so is a source without any.
#[test]
fn other_calls_stay() {
    let source = "/// Docs.\nfn f() { assert!(true); } // End.\n";
    assert_eq!(expanded(source), source);
}
