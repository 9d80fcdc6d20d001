//! The connections between one colour's edges, by H-search (Anshelevich, *A hierarchical approach
//! to computer Hex*, 2002). Two rules build connections from smaller ones, starting at the edges.
//!
//! A connection joins two vertices, each a cell, a group of stones or an edge, within a set of
//! empty cells, its carrier. It is *full* if its owner can join the two no matter who moves, *semi*
//! if its owner has to move first.
//!
//! * *And*: two full connections that share a vertex and no cell make a connection of their far
//!   ends. It is full if the shared vertex is a group. It is semi if the vertex is an empty cell,
//!   and then its carrier contains that cell too.
//! * *Or*: semi connections of the same two ends make a full one if no cell is in all of them:
//!   after any move of the opponent one of them is left.
//!
//! To be cheap enough for every position of a search, we build only connections with an edge, and
//! each step of the *and* rule adds only an adjacency or a pair of common neighbours. A vertex that
//! is connected with both edges joins them.

use super::set::Set;
use smallvec::SmallVec;

/// How many full connections of a vertex with an edge are kept, the ones with the fewest cells.
const MAX_FULL: usize = 10;

/// How many semi connections of a vertex with an edge are kept.
const MAX_SEMI: usize = 20;

/// How many semi connections of the two edges are kept.
const MAX_THREATS: usize = 64;

/// How many semi connections the *or* rule combines at most.
const MAX_JOINED: usize = 4;

/// A cell, a group or an edge, described by the cells that it touches.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// The cell itself; empty for stones and edges.
    own: Set,
    /// The empty cells that are adjacent to it.
    touches: Set,
}

/// The carriers of a vertex's connections with an edge, those with few cells first. No carrier
/// contains another one of its kind.
#[derive(Clone, Debug, Default)]
struct LinkedCells {
    full: SmallVec<[Set; MAX_FULL]>,
    semi: SmallVec<[Set; MAX_SEMI]>,
}

/// The connections between one colour's edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections {
    /// The carrier of a full connection of the edges, if one was found.
    pub(crate) full: Option<Set>,
    /// The carriers of semi connections of the edges.
    pub(crate) semi: Vec<Set>,
}

impl Connections {
    /// Finds the connections of a colour. `start` and `end` are the cells that its edges touch, and
    /// `groups` those that each of its groups touches. `cells` are the empty cells, each with the
    /// cells that a stone of the colour on it would be connected with.
    pub(crate) fn find(
        start: Set,
        end: Set,
        groups: &[Set],
        cells: &[(usize, Set)],
    ) -> Connections {
        let cells = cells.iter().map(|&(cell, touches)| Vertex {
            own: Set::of(cell),
            touches,
        });
        let stones = groups.iter().map(|&touches| Vertex {
            own: Set::EMPTY,
            touches,
        });
        let vertices: Vec<Vertex> = cells.chain(stones).collect();
        let from_start = Reached::new(start, end, &vertices);
        let from_end = Reached::new(end, start, &vertices);
        let mut links = LinkedCells::default();
        for reached in [&from_start, &from_end] {
            let other = &reached.links[vertices.len()];
            links.full.extend(other.full.iter().copied());
            for &semi in &other.semi {
                insert(&mut links.semi, semi, MAX_THREATS);
            }
        }
        for (at, vertex) in vertices.iter().enumerate() {
            for &near in &from_start.links[at].full {
                for &far in &from_end.links[at].full {
                    if !(near & far).is_empty() {
                        continue;
                    }
                    if vertex.own.is_empty() {
                        links.full.push(near | far);
                    } else {
                        insert(&mut links.semi, near | far | vertex.own, MAX_THREATS);
                    }
                }
            }
        }
        Connections {
            full: links
                .full
                .iter()
                .copied()
                .min_by_key(|carrier| carrier.len()),
            semi: links.semi.to_vec(),
        }
    }
}

/// The vertices that are connected with one edge.
struct Reached<'a> {
    vertices: &'a [Vertex],
    /// The connections of each vertex, and last those of the other edge.
    links: Vec<LinkedCells>,
    other_edge: Vertex,
    /// Full connections that are still to be extended, by the number of their cells.
    waiting: Vec<Vec<(usize, Set)>>,
}

