//! On Arm the bot plays the same moves as on x86-64 over whole games, and the network computes the
//! same numbers. Programs for Arm are linked by `rust-lld` and run by QEMU.

use crate::common::missing::skip;
use crate::common::referee::{play_game, Bot, SIDE};
use crate::evaluations::evaluate_all;
use crate::rustc::{rustc, scratch, succeed};
use hexbot::cell::Color;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "aarch64-unknown-linux-musl";

/// Runs programs for Arm; Debian's package `qemu-user` has it.
const EMULATOR: &str = "qemu-aarch64";

/// What the bot is built with for Arm, and compared with.
const HEXBOT: &str = env!("CARGO_BIN_EXE_hexbot");

/// A bot that does not depend on the clock. Fifty simulations go deep enough for proofs; QEMU takes
/// sixty times as long as the processor itself.
const ENVIRONMENT: [(&str, &str); 2] = [("HEXBOT_SEED", "58"), ("HEXBOT_SIMULATIONS", "50")];

/// Says why programs for Arm cannot be built or run here, if so.
fn lacks() -> bool {
    let sysroot = succeed(rustc().args(["--print", "sysroot"])).stdout;
    let sysroot = String::from_utf8(sysroot).expect("a path");
    let library = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET);
    if !library.is_dir() {
        skip(&format!(
            "programs for Arm cannot be built: `rustup target add {TARGET}`"
        ));
        return true;
    }
    let mut emulator = Command::new(EMULATOR);
    let is_there = emulator.arg("--version").stdout(Stdio::null()).status();
    if is_there.is_err() {
        skip("programs for Arm cannot be run: install the package `qemu-user`");
        return true;
    }
    false
}

/// The bot for Arm, and the folder with what it was built of.
struct Built {
    folder: PathBuf,
}

impl Built {
    fn new() -> Built {
        let target = scratch("arm");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--release", "--package", "hexbot"]);
        cargo
            .args(["--target", TARGET, "--target-dir"])
            .arg(&target);
        // Those are for native programs.
        cargo.env_remove("RUSTFLAGS");
        cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld");
        cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
        succeed(&mut cargo);
        Built {
            folder: target.join(TARGET).join("release"),
        }
    }

    /// Compiles a source file that uses nothing but the library.
    fn compile(&self, source: &str) -> PathBuf {
        let program = self.folder.join("evaluations");
        let mut rustc = rustc();
        rustc.args(["--target", TARGET, "-O", "-C", "linker=rust-lld"]);
        rustc.arg("--extern");
        rustc.arg(format!(
            "hexbot={}",
            self.folder.join("libhexbot.rlib").display()
        ));
        rustc.arg("-L").arg(self.folder.join("deps"));
        rustc.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(source));
        succeed(rustc.arg("-o").arg(&program));
        program
    }
}

#[test]
fn games_and_evaluations_are_those_of_x86_64() {
    if lacks() {
        return;
    }
    let built = Built::new();
    let mut evaluations = Command::new(EMULATOR);
    evaluations.arg(built.compile("tests/foreign/evaluations.rs"));
    let sum = String::from_utf8(succeed(&mut evaluations).stdout).expect("a number");
    assert_eq!(sum.trim(), evaluate_all().to_string());
    play_both(&built.folder.join("hexbot"));
}

/// Plays a game by both bots, in which both have to answer the same to everything.
fn play_both(arm: &Path) {
    let mut emulated = Color::ALL.map(|_| {
        let mut emulator = Command::new(EMULATOR);
        emulator.arg(arm);
        Bot::start_by(emulator, &ENVIRONMENT)
    });
    let mut native = Color::ALL.map(|_| Bot::start(Path::new(HEXBOT), &ENVIRONMENT));
    let game = play_game(|color, text| {
        let wanted = native[color.index()].ask(text).text;
        let answer = emulated[color.index()].ask(text).text;
        assert_eq!(answer, wanted, "to {text}");
        wanted
    });
    assert!(game.turns() > SIDE, "a game takes more moves than that");
}
