//! A real headless Chromium, driven over its debugging protocol: real clicks, keys and dropped
//! files.

use super::missing::skip;
use super::{connect, program, BrowserSocket};
use crate::common::starting;
use crate::server::PATIENCE;
use serde_json::{json, Value};
use std::cell::RefCell;
use std::path::Path;
use std::process::{Child, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::time::Instant;
use tempfile::TempDir;
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
struct Browser {
    /// Present until the browser is dropped.
    chromium: Option<Chromium>,
    /// The browser context that isolates this test's pages; `None` if no other test gets this
    /// Chromium.
    context: Option<String>,
    tabs: Vec<String>,
    /// The events of the pages.
    events: Vec<Value>,
}

/// A tab of a browser without state of earlier tests; without Chromium the test is skipped or
/// fails, depending on the setting.
pub fn launch() -> Option<Tab> {
    let idle = IDLE.lock().unwrap().pop();
    let mut browser = Browser::of(idle.or_else(|| Chromium::start(&[])))?;
    let context = browser.call(None, "Target.createBrowserContext", json!({}));
    browser.context = context["browserContextId"].as_str().map(str::to_owned);
    Some(Tab::blank(&Rc::new(RefCell::new(browser)), ""))
}

/// A tab of a browser for this test alone, with these additional options.
pub fn launch_with(options: &[&str]) -> Option<Tab> {
    let browser = Browser::of(Chromium::start(options))?;
    Some(Tab::blank(&Rc::new(RefCell::new(browser)), ""))
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
}

/// A tab of the browser, which is open as long as any of its tabs is there. Expressions are those
/// of the console: `$(selector)` is the first element, `$$(selector)` an array of all.
pub struct Tab {
    browser: Rc<RefCell<Browser>>,
    session: String,
    home: String,
    /// Holds dropped files.
    folder: TempDir,
}

impl Tab {
    /// A new tab that shows nothing.
    fn blank(browser: &Rc<RefCell<Browser>>, home: &str) -> Tab {
        let mut opened = browser.borrow_mut();
        let mut place = json!({ "url": "about:blank" });
        if let Some(context) = &opened.context {
            place["browserContextId"] = json!(context);
        }
        let target = opened.call(None, "Target.createTarget", place);
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = opened.call(None, "Target.attachToTarget", attach);
        let session = session["sessionId"].as_str().unwrap().to_owned();
        opened.tabs.push(session.clone());
        let (browser, home) = (Rc::clone(browser), home.to_owned());
        drop(opened);
        let tab = Tab {
            browser,
            session,
            home,
            folder: TempDir::new().unwrap(),
        };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab
    }

    /// Sets the page whose address those that begin with `#` belong to.
    pub fn at(mut self, home: &str) -> Tab {
        home.clone_into(&mut self.home);
        self
    }

    /// The address of the page.
    pub fn home(&self) -> &str {
        &self.home
    }

    /// Calls a method of the debugging protocol, of this page.
    fn call(&self, method: &str, parameters: Value) -> Value {
        let mut browser = self.browser.borrow_mut();
        browser.call(Some(&self.session), method, parameters)
    }

    /// Opens an address in a new tab and waits until the board is there.
    pub fn open(&self, address: &str) -> Tab {
        self.open_when(address, SHOWN)
    }

    /// Opens an address in a new tab and waits until a condition is true there.
    pub fn open_when(&self, address: &str, ready: &str) -> Tab {
        let tab = self.open_blank();
        tab.goto_when(address, ready);
        tab
    }

    /// Opens a new tab that shows nothing.
    pub fn open_blank(&self) -> Tab {
        Tab::blank(&self.browser, &self.home)
    }

    /// Goes to an address, from another page, and waits until the board is there.
    pub fn goto(&self, address: &str) {
        self.goto_when(address, SHOWN);
    }

    /// Goes to an address, from another page, and waits until a condition is true there. An empty
    /// address is the page's, and one that begins with `#` a place in it.
    pub fn goto_when(&self, address: &str, ready: &str) {
        let is_own = address.is_empty() || address.starts_with('#');
        let url = format!("{}{address}", if is_own { &self.home } else { "" });
        for url in ["about:blank", &url] {
            self.call("Page.navigate", json!({ "url": url }));
        }
        self.wait(ready);
    }

    /// Runs a script before those of every page in the tab.
    pub fn before_scripts(&self, script: &str) {
        let source = json!({ "source": script });
        self.call("Page.addScriptToEvaluateOnNewDocument", source);
    }

    /// Reloads the page.
    pub fn reload(&self) {
        self.eval("window.isOld = true");
        self.call("Page.reload", json!({}));
        self.wait(&format!("!window.isOld && {SHOWN}"));
    }

    /// The value of an expression in the page.
    pub fn eval(&self, expression: &str) -> Value {
        let value = self.try_eval(expression);
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// As [`Browser::eval`], but returns the browser's error.
    fn try_eval(&self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true, "includeCommandLineAPI": true });
        let mut browser = self.browser.borrow_mut();
        let result = browser.try_call(Some(&self.session), "Runtime.evaluate", parameters)?;
        match &result["exceptionDetails"] {
            Value::Null => Ok(result["result"]["value"].clone()),
            exception => Err(exception.clone()),
        }
    }

    /// The text of an expression in the page.
    pub fn text(&self, expression: &str) -> String {
        let value = self.eval(&format!("String({expression})"));
        value.as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true in the page.
    pub fn wait(&self, condition: &str) {
        let deadline = Instant::now() + PATIENCE;
        let condition = format!("Boolean({condition})");
        loop {
            match self.try_eval(&condition) {
                Ok(value) if value == true => return,
                Ok(_) => {}
                // Nothing can be evaluated between two pages.
                Err(error) if error["message"] == NAVIGATED => {}
                Err(error) => panic!("{condition}: {error}"),
            }
            if Instant::now() > deadline {
                let page = self.text("location.hash + '\\n' + document.body.innerText");
                panic!("never true: {condition}\n{page}\n{:?}", self.complaints());
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Clicks into the middle of an element, after opening its panel. If the page moves the element
    /// meanwhile, the mouse follows it.
    pub fn click(&self, selector: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let place = self.aim(selector);
            for kind in ["mousePressed", "mouseReleased"] {
                let click = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
                self.call("Input.dispatchMouseEvent", click);
            }
            // `window.aim` is gone if the click has opened another page.
            if self.eval("Boolean(window.aim?.isMissed())") == false {
                return;
            }
            assert!(Instant::now() < deadline, "no click reaches {selector}");
        }
    }

    /// Scrolls to an element and returns its middle. The page records whether a click hits it.
    fn aim(&self, selector: &str) -> Value {
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
        self.eval(&place)
    }

    /// Taps a place of the screen, `[x, y]`, with a finger.
    pub fn touch(&self, place: &Value) {
        let points = json!([{ "x": place[0], "y": place[1] }]);
        for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
            let event = json!({ "type": kind, "touchPoints": points });
            self.call("Input.dispatchTouchEvent", event);
        }
    }

    /// Clicks on a cell of the board.
    pub fn click_cell(&self, cell: &str) {
        self.click(&format!("[data-cell=\"{cell}\"]"));
    }

    /// Presses a key: a letter or a name such as `ArrowLeft`.
    pub fn press(&self, key: &str) {
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
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Drops a file with this name and text on the page.
    pub fn drop_text(&self, name: &str, text: &str) {
        let file = self.folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        self.drop_files(&[&file]);
    }

    /// Drops files or folders into the middle of the page.
    pub fn drop_files(&self, paths: &[&Path]) {
        // Chromium drops no file whose path has `..`.
        let files: Vec<String> = paths
            .iter()
            .map(|path| path.canonicalize().unwrap().display().to_string())
            .collect();
        for kind in ["dragEnter", "dragOver", "drop"] {
            let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
            let event = json!({ "type": kind, "x": 100, "y": 100, "data": data });
            self.call("Input.dispatchDragEvent", event);
        }
    }

    /// Sets the size of the screen; a phone has touch and a high resolution.
    pub fn resize(&self, width: u32, height: u32, screen: Screen) {
        let is_phone = screen == Screen::Phone;
        let scale = if is_phone { 2 } else { 1 };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let touch = json!({ "enabled": is_phone });
        self.call("Emulation.setTouchEmulationEnabled", touch);
    }

    /// Limits the download rate, in bytes per second.
    pub fn slow_down(&self, bytes: u32) {
        let limits = json!({ "offline": false, "latency": 20, "downloadThroughput": bytes, "uploadThroughput": -1 });
        self.call("Network.emulateNetworkConditions", limits);
    }

    /// Sets the colour scheme.
    pub fn set_scheme(&self, scheme: &str) {
        self.set_media("prefers-color-scheme", scheme);
    }

    /// Sets a media feature.
    pub fn set_media(&self, feature: &str, value: &str) {
        let features = json!([{ "name": feature, "value": value }]);
        let media = json!({ "features": features });
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// Shows the page as it is printed.
    pub fn show_on_paper(&self) {
        let media = json!({ "media": "print" });
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// A picture of the visible part, as PNG in base64.
    pub fn screenshot(&self) -> String {
        let picture = self.call("Page.captureScreenshot", json!({}));
        picture["data"].as_str().unwrap().to_owned()
    }

    /// The reasons why the page cannot be installed as an app; empty if it can.
    pub fn installability_errors(&self) -> Value {
        let found = self.call("Page.getInstallabilityErrors", json!({}));
        found["installabilityErrors"].clone()
    }

    /// The addresses that pages have requested.
    pub fn requests(&self) -> Vec<String> {
        let browser = self.browser.borrow();
        let asked = browser.events.iter().filter_map(|event| {
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
        let browser = self.browser.borrow();
        let complaints = browser.events.iter().filter_map(|event| {
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