impl<'a> Reached<'a> {
    fn new(edge: Set, other: Set, vertices: &'a [Vertex]) -> Self {
        let mut reached = Reached {
            vertices,
            links: vec![LinkedCells::default(); vertices.len() + 1],
            other_edge: Vertex {
                own: Set::EMPTY,
                touches: other,
            },
            waiting: vec![Vec::new()],
        };
        for (at, vertex) in vertices.iter().enumerate() {
            if !(vertex.own & edge).is_empty() {
                reached.add_full(at, Set::EMPTY);
            }
        }
        // A group is connected with the edge by two cells that touch both.
        for (at, vertex) in vertices.iter().enumerate() {
            if vertex.own.is_empty() {
                if let Some(pair) = (vertex.touches & edge).pair() {
                    reached.add_full(at, pair);
                }
            }
        }
        if let Some(pair) = (other & edge).pair() {
            reached.add_full(vertices.len(), pair);
        }
        reached.lead_on();
        reached
    }

    fn vertex(&self, at: usize) -> Vertex {
        self.vertices.get(at).copied().unwrap_or(self.other_edge)
    }

    /// Extends all connections, those with few cells first: an extension has at least as many
    /// cells.
    fn lead_on(&mut self) {
        let mut size = 0;
        while size < self.waiting.len() {
            match self.waiting[size].pop() {
                None => size += 1,
                // A connection that was displaced meanwhile is not extended.
                Some((at, carrier)) if self.links[at].full.contains(&carrier) => {
                    self.lead_on_from(at, carrier);
                }
                Some(_) => {}
            }
        }
    }

    /// Applies the *and* rule to all vertices that are adjacent or have two neighbours in common.
    fn lead_on_from(&mut self, from: usize, carrier: Set) {
        if from == self.vertices.len() {
            return;
        }
        let between = self.vertex(from);
        for to in 0..=self.vertices.len() {
            let vertex = self.vertex(to);
            if to == from || !(vertex.own & carrier).is_empty() {
                continue;
            }
            let is_adjacent = !(vertex.touches & between.own).is_empty()
                || !(between.touches & vertex.own).is_empty();
            let step = if is_adjacent {
                Set::EMPTY
            } else {
                let common = vertex.touches & between.touches;
                match (common - carrier - vertex.own - between.own).pair() {
                    Some(pair) => pair,
                    None => continue,
                }
            };
            let joined = carrier | step | between.own;
            if between.own.is_empty() {
                self.add_full(to, joined);
            } else {
                self.add_semi(to, joined);
            }
        }
    }

    fn add_full(&mut self, at: usize, carrier: Set) {
        if insert(&mut self.links[at].full, carrier, MAX_FULL) {
            let size = carrier.len();
            if self.waiting.len() <= size {
                self.waiting.resize(size + 1, Vec::new());
            }
            self.waiting[size].push((at, carrier));
        }
    }

    fn add_semi(&mut self, at: usize, carrier: Set) {
        let links = &mut self.links[at];
        if links.full.iter().any(|full| (*full - carrier).is_empty()) {
            return;
        }
        if insert(&mut links.semi, carrier, MAX_SEMI) {
            let semi = links.semi.clone();
            let mut found = SmallVec::<[Set; 8]>::new();
            join(&semi, carrier, carrier, MAX_JOINED - 1, &mut found);
            for full in found {
                self.add_full(at, full);
            }
        }
    }
}

/// Inserts a carrier unless it contains one of the others, and removes those that contain it. At
/// most `most` are kept, the smallest first. Returns true if the new carrier is among them.
fn insert<A: smallvec::Array<Item = Set>>(
    carriers: &mut SmallVec<A>,
    new: Set,
    most: usize,
) -> bool {
    if carriers.iter().any(|old| (*old - new).is_empty()) {
        return false;
    }
    carriers.retain(|old| !(new - *old).is_empty());
    let at = carriers.partition_point(|old| old.len() <= new.len());
    if at >= most {
        return false;
    }
    carriers.insert(at, new);
    carriers.truncate(most);
    true
}

/// The *or* rule. Some carriers have been chosen already, with intersection `common` and union
/// `union`. Adds up to `more` of `carriers`, and stores each union in `found` whose carriers have
/// no common cell.
fn join(carriers: &[Set], common: Set, union: Set, more: usize, found: &mut SmallVec<[Set; 8]>) {
    for (at, &carrier) in carriers.iter().enumerate() {
        let left = common & carrier;
        if left == common {
            continue;
        }
        if left.is_empty() {
            found.push(union | carrier);
        } else if more > 1 {
            join(&carriers[at + 1..], left, union | carrier, more - 1, found);
        }
    }
}
