//! The real `omnigraph-server` on a port of its own, with a graph in a directory of its own.

use crate::document;
use crate::wire::{Answer, PATIENCE, connect, exchange, request};
use omnigraph::{Access, Graph, GraphOptions};
use omnigraph_api::calls::load::IngestRequest;
use omnigraph_api::calls::{Call as _, Context};
use serde_json::Value;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// People, companies, who knows whom, who works where.
pub(crate) const SCHEMA: &str = "node Person { name: String @key  age: I32? }\n\
    node Company { name: String @key }\n\
    edge Knows: Person -> Person { since: Date? }\n\
    edge WorksAt: Person -> Company\n";

/// Four people, two companies.
pub(crate) const DATA: &str = r#"{"type":"Person","data":{"name":"Alice","age":30}}
{"type":"Person","data":{"name":"Bob","age":25}}
{"type":"Person","data":{"name":"Charlie","age":35}}
{"type":"Person","data":{"name":"Diana","age":28}}
{"type":"Company","data":{"name":"Acme"}}
{"type":"Company","data":{"name":"Globex"}}
{"edge":"Knows","from":"Alice","to":"Bob","data":{"since":"2020-01-15"}}
{"edge":"Knows","from":"Alice","to":"Charlie"}
{"edge":"Knows","from":"Bob","to":"Diana"}
{"edge":"WorksAt","from":"Alice","to":"Acme"}
{"edge":"WorksAt","from":"Bob","to":"Globex"}
"#;

/// What a server is started with; the directory goes with the value.
#[derive(Debug)]
pub(crate) struct Setup {
    dir: tempfile::TempDir,
    args: Vec<String>,
    env: Vec<(String, String)>,
    /// Texts that no answer and no line of the log may have.
    secrets: Vec<String>,
}

impl Setup {
    /// A directory without a graph.
    pub(crate) fn bare() -> Setup {
        let dir = tempfile::tempdir().expect("a directory");
        Setup { dir, args: Vec::new(), env: Vec::new(), secrets: Vec::new() }
    }

    /// With a graph `g.omni` of four people and two companies.
    pub(crate) fn new() -> Setup {
        let mut setup = Setup::bare();
        setup.graph("g.omni", SCHEMA, DATA);
        setup.arg("g.omni");
        setup
    }

    /// Makes a graph with rows.
    pub(crate) fn graph(&self, name: &str, schema: &str, data: &str) -> Graph {
        let uri = self.path(name).display().to_string();
        let options = GraphOptions { durable: false, ..GraphOptions::default() };
        let graph = Graph::create(&uri, schema, Access::unrestricted(), &options).expect("a graph");
        let mut context = Context { graph: &graph, uri: &uri, progress: &mut |_| {} };
        let rows = IngestRequest { data: data.to_owned(), ..IngestRequest::default() };
        rows.run(&mut context).expect("rows that fit");
        graph
    }

    /// With a graph `g.omni` whose export is longer than what the sockets between two programs hold.
    pub(crate) fn large() -> Setup {
        let mut setup = Setup::bare();
        let text = "x".repeat(16_000);
        let row =
            |at: u32| format!("{{\"type\":\"Doc\",\"data\":{{\"slug\":\"d{at}\",\"body\":\"{text}\"}}}}\n");
        let rows: String = (0..1_500).map(row).collect();
        setup.graph("g.omni", "node Doc { slug: String @key  body: String }", &rows);
        setup.arg("g.omni");
        setup
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub(crate) fn arg(&mut self, text: &str) -> &mut Setup {
        self.args.extend(text.split(' ').map(str::to_owned));
        self
    }

    pub(crate) fn env(&mut self, name: &str, text: &str) -> &mut Setup {
        self.env.push((name.to_owned(), text.to_owned()));
        self
    }

    /// A text that nobody may see.
    pub(crate) fn secret(&mut self, text: &str) -> &mut Setup {
        self.secrets.push(text.to_owned());
        self
    }

    /// The program, untouched by the settings of whoever runs the tests. A token is enough where no policy says otherwise.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_omnigraph-server"));
        command.args(&self.args).current_dir(self.dir.path()).env_clear();
        command.env("HOME", "/nonexistent").env("OMNIGRAPH_FSYNC", "0").env("OMNIGRAPH_CACHE_MB", "256");
        command.env("OMNIGRAPH_ALLOW_ALL_TOKENS", "1");
        command.envs(self.env.iter().map(|(name, text)| (name, text)));
        command.stdin(Stdio::null());
        command
    }

