//! What a caller may cost.

use std::time::Duration;

/// Bounds of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: u64,
    /// Bytes of the body of `POST /ingest`.
    pub ingest_body: u64,
    /// Bytes of the body of `POST /load`, which goes to a file as it comes.
    pub load_body: u64,
    /// Requests that are worked on at once.
    pub workers: usize,
    /// Requests that wait for a worker; more are answered with 429.
    pub waiting: usize,
    /// Answers that are streamed at once: their readers may be slow, and others must not wait for them.
    pub streams: usize,
    /// Callers that are told of changes as they come.
    pub feeds: usize,
    /// For a connection to come up with the head of its next request.
    pub idle_timeout: Duration,
    /// For the rest of a request's head behind its first byte, and for a handshake.
    pub head_timeout: Duration,
    /// For the body of a request to arrive.
    pub body_timeout: Duration,
    /// Between two pieces of a loaded body, and between two of a streamed answer.
    pub stall_timeout: Duration,
    /// For requests that are under way when the server is asked to end.
    pub shutdown_timeout: Duration,
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
            streams: 16,
            feeds: 256,
            idle_timeout: Duration::from_mins(5),
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            stall_timeout: Duration::from_secs(30),
            shutdown_timeout: Duration::from_secs(30),
            connections: 16_384,
        }
    }
}
