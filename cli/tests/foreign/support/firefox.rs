//! A real headless Firefox, driven over WebDriver BiDi: real clicks and keys.

use super::missing::skip;
use super::{connect, program, BrowserSocket};
use crate::common::starting;
use crate::server::{Server, PATIENCE};
use serde_json::{json, Value};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::Message;

/// The names of Firefox.
const NAMES: [&str; 2] = ["firefox-esr", "firefox"];

/// No network requests of its own, no dialogs.
const PREFERENCES: &str = r#"
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.systemAddon.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.dns.disablePrefetch", true);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("toolkit.telemetry.enabled", false);
"#;

/// The protocol's names of keys without a letter.
const KEYS: [(&str, &str); 4] = [
    ("Tab", "\u{e004}"),
    ("Enter", "\u{e007}"),
    ("ArrowLeft", "\u{e012}"),
    ("ArrowRight", "\u{e014}"),
];

/// A browser with an empty profile, and the page of `hex web` in its tab. When the test ends it is
/// killed, and has no complaints.
pub struct Firefox {
    child: Child,
    socket: BrowserSocket,
    last_id: u64,
    context: String,
    /// The events of the pages.
    events: Vec<Value>,
    server: Server,
    _profile: TempDir,
}

/// Opens the page of `hex web` with these arguments; without Firefox the test is skipped or fails,
/// depending on the setting.
pub fn visit(arguments: &[&str], place: &str) -> Option<Firefox> {
    let Some(program) = program(&NAMES) else {
        skip("no Firefox on this machine: install the package `firefox-esr`");
        return None;
    };
    let profile = TempDir::new().unwrap();
    std::fs::write(profile.path().join("user.js"), PREFERENCES).unwrap();
    let mut child = starting(program)
        .args(["--headless", "--no-remote", "--remote-debugging-port=0"])
        .args(["--width", "1280", "--height", "800", "--profile"])
        .arg(profile.path())
        .arg("about:blank")
        .env("HOME", profile.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let socket = connect(&mut child, "WebDriver BiDi listening on ", "/session");
    let mut firefox = Firefox {
        child,
        socket,
        last_id: 0,
        context: String::new(),
        events: Vec::new(),
        server: Server::start(arguments),
        _profile: profile,
    };
    firefox.call("session.new", json!({ "capabilities": {} }));
    firefox.call("session.subscribe", json!({ "events": ["log.entryAdded"] }));
    let tree = firefox.call("browsingContext.getTree", json!({}));
    firefox.context = tree["contexts"][0]["context"].as_str().unwrap().to_owned();
    firefox.goto(place);
    Some(firefox)
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let close = json!({ "id": 0, "method": "browser.close", "params": {} });
        let _ = self.socket.send(Message::text(close.to_string()));
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !std::thread::panicking() {
            assert_eq!(self.complaints(), Vec::<String>::new());
        }
    }
}

impl Firefox {
    /// Calls a method of the protocol.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let message = json!({ "id": id, "method": method, "params": parameters });
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else {
                continue;
            };
            let reply: Value = serde_json::from_str(&text).unwrap();
            if reply["id"] != id {
                self.events.push(reply);
                continue;
            }
            assert!(reply["type"] != "error", "{method}: {reply}");
            return reply["result"].clone();
        }
    }

    /// Goes to a place of the page and waits until the board is there.
    pub fn goto(&mut self, place: &str) {
        let url = format!("{}{place}", self.server.url());
        for url in ["about:blank", &url] {
            let parameters = json!({ "context": self.context, "url": url, "wait": "complete" });
            self.call("browsingContext.navigate", parameters);
        }
        self.wait(super::browser::SHOWN);
    }

    /// Reloads the page.
    pub fn reload(&mut self) {
        let parameters = json!({ "context": self.context, "wait": "complete" });
        self.call("browsingContext.reload", parameters);
        self.wait(super::browser::SHOWN);
    }

    /// The text of an expression in the page.
    pub fn text(&mut self, expression: &str) -> String {
        let parameters = json!({
            "expression": format!("String({expression})"), "target": { "context": self.context }, "awaitPromise": true,
        });
        let result = self.call("script.evaluate", parameters);
        let text = result["result"]["value"].as_str();
        text.unwrap_or_else(|| panic!("{expression}: {result}"))
            .to_owned()
    }

    /// Waits until an expression is true in the page.
    pub fn wait(&mut self, condition: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.text(&format!("Boolean({condition})")) != "true" {
            if Instant::now() > deadline {
                let page = self.text("location.hash + '\\n' + document.body.innerText");
                panic!("never true: {condition}\n{page}\n{:?}", self.complaints());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the first element that this selects contains these words.
    pub fn wait_for_words(&mut self, selector: &str, words: &str) {
        let text = format!("document.querySelector({selector:?}).textContent");
        self.wait(&format!("{text}.includes({words:?})"));
    }

    /// Waits until the status line contains these words.
    pub fn wait_for_status(&mut self, words: &str) {
        self.wait_for_words("#status", words);
    }

    /// Clicks an element and waits until the status line contains these words.
    pub fn click_then(&mut self, selector: &str, status: &str) {
        self.click(selector);
        self.wait_for_status(status);
    }

    /// Presses a key and waits until the status line contains these words.
    pub fn press_then(&mut self, key: &str, status: &str) {
        self.press(key);
        self.wait_for_status(status);
    }

    /// Waits until this selects `count` elements.
    pub fn wait_for_count(&mut self, selector: &str, count: usize) {
        self.wait(&format!(
            "document.querySelectorAll({selector:?}).length === {count}"
        ));
    }

    /// The moves in the address bar, past and to come.
    pub fn moves(&mut self) -> String {
        self.text("location.hash.split(';')[0].replace(/^[^,]*,?/, '')")
    }

    /// Clicks into the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let place = self.text(&format!(
            "(() => {{ const element = document.querySelector({selector:?});
            element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
            const {{ left, top, width, height }} = element.getBoundingClientRect();
            return JSON.stringify([Math.round(left + width / 2), Math.round(top + height / 2)]); }})()"
        ));
        let place: [i64; 2] = serde_json::from_str(&place).unwrap();
        let actions = json!([
            { "type": "pointerMove", "x": place[0], "y": place[1] },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let pointer = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        let parameters = json!({ "context": self.context, "actions": [pointer] });
        self.call("input.performActions", parameters);
    }

    /// Presses a key: a letter or a name such as `ArrowLeft`.
    pub fn press(&mut self, key: &str) {
        let known = KEYS.iter().find(|(name, _)| *name == key);
        let value = known.map_or(key, |(_, value)| value);
        let actions =
            json!([{ "type": "keyDown", "value": value }, { "type": "keyUp", "value": value }]);
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        let parameters = json!({ "context": self.context, "actions": [keyboard] });
        self.call("input.performActions", parameters);
    }

    /// Uncaught errors of scripts, and errors in the console.
    pub fn complaints(&self) -> Vec<String> {
        let errors = self.events.iter().filter(|event| {
            event["method"] == "log.entryAdded" && event["params"]["level"] == "error"
        });
        errors.map(|event| event["params"].to_string()).collect()
    }
}
