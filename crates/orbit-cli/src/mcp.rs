//! The MCP server: one tool per question, over standard input and output.
//!
//! [`tools`] is what an agent sees, [`crate::questions`] answers about code and changes it, [`knowledge_tools`] the
//! families of tasks and knowledge, [`worktrees`] are what is asked about, [`prompts`] and [`skills`] are their working habits, [`crate::budget`] keeps every answer
//! below its token cap, [`install`] writes clients' config. Errors an agent can act on are tool results.

pub(crate) mod install;
mod knowledge_tools;
mod prompts;
pub(crate) mod skills;
pub(crate) mod tools;
mod worktrees;

use crate::args::{McpArgs, Toolset};
use crate::failure::Failure;
use crate::questions::{Entry, Family, LIST, error_text};
use crate::{identity, knowledge};
use orbit_graph::Graph;
use orbit_knowledge::Store;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, Implementation, InitializeResult, JsonObject, ListPromptsResult, ListToolsResult,
    PaginatedRequestParams, PromptsCapability, ServerCapabilities, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use worktrees::{Served, Worktrees};

const DEBOUNCE: Duration = Duration::from_millis(250);

pub(crate) const INSTRUCTIONS: &str = "Code graph of this repository, always fresh. Selectors: \
symbol:<path>#<name>[:<kind>], file:<path>, dir:<path>, command:<name>, or just a name or path:line. Places are \
{file: \"name:line,line name:line\"}, meaning symbol:<file>#<name>; a{b:1 c:2} is ab:1 ac:2, a leading . is the type the \
file is called after, a key ending in / holds files below it, `2: ` means two steps away. detail=true gives full rows. \
Edges are facts unless uncertain or marked ? (by name only) or ~ (may run there). The account covers every occurrence of \
the names: with complete=true, and only then, do not grep; else read what is uncertain or unread. After editing files call \
graph_sync before relying on line numbers.";

/// Told to clients that have tools on tasks or knowledge.
pub(crate) const KNOWLEDGE_INSTRUCTIONS: &str = "Tasks and knowledge of this repository, kept across sessions. Before \
working on files read query_graph context with their paths; when done, update the atoms that changed and append to \
their changelog. get_next_task with claim takes work for you alone. Changes need the version you read; CONFLICT carries \
the present entity and version.";

/// Told to clients that may change code.
pub(crate) const REFACTOR_INSTRUCTIONS: &str = "Changes of code by symbols. Try dry_run first; a refusal names the places \
in the way and has changed nothing. refactor_commit commits exactly what these tools touched, so that the history follows \
every symbol.";

/// A server, with what its families of tools need.
#[derive(Clone)]
struct Server {
    toolsets: Arc<[Toolset]>,
    store: Option<Arc<Store>>,
    worktrees: Arc<Worktrees>,
    tools: Arc<[Tool]>,
}

/// Serves until the client goes away.
pub(crate) fn serve(args: &McpArgs) -> Result<(), Failure> {
    let worktrees = Worktrees::of(&args.dir, args.all_worktrees)?;
    let first = worktrees.first();
    let has = |toolset| args.toolset.contains(&toolset);
    // The one that most questions are about is read at once.
    if has(Toolset::Code) {
        first.graph()?;
    }
    let has_store = has(Toolset::Knowledge) || has(Toolset::Tasks);
    let store = has_store.then(|| knowledge::open(&first.dir, args.db.as_deref())).transpose()?;
    let mut tools = tools::listed(&args.toolset);
    if worktrees.are_several() {
        tools::offer(&mut tools, worktrees::ARGUMENT, &json!({"type": "string"}));
    }
    let server = Server {
        toolsets: args.toolset.as_slice().into(),
        store: store.map(Arc::new),
        worktrees: Arc::new(worktrees),
        tools: tools.into(),
    };
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
    fn has(&self, toolset: Toolset) -> bool {
        self.toolsets.contains(&toolset)
    }

    /// Whether a tool may take long. A question about code takes less time than handing it to another thread.
    fn is_long(tool: &str, served: &Served) -> bool {
        let is_quick =
            question(tool).is_some_and(|found| found.family() == Family::Graph && !found.is_long());
        !is_quick || !served.graph().is_ok_and(Graph::has_index)
    }

    /// Runs a listed tool in the family it belongs to.
    fn run(&self, tool: &str, served: &Served, arguments: JsonObject) -> Result<String, String> {
        let answer = match (question(tool), &self.store) {
            (Some(question), _) if question.family() == Family::Graph => match served.graph() {
                Ok(graph) => question.call(&served.dir, Some(graph), &arguments),
                Err(failure) => Err(error_text(&failure)),
            },
            (Some(question), _) => question.call(&served.root, None, &arguments),
            (None, Some(store)) => {
                return knowledge_tools::call(
                    store,
                    tool,
                    arguments,
                    identity::actor(&served.root).as_deref(),
                );
            }
            (None, None) => return Err(format!("no tool is called {tool}")),
        };
        if !self.worktrees.are_several() {
            return answer;
        }
        answer.map_err(|error| naming(&error, &served.name))
    }

    /// Answers a call of a tool that is listed.
    async fn answer(&self, tool: String, mut arguments: JsonObject) -> Option<Result<String, String>> {
        // Tools on tasks and knowledge have one store for all worktrees.
        let is_of_code = question(&tool).is_some() && self.worktrees.are_several();
        let named = if is_of_code { arguments.remove(worktrees::ARGUMENT) } else { None };
        let served = match self.worktrees.find(named.as_ref()) {
            Ok(served) => served,
            Err(failure) => return Some(Err(error_text(&failure))),
        };
        if Server::is_long(&tool, served) {
            let this = self.clone();
            tokio::task::spawn_blocking(move || this.run(&tool, served, arguments)).await.ok()
        } else {
            catch_unwind(AssertUnwindSafe(|| self.run(&tool, served, arguments))).ok()
        }
    }
}

/// An error that says which worktree it is about.
fn naming(error: &str, worktree: &str) -> String {
    let Ok(mut error) = serde_json::from_str::<Value>(error) else { return error.to_owned() };
    if let Some(fields) = error["error"].as_object_mut() {
        fields.insert(worktrees::ARGUMENT.into(), json!(worktree));
    }
    error.to_string()
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
            (self.has(Toolset::Code), INSTRUCTIONS),
            (self.store.is_some(), KNOWLEDGE_INSTRUCTIONS),
            (self.has(Toolset::Refactor), REFACTOR_INSTRUCTIONS),
        ];
        let told = parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, text)| text.to_owned());
        let worktrees = self.worktrees.are_several().then(|| self.worktrees.instructions());
        let told: Vec<String> = told.chain(worktrees).collect();
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
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(client) = context.peer.peer_info() {
            identity::serves(&client.client_info.name);
        }
        if !self.tools.iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params(format!("no tool is called {}", request.name), None));
        }
        let answer = self.answer(request.name.to_string(), request.arguments.unwrap_or_default()).await;
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
