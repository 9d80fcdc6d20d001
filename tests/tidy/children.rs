//! The rule on programs that tests start.

use super::{expect_none, files, is_rust, read, root, short};

#[test]
fn tests_start_programs_by_one_function() {
    let folder = root().join("cli/tests");
    let helper = folder.join("common/mod.rs");
    let tests = files(&folder).into_iter().filter(|path| is_rust(path));
    let others = tests.filter(|path| *path != helper && read(path).contains("Command::new("));
    expect_none(
        others.map(|path| short(&path)).collect(),
        "start it by `starting` or `hex` of cli/tests/common/mod.rs: it hears the usual signals then",
    );
    assert!(read(&helper).contains("Command::new("));
}
