//! Paths as they are typed in some directory of a worktree, as paths of the worktree.

use std::path::{Component, Path, PathBuf};

/// What a text can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    Any,
    /// A file or a directory.
    Place,
}

/// A selector whose path, if it has one, is relative to the worktree. A path of the worktree stays what it is, because
/// answers print those; what is not there is looked for from `dir`, and `./x` is always meant from there. A single name may be
/// that of a symbol unless only a place can be meant.
pub(super) fn in_worktree(text: &str, dir: &Path, root: &Path, meant: Meant) -> String {
    let (prefix, rest) = split_prefix(text.trim());
    let Some(rest) = rest else { return text.to_owned() };
    let directories = Directories { dir: absolute(dir), root: absolute(root) };
    // Names may follow behind a path, and paths may have the same signs in them: the longest that is there counts.
    let ends = rest.rmatch_indices([':', '#']).map(|(at, _)| at);
    for end in std::iter::once(rest.len()).chain(ends) {
        let (path, name) = rest.split_at(end);
        if let Some(path) = directories.path(path, meant == Meant::Any && prefix.is_empty()) {
            return format!("{prefix}{path}{name}");
        }
    }
    text.to_owned()
}

/// The part that says what is named, and the part that begins with a path; none for what has no path.
fn split_prefix(text: &str) -> (&str, Option<&str>) {
    for prefix in ["symbol:", "file:", "dir:"] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return (prefix, Some(rest));
        }
    }
    let has_path = !text.starts_with("module:") && !text.starts_with("command:");
    ("", has_path.then_some(text))
}

struct Directories {
    dir: PathBuf,
    root: PathBuf,
}

impl Directories {
    /// The path from the worktree's root, for one that is not there as it is written. Of what may be the name of a symbol
    /// only a file counts.
    fn path(&self, path: &str, may_be_name: bool) -> Option<String> {
        let given = Path::new(path);
        let is_from_here =
            matches!(given.components().next(), Some(Component::CurDir | Component::ParentDir));
        if given.is_absolute() || is_from_here {
            return self.below_root(&self.dir.join(given));
        }
        if path.is_empty() || self.root.join(given).exists() {
            return None;
        }
        let here = self.dir.join(given);
        let is_there = if may_be_name && !path.contains('/') { here.is_file() } else { here.exists() };
        if is_there { self.below_root(&here) } else { None }
    }

    fn below_root(&self, path: &Path) -> Option<String> {
        let path = folded(path)?;
        let below = match path.strip_prefix(&self.root) {
            Ok(below) => below.to_path_buf(),
            // The root, or the path, may have been reached through a link.
            Err(_) => {
                path.canonicalize().ok()?.strip_prefix(self.root.canonicalize().ok()?).ok()?.to_path_buf()
            }
        };
        let below = below.to_str()?.replace('\\', "/");
        Some(if below.is_empty() { ".".to_owned() } else { below })
    }
}

/// Without `.` and `..`; nothing above the root of the file system.
fn folded(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            part => out.push(part),
        }
    }
    Some(out)
}

/// From the root of the file system, whether or not it exists.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::{Meant, in_worktree};
    use std::fs;

    #[test]
    fn paths_are_those_of_the_worktree() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        for file in ["src/shop/cart.py", "src/c#/x.py", "cart.py", "src/add.py"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        let absolute = format!("{}/src/shop/cart.py", root.display());
        for (dir, typed, wanted) in [
            ("src", "shop/cart.py", "src/shop/cart.py"),
            ("src", "shop/cart.py:3", "src/shop/cart.py:3"),
            ("src", "shop/cart.py:3:7", "src/shop/cart.py:3:7"),
            ("src", "./add.py", "src/add.py"),
            ("src", "../cart.py", "cart.py"),
            ("src", "add.py", "src/add.py"),
            ("src", "c#/x.py#go", "src/c#/x.py#go"),
            ("src", "file:shop/cart.py", "file:src/shop/cart.py"),
            ("src", "dir:shop", "dir:src/shop"),
            ("src", "symbol:shop/cart.py#Cart.add:method", "symbol:src/shop/cart.py#Cart.add:method"),
            // As answers print them.
            ("src", "src/shop/cart.py:3", "src/shop/cart.py:3"),
            ("src/shop", "cart.py", "cart.py"),
            ("src/shop", "./cart.py", "src/shop/cart.py"),
            // Names, one of them that of a directory.
            ("src", "shop", "shop"),
            ("src", "Cart.add", "Cart.add"),
            ("src", "module:shop", "module:shop"),
            ("src", "../../outside.py", "../../outside.py"),
            ("", &absolute, "src/shop/cart.py"),
            ("src", &format!("{absolute}:3:7"), "src/shop/cart.py:3:7"),
            ("src", &format!("file:{absolute}"), "file:src/shop/cart.py"),
            ("src", ".", "src"),
        ] {
            assert_eq!(in_worktree(typed, &root.join(dir), &root, Meant::Any), wanted, "{typed} in {dir}");
        }
        assert_eq!(in_worktree("shop", &root.join("src"), &root, Meant::Place), "src/shop");
    }
}
