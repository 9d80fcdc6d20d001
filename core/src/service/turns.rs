//! Clients take turns, so that one with many tabs does not hold up the others.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

/// A client, by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(pub IpAddr);

impl ClientId {
    /// The client of a service that has only one.
    pub const ONLY: ClientId = ClientId(IpAddr::V4(Ipv4Addr::LOCALHOST));
}

/// When each client had its last turn.
#[derive(Debug, Default)]
pub struct Turns {
    /// The number of each client's last turn.
    last: BTreeMap<ClientId, u64>,
    count: u64,
}

impl Turns {
    /// A client comes. Its first turn is after those of the clients that wait already, so that it
    /// gains nothing by leaving and coming again.
    pub fn enter(&mut self, client: ClientId) {
        self.last.entry(client).or_insert(self.count);
    }

    /// A client leaves.
    pub fn leave(&mut self, client: ClientId) {
        self.last.remove(&client);
    }

    /// The first item of the client whose last turn was the longest ago.
    pub fn next<T>(&self, waiting: impl Iterator<Item = (ClientId, T)>) -> Option<T> {
        // Of equal ones the first is taken.
        let next = waiting.min_by_key(|(client, _)| match self.last.get(client) {
            Some(&turn) => turn,
            None => self.count,
        });
        next.map(|(_, item)| item)
    }

    /// A client has its turn.
    pub fn take(&mut self, client: ClientId) {
        self.count += 1;
        self.last.insert(client, self.count);
    }
}
