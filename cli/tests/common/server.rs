//! Running `hex web` and asking it things, as a browser does and as a browser would not.
#![allow(dead_code, reason = "not every test program uses everything")]

use crate::common::hex;
use rustix::process::{kill_process, Pid, Signal};
use serde_json::{json, Value};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::CloseFrame;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::Message;

/// Longer than anything takes, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// A running server on a port of its own; it is killed when the test ends.
pub struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
    /// `127.0.0.1:PORT`.
    pub host: String,
}

impl Server {
    /// Starts `hex web` with these arguments besides the port.
    pub fn start(arguments: &[&str]) -> Server {
        let mut web = hex();
        web.args(["web", "--port", "0", "--seed", "1"]);
        Server::start_by(web.args(arguments))
    }

    /// Starts a server by the command, which must choose the port.
    pub fn start_by(command: &mut Command) -> Server {
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = piped.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let host = line.trim().strip_prefix("http://").unwrap_or_default();
        let host = host.trim_end_matches('/').to_owned();
        assert!(!host.is_empty(), "the server prints {line:?}");
        Server {
            child,
            output,
            host,
        }
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.host)
    }

    pub fn port(&self) -> u16 {
        self.host.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Sends a request as it stands and returns the answer.
    pub fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may answer before it has read everything, and hang up.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::parse(&String::from_utf8_lossy(&bytes))
    }

    /// Sends a request with headers, as `("Name", "value")`; the Host is ours unless it is given.
    pub fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text += &format!("Host: {}\r\n", self.host);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.send(text.as_bytes())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path}"), &[], "")
    }

    /// Posts JSON.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let json = [("Content-Type", "application/json")];
        self.request(&format!("POST {path}"), &json, &body.to_string())
    }

    /// The record that the server reads from a text.
    pub fn record(&self, text: &str) -> Answer {
        self.request("POST /api/record", &[], text)
    }

    /// What the page shows of a game; the request must succeed.
    pub fn look(&self, game: &str) -> Value {
        let answer = self.post("/api/look", &json!({ "game": game }));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    }

    /// A socket whose tab has begun to think about a game, a minute at most.
    pub fn thinking(&self, game: &str) -> Socket {
        let mut socket = self.socket();
        socket.send(&json!({ "do": "analyse", "id": 1, "game": game, "ms": 60_000 }));
        assert_eq!(socket.hear()["id"], 1);
        socket
    }

    pub fn socket(&self) -> Socket {
        let url = format!("ws://{}/api/socket", self.host);
        let request = url.into_client_request().unwrap();
        let (socket, _) = tungstenite::connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        Socket(socket)
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end, and returns how it ended and what it still printed.
    pub fn ended(&mut self) -> (ExitStatus, String) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut rest = String::new();
                self.output.read_to_string(&mut rest).unwrap();
                return (status, rest);
            }
            assert!(Instant::now() < deadline, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Processor time used so far.
    pub fn processor_time(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let text = std::fs::read_to_string(path).unwrap();
        let (_, fields) = text.rsplit_once(") ").unwrap();
        let fields: Vec<&str> = fields.split(' ').collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        Duration::from_millis(1000 * ticks / rustix::param::clock_ticks_per_second())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// With names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn parse(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Answer {
            status: status.and_then(|status| status.parse().ok()).unwrap_or(0),
            headers: headers.collect(),
            body: body.to_owned(),
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The sentence that says what is wrong.
    pub fn error(&self) -> String {
        let json = self.json();
        let error = json["error"].as_str();
        error.unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

/// A tab's socket.
pub struct Socket(pub tungstenite::WebSocket<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub fn send(&mut self, order: &Value) {
        self.0.send(Message::text(order.to_string())).unwrap();
    }

    /// Sends an order and returns its end.
    pub fn ask(&mut self, order: &Value) -> Value {
        self.send(order);
        self.hear_end()
    }

    /// The next thing that is said.
    pub fn hear(&mut self) -> Value {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Ok(Message::Close(frame)) => panic!("closed: {frame:?}"),
                Ok(_) => {}
                // Signals of other tests in this process wake it.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// What the server says when it closes the connection.
    pub fn close_frame(&mut self) -> CloseFrame {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.expect("it says why"),
                Ok(_) => {}
                Err(error) => panic!("closed without a word: {error}"),
            }
        }
    }

    /// The end of an order: the first reply that is not an intermediate result.
    pub fn hear_end(&mut self) -> Value {
        loop {
            let reply = self.hear();
            if reply["kind"] != "analysis" {
                return reply;
            }
        }
    }
}
