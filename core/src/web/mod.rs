//! What a page asks and orders, and what it is told: [`service::Service`] does all of it. Nothing
//! here knows how questions, orders and replies travel. The server of `hex web` carries them over
//! HTTP and a socket, the page without a server as messages to a worker.

pub mod problem;
pub mod sizes;
pub mod view;
pub mod messages;
pub mod variations;
pub mod games;
pub mod questions;
pub mod engine_cache;
pub mod job;
pub mod proofs;
pub mod replies;
pub mod orders;
pub mod service;
