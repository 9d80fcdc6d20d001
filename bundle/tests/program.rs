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
const FOLDERS: [(&str, &str); 7] = [
    ("src/lib.rs", "pub mod base;\npub mod net;\npub mod top;\n"),
    (
        "src/base.rs",
        "//! The base.\n\n/// One more.\npub fn raise(a: u8) -> u8 {\n    a + 1\n}\n",
    ),
    (
        "src/net/mod.rs",
        "//! The net.\n\nuse crate::base;\n\npub mod layer;\nmod shape;\npub use shape::Shape;\n
        /// What the net says.\n
        pub fn say(a: u8) -> u8 { base::raise(self::layer::double(a)) + shape::deep::DEPTH }\n",
    ),
    (
        "src/net/layer.rs",
        "use super::shape::Shape;\nuse crate::base::raise;\n
        pub fn double(a: u8) -> u8 { Shape { size: raise(a) }.size * 2 }\n
        pub fn never() -> u8 { super::super::base::raise(7) }\n",
    ),
    (
        "src/net/shape.rs",
        "pub mod deep;\npub struct Shape { pub size: u8 }\n
        impl Shape { pub fn area(&self) -> u8 { self.size * self.size + deep::DEPTH } }\n",
    ),
    (
        "src/net/shape/deep.rs",
        "use super::super::layer;\n
        pub const DEPTH: u8 = 3;\n
        pub fn through() -> u8 { layer::double(DEPTH) + super::super::super::base::raise(0) }\n",
    ),
    (
        "src/top.rs",
        "use crate::net::{self, layer, Shape};\n
        pub fn tell(a: u8) -> String {
            let shape = Shape { size: layer::double(a) };
            format!(\"{} {} {}\", shape.area(), net::say(a), crate::net::layer::double(1))
        }\n",
    ),
];

/// The program of [`FOLDERS`]. What `through` says leads over two folders.
const FOLDERS_MAIN: (&str, &str) = (
    "src/main.rs",
    "use hexbot::net::layer::double;\nuse hexbot::top;\n
    fn main() { println!(\"{} {}\", top::tell(4), double(9)); }\n",
);

#[test]
fn modules_may_lie_in_folders() {
    let folder = project("folders", &[&FOLDERS[..], &[FOLDERS_MAIN]].concat());
    let program = compile_with_library(&folder.join("src"), "hexbot", &folder);
    let said = String::from_utf8(succeed(&mut Command::new(program)).stdout).expect("UTF-8");
    assert_eq!(said, "103 14 4 20\n");
    let (short, printed) = bundled(&folder, "bundle", &[]);
    assert_eq!(printed, said, "{short}");
    assert!(
        !short.contains("mod ") && !short.contains("super"),
        "{short}"
    );
    let (readable, printed) = bundled(&folder, "bundle-playouts", &["--playouts"]);
    assert_eq!(printed, said, "{readable}");
    for kept in [
        "fn double(",
        "struct Shape",
        "/// One more.",
        "// The net.",
        "==== net::shape",
    ] {
        assert!(readable.contains(kept), "no {kept} in {readable}");
    }
    for gone in ["mod ", "fn never", "fn through", "pub ", "use crate"] {
        assert!(!readable.contains(gone), "{gone} is left in {readable}");
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
    let main =
        "use hexbot::one::{tell, Kind};\nfn main() { println!(\"{}\", tell(&Kind::Plain)); }\n";
    let files = [
        ("src/lib.rs", "pub mod one;"),
        ("src/one.rs", one.as_str()),
        ("src/one/net.rs", "pub const EXTRA: usize = 100;"),
        ("src/main.rs", main),
    ];
    let folder = project("features", &files);
    assert_eq!(bundled(&folder, "bundle", &[]).1, "else plain 141 5\n");
    let (readable, printed) = bundled(&folder, "bundle-playouts", &["--playouts"]);
    assert_eq!(printed, "plain 0 5\n", "{readable}");
    for gone in ["Seen", "seen", "EXTRA", "cfg", "Lost"] {
        assert!(!readable.contains(gone), "{gone} is left in {readable}");
    }
}

/// A function with a frequent name would stay otherwise, as names are all that is looked at.
#[test]
fn a_module_that_no_other_one_names_is_left_out() {
    let files = [
        (
            "src/lib.rs",
            "pub mod base;\npub mod used;\npub mod unused;",
        ),
        ("src/base.rs", "pub fn one() -> u8 { 1 }"),
        (
            "src/used.rs",
            "use crate::base::one;\npub fn two() -> u8 { 2 * one() }",
        ),
        (
            "src/unused.rs",
            "use crate::used::two;\npub fn count() -> u8 { 77 + two() }",
        ),
        (
            "src/main.rs",
            "use hexbot::used::two;
            fn main() { if (0..two()).count() == 2 { println!(\"done\") } }
            #[cfg(feature = \"other\")]
            fn more() { hexbot::unused::count(); }",
        ),
    ];
    let (short, printed) = bundled(&project("unnamed", &files), "bundle", &[]);
    assert_eq!(printed, "done\n");
    assert!(!short.contains("77"), "{short}");
}

#[test]
fn what_cannot_be_bundled_is_told() {
    let valid = [
        ("src/lib.rs", "pub mod one;"),
        ("src/one.rs", ""),
        ("src/main.rs", "use hexbot::one; fn main() {}"),
    ];
    let cases = [
        (("src/lib.rs", "pub mod missing;"), "src/missing.rs"),
        (("src/lib.rs", "pub fn f() {}"), "src/lib.rs holds a fn"),
        (("src/one.rs", "use std::fmt::*;"), "import of *"),
        (("src/one.rs", "use crate::two::x;"), "two"),
        (
            ("src/one.rs", "mod inner { }"),
            "one holds the module inner: give it a file",
        ),
        (("src/one.rs", "pub mod inner;"), "src/one/inner.rs"),
        (
            ("src/one.rs", "#[cfg(unix)] use std::fmt;"),
            "imports under a condition",
        ),
        (
            (
                "src/one.rs",
                "#[cfg(not(any(unix, target_arch = \"wasm32\")))] fn f() {}",
            ),
            "is not supported: use only wasm32 or not(wasm32)",
        ),
        (
            ("src/one.rs", "fn f() { use crate::one; }"),
            "import it at the top",
        ),
        (("Cargo.toml", ""), "Cargo.toml has no line version"),
    ];
    for (index, (changed, message)) in cases.into_iter().enumerate() {
        let files = [&valid[..], &[changed]].concat();
        let output = bundle(&project(&format!("broken{index}"), &files), &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "no {message:?} in {said:?}");
    }
}

/// The upload to read has no modules, so that nothing may share its name.
#[test]
fn what_cannot_be_read_without_modules_is_told() {
    let cases = [
        (
            "pub fn same() {}",
            "use hexbot::one;\nfn same() {}\nfn main() { one::same(); same(); println!(\"done\") }",
            "one: same is the name",
        ),
        (
            "",
            "use std::io::Result;\nfn main() -> Result<()> { println!(\"done\"); Ok(()) }",
            "std::io::Result is imported as",
        ),
    ];
    for (index, (one, main, message)) in cases.into_iter().enumerate() {
        let files = [
            ("src/lib.rs", "pub mod one;"),
            ("src/one.rs", one),
            ("src/main.rs", main),
        ];
        let folder = project(&format!("unreadable{index}"), &files);
        assert!(bundle(&folder, &[]).status.success());
        let output = bundle(&folder, &["--playouts"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "no {message:?} in {said:?}");
    }
}

#[test]
fn arguments_that_make_no_sense_are_told() {
    for (options, sentence) in [
        (&["--all"][..], "\"--all\" is not an argument"),
        (&["--map"], "use --wide, --playouts, --probe or --help"),
        (
            &["--playouts", "x"],
            "at most one argument is possible, not 2",
        ),
    ] {
        let output = bundle(Path::new("."), options);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(sentence), "{said}");
    }
}
