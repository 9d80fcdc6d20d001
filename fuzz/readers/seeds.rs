//! What the fuzzer begins with, taken from the data of the tests.

use super::files::header;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder whose names end so, in order.
fn all(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let folder = root().join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    assert!(!paths.is_empty(), "no {ending} in {folder:?}");
    paths.iter().map(|path| read(path)).collect()
}

/// The texts of one kind in the data of the records' tests.
fn records(kind: &str) -> Vec<Vec<u8>> {
    let text = String::from_utf8(read(&root().join("core/tests/data/records.txt")));
    let text = text.expect("it is text");
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    let texts = lines.filter_map(|line| line.split(" => ").next());
    let texts: Vec<Vec<u8>> = texts
        .map(|text| text.replace("\\n", "\n").into_bytes())
        .collect();
    assert!(!texts.is_empty(), "no {kind}");
    texts
}

/// Each with a byte before it.
fn behind(byte: u8, seeds: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let with = |seed: Vec<u8>| [&[byte], &seed[..]].concat();
    seeds.into_iter().map(with).collect()
}

pub fn turn() -> Vec<Vec<u8>> {
    let statement = all("tests/data/statement", ".in");
    [all("tests/data/transcripts", ".txt"), statement].concat()
}

pub fn sgf() -> Vec<Vec<u8>> {
    let files = all("cli/tests/data/gtp", ".sgf");
    [records("sgf"), files].concat()
}

pub fn hexworld() -> Vec<Vec<u8>> {
    records("link")
}

pub fn moves() -> Vec<Vec<u8>> {
    behind(4, records("moves"))
}

pub fn site_game() -> Vec<Vec<u8>> {
    all("core/tests/data/site", ".json")
}

pub fn playhex() -> Vec<Vec<u8>> {
    all("core/tests/data/playhex", ".json")
}

pub fn turn_input() -> Vec<Vec<u8>> {
    let small: [&[u8]; 3] = [
        b"3 blue\na2\n. . .\nr . .\n. . .\n",
        b"swap-pieces\n. b\n. .\n",
        b"2\nred\nempty\nr.\n.b\n",
    ];
    [
        all("core/tests/data/site", ".txt"),
        small.map(<[u8]>::to_vec).to_vec(),
    ]
    .concat()
}

pub fn record() -> Vec<Vec<u8>> {
    let rows = b"r . b\n. r .\nb . .\n".to_vec();
    let others = [site_game(), playhex(), turn_input(), vec![rows]].concat();
    [sgf(), hexworld(), records("moves"), others].concat()
}

/// Long records, as [`super::long`] has them: variations at the end of a long line and of a short
/// one, beside a group of three hundred stones, one within the other, many stones set up, remarks.
pub fn long() -> Vec<Vec<u8>> {
    let line = ";B[@];W[@]".repeat(140);
    let group = ";B[@];W[]".repeat(140);
    let texts = [
        format!("(;SZ[19]{line}*(;B[&];W[&];B[&])"),
        format!("(;SZ[19]{group}*(;B[&];W[&];B[&])"),
        "(;SZ[19]*(;B[&];W[&];B[&])".to_owned(),
        "(;SZ[19]*(;B[&](;W[&])(;W[&])".to_owned(),
        "(;SZ[19];B[a1]*(;W[]".to_owned(),
        "(;SZ[19]*AB[&]AE[&]".to_owned(),
        "(;SZ[19]*;PL[W];PL[B]".to_owned(),
        "(;SZ[19];B[a1]*C[x]LB[&:y]AR[&:&]".to_owned(),
        "#19,*:p".to_owned(),
        "*a1 ".to_owned(),
    ];
    texts.map(String::into_bytes).to_vec()
}

/// The commands of the transcripts.
pub fn gtp() -> Vec<Vec<u8>> {
    let commands = |file: Vec<u8>| {
        let text = String::from_utf8(file).expect("it is text");
        let commands = text.lines().filter_map(|line| line.strip_prefix("> "));
        commands
            .flat_map(|line| [line, "\n"])
            .collect::<String>()
            .into_bytes()
    };
    all("cli/tests/data/gtp", ".gtp")
        .into_iter()
        .map(commands)
        .collect()
}

pub fn page() -> Vec<Vec<u8>> {
    let orders = [
        r#"{"do":"stop"}"#,
        r#"{"do":"move","id":1,"game":"5,a2:sc3","level":3,"ms":100}"#,
        r#"{"do":"analyse","id":2,"game":"11,","ms":1000}"#,
    ];
    let orders = orders.map(|order| order.as_bytes().to_vec());
    [orders.to_vec(), hexworld()].concat()
}

pub fn tournament() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 3] = [
        b"0 0\n0 0\n3 10\n",
        b"1\n2\n\n13 13\nx y\n-1 5\n",
        b"0 14\n1 2 3\n",
    ];
    texts.map(<[u8]>::to_vec).to_vec()
}

