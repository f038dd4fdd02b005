//! Random histories with migrations, branches and upkeep, against a plain model: a map of rows per commit.

use crate::fixture::{cells, empty};
use omnigraph::{ChangeOptions, CommitId, Graph, SchemaOptions, Target};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What can happen. Numbers choose among what there is.
#[derive(Clone, Debug)]
enum Act {
    Put { key: u8, seed: i32 },
    Remove { key: u8 },
    Add { kind: u8 },
    Drop { at: u8 },
    Rename { at: u8 },
    Widen { at: u8 },
    Require { at: u8 },
    Relax { at: u8 },
    Branch { from: u8 },
    Optimize,
    Clean,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        10 => (0..12u8, any::<i32>()).prop_map(|(key, seed)| Act::Put { key, seed }),
        4 => (0..12u8).prop_map(|key| Act::Remove { key }),
        3 => (0..4u8).prop_map(|kind| Act::Add { kind }),
        2 => any::<u8>().prop_map(|at| Act::Drop { at }),
        2 => any::<u8>().prop_map(|at| Act::Rename { at }),
        2 => any::<u8>().prop_map(|at| Act::Widen { at }),
        2 => any::<u8>().prop_map(|at| Act::Require { at }),
        1 => any::<u8>().prop_map(|at| Act::Relax { at }),
        1 => any::<u8>().prop_map(|from| Act::Branch { from }),
        1 => Just(Act::Optimize),
        1 => Just(Act::Clean),
    ]
}

#[derive(Clone, Debug, PartialEq)]
struct Property {
    name: String,
    ty: &'static str,
    nullable: bool,
    /// Of rows that give none.
    default: Option<Value>,
}

/// A branch as it must be.
#[derive(Clone, Debug, Default)]
struct Model {
    properties: Vec<Property>,
    rows: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Model {
    /// The schema; notes say what is only true of this migration.
    fn schema(&self, note: impl Fn(&Property) -> String) -> String {
        let properties = self.properties.iter().map(|property| {
            let null = if property.nullable { "?" } else { "" };
            let default =
                property.default.as_ref().map_or(String::new(), |value| format!(" @default({value})"));
            format!("  {}: {}{null}{default}{}\n", property.name, property.ty, note(property))
        });
        format!("node N {{\n  k: String @key\n{}}}\n", properties.collect::<String>())
    }

    fn value(property: &Property, seed: i32) -> Value {
        match property.ty {
            _ if property.nullable && seed % 3 == 0 => Value::Null,
            "String" => json!(format!("t{seed}")),
            "F64" => json!(f64::from(seed) / 2.0),
            _ => json!(seed),
        }
    }

    fn insert(&self, key: &str, seed: i32) -> (String, BTreeMap<String, Value>) {
        let mut row = BTreeMap::new();
        let mut given = vec![format!("k: \"{key}\"")];
        for (at, property) in self.properties.iter().enumerate() {
            let value = Model::value(property, seed.wrapping_add(at as i32 * 7) % 1000);
            let value = match &property.default {
                Some(default) if seed % 2 == 0 => default.clone(),
                _ => {
                    given.push(format!("{}: {value}", property.name));
                    value
                }
            };
            row.insert(property.name.clone(), value);
        }
        (format!("query q() {{ insert N {{ {} }} }}", given.join(", ")), row)
    }

    /// Changes the properties, and says what the schema must say about one of them for this migration. `None` when the act
    /// means nothing here.
    fn alter(&mut self, act: &Act, name: &str) -> Option<String> {
        if let Act::Add { kind } = act {
            self.add(*kind, name);
            return Some(String::new());
        }
        let (Act::Drop { at }
        | Act::Rename { at }
        | Act::Widen { at }
        | Act::Require { at }
        | Act::Relax { at }) = act
        else {
            return None;
        };
        let at = *at as usize % self.properties.len().max(1);
        let property = self.properties.get_mut(at)?;
        let old = property.name.clone();
        match act {
            Act::Drop { .. } => {
                self.properties.remove(at);
                self.rows.values_mut().for_each(|row| drop(row.remove(&old)));
            }
            Act::Rename { .. } => {
                name.clone_into(&mut property.name);
                for row in self.rows.values_mut() {
                    let value = row.remove(&old).expect("every row has every property");
                    row.insert(name.to_owned(), value);
                }
                return Some(format!("{name} @rename_from({old})"));
            }
            Act::Widen { .. } if property.ty == "I32" => property.ty = "I64",
            Act::Require { .. } if property.nullable => {
                property.nullable = false;
                let value = Model::value(property, 5);
                let cells = self.rows.values_mut().filter_map(|row| row.get_mut(&old));
                cells.filter(|cell| cell.is_null()).for_each(|cell| *cell = value.clone());
                return Some(format!("{old} @backfill({value})"));
            }
            Act::Relax { .. } => {
                property.nullable = true;
                property.default = None;
            }
            _ => return None,
        }
        Some(String::new())
    }

    fn add(&mut self, kind: u8, name: &str) {
        let (ty, nullable, default) = match kind {
            0 => ("I32", true, None),
            1 => ("String", true, None),
            2 => ("I64", false, Some(json!(7))),
            _ => ("F64", false, Some(json!(0.5))),
        };
        let fill = default.clone().unwrap_or(Value::Null);
        self.rows.values_mut().for_each(|row| drop(row.insert(name.to_owned(), fill.clone())));
        self.properties.push(Property { name: name.to_owned(), ty, nullable, default });
    }

    fn expected(&self) -> Vec<Vec<Value>> {
        let row = |(key, row): (&String, &BTreeMap<String, Value>)| {
            let values = self.properties.iter().map(|property| row[&property.name].clone());
            std::iter::once(json!(key)).chain(values).collect()
        };
        self.rows.iter().map(row).collect()
    }

    fn query(&self) -> String {
        let names: Vec<String> =
            self.properties.iter().map(|property| format!("$n.{}", property.name)).collect();
        format!("query q() {{ match {{ $n: N }} return {{ $n.k {} }} order {{ $n.k }} }}", names.join(" "))
    }
}

/// The graph, what it must be, and what it was.
struct World {
    graph: Graph,
    branches: Vec<(String, Model)>,
    at: usize,
    past: Vec<(CommitId, Model)>,
    names: usize,
}

impl World {
    fn branch(&self) -> &str {
        &self.branches[self.at].0
    }

