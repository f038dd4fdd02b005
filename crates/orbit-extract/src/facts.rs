//! What extraction yields for one file: plain rows over a file-local name table and expression arena.

use crate::{Expr, ExprId, Lang, NameId, Names, OpenWord, RawRouter, WordCount};

/// A half-open byte range in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// The scope something stands in: 0 is the file, `n` the symbol with index `n - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

impl ScopeId {
    /// The file itself.
    pub const FILE: ScopeId = ScopeId(0);

    /// The scope that a symbol opens.
    pub fn of_symbol(index: usize) -> ScopeId {
        ScopeId(index as u32 + 1)
    }

    /// The index of the symbol that opens this scope.
    pub fn symbol(self) -> Option<usize> {
        self.0.checked_sub(1).map(|n| n as usize)
    }
}

/// All facts of one file. Row order is source order.
#[derive(Clone, Debug)]
pub struct ExtractedFile {
    /// The language it was read as.
    pub lang: Lang,
    /// Tree-sitter had to recover from bad syntax somewhere.
    pub has_errors: bool,
    /// The package the file itself declares (Java, Kotlin, Go); `None` when the path decides.
    pub package: Option<NameId>,
    /// Types that a file of C or C++ declares at file scope without their members: `struct Node;`.
    pub announced: Vec<NameId>,
    /// Interned identifiers.
    pub names: Names,
    /// Hash-consed expressions that symbols, references and relations point into.
    pub exprs: Vec<Expr>,
    /// Definitions.
    pub symbols: Vec<RawSymbol>,
    /// Uses of names.
    pub refs: Vec<RawRef>,
    /// impl / extends / implements.
    pub relations: Vec<RawRelation>,
    /// Imports and re-exports.
    pub imports: Vec<RawImport>,
    /// String literals worth finding.
    pub strings: Vec<RawString>,
    /// Config keys.
    pub configs: Vec<RawConfig>,
    /// Which words are in its comments, strings and names of definitions, for [`crate::may_say`].
    pub signature: Vec<u8>,
    /// Routers, and how they are mounted.
    pub routers: Vec<RawRouter>,
    /// CLI commands.
    pub commands: Vec<RawCommand>,
    /// Code that runs where a pattern fits (Rust).
    pub arms: Vec<RawArm>,
    /// How often each word is written, by key.
    pub words: Vec<WordCount>,
    /// Words whose role nobody knows, in source order.
    pub open_words: Vec<OpenWord>,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants name themselves")]
pub enum SymbolKind {
    Function = 0,
    Method = 1,
    Constructor = 2,
    Class = 3,
    Struct = 4,
    Union = 5,
    Enum = 6,
    Variant = 7,
    Trait = 8,
    Interface = 9,
    Impl = 10,
    Module = 11,
    Const = 12,
    Static = 13,
    Variable = 14,
    TypeAlias = 15,
    Field = 16,
    Property = 17,
    Macro = 18,
    Test = 19,
    Heading = 20,
    Route = 21,
}

impl SymbolKind {
    /// Every kind, in stored order.
    pub const ALL: [SymbolKind; 22] = [
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Constructor,
        SymbolKind::Class,
        SymbolKind::Struct,
        SymbolKind::Union,
        SymbolKind::Enum,
        SymbolKind::Variant,
        SymbolKind::Trait,
        SymbolKind::Interface,
        SymbolKind::Impl,
        SymbolKind::Module,
        SymbolKind::Const,
        SymbolKind::Static,
        SymbolKind::Variable,
        SymbolKind::TypeAlias,
        SymbolKind::Field,
        SymbolKind::Property,
        SymbolKind::Macro,
        SymbolKind::Test,
        SymbolKind::Heading,
        SymbolKind::Route,
    ];

