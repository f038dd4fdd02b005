//! Rust: inside of one crate. Paths through `use` follow, what must be seen from elsewhere becomes `pub(crate)`, and what
//! relies on where it stands is refused.

use super::statement::{item, line_start, without};
use super::{Need, Subject};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use orbit_extract::{Place, Spelling, spellings};
use orbit_graph::{ImportFacts, SymbolFacts, SymbolKind, UseFacts};
use std::collections::{BTreeMap, BTreeSet};

/// Traits of the standard library that are imported for their methods.
const TRAITS: [&str; 16] = [
    "Write",
    "Read",
    "BufRead",
    "Seek",
    "FromStr",
    "Hash",
    "Hasher",
    "Borrow",
    "Any",
    "Error",
    "TryFrom",
    "TryInto",
    "IsTerminal",
    "ToOwned",
    "FusedIterator",
    "BuildHasher",
];

pub(super) fn edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<String, RefactorError> {
    let places = Places::of(subject)?;
    let mut inner = privacy(subject, draft)?;
    let rows = subject.uses()?;
    let (needs, unneeded) = subject.needs()?;
    let mut lines = target_imports(subject, &places, &needs, draft)?;
    lines.extend(trait_imports(subject, &places)?);
    inner.extend(inner_paths(subject, &places)?);
    let users: BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    inner.extend(visibility(subject, &users));
    let mut is_used_here = false;
    for user in users {
        places.sees(subject, user)?;
        let own: Vec<&UseFacts> = rows.iter().filter(|row| row.file == user).collect();
        let text = draft.text(worktree, user)?;
        if user == subject.symbol.path {
            is_used_here = true;
        }
        for edit in user_edits(subject, &places, user, &text, &own)? {
            draft.edit(user, edit);
        }
    }
    // What is `pub` stays where others look for it, in other repositories too.
    let head = subject.text[subject.symbol.span.0 as usize..].split(subject.name()).next().unwrap_or("");
    let is_public = head.starts_with("pub ");
    if is_used_here || is_public {
        let word = if is_public {
            "pub "
        } else if subject.symbol.exported {
            "pub(crate) "
        } else {
            ""
        };
        let path =
            format!("{word}use {}::{};\n", places.path_from(&subject.symbol.path, subject)?, subject.name());
        let at = use_place(&subject.text);
        draft.edit(&subject.symbol.path, Edit::new(at as u32, at as u32, path));
    }
    for import in unneeded {
        take_out(subject, &import, draft);
    }
    if !lines.is_empty() {
        let at = use_place(&subject.target_text);
        draft.edit(&subject.target, Edit::new(at as u32, at as u32, lines.into_iter().collect::<String>()));
    }
    subject.moved_text(&inner)
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// The modules that a move is about.
struct Places {
    old: String,
    new: String,
    modules: BTreeMap<String, String>,
    /// Modules that are not `pub`.
    private: BTreeSet<String>,
}

impl Places {
    fn of(subject: &Subject<'_>) -> Result<Places, RefactorError> {
        let modules: BTreeMap<String, String> =
            subject.facts.files()?.into_iter().map(|file| (file.path, file.module)).collect();
        let old = modules.get(&subject.symbol.path).cloned().unwrap_or_default();
        let Some(new) = modules.get(&subject.target).cloned() else {
            return Err(refuse(
                "unsupported",
                format!("{} is no module yet; declare it first", subject.target),
            ));
        };
        let first = |module: &str| module.split("::").next().unwrap_or("").to_owned();
        if old.is_empty() || new.is_empty() || first(&old) != first(&new) {
            return Err(refuse("unsupported", "a definition can be moved inside of its crate only"));
        }
        let is_program = |path: &str| {
            ["examples/", "tests/", "benches/"]
                .iter()
                .any(|dir| path.starts_with(dir) || path.contains(&format!("/{dir}")))
                || path.ends_with("build.rs")
        };
        if is_program(&subject.symbol.path)
            || is_program(&subject.target)
            || modules.values().filter(|module| **module == new).count() > 1
        {
            return Err(refuse("unsupported", "programs of one file cannot share definitions"));
        }
        let declared = subject.facts.of_kind(SymbolKind::Module)?;
        let is_declared = !new.contains("::") || declared.iter().any(|module| module.qualified == new);
        if !is_declared {
            return Err(refuse("unsupported", format!("{} is no module of the crate", subject.target)));
        }
        let private =
            declared.into_iter().filter(|module| !module.exported).map(|module| module.qualified).collect();
        Ok(Places { old, new, modules, private })
    }

    fn module(&self, path: &str) -> &str {
        self.modules.get(path).map_or("", String::as_str)
    }

    /// A module as it is written from a file: `crate::…`, or the name of the crate from another one.
    fn written(&self, from: &str, module: &str) -> String {
        let first = |module: &str| module.split("::").next().unwrap_or("").to_owned();
        match module.split_once("::") {
            _ if first(self.module(from)) != first(module) => module.to_owned(),
            Some((_, rest)) => format!("crate::{rest}"),
            None => "crate".to_owned(),
        }
    }

    fn path_from(&self, from: &str, subject: &Subject<'_>) -> Result<String, RefactorError> {
        self.sees(subject, from)?;
        Ok(self.written(from, &self.new))
    }

    /// Every module on the way to the target can be named from a file.
    fn sees(&self, subject: &Subject<'_>, from: &str) -> Result<(), RefactorError> {
        let user = self.module(from);
        let is_same_crate = user.split("::").next() == self.new.split("::").next();
        let mut module = self.new.as_str();
        while let Some((outer, _)) = module.rsplit_once("::") {
            let below =
                user.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
            if self.private.contains(module) && !(is_same_crate && below) {
                return Err(refuse(
                    "not_visible",
                    format!("{from} cannot see module {module}, where `{}` would be", subject.name()),
                ));
            }
            module = outer;
        }
        Ok(())
    }
}

/// Private parts of what goes that others use, and of what stays that it uses, become visible in the crate. The edits of
/// what goes are returned. Refuses text that relies on macros of its file.
fn privacy(subject: &Subject<'_>, draft: &mut Draft) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    let all = subject.facts.of_file(&subject.symbol.path)?;
    for member in all.iter().filter(|symbol| subject.goes(symbol.span.0) && is_hidden(subject, symbol)) {
        let uses = subject.facts.uses_of(member.id)?;
        if uses.iter().any(|row| !(row.file == subject.symbol.path && subject.goes(row.span.0))) {
            edits.push(opened(subject, member)?);
        }
    }
    let mut done = BTreeSet::new();
    for row in subject.facts.uses_in(&subject.symbol.path)?.into_iter().filter(|row| subject.goes(row.span.0))
    {
        let Some(target) = row.target.map(|id| subject.facts.by_id(id)).transpose()?.flatten() else {
            continue;
        };
        let is_apart = !(target.path == subject.symbol.path && subject.goes(target.span.0));
        if is_apart && target.kind == SymbolKind::Macro {
            let message = format!("it uses the macro `{}`, which is known by where it stands", target.name);
            return Err(refuse("unsupported", message));
        }
        if is_apart
            && target.path == subject.symbol.path
            && is_hidden(subject, &target)
            && done.insert(target.id)
        {
            draft.edit(&subject.symbol.path, opened(subject, &target)?);
        }
    }
    Ok(edits)
}

/// Whether a symbol is a member that only its module sees.
fn is_hidden(subject: &Subject<'_>, symbol: &SymbolFacts) -> bool {
    let Some(parent) = symbol.parent else { return false };
    let is_part = matches!(
        symbol.kind,
        SymbolKind::Field | SymbolKind::Method | SymbolKind::Const | SymbolKind::Function
    );
    let owner = subject.facts.by_id(parent).ok().flatten();
    let is_open = owner.is_none_or(|owner| match owner.kind {
        SymbolKind::Trait | SymbolKind::Variant | SymbolKind::Enum => true,
        SymbolKind::Impl => {
            owner.local.contains(" as ")
                || owner.signature.as_deref().is_some_and(|text| text.contains(" for "))
        }
        kind => kind.is_callable(),
    });
    is_part && !symbol.exported && !is_open
}

/// `pub(crate)` before a member.
fn opened(subject: &Subject<'_>, member: &SymbolFacts) -> Result<Edit, RefactorError> {
    let text = &subject.text[member.span.0 as usize..];
    if text.starts_with("pub") || text.starts_with(['#', '/']) {
        return Err(refuse("private", format!("`{}` is private to {}", member.local, subject.symbol.path)));
    }
    Ok(Edit::new(member.span.0, member.span.0, "pub(crate) "))
}

/// `use` lines that the definition brings along.
fn target_imports(
    subject: &Subject<'_>,
    places: &Places,
    needs: &[(String, Need)],
    draft: &mut Draft,
) -> Result<BTreeSet<String>, RefactorError> {
    let known = subject.facts.imports_of(&subject.target)?;
    let own = subject.facts.of_file(&subject.target)?;
    let mut lines = BTreeSet::new();
    for (name, need) in needs {
        let bound =
            known.iter().find(|import| import.alias.as_deref().or(import.symbol.as_deref()) == Some(name));
        let is_defined = own
            .iter()
            .any(|symbol| symbol.parent.is_none() && symbol.name == *name && symbol.kind != SymbolKind::Impl);
        let line = match need {
            Need::Stays(symbol) => {
                if !symbol.exported && symbol.kind != SymbolKind::Module {
                    draft.edit(&subject.symbol.path, Edit::new(symbol.span.0, symbol.span.0, "pub(crate) "));
                }
                if symbol.kind == SymbolKind::Module && !symbol.exported || symbol.kind == SymbolKind::Macro {
                    return Err(refuse(
                        "unsupported",
                        format!("it uses `{name}`, which cannot be seen from elsewhere"),
                    ));
                }
                let is_imported =
                    bound.is_some_and(|bound| bound.resolved.as_deref() == Some(&subject.symbol.path));
                if is_imported {
                    continue;
                }
                format!("use {}::{name};\n", places.written(&subject.target, &places.old))
            }
            Need::Import(import) => {
                let before = import
                    .line
                    .checked_sub(2)
                    .and_then(|at| subject.text.lines().nth(at as usize))
                    .unwrap_or("");
                if before.trim_start().starts_with("#[cfg") {
                    return Err(refuse("unsupported", format!("`{name}` is imported under a condition")));
                }
                let path = absolute(places, import);
                let own_path = format!("{}::{name}", places.written(&subject.target, &places.new));
                let is_same = bound.is_some_and(|bound| absolute_in(places, bound, &places.new) == path);
                if is_same || path == own_path {
                    continue;
                }
                let alias = import.alias.as_deref().filter(|alias| Some(*alias) != path.rsplit("::").next());
                let alias = alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
                format!("use {path}{alias};\n")
            }
        };
        if bound.is_some() || is_defined {
            return Err(refuse("taken", format!("`{name}` means something else in {}", subject.target)));
        }
        lines.insert(line);
    }
    Ok(lines)
}

/// The full path of an import of the old file.
fn absolute(places: &Places, import: &ImportFacts) -> String {
    absolute_in(places, import, &places.old)
}

fn absolute_in(places: &Places, import: &ImportFacts, module: &str) -> String {
    let whole = match &import.symbol {
        Some(symbol) if !import.module.is_empty() => format!("{}::{symbol}", import.module),
        Some(symbol) => symbol.clone(),
        None => import.module.clone(),
    };
    absolute_path(places, &whole, module)
}

/// A path without `self` and `super` at its beginning.
fn absolute_path(places: &Places, path: &str, module: &str) -> String {
    let mut base = module;
    let mut rest = path;
    let mut is_relative = false;
    loop {
        if let Some(inner) = rest.strip_prefix("self::") {
            (rest, is_relative) = (inner, true);
        } else if let Some(inner) = rest.strip_prefix("super::") {
            base = base.rsplit_once("::").map_or(base, |(outer, _)| outer);
            (rest, is_relative) = (inner, true);
        } else {
            break;
        }
    }
    let first = rest.split("::").next().unwrap_or("");
    let child = format!("{module}::{first}");
    let is_child =
        !is_relative && rest.contains("::") && places.modules.values().any(|known| *known == child);
    if is_child {
        is_relative = true;
    }
    if !is_relative {
        return path.to_owned();
    }
    match base.split_once("::") {
        Some((_, inner)) => format!("crate::{inner}::{rest}"),
        None => format!("crate::{rest}"),
    }
}

/// Imports of the old file that nothing names: traits, for their methods. They come along.
fn trait_imports(subject: &Subject<'_>, places: &Places) -> Result<BTreeSet<String>, RefactorError> {
    let imports = subject.facts.imports_of(&subject.symbol.path)?;
    let known = subject.facts.imports_of(&subject.target)?;
    let mut lines = BTreeSet::new();
    let bindings: Vec<String> =
        imports.iter().filter_map(|import| import.alias.clone().or_else(|| import.symbol.clone())).collect();
    let words: Vec<&str> = bindings.iter().map(String::as_str).collect();
    let spelled = subject.spelled(&words)?;
    for import in imports.iter().filter(|import| subject.is_of_file(import)) {
        let Some(name) = import.alias.clone().or_else(|| import.symbol.clone()) else {
            let has = known.iter().any(|other| {
                other.symbol.is_none() && absolute_in(places, other, &places.new) == absolute(places, import)
            });
            // `use a::*` of something from outside: nobody knows what of it is needed.
            let line = subject.text.lines().nth(import.line as usize - 1).unwrap_or("");
            if import.resolved.is_none() && line.contains('*') && !has {
                lines.insert(format!("use {}::*;\n", absolute(places, import)));
            }
            continue;
        };
        let is_named = spelled.iter().any(|s| {
            words[s.word] == name && !s.in_import && !matches!(s.place, Place::Comment | Place::Text)
        });
        let is_trait = !is_named || TRAITS.contains(&name.as_str());
        let is_bound =
            known.iter().any(|other| other.alias.as_deref().or(other.symbol.as_deref()) == Some(&name));
        let is_inside = subject
            .text
            .lines()
            .nth(import.line as usize - 1)
            .is_some_and(|line| !line.trim_start().starts_with("pub"));
        if is_trait && !is_bound && is_inside {
            lines.insert(format!("use {};\n", absolute(places, import)));
        }
    }
    Ok(lines)
}

/// Paths inside of the text that begin where it stands.
fn inner_paths(subject: &Subject<'_>, places: &Places) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    for (start, end) in &subject.extents {
        let text = &subject.text[*start as usize..*end as usize];
        for word in ["super::", "self::"] {
            for (at, _) in text.match_indices(word) {
                let before = text[..at].chars().last().unwrap_or(' ');
                if before.is_alphanumeric() || before == '_' || before == ':' {
                    continue;
                }
                let line = &text[line_start(text, at)..at];
                if line.contains("//") {
                    continue;
                }
                if text[at..].starts_with("super::super") {
                    return Err(refuse("unsupported", "it names things by how far up they are"));
                }
                let base = if word == "self::" {
                    places.old.as_str()
                } else {
                    places.old.rsplit_once("::").map_or("", |(outer, _)| outer)
                };
                let base = match base.split_once("::") {
                    Some((_, rest)) => format!("crate::{rest}::"),
                    None => "crate::".to_owned(),
                };
                let at = start + at as u32;
                edits.push(Edit::new(at, at + word.len() as u32, base));
            }
        }
    }
    Ok(edits)
}

