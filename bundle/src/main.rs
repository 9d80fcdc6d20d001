//! `cargo bundle` makes an upload and tries it; bundle.sh calls it.

use bundler::fail::fail;
use bundler::minify::Minified;
use bundler::trial::{self, Unit};
use bundler::upload;
use std::fs;
use std::path::Path;

const USAGE: &str = "usage: cargo bundle [--wide | --playouts | --savings]

Writes target/bundle.rs, src/ and its stand-ins as one file of at most 100,000 bytes to paste into
CodinGame, compiles it with a bare rustc (RUSTC names another one) to target/bundle and tries it on the
statement's examples. All names in it are short. target/bundle.map tells what they stand for, a line each:
the kind of name or the function it is local to, the short name, the name; look there for what a message
of the compiler names. The file has a few long lines, so the line number in a panic's message tells
little: play the same turns through `cargo run --release` to see the place in src/.

  --wide       target/bundle-wide.rs instead, the map target/bundle-wide.map and the program target/bundle-wide:
               at most 100,000 UTF-16 code units, in which data are characters beyond ASCII of 15 bits each.
               More fits in so, if the site counts characters and not bytes.
  --playouts   target/bundle-playouts.rs instead, and the program target/bundle-playouts: the bot without
               its network, evaluated by random playouts alone; with real names, and comments as far as they
               fit. It is there to be read, and for judges on which the network is too slow.
  --savings    writes nothing, and prints how many bytes longer the file would be without each pass

./bundle.sh does the same from any folder.";

/// The folder of all that is built, where cargo has it by default.
const TARGET: &str = "target";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    go_to_root();
    match arguments[..] {
        [] => {
            let source = write_short("bundle", upload::short(root()));
            trial::try_out(source.as_ref(), Unit::Bytes);
        }
        ["--wide"] => {
            let source = write_short("bundle-wide", upload::wide(root()));
            trial::try_out(source.as_ref(), Unit::Utf16);
        }
        ["--playouts"] => {
            let source = write("bundle-playouts.rs", &upload::playouts(root()));
            trial::try_out(source.as_ref(), Unit::Bytes);
        }
        ["--savings"] => {
            for (pass, bytes) in upload::saved(root()) {
                println!("{bytes:7} bytes are saved by {pass:?}");
            }
        }
        ["-h" | "--help"] => println!("{USAGE}"),
        [one] => fail(&format!(
            "{one:?} is no argument: there are --wide, --playouts, --savings and --help"
        )),
        _ => fail(&format!(
            "at most one argument is taken, not {}",
            arguments.len()
        )),
    }
}

/// Cargo tells where this package lies; without it the program is run in the project's root.
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

/// The project's root, in which we are.
fn root() -> &'static Path {
    Path::new("")
}

/// Writes a short upload and its map, and prints how its bytes are spent. Returns its path.
fn write_short(name: &str, minified: Minified) -> String {
    write(&format!("{name}.map"), &minified.map);
    for (what, bytes) in minified.bytes {
        eprintln!("{bytes:7} bytes {what}");
    }
    write(&format!("{name}.rs"), &minified.code)
}

/// Writes a file into the folder of what is built, and returns its path.
fn write(name: &str, text: &str) -> String {
    let path = format!("{TARGET}/{name}");
    let written = fs::create_dir_all(TARGET).and_then(|()| fs::write(&path, text));
    written.unwrap_or_else(|error| fail(&format!("cannot write {path}: {error}")));
    path
}
