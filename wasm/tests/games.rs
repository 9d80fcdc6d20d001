//! The engine as WebAssembly thinks what the native one thinks, bit for bit, over whole games, with
//! its kernel and without; in node, on the modules that `wasm/build` has made. Where node or the
//! modules are missing the tests are skipped, or fail with HEX_IF_MISSING=fail.

#[path = "../../tests/common/missing.rs"]
mod missing;

use hex_core::record::{hexworld, Game};
use hex_wasm::speed;
use hex_wasm::worker::PageWorker;
use missing::skip;
use serde_json::{json, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A side, a level, and how many moves are played at most; some games are played to the end. The
/// sides stand for all compiled copies
/// of the search, in the corner and whole. Level 9 has 500 simulations a move, 7 has 64; below it
/// some moves are random.
const GAMES: [(usize, u8, usize); 8] = [
    (3, 9, WHOLE),
    (5, 3, WHOLE),
    (7, 8, WHOLE),
    (8, 7, WHOLE),
    (10, 7, 20),
    (11, 7, WHOLE),
    (14, 7, 12),
    (19, 7, 8),
];

/// More moves than any of these games can have.
const WHOLE: usize = 1000;

/// Bytes of memory that the module may have. The page may take 100 MB; its scripts and the workers
/// that answer and prove take a quarter of that.
const MOST_MEMORY: u64 = 75_000_000;

/// Positions that are evaluated.
const POSITIONS: u32 = 300;

/// The file of this project.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The modules in a node.
struct Node {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Node {
    /// With or without the kernel; `None` if something is missing.
    fn start(has_kernel: bool) -> Option<Node> {
        let [main, kernel] = ["hex.wasm", "kernel.wasm"].map(|name| file("target/page").join(name));
        if !main.is_file() || !kernel.is_file() {
            skip("the engine as WebAssembly has not been built: run wasm/build");
            return None;
        }
        let mut command = Command::new("node");
        command.arg(file("wasm/tests/node.mjs"));
        command.arg(file("web/src/page/local/engine.js"));
        command.arg(file("core/src/engine/large.weights")).arg(main);
        command.args(has_kernel.then_some(kernel));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            skip("no node on this machine: install the package `nodejs`");
            return None;
        };
        Some(Node {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        })
    }

    fn answer(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        answer.trim().to_owned()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the native engine says to an order in the end.
fn native_answer(worker: &mut PageWorker, order: &str) -> Value {
    worker.order(order);
    while worker.search() {}
    let last = worker.messages().last().expect("an order is answered");
    // Through text, as it travels: so numbers have the same digits.
    serde_json::from_str(&serde_json::to_string(&last).unwrap()).unwrap()
}

/// A reply without the time that it took.
fn without_time(mut reply: Value) -> Value {
    if let Some(analysis) = reply["analysis"].as_object_mut() {
        analysis.remove("time").expect("an analysis has a time");
    }
    reply
}

/// Plays a game by the native engine, and has the node answer all of its positions.
fn play(node: &mut Node, (side, level, most): (usize, u8, usize)) -> Game {
    let seed = side as u64;
    let mut worker = PageWorker::new(seed);
    node.answer(&format!("begin {seed}"));
    let mut game = format!("{side},");
    for id in 0..most {
        let order = json!({ "do": "move", "id": id, "game": game, "level": level, "ms": 1000 });
        let wanted = native_answer(&mut worker, &order.to_string());
        assert_eq!(wanted["kind"], "done", "{game}: {wanted}");
        let answer = node.answer(&order.to_string());
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer:?}"));
        // As text, so that every digit of a probability counts.
        let [answer, wanted] = [answer, wanted].map(without_time);
        assert_eq!(answer.to_string(), wanted.to_string(), "{game}");
        game += wanted["answer"].as_str().unwrap();
        if hexworld::parse(&game).unwrap().outcome().is_some() {
            break;
        }
    }
    hexworld::parse(&game).unwrap()
}

fn compare_games(has_kernel: bool) {
    let Some(mut node) = Node::start(has_kernel) else {
        return;
    };
    for rules in GAMES {
        let game = play(&mut node, rules);
        let is_whole = game.outcome().is_some();
        assert_eq!(is_whole, rules.2 == WHOLE, "{}", hexworld::write(&game));
    }
}

#[test]
fn whole_games_are_those_of_the_native_engine() {
    compare_games(true);
}

#[test]
fn without_the_kernel_too() {
    compare_games(false);
}

#[test]
fn evaluations_are_those_of_the_native_network() {
    for has_kernel in [true, false] {
        let Some(mut node) = Node::start(has_kernel) else {
            return;
        };
        let answer = node.answer(&format!("evaluate {POSITIONS}"));
        let sum = answer.split(' ').next().unwrap_or_default();
        assert_eq!(sum, speed::evaluate(POSITIONS).to_string(), "{answer}");
    }
}

#[test]
fn what_is_wrong_is_said_in_the_same_words() {
    let Some(mut node) = Node::start(true) else {
        return;
    };
    for order in [
        "{",
        r#"{"do":"move","id":1,"game":"2,","level":3,"ms":100}"#,
        r#"{"do":"move","id":2,"game":"5,","level":11,"ms":100}"#,
        r#"{"do":"analyse","id":3,"game":"5,a1","ms":1}"#,
        r#"{"do":"prove","id":4,"game":"3,a9"}"#,
    ] {
        let wanted = native_answer(&mut PageWorker::new(1), order);
        assert_eq!(wanted["kind"], "problem", "{wanted}");
        let answer: Value = serde_json::from_str(&node.answer(order)).unwrap();
        assert_eq!(answer, wanted);
    }
}

/// A proof comes from the solver, whose tables are ordered at random: what is proven may differ,
/// but not by so few cells.
#[test]
fn proofs_are_found() {
    let Some(mut node) = Node::start(true) else {
        return;
    };
    let order = r#"{"do":"prove","id":7,"game":"5,a1c3b2"}"#;
    let wanted = native_answer(&mut PageWorker::new(1), order);
    let answer: Value = serde_json::from_str(&node.answer(order)).unwrap();
    assert_eq!(answer["kind"], "proof");
    for field in ["id", "winner", "winning", "losing"] {
        assert_eq!(answer[field], wanted[field], "{field}");
    }
}

/// A tree has all of its memory from the beginning, so a short analysis is enough to measure it.
/// The page starts again for every side.
#[test]
fn memory_is_bounded() {
    let Some(mut node) = Node::start(true) else {
        return;
    };
    for side in [3, 5, 9, 11, 14, 19] {
        node.answer("begin 1");
        // The trees of the analysis and of both bots; two of them are kept.
        for (work, game) in [
            (r#""do":"analyse""#, "a2"),
            (r#""do":"move","level":10"#, "a2"),
            (r#""do":"move","level":10"#, "a2b1"),
        ] {
            let order = format!(r#"{{{work},"id":1,"game":"{side},{game}","ms":100}}"#);
            let answer = node.answer(&order);
            assert!(answer.contains("done"), "{answer}");
        }
        let memory: u64 = node.answer("memory").parse().unwrap();
        assert!(memory <= MOST_MEMORY, "{memory} bytes with side {side}");
    }
}
