//! The rule on programs that tests start.

use super::{expect_none, in_crates, read, root, rust_files, short};

#[test]
fn tests_start_programs_by_one_function() {
    let helper = root().join("cli/tests/common/mod.rs");
    let bot = root().join("cli/tests/scripted_bot"); // It is one of those programs.
    let tests = rust_files(&in_crates("tests"));
    let others = tests
        .into_iter()
        .filter(|path| *path != helper && !path.starts_with(&bot))
        .filter(|path| read(path).contains("Command::new("));
    expect_none(
        others.map(|path| short(&path)).collect(),
        "start it by `starting` or `hex` of cli/tests/common/mod.rs: it hears the usual signals then",
    );
    assert!(read(&helper).contains("Command::new("));
}
