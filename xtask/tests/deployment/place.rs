//! A directory of its own, the scripts of the repository, and a server of files.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is below the root")
}

/// Where cargo puts what it builds, and `scripts/test-tools` what it installs.
pub(crate) fn target() -> PathBuf {
    let programs = programs();
    let found = programs.ancestors().find(|dir| dir.join("test-tools").exists());
    found.expect("run scripts/test-tools first: it installs the stand-in for S3").to_path_buf()
}

/// Where the programs of this build are.
pub(crate) fn programs() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_xtask"));
    program.parent().expect("it is in a directory").to_path_buf()
}

/// Writes a program for `sh`.
pub(crate) fn write_program(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("below a directory")).expect("a directory");
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("a file");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("its mode");
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Outcome {
    /// Standard output of a run that succeeded.
    pub(crate) fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    /// Standard error of a run that failed.
    pub(crate) fn failure(self) -> String {
        assert_eq!(self.code, Some(1), "{self:#?}");
        self.stderr
    }
}

/// A process that is ended with the value.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.id().to_string()).stderr(Stdio::null()).status();
        let _ = self.0.wait();
    }
}

/// Serves the files of a directory over HTTP, as a place of releases does.
pub(crate) struct Files {
    _server: Ended,
    pub(crate) url: String,
}

impl Files {
    pub(crate) fn serve(dir: &Path) -> Files {
        let mut server = Command::new("python3")
            .args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"])
            .current_dir(dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 runs");
        let out = server.stdout.take().expect("piped");
        let server = Ended(server);
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        // Serving HTTP on 127.0.0.1 port 41234 (http://127.0.0.1:41234/) ...
        let url = line.split(['(', ')']).nth(1).expect("an address").trim_end_matches('/').to_owned();
        Files { _server: server, url }
    }
}
