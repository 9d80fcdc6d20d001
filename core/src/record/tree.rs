//! A game with its variations: a tree of turns, each with a remark and marks on the board. Every
//! path from the root is a legal game, because only [`GameTree::add`] makes nodes.

use super::any_board::{AnyCell, Side};
use super::game::{Clocks, Game, GameError, Move, Outcome};
use super::hexworld::LinkToken;
use hexbot::cell::Color;

/// How good a turn was, in the five grades of annotators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveGrade {
    /// A good move.
    Good,
    /// An interesting move.
    Interesting,
    /// A doubtful move, probably not the best.
    Doubtful,
    /// A mistake.
    Bad,
    /// A blunder.
    VeryBad,
}

impl MoveGrade {
    /// The grades of mistakes, the smallest first. A move gets a grade if it loses at least this
    /// much of its mover's win probability, 0 to 1.
    pub const MISTAKES: [(MoveGrade, f64); 3] = [
        (MoveGrade::Doubtful, 0.10),
        (MoveGrade::Bad, 0.20),
        (MoveGrade::VeryBad, 0.40),
    ];

    /// The grade of a move that lost `loss` of its mover's win probability, 0 to 1; `None` if that
    /// is too little for a mistake.
    ///
    /// ```
    /// use hex_core::record::MoveGrade;
    /// assert_eq!(MoveGrade::of_loss(0.25), Some(MoveGrade::Bad));
    /// assert_eq!(MoveGrade::of_loss(0.05), None);
    /// ```
    pub fn of_loss(loss: f64) -> Option<MoveGrade> {
        let reached = |&&(_, least): &&(MoveGrade, f64)| loss >= least;
        let found = MoveGrade::MISTAKES.iter().rev().find(reached);
        found.map(|&(grade, _)| grade)
    }

    /// The grade with this sign; `None` if there is none.
    ///
    /// ```
    /// use hex_core::record::MoveGrade;
    /// assert_eq!(MoveGrade::of_sign("??"), Some(MoveGrade::VeryBad));
    /// ```
    pub fn of_sign(sign: &str) -> Option<MoveGrade> {
        let all = [
            MoveGrade::Good,
            MoveGrade::Interesting,
            MoveGrade::Doubtful,
            MoveGrade::Bad,
            MoveGrade::VeryBad,
        ];
        all.into_iter().find(|grade| grade.sign() == sign)
    }

    /// The sign that stands behind the move.
    pub fn sign(self) -> &'static str {
        match self {
            MoveGrade::Good => "!",
            MoveGrade::Interesting => "!?",
            MoveGrade::Doubtful => "?!",
            MoveGrade::Bad => "?",
            MoveGrade::VeryBad => "??",
        }
    }
}

/// A turn, or the beginning of the game, and the remarks on the position after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// The index of the node before it; `None` only for the root.
    pub parent: Option<usize>,
    /// The move or the end of the game; `None` only for the root.
    pub token: Option<LinkToken>,
    /// The remark on the position; empty if there is none.
    pub comment: String,
    /// What the clocks showed then.
    pub clocks: Clocks,
    /// Short texts on cells.
    pub labels: Vec<(AnyCell, String)>,
    /// Arrows from one cell to another.
    pub arrows: Vec<(AnyCell, AnyCell)>,
    /// How good the turn was; `None` without an annotation.
    pub grade: Option<MoveGrade>,
    /// Whether this is a pass that nobody made, because the next turn is out of turn.
    pub(super) is_implied: bool,
}

/// A game and its variations. Parents stand before their children; the first child of each node
/// continues its main line.
///
/// ```
/// use hexbot::cell::Color;
/// use hex_core::record::{GameTree, Move, Side};
/// let side = Side::of(5);
/// let mut tree = GameTree::new(side, &[]).unwrap();
/// let c3 = tree.add_for(0, Color::Red, Move::parse("c3", side).unwrap()).unwrap();
/// for answer in ["b4", "d2"] {
///     tree.add_for(c3, Color::Blue, Move::parse(answer, side).unwrap()).unwrap();
/// }
/// assert_eq!(tree.children(c3).len(), 2);
/// assert_eq!(tree.game(tree.main_line()[2]).turns().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    /// The players' names, by [`Color::index`]; empty where unknown.
    pub players: [String; 2],
    /// How the main line ended, if a record states it.
    pub(crate) stated: Option<Outcome>,
    /// Notes for the user about how the record was read, one sentence each.
    pub notes: Vec<String>,
    nodes: Vec<TreeNode>,
    /// The children of each node, in the order in which they were added.
    children: Vec<Vec<usize>>,
    /// How many turns lead to each node.
    depths: Vec<usize>,
    /// The node that was added or visited last, and the game up to it: most nodes follow the one
    /// before.
    last: (usize, Game),
}

