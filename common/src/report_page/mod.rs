//! The common parts of reports as web pages: a self-contained file, the style, and the elements of
//! charts. All inserted text is escaped.

pub mod chart;

use anyhow::{Context, Result};
use hex_core::record::printable;
use maud::{html, Markup, PreEscaped, DOCTYPE};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// The style of all pages.
const STYLE: &str = include_str!("page.css");

/// A complete page with this title and heading. `style` is its CSS in addition to the style of all
/// pages; `body` is the content below the heading. Control characters are replaced.
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
    printable(&page.into_string()).into_owned()
}

/// Writes the report of a run into its folder, as `report.txt` and `report.html`.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, text: &str, page: &str) -> Result<()> {
    for (name, contents) in [("report.txt", text), ("report.html", page)] {
        let path = folder.join(name);
        fs::write(&path, contents).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Writes what a run has found, for programs, as `summary.json`. Readers find the old file or the
/// new one.
///
/// # Errors
/// If it cannot be written.
pub fn write_summary(folder: &Path, summary: &impl Serialize) -> Result<()> {
    let path = folder.join("summary.json");
    let unfinished = path.with_extension("json.new");
    let text = serde_json::to_string_pretty(summary)? + "\n";
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
    written.with_context(|| path.display().to_string())
}
