//! Graphs of a server: who asks, and what happens when the server is not what it should be.

use crate::program::Place;
use crate::served::Served;
use crate::stub::Stub;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

const READ: &str = "omnigraph read --query queries.gq --name adults --format csv";

fn free_address() -> String {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", free.local_addr().expect("an address"))
}

#[test]
fn a_server_that_is_not_there() {
    let place = Place::new();
    let url = free_address();
    let hint = "hint: look whether omnigraph-server runs there and the address is right\n";
    for line in [
        format!("{READ} {url}"),
        format!("omnigraph export {url}"),
        format!("omnigraph load --data seed.jsonl --mode merge {url}"),
        format!("omnigraph snapshot {url}"),
    ] {
        let failed = place.run(&line);
        assert_eq!(failed.stderr, format!("error: cannot reach {url}: connection refused\n{hint}"), "{line}");
        assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""), "{line}");
    }
    let error = place.run(&format!("omnigraph snapshot --json {url}")).error();
    assert_eq!(error["code"], "unreachable");
    let host = place.run("omnigraph snapshot http://nobody.invalid");
    assert_eq!(host.code, Some(1));
    assert!(host.stderr.starts_with("error: cannot reach http://nobody.invalid: "), "{}", host.stderr);
    let doctor = place.run(&format!("omnigraph doctor {url}"));
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.stdout.contains("failed server           cannot reach"), "{}", doctor.stdout);
    for wrong in ["http://", "http://ann:s3cret@127.0.0.1", "http://127.0.0.1/?x"] {
        let failed = place.run(&format!("omnigraph snapshot '{wrong}'"));
        assert_eq!(failed.code, Some(2), "{wrong}");
        assert!(!failed.stderr.contains("s3cret"), "{}", failed.stderr);
    }
}

#[test]
fn something_that_is_not_a_server() {
    let place = Place::new();
    let page = "<html><body>Bad gateway</body></html>";
    for status in ["200 OK", "502 Bad Gateway"] {
        let length = page.len();
        let stub = Stub::start(&format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{page}"
        ));
        let url = &stub.url;
        for line in [
            format!("{READ} {url}"),
            format!("omnigraph export {url}"),
            format!("omnigraph load --data seed.jsonl --mode merge {url}"),
            format!("omnigraph branch list {url}"),
        ] {
            let failed = place.run(&line);
            assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""), "{line}");
            let said = format!("error: {url} does not answer as omnigraph-server does: ");
            assert!(failed.stderr.starts_with(&said), "{}", failed.stderr);
            assert!(failed.stderr.contains("text/html"), "{}", failed.stderr);
            assert!(failed.stderr.contains("hint: "), "{}", failed.stderr);
        }
        let error = place.run(&format!("omnigraph branch list --json {url}")).error();
        assert_eq!(error["code"], "unreachable");
    }
    let other = Stub::start(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]",
    );
    let failed = place.run(&format!("omnigraph branch list {}", other.url));
    assert!(failed.stderr.contains("does not answer as omnigraph-server does"), "{}", failed.stderr);
    let silent = Stub::start("");
    let failed = place.run(&format!("omnigraph branch list {}", silent.url));
    assert_eq!(failed.code, Some(1));
    assert!(failed.stderr.contains("ended the connection without an answer"), "{}", failed.stderr);
}

/// What came is printed, and the exit code says that it is not all.
#[test]
fn a_stream_that_is_cut_off() {
    let place = Place::new();
    let line = "{\"type\":\"Person\",\"data\":{\"name\":\"Alice\"}}\n";
    let (length, head) = (line.len(), "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n");
    let whole =
        Stub::start(&format!("{head}Transfer-Encoding: chunked\r\n\r\n{length:x}\r\n{line}\r\n0\r\n\r\n"));
    assert_eq!(place.run(&format!("omnigraph export {}", whole.url)).success(), line);
    for answer in [
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{length:x}\r\n{line}\r\n"),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{length:x}\r\n{line}\r\nff\r\nabc"),
        format!("{head}Content-Length: {}\r\n\r\n{line}", length + 100),
    ] {
        let stub = Stub::start(&answer);
        for command in ["export", "diff main work --format jsonl"] {
            let failed = place.run(&format!("omnigraph {command} {}", stub.url));
            assert_eq!(failed.code, Some(1), "{answer}");
            assert!(failed.stdout.starts_with(line), "{}", failed.stdout);
            let said = format!("error: the answer of {} broke off: the connection ended\n", stub.url);
            assert!(failed.stderr.starts_with(&said), "{}", failed.stderr);
        }
    }
    let endless = Stub::start(&format!("{head}Connection: close\r\n\r\n{line}"));
    let failed = place.run(&format!("omnigraph export {}", endless.url));
    assert_eq!(
        (failed.code, failed.stdout.as_str()),
        (Some(1), ""),
        "nobody could tell a part from the whole"
    );
    let document =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"branches\":[]}";
    let failed = place.run(&format!("omnigraph branch list {}", Stub::start(document).url));
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""));
    assert!(failed.stderr.contains("broke off"), "{}", failed.stderr);
}

