//! The modules of a page joined into one script.

use hex_web::joined::{joined, Script};
use std::fs;
use std::path::Path;

fn joined_of(modules: &[(&str, &str)]) -> anyhow::Result<Script> {
    let owned = |&(name, text): &(&str, &str)| (name.to_owned(), text.to_owned());
    joined(&modules.iter().map(owned).collect(), "main.js")
}

#[test]
fn what_is_imported_comes_before_and_once() {
    let script = joined_of(&[
        ("main.js", "import { one } from \"./a.js\";\nimport * as b from \"./b.js\";\nb.go(one);"),
        ("a.js", "export const one = 1;"),
        ("b.js", "import { one } from \"./a.js\";\nexport function go(x) { return x + one; }\nexport { one };"),
        ("c.js", "never()"),
    ]);
    let script = script.unwrap();
    let wanted = [
        "// a.js\nconst $a = (() => {\nconst one = 1;\nreturn { one };\n})();\n",
        "// b.js\nconst $b = (() => {\nconst { one } = $a;\nfunction go(x) { return x + one; }\n\nreturn { go, one };\n})();\n",
        "// main.js\nconst $main = (() => {\nconst { one } = $a;\nconst b = $b;\nb.go(one);\nreturn {  };\n})();\n",
    ]
    .concat();
    assert_eq!(script.text, wanted);
    assert_eq!(script.modules.len(), 3);
}

#[test]
fn what_cannot_be_joined_is_named() {
    for (line, word) in [
        ("import { a as b } from \"./main.js\";", "main.js"),
        ("import \"./x.js\";", "from"),
        ("import { a } from \"./x.js\";", "x.js"),
        ("import { a } from \"elsewhere\";", "elsewhere"),
        ("export let a = 1;", "export let a"),
        ("export default 1;", "export default"),
    ] {
        let error = joined_of(&[("main.js", line)]).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
}

/// Exported scripts lose the indentation of their lines, so no string may go over several.
#[test]
fn strings_of_the_page_end_on_their_lines() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
    let folders = [page.clone(), page.join("local")];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut scripts = 0;
    for path in files.map(|file| file.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "js") {
            scripts += 1;
            for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
                let (ticks, number) = (line.matches('`').count(), index + 1);
                assert!(ticks % 2 == 0, "{}:{number}: {line}", path.display());
            }
        }
    }
    assert!(scripts > 20, "{scripts} scripts");
}
