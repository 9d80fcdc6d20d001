//! The bundler as a program, on small projects: modules in folders, features, and what it cannot
//! bundle.

#[path = "../../tests/common/rustc.rs"]
mod rustc;

use rustc::{compile, scratch, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The bundler as it runs in a folder.
fn bundler(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bundler"));
    // Cargo sets it for this test: then the bundler goes to the project's own root.
    command.env_remove("CARGO_MANIFEST_DIR");
    command.current_dir(folder);
    command
}

/// Compiles `folder`'s lib.rs and main.rs, which calls the library `name`, to a program in `to`.
fn compile_with_library(folder: &Path, name: &str, to: &Path) -> PathBuf {
    let library = to.join(format!("lib{name}.rlib"));
    let (lib, main) = (folder.join("lib.rs"), folder.join("main.rs"));
    compile(
        &lib,
        &library,
        &["--crate-type", "rlib", "--crate-name", name],
    );
    let program = to.join(name);
    let link = format!("{name}={}", library.display());
    compile(&main, &program, &["--extern", &link]);
    program
}

/// What the programs of these projects may answer to their only example.
const EXAMPLE: [(&str, &str); 2] = [
    ("tests/data/statement/only.in", ""),
    ("tests/data/statement/only.legal", "103 else plain done"),
];

/// The files of a project: above the text of each is a line `== its path`.
fn files(text: &str) -> Vec<(&str, &str)> {
    let files = text.split("\n== ").skip(1);
    files
        .map(|file| file.split_once('\n').expect("a path"))
        .collect()
}

/// A folder with these files and an example beside the project's own manifest, license and
/// stand-ins.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = root();
    let folder = scratch("bundler").join(name);
    let own = [
        "Cargo.toml",
        "LICENSE",
        "bundle/stand_ins/rand.rs",
        "bundle/stand_ins/smallvec.rs",
        "bundle/stand_ins/rand_xoshiro.rs",
    ];
    // What an earlier version of the test has left there would be found.
    let _ = fs::remove_dir_all(&folder);
    let place = |file: &str| {
        let place = folder.join(file);
        let above = place.parent().expect("a file is in a folder");
        fs::create_dir_all(above).expect("the scratch folder can be written");
        place
    };
    for file in own {
        fs::copy(root.join(file), place(file)).expect("the file can be copied");
    }
    for (file, text) in EXAMPLE.iter().chain(files) {
        fs::write(place(file), text).expect("the scratch folder can be written");
    }
    folder
}

/// Runs the bundler in a project.
fn bundle(folder: &Path, options: &[&str]) -> Output {
    let output = bundler(folder).args(options).output();
    output.expect("the bundler runs")
}

/// The upload of this name that the bundler makes with these options, and what it prints.
fn bundled(folder: &Path, name: &str, options: &[&str]) -> (String, String) {
    succeed(bundler(folder).args(options));
    let program = folder.join("target").join(name);
    let written = fs::read_to_string(program.with_extension("rs")).expect("it is there");
    let printed = succeed(&mut Command::new(program)).stdout;
    (written, String::from_utf8(printed).expect("it is UTF-8"))
}

/// Modules in folders, in all ways that Rust has of naming what is in them.
const FOLDERS: &str = r#"
== src/lib.rs
pub mod base;
pub mod net;
pub mod top;
== src/base.rs
//! The base.

/// One more.
pub fn raise(a: u8) -> u8 {
    a + 1
}
== src/net/mod.rs
//! The net.

use crate::base;

pub mod layer;
mod shape;
pub use shape::Shape;

