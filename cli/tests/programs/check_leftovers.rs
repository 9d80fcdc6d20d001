//! What a killed `hex check` leaves, the next one removes.

use crate::checks::check;
use crate::common::{describe, hex, starting, wait_until, Place};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// The names of what is in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Starts a check without games, with this folder for temporary files.
fn check_in(temporary: &Path, bot: &str) -> Child {
    let mut command = hex();
    command.args(["check", bot, "--games", "0", "--threads", "2"]);
    command.env("TMPDIR", temporary);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// A check that was killed leaves its folder. The next one removes it, but none that is in use.
#[cfg(unix)]
#[test]
fn folders_of_killed_checks_are_removed() {
    let place = Place::new();
    let temporary = place.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let folders = || names_in(&temporary);
    let start = |bot: &str| check_in(&temporary, bot);
    // Two checks that do not end, each with its folder.
    let stalls = place.bot("--trouble stall@1 ;; first-ms=600000");
    let mut begun = Vec::new();
    for count in 1..=2 {
        begun.push(start(&stalls));
        let is_locked = |name: &String| temporary.join(name).join("lock").is_file();
        wait_until("they have begun", || {
            folders().iter().filter(|name| is_locked(name)).count() >= count
        });
    }
    let both = folders();
    begun[0].kill().unwrap();
    begun[0].wait().unwrap();
    assert_eq!(folders(), both, "a check that is killed removes nothing");
    // Folders without a lock: about to be locked, or of an earlier version; and what is no folder.
    let old = temporary.join("hex-check-old");
    let outside = place.path().join("outside");
    for folder in [&old, &temporary.join("hex-check-young"), &outside] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("bot"), "").unwrap();
    }
    let two_days = SystemTime::now() - Duration::from_secs(48 * 60 * 60);
    for folder in [&old, &outside] {
        let folder = fs::File::open(folder).unwrap();
        folder.set_modified(two_days).unwrap();
    }
    std::os::unix::fs::symlink(&outside, temporary.join("hex-check-link")).unwrap();
    let status = start(&place.bot("--trouble crash@1")).wait().unwrap();
    assert_eq!(status.code(), Some(1));
    let left = folders();
    let kept = |name: &str| left.iter().any(|left| left == name);
    assert!(kept("hex-check-young") && kept("hex-check-link") && !kept("hex-check-old"));
    assert_eq!(
        left.iter().filter(|name| both.contains(name)).count(),
        1,
        "{both:?} {left:?}"
    );
    assert!(outside.join("bot").is_file());
    begun[1].kill().unwrap();
    begun[1].wait().unwrap();
    place.assert_no_process_left();
}

/// The control groups of a killed check are removed, too, where the system allows groups.
#[cfg(target_os = "linux")]
#[test]
fn groups_of_killed_checks_are_removed() {
    let place = Place::new();
    let crashes = place.bot("--trouble crash@1");
    let output = check(&crashes, "--games 0 --slow 2").output().unwrap();
    if !describe(&output).contains("a quota of a control group") {
        // Signals slow it down then, and leave nothing.
        return;
    }
    let mut command = hex();
    let stalls = place.bot("--trouble stall@1 ;; first-ms=600000");
    command.args(["check", &stalls, "--games", "0", "--slow", "2"]);
    let mut begun = command.stdout(Stdio::null()).spawn().unwrap();
    let name = format!("hex-check-{}-*", begun.id());
    let groups = || {
        let mut find = starting("find");
        find.args(["/sys/fs/cgroup", "-type", "d", "-name", &name]);
        String::from_utf8(find.output().unwrap().stdout).unwrap()
    };
    // The first ones are there for a moment only, that of the bot that stalls stays.
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut seen = String::new();
    loop {
        let now = groups();
        if !now.is_empty() && now == seen {
            break;
        }
        assert!(Instant::now() < deadline, "{now:?}");
        seen = now;
        std::thread::sleep(Duration::from_millis(300));
    }
    begun.kill().unwrap();
    begun.wait().unwrap();
    place.assert_no_process_left();
    assert_eq!(groups(), seen, "a check that is killed leaves its group");
    check(&crashes, "--games 0 --slow 2").output().unwrap();
    assert_eq!(groups(), "");
}
