//! The files of the page of `hex web`: which are embedded, how they are served, what they name.

use crate::server::Server;
use hex_core::engine::strength::{Handicap, Level};
use hex_core::service::view::SIDES;
use hex_web::page::{mime, Asset, ASSETS};
use std::path::Path;

#[test]
fn the_page_and_its_parts_are_served() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self'"), "{policy}");
    let is_module = |asset: &&Asset| asset.file.ends_with(".js") && asset.file != "sw.js";
    let own = ASSETS.iter().filter(|asset| !asset.is_local());
    let (modules, files): (Vec<&Asset>, Vec<&Asset>) = own.partition(is_module);
    // Modules are one script, in which each can be found and read, without its comments.
    let script = server.get("/main.js");
    assert_eq!(script.header("content-type"), Some(mime("main.js")));
    for asset in modules {
        let named = format!("// {}\n", asset.file);
        assert!(script.body.contains(&named), "{named}");
        let comment = text(asset).lines().find(|line| line.starts_with("//"));
        assert!(!script.body.contains(comment.unwrap()), "{named}");
        let status = server.get(&format!("/{}", asset.file)).status;
        assert_eq!(status, if asset.file == "main.js" { 200 } else { 404 });
    }
    for asset in files {
        let answer = server.get(&format!("/{}", asset.file).replace("index.html", ""));
        assert_eq!(answer.status, 200, "{}", asset.file);
        assert_eq!(answer.header("content-type"), Some(mime(asset.file)));
        assert_eq!(answer.body, String::from_utf8_lossy(asset.bytes));
    }
}

#[test]
fn pictures_are_small_and_have_the_size_in_their_names() {
    let is_picture = |asset: &&Asset| asset.file.ends_with(".png");
    for Asset { file, bytes } in ASSETS.iter().filter(is_picture) {
        assert!(
            bytes.starts_with(b"\x89PNG") && bytes.len() < 1000,
            "{file}"
        );
        // After eight bytes and the name of the first chunk: width and height.
        let side = u32::from_be_bytes(bytes[16..20].try_into().unwrap());
        assert_eq!(*file, format!("icon-{side}.png"));
        assert!(is_in_the_page(file), "{file} is used");
    }
}

/// Every file in the folder is embedded, and files of the page without a server have types, too.
#[test]
fn every_file_of_the_page_is_embedded() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/page");
    let mut count = 0;
    for folder in [page.clone(), page.join("local")] {
        for path in std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
        {
            if path.is_file() {
                let file = path.strip_prefix(&page).unwrap().to_str().unwrap();
                let asset = ASSETS.iter().find(|asset| asset.file == file).expect(file);
                assert_eq!(asset.bytes, std::fs::read(&path).unwrap());
                assert_ne!(mime(file), "application/octet-stream", "{file}");
                count += 1;
            }
        }
    }
    assert_eq!(count, ASSETS.len());
}

/// The text of a file; "" for a picture.
fn text(asset: &Asset) -> &'static str {
    std::str::from_utf8(asset.bytes).unwrap_or("")
}

fn is_in_the_page(words: &str) -> bool {
    ASSETS.iter().any(|asset| text(asset).contains(words))
}

#[test]
fn no_part_of_the_page_names_another_site() {
    let allowed = "http://www.w3.org/2000/svg";
    for asset in ASSETS {
        let text = text(asset).replace(allowed, "");
        for scheme in ["http://", "https://", "\"//"] {
            assert!(!text.contains(scheme), "{}: {scheme}", asset.file);
        }
    }
}

#[test]
fn the_page_offers_what_the_server_takes() {
    let (first, last) = (SIDES.start(), SIDES.end());
    let handicaps: Vec<Handicap> = Level::all().map(Level::handicap).collect();
    let percent = |handicap: &Handicap| (100.0 * handicap.random_moves).to_string();
    let random: Vec<String> = handicaps.iter().map(percent).collect();
    let limits = handicaps.iter().filter_map(|handicap| handicap.simulations);
    let limits: Vec<String> = limits.map(|limit| limit.to_string()).collect();
    for said in [
        format!("SIDES = {{ first: {first}, last: {last},"),
        format!("LEVELS = {};", Level::MAX),
        format!("RANDOM = [{}];", random.join(", ")),
        format!("SIMULATIONS = [{}];", limits.join(", ")),
    ] {
        assert!(is_in_the_page(&said), "no file of the page contains {said}");
    }
}
