//! The files of the page: which are embedded, and what they name.

use hex_core::engine::strength::{Handicap, Level};
use hex_core::service::view::SIDES;
use hex_web::page::{mime, Asset, ASSETS};
use std::path::Path;

/// The text of a file; "" for a picture.
fn text(asset: &Asset) -> &'static str {
    std::str::from_utf8(asset.bytes).unwrap_or("")
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
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
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
    // For a move beside another that looks five times as good.
    let percent = |handicap: &Handicap| match handicap.temperature {
        0.0 => "0".to_owned(),
        temperature => format!("{:.0}", 100.0 / (1.0 + 5f32.powf(1.0 / temperature))),
    };
    let worse: Vec<String> = handicaps.iter().map(percent).collect();
    let limits = handicaps.iter().filter_map(|handicap| handicap.simulations);
    let limits: Vec<String> = limits.map(|limit| limit.to_string()).collect();
    for said in [
        format!("SIDES = {{ first: {first}, last: {last},"),
        format!("LEVELS = {};", Level::MAX),
        format!("WORSE = [{}];", worse.join(", ")),
        format!("SIMULATIONS = [{}];", limits.join(", ")),
    ] {
        assert!(is_in_the_page(&said), "no file of the page contains {said}");
    }
}
