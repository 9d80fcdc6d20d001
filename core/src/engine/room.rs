//! How much room boards have on which the search is compiled. A board of any side stands in the
//! corner of the smallest of them that has room for it (see [`hexbot::board::Board::of_side`]): a
//! copy of the search takes long to compile, and one that is much too large is slow.

/// Something for boards of one of the three sizes.
pub enum Room<S, M, L> {
    /// Up to side 11.
    Small(S),
    /// Up to side 14.
    Middle(M),
    /// Up to side 19.
    Large(L),
}

/// The sides of the boards, the smallest first.
pub const ROOMS: [usize; 3] = [11, 14, 19];

/// Makes a [`Room`] for boards of a side: `in_room_of!(side, N => value for boards of side N)`.
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

/// Does the same with the value in each kind of [`Room`]: `in_room!(room, it => value)`.
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
