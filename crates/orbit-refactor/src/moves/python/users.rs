//! Files that name a definition by where it was: their imports follow it.

use super::own_names::Spelled;
use super::{World, refuse};
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::moves::Subject;
use crate::moves::statement::{indent, item, line_start, without, without_statements};
use orbit_extract::{Lang, Load, Place, Spelling, spellings};
use std::collections::BTreeSet;

/// What other files do with the definition.
#[derive(Default)]
pub(super) struct Users {
    /// Files that take it by its name, and their imports.
    pub(super) imports: Vec<(String, Vec<Import>)>,
    /// Files that have it as a part of its module: the old file has to hand it on.
    pub(super) through_module: BTreeSet<String>,
    /// Files that need it while they are loaded.
    pub(super) eager: BTreeSet<String>,
    /// Whether the old file itself still names it.
    pub(super) is_used_here: bool,
}

/// `from old import name` somewhere in a file.
pub(super) struct Import {
    pub(super) statement: From,
    /// The name as an item of the list, with its alias.
    pub(super) taken: (usize, usize),
    /// The name it has in the file.
    pub(super) bound: String,
}

/// Finds everybody who names the definition; refuses where a program reaches it by its name as a text.
pub(super) fn users(subject: &Subject<'_>, world: &World<'_>) -> Result<Users, RefactorError> {
    let mut users = Users::default();
    let mut strings = Vec::new();
    for file in world.files() {
        let text = world.text(file)?;
        if !text.contains(subject.name()) && !text.contains('*') {
            continue;
        }
        look(subject, world, &mut users, &mut strings, (file, &text))?;
    }
    if strings.is_empty() {
        return Ok(users);
    }
    Err(Refusal::new("module_attribute", "it is reached through the name of its module in a string")
        .places(strings)
        .into())
}

fn look(
    subject: &Subject<'_>,
    world: &World<'_>,
    users: &mut Users,
    strings: &mut Vec<String>,
    (file, text): (&str, &str),
) -> Result<(), RefactorError> {
    let (old, name) = (subject.symbol.path.as_str(), subject.name());
    let is_old = |module: &str| world.file_of(&world.absolute(file, module)).as_deref() == Some(old);
    for step in world.steps(file)?.iter().filter(|step| !(file == old && subject.goes(step.span.start))) {
        match &step.load {
            Load::Name { module, name, .. } if name == "*" && is_old(module) => {
                users.through_module.insert(file.to_owned());
            }
            Load::Use(used) if used == name => {
                users.eager.insert(file.to_owned());
            }
            _ => {}
        }
    }
    let found = spellings(file, Lang::Python, text.as_bytes(), &[name]);
    let found = found.map_err(|error| refuse("unreadable", format!("{file}: {}", error.as_str())))?;
    let spelled = Spelled { path: file, text, symbols: &subject.symbols, found: &found };
    let mut imports = Vec::new();
    for spelling in found.iter().filter(|spelling| !(file == old && subject.goes(spelling.span.start))) {
        let at = spelling.span.start as usize;
        match spelling.place {
            Place::Text if by_name(subject, text, spelling) => {
                strings.push(format!("{file}:{}: in a string", spelling.line));
            }
            Place::Member if !spelling.in_import => {
                let qualifier =
                    spelling.qualifier.map_or("", |span| &text[span.start as usize..span.end as usize]);
                if is_module(subject, file, qualifier)? {
                    if spelling.binds {
                        strings.push(format!("{file}:{}: its module gets another one", spelling.line));
                    }
                    users.through_module.insert(file.to_owned());
                }
            }
            Place::Path if spelling.in_import => {
                let Some(statement) = From::around(text, at).filter(|from| is_old(from.module(text))) else {
                    continue;
                };
                let taken = item(text, statement.list, at);
                let bound = text[taken.0..taken.1].rsplit(' ').next().unwrap_or(name).to_owned();
                imports.push(Import { statement, taken, bound });
            }
            Place::Plain if file == old && !spelling.in_import => {
                users.is_used_here |= !spelled.is_own(spelling);
            }
            _ => {}
        }
    }
    if !imports.is_empty() {
        users.imports.push((file.to_owned(), imports));
    }
    Ok(())
}