/// What others use must be seen by them.
fn visibility(subject: &Subject<'_>, users: &BTreeSet<&str>) -> Vec<Edit> {
    if users.is_empty() {
        return Vec::new();
    }
    let unseen = subject.pieces.iter().filter(|piece| !piece.exported && piece.kind != SymbolKind::Impl);
    unseen.map(|piece| Edit::new(piece.span.0, piece.span.0, "pub(crate) ")).collect()
}

/// What changes in a file that names the definition.
fn user_edits(
    subject: &Subject<'_>,
    places: &Places,
    user: &str,
    text: &str,
    rows: &[&UseFacts],
) -> Result<Vec<Edit>, RefactorError> {
    let found = spellings(user, subject.symbol.lang, text.as_bytes(), &[subject.name()]);
    let found = found.map_err(|error| refuse("unreadable", format!("{user}: {}", error.as_str())))?;
    let path = places.written(user, &places.new);
    let last = places.old.rsplit("::").next().unwrap_or("").to_owned();
    let is_root = !places.old.contains("::");
    let mut edits = Vec::new();
    let mut plain = false;
    for row in rows {
        let Some(spelling) = found.iter().find(|spelling| spelling.span.start == row.span.0) else {
            continue;
        };
        if spelling.place == Place::Plain && !spelling.in_import {
            plain = true;
            continue;
        }
        let qualifier = spelling.qualifier.map_or("", |span| &text[span.start as usize..span.end as usize]);
        let is_direct =
            qualifier == last || matches!(qualifier, "super" | "self") || (is_root && qualifier == "crate");
        if !is_direct {
            continue; // through what hands it on, which is changed itself
        }
        if user == subject.symbol.path && !spelling.in_import && matches!(qualifier, "super" | "self") {
            continue; // the file imports it now
        }
        edits.extend(requalify(subject, user, text, spelling, &path)?);
    }
    let imports = found.iter().any(|spelling| spelling.in_import);
    if plain && !imports && user != subject.symbol.path && user != subject.target {
        let at = use_place(text) as u32;
        edits.push(Edit::new(at, at, format!("use {path}::{};\n", subject.name())));
    }
    Ok(edits)
}

