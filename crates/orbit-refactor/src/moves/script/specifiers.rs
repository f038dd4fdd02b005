//! Module specifiers: how one file names another, written like those that are there.

/// Extensions of source files, and what stands for them once they are compiled.
const COMPILED: [(&str, &str); 8] = [
    (".tsx", ".js"),
    (".mts", ".mjs"),
    (".cts", ".cjs"),
    (".ts", ".js"),
    (".jsx", ".jsx"),
    (".mjs", ".mjs"),
    (".cjs", ".cjs"),
    (".js", ".js"),
];

/// What a specifier writes of the file's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Nothing.
    Bare,
    /// Nothing, and `index` neither.
    Folder,
    /// What the file has.
    Own,
    /// What the file has once it is compiled.
    Compiled,
}

impl Written {
    /// How a specifier names a file that it leads to.
    pub(super) fn of(module: &str, source: &str) -> Written {
        let ends = |end: &str| module.ends_with(end);
        match extension(source) {
            Some((own, _)) if ends(own) => Written::Own,
            Some((_, compiled)) if ends(compiled) || ends(".jsx") => Written::Compiled,
            _ if stem(source).ends_with("index") && !ends("index") => Written::Folder,
            _ => Written::Bare,
        }
    }

    /// A path as it is written this way.
    fn of_path(self, path: &str) -> String {
        let stem = stem(path);
        match (self, extension(path)) {
            (Written::Own, _) | (_, None) => path.to_owned(),
            (Written::Compiled, Some((_, compiled))) => format!("{stem}{compiled}"),
            (Written::Folder, _) => stem.strip_suffix("/index").unwrap_or(stem).to_owned(),
            (Written::Bare, _) => stem.to_owned(),
        }
    }

    /// A relative specifier.
    pub(super) fn relative(self, user: &str, path: &str) -> String {
        relative(user, &self.of_path(path))
    }
}

fn extension(path: &str) -> Option<(&'static str, &'static str)> {
    COMPILED.into_iter().find(|(own, _)| path.ends_with(own))
}

fn stem(path: &str) -> &str {
    extension(path).map_or(path, |(own, _)| &path[..path.len() - own.len()])
}

/// How a file names a path, like a specifier that it has for another one: relative, or below the same alias.
pub(super) fn like(user: &str, module: &str, source: &str, path: &str) -> String {
    let written = Written::of(module, source);
    if !module.starts_with('.') {
        let from = written.of_path(source);
        let (mut prefix, mut dir) = (module, from.as_str());
        // What both end with is the path below the alias.
        while let (Some((outer, last)), Some((folder, name))) = (split(prefix), split(dir)) {
            if last != name {
                break;
            }
            (prefix, dir) = (outer, folder);
        }
        let rest = written.of_path(path);
        let below = if dir.is_empty() {
            Some(rest.as_str())
        } else {
            rest.strip_prefix(&format!("{dir}/")).map(|_| &rest[dir.len() + 1..])
        };
        if let Some(below) = below.filter(|_| prefix.len() < module.len()) {
            return if prefix.is_empty() { below.to_owned() } else { format!("{prefix}/{below}") };
        }
    }
    written.relative(user, path)
}

fn split(path: &str) -> Option<(&str, &str)> {
    if path.is_empty() { None } else { Some(path.rsplit_once('/').unwrap_or(("", path))) }
}

/// A relative specifier as a path of the worktree.
pub(super) fn join(user: &str, module: &str) -> String {
    let mut parts: Vec<&str> = user.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a relative specifier means a file, as far as its spelling tells.
pub(super) fn denotes(user: &str, module: &str, path: &str) -> bool {
    let bare = |path: &str| stem(path).trim_end_matches("/index").to_owned();
    module.starts_with('.') && bare(&join(user, module)) == bare(path)
}

/// A path of the worktree as a relative specifier.
pub(super) fn relative(user: &str, path: &str) -> String {
    let from: Vec<&str> = user.split('/').collect();
    let from = &from[..from.len() - 1];
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - shared;
    let rest = to[shared..].join("/");
    match (up, rest.is_empty()) {
        (0, false) => format!("./{rest}"),
        (0, true) => ".".to_owned(),
        (_, true) => "../".repeat(up).trim_end_matches('/').to_owned(),
        _ => format!("{}{rest}", "../".repeat(up)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_named_alike() {
        let named = |module, source, path| like("src/deep/use.ts", module, source, path);
        assert_eq!(named("../a", "src/a.ts", "src/b.tsx"), "../b");
        assert_eq!(named("../a.js", "src/a.ts", "src/b.tsx"), "../b.js");
        assert_eq!(named("../a.ts", "src/a.ts", "src/b.tsx"), "../b.tsx");
        assert_eq!(named("../a.mjs", "src/a.mts", "src/deep/b.ts"), "./b.js");
        assert_eq!(named("..", "src/index.ts", "src/b/index.ts"), "../b");
        assert_eq!(named("@/a", "src/a.ts", "src/b/c.ts"), "@/b/c");
        assert_eq!(named("@app/x/a.js", "lib/x/a.ts", "lib/b.ts"), "@app/b.js");
        assert_eq!(named("~/x/a", "lib/x/a.ts", "src/b.ts"), "../b");
        assert_eq!(named("src/a", "src/a.ts", "src/b/c.ts"), "src/b/c");
        assert_eq!(named("pkg", "packages/pkg/src/index.ts", "src/b.ts"), "../b");
    }
}
