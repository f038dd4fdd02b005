//! Which definitions lead to which, and what can be reached.

use crate::error::GraphError;
use crate::query::symbol::is_test;
use crate::resolve::Confidence;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{Family, Lang, RefKind, RelationKind, SymbolKind};
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap, HashSet};

/// From where a definition is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Code,
    Tests,
}

/// A definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) kind: SymbolKind,
    pub(super) lang: Lang,
    pub(super) parent: Option<i64>,
    pub(super) span: (u32, u32),
    pub(super) line: u32,
    pub(super) is_exported: bool,
    is_test: bool,
    /// It runs without being called by name.
    is_entry: bool,
}

impl Row {
    /// Whether somebody could want to delete it. What belongs to something else is used with that.
    pub(super) fn can_be_unused(&self) -> bool {
        !self.is_test && !self.is_entry && !self.belongs() && self.lang.family() != Family::Prose
    }

    /// Whether it is reached with what it is a part of.
    fn belongs(&self) -> bool {
        matches!(
            self.kind,
            SymbolKind::Constructor
                | SymbolKind::Variant
                | SymbolKind::Impl
                | SymbolKind::Module
                | SymbolKind::Variable
                | SymbolKind::Field
                | SymbolKind::Property
                | SymbolKind::Test
                | SymbolKind::Heading
                | SymbolKind::Route
        )
    }
}

/// All definitions, and what they use.
pub(super) struct Definitions {
    pub(super) rows: BTreeMap<i64, Row>,
    pub(super) names: BTreeMap<i64, String>,
    /// Names of uses that could not be followed.
    pub(super) unresolved: HashSet<String>,
    /// Types that extend or implement what is not in the repository.
    pub(super) has_unknown_supertype: HashSet<i64>,
    files: BTreeMap<u32, String>,
    /// The type that an `impl` block is for, when it is one of the repository.
    owners: HashMap<i64, i64>,
    /// What a definition leads to.
    leads_to: HashMap<i64, Vec<i64>>,
    /// What code outside of definitions leads to.
    outside: Vec<(Side, i64)>,
    /// How often a definition is named in its own file: by uses outside of it, and by others of its name.
    pub(super) named_in_file: HashMap<i64, usize>,
    /// Who uses a definition by name, itself and imports left out.
    users: HashMap<i64, HashSet<bool>>,
}

impl Definitions {
    pub(super) fn read(connection: &Connection) -> Result<Definitions, GraphError> {
        let mut all = Definitions {
            rows: BTreeMap::new(),
            names: BTreeMap::new(),
            unresolved: HashSet::new(),
            has_unknown_supertype: HashSet::new(),
            files: BTreeMap::new(),
            owners: HashMap::new(),
            leads_to: HashMap::new(),
            outside: Vec::new(),
            named_in_file: HashMap::new(),
            users: HashMap::new(),
        };
        all.read_symbols(connection)?;
        all.read_owners(connection)?;
        all.read_refs(connection)?;
        all.read_relations(connection)?;
        all.count_namesakes();
        Ok(all)
    }

    pub(super) fn path(&self, row: &Row) -> &str {
        self.files.get(&file_of_row(row.id)).map_or("", String::as_str)
    }

    pub(super) fn files(&self) -> Vec<(u32, &str)> {
        self.files.iter().map(|(file, path)| (*file, path.as_str())).collect()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(String::as_str)
    }

    /// Whether something other than itself names it, imports aside.
    pub(super) fn is_used_by(&self, row: &Row, side: Side) -> bool {
        self.users.get(&row.id).is_some_and(|users| users.contains(&(side == Side::Tests)))
    }

    /// Everything that is reached from one side, and from these.
    pub(super) fn reached(&self, side: Side, further: &HashSet<i64>) -> HashSet<i64> {
        let begins = |row: &&Row| match side {
            Side::Tests => row.is_test,
            Side::Code if row.is_test => false,
            Side::Code => {
                let is_free = row.parent.is_none() && !self.owners.contains_key(&row.id);
                let is_called = row.is_entry || row.kind == SymbolKind::Route;
                is_called || row.is_exported || (row.belongs() && is_free)
            }
        };
        let mut open: Vec<i64> = self.rows.values().filter(begins).map(|row| row.id).collect();
        open.extend(self.outside.iter().filter(|(from, _)| *from == side).map(|(_, id)| *id));
        open.extend(further.iter().filter(|_| side == Side::Code));
        let mut reached: HashSet<i64> = HashSet::new();
        let is_open = |id: &i64| side == Side::Tests || !self.is_in_tests(Some(*id));
        while let Some(id) = open.pop() {
            if is_open(&id) && reached.insert(id) {
                open.extend(self.leads_to.get(&id).into_iter().flatten());
            }
        }
        reached
    }

