//! The commands of command-line programs, with their full names and handlers.
//!
//! Most libraries register commands in one place, and the index has their names. clap's enums may be spread
//! over files: a variant that carries another command enum, directly or in a struct, is the group that enum's
//! commands belong to. What a variant does is the code behind the patterns that name it: a handler when that is the call
//! of one function, else the code itself.

use super::callees::calls_between;
use super::symbol::{self, Symbol};
use super::target::nearest as nearest_names;
use crate::error::GraphError;
use crate::selector::Selector;
use crate::store::stored::Stored;
use crate::store::{file_of_row, first_row};
use orbit_extract::{RefKind, SymbolKind};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{BTreeSet, HashMap};

const MAX_LEVELS: usize = 8;

/// A command with its full name.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) handler: Option<i64>,
    /// The enum variant that declares it.
    pub(crate) variant: Option<Symbol>,
    row: i64,
    body: Option<(u32, u32)>,
}

/// Code that runs for a command and is not a function with a name.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) file: u32,
    pub(crate) path: String,
    pub(crate) span: (u32, u32),
    pub(crate) line: u32,
    /// The only call that it makes, by the place of its name.
    call: Option<u32>,
}

impl Command {
    pub(crate) fn selector(&self) -> String {
        Selector::Command(self.name.clone()).to_string()
    }

    /// The code that runs for it: a function written in place, or what stands behind patterns of its variant.
    pub(crate) fn code(&self, connection: &Connection) -> Result<Vec<Code>, GraphError> {
        if let Some(span) = self.body {
            let (file, path) = (file_of_row(self.row), self.path.clone());
            return Ok(vec![Code { file, path, span, line: self.line, call: None }]);
        }
        match &self.variant {
            Some(variant) => arms(connection, variant.id),
            None => Ok(Vec::new()),
        }
    }
}

/// All commands, by name and place.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Command>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT c.name, f.path, c.line, c.handler, c.span_start, c.id, c.body_start, c.body_end FROM command_rows c
         JOIN file_rows f ON f.id = c.id >> 22 ORDER BY c.name, f.path, c.span_start",
    )?;
    let mut rows = statement.query([])?;
    let mut commands = Vec::new();
    while let Some(row) = rows.next()? {
        let (span_start, id): (u32, i64) = (row.get(4)?, row.get(5)?);
        let (start, end): (Option<u32>, Option<u32>) = (row.get(6)?, row.get(7)?);
        commands.push(Command {
            name: row.get(0)?,
            path: row.get(1)?,
            line: row.get(2)?,
            handler: row.get(3)?,
            variant: variant_at(connection, file_of_row(id), span_start)?,
            row: id,
            body: start.zip(end),
        });
    }
    let mut commands = name_nested(connection, commands)?;
    commands.sort_by(|a, b| (&a.name, &a.path, a.line).cmp(&(&b.name, &b.path, b.line)));
    Ok(commands)
}

/// The commands with this name, with the function that handles them where it is one.
pub(crate) fn named(connection: &Connection, name: &str) -> Result<Vec<Command>, GraphError> {
    let mut found = all(connection)?;
    found.retain(|command| command.name == name);
    for command in &mut found {
        if command.handler.is_none() {
            let code = command.code(connection)?;
            let doing: Vec<&Code> = code.iter().filter(|code| code.call.is_some()).collect();
            // Of several places, one that calls nothing of the repository handles nothing.
            let mut handlers = Vec::new();
            for code in &code {
                handlers.extend(targets(connection, code)?);
            }
            handlers.dedup();
            if let ([handler], [code]) = (handlers.as_slice(), doing.as_slice())
                && is_only_call(connection, code, *handler)?
            {
                command.handler = Some(*handler);
            }
        }
    }
    Ok(found)
}