    /// A server that listens.
    pub(crate) fn start(self) -> Server {
        let mut command = self.command();
        if !self.args.iter().any(|arg| arg == "--bind") {
            command.args(["--bind", "127.0.0.1:0"]);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let log = Arc::new(Mutex::new(Vec::new()));
        let (stdout, stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let readers = vec![follow(stdout, log.clone()), follow(stderr, log.clone())];
        let mut server = Server {
            child: Mutex::new(child),
            address: String::new(),
            log,
            readers,
            setup: Some(self),
            document: OnceLock::new(),
        };
        server.await_log("listening on http");
        let log = server.log();
        let rest = log.split("listening on http").nth(1).expect("it was waited for");
        let rest = rest.split_once("://").expect("an address").1;
        let is_outside = |letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | ':'));
        rest.split(is_outside).next().expect("an address").clone_into(&mut server.address);
        server
    }

    /// A server that does not start: its exit code and what it printed.
    pub(crate) fn refused(&self) -> (Option<i32>, String) {
        let mut child = self.command().stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut text = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
        let code = child.wait().expect("it ends").code();
        assert!(self.secrets.iter().all(|secret| !text.contains(secret)), "{text}");
        (code, text)
    }
}

/// Keeps what a program prints.
fn follow(mut from: impl std::io::Read + Send + 'static, log: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; 1 << 14];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            log.lock().expect("no panic").extend_from_slice(&buffer[..length]);
        }
    })
}

/// A server that runs; it ends with the value.
#[derive(Debug)]
pub(crate) struct Server {
    child: Mutex<Child>,
    pub(crate) address: String,
    log: Arc<Mutex<Vec<u8>>>,
    readers: Vec<JoinHandle<()>>,
    setup: Option<Setup>,
    document: OnceLock<Value>,
}

impl Server {
    /// Everything that it printed.
    pub(crate) fn log(&self) -> String {
        String::from_utf8_lossy(&self.log.lock().expect("no panic")).into_owned()
    }

    /// Waits for a text in the log.
    pub(crate) fn await_log(&self, text: &str) {
        until(&format!("`{text}` in the log"), || {
            let is_there = self.log().contains(text);
            assert!(is_there || self.is_running(), "the server ended:\n{}", self.log());
            is_there
        });
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.setup().path(name)
    }

    fn setup(&self) -> &Setup {
        self.setup.as_ref().expect("only what is gone has none")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.lock().expect("no panic").id()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.child.lock().expect("no panic").try_wait().expect("a child").is_none()
    }

    /// Sends a signal such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.pid().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for its end.
    pub(crate) fn ended(&self) -> ExitStatus {
        let mut status = None;
        until("the end of the server", || {
            status = self.child.lock().expect("no panic").try_wait().expect("a child");
            status.is_some()
        });
        status.expect("it was waited for")
    }

    /// Waits for its end, and gives back what another one can be started with.
    pub(crate) fn over(mut self) -> Setup {
        self.ended();
        self.setup.take().expect("only what is gone has none")
    }

    /// Asks, as whoever has the token, and checks the answer against the document that the server has of itself.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let bytes = request(method, path, headers, body);
        let answer = exchange(&mut connect(&self.address), &bytes).expect("an answer");
        self.check_secrets(&answer);
        let text = || exchange(&mut connect(&self.address), &request("GET", "/openapi.json", &[], None));
        let known = self.document.get_or_init(|| text().expect("an answer").ok());
        if let Err(problem) = document::check(known, method, path, &answer) {
            panic!("{method} {path} is not what the document says: {problem}\n{}", answer.text());
        }
        answer
    }

    fn check_secrets(&self, answer: &Answer) {
        for secret in &self.setup().secrets {
            assert!(!answer.text().contains(secret), "{}", answer.text());
            assert!(answer.headers.iter().all(|(_, text)| !text.contains(secret)), "{:?}", answer.headers);
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], None)
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, &[("Content-Type", "application/json")], Some(body.to_string().as_bytes()))
    }

    /// Somebody with a token.
    pub(crate) fn caller<'s>(&'s self, token: &str) -> Caller<'s> {
        Caller { server: self, header: format!("Bearer {token}") }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        {
            let mut child = self.child.lock().expect("no panic");
            let _ = child.kill(); // it may be gone already
            let _ = child.wait();
        }
        for reader in self.readers.drain(..) {
            reader.join().expect("a reader ends with the program");
        }
        let log = self.log();
        let secrets = self.setup.iter().flat_map(|setup| &setup.secrets);
        let leaked: Vec<&String> = secrets.filter(|secret| log.contains(*secret)).collect();
        assert!(std::thread::panicking() || leaked.is_empty(), "the log has {leaked:?}");
    }
}

/// Somebody with a token.
#[derive(Clone, Debug)]
pub(crate) struct Caller<'s> {
    server: &'s Server,
    header: String,
}

impl Caller<'_> {
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.server.send("GET", path, &[("Authorization", &self.header)], None)
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.server.send("DELETE", path, &[("Authorization", &self.header)], None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.server.send("POST", path, &[("Authorization", &self.header)], Some(body.to_string().as_bytes()))
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