    fn read_symbols(&mut self, connection: &Connection) -> Result<(), GraphError> {
        let mut statement = connection.prepare_cached("SELECT id, path FROM file_rows")?;
        let files = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        self.files = files.collect::<Result<_, _>>()?;
        let handlers = connection
            .prepare_cached("SELECT handler FROM command_rows WHERE handler IS NOT NULL")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<HashSet<i64>, _>>()?;
        let mut statement = connection.prepare_cached(
            "SELECT s.id, s.kind, f.lang, s.parent, s.span_start, s.line, s.exported, s.name, s.qualified,
               s.span_end
             FROM symbol_rows s JOIN file_rows f ON f.id = s.id >> 22 ORDER BY s.id",
        )?;
        let mut rows = statement.query([])?;
        let mut twins: HashMap<(u32, String), i64> = HashMap::new();
        while let Some(row) = rows.next()? {
            let (id, name, qualified): (i64, String, String) = (row.get(0)?, row.get(7)?, row.get(8)?);
            let (Stored(kind), Stored(lang)): (Stored<SymbolKind>, Stored<Lang>) = (row.get(1)?, row.get(2)?);
            let path = self.files.get(&file_of_row(id)).map_or("", String::as_str);
            let is_test_module = kind == SymbolKind::Module && matches!(name.as_str(), "test" | "tests");
            let found = Row {
                id,
                kind,
                lang,
                parent: row.get(3)?,
                span: (row.get(4)?, row.get(9)?),
                line: row.get(5)?,
                is_exported: row.get(6)?,
                is_test: is_test(path, kind) || is_test_module || self.is_in_tests(row.get(3)?),
                is_entry: handlers.contains(&id)
                    || runs_by_itself(&name, &qualified)
                    || self.is_expanded(row.get(3)?),
            };
            if let Some(parent) = found.parent {
                self.lead(id, parent);
                if found.belongs() || found.is_entry {
                    self.lead(parent, id);
                }
            }
            // Overloads, and twins under conditions, are used together.
            if let Some(twin) = twins.insert((file_of_row(id), qualified), id) {
                self.lead(twin, id);
                self.lead(id, twin);
            }
            self.names.insert(id, name);
            self.rows.insert(id, found);
        }
        Ok(())
    }

    /// What a macro defines is used where the macro is.
    fn is_expanded(&self, parent: Option<i64>) -> bool {
        parent.and_then(|parent| self.rows.get(&parent)).is_some_and(|row| row.kind == SymbolKind::Macro)
    }

    fn is_in_tests(&self, id: Option<i64>) -> bool {
        id.and_then(|id| self.rows.get(&id)).is_some_and(|row| row.is_test)
    }

    /// An `impl` block is reached with its type, whose name stands in its head.
    fn read_owners(&mut self, connection: &Connection) -> Result<(), GraphError> {
        let mut statement = connection.prepare_cached(
            "SELECT r.scope, s.name, r.target, t.name FROM ref_rows r JOIN symbol_rows s ON s.id = r.scope
             JOIN symbol_rows t ON t.id = r.target WHERE s.kind = ?1 ORDER BY r.id",
        )?;
        let mut rows = statement.query([Stored(SymbolKind::Impl)])?;
        while let Some(row) = rows.next()? {
            let (block, head): (i64, String) = (row.get(0)?, row.get(1)?);
            let (owner, name): (i64, String) = (row.get(2)?, row.get(3)?);
            let is_type = self.rows.get(&owner).is_some_and(|row| row.kind.is_type());
            if is_type && subject(&head) == name && !self.owners.contains_key(&block) {
                self.owners.insert(block, owner);
                self.lead(owner, block);
            }
        }
        Ok(())
    }

