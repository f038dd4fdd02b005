//! Finding containers by what they say, where they belong and how they stand.

use super::rows;
use crate::bounds::{Page, Rows};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Priority, Status};
use crate::store::{Session, ranking};
use rusqlite::{ToSql, params_from_iter};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Words that must hold and words that must not.
#[derive(Clone, Debug)]
pub(crate) struct Filter<T> {
    pub(crate) any_of: Vec<T>,
    pub(crate) none_of: Vec<T>,
}

impl<T> Default for Filter<T> {
    fn default() -> Filter<T> {
        Filter { any_of: Vec::new(), none_of: Vec::new() }
    }
}

/// What is looked for.
#[derive(Default)]
pub(crate) struct Query {
    pub(crate) text: Option<String>,
    pub(crate) status: Filter<Status>,
    pub(crate) priority: Filter<Priority>,
    pub(crate) tags: Filter<String>,
    pub(crate) project_id: Option<Id>,
    pub(crate) feature_id: Option<Id>,
}

/// A condition that grows, with its parameters.
struct Condition {
    sql: String,
    values: Vec<Box<dyn ToSql>>,
}

impl Condition {
    fn and(&mut self, sql: &str, value: impl ToSql + 'static) {
        self.values.push(Box::new(value));
        self.sql.push_str(" AND ");
        self.sql.push_str(&sql.replace('?', &format!("?{}", self.values.len())));
    }

    fn filter<T: ToSql + Clone + 'static>(&mut self, column: &str, filter: &Filter<T>) {
        for (words, not) in [(&filter.any_of, ""), (&filter.none_of, "NOT ")] {
            if words.is_empty() {
                continue;
            }
            let places: Vec<String> =
                (1..=words.len()).map(|at| format!("?{}", self.values.len() + at)).collect();
            self.values.extend(words.iter().map(|word| Box::new(word.clone()) as Box<dyn ToSql>));
            let _ = write!(self.sql, " AND {not}{}", column.replace('?', &places.join(", ")));
        }
    }
}

/// A page of what fits: by how well words fit, then newest first.
pub(crate) fn search(
    session: &Session<'_>,
    kind: Kind,
    query: &Query,
    page: Page,
) -> Result<Rows<Container>, KnowledgeError> {
    let mut condition = Condition { sql: "WHERE 1".into(), values: Vec::new() };
    let mut order = String::new();
    if let Some(text) = &query.text {
        let ranked = ranking::ranked(session, kind.word(), text)?;
        condition.values.push(Box::new(serde_json::to_string(&ranked).unwrap_or_default()));
        condition.values.push(Box::new(text.to_lowercase()));
        let (at, table) = (condition.values.len(), rows::table(kind));
        let ranked = format!("json_each(?{})", at - 1);
        let _ = write!(
            condition.sql,
            " AND (instr(search_text, ?{at}) > 0 OR id IN (SELECT value FROM {ranked}))"
        );
        // `id` alone would be that of `json_each`.
        order = format!("coalesce((SELECT key FROM {ranked} WHERE value = {table}.id), 1000000), ");
    }
    if kind != Kind::Project {
        condition.filter("status IN (?)", &query.status);
        condition.filter("priority IN (?)", &query.priority);
        if let Some(project) = query.project_id {
            condition.and("project_id = ?", project);
        }
    }
    if let (Kind::Task, Some(feature)) = (kind, query.feature_id) {
        condition.and("feature_id = ?", feature);
    }
    condition.filter("id IN (SELECT entity_id FROM entity_tags WHERE tag IN (?))", &query.tags);
    let table = rows::table(kind);
    let total = session.count(
        &format!("SELECT count(*) FROM {table} {}", condition.sql),
        params_from_iter(&condition.values),
    )?;
    let newest = if kind == Kind::Project { "modified_at" } else { "created_at" };
    let tail = format!(
        "{} ORDER BY {order}{newest} DESC, rowid DESC LIMIT {} OFFSET {}",
        condition.sql, page.limit, page.offset
    );
    let items = rows::list(session, kind, &tail, params_from_iter(&condition.values))?;
    Ok(Rows { items, total, page })
}

/// How many tasks a project or feature has in each state.
pub(crate) fn task_counts(
    session: &Session<'_>,
    it: &Container,
) -> Result<BTreeMap<Status, i64>, KnowledgeError> {
    let column = if it.kind == Kind::Project { "project_id" } else { "feature_id" };
    let sql = format!("SELECT status, count(*) FROM tasks WHERE {column} = ?1 GROUP BY status");
    Ok(session.rows(&sql, [it.id], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
}
