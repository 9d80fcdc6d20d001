//! Runs code that is generic over the side of the board, `Board<N>`, for a side that is known only
//! at run time: one compiled copy a side, chosen by a `match`.

/// `with_side!(side, N => expression)` evaluates the expression with the constant `N` equal to
/// `side`, for sides 1 to 21, and is `None` if and only if `side` is another number.
///
/// ```
/// use hex_tools::with_side;
/// use hexbot::cell::Cell;
/// let cells = |side: usize| with_side!(side, N => Cell::<N>::COUNT);
/// assert_eq!(cells(11), Some(121));
/// assert_eq!(cells(22), None);
/// ```
#[macro_export]
macro_rules! with_side {
    ($side:expr, $n:ident => $body:expr) => {
        $crate::with_side!(
            $side, [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21], $n => $body
        )
    };
    ($side:expr, [$($number:literal)*], $n:ident => $body:expr) => {
        match $side {
            $($number => {
                const $n: usize = $number;
                Some($body)
            })*
            _ => None,
        }
    };
}

/// The largest side that [`with_side!`](crate::with_side) knows.
pub const LARGEST_SIDE: usize = 21;
