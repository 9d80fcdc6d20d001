//! The Python package: its own tests, with the wheel that `python/build` has made.

use crate::common::starting;
use crate::support::missing::skip;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The newest wheel for this machine.
fn wheel(project: &Path) -> Option<PathBuf> {
    let machine = format!("_{}.whl", std::env::consts::ARCH);
    let files = project.join("target/wheels").read_dir().ok()?.flatten();
    let wheels = files.filter(|file| file.file_name().to_string_lossy().ends_with(&machine));
    let newest = wheels.max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok());
    newest.map(|file| file.path())
}

#[test]
fn the_package_passes_its_own_tests_and_examples() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(wheel) = wheel(&project) else {
        return skip("there is no Python package: run python/build");
    };
    let folder = tempfile::tempdir().unwrap();
    let mut archive = zip::ZipArchive::new(File::open(wheel).unwrap()).unwrap();
    archive.extract(folder.path()).unwrap();
    let mut python = starting("python3");
    python.args(["-m", "unittest", "discover", "-s", "python/tests"]);
    python.current_dir(project).env("PYTHONPATH", folder.path());
    let Ok(output) = python.output() else {
        return skip("no Python on this machine: install the package `python3`");
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    // A run without tests would succeed, too.
    let ran = said.lines().find_map(|line| line.strip_prefix("Ran "));
    let count = ran.and_then(|ran| ran.split(' ').next()?.parse::<u32>().ok());
    assert!(count > Some(10), "{said}");
}
