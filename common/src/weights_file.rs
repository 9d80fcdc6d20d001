//! Reads networks from files of weights. `python -m train.export` writes such files;
//! `src/network/shipped.weights`, which is compiled into the bot, is one, and
//! `core/src/engine/large.weights`, for boards larger than 16×16, another.

use crate::input;
use anyhow::Context;
use hex_core::engine::{network, shipped_file, Networks};
use hex_core::record::Side;
use hexbot::network::packing::{self, WeightsError};
use hexbot::network::Network;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of a command that choose its network.
#[derive(clap::Args, Debug)]
pub struct NetworkChoice {
    /// Play with the network in this file instead of the shipped one
    #[arg(long, value_name = "FILE", conflicts_with = "playouts_only")]
    weights: Option<PathBuf>,

    /// Play without a network
    #[arg(long)]
    playouts_only: bool,
}

impl NetworkChoice {
    /// The network that was chosen, for boards of `side`.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read(&self, side: Side) -> anyhow::Result<NamedNetwork> {
        match &self.weights {
            _ if self.playouts_only => Ok(NamedNetwork {
                network: None,
                name: "no network".to_owned(),
            }),
            Some(path) => read_named(path),
            None => Ok(shipped(side)),
        }
    }

    /// The networks that were chosen, for boards of every side.
    ///
    /// # Errors
    /// As [`read`].
    pub fn networks(&self) -> anyhow::Result<Networks> {
        match &self.weights {
            _ if self.playouts_only => Ok(Networks::PlayoutsOnly),
            Some(path) => Ok(Networks::Single(read(path)?)),
            None => Ok(Networks::Shipped),
        }
    }
}

/// A network, or none, with a name that distinguishes its results from the results of others.
pub struct NamedNetwork {
    /// `None`: only playouts.
    pub network: Option<Arc<Network>>,
    /// The id in the file, and a checksum, because two files can have the same id. It does not
    /// depend on the path.
    pub name: String,
}

/// The shipped network for boards of `side`; none if its file is damaged.
pub fn shipped(side: Side) -> NamedNetwork {
    NamedNetwork {
        network: network(side),
        name: name(&shipped_file(side)),
    }
}

/// The network in a file of weights.
///
/// # Errors
/// If the file cannot be read or is not a file of weights. The error names the file and the field.
pub fn read(path: &Path) -> anyhow::Result<Arc<Network>> {
    let named = read_named(path)?;
    Ok(named.network.expect("it has been read"))
}

fn read_named(path: &Path) -> anyhow::Result<NamedNetwork> {
    let shown = path.display();
    let file = input::read(path).with_context(|| format!("cannot read {shown}"))?;
    let read = || -> Result<NamedNetwork, WeightsError> {
        Ok(NamedNetwork {
            network: Some(Arc::new(Network::read(&file)?)),
            name: name(&file),
        })
    };
    read().with_context(|| {
        format!("{shown} is not a file of weights; `python -m train.export` writes such files")
    })
}

/// The id and the checksum of a valid file of weights.
fn name(file: &[u8]) -> String {
    let [_, checksum, ..] = packing::header(file);
    let about = String::from_utf8_lossy(packing::about(file));
    let id = about.lines().next().unwrap_or_default();
    format!("network {} ({checksum:08x})", id.escape_debug())
}