/// Another path before one name.
fn requalify(
    subject: &Subject<'_>,
    user: &str,
    text: &str,
    spelling: &Spelling,
    path: &str,
) -> Result<Vec<Edit>, RefactorError> {
    let at = spelling.span.start as usize;
    let mut start = at;
    while let Some(before) = text[..start].strip_suffix("::") {
        let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        if word.len() == before.len() {
            break;
        }
        start = word.len();
    }
    if start < at {
        let is_alone = !spelling.in_import
            || text[..start].trim_end().ends_with("use")
            || text[..start].ends_with("use ");
        if is_alone {
            if user == subject.target && spelling.in_import {
                let line = line_start(text, start);
                let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
                return Ok(vec![Edit::new(line as u32, end as u32, "")]);
            }
            return Ok(vec![Edit::new(start as u32, at as u32, format!("{path}::"))]);
        }
    }
    let (Some(open), Some(close)) = (text[..at].rfind('{'), text[at..].find('}').map(|close| at + close))
    else {
        return Err(refuse(
            "unsupported",
            format!("{user}:{}: a path that cannot be followed", spelling.line),
        ));
    };
    let list = (open + 1, close);
    if text[list.0..list.1].contains('{') || text[list.0..list.1].contains("//") {
        return Err(refuse("unsupported", format!("{user}:{}: nested lists in a `use`", spelling.line)));
    }
    let taken = item(text, list, at);
    let Some(edit) = without(text, list, taken) else {
        return Err(refuse("unsupported", format!("{user}:{}: a list of one in a `use`", spelling.line)));
    };
    let mut edits = vec![edit];
    if user != subject.target {
        let mut begin = line_start(text, open);
        while !text[begin..].trim_start().starts_with("use")
            && !text[begin..].trim_start().starts_with("pub")
            && begin > 0
        {
            begin = line_start(text, begin - 1);
        }
        let head = &text[begin..];
        let indent = &head[..head.len() - head.trim_start().len()];
        let word = head.trim_start().split("use").next().unwrap_or("");
        let whole = &text[taken.0..taken.1];
        let name = whole.rsplit("::").next().unwrap_or(whole);
        edits.push(Edit::new(begin as u32, begin as u32, format!("{indent}{word}use {path}::{name};\n")));
    }
    Ok(edits)
}