impl GameTree {
    /// A tree that consists of its root, with these stones set up.
    ///
    /// # Errors
    /// If two stones share a cell, or one is off the board.
    pub fn new(side: Side, setup: &[(AnyCell, Color)]) -> Result<GameTree, GameError> {
        let mut game = Game::new(side);
        for &(cell, color) in setup {
            game.set_up(cell, color)?;
        }
        Ok(GameTree {
            players: Default::default(),
            stated: None,
            notes: Vec::new(),
            nodes: vec![TreeNode::default()],
            children: vec![Vec::new()],
            depths: vec![0],
            last: (0, game),
        })
    }

    /// Lets `color` move first, as [`Game::begin_with`] does.
    ///
    /// # Errors
    /// If the root has a child; the tree is then unchanged.
    pub(crate) fn begin_with(&mut self, color: Color) -> Result<(), GameError> {
        if self.nodes.len() > 1 {
            return Err(GameError::LateSetup);
        }
        self.last.1.begin_with(color)
    }

    /// The tree of one game, without variations. A pass is added before a move out of turn.
    /// [`GameTree::main_game`] is the game again.
    pub fn of(game: &Game) -> GameTree {
        let mut tree = GameTree::new(game.side(), game.setup()).expect("it is set up already");
        // The player of the first move begins.
        let first = game.turns().first().map_or(game.first(), |turn| turn.color);
        tree.begin_with(first).expect("there is no turn yet");
        tree.players.clone_from(&game.players);
        tree.stated = game.outcome();
        tree.notes.clone_from(&game.notes);
        tree.nodes[0].comment.clone_from(&game.comment);
        let mut at = 0;
        for turn in game.turns() {
            at = tree
                .add_for(at, turn.color, turn.action)
                .expect("what was legal stays legal");
            tree.nodes[at].comment.clone_from(&turn.comment);
            tree.nodes[at].clocks.clone_from(&turn.clocks);
        }
        tree.add_stated_ending();
        tree
    }

    /// The board's side.
    pub fn side(&self) -> Side {
        self.last.1.side()
    }

    /// The stones that stand on the board before the first turn.
    pub fn setup(&self) -> &[(AnyCell, Color)] {
        self.last.1.setup()
    }

    /// Who is to move at the root.
    pub fn first(&self) -> Color {
        self.last.1.first()
    }

    /// All nodes, the root first.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The children of the node with this index, the one on its main line first.
    ///
    /// # Panics
    /// If there is none.
    pub fn children(&self, index: usize) -> &[usize] {
        &self.children[index]
    }

    /// The node with this index, to change its remarks.
    ///
    /// # Panics
    /// If there is none.
    pub fn node_mut(&mut self, index: usize) -> &mut TreeNode {
        &mut self.nodes[index]
    }

