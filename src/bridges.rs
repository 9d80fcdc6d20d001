//! Bridges: pairs of empty cells that join two groups of stones, or a group and an edge. One cell
//! of a pair is enough: if the opponent takes one, the player takes the other.
//!
//! ```text
//!   stone to stone:  o a       stone to edge:  a b   (first row)
//!                     b o                       o    (second row)
//! ```
//!
//! Bridges without a common cell all hold at the same time, no matter who moves. If they and the
//! stones join a player's edges, that player has certainly won. [`Bridges::winner`] is this proof,
//! many moves before the last stone. It is Shannon's pairing strategy on the pairs found here.
//! Without such a chain of bridges nothing is proven.
//!
//! There are also third-row pairs, only for playouts: the two cells between a stone on the third
//! row and its edge. With either cell the stone has a bridge to the edge, as long as the first row
//! is free. They are not edge templates, because an intrusion on the first row breaks them.

use crate::board::Board;
use crate::cell::{Cell, Color, Direction};
use crate::cell_set::CellSet;
use crate::groups::{Edges, Groups};
use smallvec::SmallVec;

/// Two empty cells. Either is enough.
pub type Pair<const N: usize> = [Cell<N>; 2];

/// For both colours, bridges that share no cell. Each joins two groups, or a group and an edge,
/// that the earlier ones did not join.
pub struct Bridges<const N: usize> {
    pairs: [SmallVec<[Pair<N>; 32]>; 2],
    /// Not part of the proof; see [`Bridges::third_row_pairs`].
    third_row_pairs: [SmallVec<[Pair<N>; 32]>; 2],
    winner: Option<Color>,
}

impl<const N: usize> Bridges<N> {
    /// No bridges, and a winner only if the stones on `board` have won.
    pub fn none(board: &Board<N>) -> Self {
        Bridges {
            pairs: Default::default(),
            third_row_pairs: Default::default(),
            winner: board.winner(),
        }
    }

    /// Finds the bridges of `board`, O(N²). If two overlap, the one found first is kept. `order`,
    /// any number, decides which kind is found first.
    #[inline(always)]
    pub fn new(board: &Board<N>, order: usize) -> Self {
        let mut bridges = Self::none(board);
        for color in Color::ALL {
            if bridges.winner.is_none() {
                bridges.add_bridges(board, color, order);
            }
        }
        bridges
    }

    /// The bridges found for `color`, disjoint from each other, but not from the opponent's.
    pub fn pairs(&self, color: Color) -> &[Pair<N>] {
        &self.pairs[color.index()]
    }

    /// The third-row pairs of `color`, see the head of this file. Disjoint from each other and from
    /// [`pairs`](Self::pairs).
    pub fn third_row_pairs(&self, color: Color) -> &[Pair<N>] {
        &self.third_row_pairs[color.index()]
    }

    /// The proven winner, no matter who moves next; `None` if nothing is proven.
    pub fn winner(&self) -> Option<Color> {
        self.winner
    }

    #[inline(always)]
    fn add_bridges(&mut self, board: &Board<N>, color: Color, order: usize) {
        let (own, empty) = (board.stones(color), board.empty_cells());
        let mut free = empty;
        let mut groups = board.groups();
        for turn in 0..Shape::OF[color.index()].len() {
            let shape = &Shape::OF[color.index()][(turn + order) % Shape::OF[color.index()].len()];
            for stone in shape.stones(own, empty).iter() {
                let pair = [shape.first, shape.first.next()].map(|to| stone.neighbor(to));
                let [Some(a), Some(b)] = pair else { continue };
                if !(free.contains(a) && free.contains(b)) {
                    continue;
                }
                let Some(edges) = shape.join(&mut groups, stone) else {
                    continue;
                };
                free.remove(a);
                free.remove(b);
                self.pairs[color.index()].push([a, b]);
                if edges.join(color) {
                    self.winner = Some(color);
                }
            }
        }
        self.add_third_row_pairs(own, free, groups, color);
    }

