//! The real `omnigraph-server`, on a port of the system's choice.

use crate::program::Place;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// A server; it ends with the value.
pub(crate) struct Served {
    child: Child,
    /// `http://127.0.0.1:41234`
    pub(crate) url: String,
}

impl Served {
    /// Serves from the directory of a place.
    pub(crate) fn start(place: &Place, args: &[&str], env: &[(&str, &str)]) -> Served {
        let mut child = Command::new(program())
            .args(args)
            .args(["--bind", "127.0.0.1:0"])
            .current_dir(place.path("."))
            .env_clear()
            .env("OMNIGRAPH_FSYNC", "0")
            .env("OMNIGRAPH_ALLOW_ALL_TOKENS", "1")
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server runs");
        let mut log = BufReader::new(child.stderr.take().expect("a log"));
        let mut said = String::new();
        let url = loop {
            let start = said.len();
            let length = log.read_line(&mut said).expect("a log");
            assert!(length > 0, "the server ended:\n{said}");
            let words = said[start..].split_once("listening on ").map(|(_, rest)| rest.split_whitespace());
            if let Some(url) = words.and_then(|mut words| words.next()) {
                break url.to_owned();
            }
        };
        // A log that nobody reads stops the server when it is full.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Served { child, url }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Beside `omnigraph`, where a build of the workspace puts it; built when only this crate was.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = Path::new(env!("CARGO_BIN_EXE_omnigraph")).with_file_name("omnigraph-server");
        if !program.exists() {
            let directory = program.parent().and_then(Path::file_name).expect("a profile");
            let profile = directory.to_str().filter(|name| *name != "debug").unwrap_or("dev");
            let built = Command::new(env!("CARGO"))
                .args(["build", "--workspace", "--bin", "omnigraph-server", "--profile", profile])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status()
                .expect("cargo runs");
            assert!(built.success(), "omnigraph-server can be built");
        }
        program
    })
}
