//! A real headless Chromium, driven over its debugging protocol: real clicks, keys and dropped
//! files.

use super::missing::skip;
use super::{connect, program, BrowserSocket};
use crate::common::starting;
use crate::server::PATIENCE;
use serde_json::{json, Value};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use tungstenite::Message;

/// The names of Chromium.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// No window, no network requests of its own, and able to run as root in a container.
const OPTIONS: [&str; 13] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--window-size=1280,900",
    "--remote-debugging-port=0",
];

/// The error if a page goes away before it could answer.
const NAVIGATED: &str = "Inspected target navigated or closed";

/// The page shows the position that its address names.
pub const SHOWN: &str = "document.querySelector('#board[aria-busy=\"false\"]') !== null";

/// Runs Chromium, `$@`, with an empty profile until the other end of its standard input is closed,
/// so that it always ends with the tests.
const RUN: &str = r#"
    profile=$(mktemp -d)
    "$@" --user-data-dir="$profile" about:blank &
    read -r _
    kill $!
    wait
    rm -rf "$profile"
"#;

/// Running browsers that no test uses. Starting one takes longer than most tests.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

/// A running Chromium.
struct Chromium {
    child: Child,
    socket: BrowserSocket,
    last_id: u64,
}

impl Chromium {
    /// Starts one with these additional options; `None` without Chromium.
    fn start(options: &[&str]) -> Option<Chromium> {
        let program = program(&NAMES)?;
        let mut child = starting("/bin/sh")
            .args(["-c", RUN, "sh"])
            .arg(program)
            .args(OPTIONS)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let socket = connect(&mut child, "DevTools listening on ", "");
        Some(Chromium {
            child,
            socket,
            last_id: 0,
        })
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// A browser without state of earlier tests.
pub struct Browser {
    /// Present until the browser is dropped.
    chromium: Option<Chromium>,
    /// The browser context that isolates this test's pages; `None` if no other test gets this
    /// Chromium.
    context: Option<String>,
    tabs: Vec<String>,
    /// The events of the pages.
    events: Vec<Value>,
}

/// A browser; without Chromium the test is skipped or fails, depending on the setting.
pub fn launch() -> Option<Browser> {
    let idle = IDLE.lock().unwrap().pop();
    let mut browser = Browser::of(idle.or_else(|| Chromium::start(&[])))?;
    let context = browser.call(None, "Target.createBrowserContext", json!({}));
    browser.context = context["browserContextId"].as_str().map(str::to_owned);
    Some(browser)
}

/// A browser for this test alone, with these additional options.
pub fn launch_with(options: &[&str]) -> Option<Browser> {
    Browser::of(Chromium::start(options))
}

impl Drop for Browser {
    fn drop(&mut self) {
        let Some(context) = self.context.take().filter(|_| !std::thread::panicking()) else {
            return;
        };
        self.call(
            None,
            "Target.disposeBrowserContext",
            json!({ "browserContextId": context }),
        );
        IDLE.lock().unwrap().extend(self.chromium.take());
    }
}

impl Browser {
    fn of(chromium: Option<Chromium>) -> Option<Browser> {
        if chromium.is_none() {
            skip("no Chromium on this machine: install the package `chromium`");
        }
        chromium.map(|chromium| Browser {
            chromium: Some(chromium),
            context: None,
            tabs: Vec::new(),
            events: Vec::new(),
        })
    }

    /// Calls a method of the debugging protocol, of a page or of the browser itself.
    fn call(&mut self, page: Option<&str>, method: &str, parameters: Value) -> Value {
        let result = self.try_call(page, method, parameters);
        result.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// As [`Browser::call`], but returns the browser's error.
    fn try_call(
        &mut self,
        page: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> Result<Value, Value> {
        let chromium = self.chromium.as_mut().expect("it is there until the end");
        chromium.last_id += 1;
        let id = chromium.last_id;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = page {
            message["sessionId"] = json!(session);
        }
        let message = Message::text(message.to_string());
        chromium.socket.send(message).unwrap();
        loop {
            let Message::Text(text) = chromium.socket.read().unwrap() else {
                continue;
            };
            let reply: Value = serde_json::from_str(&text).unwrap();
            if reply["id"] == id {
                return match reply.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(reply["result"].clone()),
                };
            }
            // Pages of earlier tests may still send events.
            if self.tabs.iter().any(|tab| reply["sessionId"] == **tab) {
                self.events.push(reply);
            }
        }
    }

    /// Opens an address in a new tab and waits until the board is there.
    pub fn open(&mut self, url: &str) -> Tab {
        self.open_when(url, SHOWN)
    }

    /// Opens an address in a new tab and waits until a condition is true there.
    pub fn open_when(&mut self, url: &str, ready: &str) -> Tab {
        let mut place = json!({ "url": "about:blank" });
        if let Some(context) = &self.context {
            place["browserContextId"] = json!(context);
        }
        let target = self.call(None, "Target.createTarget", place);
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach);
        let tab = Tab(session["sessionId"].as_str().unwrap().to_owned());
        self.tabs.push(tab.0.clone());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(Some(&tab.0), &format!("{domain}.enable"), json!({}));
        }
        self.goto_when(&tab, url, ready);
        tab
    }

    /// Goes to an address, from another page, and waits until the board is there.
    pub fn goto(&mut self, tab: &Tab, url: &str) {
        self.goto_when(tab, url, SHOWN);
    }

    /// Goes to an address, from another page, and waits until a condition is true there.
    pub fn goto_when(&mut self, tab: &Tab, url: &str, ready: &str) {
        for url in ["about:blank", url] {
            self.call(Some(&tab.0), "Page.navigate", json!({ "url": url }));
        }
        self.wait(tab, ready);
    }

    /// Runs a script before those of every page in the tab.
    pub fn before_scripts(&mut self, tab: &Tab, script: &str) {
        let source = json!({ "source": script });
        self.call(
            Some(&tab.0),
            "Page.addScriptToEvaluateOnNewDocument",
            source,
        );
    }

    /// Reloads the page.
    pub fn reload(&mut self, tab: &Tab) {
        self.eval(tab, "window.isOld = true");
        self.call(Some(&tab.0), "Page.reload", json!({}));
        self.wait(tab, &format!("!window.isOld && {SHOWN}"));
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, tab: &Tab, expression: &str) -> Value {
        let value = self.try_eval(tab, expression);
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// As [`Browser::eval`], but returns the browser's error.
    fn try_eval(&mut self, tab: &Tab, expression: &str) -> Result<Value, Value> {
        let parameters =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.try_call(Some(&tab.0), "Runtime.evaluate", parameters)?;
        match &result["exceptionDetails"] {
            Value::Null => Ok(result["result"]["value"].clone()),
            exception => Err(exception.clone()),
        }
    }

    /// The text of an expression in the page.
    pub fn text(&mut self, tab: &Tab, expression: &str) -> String {
        let value = self.eval(tab, &format!("String({expression})"));
        value.as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true in the page.
    pub fn wait(&mut self, tab: &Tab, condition: &str) {
        let deadline = Instant::now() + PATIENCE;
        let condition = format!("Boolean({condition})");
        loop {
            match self.try_eval(tab, &condition) {
                Ok(value) if value == true => return,
                Ok(_) => {}
                // Nothing can be evaluated between two pages.
                Err(error) if error["message"] == NAVIGATED => {}
                Err(error) => panic!("{condition}: {error}"),
            }
            if Instant::now() > deadline {
                let page = self.text(tab, "location.hash + '\\n' + document.body.innerText");
                panic!("never true: {condition}\n{page}\n{:?}", self.complaints());
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Clicks into the middle of an element, after opening its panel. If the page moves the element
    /// meanwhile, the mouse follows it.
    pub fn click(&mut self, tab: &Tab, selector: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let place = self.aim(tab, selector);
            for kind in ["mousePressed", "mouseReleased"] {
                let click = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
                self.call(Some(&tab.0), "Input.dispatchMouseEvent", click);
            }
            // `window.aim` is gone if the click has opened another page.
            if self.eval(tab, "Boolean(window.aim?.isMissed())") == false {
                return;
            }
            assert!(Instant::now() < deadline, "no click reaches {selector}");
        }
    }

    /// Scrolls to an element and returns its middle. The page records whether a click hits it.
    fn aim(&mut self, tab: &Tab, selector: &str) -> Value {
        let place = format!(
            "(() => {{ const element = document.querySelector({selector:?});
            const panel = element.closest('[role=tabpanel][hidden]');
            if (panel) document.getElementById(panel.getAttribute('aria-labelledby')).click();
            element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
            const middle = () => {{
              const {{ left, top, width, height }} = element.getBoundingClientRect();
              return [left + width / 2, top + height / 2];
            }};
            const place = middle();
            let isHit = false;
            const note = ({{ target }}) => {{ isHit ||= element.contains(target); }};
            addEventListener('click', note, true);
            window.aim = {{ isMissed() {{
              removeEventListener('click', note, true);
              return !isHit && (!element.isConnected || String(middle()) !== String(place));
            }} }};
            return place; }})()"
        );
        self.eval(tab, &place)
    }

    /// Taps a place of the screen, `[x, y]`, with a finger.
    pub fn touch(&mut self, tab: &Tab, place: &Value) {
        let points = json!([{ "x": place[0], "y": place[1] }]);
        for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
            let event = json!({ "type": kind, "touchPoints": points });
            self.call(Some(&tab.0), "Input.dispatchTouchEvent", event);
        }
    }

    /// Clicks on a cell of the board.
    pub fn click_cell(&mut self, tab: &Tab, cell: &str) {
        self.click(tab, &format!("[data-cell=\"{cell}\"]"));
    }

    /// Presses a key: a letter or a name such as `ArrowLeft`.
    pub fn press(&mut self, tab: &Tab, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "End" => 35,
            "Home" => 36,
            "Escape" => 27,
            letter => i32::from(letter.to_uppercase().as_bytes()[0]),
        };
        let text = match key {
            "Enter" => "\r",
            letter if letter.len() == 1 => letter,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call(Some(&tab.0), "Input.dispatchKeyEvent", event);
        }
    }

