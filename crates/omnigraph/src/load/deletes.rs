//! Records that take rows away: `{"delete":"Person","id":"Alice"}`, and for edges
//! `{"delete":"Knows","from":"Alice","to":"Bob"}`, with `id` where two nodes can have several.

use super::{Block, Target};
use crate::error::Error;
use crate::rows::{DST, ID, SRC, edge_id};
use crate::validate::{Code, Problem, RuleBook, TypeRules, bad_id};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use std::sync::Arc;

/// What a record says of the row that it takes away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'l> {
    pub(super) type_name: &'l str,
    pub(super) id: Option<&'l str>,
    pub(super) from: Option<&'l str>,
    pub(super) to: Option<&'l str>,
}

/// Rows of one type to take away.
#[derive(Debug)]
pub(super) struct Deletes {
    rules: Arc<TypeRules>,
    ids: Vec<String>,
    ends: Vec<[String; 2]>,
    lines: Vec<u64>,
}

/// Adds what a record names to the list of its type.
pub(super) fn add(
    all: &mut Vec<Deletes>,
    book: &RuleBook,
    named: Named<'_>,
    line: u64,
) -> Result<(), Problem> {
    let rules =
        book.node(named.type_name).or_else(|unknown| book.edge(named.type_name).map_err(|_| unknown))?;
    let name = rules.name();
    let missing =
        |what: &str| Problem::new(Code::Record, format!("a record that deletes {name} has no `{what}`"));
    let (id, ends) = match (rules.ends(), named.from, named.to) {
        (None, None, None) => (named.id.ok_or_else(|| missing("id"))?.to_owned(), None),
        (None, _, _) => {
            let message = format!("`from` and `to` belong to edges; {name} is a node type");
            return Err(Problem::new(Code::Record, message));
        }
        (Some(_), from, to) => {
            let from = from.ok_or_else(|| missing("from"))?;
            let to = to.ok_or_else(|| missing("to"))?;
            let id = match named.id {
                Some(id) => id.to_owned(),
                None if rules.key.is_empty() => edge_id(name, from, to, []),
                None => return Err(missing("id")),
            };
            (id, Some([from.to_owned(), to.to_owned()]))
        }
    };
    if let Some(problem) = bad_id(name, "id", &id) {
        return Err(problem);
    }
    let known = all.iter().position(|deletes| Arc::ptr_eq(&deletes.rules, rules));
    let at = known.unwrap_or_else(|| {
        let rules = Arc::clone(rules);
        all.push(Deletes { rules, ids: Vec::new(), ends: Vec::new(), lines: Vec::new() });
        all.len() - 1
    });
    all[at].ids.push(id);
    all[at].ends.extend(ends);
    all[at].lines.push(line);
    Ok(())
}

impl Deletes {
    /// As a block of ids, for edges with their ends.
    pub(super) fn into_block(self) -> Result<Block, Error> {
        let texts = |values: Vec<&str>| Arc::new(StringArray::from(values)) as ArrayRef;
        let mut columns = vec![(ID, texts(self.ids.iter().map(String::as_str).collect()))];
        if self.rules.ends().is_some() {
            for (at, name) in [SRC, DST].into_iter().enumerate() {
                columns.push((name, texts(self.ends.iter().map(|ends| ends[at].as_str()).collect())));
            }
        }
        let batch = RecordBatch::try_from_iter(columns)?;
        Ok(Block { target: Target::of(&self.rules), batch, lines: self.lines, is_delete: true })
    }
}
