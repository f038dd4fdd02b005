//! The commands of command-line programs, with their full names and handlers.
//!
//! Most libraries register commands in one place, and the index has their names. clap's enums may be spread
//! over files: a variant that carries another command enum, directly or in a struct, is the group that enum's
//! commands belong to, and the handler is what the match arm for the variant calls.

use super::symbol::{self, Symbol};
use super::target::nearest as nearest_names;
use crate::error::GraphError;
use crate::selector::Selector;
use crate::store::stored::Stored;
use crate::store::{file_of_row, first_row};
use orbit_extract::{RefKind, SymbolKind};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;

const MAX_LEVELS: usize = 8;

/// A command with its full name.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) handler: Option<i64>,
    /// The enum variant that declares it.
    variant: Option<Symbol>,
}

impl Command {
    pub(crate) fn selector(&self) -> String {
        Selector::Command(self.name.clone()).to_string()
    }
}

/// All commands, by name and place.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Command>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT c.name, f.path, c.line, c.handler, c.span_start, c.id >> 22 FROM command_rows c
         JOIN file_rows f ON f.id = c.id >> 22 ORDER BY c.name, f.path, c.span_start",
    )?;
    let mut rows = statement.query([])?;
    let mut commands = Vec::new();
    while let Some(row) = rows.next()? {
        let (span_start, file): (u32, u32) = (row.get(4)?, row.get(5)?);
        commands.push(Command {
            name: row.get(0)?,
            path: row.get(1)?,
            line: row.get(2)?,
            handler: row.get(3)?,
            variant: variant_at(connection, file, span_start)?,
        });
    }
    name_nested(connection, &mut commands)?;
    for command in &mut commands {
        if let (None, Some(variant)) = (command.handler, &command.variant) {
            command.handler = arm_handler(connection, variant)?;
        }
    }
    commands.sort_by(|a, b| (&a.name, &a.path, a.line).cmp(&(&b.name, &b.path, b.line)));
    Ok(commands)
}

/// The handlers of the commands with this name.
pub(crate) fn handlers(connection: &Connection, name: &str) -> Result<Vec<Symbol>, GraphError> {
    let mut found = Vec::new();
    for command in all(connection)?.into_iter().filter(|command| command.name == name) {
        if let Some(handler) = command.handler {
            found.append(&mut symbol::select(connection, "WHERE s.id = ?1", [handler])?);
        }
    }
    Ok(found)
}

pub(crate) fn nearest(connection: &Connection, name: &str) -> Result<Vec<String>, GraphError> {
    let commands = all(connection)?;
    let near = nearest_names(name, commands.iter().map(|command| command.name.as_str()));
    Ok(near.into_iter().map(|name| Selector::Command(name.to_owned()).to_string()).collect())
}

fn variant_at(connection: &Connection, file: u32, span_start: u32) -> Result<Option<Symbol>, GraphError> {
    let (first, last) = (first_row(file), first_row(file + 1) - 1);
    let tail = "WHERE s.id BETWEEN ?1 AND ?2 AND s.span_start = ?3 AND s.kind = ?4";
    Ok(symbol::select(connection, tail, params![first, last, span_start, Stored(SymbolKind::Variant)])?.pop())
}

/// Gives commands of nested enums the names of their groups, across files.
fn name_nested(connection: &Connection, commands: &mut [Command]) -> Result<(), GraphError> {
    let variants: HashMap<i64, usize> = commands
        .iter()
        .enumerate()
        .filter_map(|(index, command)| Some((command.variant.as_ref()?.id, index)))
        .collect();
    let mut groups: HashMap<usize, usize> = HashMap::new();
    for (index, command) in commands.iter().enumerate() {
        let Some(variant) = &command.variant else { continue };
        let Some(owner) = parent_of(connection, variant.id)? else { continue };
        if let Some(group) = carrier(connection, owner, &variants)?.filter(|group| *group != index) {
            groups.insert(index, group);
        }
    }
    let own: Vec<String> =
        commands.iter().map(|command| command.name.rsplit(' ').next().unwrap_or("").to_owned()).collect();
    for index in 0..commands.len() {
        let mut parts = vec![own[index].as_str()];
        let mut at = index;
        while let Some(group) = groups.get(&at).copied().filter(|_| parts.len() < MAX_LEVELS) {
            parts.push(&own[group]);
            at = group;
        }
        if parts.len() > 1 {
            parts.reverse();
            commands[index].name = parts.join(" ");
        }
    }
    Ok(())
}

fn parent_of(connection: &Connection, symbol: i64) -> Result<Option<i64>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT parent FROM symbol_rows WHERE id = ?1")?;
    Ok(statement.query_row([symbol], |row| row.get(0)).optional()?.flatten())
}

/// The command whose variant carries an enum, directly or through a struct.
fn carrier(
    connection: &Connection,
    owner: i64,
    variants: &HashMap<i64, usize>,
) -> Result<Option<usize>, GraphError> {
    for scope in type_users(connection, owner)? {
        if let Some(group) = variants.get(&scope) {
            return Ok(Some(*group));
        }
        for outer in type_users(connection, scope)? {
            if let Some(group) = variants.get(&outer) {
                return Ok(Some(*group));
            }
        }
    }
    Ok(None)
}

/// The symbols whose declaration names a type.
fn type_users(connection: &Connection, ty: i64) -> Result<Vec<i64>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT scope FROM ref_rows WHERE target = ?1 AND kind = ?2 AND scope IS NOT NULL ORDER BY scope",
    )?;
    let rows = statement.query_map(params![ty, Stored(RefKind::Type)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first resolved call behind a use of the variant, before the next variant of the same enum is used.
fn arm_handler(connection: &Connection, variant: &Symbol) -> Result<Option<i64>, GraphError> {
    let mut uses = connection.prepare_cached(
        "SELECT id, span_end FROM ref_rows WHERE target = ?1 AND scope IS NOT NULL AND kind IN (?2, ?3) ORDER BY id",
    )?;
    let kinds = (Stored(RefKind::Value), Stored(RefKind::Type));
    let places: Vec<(i64, u32)> = uses
        .query_map(params![variant.id, kinds.0, kinds.1], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (row, span_end) in places {
        let file = file_of_row(row);
        let (first, last) = (first_row(file), first_row(file + 1) - 1);
        let mut next = connection.prepare_cached(
            "SELECT min(r.span_start) FROM ref_rows r JOIN symbol_rows s ON s.id = r.target
             WHERE r.id BETWEEN ?1 AND ?2 AND r.span_start > ?3 AND s.kind = ?4 AND s.id <> ?5
               AND s.parent = (SELECT parent FROM symbol_rows WHERE id = ?5)",
        )?;
        let until: Option<u32> = next
            .query_row(params![first, last, span_end, Stored(SymbolKind::Variant), variant.id], |row| {
                row.get(0)
            })?;
        let mut call = connection.prepare_cached(
            "SELECT target FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND span_start > ?3 AND span_start < ?4
               AND kind = ?5 AND target IS NOT NULL AND scope = (SELECT scope FROM ref_rows WHERE id = ?6)
             ORDER BY span_start LIMIT 1",
        )?;
        let until = until.unwrap_or(u32::MAX);
        let handler: Option<i64> = call
            .query_row(params![first, last, span_end, until, Stored(RefKind::Call), row], |row| row.get(0))
            .optional()?;
        if handler.is_some() {
            return Ok(handler);
        }
    }
    Ok(None)
}
