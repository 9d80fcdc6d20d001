//! Makes the files to upload of src/ and the stand-ins for its crates; `main` is what `cargo
//! bundle` runs. It needs nothing but std, and rustfmt for the upload that people read.
//!
//! This is the map: every module imports only modules above it. The short upload takes the way
//! `sources` → `tokens` → `clean` (code for other features goes) → `debugging` (`Debug` goes) →
//! `join` (one list of all modules) → `dead` (what is never reached goes) → `variants` (settings
//! that are never made go) → `paths` (imports what is used of std) → `names` → `abbreviate`;
//! `minify` leads along it. The upload to read takes the same way as far as `dead`, and then
//! `readable` writes the sources' own text of what is left.
//!
//! Everything works on tokens, not on a syntax tree such as `syn`'s. Names are also shortened
//! inside macro calls (`write!`, `assert!`), which `syn` leaves as tokens; the upload to read keeps
//! comments, which `proc-macro2` drops; and each space that is written is decided here. So lexer,
//! writer and the rules on tokens would stay beside the tree.
//!
//! The short upload prints what the sources print, but the message of a failed `assert!` without
//! one of its own shows the condition with short names. Nothing prints by `Debug`, which is left
//! out.

// How the program ends when it cannot go on.
pub mod fail;
// What the words of Rust and std are.
pub mod std_names;
// Rust's tokens, read and written.
pub mod tokens;
// A source without comments, for tests that look for words.
pub mod compact;
// Functions, types and so on, cut out of tokens.
pub mod items;
// The whole program without modules.
pub mod program;
// Which names a function binds.
pub mod bindings;
// Which code the program has, by its features.
pub mod clean;
// Drops what only helps to find mistakes.
pub mod debugging;
// The digits of texts in base 2¹⁵, as the upload reads them.
#[path = "../stand_ins/wide_text.rs"]
#[allow(missing_docs)] // It is of uploads, where docs are cut off.
pub mod wide_text;
// Data files as text.
pub mod data;
// The files, with the modules in folders.
pub mod sources;
// The passes that may be left out, to measure what they save.
pub mod passes;
// The names in format strings.
pub mod format_strings;
// What the program declares.
pub mod declared;
// What each word stands for.
pub mod roles;
// Joins modules into one list.
pub mod join;
// Drops what is never reached.
pub mod dead;
// Drops variants that are never made.
pub mod variants;
// Paths into std become imports.
pub mod paths;
// The supply of short names.
pub mod short_names;
// Short names for what is known everywhere.
pub mod aliases;
// Renames everything that is ours.
pub mod names;
// Short names for what stands before many items.
pub mod abbreviate;
// The short upload.
pub mod minify;
// The upload that people read.
pub mod readable;
// Both, with their first line.
pub mod upload;
// Whether what was made is fit to be pasted.
pub mod trial;
