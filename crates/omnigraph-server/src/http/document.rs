//! The document at `/openapi.json`: what every route takes and gives, from the types that the routes use.

mod schemas;

use omnigraph_api::calls::change::ChangeOutput;
use omnigraph_api::calls::load::{LoadOutput, LoadRequest};
use omnigraph_api::calls::query::{LIST, QueryListOutput, QueryListRequest, QueryRunRequest, RUN};
use omnigraph_api::calls::read::{ARROW, ReadOutput, ReadRequest};
use omnigraph_api::calls::server::{GraphListOutput, HealthOutput};
use omnigraph_api::calls::{Call, Method, Route};
use omnigraph_api::fault::Fault;
use schemas::{exact, parameter, without};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Failures that any call may have.
const COMMON: [u16; 7] = [400, 403, 404, 413, 429, 500, 503];

/// The document while it is made.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// By path, then by method; below the root of a graph.
    paths: Map<String, Value>,
    schemas: BTreeMap<String, Value>,
}

impl Document {
    /// A call with a document for an answer.
    pub(super) fn call<C: Call>(&mut self) {
        let output = self.reference::<C::Output>();
        self.add::<C>(&C::ROUTE, json!({ "application/json": { "schema": output } }));
    }

    /// A call at a fixed path that names one of its members.
    pub(super) fn call_named<C: Call>(&mut self, path: &str, (name, text): (&str, &str)) {
        let output = self.reference::<C::Output>();
        let content = json!({ "application/json": { "schema": output } });
        let mut operation = self.operation::<C>(&C::ROUTE, content);
        operation["operationId"] = format!("{}_{text}", C::ROUTE.id).into();
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            parameters.retain(|parameter| parameter["name"] != name);
        }
        self.put(path, C::ROUTE.method, operation);
    }

    /// A query.
    pub(super) fn read(&mut self) {
        let content = self.rows();
        let mut operation = self.operation::<ReadRequest>(&ReadRequest::ROUTE, content);
        operation["description"] = as_arrow().into();
        self.put(ReadRequest::ROUTE.path, ReadRequest::ROUTE.method, operation);
    }

    /// A call with lines for an answer.
    pub(super) fn stream<C: ToSchema>(&mut self, route: &Route) {
        let lines = json!({ "type": "string", "description": "One JSON object a line." });
        self.add::<C>(route, json!({ "application/x-ndjson": { "schema": lines } }));
    }

    /// A call with events for an answer.
    pub(super) fn events<C: ToSchema>(&mut self, route: &Route) {
        let description = "Events named `changes`: `data` has what `/changes` answers, `id` the cursor.";
        let events = json!({ "type": "string", "description": description });
        self.add::<C>(route, json!({ "text/event-stream": { "schema": events } }));
    }

    /// A call with rows for a body: its members are in the query string.
    pub(super) fn load(&mut self) {
        let output = self.reference::<LoadOutput>();
        let route = Route { method: Method::Get, ..LoadRequest::ROUTE };
        let mut operation =
            self.operation::<LoadRequest>(&route, json!({ "application/json": { "schema": output } }));
        let bytes = json!({ "type": "string", "contentMediaType": "application/octet-stream" });
        let body = json!({
            "description": "Rows in the format that is named; none when there is no body.",
            "required": false,
            "content": {
                "application/x-ndjson": { "schema": { "type": "string" } },
                "text/csv": { "schema": { "type": "string" } },
                "application/octet-stream": { "schema": bytes },
            },
        });
        operation["requestBody"] = body;
        self.put(route.path, Method::Post, operation);
    }

    /// Saved queries.
    pub(super) fn queries(&mut self) {
        let list = self.reference::<QueryListOutput>();
        let listed = json!({ "application/json": { "schema": list } });
        let operation = self.operation::<QueryListRequest>(&LIST, listed);
        self.put(LIST.path, LIST.method, operation);
        let changed = self.reference::<ChangeOutput>();
        let mut content = self.rows();
        let read = content["application/json"]["schema"].take();
        content["application/json"]["schema"] = json!({ "oneOf": [read, changed] });
        let mut operation = self.operation::<QueryRunRequest>(&RUN, content);
        operation["description"] = as_arrow().into();
        self.put(RUN.path, RUN.method, operation);
    }

    fn rows(&mut self) -> Value {
        let output = self.reference::<ReadOutput>();
        json!({ "application/json": { "schema": output } })
    }

    fn add<C: ToSchema>(&mut self, route: &Route, content: Value) {
        let operation = self.operation::<C>(route, content);
        self.put(route.path, route.method, operation);
    }

    fn put(&mut self, path: &str, method: Method, operation: Value) {
        let item = self.paths.entry(plain(path)).or_insert_with(|| json!({}));
        item[name(method)] = operation;
    }

    fn operation<C: ToSchema>(&mut self, route: &Route, content: Value) -> Value {
        let members = exact(serde_json::to_value(C::schema()).unwrap_or_default());
        self.collect::<C>();
        let in_path = |name: &str| {
            route.path.contains(&format!("{{{name}}}")) || route.path.contains(&format!("{{*{name}}}"))
        };
        let properties = members["properties"].as_object().cloned().unwrap_or_default();
        let required = |name: &str| {
            members["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name))
        };
        let (path, rest): (Vec<_>, Vec<_>) = properties.iter().partition(|(name, _)| in_path(name));
        let parameter = |(name, schema): &(&String, &Value), place: &str| {
            let required = place == "path" || required(name);
            parameter(name, schema, place, required)
        };
        let mut parameters: Vec<Value> = path.iter().map(|it| parameter(it, "path")).collect();
        let mut operation = json!({ "operationId": route.id, "summary": route.summary });
        if route.method != Method::Post {
            parameters.extend(rest.iter().map(|it| parameter(it, "query")));
        } else if !rest.is_empty() {
            let schema = if path.is_empty() { self.reference::<C>() } else { without(&members, &path) };
            let needed = rest.iter().any(|(name, _)| required(name));
            operation["requestBody"] =
                json!({ "required": needed, "content": { "application/json": { "schema": schema } } });
        }
        operation["parameters"] = Value::from(parameters);
        operation["responses"] = self.responses(route.faults, content);
        operation
    }

    fn responses(&mut self, own: &[u16], content: Value) -> Value {
        let fault = self.reference::<Fault>();
        let failed = |text: &str| json!({ "description": text, "content": { "application/json": { "schema": fault } } });
        let mut responses = json!({ "200": { "description": "Done.", "content": content } });
        for status in COMMON.iter().chain(own) {
            responses[status.to_string()] = failed(meaning(*status));
        }
        responses["default"] = failed("Any other failure.");
        responses
    }

    fn reference<T: ToSchema>(&mut self) -> Value {
        self.collect::<T>();
        json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
    }

    /// Keeps a schema and those that it names.
    fn collect<T: ToSchema>(&mut self) {
        let mut found = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut found);
        for (name, schema) in found {
            self.schemas
                .entry(name)
                .or_insert_with(|| exact(serde_json::to_value(schema).unwrap_or_default()));
        }
    }

    /// The whole document. Paths of a graph are there twice: at the root and below `/graphs/{graph}`.
    pub(super) fn text(mut self, with_tokens: bool) -> String {
        let mut paths = self.server_paths();
        for (path, item) in &self.paths {
            paths.insert(path.clone(), item.clone());
            paths.insert(format!("/graphs/{{graph}}{path}"), below(item));
        }
        if with_tokens {
            let fault = self.reference::<Fault>();
            for (path, item) in paths.iter_mut().filter(|(path, _)| !is_open(path)) {
                for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
                    operation["security"] = json!([{ "bearer": [] }]);
                    operation["responses"]["401"] = json!({
                        "description": meaning(401),
                        "content": { "application/json": { "schema": fault } },
                    });
                }
                debug_assert!(!path.is_empty(), "every path begins with a slash");
            }
        }
        let mut components = json!({ "schemas": self.schemas });
        if with_tokens {
            components["securitySchemes"] = json!({ "bearer": { "type": "http", "scheme": "bearer" } });
        }
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "omnigraph",
                "description": "A typed property graph with branches, over HTTP.",
                "version": env!("CARGO_PKG_VERSION"),
                "license": { "name": "MIT OR Apache-2.0" },
            },
            "servers": [{ "url": "/" }],
            "paths": paths,
            "components": components,
        });
        document.to_string()
    }

    /// What is not of a graph.
    fn server_paths(&mut self) -> Map<String, Value> {
        let mut paths = Map::new();
        let health = self.reference::<HealthOutput>();
        let graphs = self.reference::<GraphListOutput>();
        let document = |schema: Value| json!({ "application/json": { "schema": schema } });
        let text = json!({ "text/plain": { "schema": { "type": "string" } } });
        let routes = [
            ("/healthz", "health", "Whether the server lives.", document(health)),
            ("/openapi.json", "openapi", "This document.", document(json!({ "type": "object" }))),
            ("/graphs", "graph_list", "The graphs of this server.", document(graphs)),
            ("/metrics", "metrics", "Counters in the text format of Prometheus.", text),
        ];
        for (path, id, summary, content) in routes {
            let responses = self.responses(&[], content);
            let operation =
                json!({ "operationId": id, "summary": summary, "parameters": [], "responses": responses });
            paths.insert(path.to_owned(), json!({ "get": operation }));
        }
        paths
    }
}

