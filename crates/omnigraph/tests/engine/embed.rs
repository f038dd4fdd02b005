//! Embeddings: providers, patience, cache, ingest, files.

use super::server::{Answer, Request, Server};
use super::{catalog, node};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use expect_test::expect;
use omnigraph::Error;
use omnigraph::embed::{
    Cached, EmbedJob, EmbedMode, EmbedSpec, Embedder, Gemini, HttpOptions, Mock, OpenAi, Selector, Task,
    fill, from_settings, run,
};
use omnigraph::rows::{Cell, RowBuilder, Ulids};
use serde_json::json;
use std::time::Duration;

fn quick() -> HttpOptions {
    HttpOptions { timeout: Duration::from_secs(20), attempts: 3, backoff: Duration::from_millis(1) }
}

/// The vector (n, 1) for a text of n letters.
fn vector(text: &serde_json::Value) -> [usize; 2] {
    [text.as_str().unwrap().len(), 1]
}

fn openai(_: usize, request: &Request) -> Answer {
    let inputs = request.body["input"].as_array().unwrap();
    // In reverse, as the protocol allows.
    let data: Vec<_> = inputs
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| json!({ "index": index, "embedding": vector(text) }))
        .collect();
    (200, "", json!({ "data": data }).to_string())
}

fn unit(x: f32) -> [f32; 2] {
    let length = (x * x + 1.0).sqrt();
    [x / length, 1.0 / length]
}