#[test]
fn a_redirect_gets_no_token() {
    let mut place = Place::new();
    place.set("OMNIGRAPH_BEARER_TOKEN", "tok-secret");
    let thief = Stub::start("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let stub = Stub::start(&format!(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: {}/branches\r\nContent-Length: 0\r\n\r\n",
        thief.url
    ));
    for command in
        ["branch list", "export", "load --data seed.jsonl --mode merge", "branch delete x", "doctor"]
    {
        let failed = place.run(&format!("omnigraph {command} {}", stub.url));
        assert_eq!(failed.code, Some(1), "{command}");
        let said = format!("{}{}", failed.stdout, failed.stderr);
        assert!(said.contains(&format!("{} sends us to {}/branches", stub.url, thief.url)), "{said}");
        assert!(!said.contains("tok-secret"), "{said}");
    }
    assert!(stub.asked().iter().any(|head| head.contains("tok-secret")), "where it belongs");
    assert_eq!(thief.asked(), Vec::<String>::new());
}

#[test]
fn a_certificate_that_nobody_trusts() {
    let mut place = Place::loaded();
    place.write("tls.pem", include_str!("fixture/tls.pem"));
    place.write("tls.key", include_str!("fixture/tls.key"));
    let server = Served::start(&place, &["g.omni", "--tls-cert", "tls.pem", "--tls-key", "tls.key"], &[]);
    assert!(server.url.starts_with("https://"), "{}", server.url);
    let failed = place.run(&format!("{READ} {}", server.url));
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""));
    let said = format!("error: cannot reach {}: its certificate is not trusted", server.url);
    assert!(failed.stderr.starts_with(&said) && failed.stderr.contains("SSL_CERT_FILE"), "{}", failed.stderr);
    assert_eq!(
        place.run(&format!("omnigraph snapshot --json {}", server.url)).error()["code"],
        "unreachable"
    );
    let plain = server.url.replace("https://", "http://");
    assert_eq!(place.run(&format!("omnigraph snapshot {plain}")).code, Some(1), "no TLS is spoken");
    place.set("SSL_CERT_FILE", "tls.pem");
    assert_eq!(place.run(&format!("{READ} {}", server.url)).success(), "p.name,p.age\nCharlie,35\n");
    place.write("empty.pem", "nothing\n");
    place.set("SSL_CERT_FILE", "empty.pem");
    let failed = place.run(&format!("{READ} {}", server.url));
    assert!(failed.stderr.starts_with("error: empty.pem has no certificate"), "{}", failed.stderr);
}

const TOKENS: &str = r#"{"ann":"tok-ann","bob":"tok-bob","cid":"tok-cid"}"#;

/// Who the server takes the caller of a line for.
fn caller(place: &Place, line: &str) -> String {
    let reply = place.json(&format!("{line} --json"));
    reply["actor_id"].as_str().expect("an actor").to_owned()
}

