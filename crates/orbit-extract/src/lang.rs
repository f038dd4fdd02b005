//! The languages the index knows, and which file belongs to which.

/// A source language, as stored in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are the names of the languages")]
pub enum Lang {
    Rust = 0,
    TypeScript = 1,
    Tsx = 2,
    JavaScript = 3,
    Python = 4,
    Go = 5,
    Java = 6,
    Kotlin = 7,
    CSharp = 8,
    Ruby = 9,
    C = 10,
    Cpp = 11,
    Markdown = 12,
    Config = 13,
}

/// Languages whose symbols can refer to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are the names of the languages")]
pub enum Family {
    Rust = 0,
    Script = 1,
    Python = 2,
    Go = 3,
    /// Java and Kotlin: one class path.
    Jvm = 4,
    CSharp = 5,
    Ruby = 6,
    /// C and C++: one linker, one set of headers.
    Native = 7,
    /// Markdown and config: nothing refers to them.
    Prose = 8,
}

impl Family {
    /// Every family, in stored order.
    pub const ALL: [Family; 9] = [
        Family::Rust,
        Family::Script,
        Family::Python,
        Family::Go,
        Family::Jvm,
        Family::CSharp,
        Family::Ruby,
        Family::Native,
        Family::Prose,
    ];
}

impl Lang {
    /// Every language, in stored order.
    pub const ALL: [Lang; 14] = [
        Lang::Rust,
        Lang::TypeScript,
        Lang::Tsx,
        Lang::JavaScript,
        Lang::Python,
        Lang::Go,
        Lang::Java,
        Lang::Kotlin,
        Lang::CSharp,
        Lang::Ruby,
        Lang::C,
        Lang::Cpp,
        Lang::Markdown,
        Lang::Config,
    ];

    /// The language of a file by its name, or `None` when the index has no use for it.
    pub fn of_path(path: &str) -> Option<Lang> {
        let file = path.rsplit('/').next().unwrap_or(path);
        if file == ".env" || file.starts_with(".env.") {
            return Some(Lang::Config);
        }
        let (stem, ext) = file.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match ext {
            "rs" => Lang::Rust,
            "ts" | "mts" | "cts" => Lang::TypeScript,
            "tsx" => Lang::Tsx,
            "js" | "jsx" | "mjs" | "cjs" => Lang::JavaScript,
            "py" | "pyi" => Lang::Python,
            "go" => Lang::Go,
            "java" => Lang::Java,
            "kt" | "kts" => Lang::Kotlin,
            "cs" => Lang::CSharp,
            "rb" | "rake" | "gemspec" => Lang::Ruby,
            "c" | "h" => Lang::C,
            "cc" | "cpp" | "cxx" | "c++" | "hpp" | "hh" | "hxx" | "h++" | "ipp" | "inl" | "tpp" | "tcc"
            | "txx" => Lang::Cpp,
            "md" | "markdown" => Lang::Markdown,
            "yaml" | "yml" | "toml" | "json" | "env" | "csv" | "tsv" => Lang::Config,
            _ => return None,
        })
    }

    /// The stored and printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            Lang::Rust => "rust",
            Lang::TypeScript => "typescript",
            Lang::Tsx => "tsx",
            Lang::JavaScript => "javascript",
            Lang::Python => "python",
            Lang::Go => "go",
            Lang::Java => "java",
            Lang::Kotlin => "kotlin",
            Lang::CSharp => "csharp",
            Lang::Ruby => "ruby",
            Lang::C => "c",
            Lang::Cpp => "cpp",
            Lang::Markdown => "markdown",
            Lang::Config => "config",
        }
    }

    /// The name that people use.
    pub fn title(self) -> &'static str {
        match self {
            Lang::Rust => "Rust",
            Lang::TypeScript | Lang::Tsx => "TypeScript",
            Lang::JavaScript => "JavaScript",
            Lang::Python => "Python",
            Lang::Go => "Go",
            Lang::Java => "Java",
            Lang::Kotlin => "Kotlin",
            Lang::CSharp => "C#",
            Lang::Ruby => "Ruby",
            Lang::C => "C",
            Lang::Cpp => "C++",
            Lang::Markdown => "Markdown",
            Lang::Config => "configuration",
        }
    }

    /// The language with this printed name.
    pub fn parse(text: &str) -> Option<Lang> {
        Lang::ALL.into_iter().find(|lang| lang.as_str() == text)
    }

    /// The language with this stored number.
    pub fn from_u8(n: u8) -> Option<Lang> {
        Lang::ALL.get(usize::from(n)).copied()
    }

    /// The group of languages this one shares names with.
    pub fn family(self) -> Family {
        match self {
            Lang::Rust => Family::Rust,
            Lang::TypeScript | Lang::Tsx | Lang::JavaScript => Family::Script,
            Lang::Python => Family::Python,
            Lang::Go => Family::Go,
            Lang::Java | Lang::Kotlin => Family::Jvm,
            Lang::CSharp => Family::CSharp,
            Lang::Ruby => Family::Ruby,
            Lang::C | Lang::Cpp => Family::Native,
            Lang::Markdown | Lang::Config => Family::Prose,
        }
    }

    /// What stands between the parts of a qualified name.
    pub fn separator(self) -> &'static str {
        match self {
            Lang::Rust | Lang::Cpp | Lang::C | Lang::Ruby => "::",
            Lang::Markdown | Lang::Config => "/",
            _ => ".",
        }
    }
}
