//! What a bare specifier of JavaScript and TypeScript can mean inside the repository: a path that a `tsconfig.json`
//! maps, a path of the package's own `imports`, or a package of the workspace.

use super::{Layout, Manifest, ancestors, directory, join, normalize, script_module};

/// How long a chain of `extends` is followed.
const MAX_EXTENDS: u32 = 8;

/// A path with `*`, or an exact one, and what it stands for.
type Patterns = Vec<(String, Vec<String>)>;

/// What a tsconfig says of specifiers, its own or inherited, with directories from the repository's root.
#[derive(Default)]
struct Mapping<'m> {
    /// The directory that specifiers are looked up in.
    base_url: Option<String>,
    /// The directory that `paths` are relative to without a base, and the paths.
    paths: Option<(&'m str, &'m Patterns)>,
}

impl Layout {
    /// The modules a bare specifier can mean inside the repository, most likely first.
    pub(crate) fn script_specifier(&self, from: &str, specifier: &str) -> Vec<String> {
        if specifier.starts_with('#') {
            return self.package_imports(from, specifier);
        }
        let mut found = Vec::new();
        for dir in ancestors(from) {
            for (path, _) in self.tsconfigs(dir) {
                let mut mapping = Mapping::default();
                self.inherit(path, &mut mapping, 0);
                found.extend(mapped(dir, &mapping, specifier));
            }
        }
        found.extend(self.workspace_package(specifier));
        found
    }

    /// The configurations that stand in a directory: `tsconfig.json` first, then those it may refer to, such as
    /// `tsconfig.app.json`.
    fn tsconfigs<'m>(&'m self, dir: &str) -> impl Iterator<Item = (&'m str, &'m Manifest)> {
        let plain = ["tsconfig.json", "jsconfig.json"].map(|name| join(dir, name));
        let first = plain.clone().into_iter().filter_map(|path| self.manifests.get_key_value(&path));
        let prefix = join(dir, "tsconfig.");
        let others = self
            .manifests
            .range(prefix.clone()..)
            .take_while(move |(path, _)| path.starts_with(&prefix))
            .filter(move |(path, _)| !plain.contains(path));
        first.chain(others).map(|(path, manifest)| (path.as_str(), manifest))
    }

    /// Adds what a tsconfig says, then what it extends says: the nearest `paths` and the nearest `baseUrl` count, each
    /// relative to the file that has it.
    fn inherit<'m>(&'m self, path: &str, mapping: &mut Mapping<'m>, depth: u32) {
        let Some((path, Manifest::TsConfig { base_url, paths, extends, .. })) =
            self.manifests.get_key_value(path)
        else {
            return;
        };
        let dir = directory(path);
        if mapping.base_url.is_none() {
            mapping.base_url = base_url.as_ref().map(|url| normalize(&join(dir, url)));
        }
        if mapping.paths.is_none() && !paths.is_empty() {
            mapping.paths = Some((dir, paths));
        }
        if depth >= MAX_EXTENDS {
            return;
        }
        // Of several, the last one overrides those before it.
        for parent in extends.iter().rev() {
            for parent in self.extended(dir, parent) {
                self.inherit(&parent, mapping, depth + 1);
            }
        }
    }

    /// The files that an `extends` can mean.
    fn extended(&self, dir: &str, parent: &str) -> Vec<String> {
        let bases = if parent.starts_with('.') {
            vec![normalize(&join(dir, parent))]
        } else {
            let (name, rest) = split_package(parent);
            let package = self.script_packages.get(name);
            package.into_iter().map(|dir| normalize(&join(dir, rest))).collect()
        };
        let spelled = |base: String| [join(&base, "tsconfig.json"), format!("{base}.json"), base];
        bases.into_iter().flat_map(spelled).collect()
    }

    /// `#name`: what `imports` of the nearest `package.json` maps it to.
    fn package_imports(&self, from: &str, specifier: &str) -> Vec<String> {
        for dir in ancestors(from) {
            if let Some(Manifest::Package { imports, .. }) = self.manifests.get(&join(dir, "package.json")) {
                return exported(imports, specifier)
                    .iter()
                    .flat_map(|target| match target.strip_prefix("./") {
                        Some(path) => self.sources(dir, path),
                        None => self.workspace_package(target),
                    })
                    .collect();
            }
        }
        Vec::new()
    }

    /// A package of the repository, or a path inside it.
    fn workspace_package(&self, specifier: &str) -> Vec<String> {
        let (name, rest) = split_package(specifier);
        self.script_packages.get(name).map_or_else(Vec::new, |dir| self.package_entries(dir, rest))
    }

    /// Files that the import of a directory can lead to: the entry points that its own `package.json` names.
    pub(crate) fn script_directory(&self, dir: &str) -> Vec<String> {
        match self.manifests.get(&join(dir, "package.json")) {
            Some(Manifest::Package { entries, .. }) if !entries.is_empty() => self.package_entries(dir, ""),
            _ => Vec::new(),
        }
    }

    /// Files that a package's import can lead to: its entry points, or the path inside it.
    fn package_entries(&self, dir: &str, rest: &str) -> Vec<String> {
        let Some(Manifest::Package { entries, exports, .. }) = self.manifests.get(&join(dir, "package.json"))
        else {
            return Vec::new();
        };
        if !rest.is_empty() {
            let exported = exported(exports, rest);
            let exported = exported.iter().flat_map(|path| self.sources(dir, path.trim_start_matches("./")));
            return exported.chain([join(dir, rest), join(dir, &format!("src/{rest}"))]).collect();
        }
        let mut found: Vec<String> =
            entries.iter().flat_map(|entry| self.sources(dir, entry.trim_start_matches("./"))).collect();
        // Entries often name build output; the source has the same name under `src`.
        for entry in entries {
            let file = script_module(entry).rsplit('/').next().unwrap_or("index");
            found.push(join(dir, &format!("src/{file}")));
        }
        found.push(join(dir, "src/index"));
        found.push(join(dir, "index"));
        found
    }

    /// A file that a manifest names, and what it is made of: as the configurations beside the manifest say, else by
    /// what such directories are usually called.
    fn sources(&self, dir: &str, path: &str) -> Vec<String> {
        let mut found = usual_sources(dir, path);
        let named = normalize(&join(dir, path));
        let outputs = self.tsconfigs(dir).filter_map(|(_, config)| match config {
            Manifest::TsConfig { output, .. } => output.as_ref(),
            _ => None,
        });
        for (written, sources) in outputs {
            let written = normalize(&join(dir, written.trim_end_matches('/')));
            let inside = named.strip_prefix(&written).and_then(|rest| rest.strip_prefix('/'));
            if let Some(inside) = inside {
                let source = normalize(&join(dir, &join(sources.trim_end_matches('/'), inside)));
                found.insert(1, source);
            }
        }
        found
    }
}

