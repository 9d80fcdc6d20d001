//! The shipped networks: that of the upload, which has seen 11×11 alone, and one for large boards,
//! which was begun with it and has learnt on 9×9 to 19×19.

use crate::record::Side;
use hexbot::network::convolution::Code;
use hexbot::network::packing::WeightsError;
use hexbot::network::{weights, Network};
use std::sync::{Arc, OnceLock};

/// The networks of engines that play on boards of several sides.
#[derive(Clone, Debug, Default)]
pub enum Networks {
    /// On each side the shipped network for it.
    #[default]
    Shipped,
    /// This one on every side.
    Single(Arc<Network>),
    /// None: playouts evaluate.
    PlayoutsOnly,
}

impl Networks {
    /// The network on boards of `side`; `None`: playouts evaluate.
    pub fn on(&self, side: Side) -> Option<Arc<Network>> {
        match self {
            Networks::Shipped => network(side),
            Networks::Single(network) => Some(network.clone()),
            Networks::PlayoutsOnly => None,
        }
    }
}

/// The file of the shipped network for boards of `side`, as `python -m train.export` writes it.
pub fn shipped_file(side: Side) -> Vec<u8> {
    let large = if is_large(side) { large_file() } else { None };
    large.unwrap_or_else(|| weights::shipped().as_ref().to_vec())
}

#[cfg(not(target_family = "wasm"))]
fn large_file() -> Option<Vec<u8>> {
    Some(include_bytes!("large.weights").to_vec())
}

/// What [`provide_large_network`] was given.
#[cfg(target_family = "wasm")]
static PROVIDED: OnceLock<Vec<u8>> = OnceLock::new();

#[cfg(target_family = "wasm")]
fn large_file() -> Option<Vec<u8>> {
    PROVIDED.get().cloned()
}

/// Takes the file of the network for large boards, before an engine is made for one. It is not in
/// the module, so that the first board of a page is there sooner. Without it, or if it is damaged,
/// the upload's network serves all boards.
#[cfg(target_family = "wasm")]
pub fn provide_large_network(file: Vec<u8>) {
    if Network::read(&file).is_ok() {
        let _ = PROVIDED.set(file);
    }
}

/// The shipped network for boards of `side`, unpacked once; `None` if it is damaged.
pub fn network(side: Side) -> Option<Arc<Network>> {
    shipped(side).as_ref().ok().cloned()
}

/// A line that says that the shipped network for boards of `side` is damaged; empty if it is not.
pub fn network_warning(side: Side) -> String {
    let failed = shipped(side).as_ref().err();
    failed.map_or(String::new(), |error| {
        format!("{error}; until then playouts evaluate\n")
    })
}

/// The code that computes networks on this machine, in words for people.
pub fn network_code() -> &'static str {
    match network(Side::CODINGAME).map(|network| network.code()) {
        None => "damaged, playouts evaluate",
        Some(Code::Simd) if cfg!(target_arch = "wasm32") => "vector code of WebAssembly",
        Some(Code::Simd) => "vector code for AVX2",
        Some(Code::Portable) => "portable code",
    }
}

/// The largest board that is played with the upload's network: up to there the other one is no
/// stronger (docs/strength.md).
const LARGEST_SMALL: Side = Side::of(16);

/// Whether boards of `side` have the network for large boards.
fn is_large(side: Side) -> bool {
    side > LARGEST_SMALL
}

/// [`network`], or why it is damaged.
fn shipped(side: Side) -> &'static Result<Arc<Network>, WeightsError> {
    static NETWORKS: [OnceLock<Result<Arc<Network>, WeightsError>>; 2] =
        [const { OnceLock::new() }; 2];
    let read = || Network::read(&shipped_file(side)).map(Arc::new);
    NETWORKS[usize::from(is_large(side))].get_or_init(read)
}
