//! Tree-sitter parsers, one per grammar and thread, with a deadline.

use crate::{ExtractError, Lang};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{Language, ParseOptions, Parser, Range, Tree};

/// How long all parses of one file may take together.
const DEADLINE: Duration = Duration::from_secs(10);

/// The grammars in use. Config files pick theirs by extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Grammar {
    Rust,
    TypeScript,
    Tsx,
    JavaScript,
    Python,
    Go,
    Java,
    Kotlin,
    CSharp,
    Ruby,
    C,
    Cpp,
    Json,
    Toml,
    Yaml,
}

const GRAMMARS: usize = Grammar::Yaml as usize + 1;

impl Grammar {
    pub(crate) fn language(self) -> Language {
        match self {
            Grammar::Rust => tree_sitter_rust::LANGUAGE.into(),
            Grammar::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Grammar::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Grammar::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Grammar::Python => tree_sitter_python::LANGUAGE.into(),
            Grammar::Go => tree_sitter_go::LANGUAGE.into(),
            Grammar::Java => tree_sitter_java::LANGUAGE.into(),
            Grammar::Kotlin => tree_sitter_kotlin_ng::LANGUAGE.into(),
            Grammar::CSharp => tree_sitter_c_sharp::LANGUAGE.into(),
            Grammar::Ruby => tree_sitter_ruby::LANGUAGE.into(),
            Grammar::C => tree_sitter_c::LANGUAGE.into(),
            Grammar::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Grammar::Json => tree_sitter_json::LANGUAGE.into(),
            Grammar::Toml => tree_sitter_toml_ng::LANGUAGE.into(),
            Grammar::Yaml => tree_sitter_yaml::LANGUAGE.into(),
        }
    }

    /// The grammar a file is parsed with; `None` for formats read without tree-sitter.
    pub(crate) fn of(path: &str, lang: Lang) -> Option<Grammar> {
        Some(match lang {
            Lang::Rust => Grammar::Rust,
            Lang::TypeScript => Grammar::TypeScript,
            Lang::Tsx => Grammar::Tsx,
            Lang::JavaScript => Grammar::JavaScript,
            Lang::Python => Grammar::Python,
            Lang::Go => Grammar::Go,
            Lang::Java => Grammar::Java,
            Lang::Kotlin => Grammar::Kotlin,
            Lang::CSharp => Grammar::CSharp,
            Lang::Ruby => Grammar::Ruby,
            Lang::C => Grammar::C,
            Lang::Cpp => Grammar::Cpp,
            Lang::Markdown => return None,
            Lang::Config => match path.rsplit('.').next() {
                Some("json") => Grammar::Json,
                Some("toml") => Grammar::Toml,
                Some("yaml" | "yml") => Grammar::Yaml,
                _ => return None,
            },
        })
    }
}

thread_local! {
    /// When the file at hand was begun.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
    static PARSERS: RefCell<[Option<Parser>; GRAMMARS]> = const { RefCell::new([const { None }; GRAMMARS]) };
}

/// Starts the clock for the next file of this thread.
pub(crate) fn begin_file() {
    BEGUN.set(Some(Instant::now()));
}

/// Parses a whole file.
pub(crate) fn parse(grammar: Grammar, source: &str) -> Result<Tree, ExtractError> {
    run(grammar, source, &[])
}

/// Parses one byte range of a file as if it were all of it; positions stay those of the file.
pub(crate) fn parse_range(grammar: Grammar, source: &str, range: Range) -> Result<Tree, ExtractError> {
    run(grammar, source, &[range])
}

fn run(grammar: Grammar, source: &str, ranges: &[Range]) -> Result<Tree, ExtractError> {
    PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers[grammar as usize].get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser
                .set_language(&grammar.language())
                .expect("grammar and tree-sitter versions are pinned together");
            parser
        });
        parser.set_included_ranges(ranges).expect("one range, start before end");
        let begun = BEGUN.get().unwrap_or_else(Instant::now);
        let mut overdue = |_: &tree_sitter::ParseState| {
            if begun.elapsed() > DEADLINE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let bytes = source.as_bytes();
        let tree = parser.parse_with_options(
            &mut |offset, _| bytes.get(offset..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut overdue)),
        );
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(ExtractError::ParseTimeout)
    })
}

/// Parses a file with its grammar and drops the tree: the floor that benchmarks compare with.
/// Returns whether the file has a grammar.
pub fn parse_only(path: &str, lang: Lang, bytes: &[u8]) -> bool {
    let (Some(grammar), Ok(source)) = (Grammar::of(path, lang), std::str::from_utf8(bytes)) else {
        return false;
    };
    begin_file();
    parse(grammar, source).is_ok()
}
