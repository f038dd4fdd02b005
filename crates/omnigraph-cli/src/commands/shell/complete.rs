//! What could come next: types behind a colon, properties behind a dot, edges behind a variable, commands behind a backslash.

use super::COMMANDS;
use super::text::is_whole;
use omnigraph_compiler::schema::catalog::{Body, Catalog};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Words of the language that stand where a clause or a function can.
const WORDS: [&str; 34] = [
    "and",
    "asc",
    "avg",
    "collect",
    "contains",
    "count",
    "delete",
    "desc",
    "distinct",
    "ends_with",
    "exists",
    "filter",
    "from",
    "in",
    "insert",
    "is",
    "limit",
    "lower",
    "match",
    "max",
    "min",
    "not",
    "null",
    "optional",
    "or",
    "order",
    "return",
    "search",
    "set",
    "skip",
    "starts_with",
    "sum",
    "update",
    "where",
];

/// The names of a schema.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// With their properties.
    nodes: BTreeMap<String, Vec<String>>,
    edges: BTreeMap<String, Vec<String>>,
}

impl Names {
    pub(super) fn of(catalog: &Catalog) -> Names {
        let properties =
            |body: &Body| body.properties.iter().map(|property| property.name.clone()).collect::<Vec<_>>();
        let nodes = catalog.nodes.iter().map(|(name, node)| (name.clone(), properties(&node.body)));
        let edges = catalog.edges.iter().map(|(name, edge)| (name.clone(), properties(&edge.body)));
        Names { nodes: nodes.collect(), edges: edges.collect() }
    }

    /// The place where the word at the end begins, and what it could become.
    pub(super) fn complete(&self, before: &str) -> (usize, Vec<String>) {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let start = before.trim_end_matches(is_part).len();
        let (head, word) = before.split_at(start);
        let line = before.trim_start();
        if line.starts_with('\\') && !line.contains(char::is_whitespace) {
            let at = before.len() - line.len();
            let commands = COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next());
            return (at, fitting(line, commands));
        }
        let place = head.trim_end();
        let found = if let Some(var) = head.strip_suffix('.') {
            fitting(word, self.properties_of(before, var).iter().map(String::as_str))
        } else if head.ends_with('$') {
            let vars = variables(&before[..start - 1]);
            fitting(word, vars.iter().map(String::as_str))
        } else if place.ends_with(':') || place.ends_with('|') || ends_with_verb(place) {
            let edges = self.edges.keys().filter(|_| ends_with_verb(place));
            fitting(word, self.nodes.keys().chain(edges).map(String::as_str))
        } else if head.ends_with(char::is_whitespace) && last_is_variable(place) {
            let edges: Vec<String> = self.edges.keys().map(|name| in_query(name)).collect();
            fitting(word, edges.iter().map(String::as_str).chain(["is", "in", "contains"]))
        } else {
            fitting(word, WORDS)
        };
        (start, found)
    }

    /// The properties of a variable: those of its type where that is written, else all there are.
    fn properties_of(&self, text: &str, head: &str) -> BTreeSet<String> {
        let var = head.rsplit('$').next().unwrap_or_default();
        let declared = text.split('$').filter_map(|part| {
            let (name, rest) = part.split_once(':')?;
            (name.trim() == var).then(|| rest.trim_start())
        });
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let types = declared.map(|rest| &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())]);
        let known: Vec<&Vec<String>> = types.filter_map(|name| self.nodes.get(name)).collect();
        let all = self.nodes.values().chain(self.edges.values());
        let from: Vec<&Vec<String>> = if known.is_empty() { all.collect() } else { known };
        from.into_iter().flatten().cloned().collect()
    }
}

/// Behind these a statement names a type.
fn ends_with_verb(place: &str) -> bool {
    ["insert", "update", "delete", "\\schema"].iter().any(|verb| place.ends_with(verb))
}

fn last_is_variable(place: &str) -> bool {
    let word = place.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.starts_with('$') && !word.contains('.')
}

/// An edge type as a traversal writes it.
fn in_query(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn variables(text: &str) -> BTreeSet<String> {
    let name = |part: &str| {
        part.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect::<String>()
    };
    text.split('$').skip(1).map(name).filter(|name| !name.is_empty()).collect()
}

fn fitting<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    names.into_iter().filter(|name| name.starts_with(word)).map(str::to_owned).collect()
}

/// What the line editor asks.
#[derive(Debug)]
pub(super) struct Helper {
    pub(super) names: Names,
}

impl Helper {
    pub(super) fn new(names: Names) -> Helper {
        Helper { names }
    }
}

impl rustyline::Helper for Helper {}

impl Highlighter for Helper {}

impl Hinter for Helper {
    type Hint = String;
}

impl Completer for Helper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        Ok(self.names.complete(&line[..at]))
    }
}

impl Validator for Helper {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let is_whole = is_whole(typed.input());
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        Names {
            nodes: BTreeMap::from([
                ("Company".to_owned(), list(&["name", "founded"])),
                ("Person".to_owned(), list(&["name", "age"])),
            ]),
            edges: BTreeMap::from([("WorksAt".to_owned(), list(&["since"]))]),
        }
    }

    fn offered(before: &str) -> String {
        let (start, found) = names().complete(before);
        format!("{} {}", &before[start..], found.join(" "))
    }

    #[test]
    fn what_fits_the_place_is_offered() {
        assert_eq!(offered("match { $p: P"), "P Person");
        assert_eq!(offered("match { $p: "), " Company Person");
        assert_eq!(offered("match { $p: Person } return { $p."), " age name");
        assert_eq!(offered("match { $x } return { $x.f"), "f founded");
        assert_eq!(offered("match { $p: Person  $p w"), "w worksAt");
        assert_eq!(offered("match { $p: Person  $company worksAt $"), " company p");
        assert_eq!(offered("insert Wo"), "Wo WorksAt");
        assert_eq!(offered("ret"), "ret return");
        assert_eq!(offered("\\ex"), "\\ex \\explain");
        assert_eq!(offered("\\schema Pe"), "Pe Person");
    }
}
