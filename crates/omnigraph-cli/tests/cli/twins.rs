//! Two graphs that are alike: the files of one are here, the other is that of a server. The same lines are run on both,
//! in the same order, and everything that is printed must be the same.

use crate::program::{Outcome, Place};
use crate::served::Served;
use regex::{Captures, Regex};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Who writes, where somebody does.
const ACTOR: &str = "act-a";
const TOKEN: &str = "tok-of-act-a";

/// All kinds of values.
const TYPES: &str = "node Thing {
  name: String @key
  flag: Bool?
  small: I32?
  big: I64?
  count: U32?
  huge: U64?
  single: F32?
  double: F64?
  day: Date?
  moment: DateTime?
  state: enum(open, in-progress)?
  tags: [String]?
  numbers: [F64]?
  days: [Date]?
  near: Vector(3)?
  bytes: Blob?
}
edge Beside: Thing -> Thing
";

const THINGS: &str = r#"{"type":"Thing","data":{"name":"a, \"b\"\nc","flag":true,"small":-1,"big":"-9223372036854775808","count":4294967295,"huge":"18446744073709551615","single":0.1,"double":0.30000000000000004,"day":"2024-02-29","moment":"2024-02-29T12:34:56.789Z","state":"in-progress","tags":["x","y, z"],"numbers":[1.5,-2e300],"days":["1969-12-31"],"near":[0.1,0.2,0.3]}}
{"type":"Thing","data":{"name":"empty"}}
{"type":"Thing","data":{"name":"ünï 🦀","flag":false,"big":9007199254740993,"double":1e-7,"tags":[],"bytes":"base64:AAEC/w=="}}
{"edge":"Beside","from":"empty","to":"ünï 🦀"}
"#;

