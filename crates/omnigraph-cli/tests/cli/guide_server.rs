//! A server that a page of the guide starts: on a port of its own, shown with the one that readers know.

use crate::program::Place;
use regex::Regex;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Where a server listens when nothing is said.
const SHOWN: &str = "127.0.0.1:8080";

/// `omnigraph-server`; it ends with the value.
pub(crate) struct Served {
    child: Child,
    /// Known when it listens.
    address: String,
}

impl Served {
    /// Starts it with a line of the page, and gives what it says until it listens.
    pub(crate) fn start(place: &Place, line: &str) -> (Served, String) {
        let beside = Path::new(env!("CARGO_BIN_EXE_omnigraph")).with_file_name("omnigraph-server");
        assert!(beside.exists(), "build all programs first: cargo build --workspace");
        let log = place.path("server.log");
        // The shell becomes the server, so that it can be ended by its id.
        let mut command = place.shell(&format!("exec env {line}"));
        command.env("OMNIGRAPH_BIND", "127.0.0.1:0").stderr(File::create(&log).expect("a log"));
        let child = command.spawn().expect("the shell runs");
        let mut served = Served { child, address: String::new() };
        let listens = Regex::new(r"listening on http://(\S+).*\n").expect("a pattern");
        let start = Instant::now();
        loop {
            let said = std::fs::read_to_string(&log).expect("the log");
            if let Some(found) = listens.captures(&said) {
                found[1].clone_into(&mut served.address);
                let said = served.shown(&without_times(&said));
                return (served, said);
            }
            let ended = served.child.try_wait().expect("it can be asked");
            assert!(ended.is_none(), "{line}: {ended:?}\n{said}");
            assert!(start.elapsed() < Duration::from_mins(2), "{line} does not listen\n{said}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A line of the page as it is run.
    pub(crate) fn meant(&self, line: &str) -> String {
        line.replace(SHOWN, &self.address)
    }

    /// What was printed as the page has it: with the address that readers know, without numbers that are never the same.
    pub(crate) fn shown(&self, said: &str) -> String {
        let version = Regex::new(r#""table_version":"\d+""#).expect("a pattern");
        let said = said.replace(&self.address, SHOWN);
        version.replace_all(&said, r#""table_version":"<version>""#).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

fn without_times(log: &str) -> String {
    let time = Regex::new(r"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z").expect("a pattern");
    time.replace_all(log, "<time>").into_owned()
}
