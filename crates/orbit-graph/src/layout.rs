//! Where each file stands in its language's module tree: what `Cargo.toml`, `go.mod`, `package.json`,
//! `tsconfig.json`, `.csproj` and the directories say.
//!
//! Pure: manifests come in as parsed values. [`Layout::module_of`] names a file's module; the resolver's
//! rules ask the rest.

mod features;
mod manifest;
mod msbuild;
mod script;

pub(crate) use manifest::{Manifest, is_manifest, parse_manifest};

use orbit_extract::hash::hash_name;
use orbit_extract::{Family, Lang};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// The manifests of a repository, and which directories are Python packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    manifests: BTreeMap<String, Manifest>,
    /// Directories with an `__init__.py`.
    packages: BTreeSet<String>,
    /// Package name to directory, of all `package.json` files with a name.
    script_packages: BTreeMap<String, String>,
    /// What .NET projects say, by directory.
    usings: BTreeMap<String, msbuild::Usings>,
    /// The features that a plain build of a Cargo package has, by the package's directory.
    features: BTreeMap<String, BTreeSet<String>>,
}

/// The crate a file belongs to, and the file's path below the directory of the crate's root file; empty
/// for the root itself.
struct Placed<'p> {
    crate_name: String,
    inside: &'p str,
}

impl Layout {
    /// Puts together what is known.
    pub(crate) fn new<'p>(
        manifests: BTreeMap<String, Manifest>,
        paths: impl Iterator<Item = &'p str>,
    ) -> Layout {
        let packages = paths
            .filter_map(|path| path.strip_suffix("__init__.py").or_else(|| path.strip_suffix("__init__.pyi")))
            .map(|dir| trim_slash(dir).to_owned());
        let script_packages = manifests.iter().filter_map(|(path, manifest)| match manifest {
            Manifest::Package { name: Some(name), .. } => Some((name.clone(), directory(path).to_owned())),
            _ => None,
        });
        Layout {
            packages: packages.collect(),
            script_packages: script_packages.collect(),
            usings: msbuild::usings(&manifests),
            features: features::active(&manifests),
            manifests,
        }
    }

    /// Whether imports can mean something else than under `other`.
    pub(crate) fn same_manifests(&self, other: &Layout) -> bool {
        self.manifests == other.manifests
    }

    /// The module path of a file, joined with its language's separator; empty where the language has none.
    /// `package` is what the file itself declares.
    pub(crate) fn module_of(&self, path: &str, lang: Lang, package: Option<&str>) -> String {
        match lang.family() {
            Family::Rust => self.rust_module(path),
            Family::Python => self.python_module(path),
            Family::Script => script_module(path).to_owned(),
            Family::Go => self.go_package(path, package),
            Family::Jvm => package.unwrap_or("").to_owned(),
            Family::CSharp | Family::Ruby | Family::Native => String::new(),
            Family::Prose => path.to_owned(),
        }
    }

    // ── Rust ────────────────────────────────────────────────────────────────────────────────────────

    fn rust_module(&self, path: &str) -> String {
        let Placed { mut crate_name, inside } = self.place(path);
        let inside = inside.strip_suffix(".rs").unwrap_or(inside);
        let (dirs, last) = inside.rsplit_once('/').unwrap_or(("", inside));
        let is_root = last.is_empty() || last == "mod" || (dirs.is_empty() && matches!(last, "lib" | "main"));
        for part in dirs.split('/').chain((!is_root).then_some(last)).filter(|part| !part.is_empty()) {
            crate_name.push_str("::");
            crate_name.push_str(part);
        }
        crate_name
    }

    /// The crate is decided by the nearest `Cargo.toml` with a package.
    fn place<'p>(&self, path: &'p str) -> Placed<'p> {
        let manifest = ancestors(path).find_map(|dir| match self.manifests.get(&join(dir, "Cargo.toml")) {
            Some(Manifest::Cargo { package: Some(package), targets, .. }) => Some((dir, package, targets)),
            _ => None,
        });
        let Some((dir, package, targets)) = manifest else {
            return Placed { crate_name: "crate".into(), inside: path.rsplit('/').next().unwrap_or(path) };
        };
        let inside = path[dir.len()..].trim_start_matches('/');
        let target = targets
            .iter()
            .filter(|(root, _)| inside == root || starts_with_dir(inside, directory(root)))
            .max_by_key(|(root, _)| (inside == root, directory(root).len()));
        if let Some((root, name)) = target
            && !inside.starts_with("src/bin/")
        {
            let inside =
                if inside == root { "" } else { inside[directory(root).len()..].trim_start_matches('/') };
            return Placed { crate_name: name.clone(), inside };
        }
        for group in ["src/bin/", "tests/", "examples/", "benches/"] {
            if let Some(rest) = inside.strip_prefix(group) {
                let (name, inside) =
                    rest.split_once('/').unwrap_or((rest.strip_suffix(".rs").unwrap_or(rest), ""));
                return Placed { crate_name: name.replace('-', "_"), inside };
            }
        }
        if inside == "build.rs" {
            return Placed { crate_name: "build_script_build".into(), inside: "" };
        }
        Placed { crate_name: package.clone(), inside: inside.strip_prefix("src/").unwrap_or(inside) }
    }

    /// The features that a plain build of a file's package has.
    pub(crate) fn features_of(&self, path: &str) -> Option<&BTreeSet<String>> {
        ancestors(path).find_map(|dir| self.features.get(dir))
    }

    /// The file that a path means: where it is a symbolic link, what that leads to.
    pub(crate) fn followed<'p>(&'p self, path: &'p str) -> &'p str {
        match self.manifests.get(path) {
            Some(Manifest::Link { target }) => target,
            _ => path,
        }
    }

    /// What the crate of a file calls other crates, where that is not their own name.
    pub(crate) fn renamed_crates(&self, path: &str) -> SmallVec<[(u64, u64); 2]> {
        let mut renames = SmallVec::new();
        let mut is_package_seen = false;
        for dir in ancestors(path) {
            let Some(Manifest::Cargo { package, renames: found, .. }) =
                self.manifests.get(&join(dir, "Cargo.toml"))
            else {
                continue;
            };
            let counts = |of_workspace: bool| of_workspace || !is_package_seen;
            let found = found.iter().filter(|rename| counts(rename.of_workspace));
            renames.extend(found.map(|rename| (hash_name(&rename.alias), hash_name(&rename.name))));
            is_package_seen |= package.is_some();
        }
        renames
    }

    // ── Python ──────────────────────────────────────────────────────────────────────────────────────

    /// Packages reach up as long as there is an `__init__.py`; a file outside of any package is named by
    /// its path below the project, without a leading `src`.
    fn python_module(&self, path: &str) -> String {
        let stem = path.strip_suffix(".pyi").or_else(|| path.strip_suffix(".py")).unwrap_or(path);
        let (dir, file) = stem.rsplit_once('/').unwrap_or(("", stem));
        let mut top = dir;
        while !top.is_empty() && self.packages.contains(top) {
            top = directory(top);
        }
        if top == dir {
            top = ["src", "lib", "python"]
                .into_iter()
                .find(|root| starts_with_dir(dir, root) || dir == *root)
                .unwrap_or("");
        }
        let inside = stem[top.len()..].trim_start_matches('/');
        let inside =
            if file == "__init__" { inside.strip_suffix("__init__").map_or("", trim_slash) } else { inside };
        inside.replace('/', ".")
    }

    /// Whether a directory is a Python package.
    pub(crate) fn is_python_package(&self, dir: &str) -> bool {
        self.packages.contains(dir)
    }

    // ── Go ──────────────────────────────────────────────────────────────────────────────────────────

    /// The import path of the file's package. An external test package is a package of its own.
    fn go_package(&self, path: &str, package: Option<&str>) -> String {
        let dir = directory(path);
        let module = ancestors(path).find_map(|root| match self.manifests.get(&join(root, "go.mod")) {
            Some(Manifest::Go { module }) => Some((root, module)),
            _ => None,
        });
        let mut name = match module {
            // A copy of another module's package is imported as that.
            _ if let Some(inside) = vendored(dir) => inside.to_owned(),
            Some((root, module)) => {
                join(module, dir.strip_prefix(root).unwrap_or(dir).trim_start_matches('/'))
            }
            None => dir.to_owned(),
        };
        if package.is_some_and(|package| package.ends_with("_test")) && path.ends_with("_test.go") {
            name.push_str("_test");
        }
        name
    }
}

