//! TypeScript and JavaScript: named imports and re-exports follow, with the extension that the file writes.

mod specifiers;

use super::statement::{item, without};
use super::{Need, Subject, cycles};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use orbit_extract::RefKind;
use orbit_graph::{ImportFacts, SymbolFacts, SymbolKind, UseFacts};
use specifiers::{Statement, denotes, extension_of, join, relative, specifier, style};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<String, RefactorError> {
    let old = subject.symbol.path.as_str();
    if !subject.symbol.exported && subject.text.contains("module.exports") {
        return Err(refuse("unsupported", "CommonJS modules cannot be followed"));
    }
    if subject.pieces.iter().any(|piece| is_taken_apart(subject, piece)) {
        return Err(refuse("unsupported", "it is taken out of a value together with its statement"));
    }
    let rows = subject.uses()?;
    let (needs, unneeded) = subject.needs()?;
    let users: BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    circles(subject, &needs, &users)?;
    let mut lines = BTreeSet::new();
    target_imports(subject, &needs, &mut lines, draft)?;
    let mut inner = Vec::new();
    if !users.is_empty() {
        inner.extend(exports(subject)?);
    }
    let mut is_used_here = false;
    let mut removed: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    for user in users {
        let own: Vec<&UseFacts> = rows.iter().filter(|row| row.file == user).collect();
        if user == old {
            is_used_here = true;
            if own.iter().any(|row| row.kind == RefKind::Use) {
                return Err(refuse("unsupported", "it is exported apart from its definition"));
            }
            continue;
        }
        let text = draft.text(worktree, user)?;
        removed.insert(user.to_owned(), user_edits(subject, user, &text, &own)?);
    }
    for (user, edits) in removed {
        for edit in edits {
            draft.edit(&user, edit);
        }
    }
    barrels(subject, worktree, draft)?;
    if is_used_here {
        let spec = specifier(old, &subject.target, style(&subject.text));
        lines_into(
            draft,
            old,
            &subject.text,
            &[format!(
                "import {}{{ {} }} from \"{spec}\";\n",
                type_word(subject, &subject.symbol)?,
                subject.name()
            )],
        );
    }
    take_out(subject, &unneeded, draft);
    let lines: Vec<String> = lines.into_iter().collect();
    lines_into(draft, &subject.target.clone(), &subject.target_text, &lines);
    subject.moved_text(&inner)
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// Whether a constant is part of a pattern: `const { keys: getKeys } = Object`.
fn is_taken_apart(subject: &Subject<'_>, piece: &SymbolFacts) -> bool {
    let text = &subject.text[piece.span.0 as usize..piece.span.1 as usize];
    let head = &subject.text[..piece.span.0 as usize];
    let line = head.rsplit('\n').next().unwrap_or("");
    let mut code = text;
    while let Some(rest) =
        ["export ", "declare ", "const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word))
    {
        code = rest;
    }
    let is_variable = matches!(piece.kind, SymbolKind::Const | SymbolKind::Variable);
    is_variable && (!code.starts_with(&piece.name) || line.contains(['{', '[']))
}

/// `type ` for what is nothing but a type: no class, constant or function has its name too.
fn type_word(subject: &Subject<'_>, symbol: &SymbolFacts) -> Result<&'static str, RefactorError> {
    let is_type = |symbol: &SymbolFacts| matches!(symbol.kind, SymbolKind::Interface | SymbolKind::TypeAlias);
    let mut same = subject.facts.of_file(&symbol.path)?;
    same.retain(|other| other.unnumbered() == symbol.unnumbered() && other.parent.is_none());
    Ok(if same.iter().all(is_type) && is_type(symbol) { "type " } else { "" })
}

/// What is evaluated when its file is loaded must not be part of a circle.
fn circles(
    subject: &Subject<'_>,
    needs: &[(String, Need)],
    users: &BTreeSet<&str>,
) -> Result<(), RefactorError> {
    let (facts, target) = (subject.facts, subject.target.as_str());
    let is_late = |kind: SymbolKind| {
        matches!(kind, SymbolKind::Function | SymbolKind::Interface | SymbolKind::TypeAlias)
    };
    if is_late(subject.symbol.kind)
        && needs.iter().all(|(_, need)| !matches!(need, Need::Stays(stays) if !is_late(stays.kind)))
    {
        return Ok(());
    }
    for user in users {
        if *user != target && cycles::imports(facts, target, user)? {
            return Err(refuse("circular_import", format!("{target} and {user} would import each other")));
        }
    }
    let needs_old = needs.iter().any(|(_, need)| matches!(need, Need::Stays(_)));
    if needs_old && cycles::imports(facts, &subject.symbol.path, target)? {
        return Err(refuse(
            "circular_import",
            format!("{target} and {} would import each other", subject.symbol.path),
        ));
    }
    Ok(())
}

/// The imports that the definition brings along.
fn target_imports(
    subject: &Subject<'_>,
    needs: &[(String, Need)],
    lines: &mut BTreeSet<String>,
    draft: &mut Draft,
) -> Result<(), RefactorError> {
    let known = subject.facts.imports_of(&subject.target)?;
    let own = subject.facts.of_file(&subject.target)?;
    let extension =
        if subject.target_text.contains("from") { style(&subject.target_text) } else { style(&subject.text) };
    for (name, need) in needs {
        let bound = known.iter().find(|import| super::binding(import).as_deref() == Some(name));
        let is_taken =
            bound.is_some() || own.iter().any(|symbol| symbol.parent.is_none() && symbol.name == *name);
        match need {
            Need::Stays(symbol) => {
                if bound.is_some_and(|bound| bound.resolved.as_deref() == Some(&subject.symbol.path)) {
                    continue;
                }
                if is_taken {
                    return Err(refuse(
                        "taken",
                        format!("`{name}` means something else in {}", subject.target),
                    ));
                }
                if !symbol.exported {
                    draft.edit(&subject.symbol.path, export_word(&subject.text, symbol)?);
                }
                let spec = specifier(&subject.target, &subject.symbol.path, extension);
                lines
                    .insert(format!("import {}{{ {name} }} from \"{spec}\";\n", type_word(subject, symbol)?));
            }
            Need::Import(import)
                if import.resolved.as_deref() == Some(&subject.target) && import.symbol.is_some() => {}
            Need::Import(import) => {
                let is_same = |bound: &ImportFacts| {
                    bound.symbol == import.symbol
                        && (bound.module == import.module
                            || bound.resolved.is_some() && bound.resolved == import.resolved)
                };
                if bound.is_some_and(is_same) {
                    continue;
                }
                if is_taken {
                    return Err(refuse(
                        "taken",
                        format!("`{name}` means something else in {}", subject.target),
                    ));
                }
                lines.insert(import_line(subject, import)?);
            }
        }
    }
    Ok(())
}

/// An import of the old file, as the target writes it.
fn import_line(subject: &Subject<'_>, import: &ImportFacts) -> Result<String, RefactorError> {
    let statement = Statement::at_line(&subject.text, import.line)
        .ok_or_else(|| refuse("unsupported", "an import is written in a way that cannot be followed"))?;
    let text = &subject.text[statement.start..statement.end];
    let word = if text.starts_with("import type") { "type " } else { "" };
    let name = super::binding(import).unwrap_or_default();
    let module = if import.module.starts_with('.') {
        let base = join(&subject.symbol.path, &import.module);
        relative(&subject.target, &base)
    } else {
        import.module.clone()
    };
    let is_typed = |name: &str| text.contains(&format!("type {name}")) && word.is_empty();
    Ok(match import.symbol.as_deref() {
        Some("default") => format!("import {word}{name} from \"{module}\";\n"),
        Some(symbol) if symbol == name => {
            let inline = if is_typed(symbol) { "type " } else { "" };
            format!("import {word}{{ {inline}{symbol} }} from \"{module}\";\n")
        }
        Some(symbol) => format!("import {word}{{ {symbol} as {name} }} from \"{module}\";\n"),
        None => format!("import {word}* as {name} from \"{module}\";\n"),
    })
}

/// `export` before a definition that others need now.
fn exports(subject: &Subject<'_>) -> Result<Vec<Edit>, RefactorError> {
    let unseen = subject.pieces.iter().filter(|piece| !piece.exported);
    unseen.map(|piece| export_word(&subject.text, piece)).collect()
}

/// Words that a definition can begin with.
const WORDS: [&str; 11] =
    ["function", "class", "interface", "type", "const", "let", "var", "enum", "async", "abstract", "declare"];

fn export_word(text: &str, symbol: &SymbolFacts) -> Result<Edit, RefactorError> {
    let rest = &text[symbol.span.0 as usize..];
    if !WORDS.iter().any(|word| rest.starts_with(word)) {
        return Err(refuse("unsupported", format!("`{}` cannot be exported where it stands", symbol.name)));
    }
    Ok(Edit::new(symbol.span.0, symbol.span.0, "export "))
}

/// What changes in a file that imports the definition.
fn user_edits(
    subject: &Subject<'_>,
    user: &str,
    text: &str,
    rows: &[&UseFacts],
) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    let mut is_followed = false;
    for row in rows.iter().filter(|row| row.kind == RefKind::Use) {
        let at = row.span.0 as usize;
        let Some(statement) = Statement::around(text, at) else {
            return Err(refuse(
                "unsupported",
                format!("{user}:{}: an import is written in a way that cannot be followed", row.line),
            ));
        };
        is_followed = true;
        if !denotes(user, statement.module(text), &subject.symbol.path) {
            continue; // through another file, which has it from there
        }
        let Some(list) = statement.list.filter(|list| list.0 <= at && at < list.1) else {
            return Err(refuse("unsupported", format!("{user}:{}: a default or namespace import", row.line)));
        };
        let taken = item(text, list, at);
        if user == subject.target {
            edits.push(
                without(text, list, taken)
                    .unwrap_or_else(|| Edit::new(statement.start as u32, statement.end as u32, "")),
            );
            continue;
        }
        let spec = specifier(user, &subject.target, extension_of(statement.module(text)));
        match without(text, list, taken) {
            None => edits.push(Edit::new(statement.module.0 as u32, statement.module.1 as u32, spec)),
            Some(edit) => {
                edits.push(edit);
                let head = text[statement.start..list.0].trim_end_matches('{').trim_end();
                let (end, item) = (statement.end as u32, &text[taken.0..taken.1]);
                edits.push(Edit::new(end, end, format!("{head} {{ {item} }} from \"{spec}\";\n")));
            }
        }
    }
    let through = rows.iter().any(|row| row.kind != RefKind::Use);
    if through && !is_followed {
        let message = format!("{user} reaches it through a namespace");
        return Err(refuse("unsupported", message));
    }
    Ok(edits)
}

/// Files that hand on everything the old file has must hand on this too.
fn barrels(subject: &Subject<'_>, worktree: &Worktree, draft: &mut Draft) -> Result<(), RefactorError> {
    if !subject.symbol.exported {
        return Ok(());
    }
    for file in
        subject.facts.files()?.into_iter().filter(|file| file.lang.family() == subject.symbol.lang.family())
    {
        let text = worktree.read_text(&file.path)?;
        if !text.contains("export *") {
            continue;
        }
        let mut at = 0;
        let mut found = None;
        let mut has_target = false;
        for line in text.split_inclusive('\n') {
            if let Some(rest) = line.trim_start().strip_prefix("export *")
                && let Some(spec) = rest.split(['"', '\'']).nth(1)
            {
                if rest.trim_start().starts_with("as ") && denotes(&file.path, spec, &subject.symbol.path) {
                    return Err(refuse(
                        "unsupported",
                        format!("{} hands its file on as a namespace", file.path),
                    ));
                }
                has_target |= denotes(&file.path, spec, &subject.target);
                if denotes(&file.path, spec, &subject.symbol.path) {
                    found = Some((at + line.len(), extension_of(spec).to_owned()));
                }
            }
            at += line.len();
        }
        if let Some((at, extension)) = found.filter(|_| !has_target) {
            draft.text(worktree, &file.path)?;
            let spec = specifier(&file.path, &subject.target, &extension);
            let line = format!(
                "export {}{{ {} }} from \"{spec}\";\n",
                type_word(subject, &subject.symbol)?,
                subject.name()
            );
            draft.edit(&file.path, Edit::new(at as u32, at as u32, line));
        }
    }
    Ok(())
}

/// Takes imports out of the old file that nothing there needs any more, each statement at once.
fn take_out(subject: &Subject<'_>, unneeded: &[ImportFacts], draft: &mut Draft) {
    let text = &subject.text;
    let mut statements: BTreeMap<usize, (Statement, BTreeSet<String>)> = BTreeMap::new();
    for import in unneeded {
        let Some(statement) = Statement::at_line(text, import.line) else { continue };
        let names = &mut statements.entry(statement.start).or_insert((statement, BTreeSet::new())).1;
        names.extend(super::binding(import));
    }
    for (statement, names) in statements.into_values() {
        let head = &text[statement.start..statement.list.map_or(statement.module.0, |list| list.0)];
        let whole = Edit::new(statement.start as u32, statement.end as u32, "");
        let Some(list) = statement.list else {
            if !head.contains(',') {
                draft.edit(&subject.symbol.path, whole);
            }
            continue;
        };
        let bound = |item: &str| item.rsplit(' ').next().unwrap_or(item).to_owned();
        let items: Vec<&str> =
            text[list.0..list.1].split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        let kept: Vec<&str> = items.iter().copied().filter(|item| !names.contains(&bound(item))).collect();
        let is_alone = !head.contains(',');
        if kept.is_empty() && is_alone {
            draft.edit(&subject.symbol.path, whole);
        } else if !kept.is_empty() && kept.len() < items.len() {
            let list = Edit::new(list.0 as u32, list.1 as u32, format!(" {} ", kept.join(", ")));
            draft.edit(&subject.symbol.path, list);
        }
    }
}

/// Adds import lines behind those that a file has.
fn lines_into(draft: &mut Draft, path: &str, text: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let mut place = 0;
    let mut at = 0;
    let mut is_open = false;
    for line in text.split_inclusive('\n') {
        let starts = line.starts_with("import ") || line.starts_with("import{");
        if starts || is_open {
            is_open = !(line.contains(" from ")
                || line.contains("from\"")
                || line.trim_end().ends_with(';')
                || line.starts_with("import \""));
            if !is_open {
                place = at + line.len();
            }
        }
        at += line.len();
    }
    draft.edit(path, Edit::new(place as u32, place as u32, lines.concat()));
}