/// Whether a name of a file stands for the module that the definition leaves.
pub(super) fn is_module(subject: &Subject<'_>, file: &str, qualifier: &str) -> Result<bool, RefactorError> {
    let old = subject.symbol.path.trim_end_matches(".py").trim_end_matches("/__init__");
    let stem = old.rsplit('/').next().unwrap_or(old);
    if qualifier == stem {
        return Ok(true);
    }
    let imports = subject.facts.imports_of(file)?;
    Ok(imports.iter().any(|import| {
        let last = import.symbol.as_deref().unwrap_or(&import.module);
        let is_stem = last.rsplit('.').next() == Some(stem);
        import.alias.as_deref() == Some(qualifier) && is_stem
    }))
}

/// Whether a string names the definition so that a program can find it: `"pkg.mod.name"`, `setattr(mod, "name", …)`.
pub(super) fn by_name(subject: &Subject<'_>, text: &str, spelling: &Spelling) -> bool {
    let (start, end) = (spelling.span.start as usize, spelling.span.end as usize);
    let (before, after) = (&text[..start], &text[end..]);
    if !after.starts_with(['"', '\'']) {
        return is_path_in_text(subject, before);
    }
    let old = subject.symbol.path.trim_end_matches(".py").trim_end_matches("/__init__");
    let stem = old.rsplit('/').next().unwrap_or(old);
    if before.strip_suffix('.').is_some_and(|before| before.ends_with(stem)) {
        return true;
    }
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(160))..];
    let calls = ["setattr(", "getattr(", ".object(", "delattr(", "hasattr("];
    let is_open = |call: &str| near.rfind(call).is_some_and(|at| !near[at..].contains(')'));
    before.ends_with(['"', '\'']) && calls.iter().any(|call| is_open(call))
}

/// Whether the whole dotted path of the definition stands in a longer string: tests compare tracebacks and messages with
/// it. What documentation links to (`` :class:`pkg.mod.Name` ``) is only read by people.
fn is_path_in_text(subject: &Subject<'_>, before: &str) -> bool {
    let qualified = subject.symbol.qualified.as_str();
    let module = qualified.strip_suffix(subject.name()).unwrap_or("");
    let Some(head) = before.strip_suffix(module).filter(|_| module.contains('.')) else { return false };
    let is_link = head.ends_with(['`', '~', '<']);
    !is_link && !head.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.') && !in_docstring(head)
}

/// Whether a text ends inside of a string that is a statement of its own.
fn in_docstring(text: &str) -> bool {
    let open = text.rfind("\"\"\"").max(text.rfind("'''"));
    let Some(open) = open else { return false };
    let line = line_start(text, open);
    let is_first = text[line..open].trim_start_matches([' ', '\t', 'r', 'u', 'R', 'U']).is_empty();
    let above = text[..line].trim_end();
    is_first && (above.is_empty() || !above.ends_with(['(', ',', '=', '[', '{', '+', '\\', '%']))
}

/// What changes in the imports of a file. `None` for the place of the new import takes the name out only.
pub(super) fn follow(
    subject: &Subject<'_>,
    text: &str,
    imports: &[Import],
    module: Option<&str>,
) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    for Import { statement, taken, .. } in imports {
        let whole = &text[taken.0..taken.1];
        let rest = without(text, statement.list, *taken);
        match (rest, module) {
            (None, Some(module)) => {
                edits.push(Edit::new(statement.module.0 as u32, statement.module.1 as u32, module));
            }
            (None, None) => edits.extend(without_statements(text, &[(statement.start, statement.end)])),
            (Some(edit), module) => {
                edits.push(edit);
                let indent = indent(text, statement.start);
                let end = statement.end as u32;
                edits
                    .extend(module.map(|module| {
                        Edit::new(end, end, format!("{indent}from {module} import {whole}\n"))
                    }));
            }
        }
    }
    let mut starts: Vec<u32> = edits.iter().map(|edit| edit.span.0).collect();
    starts.sort_unstable();
    if starts.windows(2).any(|pair| pair[0] == pair[1]) {
        let message = format!("`{}` is imported twice in one statement", subject.name());
        return Err(refuse("unsupported", message));
    }
    Ok(edits)
}

/// `from module import list`.
pub(super) struct From {
    pub(super) start: usize,
    /// Behind the line end.
    pub(super) end: usize,
    pub(super) module: (usize, usize),
    pub(super) list: (usize, usize),
}

impl From {
    /// The statement round a name.
    pub(super) fn around(text: &str, at: usize) -> Option<From> {
        let mut start = line_start(text, at);
        while !text[start..].trim_start_matches([' ', '\t']).starts_with("from ") {
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

    pub(super) fn module<'t>(&self, text: &'t str) -> &'t str {
        &text[self.module.0..self.module.1]
    }
}
