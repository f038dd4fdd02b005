//! What judges a project of a language, and which of its files are looked at.

use crate::args::Judged;

impl Judged {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Judged::Rust => "rust",
            Judged::Typescript => "typescript",
            Judged::Javascript => "javascript",
            Judged::Python => "python",
            Judged::Go => "go",
            Judged::Java => "java",
            Judged::C => "c",
            Judged::Cpp => "cpp",
        }
    }

    /// What judges a project of the language unless something else is given.
    pub(super) fn check(self) -> &'static str {
        match self {
            Judged::Rust => "cargo check -q --offline --workspace --all-targets",
            Judged::Typescript => "npx --no-install tsc --noEmit",
            Judged::Javascript => "npm test --silent",
            Judged::Python => "python3 -m compileall -q . && python3 -m pytest -x -q",
            // Tests are compiled, and vetted, without being run.
            Judged::Go => "go vet ./... && go test -run '^$' ./...",
            Judged::Java => "mvn -q -o test-compile",
            Judged::C | Judged::Cpp => "make -s -B",
        }
    }

    /// Whether symbols of a file are candidates.
    pub(super) fn fits(self, path: &str) -> bool {
        let ends: &[&str] = match self {
            Judged::Rust => &[".rs"],
            Judged::Typescript => &[".ts", ".tsx"],
            Judged::Javascript => &[".js", ".mjs", ".cjs"],
            Judged::Python => &[".py"],
            Judged::Go => &[".go"],
            Judged::Java => &[".java"],
            Judged::C => &[".c", ".h"],
            Judged::Cpp => &[".cc", ".cpp", ".cxx", ".h", ".hpp"],
        };
        ends.iter().any(|end| path.ends_with(end)) && !path.ends_with(".d.ts")
    }
}
