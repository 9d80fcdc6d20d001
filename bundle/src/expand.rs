//! Expands macros that declare items: `macro_rules!` with one rule, called in the same file at the
//! level of items. Later steps see the items and no macro.
//!
//! A comment or a space before a token of the call stays with the first copy of the token.

use crate::fail::fail;
use crate::items::{after_bracket, find, is_at};
use crate::tokens::{lexemes, Kind, Token};
use std::collections::{BTreeMap, BTreeSet};

/// A token with the white space and the comments before it.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) gap: String,
    pub(crate) token: Token,
}

/// A part of a rule's pattern or of its body.
enum Part {
    Token(Piece),
    /// `$name`, in a pattern with the signs that end it; none for a single token.
    Variable(String, &'static [&'static str]),
    /// `$(…)*`, or with true `$(…)?`.
    Repeat(Vec<Part>, bool),
}

/// The parts of a call that a rule's variables stand for.
#[derive(Clone, Default)]
struct Bindings {
    variables: BTreeMap<String, Vec<usize>>,
    /// The rounds of each repetition, by the variables in it.
    rounds: Vec<(BTreeSet<String>, Vec<Bindings>)>,
}

/// The source with the items that its macros declare in place of the calls.
pub fn expanded(source: &str) -> String {
    let (pieces, end) = pieces(source);
    let tokens: Vec<Token> = pieces.iter().map(|piece| piece.token.clone()).collect();
    let mut rules: BTreeMap<&str, (Vec<Part>, Vec<Part>)> = BTreeMap::new();
    let mut written = String::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_call = is_at(&tokens, at + 1, &["!"]);
        if is_call && tokens[at].is("macro_rules") {
            let end = after_bracket(&tokens, at + 3);
            rules.insert(&tokens[at + 2].text, rule(&pieces[at + 4..end - 1]));
            at = end;
        } else if let (true, Some((pattern, body))) = (is_call, rules.get(&*tokens[at].text)) {
            let end = after_bracket(&tokens, at + 2);
            let call = Call {
                pieces: &pieces[at + 3..end - 1],
                tokens: &tokens[at + 3..end - 1],
            };
            let Some((bound, length)) = call.matched(pattern, 0) else {
                fail(&format!("the call of {} does not fit", tokens[at].text));
            };
            if length != call.tokens.len() {
                let token = &call.tokens[length].text;
                fail(&format!(
                    "{}! does not fit from {token:?} on",
                    tokens[at].text
                ));
            }
            written += &pieces[at].gap;
            call.write(body, &bound, &mut BTreeSet::new(), &mut written);
            at = end;
        } else {
            written += &pieces[at].gap;
            written += &tokens[at].text;
            at += 1;
        }
    }
    written + &end
}

/// The tokens of a source, and the white space after the last.
pub(crate) fn pieces(source: &str) -> (Vec<Piece>, String) {
    let (mut pieces, mut gap) = (Vec::new(), String::new());
    for lexeme in lexemes(source) {
        let (kind, text) = (lexeme.kind, lexeme.text.to_owned());
        if kind == Kind::Gap {
            gap = text;
        } else {
            let gap = std::mem::take(&mut gap);
            pieces.push(Piece {
                gap,
                token: Token { kind, text },
            });
        }
    }
    (pieces, gap)
}

/// The pattern and the body of `(pattern) => { body }`.
fn rule(pieces: &[Piece]) -> (Vec<Part>, Vec<Part>) {
    let tokens: Vec<Token> = pieces.iter().map(|piece| piece.token.clone()).collect();
    let pattern = after_bracket(&tokens, 0);
    let body = after_bracket(&tokens, pattern + 1);
    if tokens[body..].iter().any(|token| !token.is(";")) {
        fail("a macro with several rules cannot be expanded");
    }
    let parts = |from, to, is_pattern| parts(&pieces[from..to], &tokens[from..to], is_pattern);
    (
        parts(1, pattern - 1, true),
        parts(pattern + 2, body - 1, false),
    )
}

