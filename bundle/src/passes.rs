//! The passes that may be left out, so that it can be measured what each of them saves.

/// A pass that makes the upload shorter and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Drops `Debug` and debug assertions.
    Debugging,
    /// Drops what is never reached from `main`.
    DeadItems,
    /// Drops variants that are never made, and the arms for them.
    Variants,
    /// Imports what paths into std name.
    StdPaths,
    /// Gives names of std shorter ones.
    StdNames,
    /// Shortens functions, types, constants and parameters of types.
    Globals,
    /// Shortens fields.
    Fields,
    /// Shortens methods, associated items and variants.
    Members,
    /// Shortens local variables.
    Locals,
    /// Names what stands before many items.
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

/// The passes that run: all but at most one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passes {
    /// The one that does not run.
    pub skipped: Option<Pass>,
}

impl Passes {
    /// Returns true if this pass runs.
    pub fn run(self, pass: Pass) -> bool {
        self.skipped != Some(pass)
    }
}
