//! What is exported can be loaded, and is the same.

use crate::program::Place;

const SCHEMA: &str = r#"
node Thing {
  slug: String @key
  flag: Bool?
  small: I32?
  large: I64?
  count: U64?
  ratio: F64?
  rough: F32?
  day: Date?
  moment: DateTime?
  kind: enum(red, green)?
  tags: [String]?
  days: [Date]?
  where: Vector(3)?
  bytes: Blob?
}
node Note {
  text: String
}
edge About: Note -> Thing {
  weight: F64?
}
edge Likes: Thing -> Thing {
  year: I32
  @key(year)
}
"#;

const DATA: &str = r#"// every type, and what is hard to write
{"type":"Thing","data":{"slug":"full","flag":true,"small":-7,"large":"9223372036854775807","count":"18446744073709551615","ratio":1e300,"rough":0.1,"day":"1969-12-31","moment":"2026-11-15T12:34:56.789Z","kind":"red","tags":["a\"b","line\nend","ü",""],"days":["2020-02-29"],"where":[0.1,-2.5,3.0],"bytes":"base64:AAEC/w=="}}
{"type":"Thing","data":{"slug":"empty"}}
{"type":"Thing","data":{"slug":"quo\"te \\ 日本 \u0001","tags":[]}}
{"type":"Note","data":{"id":"note-1","text":"with an id of its own"}}
{"type":"Note","data":{"text":"with a random one"}}
{"edge":"About","from":"note-1","to":"full","data":{"weight":0.5}}
{"edge":"About","from":"note-1","to":"empty"}
{"edge":"Likes","from":"full","to":"empty","data":{"year":2020}}
{"edge":"Likes","from":"full","to":"empty","data":{"year":2021}}
{"edge":"Likes","from":"full","to":"full","data":{"year":2020}}
"#;

#[test]
fn export_load_export_is_the_same() {
    let place = Place::new();
    place.write("all.pg", SCHEMA);
    place.write("all.jsonl", DATA);
    place.run("omnigraph init --schema all.pg a.omni").success();
    place.run("omnigraph load --data all.jsonl --mode overwrite a.omni").success();
    let first = place.run("omnigraph export a.omni").success();
    assert_eq!(first.lines().count(), 10);
    assert!(first.contains(r#""large":"9223372036854775807","count":"18446744073709551615""#), "{first}");
    assert!(first.contains(r#""day":"1969-12-31","moment":"2026-11-15T12:34:56.789Z""#), "{first}");
    place.write("exported.jsonl", &first);
    place.run("omnigraph init --schema all.pg b.omni").success();
    place.run("omnigraph load --data exported.jsonl --mode append b.omni").success();
    assert_eq!(place.run("omnigraph export b.omni").success(), first);
    let again = place.json("omnigraph load --data exported.jsonl --mode merge --json a.omni");
    assert_eq!(again["committed"], false, "what is exported changes nothing: {again}");
}

#[test]
fn the_same_file_twice_changes_nothing() {
    let place = Place::loaded();
    let before = place.json("omnigraph snapshot --json g.omni");
    let again = place.json("omnigraph load --data seed.jsonl --mode merge --json g.omni");
    assert_eq!(again["committed"], false);
    assert_eq!(again["graph_commit_id"], before["graph_commit_id"]);
    assert_eq!(place.json("omnigraph snapshot --json g.omni"), before);
}

/// Nodes before edges, so that what is exported can be read in one pass by anybody.
#[test]
fn parts_can_be_exported() {
    let place = Place::loaded();
    let kinds = |line: &str| -> Vec<String> {
        let out = place.run(line).success();
        out.lines().map(|line| line.split('"').nth(3).expect("a type").to_owned()).collect()
    };
    let all = kinds("omnigraph export g.omni");
    let first_edge = all.iter().position(|kind| kind == "Knows").expect("edges");
    assert!(all[..first_edge].iter().all(|kind| kind == "Person" || kind == "Company"));
    assert_eq!(kinds("omnigraph export --type Company g.omni"), ["Company", "Company"]);
    assert_eq!(kinds("omnigraph export --table edge:WorksAt g.omni"), ["WorksAt", "WorksAt"]);
    assert_eq!(kinds("omnigraph export --type Company --type WorksAt g.omni").len(), 4);
    let unknown = place.run("omnigraph export --type Compny --json g.omni").error();
    assert_eq!(unknown["message"], "the graph has no type `Compny`; did you mean `Company`?");
}

#[test]
fn an_old_state_can_be_exported() {
    let place = Place::loaded();
    let before = place.run("omnigraph export g.omni").success();
    place
        .run(r#"omnigraph change --query queries.gq --name remove_person --params '{"name":"Alice"}' g.omni"#)
        .success();
    assert_ne!(place.run("omnigraph export g.omni").success(), before);
    assert_eq!(place.run("omnigraph export --snapshot manifest:main:v2 g.omni").success(), before);
}
