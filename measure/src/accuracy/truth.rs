//! What a compiler says of a repository: one line per definition (`D`) and reference (`R`), tab-separated.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use xtask::failure::{Context, Failure, fail};
use xtask::project::output;

/// A definition. One number may have several: overloads, variants under conditional compilation.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) file: String,
    /// Of the name.
    pub(crate) line: u32,
    /// Of the whole item, with attributes and comments that belong to it.
    pub(crate) first_line: u32,
    /// Of the whole item.
    pub(crate) last_line: u32,
    pub(crate) class: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    /// Made by a macro: nothing in the text defines it.
    pub(crate) is_generated: bool,
}

/// What stands at a place.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) column: u32,
    pub(crate) scope: Scope,
    pub(crate) ids: Vec<u32>,
}

/// Where the target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Inside,
    Outside,
    /// A local of this file, on one of these lines.
    Local(String, Vec<u32>),
    Unknown,
}

/// A reference to be found: place, name and first target.
pub(crate) type RefKey = (String, u32, String, u32);

#[derive(Debug, Default)]
pub(crate) struct Truth {
    pub(crate) commit: Option<String>,
    pub(crate) language: String,
    pub(crate) tool: String,
    pub(crate) files: HashSet<String>,
    pub(crate) definitions: BTreeMap<u32, Vec<Definition>>,
    /// Acceptable targets and roles of each reference into the repository.
    pub(crate) refs: BTreeMap<RefKey, (Vec<u32>, BTreeSet<String>)>,
    pub(crate) sites: HashMap<(String, u32), Vec<Site>>,
}

impl Truth {
    /// The names that the targets have where they are defined.
    pub(crate) fn names(&self, ids: &[u32]) -> HashSet<&str> {
        ids.iter()
            .filter_map(|id| self.definitions.get(id)?.first())
            .map(|first| first.name.as_str())
            .collect()
    }

    /// Whether a line of a file is that of a definition: from its first line to one behind its name.
    pub(crate) fn is_target(&self, id: u32, file: &str, line: u32) -> bool {
        self.definitions.get(&id).into_iter().flatten().filter(|definition| definition.file == file).any(
            |definition| {
                definition.class == "module"
                    || (definition.first_line.saturating_sub(1)..=definition.line + 1).contains(&line)
            },
        )
    }
}

/// Reads a compressed file.
pub(crate) fn read(path: &Path) -> Result<Truth, Failure> {
    let text = output(Command::new("gzip").arg("-dc").arg(path)).context(path.display())?;
    parse(&text).ok_or_else(|| fail(format!("{} is not as its head says", path.display())))
}

pub(crate) fn parse(text: &str) -> Option<Truth> {
    let mut truth = Truth::default();
    let mut references = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[0] {
            "#commit" => truth.commit = fields.get(1).map(|text| (*text).to_owned()),
            "#language" => (*fields.get(1)?).clone_into(&mut truth.language),
            "#tool" => (*fields.get(1)?).clone_into(&mut truth.tool),
            "F" => {
                truth.files.insert((*fields.get(1)?).to_owned());
            }
            "D" => {
                let definition = Definition {
                    file: (*fields.get(2)?).to_owned(),
                    line: fields.get(3)?.parse().ok()?,
                    first_line: fields.get(5)?.parse().ok()?,
                    last_line: fields.get(6)?.parse().ok()?,
                    class: (*fields.get(7)?).to_owned(),
                    kind: (*fields.get(8)?).to_owned(),
                    name: short(fields.get(9)?).to_owned(),
                    is_generated: fields.get(10)?.contains('g'),
                };
                truth.definitions.entry(fields.get(1)?.parse().ok()?).or_default().push(definition);
            }
            "R" => references.push(fields),
            _ => {}
        }
    }
    for fields in references {
        reference(&mut truth, &fields)?;
    }
    Some(truth)
}

fn reference(truth: &mut Truth, fields: &[&str]) -> Option<()> {
    let (file, line): (String, u32) = ((*fields.get(1)?).to_owned(), fields.get(2)?.parse().ok()?);
    let (column, name) = (fields.get(3)?.parse().ok()?, short(fields.get(4)?).to_owned());
    let role = (*fields.get(5)?).to_owned();
    let ids: Vec<u32> = fields.get(7)?.split(',').filter_map(|id| id.parse().ok()).collect();
    let scope = match *fields.get(6)? {
        "in" => {
            let key = (file.clone(), line, name.clone(), *ids.first()?);
            let (accepted, roles) = truth.refs.entry(key).or_default();
            // `x: Shop = Shop()` names the class twice, and only once may its constructor be meant.
            accepted.extend(ids.iter().copied().filter(|id| !accepted.contains(id)).collect::<Vec<_>>());
            roles.insert(role);
            Scope::Inside
        }
        "ext" => Scope::Outside,
        "local" => {
            let (file, lines) = fields.get(8)?.rsplit_once(':')?;
            Scope::Local(file.to_owned(), lines.split('|').filter_map(|line| line.parse().ok()).collect())
        }
        _ => Scope::Unknown,
    };
    truth.sites.entry((file, line)).or_default().push(Site { name, column, scope, ids });
    Some(())
}

/// The last part of a name, without marks.
pub(crate) fn short(name: &str) -> &str {
    let name = ["::", ".", "->", "/"].into_iter().fold(name, |name, separator| {
        name.trim_matches(|c| separator.contains(c)).rsplit(separator).next().unwrap_or(name)
    });
    name.strip_prefix("r#").unwrap_or(name).trim_start_matches('#').trim_end_matches('!')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_stands_twice_in_a_line_may_mean_what_it_means_at_either_place() {
        let text = "D\t1\ta.py\t1\t7\t1\t4\ttype\tclass\tShop\t-\tShop\n\
            D\t2\ta.py\t2\t9\t2\t4\tfunc\tmethod\t__init__\tc\t__init__\n\
            R\ta.py\t9\t4\tShop\ttype\tin\t1\ta.py:1\n\
            R\ta.py\t9\t11\tShop\tcall\tin\t1,2\ta.py:1\n";
        let truth = parse(text).expect("a truth");
        let (ids, roles) = &truth.refs[&("a.py".to_owned(), 9, "Shop".to_owned(), 1)];
        assert_eq!((ids.as_slice(), roles.len()), (&[1, 2][..], 2));
    }

    #[test]
    fn names_are_cut_to_their_last_part() {
        for (name, expected) in [
            ("a::b", "b"),
            ("a.b.c", "c"),
            ("x->y", "y"),
            ("r#try", "try"),
            ("vec!", "vec"),
            ("plain", "plain"),
        ] {
            assert_eq!(short(name), expected);
        }
    }
}
