//! Files that are called like what they hold: modules of Rust, classes of Java.

use crate::error::{RefactorError, Refusal};
use crate::plan::{Entry, FileChange, Plan};
use crate::worktree::Worktree;
use orbit_extract::{Lang, SymbolAddress};
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::path::Path;

/// Moves the files of what was renamed to where the new name looks for them.
pub(crate) fn follow(
    facts: &Facts<'_>,
    worktree: &Worktree,
    subject: &SymbolFacts,
    new_name: &str,
    plan: &mut Plan,
) -> Result<(), RefactorError> {
    match subject.lang {
        Lang::Rust => follow_module(facts, worktree, subject, new_name, plan),
        Lang::Java => follow_class(worktree, subject, new_name, plan),
        _ => Ok(()),
    }
}

/// Moves the file of a renamed class: the compiler looks for a public one in a file of its name.
fn follow_class(
    worktree: &Worktree,
    subject: &SymbolFacts,
    new_name: &str,
    plan: &mut Plan,
) -> Result<(), RefactorError> {
    let (dir, file) = subject.path.rsplit_once('/').unwrap_or(("", &subject.path));
    let is_own_file = file.strip_suffix(".java") == Some(subject.name.as_str());
    if subject.parent.is_some() || !subject.kind.is_type() || !is_own_file {
        return Ok(());
    }
    let to = if dir.is_empty() { format!("{new_name}.java") } else { format!("{dir}/{new_name}.java") };
    relocate(worktree, plan, &subject.path, &to)?;
    plan.files.sort_by(|a, b| a.path.cmp(&b.path));
    let own = subject.address();
    let renamed = plan.entries.iter().find_map(|entry| match entry {
        Entry::Rename { pre, post } if *pre == own => Some(post.clone()),
        _ => None,
    });
    if let Some(pre) = renamed {
        plan.entries.push(Entry::Move { post: SymbolAddress { path: to, ..pre.clone() }, pre });
    }
    Ok(())
}

/// Moves the files of a renamed `mod name;`.
fn follow_module(
    facts: &Facts<'_>,
    worktree: &Worktree,
    subject: &SymbolFacts,
    new_name: &str,
    plan: &mut Plan,
) -> Result<(), RefactorError> {
    let source = worktree.read_text(&subject.path)?;
    let text = &source[subject.span.0 as usize..subject.span.1 as usize];
    if subject.kind != SymbolKind::Module || !text.trim_end().ends_with(';') {
        return Ok(());
    }
    let above = source[..subject.span.0 as usize].trim_end().rsplit('\n').next().unwrap_or("");
    if text.contains("#[path") || above.contains("#[path") {
        return Ok(());
    }
    let dir = |path: &str| path.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
    let twin = facts.named(&subject.name)?.into_iter().find(|other| {
        other.kind == SymbolKind::Module
            && other.id != subject.id
            && dir(&other.path) == dir(&subject.path)
            && other.parent.is_none()
            && subject.parent.is_none()
    });
    if let Some(twin) = twin {
        let message = format!("the file of module `{}` belongs to another crate too", subject.name);
        return Err(Refusal::new("shared_file", message).places(vec![twin.selector()]).into());
    }
    let files = facts.files()?;
    let Some(own) = files.iter().find(|file| file.lang == Lang::Rust && file.module == subject.qualified)
    else {
        return Err(
            Refusal::new("not_found", format!("nobody knows the file of module `{}`", subject.name)).into()
        );
    };
    let (base, is_dir) = match own.path.strip_suffix("/mod.rs") {
        Some(base) => (base.to_owned(), true),
        None => (own.path.trim_end_matches(".rs").to_owned(), false),
    };
    let parent = dir(&base);
    let target = |rest: &str| format!("{parent}{new_name}{rest}");
    if !is_dir {
        relocate(worktree, plan, &own.path, &target(".rs"))?;
    }
    for path in below(worktree, &base)? {
        let rest = path[base.len()..].to_owned();
        relocate(worktree, plan, &path, &target(&rest))?;
    }
    plan.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

/// Every file below a directory, whether or not the index has it.
fn below(worktree: &Worktree, dir: &str) -> Result<Vec<String>, RefactorError> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        let full = worktree.root.join(&dir);
        if !full.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&full).map_err(RefactorError::file(&full))?.flatten() {
            let path = format!("{dir}/{}", entry.file_name().to_string_lossy());
            if Path::new(&worktree.root.join(&path)).is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

/// Puts a file elsewhere, with the edits it has in the plan.
fn relocate(worktree: &Worktree, plan: &mut Plan, from: &str, to: &str) -> Result<(), RefactorError> {
    if worktree.read(to)?.is_some() {
        return Err(Refusal::new("taken", format!("there is a file {to} already")).into());
    }
    let planned = plan.files.iter().position(|file| file.path == from).map(|at| plan.files.remove(at));
    let (before, after) = if let Some(file) = planned {
        (file.before, file.after)
    } else {
        let bytes = worktree.read(from)?;
        (bytes.clone(), bytes)
    };
    plan.files.push(FileChange { path: from.to_owned(), before, after: None, edits: Vec::new() });
    plan.files.push(FileChange { path: to.to_owned(), before: None, after, edits: Vec::new() });
    Ok(())
}
