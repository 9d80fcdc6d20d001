//! Bridges: pairs of empty cells of which a player needs only one to join two groups of stones, or
//! a group and an edge. If the opponent takes one of the pair, the player takes the other.
//!
//! ```text
//!   stone to stone:  o a       stone to edge:  a b   (first row)
//!                     b o                       o    (second row)
//! ```
//!
//! Bridges whose pairs have no cell in common hold all at once, whoever moves. If they and the
//! stones join a player's edges, that player has won for certain: that is the proof which
//! [`Bridges::winner`] gives, many moves before the last stone is placed. It is Shannon's pairing
//! strategy on the pairs found here; a missing bridge proves nothing.
//!
//! Beside bridges there are third-row pairs, for playouts alone: the two cells before a stone on
//! the third row. With either of them the stone has a bridge to the edge, as long as the first row
//! has room. They are no edge templates: an intrusion on the first row breaks them.

use crate::board::Board;
use crate::cell::{Cell, Color, Direction};
use crate::cell_set::CellSet;
use crate::groups::{Edges, Groups};
use smallvec::SmallVec;

/// Two empty cells of which one suffices.
pub type Pair<const N: usize> = [Cell<N>; 2];

/// For both colours, bridges that share no cell and each join two groups, or a group and an edge,
/// that the earlier ones left apart.
pub struct Bridges<const N: usize> {
    pairs: [SmallVec<[Pair<N>; 32]>; 2],
    /// Prove nothing; see [`Bridges::third_row_pairs`].
    third_row_pairs: [SmallVec<[Pair<N>; 32]>; 2],
    winner: Option<Color>,
}

impl<const N: usize> Bridges<N> {
    /// No bridges, and no proof but the stones on `board`.
    pub fn none(board: &Board<N>) -> Self {
        Bridges {
            pairs: Default::default(),
            third_row_pairs: Default::default(),
            winner: board.winner(),
        }
    }

    /// Finds the bridges of `board`, at a cost of O(N²). Where two overlap the one met first is
    /// kept; `order`, any number, decides which kind is met first.
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

    /// The bridges found for `color`, disjoint among themselves (not from the opponent's).
    pub fn pairs(&self, color: Color) -> &[Pair<N>] {
        &self.pairs[color.index()]
    }

    /// Pairs in front of `color`'s stones on the third row: with either cell, and room left on the
    /// first row, the stone has a bridge to its edge. Disjoint from each other and from
    /// [`pairs`](Self::pairs), but no proof: an intrusion on the first row breaks the connection.
    pub fn third_row_pairs(&self, color: Color) -> &[Pair<N>] {
        &self.third_row_pairs[color.index()]
    }

    /// Who has won for certain, whoever moves next; `None` if nothing is proven.
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

    /// Finds the pairs in front of stones on the third row, on cells that no bridge needs.
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

/// What the bridge joins the stone with.
enum Far {
    /// The stone one step in each of the two directions away.
    Stone,
    /// The edge that both cells of the pair lie on.
    Edge(Edges),
}

impl Shape {
    /// The kinds for each colour. A bridge between stones is listed from one of its ends only.
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

    /// The stones on the third row with all five cells free that lie between them and the edge.
    #[inline(always)]
    fn third_row_stones<const N: usize>(
        &self,
        own: CellSet<N>,
        free: CellSet<N>,
        edge: Edges,
    ) -> CellSet<N> {
        let [back, back_too] = self.directions_back();
        // The cells from which a free one lies in the direction `first`, and in `first.next()`.
        let (before, before_too) = (free.stepped(back), free.stepped(back_too));
        let second_row = before & before_too;
        let first_row =
            before.stepped(back) & before.stepped(back_too) & before_too.stepped(back_too);
        own & row_from_edge(edge, 2) & second_row & first_row
    }

    /// Joins what the bridge joins; `None` if it is joined already.
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

/// The row or column that lies `row` steps away from `edge`; empty where the board is too small.
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
