//! Logs that grow by a line for each result: what a kill leaves of them, and what is not theirs.

use anyhow::{Context, Result};
use hex_common::append_log::{AppendLog, LogFormat};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// What the logs of these tests begin with; a letter of two bytes is in it.
const HEADER: &str = "numbers × 1";

/// Lines that are numbers, below a header.
struct Numbers;

impl LogFormat for Numbers {
    type Entry = u32;

    fn header(&self) -> String {
        HEADER.to_owned()
    }

    fn read(&mut self, line: &str) -> Result<u32> {
        line.parse().with_context(|| format!("{line:?}"))
    }
}

/// A file with these bytes, in a folder that lives as long as what is returned.
fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log.txt");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn whatever_a_kill_leaves_can_be_gone_on_with() {
    let whole = format!("{HEADER}\n1\n23\n");
    for length in 0..=whole.len() {
        let (_folder, path) = file(&whole.as_bytes()[..length]);
        let (mut log, entries) = AppendLog::open(&path, &mut Numbers).unwrap();
        let known: &[u32] = match length {
            _ if length < whole.len() - 3 => &[],
            _ if length < whole.len() => &[1],
            _ => &[1, 23],
        };
        assert_eq!(entries, known, "{length} bytes");
        log.append("4").unwrap();
        drop(log);
        let (_, entries) = AppendLog::resume(&path, &mut Numbers).unwrap();
        assert_eq!(entries, [known, &[4]].concat(), "{length} bytes");
    }
}

#[test]
fn a_file_of_something_else_is_left_as_it_is() {
    let damaged = format!("{HEADER}\n1\ntwo\n3");
    let cases: [(&[u8], &str); 5] = [
        (b"mine", "delete it"),
        (b"numbers of mine", "delete it"),
        (b"mine\nand", "line 1: \"mine\" is not \"numbers × 1\""),
        (damaged.as_bytes(), "log.txt, line 3: \"two\""),
        (b"\xff\xfe\n", "not text"),
    ];
    for (bytes, why) in cases {
        let (_folder, path) = file(bytes);
        for open in [AppendLog::open, AppendLog::resume] {
            let error = format!("{:#}", open(&path, &mut Numbers).unwrap_err());
            assert!(error.contains(why) && error.contains("log.txt"), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert!(AppendLog::create(&path, &Numbers).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_replaced_log_grows_at_its_end() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log.txt");
    let mut log = AppendLog::create(&path, &Numbers).unwrap();
    log.append("1").unwrap();
    log.append("2").unwrap();
    log.replace(&Numbers, ["3"]).unwrap();
    log.append("4").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, format!("{HEADER}\n3\n4\n"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
