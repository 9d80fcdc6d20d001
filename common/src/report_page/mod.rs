//! What reports as web pages have in common: one file that needs nothing else, the style of the
//! pages, and the elements of their charts. All text is escaped where it is put in.

pub mod chart;

use anyhow::{Context, Result};
use maud::{html, Markup, PreEscaped, DOCTYPE};
use std::path::Path;

/// The style of all pages.
const STYLE: &str = include_str!("page.css");

/// A whole page with this title, `style` beside that of all pages, and a `body` below its heading.
pub fn page(title: &str, heading: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body {
                header { h1 { (heading) } }
                (body)
            }
        }
    };
    page.into_string()
}

/// Writes the report of a run into its folder, as text and as a page.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, text: &str, page: &str) -> Result<()> {
    for (name, contents) in [("report.txt", text), ("report.html", page)] {
        let path = folder.join(name);
        std::fs::write(&path, contents).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
