//! How the files of the page of `hex web` are served.

use crate::server::Server;
use hex_web::page::{mime, Asset, ASSETS};

#[test]
fn the_page_and_its_parts_are_served() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    for (name, begins) in [
        ("content-security-policy", "default-src 'self'"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        let header = page.header(name).unwrap_or_default();
        assert!(header.starts_with(begins), "{name}: {header}");
    }
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

/// The text of a file; "" for a picture.
fn text(asset: &Asset) -> &'static str {
    std::str::from_utf8(asset.bytes).unwrap_or("")
}
