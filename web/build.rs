//! Lists the files in `src/page` for `src/page.rs`, so that a new file of the page needs no entry.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{stdout, Write as _};
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/page");
    let mut list = String::from("&[\n");
    for folder in ["", "local/"] {
        let entries = fs::read_dir(page.join(folder))?.collect::<Result<Vec<_>, _>>()?;
        let paths = entries.iter().map(fs::DirEntry::path);
        let mut files: Vec<_> = paths.filter(|path| path.is_file()).collect();
        files.sort();
        for path in files {
            let name = path.file_name().and_then(|name| name.to_str());
            let file = format!("{folder}{}", name.ok_or("a name is not Unicode")?);
            writeln!(
                list,
                "Asset {{ file: {file:?}, bytes: include_bytes!({path:?}) }},"
            )?;
        }
    }
    fs::write(
        Path::new(&env::var("OUT_DIR")?).join("assets.rs"),
        list + "]\n",
    )?;
    writeln!(stdout(), "cargo:rerun-if-changed=src/page")?;
    Ok(())
}
