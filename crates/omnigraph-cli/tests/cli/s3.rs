//! A graph in S3: the flows of the guide against a stand-in that `scripts/test-tools` installs.

use crate::program::Place;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that speaks S3 on a port of its own; it ends with the value.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port");
        let child = Command::new(program())
            .args(["-H", "127.0.0.1", "-p", &free.port().to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the stand-in for S3 runs");
        let server = Server { child, address: free.to_string() };
        let start = Instant::now();
        while TcpStream::connect(&server.address).is_err() {
            assert!(start.elapsed() < Duration::from_mins(2), "the stand-in for S3 does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }

    fn make_bucket(&self, name: &str) {
        let mut stream = TcpStream::connect(&self.address).expect("it answers");
        let request = format!(
            "PUT /{name} HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    /// A directory whose runs find the server as the guide says.
    fn place(&self, endpoint: &str) -> Place {
        let mut place = Place::new();
        place.set("AWS_REGION", "us-east-1");
        place.set("AWS_ACCESS_KEY_ID", "test");
        place.set("AWS_SECRET_ACCESS_KEY", "test");
        place.set("AWS_S3_FORCE_PATH_STYLE", "true");
        place.set("AWS_ALLOW_HTTP", "true");
        place.set(endpoint, &format!("http://{}", self.address));
        place
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where `scripts/test-tools` puts it, in cargo's target directory.
fn program() -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_omnigraph"));
    let targets = binary.ancestors().skip(1).map(|dir| dir.join("test-tools/bin/moto_server"));
    let found = targets.into_iter().find(|program| program.exists());
    found.expect("run scripts/test-tools first: it installs the stand-in for S3 that this test uses")
}

#[test]
fn the_flows_of_the_guide() {
    let server = Server::start();
    server.make_bucket("my-bucket");
    let place = server.place("AWS_ENDPOINT_URL_S3");
    let uri = "s3://my-bucket/repo.omni";
    let reply = place.run(&format!("omnigraph init --schema ./schema.pg {uri}")).success();
    assert_eq!(reply, format!("initialized {uri}\n"));
    place.run(&format!("omnigraph load --data ./seed.jsonl --mode overwrite {uri}")).success();
    place.write("batch.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Frank\",\"age\":50}}\n");
    place.run(&format!("omnigraph branch create --from main review/2026-04-25 {uri}")).success();
    place.run(&format!("omnigraph ingest --branch review/2026-04-25 --data ./batch.jsonl {uri}")).success();
    let adults = |rest: &str| {
        let mut names = place.column(&format!("--query ./queries.gq --name adults {rest} {uri}"));
        names.sort_unstable();
        names
    };
    assert_eq!(adults("--branch review/2026-04-25"), ["Charlie", "Frank"]);
    assert_eq!(adults(""), ["Charlie"]);
    place.run(&format!("omnigraph tag create before-review {uri}")).success();
    place.run(&format!("omnigraph branch merge review/2026-04-25 --into main {uri}")).success();
    assert_eq!(adults(""), ["Charlie", "Frank"]);
    let diff = place.json(&format!("omnigraph diff before-review main --json {uri}"));
    assert_eq!(diff["changes"][0]["id"], "Frank");
    let run = place.json(&format!("omnigraph run begin --json {uri}"));
    let (id, branch) =
        (run["run_id"].as_str().expect("an id"), run["run_branch"].as_str().expect("a branch"));
    place.write("frank.jsonl", "{\"delete\":\"Person\",\"id\":\"Frank\"}\n");
    place.run(&format!("omnigraph load --data frank.jsonl --mode merge --branch {branch} {uri}")).success();
    let published = place.json(&format!("omnigraph run publish {id} --json {uri}"));
    assert_eq!(published["outcome"], "fast_forward");
    assert_eq!(adults(""), ["Charlie"]);
    let add =
        r#"omnigraph change --query queries.gq --name insert_person --params '{"name":"Eve","age":41}'"#;
    place.run(&format!("{add} {uri}")).success();
    assert_eq!(adults(""), ["Charlie", "Eve"]);
    assert_eq!(adults("--snapshot manifest:main:v2"), ["Charlie"]);
    let again = place.json(&format!("omnigraph load --data ./seed.jsonl --mode merge --json {uri}"));
    assert_eq!(again["committed"], false);
    let doctor = place.json(&format!("omnigraph doctor --json {uri}"));
    assert_eq!(doctor["ok"], true, "{doctor}");
    assert_eq!(place.run(&format!("omnigraph export {uri}")).success().lines().count(), 12);
    assert_eq!(place.run(&format!("omnigraph branch list {uri}")).success(), "main\nreview/2026-04-25\n");
    let twice = place.run(&format!("omnigraph init --schema ./schema.pg --json {uri}"));
    assert_eq!(twice.error()["code"], "exists");
    let other = server.place("AWS_ENDPOINT_URL");
    assert_eq!(other.json(&format!("omnigraph snapshot --json {uri}"))["manifest_version"], 5);
    let nowhere = place.run("omnigraph snapshot --json s3://my-bucket/nowhere.omni");
    assert_eq!(nowhere.error()["code"], "not_found");
    let no_bucket = place.run("omnigraph init --schema ./schema.pg --json s3://no-such-bucket/repo.omni");
    assert_eq!(no_bucket.error()["code"], "not_found");
    for line in ["init --schema ./schema.pg", "snapshot", "export"] {
        let no_bucket = place.run(&format!("omnigraph {line} s3://no-such-bucket/repo.omni"));
        let said =
            "error: there is no bucket `no-such-bucket` at this endpoint; make it first, or check its name\n";
        assert_eq!(no_bucket.stderr, said, "{line}");
    }
}

/// The seed's flows of maintenance: plan, apply, compact, preview, clean up, check.
#[test]
fn maintenance() {
    let server = Server::start();
    server.make_bucket("kept");
    let place = server.place("AWS_ENDPOINT_URL_S3");
    let uri = "s3://kept/repo.omni";
    place.run(&format!("omnigraph init --schema ./schema.pg {uri}")).success();
    place.run(&format!("omnigraph load --data ./seed.jsonl --mode overwrite {uri}")).success();
    for name in ["Eve", "Frank"] {
        let params = format!("{{\"name\":\"{name}\",\"age\":41}}");
        let add =
            format!("omnigraph change --query queries.gq --name insert_person --params '{params}' {uri}");
        place.run(&add).success();
    }
    place.write(
        "next.pg",
        &crate::program::SCHEMA.replace("age: I32?", "age: I64?\n  level: I32 @default(1)"),
    );
    assert_eq!(
        place.json(&format!("omnigraph schema plan --schema ./next.pg --json {uri}"))["supported"],
        true
    );
    let applied = place.json(&format!("omnigraph schema apply --schema ./next.pg {uri} --json"));
    assert_eq!(applied["applied"], true);
    assert_eq!(place.json(&format!("omnigraph optimize --json {uri}"))["committed"], true);
    let clean = format!("omnigraph cleanup --keep 1 --older-than 0s --grace 0s --json {uri}");
    let preview = place.json(&clean);
    let done = place.json(&format!("{clean} --confirm"));
    assert!(done["files_removed"].as_u64() > Some(0), "{done}");
    assert_eq!(done["files_removed"], preview["files_removed"]);
    assert_eq!(place.json(&format!("omnigraph fsck --json {uri}"))["ok"], true);
    let people = place.run(&format!("omnigraph export --type Person {uri}")).success();
    assert_eq!(people.lines().count(), 6);
    assert!(people.lines().all(|line| line.contains("\"level\":1")), "{people}");
}

/// Two programs that write at once: both writes are there.
#[test]
fn two_writers() {
    let server = Server::start();
    server.make_bucket("shared");
    let place = server.place("AWS_ENDPOINT_URL_S3");
    place.run("omnigraph init --schema schema.pg s3://shared/g").success();
    place.run("omnigraph load --data seed.jsonl --mode overwrite s3://shared/g").success();
    let add = |name: &str| {
        place.shell(&format!(
            r#"omnigraph change --query queries.gq --name insert_person --params '{{"name":"{name}","age":99}}' s3://shared/g"#
        ))
    };
    let writers: Vec<Child> =
        ["W1", "W2", "W3"].map(|name| add(name).stdout(Stdio::null()).spawn().expect("it runs")).into();
    for mut writer in writers {
        assert!(writer.wait().expect("it ends").success());
    }
    let mut adults = place.column("--query queries.gq --name adults s3://shared/g");
    adults.sort_unstable();
    assert_eq!(adults, ["Charlie", "W1", "W2", "W3"]);
}

/// A crowd of processes, as on a disk.
#[test]
fn eight_processes() {
    let server = Server::start();
    server.make_bucket("crowd");
    let place = server.place("AWS_ENDPOINT_URL_S3");
    crate::crowd::write_together("s3://crowd/g", place.env(), 6);
}

#[test]
fn a_store_that_does_not_answer() {
    let mut place = Place::new();
    place.set("AWS_REGION", "us-east-1");
    place.set("AWS_ACCESS_KEY_ID", "test");
    place.set("AWS_SECRET_ACCESS_KEY", "test");
    place.set("AWS_ALLOW_HTTP", "true");
    place.set("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9"); // the port of `discard`, where nobody listens
    let lost = place.run("omnigraph snapshot s3://my-bucket/repo.omni");
    assert_eq!(lost.code, Some(1));
    assert!(lost.stderr.contains("hint: AWS_REGION, AWS_ACCESS_KEY_ID"), "{}", lost.stderr);
}
