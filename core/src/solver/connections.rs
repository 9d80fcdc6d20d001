//! What joins one colour's edges, by H-search (Anshelevich, *A hierarchical approach to computer
//! Hex*, 2002): connections are built from smaller ones by two rules, starting at the edges.
//!
//! A connection between two things, each a cell, a group of stones or an edge, is a set of empty
//! cells, its carrier. It is *full* if its owner joins the two in it whoever moves, *semi* if its
//! owner has to move first.
//!
//! * *And*: two full connections that meet at a vertex between and share no cell make one between
//!   their far ends: a full one if a group is between, a semi one if an empty cell is, whose
//!   carrier holds that cell too.
//! * *Or*: semi connections of the same two ends, of which no cell is in all, make a full one:
//!   whatever the opponent takes, one of them is left.
//!
//! To be cheap enough for every position of a search, only connections with an edge are built, step
//! by step: each step of the *and* rule adds an adjacency or a pair of common neighbours. What both
//! edges are connected with joins the edges.

use super::set::Set;
use smallvec::SmallVec;

/// The most full connections kept of a vertex with an edge: those with the fewest cells.
const MAX_FULL: usize = 10;

/// The most semi connections kept of a vertex with an edge.
const MAX_SEMI: usize = 20;

/// The most semi connections of the edges with each other.
const MAX_THREATS: usize = 64;

/// The most semi connections that the *or* rule takes together.
const MAX_JOINED: usize = 4;

/// A cell, a group or an edge, by what it touches.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// The cell itself; empty for stones and edges.
    own: Set,
    /// The empty cells that are adjacent to it.
    touches: Set,
}

/// The carriers of a vertex's connections with an edge. No one contains another of its kind; those
/// of few cells come first.
#[derive(Clone, Debug, Default)]
struct LinkedCells {
    full: SmallVec<[Set; MAX_FULL]>,
    semi: SmallVec<[Set; MAX_SEMI]>,
}

/// How one colour's edges are joined.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    /// The carrier of a full connection of the edges, if one was found.
    pub full: Option<Set>,
    /// The carriers of semi connections of the edges.
    pub semi: Vec<Set>,
}

impl Connections {
    /// Those of a colour whose edges touch `start` and `end`, whose groups touch `groups`, and to
    /// whose stones the `cells` would be adjacent to what is given with each.
    pub fn find(start: Set, end: Set, groups: &[Set], cells: &[(usize, Set)]) -> Connections {
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

/// What is connected with one edge.
struct Reached<'a> {
    vertices: &'a [Vertex],
    /// For each vertex, and last for the other edge.
    links: Vec<LinkedCells>,
    other_edge: Vertex,
    /// Full connections that are still to be led on, by the number of their cells.
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
        // A group is connected with the edge by a pair of cells that both touch.
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

    /// Leads all connections on, those of few cells first: what comes of one has no fewer.
    fn lead_on(&mut self) {
        let mut size = 0;
        while size < self.waiting.len() {
            match self.waiting[size].pop() {
                None => size += 1,
                // Those that were displaced meanwhile are not led on.
                Some((at, carrier)) if self.links[at].full.contains(&carrier) => {
                    self.lead_on_from(at, carrier);
                }
                Some(_) => {}
            }
        }
    }

    /// The *and* rule, with all vertices that are adjacent or have two neighbours in common.
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

/// Puts a carrier among others unless one of them is within it, and takes out those that it is
/// within. Returns whether it is there.
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

/// The *or* rule: unions of up to `more` of the carriers with those whose cells in common are
/// `common` and whose union is `union`, if no cell is in all.
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