    /// The stored and printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Constructor => "constructor",
            SymbolKind::Class => "class",
            SymbolKind::Struct => "struct",
            SymbolKind::Union => "union",
            SymbolKind::Enum => "enum",
            SymbolKind::Variant => "variant",
            SymbolKind::Trait => "trait",
            SymbolKind::Interface => "interface",
            SymbolKind::Impl => "impl",
            SymbolKind::Module => "module",
            SymbolKind::Const => "const",
            SymbolKind::Static => "static",
            SymbolKind::Variable => "variable",
            SymbolKind::TypeAlias => "type_alias",
            SymbolKind::Field => "field",
            SymbolKind::Property => "property",
            SymbolKind::Macro => "macro",
            SymbolKind::Test => "test",
            SymbolKind::Heading => "heading",
            SymbolKind::Route => "route",
        }
    }

    /// The kind with this stored number.
    pub fn from_u8(n: u8) -> Option<SymbolKind> {
        SymbolKind::ALL.get(usize::from(n)).copied()
    }

    /// The kind with this printed name.
    pub fn parse(text: &str) -> Option<SymbolKind> {
        SymbolKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Names a type that values can have.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Union
                | SymbolKind::Enum
                | SymbolKind::Trait
                | SymbolKind::Interface
                | SymbolKind::TypeAlias
        )
    }

    /// Can be called like a function.
    pub fn is_callable(self) -> bool {
        matches!(self, SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Test)
    }
}

/// A definition.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no facts")]
pub struct RawSymbol {
    /// Short name.
    pub name: NameId,
    /// Qualified name inside the file, parts joined with the language's separator, without the file's
    /// module path. Unique in the file but for `overload`.
    pub local: NameId,
    /// 0 for the first symbol of this `local` in the file, 1 for the second (printed `#2`), and so on.
    pub overload: u16,
    /// What it is.
    pub kind: SymbolKind,
    /// The symbol it stands in.
    pub parent: ScopeId,
    /// The whole definition.
    pub span: Span,
    /// 1-based line of the name.
    pub line: u32,
    /// 1-based last line of the definition.
    pub end_line: u32,
    /// The definition up to its body on one line; `None` for kinds where the name says it all.
    pub signature: Option<Box<str>>,
    /// What is known of the value it holds (variable, field, property) or gives when called (callable):
    /// an `Instance` of the declared type, or the initialiser's skeleton. For a type alias the aliased
    /// type, for an impl its self type, for a scoped enum of C++ the enum itself, as types.
    pub ty: Option<ExprId>,
    /// The types of its parameters (callable, where the language has overloads) or of its positional parts
    /// (tuple struct, tuple variant), as a list.
    pub params: Option<ExprId>,
    /// The type parameters that it declares, as a list of `Parameter`.
    pub type_params: Option<ExprId>,
    /// The type that an extension function is for (Kotlin, C#); `This` for what a class itself has (Ruby); for a function
    /// of Rust the list of `self` as it takes it and of what its `where` clause says of parameters that are not its own.
    pub receiver: Option<ExprId>,
    /// What it is decorated with (Python), outermost first, as a list: its name means what they give.
    pub decorators: Option<ExprId>,
    /// Left out by the conditional compilation of a usual build (C, C++): one of several definitions that is
    /// only taken when no other is there.
    pub inactive: bool,
    /// What it is looked up by, where not by its name: a function or class inside of a function that has no name is
    /// seen in there alone (scripts).
    pub known_as: Option<NameId>,
    /// The condition under which it is compiled, where that is a matter of choice (Rust: `cfg` with features).
    pub condition: Option<NameId>,
    /// A call of it may run the definition of a derived type (callable; C++ and C# say so, elsewhere always).
    pub is_virtual: bool,
    /// Declared without a body (C, C++, Java): a prototype, or an abstract method. In Python an attribute that is assigned
    /// without a type: a superclass may declare it.
    pub bodiless: bool,
    /// Visible outside its file (language rule: `pub`, `export`, capital letter, no `static` in C…).
    pub exported: bool,
}

