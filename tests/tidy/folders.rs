//! The rule on imports, inside of a module that is a folder.

use super::{
    compact, crate_modules, expect_none, files, is_rust, modules, read, root, short, words_after,
};
use std::path::PathBuf;

#[test]
fn files_of_a_folder_import_only_files_above_them() {
    let mut violations = Vec::new();
    for module in crate_modules("src") {
        let folder = root().join("src").join(&module.name);
        if !folder.is_dir() {
            continue;
        }
        let listed = modules(&read(&folder.join("mod.rs")));
        let prefix = format!("crate::{}::", module.name);
        for path in files(&folder).into_iter().filter(|path| is_rust(path)) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let position = listed.iter().position(|other| *other == name);
            let above = match position {
                Some(position) => &listed[..position],
                None if name == "mod" => &listed[..],
                None => {
                    violations.push(format!("{} is not in its mod.rs", short(&path)));
                    continue;
                }
            };
            for word in words_after(&compact(&read(&path)), &prefix) {
                if !above.iter().any(|other| other == word) {
                    violations.push(format!("{}: {prefix}{word}", short(&path)));
                }
            }
        }
    }
    let cure = "mod.rs lists the files of its folder in dependency order and imports from them, \
                never they from it: move the file below what it imports, or turn the dependency \
                round";
    expect_none(violations, cure);
}

#[test]
fn words_are_found_where_they_are() {
    let code = "use crate::board::Board;let x=crate::cell_set::f();mycrate::no;use crate::{a};";
    assert_eq!(words_after(code, "crate::"), ["board", "cell_set", "{"]);
}

#[test]
fn data_in_src_is_included_by_a_source_beside_it() {
    let files = files(&root().join("src")).into_iter();
    let (sources, data): (Vec<PathBuf>, Vec<_>) = files.partition(|path| is_rust(path));
    let is_included = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let call = format!("include_bytes!(\"{name}\")");
        let mut sources = sources.iter();
        sources.any(|source| source.parent() == path.parent() && read(source).contains(&call))
    };
    let left = data.iter().filter(|path| !is_included(path));
    let cure = "src/ holds sources, and data that a source in the same folder includes";
    expect_none(left.map(|path| short(path)).collect(), cure);
}
