//! Paths in the text that goes: those that begin where it stands are written anew, and every path must lead to its end from
//! the target.

use super::imports::absolute;
use super::lists::statement_start;
use super::places::Places;
use super::refuse;
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::statement::line_start;
use crate::moves::{Subject, binding};
use crate::worktree::Worktree;
use orbit_graph::{ImportFacts, SymbolKind};

/// Paths inside of the text that begin where it stands.
pub(super) fn inner_paths(subject: &Subject<'_>, places: &Places) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    for (start, end) in &subject.extents {
        let text = &subject.text[*start as usize..*end as usize];
        for word in ["super::", "self::"] {
            for at in begins(text, word) {
                let first = identifier(&text[at + word.len()..]);
                if first == "super" {
                    return Err(refuse("unsupported", "it names things by how far up they are"));
                }
                let at = start + at as u32;
                let behind = at + word.len() as u32;
                if word == "super::" {
                    let outer = places.old.rsplit_once("::").map_or("", |(outer, _)| outer);
                    edits.push(Edit::new(at, behind, format!("{}::", from_crate(outer))));
                } else if first != subject.name() {
                    edits.extend(own_path(subject, places, (at, behind), first)?);
                }
            }
        }
    }
    Ok(edits)
}

/// `self::first` from elsewhere. What the file imports has its own way to be named: the import comes along for code, and
/// inside of a `use` the whole path stands.
fn own_path(
    subject: &Subject<'_>,
    places: &Places,
    word: (u32, u32),
    first: &str,
) -> Result<Option<Edit>, RefactorError> {
    let is_defined = subject.symbols.iter().any(|symbol| symbol.parent.is_none() && symbol.name == first);
    let mut imports = subject.facts.imports_of(&subject.symbol.path)?;
    imports.retain(|import| {
        !is_defined && subject.is_of_file(import) && binding(import).as_deref() == Some(first)
    });
    let import = match &imports[..] {
        [] => return Ok(Some(Edit::new(word.0, word.1, format!("{}::", from_crate(&places.old))))),
        [import] => import,
        _ => return Err(refuse("unsupported", format!("`{first}` is imported more than once"))),
    };
    let spelled = subject.spelled(&[first])?;
    let in_import = spelled.iter().any(|spelling| spelling.span.start == word.1 && spelling.in_import);
    let end = word.1 + first.len() as u32;
    Ok(in_import.then(|| Edit::new(word.0, end, absolute(places, import))))
}

/// Refuses text with a path through an import that only its own module and those below it see: `crate::a::Name`, where
/// `a` has a `use …::Name` of its own.
pub(super) fn check_paths<'t>(
    subject: &Subject<'_>,
    places: &Places,
    worktree: &Worktree,
    texts: impl Iterator<Item = &'t str>,
) -> Result<(), RefactorError> {
    for text in texts {
        for at in begins(text, "crate::") {
            for path in paths_at(&text[at + "crate::".len()..]) {
                check_path(subject, places, worktree, &path)?;
            }
        }
    }
    Ok(())
}

/// One path, without its `crate`.
fn check_path(
    subject: &Subject<'_>,
    places: &Places,
    worktree: &Worktree,
    path: &[&str],
) -> Result<(), RefactorError> {
    let mut module = places.new.split("::").next().unwrap_or("").to_owned();
    for name in path {
        let file = places.modules.iter().find(|(_, known)| **known == module).map(|(file, _)| file);
        let Some(file) = file else { return Ok(()) }; // inside of a type, or of a module in a file
        let is_inside = places.new.strip_prefix(&module);
        let is_inside = is_inside.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        if !is_inside && is_private_import(subject, worktree, file, name)? {
            let message = format!("{} cannot see the import of `{name}` in {file}", subject.target);
            return Err(refuse("not_visible", message));
        }
        module = format!("{module}::{name}");
    }
    Ok(())
}

/// Whether a name is in a file by imports alone, none of which is one for others.
fn is_private_import(
    subject: &Subject<'_>,
    worktree: &Worktree,
    file: &str,
    name: &str,
) -> Result<bool, RefactorError> {
    let own = subject.facts.of_file(file)?;
    let is_defined = own
        .iter()
        .any(|symbol| symbol.parent.is_none() && symbol.name == name && symbol.kind != SymbolKind::Impl);
    let imports = subject.facts.imports_of(file)?;
    let mut imports = imports.iter().filter(|import| binding(import).as_deref() == Some(name)).peekable();
    if is_defined || imports.peek().is_none() {
        return Ok(false);
    }
    let text = worktree.read_text(file)?;
    Ok(!imports.any(|import| is_for_others(&text, import)))
}

/// Whether the statement of an import begins with `pub`.
fn is_for_others(text: &str, import: &ImportFacts) -> bool {
    let at = text.split_inclusive('\n').take(import.line as usize - 1).map(str::len).sum();
    statement_start(text, at).is_some_and(|begin| text[begin..].trim_start().starts_with("pub"))
}

/// Where paths begin with a word, outside of comments that end their line.
fn begins<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let is_inside = text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        !is_inside && !text[line_start(text, *at)..*at].contains("//")
    })
}

/// The path at the beginning of a text, once for each name of the list that it may end in.
fn paths_at(text: &str) -> Vec<Vec<&str>> {
    let mut path = Vec::new();
    let mut rest = text;
    loop {
        let name = identifier(rest);
        if name.is_empty() {
            break;
        }
        path.push(name);
        match rest[name.len()..].strip_prefix("::") {
            Some(behind) => rest = behind,
            None => return vec![path],
        }
    }
    let Some(list) = rest.strip_prefix('{').and_then(|list| list.split(['}', '{']).next()) else {
        return vec![path];
    };
    let names = list.split(',').map(|item| identifier(item.trim_start()));
    let names = names.filter(|name| !name.is_empty() && *name != "self");
    names.map(|name| path.iter().copied().chain([name]).collect()).collect()
}

/// The name that a text begins with.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

/// A module as its own crate writes it.
fn from_crate(module: &str) -> String {
    match module.split_once("::") {
        Some((_, rest)) => format!("crate::{rest}"),
        None => "crate".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::paths_at;

    #[test]
    fn lists_end_in_many_paths() {
        assert_eq!(paths_at("a::B::new()"), [vec!["a", "B", "new"]]);
        assert_eq!(paths_at("a::{self, B as C, d::E};"), [vec!["a", "B"], vec!["a", "d"]]);
        assert_eq!(paths_at("a::<u8>()"), [vec!["a"]]);
    }
}
