//! Cuts SGF of any game into nodes and properties.

use super::SgfError;
use crate::record::printable;
use hexbot::cell::Color;
use std::borrow::Cow;
use std::str::Chars;

/// A property with one of its values.
#[derive(Clone)]
pub(crate) struct Property<'a> {
    pub(crate) name: String,
    /// The value between its brackets, with escapes.
    pub(crate) raw: Cow<'a, str>,
    /// Whether this is a further value of the property before it, like `[b2]` of `AB[a1][b2]`.
    pub(crate) goes_on: bool,
    /// Where the value begins.
    pub(crate) at: LineAndColumn,
}

/// A place in the text; both numbers are from 1.
#[derive(Clone, Copy)]
pub(crate) struct LineAndColumn {
    line: usize,
    column: usize,
}

impl LineAndColumn {
    /// The error `why` at this place.
    pub(crate) fn error(self, why: impl Into<String>) -> SgfError {
        SgfError {
            line: self.line,
            column: self.column,
            why: why.into(),
        }
    }
}

/// A node with all its properties.
#[derive(Default)]
pub(crate) struct SgfNode<'a> {
    /// The index of the node before it; `None` for the root.
    pub(crate) parent: Option<usize>,
    pub(crate) properties: Vec<Property<'a>>,
}

impl<'a> SgfNode<'a> {
    /// Whether the node has a move, B or W.
    pub(crate) fn has_move(&self) -> bool {
        self.properties.iter().any(|p| p.mover().is_some())
    }

    /// The player to move before the node, by its first move; `None` if the node has no move, or
    /// the first one is a resignation or forfeit.
    pub(crate) fn mover(&self) -> Option<Color> {
        let mut moves = self.properties.iter().filter(|p| p.mover().is_some());
        moves.next().filter(|p| !p.is_end())?.mover()
    }
}

/// A game or its main line: the nodes in the order of the text, each after its parent.
#[derive(Default)]
pub(crate) struct SgfGame<'a> {
    pub(crate) nodes: Vec<SgfNode<'a>>,
    /// The children of each node, in order.
    pub(crate) children: Vec<Vec<usize>>,
}

impl<'a> SgfGame<'a> {
    /// All properties, in the order of the text.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &Property<'a>> {
        self.nodes.iter().flat_map(|node| &node.properties)
    }

    /// Adds a node without properties. Returns its index.
    fn add(&mut self, parent: Option<usize>) -> usize {
        let index = self.nodes.len();
        if let Some(parent) = parent {
            self.children[parent].push(index);
        }
        self.children.push(Vec::new());
        self.nodes.push(SgfNode {
            parent,
            properties: Vec::new(),
        });
        index
    }
}

impl Property<'_> {
    /// The value without escapes. A line break after a backslash is removed.
    pub(crate) fn value(&self) -> Cow<'_, str> {
        if !self.raw.contains('\\') {
            return Cow::Borrowed(&self.raw);
        }
        let (mut value, mut rest) = (String::with_capacity(self.raw.len()), &*self.raw);
        while let Some((before, escaped)) = rest.split_once('\\') {
            value += before;
            let breaks = ["\r\n", "\r", "\n"];
            rest = match breaks.iter().find_map(|text| escaped.strip_prefix(text)) {
                Some(rest) => rest,
                None => {
                    let mut chars = escaped.chars();
                    value.extend(chars.next());
                    chars.as_str()
                }
            };
        }
        Cow::Owned(value + rest)
    }

    /// Gives it another value.
    pub(crate) fn set(&mut self, value: &str) {
        self.raw = Cow::Owned(escaped(value));
    }

    /// Whether the value is `resign` or `forfeit`. A player may write these out of turn.
    pub(crate) fn is_end(&self) -> bool {
        let value = self.value();
        ["resign", "forfeit"].contains(&value.trim().to_ascii_lowercase().as_str())
    }

    /// Whether it sets up or removes stones.
    pub(crate) fn is_setup(&self) -> bool {
        matches!(self.name.as_str(), "AB" | "AW" | "AE")
    }

    /// The player of the property, if it is a move.
    pub(crate) fn mover(&self) -> Option<Color> {
        match self.name.as_str() {
            "B" => Some(Color::Red),
            "W" => Some(Color::Blue),
            _ => None,
        }
    }
}

/// The text with the escapes that a value needs.
pub(crate) fn escaped(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace(']', "\\]")
}

/// The offset in bytes of the next game in a text, perhaps after other words: one or more
/// parentheses followed by a semicolon. `None` if there is none.
pub(crate) fn beginning(text: &str) -> Option<usize> {
    let mut open = None;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open = open.or(Some(at)),
            ';' if open.is_some() => return open,
            c if c.is_whitespace() => {}
            _ => open = None,
        }
    }
    None
}

/// How much of a game is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Its main line. What follows may have faults.
    MainLine,
    /// All variations.
    Whole,
}