/// What the net says.
pub fn say(a: u8) -> u8 { base::raise(self::layer::double(a)) + shape::deep::DEPTH }
== src/net/layer.rs
use super::shape::Shape;
use crate::base::raise;
pub fn double(a: u8) -> u8 { Shape { size: raise(a) }.size * 2 }
pub fn never() -> u8 { super::super::base::raise(7) }
== src/net/shape.rs
pub mod deep;
pub struct Shape { pub size: u8 }
impl Shape { pub fn area(&self) -> u8 { self.size * self.size + deep::DEPTH } }
== src/net/shape/deep.rs
use super::super::layer;
pub const DEPTH: u8 = 3;
pub fn through() -> u8 { layer::double(DEPTH) + super::super::super::base::raise(0) }
== src/top.rs
use crate::net::{self, layer, Shape};
pub fn tell(a: u8) -> String {
    let shape = Shape { size: layer::double(a) };
    format!("{} {} {}", shape.area(), net::say(a), crate::net::layer::double(1))
}
== src/main.rs
use hexbot::net::layer::double;
use hexbot::top;
fn main() { println!("{} {}", top::tell(4), double(9)); }
"#;

#[test]
fn modules_may_lie_in_folders() {
    let folder = project("folders", &files(FOLDERS));
    let program = compile_with_library(&folder.join("src"), "hexbot", &folder);
    let said = String::from_utf8(succeed(&mut Command::new(program)).stdout).expect("UTF-8");
    assert_eq!(said, "103 14 4 20\n");
    let (short, printed) = bundled(&folder, "bundle", &[]);
    assert_eq!(printed, said, "{short}");
    lacks(&short, "mod |super");
    let (readable, printed) = bundled(&folder, "bundle-playouts", &["--playouts"]);
    assert_eq!(printed, said, "{readable}");
    let kept = "fn double(|struct Shape|/// One more.|// The net.|==== net::shape";
    for kept in kept.split('|') {
        assert!(readable.contains(kept), "no {kept} in {readable}");
    }
    lacks(&readable, "mod |fn never|fn through|pub |use crate");
}

/// None of these words, which `|` separates, is left in an upload.
fn lacks(upload: &str, words: &str) {
    for word in words.split('|') {
        assert!(!upload.contains(word), "{word} is left in {upload}");
    }
}

