//! The short upload: the whole program, as short as possible without a change of its behaviour.

use crate::abbreviate::abbreviate;
use crate::aliases::import;
use crate::clean::{drop_idle_commas, settle_attributes};
use crate::dead::drop_dead;
use crate::debugging::{drop_debugging, is_debug};
use crate::join::join;
use crate::names::shorten;
use crate::paths::import_paths;
use crate::program::Program;
use crate::sources::Source;
use crate::tokens::{tokens, write, Kind, Token};
use crate::variants::drop_unmade;

/// A line ends at the first needed space after this number of bytes.
const LINE_WIDTH: usize = 500;

/// A literal of at least this number of bytes counts as data, not as code.
const DATA_BYTES: usize = 1000;

/// A short upload.
pub struct Minified {
    /// The file, without its first line.
    pub code: String,
    /// The name of each short name, one a line.
    pub map: String,
    /// The number of bytes after each step.
    pub bytes: Vec<(&'static str, usize)>,
}

/// Makes one short file from a program's files, with the code for `features`.
pub fn minify(sources: &[Source], features: &[&str]) -> Minified {
    let mut bytes = vec![(
        "in the sources",
        sources.iter().map(|source| source.text.len()).sum(),
    )];
    let lexed: Vec<(String, Vec<Token>)> = sources
        .iter()
        .map(|source| (source.module.clone(), tokens(&source.text)))
        .collect();
    let written = |tokens: &[Token]| write(tokens, LINE_WIDTH).len();
    bytes.push((
        "without comments and white space",
        lexed.iter().map(|(_, t)| written(t)).sum(),
    ));
    let mut program = joined(lexed, features);
    bytes.push(("without modules", written(&program.all_tokens())));
    drop_dead(&mut program);
    // Items that only the removed arms used are now unreachable.
    if drop_unmade(&mut program) {
        drop_dead(&mut program);
    }
    bytes.push(("without dead code", written(&program.all_tokens())));
    import_paths(&mut program);
    let mut names = shorten(&mut program);
    let mut all = tokens("#![allow(warnings)]");
    all.extend(import(&program, &names.declared, &names.globals));
    let whole = [&all[..], &program.all_tokens()].concat();
    bytes.push(("with short names", written(&whole)));
    all.extend(abbreviate(program.items, &mut names.map));
    drop_idle_commas(&mut all);
    let code = write(&all, LINE_WIDTH);
    bytes.push(("with abbreviated heads of items", code.len()));
    let is_data = |token: &&Token| token.kind == Kind::Literal && token.text.len() >= DATA_BYTES;
    let data: usize = all
        .iter()
        .filter(is_data)
        .map(|token| token.text.len())
        .sum();
    bytes.push(("of these are code", code.len() - data));
    bytes.push(("of these are data in long literals", data));
    Minified {
        code,
        map: names.map,
        bytes,
    }
}

/// The modules as one program, with the code for `features`.
fn joined(lexed: Vec<(String, Vec<Token>)>, features: &[&str]) -> Program {
    let clean = |(name, tokens): (String, Vec<Token>)| {
        (name, drop_debugging(&settle_attributes(&tokens, features)))
    };
    let (mut program, _) = join(lexed.into_iter().map(clean).collect());
    program.items.retain(|item| !is_debug(item));
    program
}
