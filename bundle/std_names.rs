//! Names that std owns. The bundler knows no types, so a name that may be std's is left alone. A name
//! that is missing here cannot do silent harm: the renamed call finds no method, and rustc says so.

/// What every file sees without an import and the bundler may meet.
pub const PRELUDE: [&str; 43] = [
    "AsMut", "AsRef", "Box", "Clone", "Copy", "Debug", "Default", "DoubleEndedIterator", "Drop", "Eq",
    "Err", "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From", "FromIterator", "Hash",
    "Into", "IntoIterator", "Iterator", "None", "Ok", "Option", "Ord", "PartialEq", "PartialOrd",
    "Result", "Send", "Sized", "Some", "String", "Sync", "ToOwned", "ToString", "TryFrom", "TryInto",
    "Vec", "align_of", "drop", "size_of", "size_of_val",
];

/// Those of the prelude that may be imported under a shorter name. `Debug` and `Hash` are left out:
/// the prelude has their derives alone.
pub const ALIASABLE: [&str; 32] = [
    "Clone", "Copy", "Default", "DoubleEndedIterator", "Eq", "Err", "ExactSizeIterator", "FromIterator",
    "IntoIterator", "Iterator", "None", "Ok", "Option", "PartialEq", "Result", "Some", "String", "Vec",
    "bool", "char", "f32", "f64", "i16", "i32", "i64", "i8", "isize", "str", "u16", "u32", "u64",
    "usize",
];

/// Those that patterns may name: no local may be called the same.
pub const VALUES: [&str; 4] = ["Err", "None", "Ok", "Some"];

/// Traits that are imported for their methods alone.
pub const METHOD_TRAITS: [&str; 8] = [
    "BufRead", "BuildHasher", "FromStr", "Hash", "Hasher", "Read", "Seek", "Write",
];

/// Rust's keywords, and the words that are keywords in some places.
pub const KEYWORDS: [&str; 45] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro_rules", "match", "mod",
    "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true",
    "try", "type", "union", "unsafe", "use", "where", "while", "yield", "box", "_",
];

/// Two-letter names that a short name must not be: a call that is std's must never be taken for ours,
/// nor ours for std's.
pub const SHORT: [&str; 20] = [
    "by", "do", "eq", "fs", "ge", "gt", "i8", "io", "le", "ln", "lt", "ne", "no", "of", "op", "or", "os",
    "rc", "u8", "vw",
];

/// The public fields of std's types.
pub const FIELDS: [&str; 2] = ["end", "start"];

/// Methods, associated items and enum variants of std's types and traits that programs like ours call.
pub const MEMBERS: &[&str] = &[
    // Numbers.
    "abs", "abs_diff", "checked_add", "checked_sub", "clamp", "count_ones", "exp", "floor", "ceil", "ln",
    "leading_zeros", "max", "min", "mul_add", "next_power_of_two", "overflowing_add", "overflowing_sub",
    "pow", "powf", "powi", "recip", "rem_euclid", "reverse_bits", "rotate_left", "rotate_right", "round",
    "saturating_add", "saturating_mul", "saturating_sub", "signum", "sqrt", "swap_bytes", "tanh",
    "to_bits", "to_le_bytes", "total_cmp", "trailing_zeros", "wrapping_add", "wrapping_add_signed",
    "wrapping_mul", "wrapping_neg", "wrapping_sub", "get", "BITS", "MAX", "MIN", "EPSILON", "INFINITY",
    "NEG_INFINITY", "NAN", "ZERO",
    // Option and Result.
    "and", "and_then", "as_deref", "as_deref_mut", "as_mut", "as_ref", "cloned", "copied", "err",
    "expect", "filter", "flatten", "insert", "is_err", "is_none", "is_none_or", "is_ok", "is_ok_and",
    "is_some", "is_some_and", "map", "map_err", "map_or", "map_or_else", "ok", "ok_or", "ok_or_else",
    "or", "or_else", "replace", "take", "then", "then_some", "unwrap", "unwrap_or", "unwrap_or_default",
    "unwrap_or_else", "xor", "zip",
    // Iterators.
    "all", "any", "by_ref", "chain", "cmp", "collect", "count", "cycle", "enumerate", "eq", "extend",
    "filter_map", "find", "find_map", "flat_map", "fold", "for_each", "from_iter", "fuse", "inspect",
    "into_iter", "iter", "iter_mut", "last", "lt", "map_while", "max_by", "max_by_key", "min_by",
    "min_by_key", "ne", "next", "next_back", "nth", "partial_cmp", "partition", "peek", "peekable",
    "position", "product", "rev", "rposition", "scan", "size_hint", "skip", "skip_while", "step_by",
    "sum", "take_while", "try_fold", "try_for_each", "unzip",
    // Slices, vectors, strings, other collections.
    "append", "array_chunks", "as_bytes", "as_flattened", "as_flattened_mut", "as_mut_ptr", "as_ptr",
    "as_slice", "as_str", "back", "binary_search", "bytes", "capacity", "char_indices", "chars",
    "chunks", "chunks_exact", "clear", "clone_from_slice", "concat", "contains", "contains_key",
    "copy_from_slice", "copy_within", "dedup", "drain", "ends_with", "entry", "fill", "first",
    "first_mut", "front", "get_mut", "get_or_insert_with", "into_bytes", "into_boxed_slice", "into_owned",
    "is_ascii", "is_ascii_digit", "is_char_boundary", "is_empty", "is_whitespace", "iter_mut", "join",
    "keys", "last_mut", "len", "lines", "make_ascii_lowercase", "parse", "pop", "pop_back", "pop_front",
    "push", "push_back", "push_front", "push_str", "read_line", "read_until", "remainder", "remove",
    "repeat", "resize", "retain", "reverse", "rfind", "sort", "sort_by", "sort_by_key", "sort_unstable",
    "sort_unstable_by", "sort_unstable_by_key", "split", "split_at", "split_at_mut", "split_first",
    "split_last", "split_off", "split_once", "split_whitespace", "starts_with", "strip_prefix",
    "strip_suffix", "swap", "swap_remove", "to_ascii_lowercase", "to_owned", "to_string", "to_vec",
    "trim", "trim_ascii", "trim_end", "trim_end_matches", "trim_start", "truncate", "values",
    "values_mut", "windows", "with_capacity", "is_sorted", "select_nth_unstable",
    // Pointers, memory, operators, conversions.
    "add", "add_assign", "as_any", "bitand", "bitor", "bitxor", "borrow", "borrow_mut", "cast", "clone",
    "clone_from", "default", "deref", "deref_mut", "div", "drop", "fmt", "from", "from_str", "hash",
    "index", "index_mut", "into", "mul", "neg", "not", "offset", "read", "rem", "set", "shl", "shr",
    "sub", "try_from", "try_into", "write", "assume_init", "uninit", "source",
    // Input, output, time, threads, hashing.
    "as_micros", "as_millis", "as_nanos", "as_secs", "as_secs_f32", "as_secs_f64", "build_hasher",
    "checked_duration_since", "duration_since", "elapsed", "finish", "flush", "from_micros",
    "from_millis", "from_secs", "load", "lock", "recv", "send", "spawn", "store", "wait", "write_all",
    "write_fmt", "write_str", "subsec_nanos", "start", "end",
    // Associated types, and variants of std's enums.
    "Err", "Error", "IntoIter", "Item", "Key", "Ok", "Output", "Owned", "Target", "Value", "None",
    "Some", "Less", "Equal", "Greater",
];
