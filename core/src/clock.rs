//! The machine's clock. WebAssembly has none of its own, so there the page provides the time.

#[cfg(not(target_family = "wasm"))]
pub use hexbot::budget::SystemClock;
#[cfg(target_family = "wasm")]
pub use page::SystemClock;

#[cfg(target_family = "wasm")]
mod page {
    use hexbot::budget::Clock;
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since some fixed moment, from `performance.now()`; 0 or more.
        safe fn now() -> f64;
    }

    /// The page's clock.
    #[derive(Clone, Copy, Debug)]
    pub struct SystemClock(Duration);

    impl SystemClock {
        /// A clock that shows zero now.
        pub(crate) fn start() -> Self {
            SystemClock(reading())
        }
    }

    impl Clock for SystemClock {
        fn now(&self) -> Duration {
            reading().saturating_sub(self.0)
        }
    }

    fn reading() -> Duration {
        Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
    }
}