/// Code under the feature `network` stands in the short upload alone, and its opposite in the other
/// one, wherever an attribute may stand.
#[test]
fn the_upload_to_read_has_no_code_of_the_network() {
    const NET: &str = "#[cfg(feature = \"network\")]";
    const NONE: &str = "#[cfg(not(feature = \"network\"))]";
    let one = format!(
        "use std::fmt::Write;
        /// Lost with what it tells of.
        {NET}
        pub mod net;
        {NONE}
        use std::collections::BTreeMap;
        pub struct Both {{ {NET} pub a: Vec<(u8, [u8; 2])>, pub b: u8, {NONE} pub c: BTreeMap<u8, u8> }}
        pub enum Kind {{ Plain, {NET} Seen(u8) }}
        {NET} impl Both {{ pub fn seen(&self) -> usize {{ self.a.len() + 40 }} }}
        pub fn tell(kind: &Kind) -> String {{
            let both = Both {{ {NET} a: vec![(1, [2, 3])], b: 5, {NONE} c: BTreeMap::new() }};
            let mut text = String::new();
            {NET}
            if let Kind::Seen(a) = kind {{ let _ = write!(text, \"if{{a}} \"); }} else {{ text += \"else \"; }}
            {NET} let more = both.seen() + net::EXTRA;
            {NONE} let more = both.c.len();
            let word = match kind {{ {NET} Kind::Seen(1) => \"one\", {NET} Kind::Seen(_) => {{ \"seen\" }}
                Kind::Plain => \"plain\" }};
            let _ = write!(text, \"{{word}} {{more}} {{}}\", both.b);
            text
        }}"
    );
    let files = [
        ("src/lib.rs", "pub mod one;"),
        ("src/one.rs", one.as_str()),
        ("src/one/net.rs", "pub const EXTRA: usize = 100;"),
        (
            "src/main.rs",
            "fn main() { println!(\"{}\", hexbot::one::tell(&hexbot::one::Kind::Plain)); }",
        ),
    ];
    let folder = project("features", &files);
    assert_eq!(bundled(&folder, "bundle", &[]).1, "else plain 141 5\n");
    let (readable, printed) = bundled(&folder, "bundle-playouts", &["--playouts"]);
    assert_eq!(printed, "plain 0 5\n", "{readable}");
    lacks(&readable, "Seen|seen|EXTRA|cfg|Lost");
}

/// A function with a frequent name would stay otherwise, as names are all that is looked at.
#[test]
fn a_module_that_no_other_one_names_is_left_out() {
    let text = r#"
== src/lib.rs
pub mod base;
pub mod used;
pub mod unused;
== src/base.rs
pub fn one() -> u8 { 1 }
== src/used.rs
use crate::base::one;
pub fn two() -> u8 { 2 * one() }
== src/unused.rs
use crate::used::two;
pub fn count() -> u8 { 77 + two() }
== src/main.rs
use hexbot::used::two;
fn main() { if (0..two()).count() == 2 { println!("done") } }
#[cfg(feature = "other")]
fn more() { hexbot::unused::count(); }
"#;
    let (short, printed) = bundled(&project("unnamed", &files(text)), "bundle", &[]);
    assert_eq!(printed, "done\n");
    assert!(!short.contains("77"), "{short}");
}

/// The bundler refuses it, and says why.
fn refused(folder: &Path, options: &[&str], why: &str) {
    let output = bundle(folder, options);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(why), "no {why:?} in {said:?}");
}

/// A file of a small project, its text, and what is wrong with that.
const BROKEN: &str = r#"
src/lib.rs | pub mod missing; | src/missing.rs
src/lib.rs | pub fn f() {} | src/lib.rs holds a fn
src/one.rs | use std::fmt::*; | import of *
src/one.rs | use crate::two::x; | two
src/one.rs | mod inner { } | one holds the module inner: give it a file
src/one.rs | pub mod inner; | src/one/inner.rs
src/one.rs | #[cfg(unix)] use std::fmt; | imports under a condition
src/one.rs | #[cfg(not(any(unix, target_arch = "wasm32")))] fn f() {} | use only wasm32 or not(wasm32)
src/one.rs | fn f() { use crate::one; } | import it at the top
Cargo.toml | | Cargo.toml has no line version
"#;

#[test]
fn what_cannot_be_bundled_is_told() {
    let valid = "\n== src/lib.rs\npub mod one;\n== src/one.rs\n\n\
        == src/main.rs\nuse hexbot::one; fn main() {}";
    for (index, line) in BROKEN.trim().lines().enumerate() {
        let [file, text, why] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let files = [&files(valid)[..], &[(file, text)]].concat();
        refused(&project(&format!("broken{index}"), &files), &[], why);
    }
}

/// The upload to read has no modules, so that nothing may share its name.
#[test]
fn what_cannot_be_read_without_modules_is_told() {
    let same = "use hexbot::one;\nfn same() {}
        fn main() { one::same(); same(); println!(\"done\") }";
    let result = "use std::io::Result;\nfn main() -> Result<()> { println!(\"done\"); Ok(()) }";
    for (name, main, why) in [
        ("same", same, "one: same is the name"),
        ("result", result, "std::io::Result is imported as"),
    ] {
        let one = "\n== src/lib.rs\npub mod one;\n== src/one.rs\npub fn same() {}\n";
        let files = [&files(one)[..], &[("src/main.rs", main)]].concat();
        let folder = project(name, &files);
        assert!(bundle(&folder, &[]).status.success());
        refused(&folder, &["--playouts"], why);
    }
}

#[test]
fn arguments_that_make_no_sense_are_told() {
    for (options, why) in [
        (&["--all"][..], "\"--all\" is not an argument"),
        (&["--map"], "use --wide, --playouts, --probe or --help"),
        (
            &["--playouts", "x"],
            "at most one argument is possible, not 2",
        ),
    ] {
        refused(Path::new("."), options, why);
    }
}
