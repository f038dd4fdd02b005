//! The MCP server: one tool per question, over standard input and output.
//!
//! [`tools`] is what an agent sees, [`graph_tools`] runs the code family, [`history_tools`] its questions about
//! history, [`compact`] groups rows, [`budget`] keeps every answer below its token cap, [`install`] writes clients'
//! config. Errors an agent can act on are tool results.

mod budget;
mod compact;
mod graph_tools;
mod history_tools;
pub(crate) mod install;
pub(crate) mod tools;

use crate::args::Toolset;
use crate::failure::Failure;
use orbit_graph::{Graph, SyncPolicy};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, InitializeResult,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const DEBOUNCE: Duration = Duration::from_millis(250);

pub(crate) const INSTRUCTIONS: &str = "Code graph of this repository, always fresh. Selectors name things: \
symbol:<path>#<name>[:<kind>], file:<path>, dir:<path>, command:<name>, or just a name or path:line. Answers group \
places as {file: {name: [lines]}} or {file: [\"name:line\"]}; the selector of such an entry is symbol:<file>#<name>. \
detail=true gives full rows. Edges are facts unless marked fuzzy or ?. After editing files call graph_sync before \
relying on line numbers.";

/// Tools that may take long.
const LONG: [&str; 3] = ["graph_sync", "graph_history", "graph_pack"];

/// A server for one worktree.
#[derive(Clone)]
struct Server {
    graph: Arc<Graph>,
    tools: Arc<[Tool]>,
}

/// Serves until the client goes away.
pub(crate) fn serve(dir: &Path, toolsets: &[Toolset]) -> Result<(), Failure> {
    let graph = Arc::new(Graph::open(dir, SyncPolicy::Watch { debounce: DEBOUNCE })?);
    let server = Server { graph, tools: tools::listed(toolsets).into() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = server.serve(rmcp::transport::stdio()).await.map_err(std::io::Error::other)?;
        service.waiting().await.map_err(std::io::Error::other)?;
        Ok::<(), std::io::Error>(())
    })?;
    runtime.shutdown_background(); // standard input has no way to be woken
    Ok(())
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("orbit", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let graph = Arc::clone(&self.graph);
        if !self.tools.iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params(format!("no tool is called {}", request.name), None));
        }
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        // A question takes less time than handing it to another thread; what syncs may take long.
        let is_long = LONG.contains(&name.as_ref()) || !graph.has_index();
        let answer = if is_long {
            tokio::task::spawn_blocking(move || answer(&graph, &name, arguments)).await.ok()
        } else {
            catch_unwind(AssertUnwindSafe(|| answer(&graph, &name, arguments))).ok()
        };
        let result = match answer {
            Some(Ok(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Some(Err(text)) => CallToolResult::error(vec![ContentBlock::text(text)]),
            None => CallToolResult::error(vec![ContentBlock::text(
                r#"{"error":{"code":"internal","message":"the query failed","hint":"try again; if it stays, run graph_sync"}}"#,
            )]),
        };
        Ok(result.into())
    }
}

/// Runs a tool of any family.
fn answer(graph: &Graph, tool: &str, arguments: JsonObject) -> Result<String, String> {
    match history_tools::call(graph, tool, &arguments) {
        Some(answer) => answer,
        None => graph_tools::call(graph, tool, arguments),
    }
}
