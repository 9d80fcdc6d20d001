//! `hex completions`: scripts that let a shell complete the command's words.

use clap_complete::Shell;

/// Print a script that makes a shell complete the words of `hex`
///
/// For bash: `hex completions bash > ~/.local/share/bash-completion/completions/hex`
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script for `command`, the whole of `hex`.
///
/// # Errors
/// If nothing can be written.
pub fn run(args: Args, mut command: clap::Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hex", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(())
}