/// The handlers of the commands with this name.
pub(crate) fn handlers(connection: &Connection, name: &str) -> Result<Vec<Symbol>, GraphError> {
    let mut found = Vec::new();
    for command in named(connection, name)? {
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

/// Gives commands of nested enums the names of their groups, across files: one for every way to them.
fn name_nested(connection: &Connection, commands: Vec<Command>) -> Result<Vec<Command>, GraphError> {
    let variants = commands.iter().enumerate();
    let variants: HashMap<i64, usize> =
        variants.filter_map(|(index, command)| Some((command.variant.as_ref()?.id, index))).collect();
    let nesting = Nesting { connection, variants, commands: &commands };
    let mut named = Vec::new();
    for command in commands.iter().filter(|command| !command.name.is_empty()) {
        let Some(variant) = &command.variant else {
            named.push(command.clone());
            continue;
        };
        let groups = match parent_of(connection, variant.id)? {
            Some(owner) => nesting.groups(owner, 0)?,
            None => BTreeSet::new(),
        };
        if groups.is_empty() {
            named.push(Command { name: own_name(command).to_owned(), ..command.clone() });
        }
        for group in groups {
            named.push(Command { name: format!("{group} {}", own_name(command)), ..command.clone() });
        }
    }
    Ok(named)
}

fn own_name(command: &Command) -> &str {
    command.name.rsplit(' ').next().unwrap_or("")
}

/// Which commands carry which enums.
struct Nesting<'c> {
    connection: &'c Connection,
    /// The commands by the rows of their variants.
    variants: HashMap<i64, usize>,
    commands: &'c [Command],
}

impl Nesting<'_> {
    /// The full names of the commands that carry a type: as a payload, or in a struct or an enum that they carry.
    fn groups(&self, owner: i64, level: usize) -> Result<BTreeSet<String>, GraphError> {
        let mut found = BTreeSet::new();
        if level >= MAX_LEVELS {
            return Ok(found);
        }
        for user in type_users(self.connection, owner)? {
            let Some((holder, kind)) = holder_of(self.connection, user)? else { continue };
            if kind != SymbolKind::Variant {
                found.append(&mut self.groups(holder, level + 1)?);
                continue;
            }
            let Some(parent) = parent_of(self.connection, holder)? else { continue };
            let mut outer = self.groups(parent, level + 1)?;
            let own = self.variants.get(&holder).map_or("", |index| own_name(&self.commands[*index]));
            match own {
                "" => found.append(&mut outer),
                own if outer.is_empty() => _ = found.insert(own.to_owned()),
                own => found.extend(outer.iter().map(|group| format!("{group} {own}"))),
            }
        }
        Ok(found)
    }
}

/// The variant, struct or enum that a declaration which names a type belongs to.
fn holder_of(connection: &Connection, user: i64) -> Result<Option<(i64, SymbolKind)>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT kind, parent FROM symbol_rows WHERE id = ?1")?;
    let mut at = Some(user);
    while let Some(symbol) = at {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Stored<SymbolKind>>(0)?.0, row.get(1)?));
        let Some((kind, parent)) = statement.query_row([symbol], read).optional()? else { break };
        match kind {
            SymbolKind::Variant | SymbolKind::Struct | SymbolKind::Enum => return Ok(Some((symbol, kind))),
            SymbolKind::Field => at = parent,
            _ => break,
        }
    }
    Ok(None)
}

fn parent_of(connection: &Connection, symbol: i64) -> Result<Option<i64>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT parent FROM symbol_rows WHERE id = ?1")?;
    Ok(statement.query_row([symbol], |row| row.get(0)).optional()?.flatten())
}

/// The symbols whose declaration names a type.
fn type_users(connection: &Connection, ty: i64) -> Result<Vec<i64>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT scope FROM ref_rows WHERE target = ?1 AND kind = ?2 AND scope IS NOT NULL ORDER BY scope",
    )?;
    let rows = statement.query_map(params![ty, Stored(RefKind::Type)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The code that runs where a pattern names a variant: of several places, those that call something of the repository.
fn arms(connection: &Connection, variant: i64) -> Result<Vec<Code>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT a.id >> 22, f.path, a.body_start, a.body_end, a.line, a.call FROM arm_rows a
         JOIN file_rows f ON f.id = a.id >> 22 WHERE a.variant = ?1 ORDER BY f.path, a.body_start",
    )?;
    let rows = statement.query_map([variant], |row| {
        let span = (row.get(2)?, row.get(3)?);
        Ok(Code { file: row.get(0)?, path: row.get(1)?, span, line: row.get(4)?, call: row.get(5)? })
    })?;
    let all = rows.collect::<Result<Vec<Code>, _>>()?;
    let mut doing = Vec::new();
    for code in &all {
        if !targets(connection, code)?.is_empty() {
            doing.push(code.clone());
        }
    }
    Ok(if doing.is_empty() { all } else { doing })
}

/// What code calls that the repository has, each once.
fn targets(connection: &Connection, code: &Code) -> Result<Vec<i64>, GraphError> {
    let sites = calls_between(connection, code.file, code.span)?;
    let targets: BTreeSet<i64> = sites.iter().filter_map(|site| site.target).collect();
    Ok(targets.into_iter().collect())
}

/// Whether the only call of code leads to a symbol.
fn is_only_call(connection: &Connection, code: &Code, handler: i64) -> Result<bool, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND span_start = ?3 AND target = ?4 AND kind = ?5",
    )?;
    let (first, last) = (first_row(code.file), first_row(code.file + 1) - 1);
    let call = Stored(RefKind::Call);
    Ok(statement.exists(params![first, last, code.call, handler, call])?)
}