    /// The game up to a node, without remarks.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn game(&self, index: usize) -> Game {
        if self.last.0 == index {
            return self.last.1.clone();
        }
        let mut path = vec![index];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        let mut game = self.beginning();
        for token in path.iter().rev().filter_map(|&node| self.nodes[node].token) {
            token.play(&mut game).expect("what was legal stays legal");
        }
        game
    }

    /// The game at the root, without its remark.
    fn beginning(&self) -> Game {
        self.last.1.after(0)
    }

    /// [`GameTree::game`] that keeps the game for the next visit. A visit costs as many turns as
    /// lie between the node and the one added or visited last. A record goes from the end of a
    /// variation to where the next one begins, so reading it takes time proportional to its length.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn visit(&mut self, index: usize) -> &Game {
        let (mut back, mut turns) = (0, Vec::new());
        let (mut from, mut to) = (self.last.0, index);
        while from != to {
            let (node, goes_back) = if self.depths[from] >= self.depths[to] {
                (&mut from, true)
            } else {
                (&mut to, false)
            };
            let TreeNode { parent, token, .. } = &self.nodes[*node];
            if goes_back {
                back += 1;
            } else {
                turns.extend(*token)
            }
            *node = parent.expect("the root alone has none, and it is below no other node");
        }
        self.last.1.take_back(back);
        for token in turns.into_iter().rev() {
            token
                .play(&mut self.last.1)
                .expect("what was legal stays legal");
        }
        self.last.0 = index;
        &self.last.1
    }

    /// Adds a child to `parent`. Returns its index, or that of a child with the same turn.
    ///
    /// # Errors
    /// If the rules forbid the turn; the tree is then unchanged.
    ///
    /// # Panics
    /// If there is no such parent.
    pub fn add(&mut self, parent: usize, token: LinkToken) -> Result<usize, GameError> {
        if let Some(known) = self.child_with(parent, token) {
            self.nodes[known].is_implied = false;
            return Ok(known);
        }
        self.visit(parent);
        token.play(&mut self.last.1)?;
        self.last.0 = self.nodes.len();
        self.children[parent].push(self.last.0);
        self.children.push(Vec::new());
        self.depths.push(self.depths[parent] + 1);
        self.nodes.push(TreeNode {
            parent: Some(parent),
            token: Some(token),
            ..TreeNode::default()
        });
        Ok(self.last.0)
    }

    /// The child of a node with this turn, if it has one.
    fn child_with(&self, parent: usize, token: LinkToken) -> Option<usize> {
        let mut children = self.children[parent].iter().copied();
        children.find(|&child| self.nodes[child].token == Some(token))
    }

    /// Adds a move of `color` to `parent`, after a pass if it is not their turn. Returns its index.
    ///
    /// # Errors
    /// If the rules forbid it.
    ///
    /// # Panics
    /// If there is no such parent.
    pub fn add_for(
        &mut self,
        parent: usize,
        color: Color,
        action: Move,
    ) -> Result<usize, GameError> {
        let mut in_turn = parent;
        if self.visit(parent).to_move() != color {
            let (count, pass) = (self.nodes.len(), LinkToken::Action(Move::Pass));
            in_turn = self
                .child_with(parent, pass)
                .map_or_else(|| self.add(parent, pass), Ok)?;
            self.nodes[in_turn].is_implied |= in_turn == count;
        }
        self.add(in_turn, LinkToken::Action(action))
    }

    /// The nodes of the main line, the root first.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = vec![0];
        while let Some(&next) = line.last().and_then(|&last| self.children[last].first()) {
            line.push(next);
        }
        line
    }

    /// The game of the main line with its remarks, without the passes that nobody made.
    pub fn main_game(&self) -> Game {
        let mut game = self.beginning();
        let mut mover = self.first();
        for node in self.main_line() {
            let node = &self.nodes[node];
            if let Some(LinkToken::Action(action)) = node.token {
                if !node.is_implied {
                    let played = game.play_as(mover, action);
                    played.expect("what was legal stays legal");
                }
                mover = action.next_mover(mover);
            }
            game.remark(&node.comment);
            for color in Color::ALL {
                game.set_clock(color, &node.clocks[color.index()]);
            }
        }
        game.players.clone_from(&self.players);
        game.notes.clone_from(&self.notes);
        if let Some(outcome) = self.outcome() {
            game.end(outcome);
        }
        game
    }

    /// Makes the stated end of the game its last turn, if the turns do not show it.
    pub(crate) fn add_stated_ending(&mut self) {
        let token = self.stated.and_then(LinkToken::ending);
        let line = self.main_line();
        if let Some(token) = token {
            // A game that is over already needs no other end.
            let _ = self.add(line[line.len() - 1], token);
        }
    }

    /// How the main line ends, by its turns or as stated.
    pub fn outcome(&self) -> Option<Outcome> {
        let line = self.main_line();
        let played = self.game(line[line.len() - 1]).outcome();
        Outcome::of_record(self.stated, played)
    }
}
