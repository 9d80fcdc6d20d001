//! The bundler's steps, each on small sources: its tokens, its stripping, its renaming, its
//! dropping of dead code. program.rs runs the program on small projects, tests/bundle.rs of the
//! root package looks at the uploads.

#[path = "../../tests/common/rustc.rs"]
mod rustc;

use bundler::compact::compact;
use bundler::minify::{minify, Minified};
use bundler::sources::Source;
use bundler::tokens::{lexemes, tokens, write};
use proptest::prelude::*;
use rustc::{compile, scratch, succeed};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Longer than any line of the samples.
const WIDTH: usize = 1 << 20;

/// Compiles a program and gives what it prints.
fn printed(name: &str, source: &str) -> String {
    let folder = scratch("minify");
    let (file, program) = (folder.join(format!("{name}.rs")), folder.join(name));
    fs::write(&file, source).expect("the scratch folder can be written");
    compile(&file, &program, &["-A", "warnings"]);
    String::from_utf8_lossy(&succeed(&mut Command::new(program)).stdout).into_owned()
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    fs::read_to_string(path).expect("the sample is there")
}

/// One module called main, minified.
fn minified(source: &str) -> Minified {
    minified_files(&[("main", source)])
}

/// Modules, given by path and text, minified.
fn minified_files(files: &[(&str, &str)]) -> Minified {
    let sources: Vec<Source> = files
        .iter()
        .map(|(name, text)| Source::new(name, text))
        .collect();
    minify(&sources, &[])
}

/// Pieces that read differently depending on what stands next to them; blanks are among them.
const PIECES: &str = r###"
    a r b br r#fn ' 'a 'a' '\'' b'x' " "\"" r#"""# r"\" c"x" \ // /* */ / * 1 1. 1.5 1e 1e-3 0x1_f
    .. ..= . :: : < << <- - > >>= = == & && | || ! # $ ( ) [ ] { } , ; é · _ self as
"###;

/// A source of such pieces, and at times of any characters.
fn source() -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = PIECES.split_whitespace().chain(["\n", " "]).collect();
    let pieces = prop::collection::vec(prop::sample::select(pieces), 0..30)
        .prop_map(|pieces| pieces.concat());
    prop_oneof![4 => pieces, 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lexemes_joined_are_the_source(source in source()) {
        let found = lexemes(&source);
        let joined: String = found.iter().map(|lexeme| lexeme.text).collect();
        prop_assert_eq!(&joined, &source);
        prop_assert!(found.iter().all(|lexeme| !lexeme.text.is_empty()));
    }

    #[test]
    fn what_is_written_is_read_as_the_same_tokens(source in source()) {
        let found = tokens(&source);
        for width in [0, 10, WIDTH] {
            let written = write(&found, width);
            prop_assert_eq!(tokens(&written), found.clone(), "{}", written);
            prop_assert!(written.len() <= source.len() + found.len());
        }
    }
}

#[test]
fn lone_quotes_stay_alone() {
    let found = tokens("''//\n'");
    assert_eq!(found.len(), 3);
    for width in [0, WIDTH] {
        assert_eq!(tokens(&write(&found, width)), found);
    }
}