/// The second form of rows. It is not listed as a content of the answer: typed clients could not tell which one they get.
fn as_arrow() -> String {
    format!("With `Accept: {ARROW}` the rows are an Arrow IPC stream.")
}

/// Whether a path takes callers without a token.
fn is_open(path: &str) -> bool {
    matches!(path, "/healthz" | "/openapi.json")
}

/// The routes of a graph as they are below its name.
fn below(item: &Value) -> Value {
    let mut item = item.clone();
    let graph =
        parameter("graph", &json!({ "type": "string", "description": "Of the graph." }), "path", true);
    for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
        let id = operation["operationId"].as_str().unwrap_or_default();
        operation["operationId"] = format!("graph_{id}").into();
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            parameters.insert(0, graph.clone());
        }
    }
    item
}

/// A path without the mark of members that may have slashes.
fn plain(path: &str) -> String {
    path.replace("{*", "{")
}

const fn name(method: Method) -> &'static str {
    match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Delete => "delete",
    }
}

const fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request makes no sense.",
        401 => "No token, or one that nobody has.",
        403 => "The policy does not allow it.",
        404 => "What is named is not there.",
        409 => "Others were first, or two branches do not go together.",
        412 => "The commit that was named is not the newest.",
        413 => "The body is larger than the server takes.",
        422 => "Rows or a schema that do not go together.",
        429 => "The server has enough to do.",
        503 => "The graph cannot be opened for now.",
        _ => "The server or its store failed.",
    }
}
