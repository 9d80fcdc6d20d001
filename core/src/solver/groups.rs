//! One colour's stones in a solver: groups, described by the empty cells that they touch, and the
//! links that certainly join them.

use super::set::Set;
use smallvec::SmallVec;

/// The groups of one colour. The edge where its connection starts and the one where it ends are
/// groups too, together with the stones that touch them.
#[derive(Clone, Debug)]
pub(crate) struct ColorGroups {
    start: Set,
    end: Set,
    /// The groups on no edge. Groups that touch fewer than two cells are left out, because no path
    /// goes through them.
    others: SmallVec<[Set; 12]>,
    joined: bool,
}

/// The edges that a group of stones touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// Neither.
    NoEdge,
    /// The edge where the connection starts.
    Start,
    /// The edge where the connection ends.
    End,
    /// Both: the colour has won.
    BothEdges,
}

impl ColorGroups {
    /// The two edges, described by the cells that they touch, without stones.
    pub(crate) fn of_edges(start: Set, end: Set) -> Self {
        ColorGroups {
            start,
            end,
            others: SmallVec::new(),
            joined: false,
        }
    }

    /// Adds the groups of the colour's stones, each with the cells and the edges that it touches.
    pub(crate) fn with(mut self, groups: impl IntoIterator<Item = (Set, Contact)>) -> Self {
        for (touches, contact) in groups {
            match contact {
                Contact::NoEdge if touches.has_two() => self.others.push(touches),
                Contact::NoEdge => {}
                Contact::Start => self.start |= touches,
                Contact::End => self.end |= touches,
                Contact::BothEdges => {
                    self.start |= touches;
                    self.end |= touches;
                    self.joined = true;
                }
            }
        }
        self
    }

    /// Returns true if the colour's edges are joined.
    pub(crate) fn joined(&self) -> bool {
        self.joined
    }

    /// The cells that the starting edge touches.
    pub(crate) fn start(&self) -> Set {
        self.start
    }

    /// The cells that the ending edge touches.
    pub(crate) fn end(&self) -> Set {
        self.end
    }

    /// For each group on no edge, the cells that it touches.
    pub(crate) fn others(&self) -> &[Set] {
        &self.others
    }

    /// The cells that a stone on `cell` would be connected with: its empty neighbours `around`, and
    /// the cells that adjacent groups touch. The edges do not count.
    pub(crate) fn neighbors(&self, cell: usize, around: Set) -> Set {
        let groups = self.others.iter().filter(|group| group.contains(cell));
        groups.fold(around, |all, &group| all | group)
    }

    /// Adds a stone of the colour on `cell`, with the empty cells `around` it.
    pub(crate) fn gain(&mut self, cell: usize, around: Set) {
        let mut merged = around;
        self.others.retain(|group| {
            let touches = group.contains(cell);
            if touches {
                merged |= *group;
            }
            !touches
        });
        merged -= Set::of(cell);
        match (self.start.contains(cell), self.end.contains(cell)) {
            (false, false) if merged.has_two() => self.others.push(merged),
            (false, false) => {}
            (at_start, at_end) => {
                self.joined |= at_start && at_end;
                self.start |= if at_start { merged } else { Set::EMPTY };
                self.end |= if at_end { merged } else { Set::EMPTY };
            }
        }
        self.start -= Set::of(cell);
        self.end -= Set::of(cell);
    }

    /// Removes `cell`, because the opponent gets a stone there.
    pub(crate) fn lose(&mut self, cell: usize) {
        let gone = Set::of(cell);
        self.start -= gone;
        self.end -= gone;
        self.others.retain(|group| {
            *group -= gone;
            group.has_two()
        });
    }

    /// The groups that are safely connected with the starting edge, and those with the ending edge.
    /// `cells` are the empty cells, each with its [`ColorGroups::neighbors`].
    pub(crate) fn clusters(&self, cells: &[(usize, Set)]) -> [Cluster; 2] {
        [self.start, self.end].map(|edge| Cluster::grown(edge, &self.others, cells))
    }
}

/// Groups that links join with an edge. A link is a set of cells in which a group can be joined
/// with the cluster no matter who moves. No two links have a cell in common.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// The cells that each group touches, and all links that join it with the edge.
    members: SmallVec<[(Set, Set); 12]>,
    /// The cells of all links.
    used: Set,
    /// The cells that any member touches, without those of links.
    free: Set,
}

