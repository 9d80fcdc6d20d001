//! The 64-bit hash FNV-1a (Fowler, Noll and Vo; RFC 9923): a checksum, not a secret.

/// The hash of zero bytes.
pub const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Extends a hash: if `hash` is the hash of some bytes, returns the hash of those bytes followed by
/// `bytes`.
pub fn extended(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    bytes.iter().fold(hash, step)
}
