//! `orbit board`

use super::store::{Desk, refused};
use crate::args::BoardArgs;
use crate::failure::Failure;
use crate::render;
use crate::render::work::{Board, BoardProject, Column};
use orbit_knowledge::{Kind, Listed, QueryContainer, Status};

pub(super) fn run(args: &BoardArgs) -> Result<(), Failure> {
    let desk = Desk::open(&args.store)?;
    let project = desk.project(args.project.as_deref())?;
    let mut states: Vec<Status> = desk.store.pipelines().of(Kind::Task).states().to_vec();
    states.push(Status::WillNotImplement);
    let mut columns = Vec::new();
    for status in states {
        let request = QueryContainer {
            container_type: Kind::Task.word().to_owned(),
            project_id: Some(project.id.to_string()),
            status: Some(vec![status.word().to_owned()].into()),
            limit: Some(args.limit.into()),
            ..QueryContainer::default()
        };
        let Listed { total, items: tasks, .. } =
            desk.store.search_containers(&request).map_err(refused)?.data;
        columns.push(Column { status, total, tasks });
    }
    let board = Board { project: BoardProject { id: project.id, name: project.name }, columns };
    desk.tell(&board, || render::work::board(&board))
}
