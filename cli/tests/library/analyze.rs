//! `hex analyze` as a program.

use crate::common::hex;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

/// Somebody who types the positions, or sends them through a pipe and waits.
#[test]
fn an_answer_does_not_wait_for_the_end_of_the_input() {
    let mut process = hex()
        .args(["analyze", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let output = BufReader::new(process.stdout.take().unwrap());
    let (heard, lines) = mpsc::channel();
    std::thread::spawn(move || {
        output
            .lines()
            .for_each(|line| heard.send(line.unwrap()).unwrap());
    });
    input.write_all(b"2\n").unwrap();
    for number in 1..=2 {
        input.write_all(b"3\n1 1\nA2\nB2\n").unwrap();
        let line = lines.recv_timeout(Duration::from_secs(60)).unwrap();
        let expected = format!("{{\"data_set\":{number},");
        assert!(line.starts_with(&expected), "{line}");
    }
    drop(input);
    assert!(process.wait().unwrap().success());
}
