//! `orbit knowledge`

mod files;

use super::store::{Desk, text};
use crate::args::{
    AtomCommand, ChangeArgs, ChangelogCommand, ContextArgs, DropArgs, KnowledgeArgs, KnowledgeCommand,
    ListUnitArgs, MakeArgs, MoleculeCommand, SuggestArgs, UnitArgs,
};
use crate::failure::Failure;
use crate::{code, render};
use orbit_knowledge::{Kind, Unit};
use serde_json::{Value, json};

pub(super) fn run(args: KnowledgeArgs) -> Result<(), Failure> {
    let desk = Desk::open(&args.place)?;
    let dir = args.place.dir;
    let project = args.project.as_deref();
    match args.command {
        KnowledgeCommand::Context(args) => context(&desk, project, &args),
        KnowledgeCommand::Molecule(command) => molecule(&desk, project, command),
        KnowledgeCommand::Atom(command) => atom(&desk, project, command),
        KnowledgeCommand::Changelog(command) => changelog(&desk, command),
        KnowledgeCommand::Coverage(args) => {
            let data = survey(&desk, project, "coverage", args.limit)?;
            desk.tell(&data, || render::knowledge::coverage(&data))
        }
        KnowledgeCommand::Suggest(args) => suggest(&desk, project, &args),
        KnowledgeCommand::Export(args) => {
            let data = files::export(&desk.store, &dir, &args.target)?;
            desk.tell(&data, || {
                let line = format!(
                    "{} files in {}, {} written, {} removed",
                    data["files"],
                    args.target.display(),
                    data["written"],
                    data["removed"]
                );
                render::line(&line)
            })
        }
        KnowledgeCommand::Import(args) => {
            let data = files::import(&desk.store, &dir, &args.target)?;
            desk.tell(&data, || render::knowledge::imported(&data))
        }
        KnowledgeCommand::Follow => {
            let data = code::follow_anchors(&desk.store)?;
            desk.tell(&data, || render::knowledge::followed(&data))
        }
        KnowledgeCommand::Backup { file } => {
            desk.store.backup(&file)?;
            let data = json!({"file": file.display().to_string()});
            desk.tell(&data, || render::line(&format!("wrote {}", file.display())))
        }
    }
}

fn molecule(desk: &Desk, project: Option<&str>, command: MoleculeCommand) -> Result<(), Failure> {
    match command {
        MoleculeCommand::Create(args) => create(desk, project, Unit::Molecule, &args),
        MoleculeCommand::List(args) => list(desk, project, Unit::Molecule, &args),
        MoleculeCommand::Show(args) => show(desk, Unit::Molecule, &args),
        MoleculeCommand::Update(args) => update(desk, Unit::Molecule, &args),
        MoleculeCommand::Delete(args) => change(desk, Unit::Molecule, "delete", &args),
    }
}

fn atom(desk: &Desk, project: Option<&str>, command: AtomCommand) -> Result<(), Failure> {
    match command {
        AtomCommand::Create(args) => create(desk, project, Unit::Atom, &args),
        AtomCommand::List(args) => list(desk, project, Unit::Atom, &args),
        AtomCommand::Show(args) => show(desk, Unit::Atom, &args),
        AtomCommand::Update(args) => update(desk, Unit::Atom, &args),
        AtomCommand::Reaffirm(args) => change(desk, Unit::Atom, "reaffirm", &args),
        AtomCommand::Promote(args) => change(desk, Unit::Atom, "promote", &args),
        AtomCommand::Delete(args) => change(desk, Unit::Atom, "delete", &args),
    }
}

fn task_id(desk: &Desk, named: Option<&String>) -> Result<Option<String>, Failure> {
    desk.maybe(Kind::Task, named.map(String::as_str))
}

fn molecule_id(desk: &Desk, named: Option<&String>) -> Result<Option<String>, Failure> {
    let found = named.map(|text| desk.store.find_unit(Unit::Molecule, text)).transpose()?;
    Ok(found.map(|found| found.id.to_string()))
}

/// `None` when nothing was given; one empty text stands for an empty list.
fn list_of(given: &[String]) -> Option<Vec<&String>> {
    (!given.is_empty()).then(|| given.iter().filter(|text| !text.is_empty()).collect())
}

fn context(desk: &Desk, project: Option<&str>, args: &ContextArgs) -> Result<(), Failure> {
    let task = task_id(desk, args.task.as_ref())?;
    let project =
        if task.is_some() && project.is_none() { None } else { Some(desk.project(project)?.id.to_string()) };
    let arguments = json!({
        "operation": "context", "projectId": project, "paths": list_of(&args.paths), "diff": args.diff,
        "selectors": list_of(&args.selectors), "taskId": task, "maxTokens": args.max_tokens,
    });
    let (_, data) = desk.call("query_graph", arguments)?;
    desk.tell(&data, || render::knowledge::context(&data))
}

fn survey(desk: &Desk, project: Option<&str>, operation: &str, limit: u32) -> Result<Value, Failure> {
    let project = desk.project(project)?.id.to_string();
    let arguments = json!({"operation": operation, "projectId": project, "limit": limit});
    Ok(desk.call("query_graph", arguments)?.1)
}

