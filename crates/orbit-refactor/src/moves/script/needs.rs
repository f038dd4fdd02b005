//! What a definition needs from the file that it leaves, and what that file needs no more.

use super::file::{File, Part};
use super::specifiers::{Written, join, relative};
use super::{Work, export_word, refuse};
use crate::error::RefactorError;
use orbit_extract::Clause;
use std::collections::BTreeMap;

/// How the definition uses a name.
#[derive(Clone, Copy)]
struct Used {
    /// As a type only.
    is_type: bool,
    is_assigned: bool,
}

impl Work<'_> {
    /// Gathers the imports that the target needs, and those that the old file no longer does.
    pub(super) fn needs(&mut self) -> Result<(), RefactorError> {
        let (subject, name) = (self.subject, self.subject.name().to_owned());
        let mut inside: BTreeMap<String, Used> = BTreeMap::new();
        for used in self.old.names.iter().filter(|used| subject.goes(used.span.start)) {
            let new = Used { is_type: used.is_type, is_assigned: used.is_assigned };
            let known = inside.entry(self.old.slice(used.span).to_owned()).or_insert(new);
            known.is_type &= used.is_type;
            known.is_assigned |= used.is_assigned;
        }
        if subject.extents.iter().any(|extent| self.old.has_elements(*extent)) {
            inside.entry("React".to_owned()).or_insert(Used { is_type: false, is_assigned: false });
        }
        inside.remove(&name);
        for (word, used) in inside {
            if let Some((clause, part)) = self.old.binding(&word) {
                self.brought(&word, used, (clause, part))?;
                if !self.is_needed_still(&word) {
                    self.changes(&subject.symbol.path).remove(clause, part);
                }
            } else if self.subject.symbols.iter().any(|symbol| symbol.parent.is_none() && symbol.name == word)
            {
                self.stays(&word, used)?;
            } else if word != "React" && self.is_taken(&word)? {
                return Err(self.taken(&word));
            }
        }
        Ok(())
    }

    fn taken(&self, word: &str) -> RefactorError {
        refuse("taken", format!("`{word}` means something else in {}", self.subject.target))
    }

    /// Whether the target has a meaning of its own for a name.
    fn is_taken(&self, word: &str) -> Result<bool, RefactorError> {
        let own = self.subject.facts.of_file(&self.subject.target)?;
        let is_own = own.iter().any(|symbol| symbol.parent.is_none() && symbol.name == word);
        Ok(is_own || self.target.binding(word).is_some())
    }

    /// Whether the old file needs an import without the definition.
    fn is_needed_still(&self, word: &str) -> bool {
        let (old, subject) = (&self.old, self.subject);
        let is_used = old.names.iter().any(|used| old.is(used, word) && !subject.goes(used.span.start));
        let mut rest = String::new();
        let mut at = 0;
        for extent in &subject.extents {
            rest.push_str(&old.text[at..extent.0 as usize]);
            at = extent.1 as usize;
        }
        rest.push_str(&old.text[at..]);
        let has_elements = word == "React" && (rest.contains("</") || rest.contains("/>"));
        // What comments of JavaScript name, type checkers read.
        let in_comment = ["{@link ", "@type {", "@param {", "@returns {", "@see "].iter().any(|tag| {
            rest.match_indices(tag).any(|(at, _)| rest[at..].lines().next().unwrap_or("").contains(word))
        });
        is_used || has_elements || in_comment
    }

    /// An import of the old file that the definition needs: the target gets it, unless it has it.
    fn brought(&mut self, word: &str, used: Used, (at, part): (usize, Part)) -> Result<(), RefactorError> {
        let subject = self.subject;
        let clause = self.old.clauses.all[at].clone();
        let source = self.old.source(&clause).map(str::to_owned);
        if source.as_deref() == Some(&subject.target) {
            let is_same = matches!(part, Part::Item(item) if self.old.slice(clause.items[item].name) == word);
            let message = format!("`{word}` has another name in {}", subject.target);
            return if is_same { Ok(()) } else { Err(refuse("unsupported", message)) };
        }
        if let Some((bound, other)) = self.target.binding(word) {
            let theirs = &self.target.clauses.all[bound];
            if !self.is_same((&clause, part), (theirs, other)) {
                return Err(self.taken(word));
            }
            let is_typed =
                theirs.is_marked || matches!(other, Part::Item(item) if theirs.items[item].is_type);
            if is_typed && !used.is_type {
                let message = format!("{} imports `{word}` as a type only", subject.target);
                return Err(refuse("taken", message));
            }
            return Ok(());
        }
        if self.is_taken(word)? {
            return Err(self.taken(word));
        }
        self.bring(word, &clause, part, source)
    }

    /// Whether two parts of imports, of the old file and of the target, stand for the same.
    fn is_same(&self, (a, part): (&Clause, Part), (b, other): (&Clause, Part)) -> bool {
        let (old, target) = (&self.old, &self.target);
        let is_file = || match (old.source(a), target.source(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => {
                let module = |file: &File, clause: &Clause| {
                    let module = file.module(clause).unwrap_or_default().to_owned();
                    if module.starts_with('.') { join(&file.path, &module) } else { module }
                };
                module(old, a) == module(target, b)
            }
            _ => false,
        };
        let is_name = match (part, other) {
            (Part::Item(one), Part::Item(two)) => {
                old.slice(a.items[one].name) == target.slice(b.items[two].name)
            }
            (part, other) => part == other,
        };
        is_name && is_file()
    }

    /// Writes an import of the old file down for the target.
    fn bring(
        &mut self,
        word: &str,
        clause: &Clause,
        part: Part,
        source: Option<String>,
    ) -> Result<(), RefactorError> {
        let subject = self.subject;
        let Some(module) = self.old.module(clause).map(str::to_owned) else {
            return Err(refuse(
                "unsupported",
                format!("`{word}` is imported in a way that cannot be followed"),
            ));
        };
        let path = match &source {
            _ if !module.starts_with('.') => module.clone(),
            Some(source) => Written::of(&module, source).relative(&subject.target, source),
            None => relative(&subject.target, &join(&subject.symbol.path, &module)),
        };
        let style = self.target.style(&[&self.old], self.near.as_ref());
        let kind = if clause.is_marked { "import type" } else { "import" };
        // Attributes of the import stand behind the module.
        let behind = clause.module.map_or(0, |module| module.end + 1)..clause.span.end;
        let tail =
            self.old.text[behind.start as usize..behind.end as usize].trim_end_matches(';').trim().to_owned();
        let list = match part {
            Part::Default => word.to_owned(),
            Part::Whole => format!("* as {word}"),
            Part::Item(item) => self.old.slice(clause.items[item].span).to_owned(),
        };
        let changes = self.changes(&subject.target.clone());
        changes.leads.extend(source.map(|source| (path.clone(), source)));
        match part {
            Part::Item(_) if tail.is_empty() => changes.add(kind, list, &path),
            _ => {
                let list = if matches!(part, Part::Item(_)) { format!("{{ {list} }}") } else { list };
                let line = style.line(kind, &list, &path);
                let line = if tail.is_empty() { line } else { with_tail(&line, &tail, style.end) };
                changes.add_line(line);
            }
        }
        Ok(())
    }

    /// A definition of the old file that the moved one needs: it is exported there, and imported.
    fn stays(&mut self, word: &str, used: Used) -> Result<(), RefactorError> {
        let subject = self.subject;
        if used.is_assigned {
            return Err(refuse("unsupported", format!("it gives `{word}` of its file another value")));
        }
        let is_old = |clause: &Clause| self.target.source(clause) == Some(&subject.symbol.path);
        if let Some((at, part)) = self.target.binding(word) {
            let clause = &self.target.clauses.all[at];
            let is_same =
                matches!(part, Part::Item(item) if self.target.slice(clause.items[item].name) == word);
            let is_typed = clause.is_marked || matches!(part, Part::Item(item) if clause.items[item].is_type);
            if is_old(clause) && is_same && (used.is_type || !is_typed) {
                return Ok(());
            }
            return Err(self.taken(word));
        }
        if self.is_taken(word)? {
            return Err(self.taken(word));
        }
        let same: Vec<_> =
            subject.symbols.iter().filter(|symbol| symbol.parent.is_none() && symbol.name == word).collect();
        let is_default = same.iter().any(|symbol| self.text_of(symbol).starts_with("export default"));
        for symbol in &same {
            if !is_default && !self.is_exported(symbol) {
                self.exported.push(export_word(&subject.text, symbol)?);
            }
        }
        let module = self
            .target
            .style(&[&self.old], self.near.as_ref())
            .specifier(&subject.target, &subject.symbol.path);
        let is_erased = self.target.is_typed() && (used.is_type || self.is_type_only(word));
        let item = if is_default { format!("default as {word}") } else { word.to_owned() };
        let changes = self.changes(&subject.target.clone());
        changes.leads.insert(module.clone(), subject.symbol.path.clone());
        changes.add(if is_erased { "import type" } else { "import" }, item, &module);
        Ok(())
    }
}

/// A statement with the attributes of another one.
fn with_tail(line: &str, tail: &str, end: &str) -> String {
    let bare = line.trim_end().trim_end_matches(';');
    format!("{bare} {tail}{end}\n")
}
