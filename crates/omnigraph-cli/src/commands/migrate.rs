//! `omnigraph schema plan` and `omnigraph schema apply`

use crate::args::{SchemaApplyArgs, SchemaPlanArgs};
use crate::failure::Failure;
use crate::queries::read_source;
use crate::render;
use crate::render::progress::Work;
use crate::session::Session;
use omnigraph_api::calls::receipt::outcome;
use omnigraph_api::calls::schema::{SchemaApplyRequest, SchemaPlanRequest};

pub(super) fn plan(session: &Session, args: &SchemaPlanArgs) -> Result<(), Failure> {
    let source = read_source(&args.schema)?;
    let plan = session.backend(&args.place)?.call(SchemaPlanRequest {
        schema_source: source.text().to_owned(),
        branch: Some(session.branch(args.branch.as_deref())),
        source_name: Some(source.name().to_owned()),
    })?;
    if session.json {
        return render::json(&plan);
    }
    render::text(plan.text)
}

pub(super) fn apply(session: &Session, args: &SchemaApplyArgs) -> Result<(), Failure> {
    let source = read_source(&args.plan.schema)?;
    let backend = session.backend(&args.plan.place)?;
    let request = SchemaApplyRequest {
        schema_source: source.text().to_owned(),
        branch: Some(session.branch(args.plan.branch.as_deref())),
        allow_drop: args.allow_drop,
        allow_data_loss: args.allow_data_loss,
        source_name: Some(source.name().to_owned()),
    };
    let bar = Work::new("tables");
    let done = backend.watched(request, &mut |at| bar.show(&at));
    bar.finish();
    let done = done?;
    if session.json {
        return render::json(&done);
    }
    let plan = &done.plan;
    let end = outcome(done.applied, &plan.graph_commit_id);
    let (text, branch, uri) = (&plan.text, &plan.branch, &plan.uri);
    render::text(format!("{text}applied the schema to branch {branch} of {uri}; {end}\n"))
}