/// Takes an import out of the old file that nothing there needs any more, where that is simple.
fn take_out(subject: &Subject<'_>, import: &ImportFacts, draft: &mut Draft) {
    let Some(line) = subject.text.split_inclusive('\n').nth(import.line as usize - 1) else { return };
    let is_simple = line.starts_with("use ") && line.trim_end().ends_with(';') && !line.contains('{');
    let at: usize = subject.text.split_inclusive('\n').take(import.line as usize - 1).map(str::len).sum();
    let name = import.symbol.as_deref().unwrap_or("");
    let is_tested = subject.text.contains("use super::*"); // which hands private imports on
    if is_simple && !is_tested && !TRAITS.contains(&name) {
        draft.edit(&subject.symbol.path, Edit::new(at as u32, (at + line.len()) as u32, ""));
    }
}

/// Where one more `use` goes: before the first one of the file, or behind its own comments and attributes.
fn use_place(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("use ") || line.starts_with("pub use ") || line.starts_with("pub(crate) use ") {
            return attributes_above(text, at);
        }
        at += line.len();
    }
    at = 0;
    for line in text.split_inclusive('\n') {
        let is_head = line.starts_with("//!")
            || line.starts_with("#![")
            || line.trim().is_empty()
            || line.starts_with("/*!");
        if !is_head {
            break;
        }
        at += line.len();
    }
    at
}

/// The first line of the attributes and comments that stand right above a line.
fn attributes_above(text: &str, mut at: usize) -> usize {
    while at > 0 {
        let above = line_start(text, at - 1);
        let line = &text[above..at];
        if !(line.starts_with("#[") || line.starts_with("///")) {
            break;
        }
        at = above;
    }
    at
}
