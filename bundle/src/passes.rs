//! The passes that can be skipped, to measure how many bytes each of them saves.

/// A pass that only makes the upload shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Removes `Debug` and debug assertions.
    Debugging,
    /// Removes items that are not reachable from `main`.
    DeadItems,
    /// Removes variants that are never made, and the arms for them.
    Variants,
    /// Replaces paths into std by imports.
    StdPaths,
    /// Imports names of std under shorter names.
    StdNames,
    /// Shortens the names of functions, types, constants and generic parameters.
    Globals,
    /// Shortens the names of fields.
    Fields,
    /// Shortens the names of methods, associated items and variants.
    Members,
    /// Shortens the names of local variables.
    Locals,
    /// Replaces frequent beginnings of items by macros.
    Heads,
}

impl Pass {
    /// All of them, in the order in which they run.
    pub const ALL: [Pass; 10] = [
        Pass::Debugging,
        Pass::DeadItems,
        Pass::Variants,
        Pass::StdPaths,
        Pass::StdNames,
        Pass::Globals,
        Pass::Fields,
        Pass::Members,
        Pass::Locals,
        Pass::Heads,
    ];
}

/// The passes that run: all, or all except one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passes {
    /// The skipped pass.
    pub(crate) skipped: Option<Pass>,
}

impl Passes {
    /// Returns true if this pass runs.
    pub(crate) fn run(self, pass: Pass) -> bool {
        self.skipped != Some(pass)
    }
}
