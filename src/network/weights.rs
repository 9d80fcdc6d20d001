//! The shipped network's weights.

/// The file of the network that the bot plays with; `python -m train.export` writes it. A bundle
/// has it as text, and makes its bytes of that.
pub fn shipped() -> impl AsRef<[u8]> {
    include_bytes!("shipped.weights")
}
