//! What a caller may cost.

use std::time::Duration;

/// Bounds of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of the body of `POST /ingest`.
    pub ingest_body: usize,
    /// Bytes of the body of `POST /load`, which is read as it comes.
    pub load_body: u64,
    /// Requests that are worked on at once.
    pub workers: usize,
    /// Requests that wait for a worker; more are told to come back later.
    pub waiting: usize,
    /// For the head of a request to arrive.
    pub head: Duration,
    /// Between two pieces of a request's body.
    pub body_pause: Duration,
    /// From the end of a request to its answer; streams may take longer.
    pub answer: Duration,
    /// Between two pieces of a streamed answer that the caller takes.
    pub stream_pause: Duration,
    /// For requests that are under way when the server is told to end.
    pub farewell: Duration,
    /// Connections at once.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            body: 1 << 20,
            ingest_body: 32 << 20,
            load_body: 64 << 30,
            workers: (cores * 4).max(16),
            waiting: 512,
            head: Duration::from_secs(10),
            body_pause: Duration::from_secs(30),
            answer: Duration::from_secs(300),
            stream_pause: Duration::from_secs(60),
            farewell: Duration::from_secs(30),
            connections: 16_384,
        }
    }
}