    /// Drops files or folders into the middle of the page.
    pub fn drop_files(&mut self, tab: &Tab, paths: &[&Path]) {
        // Chromium drops no file whose path has `..`.
        let files: Vec<String> = paths
            .iter()
            .map(|path| path.canonicalize().unwrap().display().to_string())
            .collect();
        for kind in ["dragEnter", "dragOver", "drop"] {
            let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
            let event = json!({ "type": kind, "x": 100, "y": 100, "data": data });
            self.call(Some(&tab.0), "Input.dispatchDragEvent", event);
        }
    }

    /// Sets the size of the screen; a phone has touch and a high resolution.
    pub fn resize(&mut self, tab: &Tab, width: u32, height: u32, screen: Screen) {
        let is_phone = screen == Screen::Phone;
        let scale = if is_phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.call(Some(&tab.0), "Emulation.setDeviceMetricsOverride", size);
        let touch = json!({ "enabled": is_phone });
        self.call(Some(&tab.0), "Emulation.setTouchEmulationEnabled", touch);
    }

    /// Limits the download rate, in bytes per second.
    pub fn slow_down(&mut self, tab: &Tab, bytes: u32) {
        let limits = json!({ "offline": false, "latency": 20, "downloadThroughput": bytes, "uploadThroughput": -1 });
        self.call(Some(&tab.0), "Network.emulateNetworkConditions", limits);
    }

