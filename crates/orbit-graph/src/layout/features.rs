//! Which features of each Cargo package a plain build turns on: its defaults, and what other packages of its
//! workspace ask for, as Cargo puts it together when it builds all of them.

use super::{Manifest, ancestors, directory, join, normalize};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a `Cargo.toml` says of features.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CargoFeatures {
    /// The package's own name.
    package: Option<String>,
    /// Each feature with what it turns on.
    declared: BTreeMap<String, Vec<String>>,
    dependencies: Vec<Dependency>,
    /// It is the root of a workspace.
    workspace: Option<Workspace>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Workspace {
    /// What its packages may refer to.
    dependencies: Vec<Dependency>,
    members: Vec<String>,
    exclude: Vec<String>,
}

impl Workspace {
    fn of(table: &toml::Table) -> Workspace {
        Workspace {
            dependencies: dependencies(table),
            members: texts(table.get("members")),
            exclude: texts(table.get("exclude")),
        }
    }

    /// Whether a directory below the workspace, given relative to it, is not part of it. A package that is neither
    /// listed nor excluded is one that others depend on by its path, which makes it a member.
    fn excludes(&self, dir: &str) -> bool {
        let is_below = |path: &String| {
            let path = normalize(path);
            dir == path || dir.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        self.exclude.iter().any(is_below) && !self.members.iter().any(is_below)
    }
}

/// A dependency as far as features go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Dependency {
    /// What it is called here.
    alias: String,
    package: String,
    features: Vec<String>,
    has_defaults: bool,
    is_optional: bool,
    /// The workspace says the rest.
    is_inherited: bool,
}

impl CargoFeatures {
    pub(super) fn of(toml: &toml::Table) -> CargoFeatures {
        let table = |key: &str| toml.get(key).and_then(toml::Value::as_table);
        let name = table("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
        let declared = table("features").into_iter().flatten();
        let mut found = CargoFeatures {
            package: name.map(str::to_owned),
            declared: declared.map(|(name, list)| (name.clone(), texts(Some(list)))).collect(),
            dependencies: dependencies(toml),
            workspace: table("workspace").map(Workspace::of),
        };
        for (_, target) in table("target").into_iter().flatten() {
            found.dependencies.extend(target.as_table().into_iter().flat_map(dependencies));
        }
        found
    }
}

fn texts(list: Option<&toml::Value>) -> Vec<String> {
    let items = list.and_then(toml::Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn dependencies(table: &toml::Table) -> Vec<Dependency> {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let all = TABLES.iter().filter_map(|name| table.get(*name)?.as_table()).flatten();
    let each = all.map(|(alias, value)| {
        let is = |key: &str| value.get(key).and_then(toml::Value::as_bool);
        let package = value.get("package").and_then(toml::Value::as_str).unwrap_or(alias);
        Dependency {
            alias: alias.clone(),
            package: package.to_owned(),
            features: texts(value.get("features")),
            has_defaults: is("default-features").or(is("default_features")).unwrap_or(true),
            is_optional: is("optional") == Some(true),
            is_inherited: is("workspace") == Some(true),
        }
    });
    each.collect()
}

type Active = BTreeMap<String, BTreeSet<String>>;

/// The features that are on, by the directory of each package.
pub(super) fn active(manifests: &BTreeMap<String, Manifest>) -> Active {
    /// More rounds than any chain of packages that turn on features of each other.
    const MOST: usize = 32;
    let packages = Packages::of(manifests);
    let mut active: Active = BTreeMap::new();
    for (dir, cargo) in &packages.by_dir {
        let default = cargo.declared.contains_key("default").then(|| "default".to_owned());
        active.insert((*dir).to_owned(), default.into_iter().collect());
    }
    for _ in 0..MOST {
        let mut wanted: Vec<(String, String)> = Vec::new();
        for (dir, cargo) in &packages.by_dir {
            packages.wanted_by(dir, cargo, &active[*dir], &mut wanted);
        }
        let mut is_done = true;
        for (dir, feature) in wanted {
            is_done &= !active.get_mut(&dir).is_some_and(|features| features.insert(feature));
        }
        if is_done {
            break;
        }
    }
    active
}

struct Packages<'m> {
    manifests: &'m BTreeMap<String, Manifest>,
    by_dir: BTreeMap<&'m str, &'m CargoFeatures>,
    /// The directory of a package, by its workspace and name.
    by_name: BTreeMap<(&'m str, &'m str), &'m str>,
}

impl<'m> Packages<'m> {
    fn of(manifests: &'m BTreeMap<String, Manifest>) -> Packages<'m> {
        let mut packages = Packages { manifests, by_dir: BTreeMap::new(), by_name: BTreeMap::new() };
        for (path, manifest) in manifests {
            let Manifest::Cargo { features, .. } = manifest else { continue };
            if let Some(name) = &features.package {
                let dir = directory(path);
                packages.by_dir.insert(dir, features);
                packages.by_name.insert((packages.workspace_of(dir).0, name), dir);
            }
        }
        packages
    }

    /// The workspace that a package belongs to: the next one above it that does not exclude it.
    fn workspace_of(&self, dir: &'m str) -> (&'m str, &'m [Dependency]) {
        let inside = join(dir, "Cargo.toml");
        let root =
            ancestors(&inside).find_map(|above| match self.manifests.get(&join(above, "Cargo.toml")) {
                Some(Manifest::Cargo { features, .. }) => {
                    let relative = dir[above.len()..].trim_start_matches('/');
                    let workspace = features.workspace.as_ref();
                    let workspace = workspace.filter(|workspace| !workspace.excludes(relative));
                    workspace.map(|workspace| (&dir[..above.len()], workspace.dependencies.as_slice()))
                }
                _ => None,
            });
        root.unwrap_or((dir, &[]))
    }

    /// What a package with these features turns on, in itself and in others, as (directory, feature).
    fn wanted_by(
        &self,
        dir: &'m str,
        cargo: &CargoFeatures,
        features: &BTreeSet<String>,
        wanted: &mut Vec<(String, String)>,
    ) {
        let (workspace, shared) = self.workspace_of(dir);
        let dir_of = |package: &str| self.by_name.get(&(workspace, package)).map(|dir| (*dir).to_owned());
        let named = |alias: &str| cargo.dependencies.iter().find(|dependency| dependency.alias == alias);
        let package_of = |alias: &str| named(alias).and_then(|dependency| dir_of(&dependency.package));
        for effect in features.iter().filter_map(|feature| cargo.declared.get(feature)).flatten() {
            match effect.split_once('/') {
                Some((alias, feature)) => {
                    let is_weak = alias.ends_with('?');
                    let alias = alias.trim_end_matches('?');
                    let is_on = !is_weak || features.contains(alias) || features.contains(&dep(alias));
                    if !is_weak && named(alias).is_some_and(|dependency| dependency.is_optional) {
                        wanted.push((dir.to_owned(), alias.to_owned()));
                        wanted.push((dir.to_owned(), dep(alias)));
                    }
                    let package = package_of(alias).filter(|_| is_on);
                    wanted.extend(package.map(|package| (package, feature.to_owned())));
                }
                None => wanted.push((dir.to_owned(), effect.clone())),
            }
        }
        for dependency in &cargo.dependencies {
            let is_on = !dependency.is_optional
                || features.contains(&dependency.alias)
                || features.contains(&dep(&dependency.alias));
            let inherited = shared.iter().find(|it| dependency.is_inherited && it.alias == dependency.alias);
            let package = inherited.map_or(&dependency.package, |inherited| &inherited.package);
            let Some(package) = dir_of(package).filter(|_| is_on) else { continue };
            for source in [Some(dependency), inherited].into_iter().flatten() {
                wanted.extend(source.features.iter().map(|feature| (package.clone(), feature.clone())));
            }
            if dependency.has_defaults && inherited.is_none_or(|inherited| inherited.has_defaults) {
                wanted.push((package, "default".to_owned()));
            }
        }
    }
}

/// How a feature turns on an optional dependency.
fn dep(alias: &str) -> String {
    format!("dep:{alias}")
}