#[test]
fn the_token_says_who_asks() {
    let mut place = Place::loaded();
    let server = Served::start(&place, &["g.omni"], &[("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", TOKENS)]);
    let url = &server.url;
    let named = format!(
        "graphs:\n  mine: {{ uri: \"{url}/\", bearer_token_env: MINE }}\n  plain: {{ uri: \"{url}/graphs/g\" }}\n\
         auth: {{ env_file: ./.env.omni }}\n"
    );
    place.write("omnigraph.yaml", &named);
    let merge = "omnigraph branch merge main";
    let none = place.run(&format!("{merge} {url}"));
    let hint =
        "hint: no token was sent: set MINE or OMNIGRAPH_BEARER_TOKEN in the environment or in ./.env.omni\n";
    assert_eq!(none.stderr, format!("error: a bearer token that this server knows is needed\n{hint}"));
    assert_eq!(none.code, Some(1));
    let failed = place.run(&format!("{merge} --json {url}/graphs/g")).error();
    assert_eq!(failed["code"], "unauthorized");
    place.write(".env.omni", "# tokens\nexport OMNIGRAPH_BEARER_TOKEN='tok-cid'\n");
    assert_eq!(caller(&place, &format!("{merge} {url}")), "cid");
    place.write(".env.omni", "OMNIGRAPH_BEARER_TOKEN=tok-cid\nMINE=\"tok-bob\" # mine\n");
    assert_eq!(caller(&place, &format!("{merge} {url}")), "bob", "the address leads to the graph's variable");
    assert_eq!(caller(&place, &format!("{merge} --target plain")), "cid");
    place.set("OMNIGRAPH_BEARER_TOKEN", "tok-ann");
    assert_eq!(
        caller(&place, &format!("{merge} --target mine")),
        "ann",
        "the environment is before the file"
    );
    place.set("MINE", "tok-bob");
    assert_eq!(
        caller(&place, &format!("{merge} --target mine")),
        "bob",
        "the graph's own is before that of all"
    );
    assert_eq!(caller(&place, &format!("{merge} --target plain")), "ann");
    place.set("OMNIGRAPH_ACTOR", "somebody");
    assert_eq!(caller(&place, &format!("{merge} --target plain")), "ann", "what else is set is not asked");
    let typed = place.run(&format!("{merge} --actor somebody {url}"));
    assert_eq!(typed.code, Some(2));
    let said =
        "error: --actor is for graphs whose files are here\nhint: a server knows by the token who asks\n";
    assert_eq!(typed.stderr, said);
    place.set("MINE", "tok-unknown");
    let wrong = place.run(&format!("{merge} {url}"));
    assert!(
        wrong.stderr.contains("hint: the token of MINE was sent, and the server does not know it"),
        "{}",
        wrong.stderr
    );
    assert!(!wrong.stderr.contains("tok-"), "{}", wrong.stderr);
    let sick = place.run(&format!("omnigraph doctor {url}"));
    assert_eq!(sick.code, Some(1));
    assert!(sick.stdout.contains("failed token") && !sick.stdout.contains("tok-"), "{}", sick.stdout);
}

/// A caller who is refused learns it, also when there is much to send.
#[test]
fn a_long_load_is_refused_at_once_and_else_arrives() {
    let mut place = Place::loaded();
    let server = Served::start(&place, &["g.omni"], &[("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", TOKENS)]);
    let person = |number: u32| {
        format!(
            "{{\"type\":\"Person\",\"data\":{{\"name\":\"person {number:0>200}\",\"age\":{}}}}}\n",
            number % 90
        )
    };
    place.write("many.jsonl", &(0..40_000).map(person).collect::<String>());
    let load = format!("omnigraph load --data many.jsonl --mode append {}", server.url);
    let refused = place.run(&load);
    assert!(
        refused.stderr.starts_with("error: a bearer token that this server knows is needed"),
        "{}",
        refused.stderr
    );
    place.set("OMNIGRAPH_BEARER_TOKEN", "tok-ann");
    let reply = place.run(&load).success();
    assert!(
        reply.starts_with("loaded 40000 nodes of 1 type and 0 edges of 0 types into branch main of http://"),
        "{reply}"
    );
    let piped = place.run(&format!(
        "mkfifo pipe; cat seed.jsonl > pipe & omnigraph load --data pipe --format jsonl --mode merge {}",
        server.url
    ));
    assert!(piped.success().starts_with("loaded 6 nodes"));
    let gone =
        place.run(&format!("{{ omnigraph export {}; echo \"exit code $?\" >&2; }} | head -n 1", server.url));
    assert_eq!((gone.stderr.as_str(), gone.stdout.lines().count()), ("exit code 0\n", 1));
    let count = format!("omnigraph export {} | wc -l", server.url);
    assert_eq!(place.run(&count).success().trim(), "40011");
}

const POLICY: &str = "version: 1
groups: { team: [ann], admins: [bob] }
protected_branches: [main]
rules:
  - { id: team-reads, allow: { actors: { group: team }, actions: [read], branch_scope: any } }
  - { id: admins-look, allow: { actors: { group: admins }, actions: [admin] } }
";

