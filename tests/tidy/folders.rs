//! The rule on imports, inside of a module that is a folder.

use super::{compact, crate_modules, expect_none, files, modules, read, root, short, words_after};

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
        for path in files(&folder) {
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
    expect_none(
        violations,
        "mod.rs lists the files of its folder in dependency order and imports from them, never they \
         from it: move the file below what it imports, or turn the dependency round",
    );
}
