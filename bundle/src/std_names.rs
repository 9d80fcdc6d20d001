//! Names of std. The bundler does not know types, so it never renames a name that may belong to
//! std. A name that is missing here cannot cause a silent fault: rustc reports that the renamed
//! method does not exist.

/// A list of names.
pub(crate) struct Words(pub(crate) &'static str);

impl Words {
    /// Returns true if this name is in the list.
    pub(crate) fn contains(&self, name: &str) -> bool {
        let ends = |at: usize| self.0.as_bytes().get(at).is_none_or(|byte| *byte == b' ');
        let starts = |at: usize| at == 0 || ends(at - 1);
        let mut found = self.0.match_indices(name);
        found.any(|(at, _)| starts(at) && ends(at + name.len()))
    }

    /// The names in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.split_whitespace()
    }
}

/// Names that need no import, as far as programs such as ours use them.
pub(crate) const PRELUDE: Words = Words(
    "align_of AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop drop Eq Err \
     ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Hash Into IntoIterator Iterator \
     None Ok Option Ord PartialEq PartialOrd Result Send size_of size_of_val Sized Some String \
     Sync ToOwned ToString TryFrom TryInto Vec",
);

/// Names of the prelude that can be imported under a shorter name. `Debug` and `Hash` are not
/// included, because the prelude has only their derives.
pub(crate) const ALIASABLE: Words = Words(
    "bool char Clone Copy Default DoubleEndedIterator Eq Err ExactSizeIterator f32 f64 \
     FromIterator i16 i32 i64 i8 IntoIterator isize Iterator None Ok Option PartialEq Result Some \
     str String u16 u32 u64 usize Vec",
);

/// Macros that can be imported under a shorter name.
pub(crate) const ALIASABLE_MACROS: Words = Words("assert format matches panic vec write writeln");

/// Names of std that are also values. A pattern may contain them, so no local variable can have the
/// same name.
pub(crate) const VALUES: Words =
    Words("AssertUnwindSafe Err None Ok PhantomData Reverse Saturating Some Wrapping");

/// Traits that are imported only for their methods.
pub(crate) const METHOD_TRAITS: Words =
    Words("BufRead BuildHasher FromStr Hash Hasher Read Seek Write");

/// Rust's keywords, and the words that are keywords only in some places.
pub(crate) const KEYWORDS: Words = Words(
    "_ as async await box break const continue crate dyn else enum extern false fn for gen if \
     impl in let loop macro_rules match mod move mut pub ref return Self self static struct super \
     trait true try type union unsafe use where while yield",
);

/// Two-letter names that a short name must not be, because calls of std's methods and of ours must
/// not be confused.
pub(crate) const SHORT: Words = Words("by do eq fs ge gt i8 io le ln lt ne of op or os rc u8");

/// The public fields of std's types.
pub(crate) const FIELDS: Words = Words("end start");

/// Methods, associated items and enum variants of std's types and traits that programs such as ours
/// use.
pub(crate) const MEMBERS: Words = Words(
    "abs abs_diff add add_assign all and and_then any append array_chunks as_any as_bytes \
     as_deref as_deref_mut as_flattened as_flattened_mut as_micros as_millis as_mut as_mut_ptr \
     as_nanos as_ptr as_ref as_secs as_secs_f32 as_secs_f64 as_slice as_str assume_init back \
     binary_search bitand bitor BITS bitxor borrow borrow_mut build_hasher by_ref bytes capacity \
     cast ceil chain char_indices chars checked_add checked_duration_since checked_sub chunks \
     chunks_exact clamp clear clone clone_from clone_from_slice cloned cmp collect concat \
     contains contains_key copied copy_from_slice copy_within count count_ones cycle dedup \
     default deref deref_mut div drain drop duration_since elapsed end ends_with entry enumerate \
     EPSILON eq Equal Err err Error exp expect extend fetch_add fetch_max fill filter filter_map find find_map finish \
     first first_mut flat_map flatten floor flush fmt fold for_each from from_iter from_micros \
     from_millis from_secs from_str front fuse get get_mut get_or_insert_with Greater hash index \
     index_mut INFINITY insert inspect into into_boxed_slice into_bytes into_iter into_owned \
     IntoIter is_ascii is_ascii_digit is_char_boundary is_empty is_err is_none is_none_or is_ok \
     is_ok_and is_some is_some_and is_sorted is_whitespace Item iter iter_mut join Key keys last \
     last_mut leading_zeros len Less lines ln load lock lt make_ascii_lowercase map map_err \
     map_or map_or_else map_while MAX max max_by max_by_key MIN min min_by min_by_key mul mul_add \
     NAN ne neg NEG_INFINITY next next_back next_power_of_two None not nth offset Ok ok ok_or \
     ok_or_else or or_else Output overflowing_add overflowing_sub Owned parse partial_cmp \
     partition peek peekable pop pop_back pop_front position pow powf powi product push push_back \
     push_front push_str read read_line read_until recip recv rem rem_euclid remainder remove \
     repeat replace resize retain rev reverse reverse_bits rfind rotate_left rotate_right round \
     rposition saturating_add saturating_mul saturating_sub scan select_nth_unstable send set shl \
     shr signum size_hint skip skip_while Some sort sort_by sort_by_key sort_unstable \
     sort_unstable_by sort_unstable_by_key source spawn split split_at split_at_mut split_first \
     split_last split_off split_once split_whitespace sqrt start starts_with step_by store \
     strip_prefix strip_suffix sub subsec_nanos sum swap swap_bytes swap_remove take take_while \
     tanh Target then then_some to_ascii_lowercase to_bits to_le_bytes to_owned to_string to_vec \
     total_cmp trailing_zeros trim trim_ascii trim_end trim_end_matches trim_start truncate \
     try_fold try_for_each try_from try_into uninit unwrap unwrap_or unwrap_or_default \
     unwrap_or_else unzip Value values values_mut wait windows with_capacity wrapping_add \
     wrapping_add_signed wrapping_mul wrapping_neg wrapping_sub write write_all write_fmt \
     write_str xor ZERO zip",
);
