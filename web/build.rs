//! Lists the files in `src/page` for `src/page.rs`, so that a new file of the page needs no entry.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("src/page");
    let mut list = String::from("&[\n");
    for folder in ["", "local/"] {
        let entries = fs::read_dir(page.join(folder)).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("it is readable").path());
        let mut files: Vec<_> = paths.filter(|path| path.is_file()).collect();
        files.sort();
        for path in files {
            let name = path.file_name().and_then(|name| name.to_str());
            let file = format!("{folder}{}", name.expect("names are ASCII"));
            writeln!(
                list,
                "Asset {{ file: {file:?}, bytes: include_bytes!({path:?}) }},"
            )
            .expect("a String takes everything");
        }
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("assets.rs"), list + "]\n").expect("cargo made the folder");
    println!("cargo:rerun-if-changed=src/page");
}
