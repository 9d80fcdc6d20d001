//! What a page asks and the answers, without a word on how they travel: over HTTP and a socket from
//! `hex web`, or between a page and its worker where there is no server.

pub mod problem;
pub mod sizes;
pub mod view;
pub mod messages;
pub mod variations;
pub mod games;
pub mod minds;
pub mod job;
pub mod proofs;
pub mod replies;
pub mod local;
