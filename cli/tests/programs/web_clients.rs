//! `hex web` and several clients, by their addresses: none takes what all need. And how connections
//! end that break the protocols or send no more.

use crate::common::{hex, wait_until};
use crate::server::{Answer, Server, PATIENCE};
use hex_core::service::problem::MAX_SAVED;
use rustix::net::{bind, connect, socket, AddressFamily, SocketType};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddrV4, TcpStream};

/// Two of this machine's own addresses.
const ONE: Ipv4Addr = Ipv4Addr::LOCALHOST;
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// A connection to the server from this address.
fn connection(server: &Server, from: Ipv4Addr) -> TcpStream {
    let stream = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&stream, &SocketAddrV4::new(from, 0)).unwrap();
    connect(&stream, &SocketAddrV4::new(ONE, server.port())).unwrap();
    let stream = TcpStream::from(stream);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// The answer on a connection that the server closes.
fn answer(mut stream: &TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    Answer::parse(&String::from_utf8_lossy(&bytes))
}

/// Sends a question to save a game, all but the last `missing` bytes of its `size`.
fn save(mut stream: &TcpStream, size: usize, missing: usize) {
    let head = format!(
        "POST /api/save/sgf HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The server may refuse it before all is there.
    let _ = stream.write_all(&vec![b' '; size - missing]);
}

/// The memory that a process has, in bytes.
fn memory(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: usize = line.unwrap().trim_end_matches("kB").trim().parse().unwrap();
    kilobytes << 10
}

#[test]
fn all_bodies_together_have_a_limit_and_give_their_memory_back() {
    let mut web = hex();
    web.args(["web", "--port", "0", "--threads", "1"]);
    // glibc begins with this limit, and raises it when a large block is freed: then it keeps some.
    web.env("MALLOC_MMAP_THRESHOLD_", "131072");
    let server = Server::start_by(&mut web);
    let before = memory(&server);
    // Slow ones of one client: two of the largest are taken.
    let slow: Vec<TcpStream> = (0..6).map(|_| connection(&server, ONE)).collect();
    std::thread::scope(|scope| {
        for stream in &slow {
            scope.spawn(|| save(stream, MAX_SAVED, 1));
        }
    });
    let most = memory(&server);
    assert!(most < before + 3 * MAX_SAVED, "{before} bytes, then {most}");
    for mut stream in &slow {
        let _ = stream.write_all(b" ");
    }
    let statuses: Vec<u16> = slow.iter().map(|stream| answer(stream).status).collect();
    // It is no JSON; or there was no room; or, on a busy machine, the time was over.
    let is_known = |status| [400, 503, 408].contains(status);
    assert!(statuses.iter().all(is_known), "{statuses:?}");
    assert!(statuses.contains(&503), "{statuses:?}");
    // It is taken again, and nothing is kept.
    for _ in 0..3 {
        let stream = connection(&server, ONE);
        save(&stream, MAX_SAVED, 0);
        assert_eq!(answer(&stream).status, 400);
    }
    wait_until("the memory is given back", || {
        memory(&server) < before + MAX_SAVED / 2
    });
}

#[test]
fn one_clients_bodies_keep_no_other_out() {
    let server = Server::start(&["--threads", "1"]);
    let held = [(); 2].map(|()| connection(&server, ONE));
    for stream in &held {
        save(stream, MAX_SAVED, 1);
    }
    let refused = connection(&server, ONE);
    save(&refused, MAX_SAVED, 0);
    let refused = answer(&refused);
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.error().contains("try again"), "{refused:?}");
    let stream = connection(&server, OTHER);
    save(&stream, MAX_SAVED, 0);
    // It is no JSON, but it was read.
    assert_eq!(answer(&stream).status, 400);
}

/// Opens a tab's socket by hand: the connection, and the status of the answer.
fn tab(server: &Server, from: Ipv4Addr) -> (TcpStream, String) {
    let mut stream = connection(server, from);
    let head = "GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n\
                Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut line = Vec::new();
    while !line.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        line.extend(byte);
    }
    let line = String::from_utf8(line).unwrap();
    let status = line.split(' ').nth(1).unwrap().to_owned();
    (stream, status)
}

#[test]
fn one_client_cannot_take_all_tabs() {
    let server = Server::start(&["--threads", "1"]);
    let tabs: Vec<_> = (0..64).map(|_| tab(&server, ONE)).collect();
    let open = tabs.iter().filter(|(_, status)| status == "101").count();
    assert_eq!(open, 32);
    assert!(tabs[32..].iter().all(|(_, status)| status == "503"));
    let others: Vec<_> = (0..33).map(|_| tab(&server, OTHER)).collect();
    let open = others.iter().filter(|(_, status)| status == "101").count();
    assert_eq!(open, 32);
}

/// A frame that a client sends with this first byte, masked by zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    [&[first, 0x80 | length, 0, 0, 0, 0], payload].concat()
}

/// The code of the close frame that the server sends; `None` if it closes without one.
fn close_code(mut stream: TcpStream) -> Option<u16> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let [0x88, length, high, low, ..] = bytes[..] else {
        return None;
    };
    (length >= 2).then(|| u16::from_be_bytes([high, low]))
}

#[test]
fn a_socket_that_breaks_its_protocol_is_closed_with_the_code_for_it() {
    let server = Server::start(&["--threads", "1"]);
    let mut unmasked = frame(0x81, b"{}");
    unmasked.drain(2..6);
    unmasked[1] = 2;
    for (what, bytes, code) in [
        ("text that is not UTF-8", frame(0x81, b"\xff\xfe"), 1007),
        ("a frame without a mask", unmasked, 1002),
        ("a reserved bit", frame(0xc1, b"{}"), 1002),
        ("a reserved kind", frame(0x83, b"{}"), 1002),
        ("a continuation of nothing", frame(0x80, b"{}"), 1002),
        ("a ping in parts", frame(0x09, b""), 1002),
        (
            "a text within a text",
            [frame(0x01, b"{"), frame(0x81, b"}")].concat(),
            1002,
        ),
        ("a close of one byte", frame(0x88, b"\x03"), 1002),
        (
            "a close with a code of nobody",
            frame(0x88, &999u16.to_be_bytes()),
            1002,
        ),
    ] {
        let (mut stream, status) = tab(&server, ONE);
        assert_eq!(status, "101");
        stream.write_all(&bytes).unwrap();
        assert_eq!(close_code(stream), Some(code), "{what}");
    }
}

#[test]
fn a_client_that_sends_no_more_gets_its_answer() {
    let server = Server::start(&["--threads", "1"]);
    let body = json!({ "game": "5,a1" }).to_string();
    let looks = format!(
        "POST /api/look HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let gets = "GET /main.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".to_owned();
    for request in [looks, gets].iter().cycle().take(20) {
        let mut stream = connection(&server, ONE);
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(answer(&stream).status, 200, "{request}");
    }
}
