//! Common steps of tests on the page of `hex web`.

use super::browser::{launch, Browser, Tab};
use crate::server::Server;
use hex_core::record::{hexworld, Game};

/// A server and a browser; `None` without a browser.
pub fn page(arguments: &[&str]) -> Option<(Server, Browser)> {
    let browser = launch()?;
    Some((Server::start(arguments), browser))
}

/// The game in the address bar, parsed by the tools' reader.
pub fn game(browser: &mut Browser, tab: &Tab) -> Game {
    let hash = browser.text(tab, "location.hash");
    let text = hash.split(';').next().unwrap().to_owned();
    hexworld::parse(&text).unwrap_or_else(|error| panic!("{hash}: {error}"))
}

/// The moves in the address bar, past and to come.
pub fn moves(browser: &mut Browser, tab: &Tab) -> String {
    let hash = browser.text(tab, "location.hash");
    let text = hash.split(';').next().unwrap();
    text.split_once(',').unwrap_or(("", "")).1.to_owned()
}

/// A cell's label for screen readers.
pub fn label(browser: &mut Browser, tab: &Tab, cell: &str) -> String {
    browser.text(
        tab,
        &format!("document.querySelector('[data-cell=\"{cell}\"]').getAttribute('aria-label')"),
    )
}

/// Waits until the status line contains these words.
pub fn wait_for_status(browser: &mut Browser, tab: &Tab, words: &str) {
    let status = format!("document.getElementById('status').textContent.includes({words:?})");
    browser.wait(tab, &status);
}

/// No other site was contacted, and no script failed.
pub fn assert_sound(browser: &mut Browser, server: &Server) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let requests = browser.requests();
    assert!(requests.len() > 5, "{requests:?}");
    let own = [
        server.url(),
        format!("ws://{}/", server.host),
        format!("blob:{}", server.url()),
    ];
    for request in requests {
        let is_own = own.iter().any(|own| request.starts_with(own));
        assert!(is_own || request == "about:blank", "{request}");
    }
}

/// Sets the value of a field as a user does.
pub fn choose(browser: &mut Browser, tab: &Tab, field: &str, value: &str) {
    let change = format!(
        "(() => {{ const field = document.getElementById({field:?}); field.value = {value:?};
        field.dispatchEvent(new Event('change')); }})()"
    );
    browser.eval(tab, &change);
}
