//! Python: `from m import name` follows; circles of imports and names reached through a module are refused.

use super::statement::{indent, item, line_start, without};
use super::{Need, Subject, cycles};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use orbit_extract::RefKind;
use orbit_graph::{ImportFacts, UseFacts};
use std::collections::BTreeSet;

pub(super) fn edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<String, RefactorError> {
    let old = subject.symbol.path.as_str();
    let is_package = |path: &str| path.ends_with("__init__.py");
    if is_package(&subject.target) {
        return Err(refuse("unsupported", "a package's own file is no place to move something to"));
    }
    let future = "from __future__ import annotations";
    if subject.text.contains(future)
        && !subject.target_text.contains(future)
        && !subject.target_text.trim().is_empty()
    {
        return Err(refuse("unsupported", format!("annotations mean something else in {}", subject.target)));
    }
    let rows = subject.uses()?;
    let (needs, _) = subject.needs()?;
    let lines = target_imports(subject, worktree, &needs)?;
    let users: BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    circles(subject, &needs, &users)?;
    strings(subject, worktree)?;
    if !lines.is_empty() {
        let at = import_place(&subject.target_text);
        draft.edit(&subject.target, Edit::new(at as u32, at as u32, lines.concat()));
    }
    let mut is_used_here = in_dunder_all(&subject.text, subject.name());
    for user in users {
        if user == old {
            is_used_here = true;
            continue;
        }
        let own: Vec<&UseFacts> = rows.iter().filter(|row| row.file == user).collect();
        let text = draft.text(worktree, user)?;
        for edit in user_edits(subject, worktree, user, &text, &own)? {
            draft.edit(user, edit);
        }
    }
    if is_used_here {
        let from = module_for(subject, worktree, old, &subject.target)?;
        let at = import_place(&subject.text);
        draft.edit(old, Edit::new(at as u32, at as u32, format!("from {from} import {}\n", subject.name())));
    }
    subject.moved_text(&[])
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// The imports that the definition brings along, as lines.
fn target_imports(
    subject: &Subject<'_>,
    worktree: &Worktree,
    needs: &[(String, Need)],
) -> Result<Vec<String>, RefactorError> {
    let known = subject.facts.imports_of(&subject.target)?;
    let own = subject.facts.of_file(&subject.target)?;
    let mut lines = BTreeSet::new();
    for (name, need) in needs {
        let bound = known.iter().find(|import| super::binding(import).as_deref() == Some(name));
        match need {
            Need::Stays(_) => {
                if bound.is_some_and(|bound| bound.resolved.as_deref() == Some(&subject.symbol.path)) {
                    continue;
                }
                free(subject, name, bound.is_some(), &own)?;
                let from = module_for(subject, worktree, &subject.target, &subject.symbol.path)?;
                lines.insert(format!("from {from} import {name}\n"));
            }
            Need::Import(import)
                if import.resolved.as_deref() == Some(&subject.target) && import.symbol.is_some() => {}
            Need::Import(import) => {
                let is_same = |bound: &ImportFacts| {
                    (&bound.symbol, &bound.alias) == (&import.symbol, &import.alias)
                        && (bound.module == import.module
                            || bound.resolved.is_some() && bound.resolved == import.resolved)
                };
                if bound.is_some_and(is_same) {
                    continue;
                }
                free(subject, name, bound.is_some(), &own)?;
                lines.insert(import_line(subject, worktree, import)?);
            }
        }
    }
    Ok(lines.into_iter().collect())
}

/// A name that the target may not have already.
fn free(
    subject: &Subject<'_>,
    name: &str,
    is_bound: bool,
    own: &[orbit_graph::SymbolFacts],
) -> Result<(), RefactorError> {
    if is_bound || own.iter().any(|symbol| symbol.parent.is_none() && symbol.name == name) {
        return Err(refuse("taken", format!("`{name}` means something else in {}", subject.target)));
    }
    Ok(())
}

fn import_line(
    subject: &Subject<'_>,
    worktree: &Worktree,
    import: &ImportFacts,
) -> Result<String, RefactorError> {
    let line = subject.text.lines().nth(import.line as usize - 1).unwrap_or("");
    let is_listed = line.trim_start().starts_with("import") || line.trim_start().starts_with("from");
    let statement = if is_listed { line } else { opening_line(&subject.text, import.line) };
    if statement.starts_with([' ', '\t']) {
        return Err(refuse(
            "unsupported",
            format!("{} is imported under a condition", super::binding(import).unwrap_or_default()),
        ));
    }
    let alias = import.alias.as_ref().filter(|alias| Some(*alias) != import.symbol.as_ref());
    let alias = alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
    let Some(symbol) = &import.symbol else {
        let alias =
            if import.module.split('.').next() == import.alias.as_deref() { String::new() } else { alias };
        return Ok(format!("import {}{alias}\n", import.module));
    };
    let dir = |path: &str| path.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
    let module = if import.module.starts_with('.') && dir(&subject.symbol.path) != dir(&subject.target) {
        let Some(resolved) = &import.resolved else {
            return Err(refuse("unsupported", format!("nobody knows where {} leads", import.module)));
        };
        module_for(subject, worktree, &subject.target, resolved)?
    } else {
        import.module.clone()
    };
    Ok(format!("from {module} import {symbol}{alias}\n"))
}

/// The first line of the statement that a line is part of.
fn opening_line(text: &str, line: u32) -> &str {
    let lines: Vec<&str> = text.lines().take(line as usize).collect();
    lines
        .iter()
        .rev()
        .find(|line| line.trim_start().starts_with("from ") || line.trim_start().starts_with("import "))
        .copied()
        .unwrap_or("")
}

/// How one file names another in an import.
fn module_for(
    subject: &Subject<'_>,
    worktree: &Worktree,
    from: &str,
    to: &str,
) -> Result<String, RefactorError> {
    let split = |path: &str| {
        path.rsplit_once('/')
            .map_or((String::new(), path.to_owned()), |(dir, file)| (dir.to_owned(), file.to_owned()))
    };
    let ((from_dir, _), (to_dir, to_file)) = (split(from), split(to));
    let stem = to_file.trim_end_matches(".pyi").trim_end_matches(".py");
    if from_dir == to_dir {
        let has_package = worktree.root.join(&to_dir).join("__init__.py").exists();
        return Ok(if has_package { format!(".{stem}") } else { stem.to_owned() });
    }
    let module = subject.facts.file(to)?.map(|file| file.module).unwrap_or_default();
    let is_package = worktree.root.join(&to_dir).join("__init__.py").exists();
    if module.is_empty() || !is_package {
        return Err(refuse("unsupported", format!("{from} has no way to import {to}")));
    }
    Ok(module)
}

/// Refuses what would make files import each other while they are loaded.
fn circles(
    subject: &Subject<'_>,
    needs: &[(String, Need)],
    users: &BTreeSet<&str>,
) -> Result<(), RefactorError> {
    let (facts, old, target) = (subject.facts, subject.symbol.path.as_str(), subject.target.as_str());
    let circle =
        |file: &str| Err(refuse("circular_import", format!("{target} and {file} would import each other")));
    let needs_old = needs.iter().any(|(_, need)| matches!(need, Need::Stays(_)));
    if needs_old && (users.contains(old) || cycles::imports(facts, old, target)?) {
        return circle(old);
    }
    for (_, need) in needs {
        if let Need::Import(ImportFacts { resolved: Some(file), .. }) = need
            && file != target
            && cycles::imports(facts, file, target)?
        {
            return circle(file);
        }
    }
    for user in users {
        if *user != target && cycles::imports(facts, target, user)? {
            return circle(user);
        }
        // What the target is about to import must not import the users either.
        for (_, need) in needs {
            if let Need::Import(ImportFacts { resolved: Some(file), .. }) = need
                && (file == user || cycles::imports(facts, file, user)?)
            {
                return circle(user);
            }
        }
        if needs_old && cycles::imports(facts, old, user)? {
            return circle(user);
        }
    }
    Ok(())
}

/// Refuses a name that strings spell with its module.
fn strings(subject: &Subject<'_>, worktree: &Worktree) -> Result<(), RefactorError> {
    let stem = subject.symbol.path.rsplit('/').next().unwrap_or("").trim_end_matches(".py").to_owned();
    let dotted = format!("{stem}.{}", subject.name());
    let mut places = Vec::new();
    for file in subject.facts.files()?.into_iter().filter(|file| file.lang == subject.symbol.lang) {
        let text = worktree.read_text(&file.path)?;
        for (at, _) in text.match_indices(&dotted) {
            let is_end = !text[at + dotted.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let is_start = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if is_end && is_start {
                let line = text[..at].matches('\n').count() + 1;
                places.push(format!("{}:{line}: reached through its module", file.path));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("module_attribute", "it is reached through the name of its module")
        .places(places)
        .into())
}

/// What changes in a file that imports the definition.
fn user_edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    user: &str,
    text: &str,
    rows: &[&UseFacts],
) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    for row in rows.iter().filter(|row| row.kind == RefKind::Use) {
        let at = row.span.0 as usize;
        let Some(statement) = From::around(text, at) else { continue };
        if !denotes(subject, user, statement.module(text)) {
            continue; // through another module, which imports it itself
        }
        let taken = item(text, statement.list, at);
        let whole = &text[taken.0..taken.1];
        if user == subject.target {
            edits.push(match without(text, statement.list, taken) {
                Some(edit) => edit,
                None => Edit::new(statement.start as u32, statement.end as u32, ""),
            });
            continue;
        }
        let module = module_for(subject, worktree, user, &subject.target)?;
        match without(text, statement.list, taken) {
            None => edits.push(Edit::new(statement.module.0 as u32, statement.module.1 as u32, module)),
            Some(edit) => {
                edits.push(edit);
                let indent = indent(text, statement.start);
                let end = statement.end as u32;
                edits.push(Edit::new(end, end, format!("{indent}from {module} import {whole}\n")));
            }
        }
    }
    Ok(edits)
}

/// Whether a module's name means the file that the definition leaves.
fn denotes(subject: &Subject<'_>, user: &str, module: &str) -> bool {
    let old = subject.symbol.path.trim_end_matches(".py").trim_end_matches("/__init__");
    let name = module.trim_start_matches('.');
    let dots = module.len() - name.len();
    let path = name.replace('.', "/");
    if dots == 0 {
        return old == path || old.ends_with(&format!("/{path}"));
    }
    let mut dir: Vec<&str> = user.split('/').collect();
    dir.truncate(dir.len().saturating_sub(dots));
    if !path.is_empty() {
        dir.push(&path);
    }
    dir.join("/") == old
}

/// `from module import list`.
struct From {
    start: usize,
    /// Behind the line end.
    end: usize,
    module: (usize, usize),
    list: (usize, usize),
}

impl From {
    /// The statement round a name.
    fn around(text: &str, at: usize) -> Option<From> {
        let mut start = line_start(text, at);
        while !text[start..].trim_start().starts_with("from ") {
            start = line_start(text, start.checked_sub(1)?);
        }
        let begin = start + indent(text, start).len();
        let import = begin + text[begin..].find(" import")?;
        let module = (begin + 5, begin + 5 + text[begin + 5..import].trim_end().len());
        let mut from = import + 7;
        let open = text[from..].trim_start_matches([' ', '\t']);
        from = text.len() - open.len();
        let (list, rest) = if open.starts_with('(') {
            let close = from + text[from..].find(')')?;
            ((from + 1, close), close + 1)
        } else {
            let close = text[from..].find('\n').map_or(text.len(), |end| from + end);
            let code = text[from..close].find('#').map_or(close, |hash| from + hash);
            ((from, code), close)
        };
        let end = text[rest..].find('\n').map_or(text.len(), |end| rest + end + 1);
        (list.0 <= at && at < list.1).then_some(From { start, end, module, list })
    }

    fn module<'t>(&self, text: &'t str) -> &'t str {
        &text[self.module.0..self.module.1]
    }
}

