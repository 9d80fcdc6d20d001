//! `cargo bundle` makes an upload and tests it. bundle.sh calls it.

use bundler::fail::fail;
use bundler::minify::Minified;
use bundler::trial::{self, Unit};
use bundler::upload;
use std::fs;
use std::path::Path;

const USAGE: &str = "usage: cargo bundle [--wide | --playouts | --probe]

Joins src/ and its stand-ins in one file of at most 100,000 bytes, target/bundle.rs, to paste into
CodinGame. Then compiles it with rustc to target/bundle and runs this program on the statement's examples.
RUSTC names another compiler. All names in the file are short. target/bundle.map lists them, one a line: the
kind of name or the function of a local name, the short name, the name. Look there for a name in a message
of the compiler. The file has a few long lines, so the line number in a panic's message does not help:
play the same turns with `cargo run --release` to see the place in src/.

  --wide       writes target/bundle-wide.rs, target/bundle-wide.map and the program target/bundle-wide
               instead: at most 100,000 UTF-16 code units. Its data are characters beyond ASCII of 15 bits
               each. If the site counts characters and not bytes, more fits: it has the large opening book.
  --playouts   writes target/bundle-playouts.rs and the program target/bundle-playouts instead: the bot
               without its network, with random playouts only. It has the real names, and as many comments
               as fit. It is for readers, and for judges on which the network is too slow.
  --probe      writes target/bundle-probe.rs, target/bundle-probe.map and the program target/bundle-probe
               instead: the bot without an option, which also reports facts about the judge's machine on
               standard error. docs/codingame.md explains them. It has at most 100,000 UTF-16 code units and
               more bytes, so it also shows whether the site counts bytes.

./bundle.sh does the same from any folder.";

/// The folder of build results, cargo's default.
const TARGET: &str = "target";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    go_to_root();
    match arguments[..] {
        [] => try_short("bundle", upload::short(root()), Unit::Bytes),
        ["--wide"] => try_short("bundle-wide", upload::wide(root()), Unit::Utf16),
        ["--playouts"] => {
            let source = write("bundle-playouts.rs", &upload::playouts(root()));
            trial::try_out(source.as_ref(), Unit::Bytes);
        }
        ["--probe"] => try_short("bundle-probe", upload::probe(root()), Unit::Utf16),
        ["-h" | "--help"] => println!("{USAGE}"),
        [one] => fail(&format!(
            "{one:?} is not an argument; use --wide, --playouts, --probe or --help"
        )),
        _ => fail(&format!(
            "at most one argument is possible, not {}",
            arguments.len()
        )),
    }
}

/// Makes the project's root the working folder. Cargo passes the folder of this package; without
/// cargo the program must be run in the project's root.
fn go_to_root() {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    if let Some(root) = package
        .as_deref()
        .and_then(|package| Path::new(package).parent())
    {
        let gone = std::env::set_current_dir(root);
        gone.unwrap_or_else(|error| fail(&format!("cannot go to {}: {error}", root.display())));
    }
}

/// The project's root, which is the working folder.
fn root() -> &'static Path {
    Path::new("")
}

/// Writes a short upload and its map, prints its size after each step, and tries it out.
fn try_short(name: &str, minified: Minified, unit: Unit) {
    write(&format!("{name}.map"), &minified.map);
    for (what, bytes) in minified.bytes {
        eprintln!("{bytes:7} bytes {what}");
    }
    let source = write(&format!("{name}.rs"), &minified.code);
    trial::try_out(source.as_ref(), unit);
}

/// Writes a file into the folder of build results, and returns its path.
fn write(name: &str, text: &str) -> String {
    let path = format!("{TARGET}/{name}");
    let written = fs::create_dir_all(TARGET).and_then(|()| fs::write(&path, text));
    written.unwrap_or_else(|error| fail(&format!("cannot write {path}: {error}")));
    path
}
