//! The list of commands in `hex --help`, in groups with headings. clap has headings only for
//! options, so the list is a part of the help's template.

use clap::Command;
use std::fmt::Write;

/// The command with `headings` in the list of its subcommands, each above its subcommand.
///
/// The list is not wrapped to the terminal's width.
pub fn with_headings(command: Command, headings: &[(&str, &str)]) -> Command {
    let (header, literal) = (
        command.get_styles().get_header(),
        command.get_styles().get_literal(),
    );
    let names = command.get_subcommands().map(Command::get_name);
    let width = names.map(str::len).max().unwrap_or(0);
    let mut list = String::new();
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        let mut lines = |text: std::fmt::Arguments| writeln!(list, "{text}").expect("a string");
        if let Some((_, heading)) = headings.iter().find(|(first, _)| *first == name) {
            lines(format_args!("\n{header}{heading}:{header:#}"));
        }
        let about = subcommand.get_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        lines(format_args!("  {literal}{name:width$}{literal:#}  {about}"));
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\n\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}
