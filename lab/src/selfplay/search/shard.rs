//! Shards: files of samples, with a header.

use super::sample::Sample;
use anyhow::Context;
use hex_common::input;
use hex_core::record::Side;
use std::io::Read;
use std::path::Path;

/// The first bytes of every shard.
const MAGIC: &[u8; 8] = b"HEXSHARD";
/// The version of the format.
const VERSION: u32 = 1;
/// Bytes before the first sample.
const HEADER_BYTES: usize = 32;
/// The place of the number of samples in the header.
const RECORDS: std::ops::Range<usize> = 20..24;

/// A shard's place in a run, and the parameters of its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardPlan {
    /// Its number, from 0.
    pub number: u64,
    /// The side of its boards.
    pub side: Side,
    /// The seed of its first game.
    pub seed: u64,
}

impl ShardPlan {
    /// The file name of a shard.
    pub(crate) fn name(number: u64) -> String {
        format!("{number:06}.bin")
    }

    /// Returns true if the shard is finished.
    ///
    /// # Errors
    /// If its file cannot be read or is not this shard's.
    pub fn is_finished(&self, folder: &Path) -> anyhow::Result<bool> {
        let path = folder.join(Self::name(self.number));
        if !path.exists() {
            return Ok(false);
        }
        let mut bytes = Vec::new();
        input::open(&path, Some(folder))
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .with_context(|| format!("cannot read {}", path.display()))?;
        let records = bytes.get(RECORDS).and_then(|four| four.try_into().ok());
        let records = records.map_or(0, u32::from_le_bytes) as usize;
        let header = self.header(records);
        let known = bytes.len().min(HEADER_BYTES);
        anyhow::ensure!(
            bytes[..known] == header[..known],
            "{} is a shard of another run; continue that run with its own --seed and --side, or \
             choose another folder with --out",
            path.display()
        );
        let whole = HEADER_BYTES + records * Sample::bytes(self.side);
        anyhow::ensure!(
            bytes.len() == whole,
            "{} is damaged, it has {} bytes instead of {whole}; delete it, and the same command \
             plays it again",
            path.display(),
            bytes.len()
        );
        Ok(true)
    }

    /// The shard with these bytes of samples.
    pub fn bytes(&self, samples: &[u8]) -> Vec<u8> {
        let mut bytes = self.header(samples.len() / Sample::bytes(self.side));
        bytes.extend(samples);
        bytes
    }

    fn header(&self, records: usize) -> Vec<u8> {
        let mut header = MAGIC.to_vec();
        let side = self.side.get() as u32;
        let numbers = [
            VERSION,
            side,
            Sample::bytes(self.side) as u32,
            records as u32,
        ];
        numbers
            .iter()
            .for_each(|number| header.extend(number.to_le_bytes()));
        header.extend(self.seed.to_le_bytes());
        debug_assert_eq!(header.len(), HEADER_BYTES);
        header
    }
}