#[test]
fn what_the_policy_denies_is_a_failure_with_its_reason() {
    let mut place = Place::loaded();
    place.write("policy.yaml", POLICY);
    let server = Served::start(
        &place,
        &["g.omni", "--policy", "policy.yaml"],
        &[("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", TOKENS)],
    );
    place.set("OMNIGRAPH_BEARER_TOKEN", "tok-ann");
    let url = &server.url;
    assert_eq!(place.run(&format!("{READ} {url}")).success(), "p.name,p.age\nCharlie,35\n");
    for command in [
        "export",
        "load --data seed.jsonl --mode merge",
        "change --query queries.gq --name remove_person --params '{\"name\":\"Bob\"}'",
        "branch create work",
        "schema apply --schema schema.pg",
        "cleanup --keep 1",
        "fsck",
    ] {
        let error = place.run(&format!("omnigraph {command} --json {url}")).error();
        assert_eq!(error["code"], "forbidden", "{command}: {error}");
    }
    let doctor = place.run(&format!("omnigraph doctor {url}"));
    assert_eq!(doctor.code, Some(0), "{}", doctor.stdout);
    assert!(doctor.stdout.contains("let in with the token of OMNIGRAPH_BEARER_TOKEN"), "{}", doctor.stdout);
    assert!(doctor.stdout.contains("note   graph"), "{}", doctor.stdout);
}

#[test]
fn the_doctor_and_init_know_servers() {
    let place = Place::loaded();
    let server = Served::start(&place, &["g.omni"], &[]);
    let here = place.json("omnigraph doctor --json g.omni");
    let there = place.json(&format!("omnigraph doctor --json {}/graphs/g/", server.url));
    let names = |reply: &Value| -> Vec<String> {
        let checks = reply["checks"].as_array().expect("checks").iter();
        checks.map(|check| check["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(&there)[..4], ["version", "server", "token", "its version"]);
    assert_eq!(names(&there)[4..], names(&here)[1..]);
    assert_eq!(
        there["checks"].as_array().expect("checks")[5..],
        here["checks"].as_array().expect("checks")[2..]
    );
    assert_eq!((&there["ok"], &there["uri"]), (&true.into(), &format!("{}/graphs/g/", server.url).into()));
    let version = env!("CARGO_PKG_VERSION");
    let detail = there["checks"][1]["detail"].as_str().expect("text");
    assert!(detail.ends_with(&format!(": omnigraph-server {version}")), "{detail}");
    let wrong = place.run(&format!("omnigraph doctor {}/graphs/nothing", server.url));
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stdout.contains("this server has no graph `nothing`"), "{}", wrong.stdout);
    let init = place.run(&format!("omnigraph init --schema schema.pg {}", server.url));
    assert_eq!(init.code, Some(1));
    assert!(init.stderr.contains("hint: a server serves graphs that exist"), "{}", init.stderr);
}

#[test]
fn damage_is_reported_by_a_server_too() {
    let place = Place::loaded();
    let server = Served::start(&place, &["g.omni"], &[]);
    let snapshot = place.json("omnigraph snapshot --json g.omni");
    let path = snapshot["tables"][1]["table_path"].as_str().expect("a path");
    let data = place.path("g.omni").join(path).join("data");
    let file = std::fs::read_dir(data).expect("a table").next().expect("a file").expect("a name").path();
    std::fs::remove_file(file).expect("it was there");
    for json in ["", "--json "] {
        let here = place.run(&format!("omnigraph fsck {json}g.omni"));
        let there = place.run(&format!("omnigraph fsck {json}{}", server.url));
        assert_eq!((here.code, there.code), (Some(1), Some(1)));
        assert!(here.stdout.contains("is missing or empty"), "{}", here.stdout);
        assert_eq!(here.stdout, there.stdout.replace(&server.url, "g.omni"));
        assert_eq!((here.stderr.as_str(), there.stderr.as_str()), ("", ""));
    }
}

/// A configuration can say nothing where the command line cannot: what is said must not get lost on the way.
#[test]
fn an_empty_name_is_not_main() {
    let place = Place::loaded();
    let server = Served::start(&place, &["g.omni"], &[]);
    place.write("omnigraph.yaml", "cli: { branch: '' }\n");
    for command in ["load --data seed.jsonl --mode overwrite", "snapshot", "export", "commit list"] {
        let failed = place.run(&format!("omnigraph {command} {}", server.url));
        assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""), "{command}: {}", failed.stderr);
    }
}