    fn run(&mut self, act: &Act) {
        let (branch, model) = self.branches[self.at].clone();
        self.names += 1;
        match act {
            Act::Put { key, seed } => {
                let key = format!("k{key}");
                let (query, row) = model.insert(&key, *seed);
                self.change(&query);
                self.branches[self.at].1.rows.insert(key, row);
            }
            Act::Remove { key } => {
                let key = format!("k{key}");
                self.change(&format!("query q() {{ delete N where k = \"{key}\" }}"));
                self.branches[self.at].1.rows.remove(&key);
            }
            Act::Branch { from } => {
                let from = *from as usize % self.branches.len();
                let head = self.graph.store().head(&self.branches[from].0).unwrap();
                self.graph.store().create_branch(&format!("b{}", self.names), &head, None).unwrap();
                self.branches.push((format!("b{}", self.names), self.branches[from].1.clone()));
                self.at = self.branches.len() - 1;
            }
            Act::Optimize => drop(self.graph.optimize(Some(&branch), &mut |_| {}).unwrap()),
            Act::Clean => {
                crate::upkeep::clean(&self.graph, 3);
            }
            act => {
                let name = format!("p{}", self.names);
                if let Some(note) = self.branches[self.at].1.alter(act, &name) {
                    self.migrate(&note);
                }
            }
        }
        self.remember();
        self.at = (self.at + 1) % self.branches.len();
    }

    fn change(&self, query: &str) {
        let options = ChangeOptions { branch: Some(self.branch().to_owned()), ..ChangeOptions::default() };
        self.graph
            .change(query, None, &Map::new(), &options)
            .unwrap_or_else(|error| panic!("{query}\n{error}"));
    }

    /// Gives the graph the schema of the model, with a note about one property: `NAME NOTE`.
    fn migrate(&mut self, note: &str) {
        let (branch, model) = &self.branches[self.at];
        let (name, note) = note.split_once(' ').unwrap_or_default();
        let note =
            |property: &Property| if property.name == name { format!(" {note}") } else { String::new() };
        let schema = model.schema(note);
        let options =
            SchemaOptions { branch: Some(branch.clone()), allow_drop: true, ..SchemaOptions::default() };
        let report = self.graph.apply_schema(&schema, &options, &mut |_| {});
        let report = report.unwrap_or_else(|error| panic!("{schema}\n{error}"));
        assert!(report.plan.is_supported(), "{schema}\n{}", report.plan);
    }

    fn remember(&mut self) {
        let head = self.graph.store().head(self.branch()).unwrap();
        self.past.push((head.id().clone(), self.branches[self.at].1.clone()));
    }

    fn compare(&self) {
        for (name, model) in &self.branches {
            self.check(&Target::Branch(name.clone()), model);
        }
        for (commit, model) in &self.past {
            match self.graph.store().resolve(&Target::Commit(commit.clone())) {
                Ok(_) => self.check(&Target::Commit(commit.clone()), model),
                Err(error) => assert!(error.to_string().contains("was cleaned up"), "{error}"),
            }
        }
        let report = self.graph.fsck(&mut |_| {}).unwrap();
        assert!(report.problems.is_empty(), "{:?}", report.problems);
    }

    fn check(&self, target: &Target, model: &Model) {
        let answer = self.graph.read(target, &model.query(), None, &Map::new());
        let answer = answer.unwrap_or_else(|error| panic!("{target}: {error}"));
        assert_eq!(cells(&answer.rows), model.expected(), "{target}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_commit_reads_as_it_was_written(acts in proptest::collection::vec(act(), 1..40)) {
        let graph = empty("node N {\n  k: String @key\n}\n");
        let mut world =
            World { graph, branches: vec![("main".to_owned(), Model::default())], at: 0, past: Vec::new(), names: 0 };
        for act in &acts {
            world.run(act);
        }
        world.compare();
    }
}
