//! What a page without a server plays with: [`hex_core::service`] behind a plain C interface, for
//! questions ([`requests`]) and orders ([`worker`]). Texts go in and out through the module's
//! memory; what they say is JSON, the same as between the page of `hex web` and its server.
//!
//! wasm-bindgen would bring a tool of its own that has to fit its crate to the last digit, and more
//! code on both sides, for what is a text in and a text out: `worker.js` needs twenty lines for it.
//!
//! A caller writes a text to [`hex_input`], calls a function, and reads its answer, if it has one,
//! at [`hex_output`]. A panic ends in a trap; the worker dies of it and the page starts another.

#[cfg(feature = "questions")]
pub mod requests;
pub mod worker;
pub mod speed;

use std::cell::RefCell;
use worker::PageWorker;

/// What lies between the caller and the worker.
struct Module {
    worker: PageWorker,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::new(Module {
        worker: PageWorker::new(0),
        input: Vec::new(),
        output: String::new(),
    });
}

/// Runs `f` on the module; nothing calls back in between.
fn with<T>(f: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with(|module| f(&mut module.borrow_mut()))
}

impl Module {
    fn input(&self) -> String {
        String::from_utf8_lossy(&self.input).into_owned()
    }

    /// Makes what is to be said to the page the output, a message a line.
    fn tell(&mut self) {
        self.output.clear();
        for message in self.worker.messages() {
            self.output += &serde_json::to_string(&message).expect("messages are plain data");
            self.output.push('\n');
        }
    }
}

/// Begins anew; random numbers begin at the seed with these halves.
#[no_mangle]
pub extern "C" fn hex_begin(seed_low: u32, seed_high: u32) {
    #[cfg(target_family = "wasm")]
    page::report_panics();
    with(|module| {
        module.worker = PageWorker::new(u64::from(seed_high) << 32 | u64::from(seed_low))
    });
}

/// Room for an input of `length` bytes, UTF-8, until the next call.
#[no_mangle]
pub extern "C" fn hex_input(length: usize) -> *mut u8 {
    with(|module| {
        module.input.clear();
        module.input.resize(length, 0);
        module.input.as_mut_ptr()
    })
}

/// Takes the input, a file of weights, as the network for large boards.
#[no_mangle]
pub extern "C" fn hex_network() {
    #[cfg(target_family = "wasm")]
    with(|module| hex_core::engine::provide_large_network(std::mem::take(&mut module.input)));
}

/// Answers the question in the input: a path, a line feed, the body.
#[cfg(feature = "questions")]
#[no_mangle]
pub extern "C" fn hex_ask() {
    with(|module| {
        let input = module.input();
        let (path, body) = input.split_once('\n').unwrap_or((&input, ""));
        let answer = requests::respond(path, body);
        module.output = serde_json::to_string(&answer).expect("answers are plain data");
    });
}

/// Takes the order in the input; what there is to be said about it at once is the output.
#[no_mangle]
pub extern "C" fn hex_order() {
    with(|module| {
        let input = module.input();
        module.worker.order(&input);
        module.tell();
    });
}

/// Searches for a moment; what was found out is the output. Returns 1 if there is more to search,
/// else 0.
#[no_mangle]
pub extern "C" fn hex_search() -> u32 {
    with(|module| {
        let more = module.worker.search();
        module.tell();
        more.into()
    })
}

/// Where the output is, UTF-8, until the next call.
#[no_mangle]
pub extern "C" fn hex_output() -> *const u8 {
    with(|module| module.output.as_ptr())
}

/// How many bytes the output has.
#[no_mangle]
pub extern "C" fn hex_output_length() -> usize {
    with(|module| module.output.len())
}

/// Evaluates random positions, see [`speed::evaluate`]; for measurements.
#[no_mangle]
pub extern "C" fn hex_evaluate(positions: u32) -> u32 {
    speed::evaluate(positions)
}

#[cfg(target_family = "wasm")]
mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Takes what a panic says, UTF-8.
        fn fail(message: *const u8, length: usize);
    }

    /// Has the page told what a panic says.
    pub fn report_panics() {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            // SAFETY: the page reads the bytes before it returns.
            unsafe { fail(message.as_ptr(), message.len()) };
        }));
    }
}
