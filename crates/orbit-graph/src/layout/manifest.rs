//! The few facts of a manifest that decide module paths and imports.

use super::features::CargoFeatures;
use super::msbuild;
use serde::{Deserialize, Serialize};

/// What a manifest says about modules. Anything else in it may change without touching the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Manifest {
    /// `Cargo.toml`: the package's library name, explicit targets as (root file, crate name), and the
    /// dependencies that are called otherwise than their packages.
    Cargo {
        package: Option<String>,
        targets: Vec<(String, String)>,
        renames: Vec<Rename>,
        features: CargoFeatures,
    },
    /// A symbolic link to another file of the repository.
    Link { target: String },
    /// `go.mod`.
    Go { module: String },
    /// `package.json`: the files that the package itself stands for, and those its `exports` map the paths
    /// inside it to, patterns with `*` among them; `imports` are the names with `#` that its own files use.
    Package {
        name: Option<String>,
        entries: Vec<String>,
        exports: Vec<(String, Vec<String>)>,
        imports: Vec<(String, Vec<String>)>,
    },
    /// `tsconfig.json`, `tsconfig.base.json`, `jsconfig.json`.
    TsConfig {
        base_url: Option<String>,
        paths: Vec<(String, Vec<String>)>,
        extends: Vec<String>,
        /// The directory that is written, and the one it is made of.
        #[serde(default)]
        output: Option<(String, String)>,
    },
    /// `.csproj`, `.props`, `.targets`: the namespaces that every file uses, and the files that are read with it.
    DotNet { usings: Vec<String>, imports: Vec<String> },
}

/// A dependency under another name: `alias = { package = "name" }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rename {
    pub(crate) alias: String,
    pub(crate) name: String,
    /// Written for all packages of the workspace.
    pub(crate) of_workspace: bool,
}

/// Whether a file of this path is read for its module facts.
pub(crate) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "Cargo.toml" | "go.mod" | "package.json" | "jsconfig.json")
        || is_tsconfig(name)
        || msbuild::is_project(name)
}

