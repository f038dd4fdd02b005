//! Files that take the definition from where it was: their clauses follow it.

use super::changes::head;
use super::file::{File, Part};
use super::specifiers::{denotes, like};
use super::{Work, refuse};
use crate::error::RefactorError;
use orbit_extract::{Clause, ClauseKind, Place, spellings};

impl Work<'_> {
    /// Looks at every file that knows the old one.
    pub(super) fn users(&mut self) -> Result<(), RefactorError> {
        let subject = self.subject;
        let old = subject.symbol.path.as_str();
        let is_seen = subject.pieces.iter().any(|piece| self.is_exported(piece));
        self.hands_on |= is_seen && self.is_entry()?;
        for known in subject.facts.files()? {
            if known.lang.family() != subject.symbol.lang.family() || known.path == old {
                continue;
            }
            self.check_mocks(&known.path)?;
            let imports = subject.facts.imports_of(&known.path)?;
            if !imports.iter().any(|import| import.resolved.as_deref() == Some(old)) {
                continue;
            }
            let text = self.worktree.read_text(&known.path)?;
            let file = File::of(subject.facts, &known.path, text)?;
            self.user(&file, is_seen)?;
            self.files.insert(known.path, file);
        }
        self.through_others()
    }

    /// What one file that imports the old one does with the definition.
    fn user(&mut self, file: &File, is_seen: bool) -> Result<(), RefactorError> {
        let old = self.subject.symbol.path.as_str();
        for (at, clause) in file.clauses.all.iter().enumerate() {
            if file.source(clause) != Some(old) {
                continue;
            }
            for (number, item) in clause.items.iter().enumerate() {
                if file.slice(item.name) == self.subject.name() {
                    self.follow(file, (at, clause), number)?;
                }
            }
            match clause.whole.map(|whole| file.slice(whole)) {
                Some("*") if clause.kind == ClauseKind::Reexport && is_seen => self.barrel(file, clause)?,
                Some(_) if clause.kind == ClauseKind::Reexport => self.hands_on |= is_seen,
                Some(all) => self.hands_on |= is_seen && self.reaches(file, all)?,
                None => {}
            }
        }
        let is_dynamic = file.imports.iter().any(|import| {
            let is_clause = |clause: &Clause| file.module(clause) == Some(&import.module);
            import.resolved.as_deref() == Some(old) && !file.clauses.all.iter().any(is_clause)
        });
        self.hands_on |= is_seen && is_dynamic && file.text.contains(self.subject.name());
        Ok(())
    }

    /// An item that names the definition.
    fn follow(
        &mut self,
        file: &File,
        (at, clause): (usize, &Clause),
        number: usize,
    ) -> Result<(), RefactorError> {
        let (subject, item) = (self.subject, clause.items[number]);
        if file.path == subject.target {
            if item.alias.is_some() {
                let message = format!("{}:{}: it has another name there", file.path, clause.line);
                return Err(refuse("unsupported", message));
            }
            self.is_imported |= clause.kind == ClauseKind::Reexport;
            self.changes(&file.path).remove(at, Part::Item(number));
            return Ok(());
        }
        self.is_imported = true;
        let module = file.module(clause).unwrap_or_default();
        let new = like(&file.path, module, &subject.symbol.path, &subject.target);
        let changes = self.changes(&file.path);
        changes.remove(at, Part::Item(number));
        changes.leads.insert(new.clone(), subject.target.clone());
        changes.add(&head(clause), file.slice(item.span), &new);
        Ok(())
    }

    /// A file that hands on everything the old file has hands on this, too.
    fn barrel(&mut self, file: &File, clause: &Clause) -> Result<(), RefactorError> {
        let (subject, name) = (self.subject, self.subject.name().to_owned());
        let all = &file.clauses.all;
        let has_all = all.iter().any(|other| {
            let is_whole = other.whole.is_some_and(|whole| file.slice(whole) == "*");
            other.kind == ClauseKind::Reexport && is_whole && file.source(other) == Some(&subject.target)
        });
        let exports = all.iter().filter(|clause| clause.kind != ClauseKind::Import);
        let is_listed = exports.flat_map(|clause| &clause.items).any(|item| file.slice(item.bound()) == name);
        let own = subject.facts.of_file(&file.path)?;
        let is_own = own.iter().any(|symbol| symbol.parent.is_none() && symbol.name == name);
        self.is_imported = true;
        if has_all || is_listed || is_own || file.path == subject.target {
            return Ok(());
        }
        let module = file.module(clause).unwrap_or_default();
        let new = like(&file.path, module, &subject.symbol.path, &subject.target);
        let is_type = self.is_type_only(&name) || clause.is_marked;
        let style = file.style(&[], self.near.as_ref());
        let changes = self.changes(&file.path);
        changes.leads.insert(new.clone(), subject.target.clone());
        let head = if is_type { "export type" } else { "export" };
        let line = style.line(head, &format!("{{ {name} }}"), &new);
        changes.add_behind(clause.span, line);
        Ok(())
    }

    /// Whether a file uses the definition as a member of a value that has all of the old file.
    fn reaches(&self, file: &File, all: &str) -> Result<bool, RefactorError> {
        let words = [self.subject.name(), all];
        let found = spellings(&file.path, self.subject.symbol.lang, file.text.as_bytes(), &words);
        let found =
            found.map_err(|error| refuse("unreadable", format!("{}: {}", file.path, error.as_str())))?;
        Ok(found.iter().any(|spelling| {
            let is_member = spelling.word == 0 && spelling.place == Place::Member;
            let is_whole = spelling.word == 1
                && spelling.place == Place::Plain
                && !spelling.in_import
                && !spelling.is_qualifier;
            is_member || is_whole
        }))
    }

    /// Whether programs outside of the repository look for the file.
    fn is_entry(&self) -> Result<bool, RefactorError> {
        let path = self.subject.symbol.path.as_str();
        let name = path.rsplit('/').next().unwrap_or(path);
        if name.starts_with("index.") {
            return Ok(true);
        }
        let mut dir = path;
        while let Some((outer, _)) = dir.rsplit_once('/') {
            dir = outer;
            let manifest = format!("{dir}/package.json");
            if self.names_file(&manifest, &path[dir.len() + 1..])? {
                return Ok(true);
            }
        }
        self.names_file("package.json", path)
    }

    fn names_file(&self, manifest: &str, path: &str) -> Result<bool, RefactorError> {
        let Some(bytes) = self.worktree.read(manifest)? else { return Ok(false) };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok([format!("\"./{path}\""), format!("\"{path}\"")].iter().any(|quoted| text.contains(quoted)))
    }

    /// Refuses what a test replaces in the module as a whole.
    fn check_mocks(&self, path: &str) -> Result<(), RefactorError> {
        let bytes = self.worktree.read(path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        if !text.contains("mock(") && !text.contains("mockModule(") {
            return Ok(());
        }
        let words = ["mock(", "mockModule("];
        for (at, word) in words.iter().flat_map(|word| text.match_indices(word)) {
            let rest = text[at + word.len()..].trim_start();
            let module = rest.strip_prefix(['"', '\'']).and_then(|rest| rest.split(['"', '\'']).next());
            if module.is_some_and(|module| denotes(path, module, &self.subject.symbol.path)) {
                let message = format!("{path} replaces the module that it leaves");
                return Err(refuse("module_attribute", message));
            }
        }
        Ok(())
    }

    /// The target may have the definition from a file that hands it on: it has its own now.
    fn through_others(&mut self) -> Result<(), RefactorError> {
        let name = self.subject.name().to_owned();
        let Some((at, part)) = self.target.binding(&name) else { return Ok(()) };
        let clause = &self.target.clauses.all[at];
        if self.target.source(clause) == Some(self.subject.symbol.path.as_str()) {
            return Ok(()); // followed above
        }
        let is_own = match part {
            Part::Item(item) => {
                let span = clause.items[item].name;
                let rows = self.subject.uses()?;
                rows.iter().any(|row| row.file == self.target.path && row.span == (span.start, span.end))
            }
            _ => false,
        };
        if !is_own {
            return Err(refuse("taken", format!("`{name}` means something else in {}", self.target.path)));
        }
        let target = self.target.path.clone();
        self.changes(&target).remove(at, part);
        Ok(())
    }
}