    /// Finds the third-row pairs, on cells that no bridge needs.
    #[inline(always)]
    fn add_third_row_pairs(
        &mut self,
        own: CellSet<N>,
        mut free: CellSet<N>,
        mut groups: Groups<N>,
        color: Color,
    ) {
        for shape in &Shape::OF[color.index()] {
            let Far::Edge(edge) = shape.far else { continue };
            for stone in shape.third_row_stones(own, free, edge).iter() {
                let pair = [shape.first, shape.first.next()].map(|to| stone.neighbor(to));
                let [Some(a), Some(b)] = pair else { continue };
                let is_free = free.contains(a) && free.contains(b);
                if is_free && !groups.edges(stone).include(edge) {
                    free.remove(a);
                    free.remove(b);
                    groups.touch(stone, edge);
                    self.third_row_pairs[color.index()].push([a, b]);
                }
            }
        }
    }
}

/// A kind of bridge: its pair lies in the directions `first` and `first.next()` from a stone.
struct Shape {
    first: Direction,
    far: Far,
}

/// The other end of a bridge.
enum Far {
    /// The stone one step away in each of the two directions.
    Stone,
    /// The edge that both cells of the pair lie on.
    Edge(Edges),
}

impl Shape {
    /// The kinds for each colour. A bridge between stones is listed only from one end.
    const OF: [[Shape; 5]; 2] = [Self::of(Color::Red), Self::of(Color::Blue)];

    const fn of(color: Color) -> [Shape; 5] {
        let (start, end) = match color {
            Color::Red => (Direction::North, Direction::South),
            Color::Blue => (Direction::SouthWest, Direction::NorthEast),
        };
        [
            Shape {
                first: Direction::East,
                far: Far::Stone,
            },
            Shape {
                first: start,
                far: Far::Edge(Edges::start(color)),
            },
            Shape {
                first: Direction::South,
                far: Far::Stone,
            },
            Shape {
                first: end,
                far: Far::Edge(Edges::end(color)),
            },
            Shape {
                first: Direction::SouthWest,
                far: Far::Stone,
            },
        ]
    }

    /// The directions from the cells of the pair back to the stone.
    #[inline(always)]
    fn directions_back(&self) -> [Direction; 2] {
        [self.first, self.first.next()].map(Direction::opposite)
    }

    /// The stones from which a bridge of this kind starts.
    #[inline(always)]
    fn stones<const N: usize>(&self, own: CellSet<N>, empty: CellSet<N>) -> CellSet<N> {
        let [back, back_too] = self.directions_back();
        let near = own & empty.stepped(back) & empty.stepped(back_too);
        match self.far {
            Far::Stone => near & own.stepped(back).stepped(back_too),
            Far::Edge(edge) => near & row_from_edge(edge, 1),
        }
    }

    /// The stones on the third row whose five cells towards the edge are all free.
    #[inline(always)]
    fn third_row_stones<const N: usize>(
        &self,
        own: CellSet<N>,
        free: CellSet<N>,
        edge: Edges,
    ) -> CellSet<N> {
        let [back, back_too] = self.directions_back();
        // The cells with a free neighbour in the direction `first`, and in `first.next()`.
        let (before, before_too) = (free.stepped(back), free.stepped(back_too));
        let second_row = before & before_too;
        let first_row =
            before.stepped(back) & before.stepped(back_too) & before_too.stepped(back_too);
        own & row_from_edge(edge, 2) & second_row & first_row
    }

    /// Joins the ends of the bridge; `None` if they are joined already.
    #[inline(always)]
    fn join<const N: usize>(&self, groups: &mut Groups<N>, stone: Cell<N>) -> Option<Edges> {
        match self.far {
            Far::Stone => {
                let far = stone.neighbor(self.first)?.neighbor(self.first.next())?;
                (groups.find(stone) != groups.find(far)).then(|| groups.merge(stone, far))
            }
            Far::Edge(edge) => {
                (!groups.edges(stone).include(edge)).then(|| groups.touch(stone, edge))
            }
        }
    }
}

/// The row or column `row` steps away from `edge`; empty if the board is too small.
#[inline(always)]
fn row_from_edge<const N: usize>(edge: Edges, row: usize) -> CellSet<N> {
    match edge {
        _ if N <= row => CellSet::EMPTY,
        Edges::TOP => CellSet::row(row),
        Edges::BOTTOM => CellSet::row(N - 1 - row),
        Edges::LEFT => CellSet::col(row),
        _ => CellSet::col(N - 1 - row),
    }
}
