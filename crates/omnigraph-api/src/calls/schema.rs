//! The schema of a graph, and the way to another.

use super::read::source;
use super::when::target;
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::{Fault, named};
use omnigraph::compiler::Source;
use omnigraph::compiler::migrate::{Safety, Step};
use omnigraph::{Error, SchemaOptions, SchemaReport};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A state whose schema is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaGetRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as `2026-11-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A schema.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SchemaGetOutput {
    /// The text of the `.pg` file.
    pub schema_source: String,
}

impl Call for SchemaGetRequest {
    type Output = SchemaGetOutput;

    const ROUTE: Route = Route {
        id: "schema_get",
        method: Method::Get,
        path: "/schema",
        summary: "The schema of a branch, or of another state.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<SchemaGetOutput, Fault> {
        let target = target(self.branch, self.snapshot.as_deref(), self.at.as_deref())?;
        Ok(SchemaGetOutput { schema_source: context.graph.schema(&target)? })
    }
}

/// A schema that a branch could have.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaPlanRequest {
    /// The text of a `.pg` file.
    pub schema_source: String,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What errors call the text: the name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
}

/// Steps that lead to a schema.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SchemaPlanOutput {
    /// The graph.
    pub uri: String,
    /// The branch.
    pub branch: String,
    /// Whether every step can be taken.
    pub supported: bool,
    /// That of the least safe step.
    pub safety: String,
    /// How many steps there are.
    pub step_count: u64,
    /// The number of commits up to the newest one.
    pub manifest_version: u64,
    /// The newest commit.
    pub graph_commit_id: String,
    /// `{kind, safety, text, hint}` and what the kind needs.
    #[schema(value_type = Vec<Object>)]
    pub steps: Vec<Value>,
    /// The plan as it is read: a step per line.
    pub text: String,
}

impl Call for SchemaPlanRequest {
    type Output = SchemaPlanOutput;

    const ROUTE: Route = Route {
        id: "schema_plan",
        method: Method::Post,
        path: "/schema/plan",
        summary: "Says which steps lead to a schema, and how safe each is.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<SchemaPlanOutput, Fault> {
        let source = source(self.source_name.or_else(|| Some("schema".to_owned())), self.schema_source);
        let branch = main_if_none(self.branch);
        let report = context
            .graph
            .plan_schema(source.text(), Some(&branch))
            .map_err(|error| failed(error, &source))?;
        Ok(planned(&report, context.uri, branch))
    }
}

fn planned(report: &SchemaReport, uri: &str, branch: String) -> SchemaPlanOutput {
    let record = &report.snapshot.record;
    SchemaPlanOutput {
        uri: uri.to_owned(),
        branch,
        supported: report.plan.is_supported(),
        safety: report.plan.safety().as_str().to_owned(),
        step_count: report.plan.steps.len() as u64,
        manifest_version: record.version,
        graph_commit_id: record.id.to_string(),
        steps: report.plan.steps.iter().map(super::step::step).collect(),
        text: text(report),
    }
}

/// A plan as it is read: one step per line.
fn text(report: &SchemaReport) -> String {
    let count = report.plan.steps.len();
    if count == 0 {
        return "no steps: the schema declares the same\n".to_owned();
    }
    let supported = if report.plan.is_supported() { "supported" } else { "not supported" };
    let plural = if count == 1 { "" } else { "s" };
    format!("{}{count} step{plural}, {supported}\n", report.plan)
}

/// A schema that a branch shall have.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaApplyRequest {
    /// The text of a `.pg` file.
    pub schema_source: String,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Drops types with rows and properties with values; older commits still have them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_drop: bool,
    /// The same, and takes the values out of the files of the newest commit, which `allow_drop` only hides them from.
    #[serde(default)]
    pub allow_data_loss: bool,
    /// What errors call the text: the name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
}

/// What became of a schema.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SchemaApplyOutput {
    /// The steps.
    #[serde(flatten)]
    pub plan: SchemaPlanOutput,
    /// Whether the branch has the schema now and did not have it before.
    pub applied: bool,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
}

impl Call for SchemaApplyRequest {
    type Output = SchemaApplyOutput;

    const ROUTE: Route = Route {
        id: "schema_apply",
        method: Method::Post,
        path: "/schema/apply",
        summary: "Gives a branch another schema, as one commit.",
        faults: &[400, 404, 409, 422],
    };

    fn run(self, context: &mut Context<'_>) -> Result<SchemaApplyOutput, Fault> {
        let source = source(self.source_name.or_else(|| Some("schema".to_owned())), self.schema_source);
        let branch = main_if_none(self.branch);
        let options = SchemaOptions {
            branch: Some(branch.clone()),
            allow_drop: self.allow_drop,
            allow_data_loss: self.allow_data_loss,
        };
        let report = context
            .graph
            .apply_schema(source.text(), &options, context.progress)
            .map_err(|error| failed(error, &source))?;
        if !report.plan.is_supported() {
            return Err(unsupported(&report));
        }
        Ok(SchemaApplyOutput {
            plan: planned(&report, context.uri, branch),
            applied: report.applied,
            actor_id: context.actor(),
        })
    }
}

fn unsupported(report: &SchemaReport) -> Fault {
    let bad = report.plan.steps.iter().filter(|step| step.safety == Safety::Unsupported);
    let bad: Vec<&Step> = bad.collect();
    let lines: Vec<String> = bad.iter().map(|step| step.change.to_string()).collect();
    let mut fault = Fault::new("unsupported_migration", lines.join("\n"));
    fault.diagnostics = bad.iter().map(|step| super::step::step(step)).collect();
    let hint = bad.first().and_then(|step| step.hint.clone());
    fault.hint(hint.unwrap_or_else(|| "nothing was applied".to_owned()))
}

/// Errors in the text are shown in it; rows that break the schema are named.
fn failed(error: Error, source: &Source) -> Fault {
    let rows: Vec<String> = error.violations().iter().map(named).collect();
    let more =
        if matches!(error, Error::Invalid { truncated: true, .. }) { "\nthere may be more" } else { "" };
    let mut fault = Fault::about(error, source);
    if !rows.is_empty() {
        fault.message =
            format!("the schema does not hold for rows that are there:\n{}{more}", rows.join("\n"));
        fault.hint =
            Some("nothing was applied; change the rows, or give values with @backfill(…)".to_owned());
    }
    fault
}