#[test]
fn openai_servers_are_asked_in_batches() {
    let server = Server::start(openai);
    let client = OpenAi::new(&format!("{}/v1/", server.url), "small", Some("secret".into()), quick());
    let texts: Vec<String> = (0..300).map(|at| "x".repeat(at % 7 + 1)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = client.embed(&texts, Task::Document, 2).unwrap();
    for (text, vector) in texts.iter().zip(&vectors) {
        assert!((vector[0] - unit(text.len() as f32)[0]).abs() < 1e-6);
    }
    let requests = server.requests();
    let inputs = |request: &Request| request.body["input"].as_array().unwrap().len();
    let mut sizes: Vec<usize> = requests.iter().map(inputs).collect();
    sizes.sort_unstable(); // batches are asked for at the same time
    assert_eq!(sizes, [44, 128, 128]);
    assert_eq!(requests[0].path, "/v1/embeddings");
    assert_eq!(requests[0].header("authorization"), Some("Bearer secret"));
    assert_eq!((&requests[0].body["model"], &requests[0].body["dimensions"]), (&json!("small"), &json!(2)));
    assert!(!format!("{client:?}").contains("secret"));
}

#[test]
fn one_refused_batch_refuses_all() {
    let server = Server::start(|_, request| {
        let is_bad = request.body["input"].as_array().unwrap().iter().any(|text| text == "bad");
        if is_bad { (400, "", json!({ "error": "no" }).to_string()) } else { openai(0, request) }
    });
    let client = OpenAi::new(&server.url, "m", None, quick());
    let mut texts = vec!["good"; 2000];
    texts[300] = "bad";
    let error = client.embed(&texts, Task::Document, 2).unwrap_err().to_string();
    assert!(error.ends_with("/embeddings answered 400: no"), "{error}");
    assert!(server.requests().len() < 16);
}

#[test]
fn gemini_is_told_the_task() {
    let server = Server::start(|_, request| {
        let requests = request.body["requests"].as_array().unwrap();
        let made = requests
            .iter()
            .map(|request| json!({ "values": vector(&request["content"]["parts"][0]["text"]) }));
        (200, "", json!({ "embeddings": made.collect::<Vec<_>>() }).to_string())
    });
    let client = Gemini::new(&server.url, "g1", "key".into(), quick());
    let vectors = client.embed(&["abc", "a"], Task::Query, 2).unwrap();
    assert!((vectors[0][0] - unit(3.0)[0]).abs() < 1e-6 && (vectors[1][0] - unit(1.0)[0]).abs() < 1e-6);
    let requests = server.requests();
    assert_eq!(requests[0].path, "/models/g1:batchEmbedContents");
    assert_eq!(requests[0].header("x-goog-api-key"), Some("key"));
    let first = &requests[0].body["requests"][0];
    assert_eq!(
        (&first["taskType"], &first["outputDimensionality"], &first["model"]),
        (&json!("RETRIEVAL_QUERY"), &json!(2), &json!("models/g1"))
    );
}

#[test]
fn what_may_pass_is_tried_again() {
    let server = Server::start(|number, request| match number {
        0 => (503, "", "busy".into()),
        1 => (429, "retry-after: 0\r\n", "{}".into()),
        _ => openai(number, request),
    });
    let client = OpenAi::new(&server.url, "m", None, quick());
    assert_eq!(client.embed(&["ab"], Task::Document, 2).unwrap().len(), 1);
    assert_eq!(server.requests().len(), 3);
    assert_eq!(server.requests()[0].header("authorization"), None);

    let server = Server::start(|_, _| (500, "", json!({ "error": { "message": "on fire" } }).to_string()));
    let client = OpenAi::new(&server.url, "m", None, quick());
    let Err(Error::Embedding { message, retryable: true }) = client.embed(&["ab"], Task::Document, 2) else {
        panic!()
    };
    assert!(message.ends_with("/embeddings answered 500: on fire"), "{message}");
    assert_eq!(server.requests().len(), 3);

    let server = Server::start(|_, _| (0, "", String::new()));
    let client = OpenAi::new(&server.url, "m", None, quick());
    assert!(matches!(
        client.embed(&["ab"], Task::Document, 2),
        Err(Error::Embedding { retryable: true, .. })
    ));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn what_cannot_pass_is_not_tried_again() {
    let refuse = |answer: Answer| {
        let server = Server::start(move |_, _| answer.clone());
        let client = OpenAi::new(&server.url, "m", None, quick());
        let error = client.embed(&["ab"], Task::Document, 2).unwrap_err();
        assert!(matches!(error, Error::Embedding { retryable: false, .. }), "{error}");
        assert_eq!(server.requests().len(), 1);
        error.to_string().replace(&server.url, "URL")
    };
    assert_eq!(
        refuse((401, "", json!({ "error": { "message": "bad key" } }).to_string())),
        "embedding: URL/embeddings answered 401: bad key"
    );
    assert!(
        refuse((200, "", "<html>".into())).starts_with("embedding: URL/embeddings did not answer with JSON")
    );
    assert_eq!(refuse((200, "", "{}".into())), "embedding: URL/embeddings gave 0 vectors for 1 texts");
    let short = json!({ "data": [{ "embedding": [1.0, 2.0, 3.0] }] }).to_string();
    assert_eq!(refuse((200, "", short)), "embedding: the model gave 3 dimensions, the property has 2");
    let zero = json!({ "data": [{ "embedding": [0.0, 0.0] }] }).to_string();
    assert_eq!(refuse((200, "", zero)), "embedding: the model gave a vector without a direction");
}

#[test]
fn a_silent_server_times_out() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let options = HttpOptions { timeout: Duration::from_millis(50), attempts: 2, ..quick() };
    let error = OpenAi::new(&url, "m", None, options).embed(&["a"], Task::Query, 2).unwrap_err();
    assert!(matches!(error, Error::Embedding { retryable: true, .. }), "{error}");
    drop(listener);
}

#[test]
fn the_mock_is_deterministic() {
    let vectors = Mock.embed(&["alpha", "beta", "alpha"], Task::Query, 4).unwrap();
    assert_eq!(vectors[0], vectors[2]);
    assert_ne!(vectors[0], vectors[1]);
    let length: f32 = vectors[0].iter().map(|value| value * value).sum();
    assert!((length - 1.0).abs() < 1e-5);
    expect!["[-0.5420488, -0.47179943, 0.16090508, 0.67653376]"].assert_eq(&format!("{:?}", vectors[0]));
}

#[test]
fn known_texts_are_not_asked_for_again() {
    let server = Server::start(openai);
    let client = Cached::new(OpenAi::new(&server.url, "m", None, quick())).with_capacity(6);
    let first = client.embed(&["a", "bb", "a"], Task::Document, 2).unwrap();
    assert_eq!(first[0], first[2]);
    assert_eq!(client.embed(&["bb", "a"], Task::Document, 2).unwrap(), [first[1].clone(), first[0].clone()]);
    assert_eq!(server.requests().len(), 1);
    assert_eq!(server.requests()[0].body["input"], json!(["a", "bb"]));
    client.embed(&["a"], Task::Query, 2).unwrap();
    client.embed(&["ccc"], Task::Document, 2).unwrap(); // three vectors of two floats fit, so "a" is forgotten
    client.embed(&["bb"], Task::Document, 2).unwrap();
    assert_eq!(server.requests().len(), 3);
    client.embed(&["a"], Task::Document, 2).unwrap();
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn settings_choose_the_provider() {
    let choose = |pairs: &[(&str, &str)]| {
        let found = from_settings(|name| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        });
        found
            .map_or_else(|error| format!("{}: {error}", error.code()), |embedder| embedder.model().to_owned())
    };
    assert_eq!(choose(&[("OMNIGRAPH_EMBEDDINGS_MOCK", "true"), ("GEMINI_API_KEY", "k")]), "mock");
    assert_eq!(choose(&[("NANOGRAPH_EMBEDDINGS_MOCK", "1")]), "mock");
    assert_eq!(choose(&[("GEMINI_API_KEY", "k"), ("OPENAI_API_KEY", "k")]), "gemini-embedding-2-preview");
    assert_eq!(choose(&[("OPENAI_API_KEY", "k")]), "text-embedding-3-small");
    assert_eq!(choose(&[("OPENAI_BASE_URL", "http://x"), ("NANOGRAPH_EMBED_MODEL", "local")]), "local");
    assert_eq!(
        choose(&[("GEMINI_API_KEY", "k"), ("OPENAI_API_KEY", "k"), ("OMNIGRAPH_EMBED_PROVIDER", "OpenAI")]),
        "text-embedding-3-small"
    );
    assert!(
        choose(&[("OMNIGRAPH_EMBEDDINGS_MOCK", "0")])
            .starts_with("bad_config: embeddings need a provider: set GEMINI_API_KEY")
    );
    assert_eq!(
        choose(&[("OPENAI_API_KEY", "k"), ("OMNIGRAPH_EMBED_TIMEOUT_MS", "soon")]),
        "bad_config: OMNIGRAPH_EMBED_TIMEOUT_MS is `soon`; it must be a number above 0"
    );
    assert!(choose(&[("OMNIGRAPH_EMBED_PROVIDER", "gemini")]).contains("GEMINI_API_KEY is needed"));
    assert!(choose(&[("OMNIGRAPH_EMBED_PROVIDER", "x")]).contains("gemini, openai or mock"));
}

const DOC: &str = "node Doc { slug: String @key  title: String?  v: Vector(3) @embed(title) }";

#[test]
fn rows_get_the_vectors_they_lack() {
    let catalog = catalog(DOC);
    let mut builder = RowBuilder::new(node(DOC));
    for (slug, title, vector) in
        [("a", Some("alpha"), None), ("b", Some("beta"), Some([1.0, 0.0, 0.0])), ("c", Some("alpha"), None)]
    {
        builder.start(None);
        builder.set("slug", Cell::Text(slug));
        builder.set("title", title.map_or(Cell::Null, Cell::Text));
        if let Some(vector) = &vector {
            builder.set("v", Cell::Floats(vector));
        }
        builder.end();
    }
    let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
    let filled = fill(&batch, &catalog.nodes["Doc"], &Mock, &[]).unwrap();
    assert_eq!(filled.schema(), omnigraph::rows::node_schema(&catalog.nodes["Doc"]));
    let vectors = filled.column(3).as_fixed_size_list();
    assert_eq!(vectors.null_count(), 0);
    let row = |at: usize| vectors.value(at).as_primitive::<Float32Type>().values().to_vec();
    assert_eq!(row(0), Mock.embed(&["alpha"], Task::Document, 3).unwrap()[0]);
    assert_eq!((row(0), row(1)), (row(2), vec![1.0, 0.0, 0.0]));

    builder.start(None);
    builder.set("slug", Cell::Text("d"));
    builder.end();
    let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
    let error = fill(&batch, &catalog.nodes["Doc"], &Mock, &[9]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 9: Doc.v is required, and there is no text in `title` to compute it from"
    );
    assert_eq!(error.violations()[0].row.as_deref(), Some("d"));
}

const FILE: &str = r#"// seed
{"type":"Doc","data":{"slug":"a","title":"Alpha","tags":["x","y"]}}
{"edge":"Near","from":"a","to":"b"}
{"type":"Doc","data":{"slug":"b","v":[1,0]}}
{"type":"Doc","data":{"slug":"c","title":"","v":null}}
{"type":"Note","data":{"text":"untouched","n":1.50}}
"#;

fn job(mode: EmbedMode, selectors: &[&str]) -> (String, String) {
    let spec: EmbedSpec = serde_json::from_value(json!({
        "dimension": 2, "types": { "Doc": { "target": "v", "fields": ["title", "tags"] } }
    }))
    .unwrap();
    let selectors = selectors.iter().map(|text| Selector::parse(text).unwrap()).collect();
    let job = EmbedJob { spec, mode, types: Vec::new(), selectors };
    let mut out = Vec::new();
    let report = run(&job, FILE.as_bytes(), &mut out, &Mock).unwrap();
    let counts = format!(
        "{} {} {} {}",
        report.records, report.selected_records, report.embedded_records, report.cleaned_records
    );
    (String::from_utf8(out).unwrap(), counts)
}

#[test]
fn files_are_filled() {
    let (out, report) = job(EmbedMode::FillMissing, &[]);
    assert_eq!(report, "5 4 1 0");
    let made = &Mock.embed(&["type: Doc\ntitle: Alpha\ntags: x, y"], Task::Document, 2).unwrap()[0];
    let vector = format!(r#","v":[{},{}]}}}}"#, made[0], made[1]);
    assert_eq!(out, FILE.replacen(r#"["x","y"]}}"#, &format!(r#"["x","y"]{vector}"#), 1));
}

#[test]
fn files_are_embedded_anew_and_cleaned() {
    assert_eq!(job(EmbedMode::ReembedAll, &[]).1, "5 4 1 0");
    assert_eq!(job(EmbedMode::FillMissing, &["Doc:slug=a"]).1, "5 1 1 0");
    assert_eq!(job(EmbedMode::FillMissing, &["slug=b", "Note:slug=a"]).1, "5 1 0 0");
    let (out, report) = job(EmbedMode::Clean, &[]);
    assert_eq!(report, "5 4 0 2");
    assert_eq!(out, FILE.replace(r#","v":[1,0]"#, "").replace(r#","v":null"#, ""));
    assert!(
        Selector::parse("slug").is_err()
            && Selector::parse(":a=b").is_err()
            && Selector::parse("T:=b").is_err()
    );
    assert_eq!(EmbedMode::FillMissing.as_str(true), "reembed_selected");
}

#[test]
fn bad_lines_of_files_are_named() {
    let spec = EmbedSpec { dimension: 2, types: std::collections::BTreeMap::default() };
    let job = EmbedJob { spec, mode: EmbedMode::FillMissing, types: Vec::new(), selectors: Vec::new() };
    let error = run(&job, "\n{\"type\":\"Doc\"}\n".as_bytes(), Vec::new(), &Mock).unwrap_err();
    assert_eq!(error.to_string(), "line 2: a record with a `type` needs `data`");
    let error = run(&job, "\n\n{\"type\":".as_bytes(), Vec::new(), &Mock).unwrap_err();
    assert!(error.to_string().starts_with("line 3: not a JSON record: EOF"), "{error}");
}
