//! `scripts/local-s3` puts a graph into a bucket, serves it, and leaves nothing behind.

use crate::place::{Ended, programs, root, run, target};
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};

/// The script while it serves.
struct Running {
    script: Ended,
    out: BufReader<ChildStdout>,
    /// What it told.
    told: String,
}

/// Its last line when all is up.
const LAST: &str = "/omnigraph snapshot s3://";

impl Running {
    fn start(workdir: &Path, variables: &[(&str, &str)]) -> Running {
        let mut script = Command::new(root().join("scripts/local-s3"))
            .env("CARGO_TARGET_DIR", target())
            .env("BIN_DIR", programs())
            .env("WORKDIR", workdir)
            .envs([("BIND", "127.0.0.1:0"), ("S3_PORT", "0"), ("BUCKET", "try"), ("PREFIX", "a/team.omni")])
            .envs([("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")])
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let out = BufReader::new(script.stdout.take().expect("piped"));
        let mut running = Running { script: Ended(script), out, told: String::new() };
        while !running.told.contains(LAST) {
            let read = running.out.read_line(&mut running.told).expect("a line");
            assert!(read > 0, "it ended early:\n{}", running.told);
        }
        running
    }

    /// Runs one of the lines that it tells to try.
    fn try_line(&self, part: &str) -> String {
        let line = self.told.lines().find(|line| line.trim().starts_with("curl") && line.contains(part));
        let line = line.unwrap_or_else(|| panic!("no line with {part}"));
        run(Command::new("sh").arg("-c").arg(line)).success()
    }

    /// An address, `host:port`, behind some words.
    fn address(&self, words: &str) -> String {
        let (_, rest) = self.told.split_once(words).expect("an address");
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ':').expect("an end");
        rest[..end].to_owned()
    }

    /// Ends it, and waits until it is gone. Not with the signal of Ctrl-C, which jobs in the background never get.
    fn end(mut self) {
        let id = self.script.0.id().to_string();
        run(Command::new("kill").args(["-TERM", &id])).success();
        let status = self.script.0.wait().expect("it ends");
        assert_eq!(status.code(), Some(143));
    }
}

#[test]
fn a_graph_in_a_bucket_is_made_served_kept_and_made_anew() {
    let dir = tempfile::tempdir().expect("a directory");
    let first = Running::start(&dir.path().join("first"), &[]);
    assert!(first.told.contains("loaded 32 nodes of 3 types and 58 edges of 4 types"), "{}", first.told);
    assert!(first.try_line("/healthz").starts_with("{\"status\":\"ok\""));
    assert!(first.try_line("/queries/colleagues").contains("Ben Larsen"));
    assert!(first.try_line("/queries/documents_about").contains("Solar forecast model"));
    assert!(first.try_line("/queries/hire").contains("\"committed\":true"));
    assert!(first.try_line("/read").contains("\"rows\":[{\"people\":15}]"));
    // A store that runs already: the graph is served as it is, with who was hired.
    let store = first.address("S3 is at http://");
    let endpoint = format!("http://{store}");
    let second = Running::start(&dir.path().join("second"), &[("S3_ENDPOINT", &endpoint)]);
    assert!(second.told.contains("is there already; RESET=1 makes it anew"), "{}", second.told);
    assert!(second.try_line("/read").contains("\"rows\":[{\"people\":15}]"));
    second.end();
    let third = Running::start(&dir.path().join("second"), &[("S3_ENDPOINT", &endpoint), ("RESET", "1")]);
    assert!(third.try_line("/read").contains("\"rows\":[{\"people\":14}]"));
    third.end();
    // Its own store outlives those that only used it, and ends with it.
    let served = first.address("is served at http://");
    assert!(TcpStream::connect(&store).is_ok() && TcpStream::connect(&served).is_ok());
    first.end();
    assert!(TcpStream::connect(&store).is_err() && TcpStream::connect(&served).is_err());
}

#[test]
fn programs_that_are_missing_are_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let told = run(Command::new(root().join("scripts/local-s3"))
        .env("CARGO_TARGET_DIR", target())
        .env("WORKDIR", dir.path())
        .env("BIN_DIR", dir.path()));
    assert!(told.failure().contains("does not have omnigraph and omnigraph-server"));
}