/// What tools answer, one after the other.
fn agent(place: &Place, uri: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let mut command = place.shell(&format!("omnigraph mcp {uri}"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |id: usize, method: &str, params: Value| -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(to, "{request}").expect("it listens");
        let line = from.next().expect("an answer").expect("text");
        if method == "initialize" {
            writeln!(to, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
                .expect("it listens");
        }
        serde_json::from_str(&line).expect("JSON")
    };
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let mut answers = vec![ask(0, "initialize", hello), ask(1, "tools/list", json!({}))];
    for (at, (name, arguments)) in calls.iter().enumerate() {
        answers.push(ask(at + 2, "tools/call", json!({"name": name, "arguments": arguments})));
    }
    drop(to);
    assert!(child.wait().expect("it ends").success());
    answers
}

#[test]
fn an_agent_sees_the_same_graph_in_both_places() {
    let (mut here, mut there) = (Place::loaded(), Place::loaded());
    for place in [&here, &there] {
        let config = std::fs::read_to_string(place.path("omnigraph.yaml")).expect("a configuration");
        place.write("omnigraph.yaml", &config.replace("roots: [.]", "publish: [queries.gq]"));
    }
    let server = Served::start(&there, &["g.omni"], &[("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", TOKENS)]);
    there.set("OMNIGRAPH_BEARER_TOKEN", "tok-ann");
    here.set("OMNIGRAPH_ACTOR", "ann");
    let query = "query q() { match { $p: Person } return { $p.name, $p.age } order { $p.name } }";
    let calls = [
        ("schema", json!({})),
        ("query", json!({"query": query})),
        ("query", json!({"query": "query q() { match { $p: Persn } return { $p.name } }"})),
        ("branch_create", json!({"name": "work/1"})),
        ("friends_of", json!({"name": "Alice"})),
        ("set_age", json!({"name": "Alice", "age": 77, "on_branch": "work/1"})),
        ("diff", json!({"from": "main", "to": "work/1", "rows": true})),
        ("branch_merge", json!({"source": "work/1"})),
        ("entity", json!({"type": "Person", "id": "Alice"})),
        ("branch_delete", json!({"name": "work/1"})),
        ("branches", json!({})),
        ("commits", json!({"limit": 2})),
        ("query", json!({"query": query, "branch": "work/1"})),
    ];
    let without_chance = |place: &Place, uri: &str| -> Vec<String> {
        let id = regex::Regex::new("01[0-9A-HJKMNP-TV-Z]{24}").expect("a pattern");
        let number = regex::Regex::new(r"\d{15,20}").expect("a pattern");
        let local =
            agent(place, uri, &calls).into_iter().map(|answer| answer.to_string().replace(uri, "<graph>"));
        local.map(|text| number.replace_all(&id.replace_all(&text, "<id>"), "<n>").into_owned()).collect()
    };
    let (local, remote) = (without_chance(&here, "g.omni"), without_chance(&there, &server.url));
    assert_eq!(local, remote);
    assert!(local[1].contains("\"friends_of\""), "saved queries are tools: {}", local[1]);
    assert!(local[10].contains("77"), "{}", local[10]);
    assert!(local[13].contains("\\\"actor_id\\\":\\\"ann\\\""), "{}", local[13]);
    assert!(local[14].contains("no branch"), "{}", local[14]);
}

#[test]
fn graphs_are_listed_by_a_server_and_by_the_configuration() {
    let mut place = Place::loaded();
    place.run("omnigraph init --schema schema.pg other.omni").success();
    place.write(
        "omnigraph.yaml",
        "graphs:\n  team: { uri: ./g.omni }\n  spare: { uri: ./other.omni }\ncli: { graph: team }\nserver: { graph: team }\n",
    );
    let named = place.run("omnigraph graph list").success();
    assert!(named.starts_with("spare  ") && named.contains("other.omni\nteam  "), "{named}");
    assert!(named.ends_with("g.omni  default\n"), "{named}");
    assert_eq!(place.json("omnigraph graphs list --json")["graphs"][1]["is_default"], true);
    let server = Served::start(&place, &[], &[("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", TOKENS)]);
    let line = format!("omnigraph graph list {}", server.url);
    assert_eq!(place.run(&format!("{line} --json")).error()["code"], "unauthorized");
    place.set("OMNIGRAPH_BEARER_TOKEN", "tok-ann");
    assert_eq!(place.run(&line).success(), "spare\nteam  default\n");
    assert_eq!(place.json(&format!("{line} --json"))["graphs"][0]["name"], "spare");
    let files = place.run("omnigraph graph list ./g.omni");
    assert_eq!(files.code, Some(2));
    assert!(files.stderr.contains("is not the address of a server"), "{}", files.stderr);
}
