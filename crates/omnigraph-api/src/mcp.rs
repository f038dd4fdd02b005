//! Graphs over MCP: the schema, queries, saved queries as tools with typed parameters, branches, differences.
//!
//! ```text
//! tool call ─run─▶ Call ─Caller─▶ Output | Fault ─▶ text of JSON
//! Caller: a graph that is open in this process (LocalGraph), or a server
//! ```
//!
//! What a caller may do is decided where the graph is. Errors that an agent can act on are results of the tool.

mod run;
mod tools;

pub use run::{Caller, LocalGraph};

use crate::fault::Fault;
use crate::saved::Saved;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Extensions, Implementation,
    InitializeResult, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

const INSTRUCTIONS: &str = "A typed property graph with branches. Read `schema` first: it names types, properties and \
edges. `query` takes a text such as `query q($n: String) { match { $p: Person { name: $n } $p knows $f } return \
{ $f.name } }`. Nothing is changed but by `change`, the branch tools and saved queries that say so; try changes on a \
branch of their own and look at `diff` before `branch_merge`.";

/// Where tools find their graph.
pub trait Host: Clone + Send + Sync + 'static {
    /// A caller with the graph that it works on.
    type Caller: Caller;

    /// The caller who sent a request.
    fn caller(&self, sent: &Extensions) -> Result<Self::Caller, Fault>;

    /// Queries that are tools.
    fn saved(&self) -> Arc<Saved>;

    /// Waits until there is a thread to spare; `None` where nobody counts.
    fn turn(
        &self,
        caller: &Self::Caller,
    ) -> impl Future<Output = Result<Option<OwnedSemaphorePermit>, Fault>> + Send;
}

/// A graph in this process, for one client.
#[derive(Clone, Debug)]
pub struct OneClient<C> {
    caller: C,
    saved: Arc<Saved>,
}

impl<C: Caller> Host for OneClient<C> {
    type Caller = C;

    fn caller(&self, _sent: &Extensions) -> Result<C, Fault> {
        Ok(self.caller.clone())
    }

    fn saved(&self) -> Arc<Saved> {
        self.saved.clone()
    }

    async fn turn(&self, _caller: &C) -> Result<Option<OwnedSemaphorePermit>, Fault> {
        Ok(None)
    }
}

/// Serves one client over standard input and output, until it goes away.
pub fn serve_stdio(caller: impl Caller, saved: Saved) -> std::io::Result<()> {
    let server = Server::new(OneClient { caller, saved: Arc::new(saved) });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = server.serve(rmcp::transport::stdio()).await.map_err(std::io::Error::other)?;
        service.waiting().await.map_err(std::io::Error::other)?;
        Ok::<(), std::io::Error>(())
    })?;
    runtime.shutdown_background(); // standard input has no way to be woken
    Ok(())
}

/// The tools of a host.
#[derive(Clone, Debug)]
pub struct Server<H> {
    host: H,
}

impl<H: Host> Server<H> {
    /// For the clients of a host.
    pub fn new(host: H) -> Server<H> {
        Server { host }
    }

    async fn answer(&self, request: CallToolRequestParams, head: &Extensions) -> Result<String, Fault> {
        let caller = self.host.caller(head)?;
        let permit = self.host.turn(&caller).await?;
        let saved = self.host.saved();
        let arguments = request.arguments.unwrap_or_default();
        let done = tokio::task::spawn_blocking(move || {
            let done = run::run(&caller, &saved, &request.name, arguments);
            drop(permit);
            done
        });
        done.await.unwrap_or_else(|_| Err(Fault::new("internal", "the tool failed")))
    }
}

impl<H: Host> ServerHandler for Server<H> {
    fn get_info(&self) -> InitializeResult {
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("omnigraph", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let listed = self.host.caller(&context.extensions);
        let listed = listed.and_then(|caller| tools::listed(&caller, &self.host.saved()));
        listed.map(ListToolsResult::with_all_items).map_err(|fault| refused(&fault))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = self.host.caller(&context.extensions).map_err(|fault| refused(&fault))?;
        if !tools::is_tool(&caller, &request.name, &self.host.saved()) {
            return Err(ErrorData::invalid_params(format!("no tool is called {}", request.name), None));
        }
        let result = match self.answer(request, &context.extensions).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(fault) => CallToolResult::error(vec![ContentBlock::text(run::error_text(&fault))]),
        };
        Ok(result.into())
    }
}

/// A failure that is not the result of a tool.
fn refused(fault: &Fault) -> ErrorData {
    ErrorData::invalid_request(fault.message.clone(), serde_json::from_str(&run::error_text(fault)).ok())
}
