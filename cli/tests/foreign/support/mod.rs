//! Runs browsers, and finds the programs that tests need.
pub mod axe;
pub mod browser;
pub mod firefox;
pub mod local;
#[path = "../../../../tests/common/missing.rs"]
pub mod missing;
pub mod page;
pub mod pictures;

use crate::server::PATIENCE;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Child;
use tungstenite::stream::MaybeTlsStream;

/// The value of an option; without it the test ends here, because what it needs is missing, and
/// that has been reported.
macro_rules! needs {
    ($found:expr) => {
        match $found {
            Some(found) => found,
            None => return,
        }
    };
}

/// The first program on the PATH with one of these names.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let programs = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    programs.into_iter().find(|program| program.is_file())
}

/// A connection to a browser's own server.
pub type BrowserSocket = tungstenite::WebSocket<MaybeTlsStream<TcpStream>>;

/// Connects to a browser that prints its address to standard error after these words. `path` is
/// added to the address.
pub fn connect(browser: &mut Child, words: &str, path: &str) -> BrowserSocket {
    let mut said = BufReader::new(browser.stderr.take().unwrap()).lines();
    let address = said
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix(words).map(str::to_owned));
    // The browser would block if nobody read its output.
    std::thread::spawn(move || said.map_while(Result::ok).for_each(drop));
    let address = address.expect("the browser tells where it listens");
    let (socket, _) = tungstenite::connect(format!("{}{path}", address.trim())).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
    }
    socket
}