/// Why a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RefKind {
    /// Called: function, method, constructor, macro, decorator, JSX element.
    Call = 0,
    /// Used as a type.
    Type = 1,
    /// Named by an import.
    Use = 2,
    /// Bound of a type parameter, supertrait.
    TraitBound = 3,
    /// Read or written: variable, constant, field, variant, function passed by name.
    Value = 4,
    /// A call of a macro where macros have names of their own (Rust); printed as a call.
    Macro = 5,
}

impl RefKind {
    /// The stored and printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            RefKind::Call | RefKind::Macro => "call",
            RefKind::Type => "type",
            RefKind::Use => "use",
            RefKind::TraitBound => "trait_bound",
            RefKind::Value => "value",
        }
    }

    /// The kind with this stored number.
    pub fn from_u8(n: u8) -> Option<RefKind> {
        const ALL: [RefKind; 6] =
            [RefKind::Call, RefKind::Type, RefKind::Use, RefKind::TraitBound, RefKind::Value, RefKind::Macro];
        ALL.get(usize::from(n)).copied()
    }
}

/// A use of a name. The name of an expression such as `a.b.c()` is `c`, its base is `a.b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRef {
    /// The identifier itself, not the expression round it.
    pub span: Span,
    /// 1-based line of the identifier.
    pub line: u32,
    /// What it is looked up by; [`crate::Names::as_written`] is the identifier.
    pub name: NameId,
    /// Why it is used.
    pub kind: RefKind,
    /// What stands before it: qualifier or receiver. A plain name has none, or in Kotlin the list of what `this` may be.
    pub base: Option<ExprId>,
    /// The arguments of a call, as a list, where the language has overloads; in a `Generic` with the type arguments that
    /// are written. Of a call by a path of Rust the first one, with `Builtin` behind a text that is written in place.
    pub args: Option<ExprId>,
    /// The innermost symbol whose names it can see.
    pub scope: ScopeId,
    /// The innermost symbol it stands in: of a decorator the decorated one, of an initialiser the variable.
    pub within: ScopeId,
    /// Stands where a symbol is defined: `this.x = 1` is both.
    pub defines: bool,
}

/// How one type hangs on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RelationKind {
    /// Rust `impl Trait for Type`; Ruby `include`/`extend`/`prepend`.
    Impl = 0,
    /// Superclass, superinterface, supertrait, embedded Go struct.
    Extends = 1,
    /// Interface of a class.
    Implements = 2,
    /// Between members: a call of the other one may run this one. Found while resolving, never written in a file.
    Overrides = 3,
}

impl RelationKind {
    /// Every kind, in stored order.
    pub const ALL: [RelationKind; 4] =
        [RelationKind::Impl, RelationKind::Extends, RelationKind::Implements, RelationKind::Overrides];

    /// The stored and printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            RelationKind::Impl => "impl",
            RelationKind::Extends => "extends",
            RelationKind::Implements => "implements",
            RelationKind::Overrides => "overrides",
        }
    }

    /// The kind with this stored number.
    pub fn from_u8(n: u8) -> Option<RelationKind> {
        RelationKind::ALL.get(usize::from(n)).copied()
    }
}

/// A structural edge between two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRelation {
    /// The type that has the relation: a symbol's own name, or the self type of an impl.
    pub from: ExprId,
    /// Trait, superclass, interface as written.
    pub to: ExprId,
    /// How the two are related.
    pub kind: RelationKind,
    /// Where `to` is written.
    pub span: Span,
    /// 1-based line of `span`.
    pub line: u32,
    /// The scope both are looked up in.
    pub scope: ScopeId,
    /// The symbol that has the relation (class, impl block).
    pub owner: ScopeId,
}

/// What an import statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ImportKind {
    /// Binds one symbol: `use a::b`, `from m import x`, `import { x } from 'm'`, `import a.B;`.
    Symbol = 0,
    /// Binds a module: `import m`, `import * as ns from 'm'`, Go imports, `require('m')`.
    Module = 1,
    /// Brings every public name of the module into scope: `use a::*`, `from m import *`, `import a.*`, `using N`.
    Glob = 2,
    /// Brings a file into scope: `#include`, `require_relative`, bare `import 'm'`.
    File = 3,
    /// Declares a child module kept in a file of its own: Rust `mod x;`.
    ModuleDecl = 4,
}

