//! The drawings of `hex analyze --svg`: one file for each path, or one for a won position.

use super::PathVerdict;
use anyhow::Context;
use hex_core::draw::Drawing;
use hex_core::record::AnyBoard;
use std::path::Path;

/// Draws data set `number` into files of `folder`: `data-set-K-X.svg` and `data-set-K-O.svg` with
/// the path's cells marked, or `data-set-K.svg` if the position is won.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write(
    folder: &Path,
    number: usize,
    position: &AnyBoard,
    verdict: &PathVerdict,
) -> anyhow::Result<()> {
    let save = |name: String, drawing: Drawing| {
        let path = folder.join(name);
        std::fs::write(&path, drawing.svg())
            .with_context(|| format!("cannot write {}", path.display()))
    };
    match verdict {
        PathVerdict::Won(_) => save(format!("data-set-{number}.svg"), Drawing::new(position)),
        PathVerdict::Open(cases) => cases.iter().try_for_each(|case| {
            let drawing = case
                .path
                .iter()
                .fold(Drawing::new(position), |drawn, &point| {
                    drawn.mark(point, case.player.color())
                });
            save(
                format!("data-set-{number}-{}.svg", case.player.name()),
                drawing,
            )
        }),
    }
}
