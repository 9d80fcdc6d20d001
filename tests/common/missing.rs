//! What a test does on a machine that lacks something that it needs: a browser, PyTorch.
#![allow(dead_code, reason = "not every test file uses everything")]

use std::io::Write;
use std::process::Command;

/// The environment variable that decides: `skip`, the default, or `fail`, as .ci/run sets it.
const IF_MISSING: &str = "HEX_IF_MISSING";

/// Says on standard error that a test checks nothing, and why; the test has to return then.
///
/// # Panics
/// With the reason, if what is missing is a failure here.
pub fn skip(reason: &str) {
    match std::env::var(IF_MISSING).as_deref() {
        Err(_) | Ok("skip") => {}
        Ok("fail") => panic!("{reason}; or set {IF_MISSING}=skip to do without"),
        Ok(other) => panic!("{IF_MISSING}={other} is none of skip and fail"),
    }
    // Not by a macro, whose words a test that passes would swallow.
    let _ = std::io::stderr().write_all(format!("SKIPPED: {reason}\n").as_bytes());
}

/// Checks that a test of this program passes or fails according to its setting if an environment
/// variable hides its requirement.
pub fn assert_follows_the_setting(test: &str, (variable, hidden): (&str, &str)) {
    let program = std::env::current_exe().expect("a test is a program");
    for (setting, passes, words) in [
        ("skip", true, "SKIPPED: "),
        ("fail", false, "HEX_IF_MISSING=skip"),
        ("maybe", false, "none of skip and fail"),
    ] {
        let mut command = Command::new(&program);
        command.args(["--exact", test]);
        command.env(variable, hidden).env(IF_MISSING, setting);
        let output = command.output().expect("a test can be started");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains("running 1 test"), "{test}: {said}");
        assert_eq!(output.status.success(), passes, "{setting}: {said}");
        assert!(said.contains(words), "{setting}: {said}");
    }
}