/// An import, one row for each name it binds. The `use` reference to its target is derived from it, so
/// extractors emit none themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawImport {
    /// What it does.
    pub kind: ImportKind,
    /// The module as written: `crate::a::b`, `..pkg.mod`, `./x`, `<stdio.h>`.
    pub module: NameId,
    /// The symbol taken from it, as it is called there; `default` for a JS default import.
    pub symbol: Option<NameId>,
    /// What it is called here; `None` when nothing is bound.
    pub binds: Option<NameId>,
    /// Others can import it from this file: `pub use`, `export … from`; every Python import.
    pub reexport: bool,
    /// The condition under which it is compiled, as of a symbol.
    pub condition: Option<NameId>,
    /// Where it is written: only there is it visible.
    pub scope: ScopeId,
    /// The imported name, or the module text.
    pub span: Span,
    /// 1-based line of `span`.
    pub line: u32,
}

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawString {
    /// Without quotes, escapes as written.
    pub value: Box<str>,
    /// 1-based.
    pub line: u32,
    /// The innermost symbol it stands in.
    pub scope: ScopeId,
}

/// What a config key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants name themselves")]
pub enum ConfigKind {
    Yaml = 0,
    Toml = 1,
    Json = 2,
    Env = 3,
    Csv = 4,
    /// Read by code under a literal name: not a definition.
    Read = 5,
}

impl ConfigKind {
    /// Every kind, in stored order.
    pub const ALL: [ConfigKind; 6] = [
        ConfigKind::Yaml,
        ConfigKind::Toml,
        ConfigKind::Json,
        ConfigKind::Env,
        ConfigKind::Csv,
        ConfigKind::Read,
    ];

    /// The stored and printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            ConfigKind::Yaml => "yaml",
            ConfigKind::Toml => "toml",
            ConfigKind::Json => "json",
            ConfigKind::Env => "env",
            ConfigKind::Csv => "csv",
            ConfigKind::Read => "read",
        }
    }

    /// The kind with this stored number.
    pub fn from_u8(n: u8) -> Option<ConfigKind> {
        ConfigKind::ALL.get(usize::from(n)).copied()
    }
}

/// A key of a config file, or a place where code reads one. Values are never kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawConfig {
    /// Dotted for nested keys: `server.port`.
    pub key: Box<str>,
    /// 1-based line of the key.
    pub line: u32,
    /// The file format.
    pub kind: ConfigKind,
}

/// A command of a command-line program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawCommand {
    /// Space-joined path: `task update`.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// 1-based.
    pub line: u32,
    /// The function that runs it, looked up from `scope`.
    pub handler: Option<ExprId>,
    /// The scope the handler is looked up in.
    pub scope: ScopeId,
    /// The function that runs it, where that is written in place and has no name.
    pub body: Option<Span>,
}

/// Code that runs where a pattern fits: of a match arm, of an `if let`, behind a `let … else`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawArm {
    /// Where the name in the pattern starts, which a reference there says the meaning of.
    pub pattern: u32,
    /// 1-based line of that name.
    pub line: u32,
    /// What runs.
    pub body: Span,
    /// Where the name of the only thing that it calls starts; `None` when it does more than call.
    pub call: Option<u32>,
}

impl ExtractedFile {
    /// Nothing found yet.
    pub fn empty(lang: Lang) -> ExtractedFile {
        ExtractedFile {
            lang,
            has_errors: false,
            package: None,
            announced: Vec::new(),
            names: Names::default(),
            exprs: Vec::new(),
            symbols: Vec::new(),
            refs: Vec::new(),
            relations: Vec::new(),
            imports: Vec::new(),
            strings: Vec::new(),
            configs: Vec::new(),
            signature: Vec::new(),
            routers: Vec::new(),
            commands: Vec::new(),
            arms: Vec::new(),
            words: Vec::new(),
            open_words: Vec::new(),
        }
    }
}
