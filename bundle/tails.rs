//! Small savings inside of blocks: a last semicolon that means nothing, and `Self` where the type's
//! own name is shorter.

use super::items::{after_bracket, bracket, Item};
use super::tokens::{Kind, Token};

/// Signs that assign.
const ASSIGNMENTS: [&str; 11] = [
    "=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>=",
];

/// Shortens an item and its members.
pub fn shorten(item: &mut Item) {
    let own_name = own_name(item);
    item.tokens = without_last_semicolons(&item.tokens);
    for member in item.members.iter_mut().flatten() {
        member.tokens = without_last_semicolons(&member.tokens);
        let selves = member.tokens.iter_mut().filter(|token| token.is("Self"));
        if let Some(name) = own_name.as_ref().filter(|name| name.len() < "Self".len()) {
            selves.for_each(|token| token.text.clone_from(name));
        }
    }
}

/// What an impl is for, if that is a name without parameters.
fn own_name(item: &Item) -> Option<String> {
    let last = item.tokens.last().filter(|last| last.kind == Kind::Word)?;
    let before = item.tokens[..item.tokens.len() - 1].last()?;
    let is_impl = item.keyword == "impl" && (before.is("impl") || before.is("for"));
    is_impl.then(|| last.text.clone())
}

/// Leaves out the semicolon of a block's last statement where that has no value in any case: it jumps,
/// or it assigns.
fn without_last_semicolons(tokens: &[Token]) -> Vec<Token> {
    let is_idle = |at: usize| {
        let ends_block = tokens.get(at + 1).is_some_and(|next| next.is("}"));
        tokens[at].is(";") && ends_block && has_no_value(statement_before(tokens, at))
    };
    let kept = (0..tokens.len()).filter(|at| !is_idle(*at));
    kept.map(|at| tokens[at].clone()).collect()
}

/// The tokens of the statement that ends before `end`, maybe with blocks that stand before it.
fn statement_before(tokens: &[Token], end: usize) -> &[Token] {
    let mut depth = 0;
    for at in (0..end).rev() {
        depth += bracket(&tokens[at]);
        if depth > 0 || depth == 0 && tokens[at].is(";") {
            return &tokens[at + 1..end];
        }
    }
    &tokens[..end]
}

fn has_no_value(statement: &[Token]) -> bool {
    let jumps = ["return", "break", "continue"];
    if statement
        .first()
        .is_some_and(|first| jumps.iter().any(|jump| first.is(jump)))
    {
        return true;
    }
    let mut assigns = false;
    let mut at = 0;
    while at < statement.len() {
        let token = &statement[at];
        if ["let", "const", "static", "type", "use", "#", "|", "||"]
            .iter()
            .any(|word| token.is(word))
        {
            return false;
        }
        assigns |= ASSIGNMENTS.iter().any(|sign| token.is(sign));
        at = match bracket(token) {
            1 => after_bracket(statement, at),
            _ => at + 1,
        };
    }
    assigns
}
