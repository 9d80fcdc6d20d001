//! The shipped network's weights.

/// The file of the shipped network, which `python -m train.export` writes. A bundle contains it as
/// text and decodes that.
pub fn shipped() -> impl AsRef<[u8]> {
    include_bytes!("shipped.weights")
}