/// `tsconfig.json`, and what it extends or refers to: `tsconfig.base.json`, `tsconfig-paths.json`.
fn is_tsconfig(name: &str) -> bool {
    let rest = name.strip_suffix(".json").and_then(|stem| stem.strip_prefix("tsconfig"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
}

/// Reads a manifest; one that does not parse says nothing.
pub(crate) fn parse_manifest(path: &str, text: &str) -> Option<Manifest> {
    match path.rsplit('/').next().unwrap_or(path) {
        "Cargo.toml" => parse_cargo(text),
        "go.mod" => {
            let words = |line: &'_ str| {
                let mut words = line.split("//").next()?.split_whitespace();
                (words.next()? == "module").then(|| words.next()).flatten().map(str::to_owned)
            };
            let module = text.lines().find_map(words)?;
            Some(Manifest::Go { module: module.trim_matches(['"', '`']).to_owned() })
        }
        "package.json" => parse_package(text),
        name if msbuild::is_project(name) => Some(msbuild::parse_project(text)),
        _ => parse_tsconfig(text),
    }
}

fn parse_cargo(text: &str) -> Option<Manifest> {
    let toml: toml::Table = toml::from_str(text).ok()?;
    let text_at =
        |table: &toml::Table, key: &str| table.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    let package =
        toml.get("package").and_then(toml::Value::as_table).and_then(|table| text_at(table, "name"));
    let lib = toml.get("lib").and_then(toml::Value::as_table);
    let lib_name = lib.and_then(|table| text_at(table, "name"));
    let crate_name = lib_name.or(package.clone()).map(|name| name.replace('-', "_"));
    let mut targets = Vec::new();
    if let (Some(path), Some(name)) = (lib.and_then(|table| text_at(table, "path")), &crate_name) {
        targets.push((path, name.clone()));
    }
    for group in ["bin", "example", "test", "bench"] {
        let tables = toml.get(group).and_then(toml::Value::as_array).into_iter().flatten();
        for table in tables.filter_map(toml::Value::as_table) {
            if let (Some(path), Some(name)) = (text_at(table, "path"), text_at(table, "name")) {
                targets.push((path.trim_start_matches("./").to_owned(), name.replace('-', "_")));
            }
        }
    }
    // `src/main.rs` and `src/lib.rs` are where the conventions look for them anyway.
    targets.retain(|(path, _)| !matches!(path.as_str(), "src/main.rs" | "src/lib.rs"));
    let build = toml.get("package").and_then(toml::Value::as_table).and_then(|table| text_at(table, "build"));
    if let Some(build) = build.filter(|build| build != "build.rs") {
        targets.push((build, "build_script_build".to_owned()));
    }
    let renames = renamed_dependencies(&toml);
    let features = CargoFeatures::of(&toml);
    Some(Manifest::Cargo { package: crate_name.filter(|_| package.is_some()), targets, renames, features })
}

fn renamed_dependencies(toml: &toml::Table) -> Vec<Rename> {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let mut found = Vec::new();
    let mut collect = |table: &toml::Table, of_workspace: bool| {
        for (alias, dependency) in TABLES.iter().filter_map(|name| table.get(*name)?.as_table()).flatten() {
            let package = dependency.get("package").and_then(toml::Value::as_str);
            if let Some(package) = package.filter(|package| package != alias) {
                let (alias, name) = (alias.replace('-', "_"), package.replace('-', "_"));
                found.push(Rename { alias, name, of_workspace });
            }
        }
    };
    collect(toml, false);
    for table in toml.get("target").and_then(toml::Value::as_table).into_iter().flatten() {
        table.1.as_table().into_iter().for_each(|table| collect(table, false));
    }
    toml.get("workspace").and_then(toml::Value::as_table).into_iter().for_each(|table| collect(table, true));
    found
}

fn parse_package(text: &str) -> Option<Manifest> {
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let name = json.get("name").and_then(|name| name.as_str()).map(str::to_owned);
    let mut entries = Vec::new();
    for key in ["source", "types", "typings", "module", "main"] {
        entries.extend(json.get(key).and_then(|entry| entry.as_str()).map(str::to_owned));
    }
    let root = json.get("exports").map(|exports| exports.get(".").unwrap_or(exports));
    if let Some(root) = root {
        collect_entries(root, &mut entries, 0);
    }
    entries.dedup();
    let exports = patterns(json.get("exports"))
        .filter_map(|(path, targets)| Some((path.strip_prefix("./")?.to_owned(), targets)))
        .collect();
    let imports = patterns(json.get("imports")).collect();
    Some(Manifest::Package { name, entries, exports, imports })
}

/// The paths of `exports` or `imports`, each with what it stands for under any condition.
fn patterns(map: Option<&serde_json::Value>) -> impl Iterator<Item = (String, Vec<String>)> {
    let map = map.and_then(|map| map.as_object()).into_iter().flatten();
    map.map(|(path, value)| {
        let mut targets = Vec::new();
        collect_entries(value, &mut targets, 0);
        if let Some(package) = value.as_str().filter(|target| !target.starts_with('.')) {
            targets.push(package.to_owned());
        }
        targets.dedup();
        (path.clone(), targets)
    })
}

/// The paths in the conditions of one `exports` entry.
fn collect_entries(value: &serde_json::Value, entries: &mut Vec<String>, depth: u32) {
    match value {
        serde_json::Value::String(path) if path.starts_with("./") => entries.push(path.clone()),
        serde_json::Value::Object(conditions) if depth < 4 => {
            for (condition, inner) in conditions {
                if !condition.starts_with('.') {
                    collect_entries(inner, entries, depth + 1);
                }
            }
        }
        _ => {}
    }
}

fn parse_tsconfig(text: &str) -> Option<Manifest> {
    let json: serde_json::Value = serde_json::from_str(&without_comments(text)).ok()?;
    let options = json.get("compilerOptions");
    let base_url =
        options.and_then(|options| options.get("baseUrl")).and_then(|url| url.as_str()).map(str::to_owned);
    let paths = options.and_then(|options| options.get("paths")).and_then(|paths| paths.as_object());
    let paths = paths.into_iter().flatten().map(|(pattern, targets)| {
        let targets =
            targets.as_array().into_iter().flatten().filter_map(|target| target.as_str().map(str::to_owned));
        (pattern.clone(), targets.collect())
    });
    let extends = match json.get("extends") {
        Some(serde_json::Value::String(path)) => vec![path.clone()],
        Some(serde_json::Value::Array(all)) => {
            all.iter().filter_map(|path| path.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    let (paths, output) = (paths.collect(), output_of(&json));
    Some(Manifest::TsConfig { base_url, paths, extends, output })
}

/// The directory that a project writes to, and the one that its sources stand in: `rootDir`, else what alone it includes.
fn output_of(json: &serde_json::Value) -> Option<(String, String)> {
    let option = |name: &str| json.get("compilerOptions")?.get(name)?.as_str();
    let written = option("outDir").or_else(|| option("declarationDir"))?;
    let included = || match json.get("include")?.as_array()?.as_slice() {
        [only] => only.as_str()?.split(['*', '?']).next(),
        _ => None,
    };
    let sources = option("rootDir").or_else(included)?;
    let last = sources.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    let is_directory = !last.trim_start_matches('.').contains('.');
    is_directory.then(|| (written.to_owned(), sources.to_owned()))
}

/// JSON as tsconfig allows it: comments and trailing commas removed, strings left alone.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match (in_string, c, chars.peek()) {
            (true, '\\', Some(_)) => {
                out.push(c);
                out.extend(chars.next());
            }
            (_, '"', _) => {
                in_string = !in_string;
                out.push(c);
            }
            (false, '/', Some('/')) => while chars.next_if(|c| *c != '\n').is_some() {},
            (false, '/', Some('*')) => {
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            (false, '}' | ']', _) => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}
