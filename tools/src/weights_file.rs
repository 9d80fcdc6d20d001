//! Networks that are not the shipped one: reads the file that `python -m train.export` writes, the
//! same that is compiled into the bot as `src/network/weights.rs`.

use anyhow::Context;
use hexbot::network::packing::Packed;
use hexbot::network::Network;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// The network in a file of weights.
///
/// # Errors
/// If the file cannot be read or is no such file; it names the file and the field.
pub fn read(path: &Path) -> anyhow::Result<Arc<Network>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let network = parse(&text).with_context(|| {
        format!("{name} is no file of weights as `python -m train.export` writes it")
    })?;
    Ok(Arc::new(network))
}

/// The network in the text of such a file.
///
/// # Errors
/// If it is no such text; it names the field.
pub fn parse(text: &str) -> anyhow::Result<Network> {
    let packed = Packed {
        id: string(text, "id")?,
        run: string(text, "run")?,
        checksum: number(text, "checksum")?,
        channels: number(text, "channels")?,
        layers: number(text, "layers")?,
        hidden: number(text, "hidden")?,
        bits: number(text, "bits")?,
        pools: number(text, "pools")?,
        text: string(text, "text")?,
    };
    Ok(Network::unpack(&packed)?)
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
