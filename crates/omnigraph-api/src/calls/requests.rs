//! What a server is working on, and ending it.

use super::{Call, Context, Method, Route};
use crate::fault::Fault;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Characters of a query that a list shows.
const SHOWN: usize = 160;

/// Asks for the requests that are under way.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestListRequest {}

/// Requests that are under way.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RequestListOutput {
    /// Those of the caller, and of everybody for callers who may maintain the graph; the oldest first.
    pub requests: Vec<RequestOutput>,
}

/// A request that is under way.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RequestOutput {
    /// To end it by. Numbers begin anew with the server.
    pub request_id: u64,
    /// How it came: `POST /read`.
    pub request: String,
    /// The beginning of its query, on one line.
    pub query: Option<String>,
    /// Whose it is, where that is known.
    pub actor_id: Option<String>,
    /// `waiting` for a thread, `running`, or `stopping`.
    pub state: String,
    /// Since it came.
    pub elapsed_ms: u64,
}

/// Names a request to end.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestStopRequest {
    /// As the list says it.
    pub request_id: u64,
}

impl Call for RequestListRequest {
    type Output = RequestListOutput;

    const ROUTE: Route = Route {
        id: "request_list",
        method: Method::Get,
        path: "/requests",
        summary: "The requests that the server is working on.",
        faults: &[],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RequestListOutput, Fault> {
        Err(no_server(context))
    }
}

impl Call for RequestStopRequest {
    type Output = RequestOutput;

    const ROUTE: Route = Route {
        id: "request_stop",
        method: Method::Delete,
        path: "/requests/{request_id}",
        summary: "Ends a request; it is answered with the reason `stopped`, and nothing of it is committed.",
        faults: &[404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RequestOutput, Fault> {
        Err(no_server(context))
    }
}

fn no_server(context: &Context<'_>) -> Fault {
    Fault::new(
        "bad_request",
        format!("{} is not a server: nobody else's requests are under way there", context.uri),
    )
    .hint("name the address of a server: http://127.0.0.1:8080")
}

/// A query as a list shows it.
pub fn shown(source: &str) -> String {
    let words: Vec<&str> = source.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
