//! Reads the bodies of requests up to the size that their question may have, if there is room for
//! them. Larger ones are refused with a message that contains both sizes. The memory of all bodies
//! together has a limit, and each client has one, so that many large bodies neither fill the memory
//! nor keep others out.

use super::refusal::Refusal;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use hex_common::system::return_memory;
use hex_core::service::problem::{words, MAX_SAVED};
use hex_core::service::questions::QuestionKind;
use hex_core::service::turns::ClientId;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard};

/// How much of a body that is too large is still read, in bytes. A client that can send all of it
/// sees the answer; one whose connection is cut may not.
const MOST_DRAINED: usize = 64_000_000;

/// The body of a request with a question of this kind, and the room that it takes. Drop the room
/// after the body.
///
/// # Errors
/// If it is too long, does not arrive, or should be JSON and its content type is another one, or if
/// there is no room for it.
pub(crate) async fn read(
    request: Request,
    kind: QuestionKind,
    room: &BodyRoom,
) -> Result<(Vec<u8>, BodyShare), Refusal> {
    let is_fit = !kind.is_json() || says_json(request.headers());
    let client = request.extensions().get::<ClientId>();
    let client = client.copied().unwrap_or(ClientId::ONLY);
    let body = request.into_body();
    let announced = body.size_hint().exact();
    let announced = announced.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    // Without a length in the head it may become as long as any.
    let expected = announced.filter(|&bytes| kind.check_size(bytes).is_ok());
    let share = room.take(client, expected.unwrap_or(kind.most_bytes()));
    let bytes = bytes(body, announced, kind, share.is_ok()).await?;
    let share = share?;
    if is_fit {
        Ok((bytes, share))
    } else {
        Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "send the question with `Content-Type: application/json`",
        ))
    }
}

fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes());
    kind.is_some_and(|kind| kind.starts_with(b"application/json"))
}

/// All of a body. If there is no room for it, it is read, but not kept.
async fn bytes(
    body: Body,
    announced: Option<usize>,
    kind: QuestionKind,
    has_room: bool,
) -> Result<Vec<u8>, Refusal> {
    let is_kept = |size: usize| has_room && kind.check_size(size).is_ok();
    // As large as announced, so that it never moves.
    let expected = announced.filter(|&bytes| is_kept(bytes));
    let (mut kept, mut size) = (Vec::with_capacity(expected.unwrap_or(0)), 0);
    let mut body = pin!(body);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|error| {
            let why = format!("the request broke off: {error}");
            Refusal::new(StatusCode::BAD_REQUEST, why)
        })?;
        // Other frames are trailers, which are not used.
        let Ok(data) = frame.into_data() else {
            continue;
        };
        size += data.len();
        match size {
            ..=MOST_DRAINED if is_kept(size) => kept.extend(data),
            ..=MOST_DRAINED => kept = Vec::new(),
            _ => break,
        }
    }
    kind.check_size(announced.unwrap_or(size))?;
    Ok(kept)
}

/// The most bytes of the bodies of one client: two of the largest.
const MOST_OF_A_CLIENT: usize = 2 * MAX_SAVED;

/// The most bytes of all bodies.
const MOST: usize = 2 * MOST_OF_A_CLIENT;

/// Bodies from this size on have their memory returned to the system when they are done, in bytes.
const LARGE: usize = 1_000_000;

/// The room for bodies. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct BodyRoom(Arc<Mutex<TakenBytes>>);

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
    pub(crate) fn take(&self, client: ClientId, bytes: usize) -> Result<BodyShare, Refusal> {
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
pub(crate) struct BodyShare {
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
