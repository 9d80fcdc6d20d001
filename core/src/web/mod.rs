//! The service behind the web page: [`service::Service`] answers questions and carries out orders.
//! Nothing here knows how messages travel. The server of `hex web` uses HTTP and a socket; the page
//! without a server uses messages to a worker.

pub mod problem;
pub mod sizes;
pub mod view;
pub mod messages;
pub mod variations;
pub mod games;
pub mod questions;
pub mod turns;
pub mod engine_cache;
pub mod job;
pub mod proofs;
pub mod replies;
pub mod orders;
pub mod service;
