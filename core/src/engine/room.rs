//! The three board sizes that the search is compiled for. A board of any other side stands in the
//! corner of the smallest one that it fits (see [`hexbot::board::Board::of_side`]). There are three
//! because each copy of the search adds compile time, while a board that is much too large is slow.

/// A value for boards of one of the three sizes.
pub enum Room<S, M, L> {
    /// Up to side 11.
    Small(S),
    /// Up to side 14.
    Middle(M),
    /// Up to side 19.
    Large(L),
}

/// The sides of the three sizes, the smallest first.
pub const ROOMS: [usize; 3] = [11, 14, 19];

/// Makes the [`Room`] that boards of a side fit: `in_room_of!(side, N => value for Board<N>)`.
macro_rules! in_room_of {
    ($side:expr, $n:ident => $make:expr) => {{
        use $crate::engine::room::{Room, ROOMS};
        match $side.get() {
            side if side <= ROOMS[0] => Room::Small({
                const $n: usize = ROOMS[0];
                $make
            }),
            side if side <= ROOMS[1] => Room::Middle({
                const $n: usize = ROOMS[1];
                $make
            }),
            _ => Room::Large({
                const $n: usize = ROOMS[2];
                $make
            }),
        }
    }};
}

/// Evaluates the same expression for the value in any kind of [`Room`]: `in_room!(room, it =>
/// ...)`.
macro_rules! in_room {
    ($room:expr, $it:ident => $do:expr) => {
        match $room {
            $crate::engine::room::Room::Small($it) => $do,
            $crate::engine::room::Room::Middle($it) => $do,
            $crate::engine::room::Room::Large($it) => $do,
        }
    };
}

pub(super) use {in_room, in_room_of};
