//! Networks that are not the shipped one: reads files that `python -m train.export` writes, such as
//! `src/network/shipped.weights`, which is compiled into the bot.

use anyhow::Context;
use hex_core::engine::network;
use hexbot::network::packing::{self, WeightsError};
use hexbot::network::weights;
use hexbot::network::Network;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options by which a command's network is chosen.
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
    /// The network that was chosen.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read(&self) -> anyhow::Result<NamedNetwork> {
        match &self.weights {
            _ if self.playouts_only => Ok(NamedNetwork {
                network: None,
                name: "no network".to_owned(),
            }),
            Some(path) => read_named(path),
            None => Ok(shipped()),
        }
    }
}

/// A network, or none, with a name by which results can be told from those of others.
pub struct NamedNetwork {
    /// `None`: playouts alone.
    pub network: Option<Arc<Network>>,
    /// What the file says of itself, wherever it is: its id, and a checksum because ids come again.
    pub name: String,
}

/// The network that is shipped; none if its file is damaged.
pub fn shipped() -> NamedNetwork {
    NamedNetwork {
        network: network(),
        name: name(weights::shipped().as_ref()),
    }
}

/// The network in a file of weights.
///
/// # Errors
/// If the file cannot be read or is no such file; it names the file and the field.
pub fn read(path: &Path) -> anyhow::Result<Arc<Network>> {
    let named = read_named(path)?;
    Ok(named.network.expect("it has been read"))
}

fn read_named(path: &Path) -> anyhow::Result<NamedNetwork> {
    let shown = path.display();
    let file = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let read = || -> Result<NamedNetwork, WeightsError> {
        Ok(NamedNetwork {
            network: Some(Arc::new(Network::read(&file)?)),
            name: name(&file),
        })
    };
    read().with_context(|| {
        format!("{shown} is no file of weights as `python -m train.export` writes it")
    })
}

/// The name in a file of weights that has been read, and its checksum.
fn name(file: &[u8]) -> String {
    let [_, checksum, ..] = packing::header(file);
    let about = String::from_utf8_lossy(packing::about(file));
    let id = about.lines().next().unwrap_or_default();
    format!("network {} ({checksum:08x})", id.escape_debug())
}
