//! One colour's stones as a solver sees them: groups, each by the empty cells that it touches, and
//! what certainly joins them.

use super::set::Set;
use smallvec::SmallVec;

/// The groups of one colour. The edge where its connection starts and the one where it ends are
/// groups too, with the stones that hang on them.
#[derive(Clone, Debug)]
pub struct ColorGroups {
    start: Set,
    end: Set,
    /// Those on no edge. None touches fewer than two cells: it could not be on any path.
    others: SmallVec<[Set; 12]>,
    joined: bool,
}

/// The edges on which a group of stones lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Neither.
    NoEdge,
    /// The one where the connection starts.
    Start,
    /// The one where it ends.
    End,
    /// Both: the colour has won.
    BothEdges,
}

impl ColorGroups {
    /// The two edges by what they touch, with no stones yet.
    pub fn of_edges(start: Set, end: Set) -> Self {
        ColorGroups {
            start,
            end,
            others: SmallVec::new(),
            joined: false,
        }
    }

    /// Adds the groups of the colour's stones, each by what it touches and the edges it lies on.
    pub fn with(mut self, groups: impl IntoIterator<Item = (Set, Contact)>) -> Self {
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
    pub fn joined(&self) -> bool {
        self.joined
    }

    /// What the starting edge touches.
    pub fn start(&self) -> Set {
        self.start
    }

    /// What the ending edge touches.
    pub fn end(&self) -> Set {
        self.end
    }

    /// What each group on no edge touches.
    pub fn others(&self) -> &[Set] {
        &self.others
    }

    /// The cells that a stone on `cell` would be connected with: those around it, given as
    /// `around`, and those that the groups it touches touch. The edges do not count.
    pub fn neighbors(&self, cell: usize, around: Set) -> Set {
        let groups = self.others.iter().filter(|group| group.contains(cell));
        groups.fold(around, |all, &group| all | group)
    }

    /// The colour gets a stone on `cell`; the empty cells `around` it are given.
    pub fn gain(&mut self, cell: usize, around: Set) {
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

    /// The opponent gets a stone on `cell`.
    pub fn lose(&mut self, cell: usize) {
        let gone = Set::of(cell);
        self.start -= gone;
        self.end -= gone;
        self.others.retain(|group| {
            *group -= gone;
            group.has_two()
        });
    }

    /// What hangs safely on the starting edge and on the ending edge, each for itself. `cells` are
    /// the empty cells, each with its [`ColorGroups::neighbors`].
    pub fn clusters(&self, cells: &[(usize, Set)]) -> [Cluster; 2] {
        [self.start, self.end].map(|edge| Cluster::grown(edge, &self.others, cells))
    }
}

/// Groups that links join with an edge. A link is a set of cells in which a group gets joined
/// with the cluster whoever moves, and no two links have a cell in common.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// What each group touches, and all links that join it.
    members: SmallVec<[(Set, Set); 12]>,
    /// The cells of all links.
    used: Set,
    /// What any member touches, without the cells of links.
    free: Set,
}

impl Cluster {
    /// Groups are joined one after the other, by links that share no cell with earlier ones, until
    /// no link is found.
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

    /// Cells in which `edge`, the other edge by what it touches, gets joined with the cluster
    /// whoever moves.
    pub fn proof(&self, edge: Set, cells: &[(usize, Set)]) -> Option<Set> {
        self.link(edge, cells).map(|link| self.carrier(link))
    }

    /// Cells in which this cluster and `other`, of the other edge, are joined after a stone on
    /// `cell`.
    pub fn threat(&self, other: &Cluster, cell: usize, neighbors: Set) -> Option<Set> {
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

    /// What joins the cluster with a stone on `cell`: nothing or a pair. `None` if the cell serves
    /// a link.
    fn joint(&self, cell: usize, neighbors: Set) -> Option<Set> {
        let unused = !self.used.contains(cell);
        unused.then(|| joint(cell, neighbors, self.free)).flatten()
    }

    fn link(&self, group: Set, cells: &[(usize, Set)]) -> Option<Set> {
        self.pair(group).or_else(|| self.detour(group, cells))
    }

    /// Two cells that each touch both the cluster and a group touching `group`.
    fn pair(&self, group: Set) -> Option<Set> {
        (self.free & group).pair()
    }

    /// A link by stones between: each detour is a cell with what joins it with the cluster and with
    /// the group. If no cell is on all detours, one of them is left whatever the opponent takes.
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

    /// All links that `link` rests on, itself included.
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

/// What joins a stone on `cell` with groups that touch `targets`: nothing or a pair.
fn joint(cell: usize, neighbors: Set, targets: Set) -> Option<Set> {
    if targets.contains(cell) {
        Some(Set::EMPTY)
    } else {
        (neighbors & targets).pair()
    }
}
