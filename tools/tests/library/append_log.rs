//! Logs that grow by a line for each result: what a kill leaves of them, and what is not theirs.

use anyhow::{ensure, Context, Result};
use hex_tools::append_log::{AppendLog, LogFormat};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// What the logs of these tests begin with; a letter of two bytes is in it.
const HEADER: &str = "numbers × 1";

/// Lines that are numbers, below a header or without one.
struct Numbers {
    header: Option<&'static str>,
}

impl LogFormat for Numbers {
    type Entry = u32;

    fn header(&self) -> Option<String> {
        self.header.map(str::to_owned)
    }

    fn check_header(&self, first: &str) -> Result<()> {
        ensure!(Some(first) == self.header, "another run");
        Ok(())
    }

    fn read(&mut self, line: &str) -> Result<u32> {
        line.parse().with_context(|| format!("{line:?}"))
    }
}

fn numbers() -> Numbers {
    let header = Some(HEADER);
    Numbers { header }
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
        let (mut log, entries) = AppendLog::open(&path, &mut numbers()).unwrap();
        let known: &[u32] = match length {
            _ if length < whole.len() - 3 => &[],
            _ if length < whole.len() => &[1],
            _ => &[1, 23],
        };
        assert_eq!(entries, known, "{length} bytes");
        log.append("4").unwrap();
        drop(log);
        let (_, entries) = AppendLog::resume(&path, &mut numbers()).unwrap();
        assert_eq!(entries, [known, &[4]].concat(), "{length} bytes");
    }
}

#[test]
fn a_log_without_header_goes_on_too() {
    let mut format = Numbers { header: None };
    let (_folder, path) = file(b"1\n23\n4");
    let (mut log, entries) = AppendLog::open(&path, &mut format).unwrap();
    assert_eq!(entries, [1, 23]);
    log.append("5").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "1\n23\n5\n");
}

#[test]
fn a_file_of_something_else_is_left_as_it_is() {
    let damaged = format!("{HEADER}\n1\ntwo\n3");
    let cases: [(&[u8], &str); 5] = [
        (b"mine", "delete it"),
        (b"numbers of mine", "delete it"),
        (b"mine\nand", "log.txt, line 1: another run"),
        (damaged.as_bytes(), "log.txt, line 3: \"two\""),
        (b"\xff\xfe\n", "no text"),
    ];
    for (bytes, why) in cases {
        let (_folder, path) = file(bytes);
        for opened in [
            AppendLog::open(&path, &mut numbers()),
            AppendLog::resume(&path, &mut numbers()),
        ] {
            let error = format!("{:#}", opened.unwrap_err());
            assert!(error.contains(why) && error.contains("log.txt"), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert!(AppendLog::create(&path, &numbers()).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_replaced_log_grows_at_its_end() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log.txt");
    let mut log = AppendLog::create(&path, &numbers()).unwrap();
    log.append("1").unwrap();
    log.append("2").unwrap();
    log.replace(&numbers(), ["3"]).unwrap();
    log.append("4").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, format!("{HEADER}\n3\n4\n"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
