//! The memory for the bodies of requests. All together have a limit, and each client has one, so
//! that many large bodies neither fill the memory nor keep others out.

use super::refusal::Refusal;
use super::sizes::{words, MAX_SAVED};
use super::turns::ClientId;
use axum::http::StatusCode;
use hex_common::system::return_memory;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// The most bytes of the bodies of one client: two of the largest.
const MOST_OF_A_CLIENT: usize = 2 * MAX_SAVED;

/// The most bytes of all bodies.
const MOST: usize = 2 * MOST_OF_A_CLIENT;

/// Bodies from this size on have their memory returned to the system when they are done, in bytes.
const LARGE: usize = 1_000_000;

/// The room for bodies. Cheap to clone.
#[derive(Clone, Default)]
pub struct BodyRoom(Arc<Mutex<TakenBytes>>);

#[derive(Default)]
struct TakenBytes {
    all: usize,
    by_client: BTreeMap<ClientId, usize>,
}

impl BodyRoom {
    /// Takes room for a body until the returned value is dropped.
    ///
    /// # Errors
    /// If there is not enough.
    pub fn take(&self, client: ClientId, bytes: usize) -> Result<BodyShare, Refusal> {
        let mut taken = self.lock();
        let its = taken.by_client.get(&client).copied().unwrap_or(0) + bytes;
        let all = taken.all + bytes;
        if its > MOST_OF_A_CLIENT || all > MOST {
            let most = words(MOST_OF_A_CLIENT);
            let why = format!(
                "too many large requests at a time, at most {most} are accepted; try again"
            );
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why));
        }
        taken.all = all;
        taken.by_client.insert(client, its);
        Ok(BodyShare {
            room: self.clone(),
            client,
            bytes,
        })
    }

    /// The numbers. They are consistent even after a panic, because nothing here panics.
    fn lock(&self) -> MutexGuard<'_, TakenBytes> {
        self.0.lock().unwrap_or_else(|error| error.into_inner())
    }
}

/// The room of one body. Drop it after the body.
pub struct BodyShare {
    room: BodyRoom,
    client: ClientId,
    bytes: usize,
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        let mut taken = self.room.lock();
        taken.all -= self.bytes;
        if let Some(its) = taken.by_client.get_mut(&self.client) {
            *its -= self.bytes;
            if *its == 0 {
                taken.by_client.remove(&self.client);
            }
        }
        drop(taken);
        if self.bytes >= LARGE {
            return_memory();
        }
    }
}