const ALL: &str = "query all() {
  match { $t: Thing }
  return { $t.name, $t.flag, $t.small, $t.big, $t.count, $t.huge, $t.single, $t.double, $t.day, $t.moment, $t.state, $t.tags, $t.numbers, $t.days, $t.near }
  order { $t.name }
}
query counted() { match { $t: Thing } return { count($t) as things, max($t.huge) as most } }
query none() { match { $t: Thing { name: \"nobody\" } } return { $t.name, $t.huge, $t.tags } }
";

const POLICY: &str = "version: 1
groups: { team: [act-a] }
protected_branches: [main]
rules:
  - { id: r1, allow: { actors: { group: team }, actions: [read, export], branch_scope: any } }
";

const CASES: &str = "version: 1
cases:
  - { id: team-reads, actor: act-a, action: read, branch: main, expect: allow }
";

/// The two.
pub(crate) struct Twins {
    here: Side,
    there: Side,
    with_actor: bool,
    /// What was not the same, or not as it was expected.
    wrong: String,
    _server: Served,
}

struct Side {
    place: Place,
    /// `{G}` and `{T}`: four people and two companies; things with values of all kinds.
    graphs: [String; 2],
    /// In the order in which they were seen first.
    ids: Vec<String>,
    /// `{name}` of lines, as this side knows it.
    kept: BTreeMap<String, String>,
}

impl Twins {
    /// With the rows of the fixture; in somebody's name, or in nobody's.
    pub(crate) fn new(with_actor: bool) -> Twins {
        let (here, mut there) = (made(), made());
        let tokens = format!(r#"{{"{ACTOR}":"{TOKEN}"}}"#);
        let env = [("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", tokens.as_str())];
        let server = Served::start(&there, &["--config", "server.yaml"], if with_actor { &env } else { &[] });
        if with_actor {
            there.set("OMNIGRAPH_BEARER_TOKEN", TOKEN);
            there.set("OMNIGRAPH_ACTOR", "nobody-listens");
        }
        let here = Side::new(here, ["g.omni".to_owned(), "t.omni".to_owned()]);
        let there = Side::new(there, [server.url.clone(), format!("{}/graphs/types/", server.url)]);
        Twins { here, there, with_actor, wrong: String::new(), _server: server }
    }

    /// Runs lines on both sides. One that begins with `! ` must fail; `keep NAME /POINTER: LINE` keeps a member of a
    /// document as `{NAME}` for the lines behind it.
    pub(crate) fn run(&mut self, lines: &[String]) {
        for line in lines {
            if let Some(keep) = line.strip_prefix("keep ") {
                self.keep(keep);
            } else {
                self.both(line);
            }
        }
    }

    fn keep(&mut self, line: &str) {
        let (head, line) = line.split_once(": ").expect("a line behind the name");
        let (name, pointer) = head.split_once(' ').expect("a pointer behind the name");
        let actor = self.with_actor.then_some(ACTOR);
        for (side, actor) in [(&mut self.here, actor), (&mut self.there, None)] {
            let outcome = side.run(line, actor);
            let document: serde_json::Value =
                serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{line}: {outcome:?}"));
            let value = document.pointer(pointer).unwrap_or_else(|| panic!("{line}: {document}"));
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            side.kept.insert(name.to_owned(), text);
        }
    }

    fn both(&mut self, line: &str) {
        let (line, must_fail) = line.strip_prefix("! ").map_or((line, false), |line| (line, true));
        let actor = self.with_actor.then_some(ACTOR);
        let outcome = self.here.run(line, actor);
        let has_failed = outcome.code != Some(0);
        let here = self.here.seen(&outcome);
        let outcome = self.there.run(line, None);
        let there = self.there.seen(&outcome);
        if has_failed != must_fail {
            let _ = writeln!(self.wrong, "$ {line}\n--- was not expected\n{here}");
        }
        if here != there {
            let _ = writeln!(self.wrong, "$ {line}\n--- here\n{here}--- on a server\n{there}");
        }
    }

    /// Says everything that was wrong.
    pub(crate) fn finish(self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong);
    }
}

impl Side {
    fn new(place: Place, graphs: [String; 2]) -> Side {
        let side = Side { place, graphs, ids: Vec::new(), kept: BTreeMap::new() };
        let config = "graphs:\n  team: { uri: \"{G}\" }\n  types: { uri: \"{T}\" }\ncli: { graph: team }\nquery: { roots: [.] }\n\
            aliases:\n  friends: { command: read, query: queries.gq, name: friends_of, args: [name], format: csv }\n\
            \x20 hire: { command: change, query: queries.gq, name: insert_person, args: [name, age], branch: work }\n";
        side.place.write("omnigraph.yaml", &side.filled(config));
        side
    }

    fn filled(&self, line: &str) -> String {
        let mut line = line.replace("{G}", &self.graphs[0]).replace("{T}", &self.graphs[1]);
        for (name, value) in &self.kept {
            line = line.replace(&format!("{{{name}}}"), value);
        }
        line
    }

    fn run(&self, line: &str, actor: Option<&str>) -> Outcome {
        let mut line = self.filled(line);
        if let Some(actor) = actor {
            line = line.replace("omnigraph ", &format!("omnigraph --actor {actor} "));
        }
        self.place.run(&line)
    }

    /// Everything that was printed, without what chance decides; ids are numbered as they come.
    fn seen(&mut self, outcome: &Outcome) -> String {
        let Outcome { code, stdout, stderr } = outcome;
        let text = format!("{stdout}{stderr}[exit code {code:?}]\n");
        let [graph, types] = &self.graphs;
        let mut text = text.replace(&self.place.path("").display().to_string(), "<dir>/");
        for (name, place) in [("<types>", types), ("<graph>", graph)] {
            text = text.replace(&format!("./{place}"), name).replace(place, name);
        }
        for (pattern, name) in [
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "<time>"),
            (r"tables/[0-9A-Z]{16}", "tables/<dir>"),
            (r"version \d{15,20}", "version <version>"),
            (r#""table_version": ("\d{15,20}"|\d+)"#, "\"table_version\": <version>"),
            (r#""(created_at|updated_at)": ?\d{16}"#, "<at>"),
            (r"\d+\.\d{3} ms", "<n> ms"),
            (r"\d+\.\d [KMGT]iB|\b\d+ B\b", "<size>"),
            (r#""bytes_(removed|waiting)": \d+"#, "<size>"),
        ] {
            text = Regex::new(pattern).expect("a pattern").replace_all(&text, name).into_owned();
        }
        let id = Regex::new("01[0-9A-HJKMNP-TV-Z]{24}").expect("a pattern");
        let ids = &mut self.ids;
        let numbered = |found: &Captures<'_>| {
            let at = ids.iter().position(|id| *id == found[0]).unwrap_or_else(|| {
                ids.push(found[0].to_owned());
                ids.len() - 1
            });
            format!("<id {at}>")
        };
        id.replace_all(&text, numbered).into_owned()
    }
}

/// The files, and the two graphs.
fn made() -> Place {
    let mut place = Place::loaded();
    place.set("OMNIGRAPH_EMBEDDINGS_MOCK", "1");
    place.write("types.pg", TYPES);
    place.write("things.jsonl", THINGS);
    place.write("all.gq", ALL);
    place.write("more.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Frank\",\"age\":50}}\n");
    place.write("gone.jsonl", "{\"delete\":\"Person\",\"id\":\"Frank\"}\n");
    place.write("bad.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Zed\",\"age\":\"old\"}}\nno JSON\n");
    place.write("people.csv", "name,age\nGina,41\nHal,\n");
    place.write("params.json", "{\"name\":\"Bob\"}");
    place.write("wrong.gq", "query q() {\n  match { $p: Person  $p knws $f }\n  return { $f.name }\n}\n");
    place.write("broken.gq", "query q( {\n");
    place.write("one.gq", "query one() { match { $p: Person } return { $p.name } order { $p.name } }\n");
    place.write(
        "server.yaml",
        "graphs:\n  team: { uri: ./g.omni }\n  types: { uri: ./t.omni }\nserver: { graph: team }\n",
    );
    place.write("policy.yaml", POLICY);
    place.write("policy.tests.yaml", CASES);
    place.write("raw.jsonl", "{\"type\":\"Doc\",\"data\":{\"slug\":\"a\",\"text\":\"ship\"}}\n");
    place.write("spec.json", r#"{"dimension": 3, "types": {"Doc": {"target": "near", "fields": ["text"]}}}"#);
    place.write(
        "seed.yaml",
        "sources: { raw_seed: ./raw.jsonl }\nartifacts: { embedded_seed: ./out.jsonl }\n\
         embeddings: { dimension: 3, types: { Doc: { target: near, fields: [text] } } }\n",
    );
    let schema = crate::program::SCHEMA;
    place.write(
        "next.pg",
        &schema.replace("age: I32?", "years: I64? @rename_from(age)\n  level: I32 @default(1)"),
    );
    place.write("stricter.pg", &schema.replace("age: I32?", "age: I32?\n  @range(age, 0..26)"));
    place.write("drop.pg", &schema.replace("  age: I32?\n", ""));
    place.write("other.pg", &schema.replace("age: I32?", "age: String?"));
    place.write("broken.pg", "node Person {\n  name: Strin @key\n}\n");
    place.run("omnigraph init --schema types.pg t.omni").success();
    place.run("omnigraph load --data things.jsonl --mode append t.omni").success();
    std::fs::remove_file(place.path("omnigraph.yaml")).expect("init wrote one");
    place
}
