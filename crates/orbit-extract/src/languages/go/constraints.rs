//! Build constraints: the files that a usual build on Linux leaves out.

const SYSTEMS: &str = "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 \
    solaris wasip1 windows zos";
const MACHINES: &str = "386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 \
    mips64p32le mipsle ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm";

/// Whether a usual build leaves out a file, by its name or by the constraints before its package.
pub(super) fn is_left_out(path: &str, source: &str) -> bool {
    !is_named_for_build(path) || !holds(source)
}

/// `name_windows.go`, `name_linux_arm64.go`: what stands behind the first underscore may name a system, a machine, or
/// both.
fn is_named_for_build(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    let mut parts = stem.split('_').skip(1).collect::<Vec<_>>().into_iter().rev();
    let is_one_of = |list: &str, name: &str| list.split_whitespace().any(|known| known == name);
    let Some(last) = parts.next() else { return true };
    if is_one_of(SYSTEMS, last) {
        return last == "linux";
    }
    if !is_one_of(MACHINES, last) {
        return true;
    }
    let system = parts.next().filter(|name| is_one_of(SYSTEMS, name));
    last == "amd64" && system.is_none_or(|system| system == "linux")
}

/// Whether the `//go:build` line is fulfilled or, in a file without one, every `// +build` line of old. Modules of Go 1.18
/// and later ignore the old lines; files of theirs that have nothing else are rare.
fn holds(source: &str) -> bool {
    let head = || source.lines().take_while(|line| !line.starts_with("package "));
    if let Some(line) = head().find_map(|line| line.strip_prefix("//go:build ")) {
        return Condition { rest: line.trim() }.either(0);
    }
    // A comment that touches the package clause documents the package.
    let last_blank = head().enumerate().filter(|(_, line)| line.trim().is_empty()).map(|(at, _)| at).last();
    head().take(last_blank.unwrap_or(0)).filter_map(old_line).all(old_holds)
}

/// The options of `// +build a,b c`.
fn old_line(line: &str) -> Option<&str> {
    let options = line.strip_prefix("//")?.trim_start().strip_prefix("+build")?;
    options.starts_with([' ', '\t']).then_some(options)
}

/// One of the options holds, which are separated by spaces; all terms of an option, which are separated by commas.
fn old_holds(options: &str) -> bool {
    options.split_whitespace().any(|option| {
        option.split(',').all(|term| match term.strip_prefix('!') {
            Some(tag) => !is_set(tag),
            None => is_set(term),
        })
    })
}

/// Whether a usual build has a tag. Any other one is asked for by hand, or is another system.
fn is_set(tag: &str) -> bool {
    matches!(tag, "linux" | "unix" | "amd64" | "gc" | "cgo") || tag.starts_with("go1.")
}

/// A condition that is being read.
struct Condition<'s> {
    rest: &'s str,
}

impl Condition<'_> {
    fn either(&mut self, depth: u32) -> bool {
        let mut holds = self.both(depth);
        while self.takes("||") {
            holds |= self.both(depth);
        }
        holds
    }

    fn both(&mut self, depth: u32) -> bool {
        let mut holds = self.one(depth);
        while self.takes("&&") {
            holds &= self.one(depth);
        }
        holds
    }

    fn one(&mut self, depth: u32) -> bool {
        if depth > 16 {
            return true;
        }
        if self.takes("!") {
            return !self.one(depth + 1);
        }
        if self.takes("(") {
            let holds = self.either(depth + 1);
            self.takes(")");
            return holds;
        }
        let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let end = self.rest.find(|c| !is_tag(c)).unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        is_set(tag)
    }

    fn takes(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_left_out;

    #[test]
    fn names_and_lines_tell_what_a_build_on_linux_has() {
        for (path, line, expected) in [
            ("a.go", "", false),
            ("a_test.go", "", false),
            ("linux.go", "", false),
            ("poll_windows.go", "", true),
            ("poll_windows_test.go", "", true),
            ("poll_linux.go", "", false),
            ("poll_linux_arm64.go", "", true),
            ("poll_amd64.go", "", false),
            ("json_api.go", "", false),
            ("a.go", "//go:build !windows", false),
            ("a.go", "//go:build go1.21", false),
            ("a.go", "//go:build !go1.21", true),
            ("a.go", "//go:build ignore", true),
            ("a.go", "//go:build (linux || darwin) && !appengine", false),
            ("a.go", "//go:build darwin || (freebsd && amd64)", true),
            ("a.go", "// +build !binary_log", false),
            ("a.go", "// +build binary_log", true),
            ("a.go", "//+build windows linux,!cgo linux,cgo", false),
            ("a.go", "// +build linux\n// +build !amd64", true),
            ("a.go", "//go:build linux\n// +build windows", false),
            ("a.go", "// +builder windows", false),
        ] {
            let source = format!("// Copyright\n\n{line}\n\npackage a\n");
            assert_eq!(is_left_out(path, &source), expected, "{path} {line}");
        }
        assert!(!is_left_out("a.go", "// Package a.\n// +build windows\npackage a\n"));
        assert!(!is_left_out("a.go", "// +build windows"));
    }
}
