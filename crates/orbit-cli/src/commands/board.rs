//! `orbit board`

use super::store::Desk;
use crate::args::BoardArgs;
use crate::failure::Failure;
use crate::render;
use orbit_knowledge::{Kind, Status};
use serde_json::{Value, json};

pub(super) fn run(args: &BoardArgs) -> Result<(), Failure> {
    let desk = Desk::open(&args.place)?;
    let project = desk.project(args.project.as_deref())?;
    let mut states: Vec<Status> = desk.store.pipelines().of(Kind::Task).states().to_vec();
    states.push(Status::WillNotImplement);
    let mut columns = Vec::new();
    for status in states {
        let (_, found) = desk.call(
            "query_container",
            json!({"operation": "search", "containerType": "task", "projectId": project.id.to_string(),
                "status": status.word(), "limit": args.limit}),
        )?;
        columns.push(json!({"status": status.word(), "total": found["total"], "tasks": found["items"]}));
    }
    let board = json!({"project": {"id": project.id.to_string(), "name": project.name}, "columns": Value::Array(columns)});
    desk.tell(&board, || render::work::board(&board))
}
