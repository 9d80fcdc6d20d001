//! `hex completions`: scripts for the completion of the command's words in a shell.

use clap_complete::Shell;

/// Print a script for a shell to complete the words of `hex`
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
/// If the output is closed.
pub fn run(args: Args, mut command: clap::Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hex", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(())
}
