//! The page of `hex web` in a browser, and common steps of tests on it.

use super::browser::{launch, Tab, SHOWN};
use crate::common::hex;
use crate::server::Server;
use hex_core::record::{hexworld, Ending, Game, Outcome};
use rustix::process::Signal;
use serde_json::Value;
use std::ops::Deref;

/// The moves of the tree, in the order of the list, as an expression.
pub const LISTED: &str = "$$('#moves button').map((move) => move.textContent).join(' ')";

/// A page in a tab, and what serves it. At the end of the test no other site has been contacted,
/// and no script has failed.
pub struct Page<S = Server> {
    tab: Tab,
    pub server: S,
    is_checked: bool,
}

/// The page at this place, such as `#5,a2;red=person;blue=person`; `None` without a browser.
pub fn visit(place: &str) -> Option<Page> {
    visit_with(&[], place)
}

/// The same with these arguments of `hex web`.
pub fn visit_with(arguments: &[&str], place: &str) -> Option<Page> {
    let page = blank(arguments)?;
    page.goto(place);
    Some(page)
}

/// A server with these arguments, and a tab that does not yet show its page.
pub fn blank(arguments: &[&str]) -> Option<Page> {
    Some(served(launch()?, arguments))
}

/// A server with these arguments, and its page's tab.
pub fn served(tab: Tab, arguments: &[&str]) -> Page {
    let server = Server::start(arguments);
    let tab = tab.at(&server.url());
    Page::new(tab, server)
}

impl<S> Page<S> {
    pub fn new(tab: Tab, server: S) -> Page<S> {
        Page {
            tab,
            server,
            is_checked: true,
        }
    }

    /// The same without the checks at its end: the browser complains, or other pages are visited.
    pub fn unchecked(mut self) -> Page<S> {
        self.is_checked = false;
        self
    }
}

impl Page {
    /// Stops the server. The browser then complains about it.
    pub fn stop_server(&mut self) {
        self.is_checked = false;
        self.server.signal(Signal::TERM);
        assert!(self.server.ended().0.success());
    }

    /// Starts a server at the same address.
    pub fn start_server(&mut self) {
        let port = self.server.port().to_string();
        self.server = Server::start_by(hex().args(["web", "--port", &port]));
    }
}

impl<S> Deref for Page<S> {
    type Target = Tab;

    fn deref(&self) -> &Tab {
        &self.tab
    }
}

impl<S> Drop for Page<S> {
    fn drop(&mut self) {
        if self.is_checked && !std::thread::panicking() {
            self.tab.assert_sound();
        }
    }
}

impl Tab {
    /// No other site was contacted, and no script failed.
    pub fn assert_sound(&self) {
        assert_eq!(self.complaints(), Vec::<String>::new());
        let requests = self.requests();
        assert!(requests.len() > 5, "{requests:?}");
        let socket = self.home().replacen("http", "ws", 1);
        for request in requests {
            let own = [self.home(), &socket, "blob:", "data:", "about:blank"];
            let is_own = own.iter().any(|own| request.starts_with(own));
            assert!(is_own, "{request}");
        }
    }

    /// The game in the address bar, parsed by the tools' reader.
    pub fn game(&self) -> Game {
        let game = self.text("location.hash.split(';')[0]");
        hexworld::parse(&game).unwrap_or_else(|error| panic!("{game}: {error}"))
    }

    /// Plays the first free cell at every turn, until the edges are joined.
    pub fn play_out(&self) -> Outcome {
        let over = "$('#status').textContent.includes(' won: ')";
        let turn = "$('#status').textContent.includes('Your move')";
        loop {
            self.wait(&format!("{SHOWN} && ({over} || {turn})"));
            if self.eval(over) == true {
                break;
            }
            self.click_cell(&self.text("$('.cell.open').dataset.cell"));
        }
        let outcome = self.game().outcome().expect("the game is over");
        assert_eq!(outcome.ending, Ending::Connection);
        outcome
    }

