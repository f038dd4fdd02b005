//! The MCP server: one tool per question, over standard input and output.
//!
//! [`tools`] is what an agent sees, [`crate::questions`] answers about code and changes it, [`knowledge_tools`] the
//! families of tasks and knowledge, [`prompts`] and [`skills`] are their working habits, [`crate::budget`] keeps every answer
//! below its token cap, [`install`] writes clients' config. Errors an agent can act on are tool results.

pub(crate) mod install;
mod knowledge_tools;
mod prompts;
pub(crate) mod skills;
pub(crate) mod tools;

use crate::args::Toolset;
use crate::failure::Failure;
use crate::knowledge;
use crate::questions::{Entry, Family, LIST};
use orbit_graph::{Graph, Location, SyncPolicy};
use orbit_knowledge::Store;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, Implementation, InitializeResult, JsonObject, ListPromptsResult, ListToolsResult,
    PaginatedRequestParams, PromptsCapability, ServerCapabilities, Tool,
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
an entry that begins with . or :: has the owner of the one before, a name that ends with … is cut. detail=true gives full \
rows. Edges are facts unless they stand under uncertain or carry a ?. The account of an answer covers every occurrence of the \
name (graph_impact: of all names on the way): with complete=true nothing is left to grep for; else read what is uncertain or \
unread. After editing files call graph_sync before relying on line numbers.";

/// Told to clients that have tools on tasks or knowledge.
pub(crate) const KNOWLEDGE_INSTRUCTIONS: &str = "Tasks and knowledge of this repository, kept across sessions. Before \
working on files read query_graph context with their paths; when done, update the atoms that changed and append to \
their changelog. get_next_task with claim takes work for you alone. Changes need the version you read; CONFLICT carries \
the present entity and version.";

/// Told to clients that may change code.
pub(crate) const REFACTOR_INSTRUCTIONS: &str = "Changes of code by symbols. Try dry_run first; a refusal names the places \
in the way and has changed nothing. refactor_commit commits exactly what these tools touched, so that the history follows \
every symbol.";

/// A server for one worktree, with what its families of tools need.
#[derive(Clone)]
struct Server {
    graph: Option<Arc<Graph>>,
    store: Option<Arc<Store>>,
    /// Where the server was started.
    dir: Arc<Path>,
    /// The worktree that may be changed.
    worktree: Option<Arc<Path>>,
    tools: Arc<[Tool]>,
}

/// Serves until the client goes away.
pub(crate) fn serve(dir: &Path, toolsets: &[Toolset], db: Option<&Path>) -> Result<(), Failure> {
    let has_code = toolsets.contains(&Toolset::Code);
    let graph = has_code.then(|| Graph::open(dir, SyncPolicy::Watch { debounce: DEBOUNCE })).transpose()?;
    let has_store = toolsets.contains(&Toolset::Knowledge) || toolsets.contains(&Toolset::Tasks);
    let store = has_store.then(|| knowledge::open(dir, db)).transpose()?;
    let tools = tools::listed(toolsets).into();
    let worktree = toolsets.contains(&Toolset::Refactor).then(|| Location::of(dir)).transpose()?;
    let worktree = worktree.map(|location| Arc::from(location.root.as_path()));
    let dir = Arc::from(dir);
    let server = Server { graph: graph.map(Arc::new), store: store.map(Arc::new), dir, worktree, tools };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = server.serve(rmcp::transport::stdio()).await.map_err(std::io::Error::other)?;
        service.waiting().await.map_err(std::io::Error::other)?;
        Ok::<(), std::io::Error>(())
    })?;
    runtime.shutdown_background(); // standard input has no way to be woken
    Ok(())
}

impl Server {
    /// Whether a tool may take long. A question about code takes less time than handing it to another thread.
    fn is_long(&self, tool: &str) -> bool {
        let is_quick =
            question(tool).is_some_and(|found| found.family() == Family::Graph && !found.is_long());
        !is_quick || self.graph.as_ref().is_some_and(|graph| !graph.has_index())
    }

    /// Runs a listed tool in the family it belongs to.
    fn run(&self, tool: &str, arguments: JsonObject) -> Result<String, String> {
        match (question(tool), &self.graph, &self.worktree, &self.store) {
            (Some(question), Some(graph), _, _) if question.family() == Family::Graph => {
                question.call(&self.dir, Some(graph), &arguments)
            }
            (Some(question), _, Some(worktree), _) if question.family() == Family::Refactor => {
                question.call(worktree, None, &arguments)
            }
            (None, _, _, Some(store)) => knowledge_tools::call(store, tool, arguments),
            _ => Err(format!("no tool is called {tool}")),
        }
    }
}

/// The question that a tool asks.
fn question(tool: &str) -> Option<&'static dyn Entry> {
    let (family, name) = tool.split_once('_')?;
    LIST.iter()
        .copied()
        .find(|question| question.family().name() == family && question.name().replace('-', "_") == name)
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        let parts = [
            (self.graph.is_some(), INSTRUCTIONS),
            (self.store.is_some(), KNOWLEDGE_INSTRUCTIONS),
            (self.worktree.is_some(), REFACTOR_INSTRUCTIONS),
        ];
        let told: Vec<&str> = parts.iter().filter(|(is_there, _)| *is_there).map(|(_, text)| *text).collect();
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        if self.store.is_some() {
            capabilities.prompts = Some(PromptsCapability::default());
        }
        InitializeResult::new(capabilities)
            .with_server_info(Implementation::new("orbit", env!("CARGO_PKG_VERSION")))
            .with_instructions(told.join(" "))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = if self.store.is_some() { prompts::listed() } else { Vec::new() };
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let found = prompts::get(&request.name).filter(|_| self.store.is_some());
        let unknown = || ErrorData::invalid_params(format!("no prompt is called {}", request.name), None);
        Ok(found.ok_or_else(unknown)?.into())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let server = self.clone();
        if !self.tools.iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params(format!("no tool is called {}", request.name), None));
        }
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        let answer = if self.is_long(&name) {
            tokio::task::spawn_blocking(move || server.run(&name, arguments)).await.ok()
        } else {
            catch_unwind(AssertUnwindSafe(|| server.run(&name, arguments))).ok()
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