/// Where one more import goes: behind the last one of the file, or behind what it says about itself.
fn import_place(text: &str) -> usize {
    let mut at = 0;
    let mut place = None;
    let mut depth = 0;
    let mut in_import = false;
    for line in text.split_inclusive('\n') {
        let starts = (line.starts_with("import ") || line.starts_with("from ")) && depth == 0;
        if starts || in_import {
            let code = line.split('#').next().unwrap_or(line);
            depth += code.matches('(').count() as i32 - code.matches(')').count() as i32;
            in_import = depth > 0 || code.trim_end().ends_with('\\');
            if !in_import {
                place = Some(at + line.len());
            }
        }
        at += line.len();
    }
    place.unwrap_or_else(|| behind_docstring(text))
}

fn behind_docstring(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n').take_while(|line| line.starts_with('#') || line.trim().is_empty())
    {
        at += line.len();
    }
    let rest = &text[at..];
    for quote in ["\"\"\"", "'''"] {
        if rest.starts_with(quote)
            && let Some(end) = rest[3..].find(quote)
        {
            let end = at + 3 + end + 3;
            return text[end..].find('\n').map_or(text.len(), |line| end + line + 1);
        }
    }
    at
}

fn in_dunder_all(text: &str, name: &str) -> bool {
    let Some(at) = text.find("__all__") else { return false };
    let list = &text[at..];
    let list = &list[..list.find([']', ')']).unwrap_or(list.len())];
    list.contains(&format!("\"{name}\"")) || list.contains(&format!("'{name}'"))
}
