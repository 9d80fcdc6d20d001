//! Writes an upload to standard output. It is run by bundle.sh in the project's root.

use bundler::fail::fail;
use bundler::upload;
use std::fs;
use std::path::Path;

const USAGE: &str = "usage: bundler [--map FILE | --savings | --playouts]

Writes src/ and the stand-ins for its crates as one file that a bare rustc compiles, in the project's root.
  --map FILE   writes to FILE which short name stands for which name
  --savings    tells instead how many bytes longer the file would be without each pass
  --playouts   the bot without its network, to read: real names, and comments as far as they fit";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => write_short(None),
        ["--map", file] => write_short(Some(file)),
        ["--savings"] => {
            for (pass, bytes) in upload::saved(root()) {
                println!("{bytes:7} bytes are saved by {pass:?}");
            }
        }
        ["--playouts"] => print!("{}", upload::playouts(root())),
        ["-h" | "--help"] => println!("{USAGE}"),
        _ => fail(&format!("{arguments:?} makes no sense\n\n{USAGE}")),
    }
}

/// The folder that it is run in.
fn root() -> &'static Path {
    Path::new("")
}

fn write_short(map: Option<&str>) {
    let minified = upload::short(root());
    print!("{}", minified.code);
    if let Some(path) = map {
        let written = fs::write(path, minified.map);
        written.unwrap_or_else(|error| fail(&format!("cannot write {path}: {error}")));
    }
    for (what, bytes) in minified.bytes {
        eprintln!("{bytes:7} bytes {what}");
    }
}
