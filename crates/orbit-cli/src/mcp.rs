//! The MCP server: one tool per question, over standard input and output.
//!
//! [`tools`] is what an agent sees, [`graph_tools`] runs the code family, [`history_tools`] its questions about history, [`budget`] keeps every answer below
//! its token cap, [`install`] writes clients' config. Errors an agent can act on are tool results.

mod budget;
mod graph_tools;
mod history_tools;
pub(crate) mod install;
mod tools;

use crate::args::Toolset;
use crate::failure::Failure;
use orbit_graph::{Graph, SyncPolicy};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, InitializeResult,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const DEBOUNCE: Duration = Duration::from_millis(250);

const INSTRUCTIONS: &str = "Code graph of this repository, always fresh. Selectors name things: \
symbol:<path>#<name>[:<kind>], file:<path>, dir:<path>, command:<name>, or just a name or path:line; every answer \
gives selectors for the next call. Edges are facts unless marked fuzzy. After editing files call graph_sync before \
relying on line numbers.";

/// A server for one worktree.
#[derive(Clone)]
struct Server {
    graph: Arc<Graph>,
    toolsets: Arc<[Toolset]>,
}

/// Serves until the client goes away.
pub(crate) fn serve(dir: &Path, toolsets: &[Toolset]) -> Result<(), Failure> {
    let graph = Arc::new(Graph::open(dir, SyncPolicy::Watch { debounce: DEBOUNCE })?);
    let server = Server { graph, toolsets: toolsets.into() };
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
        Ok(ListToolsResult::with_all_items(tools::listed(&self.toolsets)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let graph = Arc::clone(&self.graph);
        let is_listed = tools::listed(&self.toolsets).iter().any(|tool| tool.name == request.name);
        if !is_listed {
            return Err(ErrorData::invalid_params(format!("no tool is called {}", request.name), None));
        }
        let answer = tokio::task::spawn_blocking(move || {
            let arguments = request.arguments.unwrap_or_default();
            history_tools::call(&graph, &request.name, &arguments)
                .unwrap_or_else(|| graph_tools::call(&graph, &request.name, arguments))
        });
        let result = match answer.await {
            Ok(Ok(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Ok(Err(text)) => CallToolResult::error(vec![ContentBlock::text(text)]),
            Err(_) => CallToolResult::error(vec![ContentBlock::text(
                r#"{"error":{"code":"internal","message":"the query failed","hint":"try again; if it stays, run graph_sync"}}"#,
            )]),
        };
        Ok(result.into())
    }
}
