//! `scripts/package` makes an archive, and `scripts/install.sh` installs it after its checksum was compared, or nothing.

use crate::place::{Files, Outcome, root, run, write_program};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAMS: [&str; 3] = ["omnigraph", "omnigraph-server", "orbit"];

/// What `install.sh` calls the machine of this test.
fn platform() -> &'static str {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("macos", "aarch64") => "macos-arm64",
        ("macos", _) => "macos-x86_64",
        _ => "linux-x86_64",
    }
}

/// Releases below `releases`, programs that are installed into `bin`.
struct Installation {
    dir: tempfile::TempDir,
    files: Files,
}

impl Installation {
    fn new() -> Installation {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(dir.path().join("releases")).expect("a directory");
        let files = Files::serve(&dir.path().join("releases"));
        Installation { dir, files }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn archive(&self, release: &str) -> PathBuf {
        self.path(&format!("releases/{release}/omnigraph-{}.tar.gz", platform()))
    }

    /// Packs programs that say a version, with the script that packs the real ones.
    fn release(&self, release: &str, version: &str) {
        let built = self.path("built");
        for program in PROGRAMS {
            write_program(&built.join(program), &format!("echo {program} {version}"));
        }
        let out = self.path(&format!("releases/{release}"));
        let packed = run(Command::new(root().join("scripts/package")).arg(platform()).arg(&built).arg(&out));
        assert_eq!(packed.success(), format!("{}\n", self.archive(release).display()));
    }

    /// Runs the installer with these variables and nothing else of the environment.
    fn install(&self, variables: &[(&str, &str)]) -> Outcome {
        let mut command = Command::new("sh");
        command.arg(root().join("scripts/install.sh")).current_dir(self.dir.path()).env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", self.path("home"));
        command.env("BASE_URL", &self.files.url).env("INSTALL_DIR", self.path("bin"));
        run(command.envs(variables.iter().copied()))
    }

    /// What an installed program says.
    fn says(&self, program: &str) -> String {
        run(&mut Command::new(self.path("bin").join(program))).success()
    }

    /// Everything in the directory of programs, hidden files too.
    fn installed(&self) -> Vec<String> {
        names(&self.path("bin"))
    }
}

fn names(dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_newest_release_is_installed_and_replaces_an_older_one() {
    let installation = Installation::new();
    installation.release("latest/download", "1.0");
    let told = installation.install(&[]).success();
    assert!(told.starts_with("omnigraph 1.0\ninstalled omnigraph omnigraph-server orbit in "), "{told}");
    assert!(told.ends_with("is not in PATH: add it\n"), "{told}");
    assert_eq!(installation.installed(), PROGRAMS);
    installation.release("latest/download", "1.1");
    installation.install(&[]).success();
    assert_eq!(installation.says("omnigraph-server"), "omnigraph-server 1.1\n");
    assert_eq!(installation.installed(), PROGRAMS);
    let mode = std::fs::metadata(installation.path("bin/orbit")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn channel_version_and_directory_are_chosen() {
    let installation = Installation::new();
    installation.release("latest/download", "2.0");
    installation.release("download/edge", "2.1-edge");
    installation.release("download/v1.0", "1.0");
    installation.install(&[("RELEASE_CHANNEL", "edge")]).success();
    assert_eq!(installation.says("omnigraph"), "omnigraph 2.1-edge\n");
    installation.install(&[("VERSION", "v1.0")]).success();
    assert_eq!(installation.says("orbit"), "orbit 1.0\n");
    installation.install(&[("INSTALL_DIR", "")]).success();
    assert_eq!(names(&installation.path("home/.local/bin")), PROGRAMS);
    let missing = installation.install(&[("VERSION", "v9.9")]).failure();
    assert!(missing.contains("of release v9.9 at http://127.0.0.1:"), "{missing}");
    let unknown = installation.install(&[("RELEASE_CHANNEL", "nightly")]).failure();
    assert_eq!(unknown, "error: RELEASE_CHANNEL is `nightly`\nhint: it is stable or edge\n");
    assert_eq!(installation.says("orbit"), "orbit 1.0\n");
}

#[test]
fn edge_is_taken_while_there_is_no_release() {
    let installation = Installation::new();
    let nothing = installation.install(&[]).failure();
    assert!(nothing.starts_with("error: there is no omnigraph-"), "{nothing}");
    assert_eq!(installation.installed(), [""; 0]);
    installation.release("download/edge", "0.1-edge");
    let told = installation.install(&[]).success();
    assert!(told.starts_with("there is no stable release yet: taking edge\nomnigraph 0.1-edge\n"), "{told}");
}

#[test]
fn nothing_is_installed_that_is_not_as_it_should_be() {
    let installation = Installation::new();
    installation.release("latest/download", "1.0");
    installation.install(&[]).success();
    installation.release("latest/download", "2.0");
    let archive = installation.archive("latest/download");
    let sum = archive.with_extension("gz.sha256");
    let right = std::fs::read_to_string(&sum).expect("a checksum");
    let refused = |reason: &str| {
        let told = installation.install(&[]).failure();
        assert!(told.contains(reason), "{told}");
        assert_eq!(installation.installed(), PROGRAMS);
        assert_eq!(installation.says("omnigraph"), "omnigraph 1.0\n");
    };
    std::fs::write(&sum, right.replace(&right[..64], &"0".repeat(64))).expect("a file");
    refused(&format!("has the checksum {}, and should have 000000", &right[..64]));
    std::fs::write(&sum, "<html>not found</html>\n").expect("a file");
    refused("holds no checksum");
    std::fs::remove_file(&sum).expect("it was there");
    refused("has no checksum beside it");
    std::fs::write(&sum, &right).expect("a file");
    let whole = std::fs::read(&archive).expect("an archive");
    std::fs::write(&archive, &whole[..whole.len() / 2]).expect("a file");
    refused("has the checksum");
}

/// The checksum is right, and the archive is not what it should be.
#[test]
fn an_archive_without_all_programs_or_with_one_that_does_not_run_is_refused() {
    let installation = Installation::new();
    installation.release("latest/download", "1.0");
    installation.install(&[]).success();
    write_program(&installation.path("built/orbit"), "echo 'no such libc' >&2; exit 127");
    let out = installation.path("releases/latest/download");
    let package =
        |built: &Path| run(Command::new(root().join("scripts/package")).arg(platform()).arg(built).arg(&out));
    package(&installation.path("built")).success();
    let told = installation.install(&[]).failure();
    assert!(told.starts_with("error: orbit does not run here: no such libc\n"), "{told}");
    std::fs::remove_file(installation.path("built/orbit")).expect("it was there");
    let told = package(&installation.path("built")).failure();
    assert!(told.contains("has no program orbit; build it first"), "{told}");
    let archive = installation.archive("latest/download");
    let by_hand = format!(
        "tar -czf {0} -C {1} omnigraph omnigraph-server && sha256sum {0} > {0}.sha256",
        archive.display(),
        installation.path("built").display()
    );
    run(Command::new("sh").arg("-c").arg(by_hand)).success();
    let told = installation.install(&[]).failure();
    assert!(told.contains("is not what it should be\nhint: nothing was installed"), "{told}");
    assert_eq!(
        (installation.installed(), installation.says("orbit")),
        (PROGRAMS.map(str::to_owned).into(), "orbit 1.0\n".into())
    );
}

/// The last program cannot be put in its place: those before it are put back.
#[test]
fn all_programs_are_replaced_or_none() {
    let installation = Installation::new();
    installation.release("latest/download", "1.0");
    installation.install(&[]).success();
    installation.release("latest/download", "2.0");
    let tools = installation.path("tools");
    write_program(
        &tools.join("mv"),
        "case \"$*\" in *new/orbit*) echo 'mv: disk full' >&2; exit 1 ;; esac\nexec /bin/mv \"$@\"",
    );
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", tools.display());
    let told = installation.install(&[("PATH", &path)]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), "mv: disk full\n"));
    assert_eq!(installation.installed(), PROGRAMS);
    for program in PROGRAMS {
        assert_eq!(installation.says(program), format!("{program} 1.0\n"));
    }
    std::fs::remove_file(installation.path("bin/orbit")).expect("it was there");
    std::fs::create_dir(installation.path("bin/orbit")).expect("a directory");
    let told = installation.install(&[]).failure();
    assert!(told.contains("bin/orbit is a directory\nhint: nothing was installed"), "{told}");
    assert_eq!(installation.says("omnigraph"), "omnigraph 1.0\n");
}

#[test]
fn wget_does_when_curl_is_missing() {
    let installation = Installation::new();
    installation.release("download/edge", "3.0");
    let tools = installation.path("tools");
    std::fs::create_dir(&tools).expect("a directory");
    let needed =
        ["uname", "mktemp", "rm", "mkdir", "sed", "tail", "head", "tr", "cut", "tar", "gzip", "chmod"];
    for tool in needed.into_iter().chain(["cp", "mv", "sha256sum", "wget", "sh"]) {
        let found = ["/usr/bin", "/bin", "/usr/local/bin"].map(|dir| Path::new(dir).join(tool));
        let found = found.iter().find(|path| path.exists());
        symlink(found.unwrap_or_else(|| panic!("{tool} is needed")), tools.join(tool)).expect("a link");
    }
    let path = tools.display().to_string();
    installation.install(&[("PATH", &path)]).success();
    assert_eq!(installation.says("omnigraph"), "omnigraph 3.0\n");
    std::fs::remove_file(tools.join("wget")).expect("it was there");
    let told = installation.install(&[("PATH", &path)]).failure();
    assert_eq!(told, "error: neither curl nor wget is there\nhint: install one of them\n");
}

#[test]
fn where_releases_are_must_be_said_and_answer() {
    let installation = Installation::new();
    let told = installation.install(&[("BASE_URL", "")]).failure();
    assert!(told.starts_with("error: where are the releases?\nhint: set BASE_URL"), "{told}");
    let told = installation.install(&[("BASE_URL", "http://127.0.0.1:9")]).failure(); // where nobody listens
    assert!(told.starts_with("error: cannot download http://127.0.0.1:9/latest/download/"), "{told}");
    assert_eq!(installation.installed(), [""; 0]);
}