/// The import path of a directory below `vendor`.
fn vendored(dir: &str) -> Option<&str> {
    match dir.rsplit_once("/vendor/") {
        Some((_, inside)) => Some(inside),
        None => dir.strip_prefix("vendor/"),
    }
}

/// A script file's path without its extension.
pub(crate) fn script_module(path: &str) -> &str {
    const ENDINGS: [&str; 11] =
        [".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
    ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// Whether a C or C++ file is there to be included.
pub(crate) fn is_header(path: &str) -> bool {
    matches!(
        path.rsplit('.').next(),
        Some("h" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "inl" | "tpp" | "tcc" | "txx")
    )
}

/// The directory of a path, empty for the root.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The directories above a file, innermost first, the root (empty) last.
pub(crate) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory(path)), |dir| (!dir.is_empty()).then(|| directory(dir)))
}

pub(crate) fn join(dir: &str, path: &str) -> String {
    match (dir.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => dir.to_owned(),
        _ => format!("{dir}/{path}"),
    }
}

/// Folds `.` and `a/..`; what leaves the root keeps its `..`.
pub(crate) fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn starts_with_dir(path: &str, dir: &str) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

fn trim_slash(dir: &str) -> &str {
    dir.strip_suffix('/').unwrap_or(dir)
}

#[cfg(test)]
mod tests;