fn parts(pieces: &[Piece], tokens: &[Token], is_pattern: bool) -> Vec<Part> {
    let is = |at: usize, text: &str| is_at(tokens, at, &[text]);
    let mut parts = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !is(at, "$") {
            parts.push(Part::Token(pieces[at].clone()));
            at += 1;
        } else if is(at + 1, "(") {
            let end = after_bracket(tokens, at + 1);
            if !is(end, "*") && !is(end, "?") {
                fail("a macro's $(…) is expanded only with * or ? after it");
            }
            let inside = at + 2..end - 1;
            let inside = self::parts(&pieces[inside.clone()], &tokens[inside], is_pattern);
            parts.push(Part::Repeat(inside, is(end, "?")));
            at = end + 1;
        } else {
            let (ends, length): (&[&str], usize) = match tokens.get(at + 3) {
                Some(kind) if is_pattern => match kind.text.as_str() {
                    "expr" => (&[",", ";", "=>"], 4),
                    "ty" => (&[",", ";", "=>", "="], 4),
                    "ident" | "literal" | "vis" => (&[], 4),
                    other => fail(&format!(
                        "a macro's variable of kind {other} is not expanded"
                    )),
                },
                _ => (&[], 2),
            };
            parts.push(Part::Variable(tokens[at + 1].text.clone(), ends));
            at += length;
        }
    }
    parts
}

/// All variables of these parts.
fn variables(parts: &[Part]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for part in parts {
        match part {
            Part::Token(_) => {}
            Part::Variable(name, _) => {
                names.insert(name.clone());
            }
            Part::Repeat(inside, _) => names.extend(variables(inside)),
        }
    }
    names
}

/// What a macro is called with.
struct Call<'a> {
    pieces: &'a [Piece],
    tokens: &'a [Token],
}

impl Call<'_> {
    /// The variables' values if the tokens from `at` on fit, and the index after these.
    fn matched(&self, pattern: &[Part], mut at: usize) -> Option<(Bindings, usize)> {
        let mut bound = Bindings::default();
        for part in pattern {
            match part {
                Part::Token(piece) => {
                    self.tokens.get(at).filter(|found| **found == piece.token)?;
                    at += 1;
                }
                Part::Variable(name, ends) => {
                    let end = match ends {
                        [] => at + 1,
                        ends => find(self.tokens, at, ends),
                    };
                    if at >= end || end > self.tokens.len() {
                        return None;
                    }
                    bound.variables.insert(name.clone(), (at..end).collect());
                    at = end;
                }
                Part::Repeat(inside, once) => {
                    let mut rounds = Vec::new();
                    while let Some((round, end)) = self.matched(inside, at) {
                        rounds.push(round);
                        at = end;
                        if *once || end == self.tokens.len() {
                            break;
                        }
                    }
                    bound.rounds.push((variables(inside), rounds));
                }
            }
        }
        Some((bound, at))
    }

    /// Writes a body. The tokens in `gone` have been written before.
    fn write(&self, body: &[Part], bound: &Bindings, gone: &mut BTreeSet<usize>, to: &mut String) {
        for part in body {
            match part {
                Part::Token(piece) => *to += &(piece.gap.clone() + &piece.token.text),
                Part::Variable(name, _) => {
                    let Some(value) = bound.variables.get(name) else {
                        fail(&format!("a macro has no value for ${name} here"));
                    };
                    for &at in value {
                        let gap = &self.pieces[at].gap;
                        *to += if gone.insert(at) { gap } else { " " };
                        *to += &self.tokens[at].text;
                    }
                }
                Part::Repeat(inside, _) => {
                    let wanted = variables(inside);
                    let is_this = |names: &BTreeSet<String>| !names.is_disjoint(&wanted);
                    let rounds = bound.rounds.iter().filter(|(names, _)| is_this(names));
                    for round in rounds.flat_map(|(_, rounds)| rounds) {
                        let mut inner = round.clone();
                        inner.variables.extend(bound.variables.clone());
                        self.write(inside, &inner, gone, to);
                    }
                }
            }
        }
    }
}