    /// Sets the colour scheme.
    pub fn set_scheme(&mut self, tab: &Tab, scheme: &str) {
        self.set_media(tab, "prefers-color-scheme", scheme);
    }

    /// Sets a media feature.
    pub fn set_media(&mut self, tab: &Tab, feature: &str, value: &str) {
        let features = json!([{ "name": feature, "value": value }]);
        let media = json!({ "features": features });
        self.call(Some(&tab.0), "Emulation.setEmulatedMedia", media);
    }

    /// Shows the page as it is printed.
    pub fn show_on_paper(&mut self, tab: &Tab) {
        let media = json!({ "media": "print" });
        self.call(Some(&tab.0), "Emulation.setEmulatedMedia", media);
    }

    /// A picture of the visible part, as PNG in base64.
    pub fn screenshot(&mut self, tab: &Tab) -> String {
        let picture = self.call(Some(&tab.0), "Page.captureScreenshot", json!({}));
        picture["data"].as_str().unwrap().to_owned()
    }

    /// The reasons why the page cannot be installed as an app; empty if it can.
    pub fn installability_errors(&mut self, tab: &Tab) -> Value {
        let found = self.call(Some(&tab.0), "Page.getInstallabilityErrors", json!({}));
        found["installabilityErrors"].clone()
    }

    /// The addresses that pages have requested.
    pub fn requests(&mut self) -> Vec<String> {
        let asked = self.events.iter().filter_map(|event| {
            let url = match event["method"].as_str()? {
                "Network.requestWillBeSent" => &event["params"]["request"]["url"],
                "Network.webSocketCreated" => &event["params"]["url"],
                _ => return None,
            };
            Some(url.as_str()?.to_owned())
        });
        asked.collect()
    }

    /// Uncaught errors of scripts, and errors that the browser logs about the page.
    pub fn complaints(&self) -> Vec<String> {
        let complaints = self.events.iter().filter_map(|event| {
            let parameters = &event["params"];
            match event["method"].as_str()? {
                "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
                "Log.entryAdded" if parameters["entry"]["level"] == "error" => {
                    Some(parameters["entry"].to_string())
                }
                _ => None,
            }
        });
        complaints.collect()
    }
}

/// The kind of screen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Desktop,
    Phone,
}

/// A tab of the browser.
pub struct Tab(String);