impl Cluster {
    /// Joins group after group, by links that share no cell with earlier ones, until no link is
    /// found.
    fn grown(edge: Set, others: &[Set], cells: &[(usize, Set)]) -> Self {
        let mut cluster = Cluster {
            members: SmallVec::from_iter([(edge, Set::EMPTY)]),
            used: Set::EMPTY,
            free: edge,
        };
        let mut waiting: SmallVec<[Set; 12]> = SmallVec::from_slice(others);
        loop {
            let links = waiting.iter().enumerate();
            let mut links = links.map(|(at, &group)| (at, cluster.link(group, cells)));
            let Some((at, Some(link))) = links.find(|(_, link)| link.is_some()) else {
                return cluster;
            };
            let group = waiting.swap_remove(at);
            cluster.add(group, link);
        }
    }

    /// Cells in which the cluster can be joined with the other edge no matter who moves. `edge` is
    /// the set of cells that this edge touches.
    pub(crate) fn proof(&self, edge: Set, cells: &[(usize, Set)]) -> Option<Set> {
        self.link(edge, cells).map(|link| self.carrier(link))
    }

    /// Cells in which a stone on `cell` joins this cluster with `other`, the cluster of the other
    /// edge.
    pub(crate) fn threat(&self, other: &Cluster, cell: usize, neighbors: Set) -> Option<Set> {
        let taken = self.used | other.used;
        let near = self.joint(cell, neighbors - taken)?;
        let far = other.joint(cell, neighbors - taken - near)?;
        let [this, other] = [
            self.carrier(near | Set::of(cell)),
            other.carrier(far | Set::of(cell)),
        ];
        ((this & other) - Set::of(cell))
            .is_empty()
            .then_some(this | other)
    }

    /// The cells that join the cluster with a stone on `cell`: none or a pair. `None` if they are
    /// not joined, or if the cell belongs to a link.
    fn joint(&self, cell: usize, neighbors: Set) -> Option<Set> {
        let unused = !self.used.contains(cell);
        unused.then(|| joint(cell, neighbors, self.free)).flatten()
    }

    fn link(&self, group: Set, cells: &[(usize, Set)]) -> Option<Set> {
        self.pair(group).or_else(|| self.detour(group, cells))
    }

    /// Two cells that each touch both the cluster and the group that touches `group`.
    fn pair(&self, group: Set) -> Option<Set> {
        (self.free & group).pair()
    }

    /// A link by a stone in between. A detour is a cell together with the cells that join it with
    /// the cluster and with the group. If no cell is on all detours, one of them is left after any
    /// move of the opponent.
    fn detour(&self, group: Set, cells: &[(usize, Set)]) -> Option<Set> {
        let (mut common, mut all) = (Set::first(Set::CAPACITY), Set::EMPTY);
        for &(cell, neighbors) in cells {
            let neighbors = neighbors - self.used;
            if self.used.contains(cell) {
                continue;
            }
            let Some(near) = joint(cell, neighbors, self.free) else {
                continue;
            };
            let Some(far) = joint(cell, neighbors - near, group) else {
                continue;
            };
            let detour = Set::of(cell) | near | far;
            if (common - detour).is_empty() {
                continue;
            }
            common &= detour;
            all |= detour;
            if common.is_empty() {
                return Some(all);
            }
        }
        None
    }

    /// All links that `link` depends on, itself included.
    fn carrier(&self, link: Set) -> Set {
        let needed = link.iter().map(|cell| {
            let mut members = self.members.iter();
            let touching = members.find(|(group, _)| group.contains(cell));
            touching.map(|&(_, links)| links).unwrap_or_default()
        });
        needed.fold(link, |all, links| all | links)
    }

    fn add(&mut self, group: Set, link: Set) {
        self.members.push((group, self.carrier(link)));
        self.used |= link;
        self.free = (self.free | group) - self.used;
    }
}

/// The cells that join a stone on `cell` with groups that touch `targets`: none or a pair. `None`
/// if they are not joined.
fn joint(cell: usize, neighbors: Set, targets: Set) -> Option<Set> {
    if targets.contains(cell) {
        Some(Set::EMPTY)
    } else {
        (neighbors & targets).pair()
    }
}