fn suggest(desk: &Desk, project: Option<&str>, args: &SuggestArgs) -> Result<(), Failure> {
    let mut data = survey(desk, project, "suggest", args.limit)?;
    if args.write {
        let task = task_id(desk, args.task.as_ref())?;
        let mut made = Vec::new();
        for draft in data["suggestions"].as_array().into_iter().flatten() {
            let mut arguments = draft["arguments"].clone();
            arguments["createdByTaskId"] = json!(task);
            made.push(desk.call("manage_graph", arguments)?.1["atom"].clone());
        }
        data["created"] = made.into();
    }
    desk.tell(&data, || render::knowledge::suggestions(&data))
}

fn create(desk: &Desk, project: Option<&str>, unit: Unit, args: &MakeArgs) -> Result<(), Failure> {
    let mut arguments = json!({
        "operation": "create", "entityType": unit.word(), "projectId": desk.project(project)?.id.to_string(),
        "name": args.name, "createdByTaskId": task_id(desk, Some(&args.task))?,
        "knowledge": args.knowledge.as_deref().map(text).transpose()?,
        "moleculeId": molecule_id(desk, args.molecule.as_ref())?, "anchors": list_of(&args.anchors),
    });
    if unit == Unit::Atom || !args.paths.is_empty() {
        arguments["paths"] = json!(args.paths);
    }
    let (_, data) = desk.call("manage_graph", arguments)?;
    desk.tell(&data, || render::knowledge::made(&data[unit.word()]))
}

fn list(desk: &Desk, project: Option<&str>, unit: Unit, args: &ListUnitArgs) -> Result<(), Failure> {
    let mut arguments = json!({
        "operation": "search", "entityType": unit.word(), "projectId": desk.project(project)?.id.to_string(),
        "query": args.query, "moleculeId": molecule_id(desk, args.molecule.as_ref())?,
        "includeChangelog": false, "limit": args.limit, "offset": args.offset,
    });
    if args.orphans {
        arguments["orphansOnly"] = true.into();
    }
    if args.proposed {
        arguments["status"] = "proposed".into();
    }
    let (_, data) = desk.call("query_graph", arguments)?;
    desk.tell(&data, || render::knowledge::list(&data))
}

fn show(desk: &Desk, unit: Unit, args: &UnitArgs) -> Result<(), Failure> {
    let id = desk.store.find_unit(unit, &args.id)?.id.to_string();
    let (_, data) =
        desk.call("query_graph", json!({"operation": "get", "entityType": unit.word(), "id": id}))?;
    desk.tell(&data, || render::knowledge::show(&data, unit.word()))
}

fn update(desk: &Desk, unit: Unit, args: &ChangeArgs) -> Result<(), Failure> {
    let found = desk.store.find_unit(unit, &args.id)?;
    let given = args.knowledge.as_ref().or(args.append.as_ref());
    let mut arguments = json!({
        "operation": "update", "entityType": unit.word(), "id": found.id.to_string(),
        "version": args.at.unwrap_or(found.version), "name": args.name,
        "knowledge": given.map(|given| text(given)).transpose()?,
        "knowledgeMode": args.append.as_ref().map(|_| "append"), "paths": list_of(&args.paths),
        "anchors": list_of(&args.anchors), "lastTaskId": task_id(desk, args.task.as_ref())?,
    });
    arguments["moleculeId"] = match args.molecule.as_deref() {
        Some("") => "".into(),
        _ => json!(molecule_id(desk, args.molecule.as_ref())?),
    };
    desk.done("manage_graph", arguments)
}

fn change(desk: &Desk, unit: Unit, operation: &str, args: &DropArgs) -> Result<(), Failure> {
    let found = desk.store.find_unit(unit, &args.id)?;
    let mut arguments = json!({
        "operation": operation, "entityType": unit.word(), "id": found.id.to_string(),
        "version": args.at.unwrap_or(found.version), "lastTaskId": task_id(desk, args.task.as_ref())?,
    });
    if args.cascade {
        arguments["cascade"] = true.into();
    }
    desk.done("manage_graph", arguments)
}

fn changelog(desk: &Desk, command: ChangelogCommand) -> Result<(), Failure> {
    let unit = |is_molecule: bool| if is_molecule { Unit::Molecule } else { Unit::Atom };
    match command {
        ChangelogCommand::Append { id, summary, task, molecule } => {
            let parent = desk.store.find_unit(unit(molecule), &id)?.id.to_string();
            let arguments = json!({"operation": "append", "parentType": unit(molecule).word(), "parentId": parent,
                "taskId": task_id(desk, Some(&task))?, "summary": summary});
            desk.done("manage_changelog", arguments)
        }
        ChangelogCommand::List { id, molecule, limit, offset } => {
            let parent = desk.store.find_unit(unit(molecule), &id)?.id.to_string();
            let arguments = json!({"operation": "search", "parentType": unit(molecule).word(), "parentId": parent,
                "limit": limit, "offset": offset});
            let (_, data): (String, Value) = desk.call("manage_changelog", arguments)?;
            desk.tell(&data, || render::knowledge::changelog(&data))
        }
    }
}
