//! `orbit knowledge`

mod driver;
mod files;

use super::store::{Desk, refused, text};
use crate::args::{
    AtomCommand, ChangeArgs, ChangelogCommand, ContextArgs, DropArgs, KnowledgeArgs, KnowledgeCommand,
    ListUnitArgs, MakeArgs, MoleculeCommand, StoreArgs, SuggestArgs, UnitArgs,
};
use crate::failure::Failure;
use crate::knowledge::{self, backups};
use crate::render;
use orbit_knowledge::{
    Change, CheckedAtom, Embedded, Kind, List, ManageChangelog, ManageGraph, QueryGraph, Suggestions, Unit,
    UnitChange,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(super) fn run(args: KnowledgeArgs) -> Result<(), Failure> {
    // These two work without a store that can be opened.
    match &args.command {
        KnowledgeCommand::MergeDriver(given) => return driver::run(&args.store.dir, given),
        KnowledgeCommand::Restore { file, list } => return restore(&args.store, file.as_deref(), *list),
        _ => {}
    }
    let desk = Desk::open(&args.store)?;
    let dir = args.store.dir;
    let project = args.project.as_deref();
    match args.command {
        KnowledgeCommand::MergeDriver(_) | KnowledgeCommand::Restore { .. } => Ok(()),
        KnowledgeCommand::Context(args) => context(&desk, project, &args),
        KnowledgeCommand::Molecule(command) => molecule(&desk, project, command),
        KnowledgeCommand::Atom(command) => atom(&desk, project, command),
        KnowledgeCommand::Changelog(command) => changelog(&desk, command),
        KnowledgeCommand::Coverage(args) => {
            let request = survey(&desk, project, args.limit)?;
            let data = desk.store.coverage(&request).map_err(refused)?.data;
            desk.tell(&data, || render::knowledge::coverage(&data))
        }
        KnowledgeCommand::Suggest(args) => suggest(&desk, project, &args),
        KnowledgeCommand::Export(args) => {
            let data = files::export(&desk.store, &dir, &args.dir.target, args.tasks)?;
            desk.tell(&data, || {
                let line = format!(
                    "{} files in {}, {} written, {} removed",
                    data.files,
                    args.dir.target.display(),
                    data.written,
                    data.removed
                );
                render::line(&line)?;
                for path in &data.kept {
                    render::warning(&format!("left {path}: it was changed since; import first"));
                }
                Ok(())
            })
        }
        KnowledgeCommand::Import(args) => {
            let data = files::import(&desk.store, &dir, &args.target)?;
            desk.tell(&data, || render::knowledge::imported(&data))
        }
        KnowledgeCommand::Follow => {
            let data = desk.store.follow_code()?;
            desk.tell(&data, || render::knowledge::followed(&data))
        }
        KnowledgeCommand::Backup { file } => {
            desk.store.backup(&file)?;
            let data = BackedUp { file: file.display().to_string() };
            desk.tell(&data, || render::line(&format!("wrote {}", data.file)))
        }
    }
}

/// Where a backup was written.
#[derive(Serialize)]
struct BackedUp {
    file: String,
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
fn list_of(given: &[String]) -> Option<Vec<String>> {
    (!given.is_empty()).then(|| given.iter().filter(|text| !text.is_empty()).cloned().collect())
}

fn context(desk: &Desk, project: Option<&str>, args: &ContextArgs) -> Result<(), Failure> {
    let task_id = task_id(desk, args.task.as_ref())?;
    let is_known = task_id.is_some() && project.is_none();
    let request = QueryGraph {
        project_id: if is_known { None } else { Some(desk.project(project)?.id.to_string()) },
        paths: list_of(&args.paths).map(List::from),
        diff: args.diff.clone(),
        selectors: list_of(&args.selectors).map(List::from),
        task_id,
        max_tokens: args.max_tokens.map(Into::into),
        ..QueryGraph::default()
    };
    let data = desk.store.context(&request).map_err(refused)?.data;
    desk.tell(&data, || render::knowledge::context(&data))
}

/// A question about the whole code.
fn survey(desk: &Desk, project: Option<&str>, limit: u32) -> Result<QueryGraph, Failure> {
    let project_id = Some(desk.project(project)?.id.to_string());
    Ok(QueryGraph { project_id, limit: Some(limit.into()), ..QueryGraph::default() })
}

fn suggest(desk: &Desk, project: Option<&str>, args: &SuggestArgs) -> Result<(), Failure> {
    let request = survey(desk, project, args.limit)?;
    let drafts = desk.store.suggestions(&request).map_err(refused)?.data;
    let mut created = None;
    if args.write {
        let task = task_id(desk, args.task.as_ref())?;
        let made = created.insert(Vec::new());
        for draft in &drafts.suggestions {
            let request = draft.arguments.request(task.clone());
            if let UnitChange::Atom { atom } = desk.store.create_unit(&request).map_err(refused)?.data {
                made.push(*atom);
            }
        }
    }
    let data = Suggested { drafts, created };
    desk.tell(&data, || {
        render::knowledge::suggestions(&data.drafts, data.created.as_deref().unwrap_or_default())
    })
}

/// Puts a backup in the place of the store.
fn restore(store: &StoreArgs, file: Option<&Path>, list: bool) -> Result<(), Failure> {
    let db = knowledge::place(&store.dir, store.db.as_deref())?;
    let copies = backups::listed(&db);
    if list {
        return copies.iter().try_for_each(|copy| render::line(&copy.display().to_string()));
    }
    let none = || Failure::input("no_backup", "there is no backup".into(), "name the file of one");
    let copy = file.or(copies.first().map(PathBuf::as_path)).ok_or_else(none)?;
    let aside = backups::restore(&db, copy)?;
    render::line(&format!("{} is as in {}", db.display(), copy.display()))?;
    aside.map_or(Ok(()), |aside| render::line(&format!("what was there is {}", aside.display())))
}

/// Drafts, and with `--write` the proposed atoms that were made of them.
#[derive(Serialize)]
struct Suggested {
    #[serde(flatten)]
    drafts: Suggestions,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<Vec<CheckedAtom>>,
}

fn create(desk: &Desk, project: Option<&str>, unit: Unit, args: &MakeArgs) -> Result<(), Failure> {
    let has_paths = unit == Unit::Atom || !args.paths.is_empty();
    let request = ManageGraph {
        entity_type: unit.word().to_owned(),
        project_id: Some(desk.project(project)?.id.to_string()),
        name: Some(args.name.clone()),
        created_by_task_id: task_id(desk, Some(&args.task))?,
        knowledge: args.knowledge.as_deref().map(text).transpose()?,
        molecule_id: Change::said(molecule_id(desk, args.molecule.as_ref())?),
        anchors: list_of(&args.anchors).map(Embedded::list),
        paths: has_paths.then(|| args.paths.clone().into()),
        ..ManageGraph::default()
    };
    let data = desk.store.create_unit(&request).map_err(refused)?.data;
    desk.tell(&data, || render::knowledge::made(&data))
}

fn list(desk: &Desk, project: Option<&str>, unit: Unit, args: &ListUnitArgs) -> Result<(), Failure> {
    let request = QueryGraph {
        operation: "search".to_owned(),
        entity_type: Some(unit.word().to_owned()),
        project_id: Some(desk.project(project)?.id.to_string()),
        query: args.query.clone(),
        molecule_id: molecule_id(desk, args.molecule.as_ref())?,
        include_changelog: Some(false.into()),
        limit: Some(args.limit.into()),
        offset: Some(args.offset.into()),
        orphans_only: Some(args.orphans.into()),
        status: args.proposed.then(|| "proposed".to_owned()),
        ..QueryGraph::default()
    };
    let data = desk.store.query_graph(&request).map_err(refused)?.data;
    desk.tell(&data, || render::knowledge::answer(&data))
}

fn show(desk: &Desk, unit: Unit, args: &UnitArgs) -> Result<(), Failure> {
    let request = QueryGraph {
        operation: "get".to_owned(),
        entity_type: Some(unit.word().to_owned()),
        id: Some(desk.store.find_unit(unit, &args.id)?.id.to_string()),
        ..QueryGraph::default()
    };
    let data = desk.store.query_graph(&request).map_err(refused)?.data;
    desk.tell(&data, || render::knowledge::answer(&data))
}

fn update(desk: &Desk, unit: Unit, args: &ChangeArgs) -> Result<(), Failure> {
    let found = desk.store.find_unit(unit, &args.id)?;
    let given = args.knowledge.as_ref().or(args.append.as_ref());
    let request = ManageGraph {
        operation: "update".to_owned(),
        entity_type: unit.word().to_owned(),
        id: Some(found.id.to_string()),
        version: Some(args.at.unwrap_or(found.version).into()),
        name: args.name.clone(),
        knowledge: given.map(|given| text(given)).transpose()?,
        knowledge_mode: args.append.as_ref().map(|_| "append".to_owned()),
        paths: list_of(&args.paths).map(Into::into),
        anchors: list_of(&args.anchors).map(Embedded::list),
        last_task_id: task_id(desk, args.task.as_ref())?,
        molecule_id: match args.molecule.as_deref() {
            Some("") => Change::Clear,
            _ => Change::said(molecule_id(desk, args.molecule.as_ref())?),
        },
        ..ManageGraph::default()
    };
    desk.done(desk.store.manage_graph(&request))
}

fn change(desk: &Desk, unit: Unit, operation: &str, args: &DropArgs) -> Result<(), Failure> {
    let found = desk.store.find_unit(unit, &args.id)?;
    let request = ManageGraph {
        operation: operation.to_owned(),
        entity_type: unit.word().to_owned(),
        id: Some(found.id.to_string()),
        version: Some(args.at.unwrap_or(found.version).into()),
        last_task_id: task_id(desk, args.task.as_ref())?,
        cascade: Some(args.cascade.into()),
        ..ManageGraph::default()
    };
    desk.done(desk.store.manage_graph(&request))
}

fn changelog(desk: &Desk, command: ChangelogCommand) -> Result<(), Failure> {
    let of = |is_molecule: bool, id: &str| -> Result<ManageChangelog, Failure> {
        let unit = if is_molecule { Unit::Molecule } else { Unit::Atom };
        Ok(ManageChangelog {
            parent_type: unit.word().to_owned(),
            parent_id: desk.store.find_unit(unit, id)?.id.to_string(),
            ..ManageChangelog::default()
        })
    };
    match command {
        ChangelogCommand::Append { id, summary, task, molecule } => {
            let parent = of(molecule, &id)?;
            let request = ManageChangelog {
                operation: "append".to_owned(),
                task_id: task_id(desk, Some(&task))?,
                summary: Some(summary),
                ..parent
            };
            desk.done(desk.store.manage_changelog(&request))
        }
        ChangelogCommand::List { id, molecule, limit, offset } => {
            let request = ManageChangelog {
                limit: Some(limit.into()),
                offset: Some(offset.into()),
                ..of(molecule, &id)?
            };
            let data = desk.store.search_changelog(&request).map_err(refused)?.data;
            desk.tell(&data, || render::knowledge::changelog(&data.entries))
        }
    }
}