pub fn duel() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 2] = [b"A 0 B 0 C0\nD\n1", b"F 3\nF 3\nL 11\nA +5 B -1 C x"];
    [
        texts.map(<[u8]>::to_vec).to_vec(),
        all("cli/tests/data/cli", "duel-breaks-off.stdin"),
    ]
    .concat()
}

pub fn analyze() -> Vec<Vec<u8>> {
    all("contests/tests/data/analyze", ".txt")
}

/// The boards alone: what else the file says is for its own test.
pub fn connect_four() -> Vec<Vec<u8>> {
    let samples = read(&root().join("contests/tests/data/connect-four/samples.txt"));
    let samples = String::from_utf8(samples).expect("it is text");
    let is_row = |line: &&str| line.chars().all(|c| ".XO".contains(c));
    let boards: String = samples
        .lines()
        .filter(is_row)
        .flat_map(|line| [line, "\n"])
        .collect();
    vec![boards.into_bytes()]
}

/// The shipped weights, and the smallest network that there can be.
pub fn weights() -> Vec<Vec<u8>> {
    let numbers = [0u32, 16, 1, 1, 3, 0, 1000];
    let header = numbers.iter().flat_map(|number| number.to_le_bytes());
    let smallest = b"HXW1".iter().copied().chain(header).chain([b'a'; 1010]);
    vec![
        read(&root().join("src/network/shipped.weights")),
        smallest.collect(),
    ]
}

pub fn shard() -> Vec<Vec<u8>> {
    let whole = [&[1][..], &[0; 100]].concat();
    vec![whole, vec![3; 60], b"\0HEXSHARD\x01\0\0\0\x03".to_vec()]
}

pub fn match_log() -> Vec<Vec<u8>> {
    let game = r#"{"id":0,"seed":1,"round":0,"red":0,"blue":1,"winner":"red","reason":"connection",
        "opening":0,"moves":["a1","b1","a2","b2","a3"],"times_ms":[1.5,2,3.25,null,4]}"#;
    let lost = r#"{"id":1,"seed":1,"round":0,"red":1,"blue":0,"winner":"blue","reason":"timeout",
        "opening":0,"moves":["a1","swap-pieces"],"times_ms":[1.5,2],
        "fault":{"kind":"timeout","detail":"late","line":"b1","ms":120.5},"stalled_ms":30}"#;
    let [game, lost] = [game, lost].map(|line| line.replace('\n', "") + "\n");
    let header = serde_json::to_string(&header()).expect("plain data") + "\n";
    let logs = [
        format!("\x01{game}{lost}"),
        format!("\x01{game}{game}{{\"id\":2"),
        format!("\0{header}{lost}"),
    ];
    logs.map(String::into_bytes).to_vec()
}

pub fn players() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 4] = [
        b"A=b ./bot 'c d' ;; name=x ;; first-ms=10 ;; turn-ms=5 ;; directory=.",
        b"gtp:mohex --quiet ;; move-ms=1000 ;; swap=sides ;; param_mohex num_threads 1",
        b"builtin:simulations=5000,level=3 ;; name=small",
        b"c2 swap-pieces\n# a comment\n\na1 b2, c3\n",
    ];
    texts.map(<[u8]>::to_vec).to_vec()
}

pub fn games() -> Vec<Vec<u8>> {
    let folder = "core/tests/data/site";
    let lines = |seeds: Vec<Vec<u8>>| -> Vec<u8> { seeds.join(&b'\n') };
    let collection = b"(;GM[11]SZ[5];B[a1];W[b2])\n(;GM[11]SZ[5];B[c3])".to_vec();
    [
        behind(0, all(folder, ".zip")),
        behind(1, vec![lines(all(folder, ".json"))]),
        behind(2, vec![collection]),
        behind(3, all(folder, ".json")),
        behind(4, all(folder, ".txt")),
    ]
    .concat()
}

pub fn review_log() -> Vec<Vec<u8>> {
    let position = r#"{"value":0.5,"is_proven":false,"best":"a1","line":["a1"],"is_forced":false}"#;
    let line = format!("{{\"id\":7,\"positions\":[null,{position}]}}\n");
    let wrong = line.replace("0.5", "1.5");
    let torn = line.clone() + "{\"id\":8,\"posi";
    let seeds = [line, wrong, torn].map(String::into_bytes);
    behind(1, seeds.to_vec())
}

pub fn study() -> Vec<Vec<u8>> {
    let kept = ["tsv", "gz"].map(|ending| all("lab/tests/data/book", ending));
    let texts: [&[u8]; 3] = [
        b"d2\t500\tk11:0:500 a1:1000:0\nd2 k11 a1\t1000\t\nd2 a1\t0\tb1:1:\n",
        b"c2\t200\td8:900\n",
        b"c2 d8\t1001\td8:1:1\n",
    ];
    let lines = texts.map(<[u8]>::to_vec).to_vec();
    [kept.concat(), lines].concat()
}