#[test]
fn tokens_are_told_apart() {
    let cases = [
        (r"'a 'b' '\''", r"Lifetime 'a, Literal 'b', Literal '\''"),
        (r#"b'"' b"'""#, r#"Literal b'"', Literal b"'""#),
        (
            r##"r#"""# "\" // b"c"##,
            r##"Literal r#"""#, Literal "\" // b", Word c"##,
        ),
        ("r#fn r", "Word r#fn, Word r"),
        ("1..2", "Number 1, Sign .., Number 2"),
        ("1.max", "Number 1, Sign ., Word max"),
        ("1. 2.5e-3f32", "Number 1., Number 2.5e-3f32"),
        ("0xE+1", "Number 0xE, Sign +, Number 1"),
        ("a.0.1", "Word a, Sign ., Number 0, Sign ., Number 1"),
        ("a>>=b", "Word a, Sign >>=, Word b"),
        ("a/* /* */ */b// c", "Word a, Word b"),
        (r#"br"\"b"#, r#"Literal br"\", Word b"#),
    ];
    for (source, expected) in cases {
        let found = tokens(source);
        let found: Vec<String> = found
            .iter()
            .map(|t| format!("{:?} {}", t.kind, t.text))
            .collect();
        assert_eq!(found.join(", "), expected, "from {source:?}");
    }
}

#[test]
fn tokens_are_written_without_idle_spaces() {
    let cases = [
        ("let  a = - 1 ;", "let a=-1;"),
        ("a - -b & & c", "a--b& &c"),
        ("x < - 1", "x< -1"),
        ("a / * b", "a/ *b"),
        ("return \"a\"", "return \"a\""),
        ("self . 0 . 1 as u8", "self.0.1 as u8"),
        ("1 .max(2) .. 3", "1.max(2)..3"),
        ("v : Vec<Vec<u8>> = x", "v:Vec<Vec<u8>> =x"),
    ];
    for (source, expected) in cases {
        assert_eq!(write(&tokens(source), WIDTH), expected, "from {source:?}");
    }
}

#[test]
fn minified_samples_do_the_same() {
    for (name, lines) in [("tricky", 15), ("names", 17), ("variants", 1)] {
        let text = sample(&format!("{name}.rs"));
        let said = printed(name, &text);
        assert!(
            said.lines().count() >= lines,
            "the sample prints little: {said}"
        );
        let short = minified(&text).code;
        assert_eq!(printed(&format!("{name}_short"), &short), said, "{short}");
        assert!(
            short.len() < text.len() * 2 / 3,
            "{} of {}",
            short.len(),
            text.len()
        );
    }
}

/// Modules that use the same names for different things, and std's names for their own.
#[test]
fn modules_become_one_flat_program() {
    let main = "use std::io::{Result, Write}; use hexbot::low::Both; use hexbot::high;
        fn main() -> Result<()> {
            let parsed: std::result::Result<u8, _> = \"7\".parse::<u8>();
            let both = Both { add: parsed.unwrap_or(0) };
            writeln!(std::io::stdout(), \"{both} {} {} {}\", hexbot::low::add(1), high::add(1), high::SIDE)
        }";
    let low = "pub fn add(a: u8) -> u8 { a + 1 } pub(crate) struct Both { pub add: u8 }
        pub const SIDE: u8 = 1;";
    let high = "use crate::low::{self, Both}; use std::fmt::Result;
        pub fn add(a: u8) -> u8 { low::add(a) * 10 + crate::low::SIDE }
        pub const SIDE: u8 = 3;
        impl std::fmt::Display for Both {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> Result { write!(f, \"{}\", add(self.add)) }
        }";
    let short = minified_files(&[("main", main), ("low", low), ("high", high)]).code;
    assert_eq!(printed("modules_short", &short), "81 2 21 3\n", "{short}");
    assert!(!short.contains("mod "), "{short}");
}

#[test]
fn what_is_never_reached_is_dropped() {
    let source = "
        struct Used; struct Idle(Used); trait Named { fn tell(&self); fn never(&self) {} }
        impl Named for Used { fn tell(&self) { println!(\"told {SIZE}\"); } }
        impl Named for Idle { fn tell(&self) { println!(\"idle\"); } }
        impl Used { fn call(&self) { self.tell() } fn unused(&self) { unused_too() } }
        impl Default for Used { fn default() -> Self { println!(\"default\"); Used } }
        fn unused_too() { println!(\"never\"); Used.unused() }
        const SIZE: usize = 3; const OTHER: &str = \"other\";
        #[cfg(feature = \"more\")] fn only_with_feature() {}
        fn main() { Used.call() }";
    let short = minified(source).code;
    for gone in ["idle", "never", "default", "other", "feature"] {
        assert!(!short.contains(gone), "{gone} is left in {short}");
    }
    assert_eq!(printed("dead_short", &short), "told 3\n");
}

/// The weights of a network are one long literal, with all kinds of signs in it.
#[test]
fn long_literals_stay_and_are_counted() {
    let data: String = "{cell}$x!{}//'a'/*&&1.0|#0_0".repeat(100);
    let source = format!("const DATA: &str = \"{data}\"; fn main() {{ print!(\"{{}}\", DATA) }}");
    let short = minified(&source);
    assert_eq!(printed("data_short", &short.code), data);
    let counted = short.bytes.iter().find(|(what, _)| what.contains("data"));
    assert_eq!(counted.map(|(_, bytes)| *bytes), Some(data.len() + 2));
}

#[test]
fn commas_that_mean_nothing_go() {
    let source = "struct Pair { left: (u8,), right: [u8; 2], }
        fn main() { let pair = Pair { left: (1,), right: [2, 3,], };
        let (one,) = match pair { Pair { left, .. } => left, };
        println!(\"{},] {:?},}}\", one, pair.right,); }";
    let short = minified(source).code;
    let code = short.replace("\"{},] {:?},}}\"", "");
    assert!(
        !code.contains(",}") && !code.contains(",]"),
        "left in {short}"
    );
    assert_eq!(printed("commas_short", &short), "1,] [2, 3],}\n");
}

#[test]
fn output_texts_stay() {
    let source = "fn main() { let winner = 3; let width = 4;
        println!(\"winner {winner} {winner:>width$} {{winner}} {}\", \"winner {winner}\"); }";
    let short = minified(source).code;
    assert!(short.contains("\"winner {winner}\""), "{short}");
    assert_eq!(
        printed("texts_short", &short),
        "winner 3    3 {winner} winner {winner}\n"
    );
}

/// No two names of a kind get the same short name, or different things would become one.
#[test]
fn the_map_tells_every_name() {
    let short = minified(&sample("names.rs"));
    let mut seen = BTreeSet::new();
    let mut places = HashMap::new();
    for line in short.map.lines() {
        let [kind, brief, name] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?} is not kind, short name and name")
        };
        assert!(
            seen.insert((kind, brief)),
            "{kind} {brief} stands for two names"
        );
        places.insert((kind, name), brief);
    }
    assert!(seen.len() > 100, "the map has {} lines", seen.len());
    let (function, local) = (
        places[&("global", "row_of")],
        places[&("in longest", "best")],
    );
    assert!(
        short.code.contains(&format!("fn {function}(")),
        "{}",
        short.code
    );
    assert!(
        short.code.contains(&format!("let mut {local}=")),
        "{}",
        short.code
    );
    assert!(places.contains_key(&("field", "first")) && places.contains_key(&("member", "around")));
}

#[test]
fn comments_and_blanks_are_stripped_and_nothing_else() {
    let cases = [
        ("a // b\n  c", "a\nc"),
        ("/// doc\nfn f() {}", "fn f(){}"),
        ("//! doc\n\n\nuse x;\n", "use x;"),
        ("a /* b /* c */ d */ e", "a e"),
        ("a/* b */c", "a c"),
        ("a /* b\n */ c", "a\nc"),
        ("f(a /* b */ , c)", "f(a,c)"),
        ("a - /* b */ -c", "a- -c"),
        ("a / /* b */ b", "a/b"),
        (r#"f("// /* e */", c) // d"#, r#"f("// /* e */",c)"#),
        (r#"f("\\", "\"//") // d"#, r#"f("\\","\"//")"#),
        (r#"f(b"\"//") // d"#, r#"f(b"\"//")"#),
        (r##"f(r"\", r#"" // "#) // d"##, r##"f(r"\",r#"" // "#)"##),
        (
            r##"f(br"\", br#"" // "#, cr"\") // d"##,
            r##"f(br"\",br#"" // "#,cr"\")"##,
        ),
        ("f(\"a \\\n   b  c\")", "f(\"a \\\n   b  c\")"),
        ("('\"', '\\'', '/', b'\\'') // d", "('\"','\\'','/',b'\\'')"),
        ("fn f<'a>(x: &'a str) // d", "fn f<'a>(x: &'a str)"),
        ("'a: loop { break 'a }", "'a:loop{break 'a}"),
        ("r#type + br + r", "r#type+br+r"),
        ("é // ü", "é"),
        ("", ""),
    ];
    for (source, expected) in cases {
        assert_eq!(compact(source), expected, "from {source:?}");
        assert_eq!(compact(expected), expected, "stripped again");
    }
}

/// `Debug` and debug assertions go; what else is derived stays.
#[test]
fn what_only_helps_to_find_mistakes_is_left_out() {
    let code = minified(&sample("debugging.rs")).code;
    for word in ["Debug", "debug_assert", "clippy", "rustfmt"] {
        assert!(!code.contains(word), "{word} in {code}");
    }
    assert_eq!(printed("debugging", &code), "true 11\n");
}

/// A variant that nothing makes goes, with its arms and what only they call; one that is made, is
/// compared with, or stands before one that is made, stays.
#[test]
fn variants_that_are_never_made_go_with_their_arms() {
    let short = minified(&sample("variants.rs"));
    let is_left = |name: &&str| short.map.lines().any(|line| line.ends_with(name));
    let gone = ["Unmade", "Block", "Last", "of_last", "of_block"];
    let kept = ["Compared", "Before", "OfSelf", "WithField", "Guarded"];
    let left: Vec<&str> = gone.into_iter().chain(kept).filter(is_left).collect();
    assert_eq!(left, kept, "{}", short.code);
}
