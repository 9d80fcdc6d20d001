//! The shipped network's weights. `train/export.py` writes this file; here stands none yet.

use crate::packing::Packed;

/// The network that the bot plays with.
pub const SHIPPED: Packed = Packed {
    id: "none",
    run: "none",
    checksum: 0x811c9dc5,
    channels: 32,
    layers: 9,
    hidden: 32,
    bits: 5,
    pools: 0,
    text: "",
};
