//! `hex man`: the manual pages, made from the texts of `--help`.

use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;

/// Print the manual page of `hex`, or write a page for each command
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write hex.1, hex-match.1 and so on into this folder instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Writes the manual of `command`, the whole of `hex`.
///
/// # Errors
/// If the output cannot be written.
pub fn run(args: Args, command: clap::Command) -> anyhow::Result<()> {
    match args.out {
        Some(folder) => {
            let place = || format!("cannot write into {}", folder.display());
            std::fs::create_dir_all(&folder).with_context(place)?;
            clap_mangen::generate_to(command, &folder).with_context(place)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(std::io::stdout().write_all(&page)?)
        }
    }
}
