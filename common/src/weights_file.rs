//! Networks that are not the shipped one: reads the file that `python -m train.export` writes, the
//! same that is compiled into the bot as `src/network/weights.rs`.

use anyhow::Context;
use hex_core::engine::network;
use hexbot::network::packing::Packed;
use hexbot::network::weights::SHIPPED;
use hexbot::network::Network;
use std::path::{Path, PathBuf};
use std::str::FromStr;
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
        name: name(&SHIPPED),
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
    let file = path.display();
    let text = crate::input::read_text(path).with_context(|| format!("cannot read {file}"))?;
    let read = || -> anyhow::Result<NamedNetwork> {
        let packed = packed(&text)?;
        Ok(NamedNetwork {
            network: Some(Arc::new(Network::unpack(&packed)?)),
            name: name(&packed),
        })
    };
    read().with_context(|| {
        format!("{file} is no file of weights as `python -m train.export` writes it")
    })
}

fn name(packed: &Packed) -> String {
    format!("network {} ({:08x})", packed.id, packed.checksum)
}

/// The network in the text of such a file.
///
/// # Errors
/// If it is no such text; it names the field.
pub fn parse(text: &str) -> anyhow::Result<Network> {
    Ok(Network::unpack(&packed(text)?)?)
}

fn packed(text: &str) -> anyhow::Result<Packed<'_>> {
    Ok(Packed {
        id: string(text, "id")?,
        run: string(text, "run")?,
        checksum: number(text, "checksum")?,
        channels: number(text, "channels")?,
        layers: number(text, "layers")?,
        hidden: number(text, "hidden")?,
        bits: number(text, "bits")?,
        pools: number(text, "pools")?,
        text: string(text, "text")?,
    })
}

/// What stands behind `name: ` up to the end of the line, without the comma.
fn field<'a>(text: &'a str, name: &str) -> anyhow::Result<&'a str> {
    let mut lines = text.lines().map(str::trim);
    lines
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        .map(|value| value.trim_end_matches(','))
        .with_context(|| format!("there is no line `{name}: …`"))
}

/// A string, perhaps a raw one.
fn string<'a>(text: &'a str, name: &str) -> anyhow::Result<&'a str> {
    let value = field(text, name)?;
    let inner = value
        .trim_start_matches('r')
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'));
    inner.with_context(|| format!("{name} is not in quotes"))
}

/// A decimal number, or a hexadecimal one behind `0x`.
fn number<T: FromStr + TryFrom<u64>>(text: &str, name: &str) -> anyhow::Result<T> {
    let value = field(text, name)?;
    let number = match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => value.parse().ok(),
    };
    number
        .and_then(|number| T::try_from(number).ok())
        .with_context(|| format!("{name} is {value:?}, which is no number that fits"))
}