/// Cuts the text into properties.
pub(crate) struct Scanner<'a> {
    chars: Chars<'a>,
    place: LineAndColumn,
}

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of the text.
    pub(crate) fn new(text: &'a str) -> Self {
        Scanner {
            chars: text.chars(),
            place: LineAndColumn { line: 1, column: 1 },
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.clone().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.chars.next()?;
        if next == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    fn next_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        wanted(self.peek()?).then(|| self.next()).flatten()
    }

    fn skip_blanks(&mut self) {
        while self.next_if(char::is_whitespace).is_some() {}
    }

    /// Skips this number of bytes.
    fn skip(&mut self, bytes: usize) {
        let end = self.chars.as_str().len() - bytes;
        while self.chars.as_str().len() > end {
            self.next();
        }
    }

    /// The first game.
    pub(crate) fn first(mut self, extent: Extent) -> Result<SgfGame<'a>, SgfError> {
        self.begin()?;
        self.game(extent)
    }

    /// All games, each with its text, up to the first one that cannot be read.
    pub(crate) fn games(
        mut self,
    ) -> impl Iterator<Item = Result<(&'a str, SgfGame<'a>), SgfError>> {
        let mut begun = self.begin().map(|()| Some(0));
        std::iter::from_fn(move || {
            let next = std::mem::replace(&mut begun, Ok(None));
            let found = next.and_then(|next| {
                let Some(next) = next else { return Ok(None) };
                self.skip(next);
                let from = self.chars.as_str();
                let game = self.game(Extent::Whole)?;
                let rest = self.chars.as_str();
                begun = Ok(beginning(rest));
                Ok(Some((&from[..from.len() - rest.len()], game)))
            });
            found.transpose()
        })
    }

    /// Skips the text before the first game. Some programs omit the root's semicolon.
    fn begin(&mut self) -> Result<(), SgfError> {
        let text = self.chars.as_str();
        let first = beginning(text).or_else(|| text.find('('));
        self.skip(first.unwrap_or(text.len()));
        first.map(|_| ()).ok_or_else(|| {
            let why = "there is no game; SGF begins with \"(;\"";
            self.place.error(why)
        })
    }

    /// The game that begins here.
    fn game(&mut self, extent: Extent) -> Result<SgfGame<'a>, SgfError> {
        let mut game = SgfGame::default();
        // The node that the next one follows. For each open parenthesis the node before it, and
        // how many nodes there were.
        let (mut current, mut open) = (None, Vec::new());
        loop {
            self.skip_blanks();
            let place = self.place;
            match self.next() {
                None => return Err(place.error("the game does not end; \")\" is missing")),
                Some('(') => {
                    // A game that begins with variations has a root without properties.
                    if game.nodes.is_empty() && !open.is_empty() {
                        current = Some(game.add(None));
                    }
                    open.push((current, game.nodes.len()));
                }
                Some(')') => {
                    let (before, count) = open.pop().unwrap_or_default();
                    let has_nodes = game.nodes.len() > count;
                    if open.is_empty() || has_nodes && extent == Extent::MainLine {
                        return Ok(game);
                    }
                    current = before;
                }
                Some(';') => current = Some(game.add(current)),
                Some(first) if first.is_ascii_alphabetic() => {
                    let node = match current {
                        Some(node) => node,
                        None if game.nodes.is_empty() => game.add(None),
                        None => 0,
                    };
                    current = Some(node);
                    self.property(first, place, &mut game.nodes[node].properties)?;
                }
                Some(other) => {
                    let why = format!("{other:?} instead of a property or \";\"");
                    return Err(place.error(why));
                }
            }
        }
    }

    /// Adds a property with all its values to `into`. Its name begins at `begin`; the first letter,
    /// `first`, has been read already.
    fn property(
        &mut self,
        first: char,
        begin: LineAndColumn,
        into: &mut Vec<Property<'a>>,
    ) -> Result<(), SgfError> {
        let mut name = String::from(first);
        while let Some(letter) = self.next_if(|c| c.is_ascii_alphabetic()) {
            name.push(letter);
        }
        // Older files write long names, where only the capital letters count.
        let full = name.clone();
        name.retain(|letter| letter.is_ascii_uppercase());
        if name.is_empty() {
            let capitals = full.to_ascii_uppercase();
            let why = format!(
                "{full:?} is not a property: only the capital letters of its name count; write \
                 {capitals:?}"
            );
            return Err(begin.error(why));
        }
        self.skip_blanks();
        let place = self.place;
        if self.next_if(|c| c == '[').is_none() {
            return Err(place.error(format!("{name} has no value; \"[\" is missing")));
        }
        let mut goes_on = false;
        loop {
            let at = self.place;
            into.push(Property {
                name: name.clone(),
                raw: Cow::Borrowed(self.value(at)?),
                goes_on,
                at,
            });
            goes_on = true;
            self.skip_blanks();
            if self.next_if(|c| c == '[').is_none() {
                return Ok(());
            }
        }
    }

    /// The text up to the closing bracket, with its escapes.
    fn value(&mut self, begin: LineAndColumn) -> Result<&'a str, SgfError> {
        let text = self.chars.as_str();
        loop {
            match self.next() {
                None => return Err(begin.error("the value does not end; \"]\" is missing")),
                Some(']') => return Ok(&text[..text.len() - self.chars.as_str().len() - 1]),
                Some('\\') => {
                    self.next();
                }
                Some(_) => {}
            }
        }
    }
}
