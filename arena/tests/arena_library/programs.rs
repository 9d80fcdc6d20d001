//! Which files a command names.

use hex_arena::programs::files_of_command;
use std::fs;
use tempfile::TempDir;

/// One case a line: a command in a folder with some files, and those that it names.
#[test]
fn the_files_of_a_command() {
    let folder = TempDir::new().unwrap();
    for name in ["bot", "bot.py", "net.bin", "game.log", "my bot"] {
        fs::write(folder.path().join(name), name).unwrap();
    }
    fs::create_dir(folder.path().join("bin")).unwrap();
    fs::write(folder.path().join("bin/python"), "").unwrap();
    let path = format!("/nowhere:{}", folder.path().join("bin").display());
    for (command, wanted) in [
        ("./bot", &["./bot"][..]),
        ("python bot.py", &["python", "bot.py"]),
        ("./bot --weights=net.bin net.bin", &["./bot", "net.bin"]),
        ("./bot --log game.log --new missing.txt .", &["./bot"]),
        ("python 'my bot' bot", &["python", "my bot", "bot"]),
        (
            "sh -c 'cd .; (exec ./bot \"net.bin\");'",
            &["./bot", "net.bin"],
        ),
        ("bot", &[]),
        ("python", &["python"]),
    ] {
        let words = shell_words::split(command).unwrap();
        let files = files_of_command(&words, &path, Some(folder.path()));
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, wanted, "{command}");
        assert!(files.iter().all(|file| file.path.is_file()), "{files:?}");
    }
}
