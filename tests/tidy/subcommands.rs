//! The rule on imports between subcommands of `hex`.

use super::{compact, crate_modules, expect_none, read, root, short, words_after, CRATES};

#[test]
fn no_subcommand_imports_another() {
    // Where commands are listed.
    let lists = ["cli/src/main.rs", "lab/src/lib.rs"];
    let code = lists
        .map(|list| compact(&read(&root().join(list))))
        .concat();
    let names = code.match_indices("::Args)");
    let names = names.map(|(at, _)| code[..at].rsplit(['(', ':']).next().unwrap_or_default());
    let subcommands: Vec<&str> = names.collect();
    assert!(subcommands.len() > 15, "only {subcommands:?} in {lists:?}");
    let mut violations = Vec::new();
    for folder in CRATES {
        for module in crate_modules(&format!("{folder}/src")) {
            for path in &module.files {
                for name in words_after(&compact(&read(path)), "crate::") {
                    let is_other = name != module.name && subcommands.contains(&name);
                    if is_other && subcommands.contains(&module.name.as_str()) {
                        violations.push(format!("{} imports {name}", short(path)));
                    }
                }
            }
        }
    }
    expect_none(
        violations,
        "what two subcommands need is a module of its own",
    );
}
