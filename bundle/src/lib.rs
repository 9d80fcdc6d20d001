//! Makes the uploads from src/ and the stand-ins for its crates. `cargo bundle` runs `main`. The
//! bundler needs only std, and rustfmt for the readable upload.
//!
//! This is the map: every module imports only modules above it. The short upload passes through
//! `sources` → `tokens` → `clean` (removes code for other features) → `debugging` (removes `Debug`)
//! → `join` (one list of all modules) → `dead` (removes unreachable items) → `variants` (removes
//! unused variants) → `paths` (imports the used items of std) → `names` → `abbreviate`. `minify`
//! calls these steps. The readable upload passes through the same steps up to `dead`; then
//! `readable` writes the sources' own text of the remaining items.
//!
//! All steps work on tokens, not on a syntax tree such as `syn`'s, for three reasons. Names are
//! also shortened inside macro calls (`write!`, `assert!`), which `syn` leaves as tokens. The
//! readable upload keeps comments, which `proc-macro2` drops. The bundler decides about each space
//! in the output. So a tree would not replace the lexer, the writer and the rules on tokens. And
//! the modules that it could replace at best (`tokens`, `items`, `bindings`, `declared`, `roles`)
//! have less than a third of the bundler's lines.
//!
//! The short upload prints the same as the sources, with one exception: a failed `assert!` without
//! a message shows its condition with short names. No code prints with `Debug`, so `Debug` is
//! removed.

// Fatal errors.
pub mod fail;
// The words of Rust and std.
mod std_names;
// Rust's tokens, read and written.
pub mod tokens;
// A source without comments, for tests that look for words.
pub mod compact;
// Splits tokens into items: functions, types and so on.
mod items;
// The whole program without modules.
mod program;
// The names that a function binds.
mod bindings;
// Removes code for other features.
mod clean;
// Removes code that only helps to find mistakes.
mod debugging;
// The digits of texts in base 2¹⁵, as the upload reads them.
#[path = "../stand_ins/wide_text.rs"]
#[allow(missing_docs)] // It is part of uploads, which have no docs.
pub mod wide_text;
// Data files as text.
pub mod data;
// Expands the sources' own macros.
pub mod expand;
// Reads the source files.
pub mod sources;
// The names in format strings.
mod format_strings;
// The declarations of the program.
mod declared;
// The role of each word.
mod roles;
// Joins modules into one list.
mod join;
// Removes unreachable items.
mod dead;
// Removes variants that are never made.
mod variants;
// Replaces paths into std by imports.
mod paths;
// The supply of short names.
mod short_names;
// Short names for globals.
mod aliases;
// Renames all names of the program.
mod names;
// Macros for frequent beginnings of items.
mod abbreviate;
// The short upload.
pub mod minify;
// The readable upload.
mod readable;
// The complete uploads, with their first line.
pub mod upload;
// Tests an upload.
pub mod trial;