/// The package that a specifier names, and the path inside it: `@scope/name/path`, `name/path`.
fn split_package(specifier: &str) -> (&str, &str) {
    let scope = if specifier.starts_with('@') { specifier.find('/').map_or(0, |at| at + 1) } else { 0 };
    match specifier[scope..].find('/') {
        Some(at) => (&specifier[..scope + at], &specifier[scope + at + 1..]),
        None => (specifier, ""),
    }
}

/// A file that a manifest names, and where the source of such build output stands: `dist/a/b.js` and
/// `dist/esm/a/b.js` are made of `src/a/b.ts`.
fn usual_sources(dir: &str, path: &str) -> Vec<String> {
    const OUTPUT: [&str; 7] = ["dist", "build", "lib", "out", "output", "types", "es"];
    const FORMATS: [&str; 9] = ["esm", "cjs", "es", "mjs", "commonjs", "module", "types", "modern", "legacy"];
    let mut found = vec![normalize(&join(dir, path))];
    if let Some((first, mut inside)) = path.split_once('/').filter(|(first, _)| OUTPUT.contains(first)) {
        found.push(join(dir, &format!("src/{inside}")));
        if let Some((_, deeper)) = inside.split_once('/').filter(|(format, _)| FORMATS.contains(format)) {
            inside = deeper;
            found.push(join(dir, &format!("src/{inside}")));
        }
        if first != "lib" {
            found.push(join(dir, inside));
        }
    }
    found
}

/// `paths` and `baseUrl` of one tsconfig, in `dir`, applied to a specifier.
fn mapped(dir: &str, mapping: &Mapping<'_>, specifier: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some((declared_in, paths)) = mapping.paths {
        let base = mapping.base_url.as_deref().unwrap_or(declared_in);
        let best = paths
            .iter()
            .filter_map(|(pattern, targets)| Some((pattern, star_of(pattern, specifier)?, targets)))
            .max_by_key(|(pattern, ..)| (!pattern.contains('*'), pattern.find('*')));
        if let Some((_, star, targets)) = best {
            found.extend(targets.iter().map(|target| {
                let target = target.replace('*', star);
                match target.strip_prefix("${configDir}/") {
                    Some(path) => normalize(&join(dir, path)),
                    None => normalize(&join(base, &target)),
                }
            }));
        }
    }
    if let Some(base) = &mapping.base_url {
        found.push(normalize(&join(base, specifier)));
    }
    found
}

/// What the star of a pattern stands for in a text that it matches.
fn star_of<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        Some((head, tail)) if text.len() >= head.len() + tail.len() => {
            text.strip_prefix(head)?.strip_suffix(tail)
        }
        Some(_) => None,
        None => (pattern == text).then_some(""),
    }
}

/// What the `exports` or `imports` of a `package.json` map a path to, under every condition.
fn exported(patterns: &[(String, Vec<String>)], path: &str) -> Vec<String> {
    let matching = patterns.iter().filter_map(|(pattern, targets)| {
        let star = star_of(pattern, path).filter(|star| !star.is_empty() || !pattern.contains('*'))?;
        Some((pattern, star, targets))
    });
    // The longest part before the star decides.
    let best = matching.max_by_key(|(pattern, ..)| (!pattern.contains('*'), pattern.find('*')));
    best.map_or_else(Vec::new, |(_, star, targets)| {
        targets.iter().map(|target| target.replace('*', star)).collect()
    })
}
