//! The rule on programs that tests start.

use super::{expect_none_in, in_crates, lines_with, read, root, rust_files};

#[test]
fn tests_start_programs_by_one_function() {
    let helper = root().join("cli/tests/common/mod.rs");
    let bot = root().join("cli/tests/scripted_bot"); // It is one of those programs.
    let mut others = rust_files(&in_crates("tests"));
    others.retain(|path| *path != helper && !path.starts_with(&bot));
    let cure = "start it by `starting` or `hex` of cli/tests/common/mod.rs: it hears the usual \
                signals then";
    expect_none_in(others, |_, code| lines_with(code, &["Command::new("]), cure);
    assert!(read(&helper).contains("Command::new("));
}