    fn read_refs(&mut self, connection: &Connection) -> Result<(), GraphError> {
        let mut statement = connection
            .prepare_cached("SELECT id, scope, target, kind, line FROM ref_rows WHERE target IS NOT NULL")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (id, to): (i64, i64) = (row.get(0)?, row.get(2)?);
            let scope = self.running_scope(row.get(1)?, row.get(4)?);
            let Stored(kind): Stored<RefKind> = row.get(3)?;
            let file = self.files.get(&file_of_row(id)).map_or("", String::as_str);
            let in_tests = is_test(file, SymbolKind::Function) || self.is_in_tests(scope);
            match scope {
                Some(scope) if self.is_inside(scope, to) => continue,
                _ if file_of_row(id) == file_of_row(to) => *self.named_in_file.entry(to).or_default() += 1,
                _ => {}
            }
            match scope {
                Some(scope) => self.lead(scope, to),
                // An import alone runs nothing.
                None if kind == RefKind::Use => {}
                None => self.outside.push((if in_tests { Side::Tests } else { Side::Code }, to)),
            }
            if kind != RefKind::Use {
                self.use_by(to, in_tests);
            }
        }
        let mut statement = connection
            .prepare_cached("SELECT DISTINCT name FROM ref_rows WHERE target IS NULL AND confidence = ?1")?;
        let open = Stored(Confidence::FuzzyName);
        self.unresolved = statement.query_map([open], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The scope whose code runs a use: a decorator runs where the decorated definition stands.
    fn running_scope(&self, scope: Option<i64>, line: u32) -> Option<i64> {
        let row = self.rows.get(&scope?)?;
        let is_decorator = row.lang.family() == Family::Python && line < row.line;
        if is_decorator { row.parent } else { scope }
    }

    fn read_relations(&mut self, connection: &Connection) -> Result<(), GraphError> {
        let mut statement = connection.prepare_cached(
            "SELECT kind, from_symbol, to_symbol FROM relation_rows WHERE from_symbol IS NOT NULL",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Stored(kind): Stored<RelationKind> = row.get(0)?;
            let (from, to): (i64, Option<i64>) = (row.get(1)?, row.get(2)?);
            let in_tests = self.is_in_tests(Some(from));
            match (kind, to) {
                // Who calls the overridden member may run this one, which could not be what it is without the other.
                (RelationKind::Overrides, Some(to)) => {
                    self.lead(to, from);
                    self.lead(from, to);
                    self.use_by(from, in_tests);
                    self.use_by(to, in_tests);
                }
                (_, Some(to)) => {
                    self.lead(from, to);
                    self.use_by(to, in_tests);
                }
                (_, None) => drop(self.has_unknown_supertype.insert(from)),
            }
        }
        Ok(())
    }

    /// Several definitions of one name in a file name each other.
    fn count_namesakes(&mut self) {
        let mut namesakes: HashMap<(u32, &str), usize> = HashMap::new();
        for (id, name) in &self.names {
            *namesakes.entry((file_of_row(*id), name)).or_default() += 1;
        }
        for (id, name) in &self.names {
            let others = namesakes.get(&(file_of_row(*id), name.as_str())).map_or(0, |count| count - 1);
            *self.named_in_file.entry(*id).or_default() += others;
        }
    }

    fn lead(&mut self, from: i64, to: i64) {
        self.leads_to.entry(from).or_default().push(to);
    }

    /// What contains it is used with it: a class by its members.
    fn use_by(&mut self, id: i64, in_tests: bool) {
        let mut at = Some(id);
        while let Some(id) = at {
            self.users.entry(id).or_default().insert(in_tests);
            at = self.around(id);
        }
    }

    /// Whether a scope is a definition or stands inside of it.
    fn is_inside(&self, scope: i64, of: i64) -> bool {
        let mut at = Some(scope);
        while let Some(id) = at {
            if id == of {
                return true;
            }
            at = self.around(id);
        }
        false
    }

    /// What a definition is a part of.
    fn around(&self, id: i64) -> Option<i64> {
        self.rows.get(&id).and_then(|row| row.parent).or_else(|| self.owners.get(&id).copied())
    }
}

/// The type in the head of an `impl` block: `Cart` in `<impl Store for shop::Cart<T>>`.
fn subject(head: &str) -> &str {
    let head = head.trim_start_matches('<').trim_start_matches("impl ");
    let subject = head.rsplit(" for ").next().unwrap_or(head);
    let path = subject.split(['<', '>', ' ']).next().unwrap_or(subject);
    path.rsplit("::").next().unwrap_or(path)
}

/// Whether something outside of the repository calls what has this name: the system, the language, or a foreign trait.
fn runs_by_itself(name: &str, qualified: &str) -> bool {
    let is_dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    let is_language = name.starts_with('~') || name.starts_with("operator");
    matches!(name, "main" | "Main" | "init" | "initialize")
        || is_language
        || is_dunder
        || qualified.contains(" as ")
}
