//! Ruby.
//!
//! Qualified names are joined with `::`: `Mod::Class::method`, for singleton methods too. An instance or class
//! variable is a field of its class, named with its `@`, from its first assignment on. A bare word that is no
//! local variable is a call.

mod assigns;
mod attributes;
mod blocks;
mod calls;
mod defs;
mod exprs;
mod routes;
mod specs;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::parse::{Grammar, parse};
use crate::{Expr, ExprId, ExtractError, ExtractedFile, Lang, RefKind, ScopeId};
use blocks::Yields;
use hashbrown::HashMap;
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    Method = "method",
    SingletonMethod = "singleton_method",
    Class = "class",
    Module = "module",
    SingletonClass = "singleton_class",
    Superclass = "superclass",
    Alias = "alias",
    Undef = "undef",
    Assignment = "assignment",
    OperatorAssignment = "operator_assignment",
    LeftList = "left_assignment_list",
    DestructuredLeft = "destructured_left_assignment",
    RestAssignment = "rest_assignment",
    Call = "call",
    ElementReference = "element_reference",
    ArgumentList = "argument_list",
    Identifier = "identifier",
    Constant = "constant",
    ScopeResolution = "scope_resolution",
    InstanceVariable = "instance_variable",
    ClassVariable = "class_variable",
    GlobalVariable = "global_variable",
    SelfValue = "self",
    Super = "super",
    Nil = "nil",
    True = "true",
    False = "false",
    Integer = "integer",
    Float = "float",
    String = "string",
    ChainedString = "chained_string",
    BareString = "bare_string",
    StringContent = "string_content",
    Interpolation = "interpolation",
    Setter = "setter",
    Operator = "operator",
    HeredocBegin = "heredoc_beginning",
    HeredocBody = "heredoc_body",
    Body = "body_statement",
    BlockBody = "block_body",
    HeredocEnd = "heredoc_end",
    StringArray = "string_array",
    SymbolArray = "symbol_array",
    Symbol = "simple_symbol",
    DelimitedSymbol = "delimited_symbol",
    Regex = "regex",
    Array = "array",
    Hash = "hash",
    Pair = "pair",
    HashKey = "hash_key_symbol",
    Parenthesized = "parenthesized_statements",
    Conditional = "conditional",
    Binary = "binary",
    Block = "block",
    DoBlock = "do_block",
    Lambda = "lambda",
    OptionalParameter = "optional_parameter",
    KeywordParameter = "keyword_parameter",
    Destructured = "destructured_parameter",
    Rescue = "rescue",
    ExceptionVariable = "exception_variable",
    For = "for",
    InClause = "in_clause",
    MatchPattern = "match_pattern",
    TestPattern = "test_pattern",
    AsPattern = "as_pattern",
    KeywordPattern = "keyword_pattern",
    ValueReference = "variable_reference_pattern",
    ExpressionReference = "expression_reference_pattern",
    Comment = "comment",
    Yield = "yield",
    If = "if",
    Unless = "unless",
    Elsif = "elsif",
    Else = "else",
    Then = "then",
    Case = "case",
    When = "when",
    Begin = "begin",
    Return = "return",
    BlockArgument = "block_argument",
    BlockParameter = "block_parameter",
    Ensure = "ensure",
}

node_fields! {
    name = "name",
    body = "body",
    parameters = "parameters",
    object = "object",
    superclass = "superclass",
    value = "value",
    alias = "alias",
    left = "left",
    right = "right",
    receiver = "receiver",
    method = "method",
    arguments = "arguments",
    block = "block",
    scope = "scope",
    key = "key",
    pattern = "pattern",
    guard = "guard",
    exceptions = "exceptions",
    variable = "variable",
    consequence = "consequence",
    operator = "operator",
    alternative = "alternative",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::Ruby.language();
    Tables { kinds: kinds(&language), fields: Fields::new(&language) }
});

struct Ruby<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    /// Variables and constants already defined, by their qualified paths: assigning again defines nothing.
    assigned: HashMap<String, ScopeId>,
    /// What the method that is open gives to its block.
    yields: Yields,
    /// What the `return` statements of the method that is open give.
    returns: Vec<ExprId>,
    /// Methods defined from here on are `private` or `protected`.
    is_private: bool,
    /// A class or module body is open, and no method in it.
    in_body: bool,
    is_test_file: bool,
    /// The class that the group of tests round here is about, and its subject: without a word on it, a new one.
    described: Option<ExprId>,
    subject: Option<ExprId>,
}

pub(super) fn extract(path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let tree = parse(Grammar::Ruby, source)?;
    let mut walk = Ruby {
        b: Builder::new(Lang::Ruby, source),
        t: &TABLES,
        assigned: HashMap::new(),
        yields: Yields::default(),
        returns: Vec::new(),
        is_private: false,
        in_body: false,
        is_test_file: is_test_path(path),
        described: None,
        subject: None,
    };
    walk.b.push_frame();
    walk.visit_node(tree.root_node());
    walk.b.pop_frame();
    let exprs = &walk.b.file.exprs;
    for symbol in &mut walk.b.file.symbols {
        symbol.ty = symbol.ty.filter(|ty| !matches!(exprs[ty.0 as usize], Expr::Unknown));
    }
    Ok(walk.b.finish(std::slice::from_ref(&tree)))
}

fn is_test_path(path: &str) -> bool {
    let (dirs, file) = path.rsplit_once('/').unwrap_or(("", path));
    file.ends_with("_test.rb")
        || file.starts_with("test_")
        || dirs.split('/').any(|dir| matches!(dir, "test" | "tests"))
}

impl<'s> Walk<'s> for Ruby<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        match self.t.kinds.of(node) {
            Kind::Comment | Kind::Undef | Kind::Symbol | Kind::SymbolArray | Kind::HashKey => {}
            Kind::Identifier => self.identifier(node),
            Kind::Call => self.call(node),
            Kind::Constant => self.b.reference(node, RefKind::Value, None),
            Kind::ScopeResolution => self.scope_resolution(node, RefKind::Value),
            Kind::InstanceVariable | Kind::ClassVariable | Kind::GlobalVariable => self.variable(node),
            Kind::Super => self.super_call(node),
            Kind::String | Kind::BareString | Kind::HeredocBody => self.string(node),
            Kind::Assignment | Kind::OperatorAssignment => self.assignment(node),
            Kind::Method | Kind::SingletonMethod => self.method(node),
            Kind::Class => self.class(node),
            Kind::Module => self.module(node),
            Kind::SingletonClass => self.singleton_class(node),
            Kind::Alias => self.alias(node),
            Kind::Block | Kind::DoBlock => {
                let unknown = self.b.unknown();
                self.block(node, unknown);
            }
            Kind::Lambda => self.lambda(node),
            Kind::Yield => self.yield_call(node),
            Kind::Return => self.return_value(node),
            Kind::Pair => self.pair(node),
            Kind::Rescue => self.rescue(node),
            Kind::For => self.for_loop(node),
            Kind::InClause | Kind::MatchPattern | Kind::TestPattern => self.pattern_match(node),
            _ => self.visit_children(cursor),
        }
    }
}

impl Ruby<'_> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    /// The name of a definition, unless recovery made it up.
    fn name_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.t.fields.name).filter(|name| name.start_byte() < name.end_byte())
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }
}