    /// The moves in the address bar, past and to come.
    pub fn moves(&self) -> String {
        self.text("location.hash.split(';')[0].replace(/^[^,]*,?/, '')")
    }

    /// Waits until the address, from its `#`, begins so.
    pub fn wait_for_address(&self, begin: &str) {
        self.wait(&format!("location.hash.startsWith({begin:?})"));
    }

    /// A cell's label for screen readers.
    pub fn label(&self, cell: &str) -> String {
        self.text(&format!("$('[data-cell={cell}]').ariaLabel"))
    }

    /// The text of the first element that this selects.
    pub fn text_of(&self, selector: &str) -> String {
        self.text(&format!("$({selector:?}).textContent"))
    }

    /// How many elements this selects.
    pub fn count(&self, selector: &str) -> u64 {
        let count = self.eval(&format!("$$({selector:?}).length"));
        count.as_u64().unwrap()
    }

    /// Waits until the first element that this selects contains these words.
    pub fn wait_for_words(&self, selector: &str, words: &str) {
        self.wait(&format!("$({selector:?}).textContent.includes({words:?})"));
    }

    /// Waits until this selects `count` elements.
    pub fn wait_for_count(&self, selector: &str, count: usize) {
        self.wait(&format!("$$({selector:?}).length === {count}"));
    }

    /// Waits until the status line contains these words.
    pub fn wait_for_status(&self, words: &str) {
        self.wait_for_words("#status", words);
    }

    /// Clicks on a cell and waits until the status line contains these words.
    pub fn play(&self, cell: &str, status: &str) {
        self.click_cell(cell);
        self.wait_for_status(status);
    }

    /// Clicks a button and waits until the status line contains these words.
    pub fn click_then(&self, selector: &str, status: &str) {
        self.click(selector);
        self.wait_for_status(status);
    }

    /// Presses a key and waits until the status line contains these words.
    pub fn press_then(&self, key: &str, status: &str) {
        self.press(key);
        self.wait_for_status(status);
    }

    /// Taps a cell with a finger, and returns where.
    pub fn touch_cell(&self, cell: &str) -> Value {
        let place = self.eval(&format!(
            "(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])
            ($('[data-cell={cell}]').getBoundingClientRect())"
        ));
        self.touch(&place);
        place
    }

    /// Sets the value of a field as a user does.
    pub fn choose(&self, field: &str, value: &str) {
        let field = format!("const field = $('#{field}'); field.value = {value:?};");
        self.eval(&format!(
            "{{ {field} field.dispatchEvent(new Event('change')); }}"
        ));
    }

    /// Pastes text into a field.
    pub fn type_into(&self, field: &str, text: &str) {
        let field = format!("const field = $('#{field}'); field.focus(); field.value = {text:?};");
        let event = "field.dispatchEvent(new Event('input', { bubbles: true }));";
        self.eval(&format!("{{ {field} {event} }}"));
    }

    /// Pastes a game.
    pub fn paste(&self, text: &str) {
        self.type_into("paste-text", text);
        self.eval("$('#paste').requestSubmit()");
    }

    /// Clicks an element without the mouse, even if the page moves it meanwhile.
    pub fn click_at_once(&self, selector: &str) {
        self.eval(&format!("$({selector:?}).click()"));
    }

    /// From now on `window.saved` is the name of the last download, and `window.content` its
    /// content.
    pub fn catch_downloads(&self) {
        self.eval(
            "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
            { const address = URL.createObjectURL;
            URL.createObjectURL = (blob) => { window.content = blob; return address(blob); }; }",
        );
    }

    /// From now on `window.copied` is what the page has put into the clipboard.
    pub fn catch_copies(&self) {
        self.eval("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    }

    /// The content of the last download.
    pub fn download(&self) -> String {
        let content = self.eval("window.content.text()");
        content.as_str().unwrap().to_owned()
    }

    /// The shown game as the page saves it.
    pub fn saved_sgf(&self) -> String {
        self.catch_downloads();
        self.eval("window.content = undefined");
        self.click_at_once("#save-sgf");
        self.wait("window.content");
        self.download()
    }
}
