//! Python.
//!
//! Qualified names are dotted: `Outer.Inner.method`. A name assigned in a function is a local, in a class
//! a field, elsewhere a module variable; `self.x = …` defines a field of the class the first time.

mod assigns;
mod commands;
mod defs;
mod exprs;
mod imports;
mod narrowing;
mod operators;
mod quoted;
mod routes;
mod types;
mod values;

use crate::builder::RouterId;
use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::commands::CommandTree;
use crate::parse::{Grammar, parse};
use crate::{ExprId, ExtractError, ExtractedFile, Lang, NameId, RefKind, ScopeId};
use hashbrown::HashMap;
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    Function = "function_definition",
    Class = "class_definition",
    Decorated = "decorated_definition",
    Decorator = "decorator",
    Assignment = "assignment",
    AugmentedAssignment = "augmented_assignment",
    TypeAlias = "type_alias_statement",
    Call = "call",
    Attribute = "attribute",
    Identifier = "identifier",
    Import = "import_statement",
    ImportFrom = "import_from_statement",
    FutureImport = "future_import_statement",
    String = "string",
    Concatenated = "concatenated_string",
    For = "for_statement",
    ForIn = "for_in_clause",
    AsPattern = "as_pattern",
    Lambda = "lambda",
    ListComprehension = "list_comprehension",
    SetComprehension = "set_comprehension",
    DictComprehension = "dictionary_comprehension",
    Generator = "generator_expression",
    Named = "named_expression",
    Keyword = "keyword_argument",
    Type = "type",
    Subscript = "subscript",
    Parenthesized = "parenthesized_expression",
    Await = "await",
    Conditional = "conditional_expression",
    Binary = "binary_operator",
    Unary = "unary_operator",
    Boolean = "boolean_operator",
    None = "none",
    Integer = "integer",
    Float = "float",
    True = "true",
    False = "false",
    List = "list",
    Dictionary = "dictionary",
    Set = "set",
    Tuple = "tuple",
    PatternList = "pattern_list",
    TuplePattern = "tuple_pattern",
    ListPattern = "list_pattern",
    ExpressionList = "expression_list",
    ListSplat = "list_splat_pattern",
    ListSplatValue = "list_splat",
    DictSplatValue = "dictionary_splat",
    If = "if_statement",
    Elif = "elif_clause",
    Assert = "assert_statement",
    Not = "not_operator",
    DictSplat = "dictionary_splat_pattern",
    DefaultParameter = "default_parameter",
    TypedParameter = "typed_parameter",
    TypedDefaultParameter = "typed_default_parameter",
    GenericType = "generic_type",
    UnionType = "union_type",
    MemberType = "member_type",
    Return = "return_statement",
    Yield = "yield",
    Global = "global_statement",
    Nonlocal = "nonlocal_statement",
    CasePattern = "case_pattern",
    Comment = "comment",
    DottedName = "dotted_name",
    RelativeImport = "relative_import",
    AliasedImport = "aliased_import",
    Wildcard = "wildcard_import",
}

node_fields! {
    name = "name",
    body = "body",
    parameters = "parameters",
    return_type = "return_type",
    superclasses = "superclasses",
    definition = "definition",
    left = "left",
    right = "right",
    ty = "type",
    function = "function",
    arguments = "arguments",
    object = "object",
    attribute = "attribute",
    value = "value",
    condition = "condition",
    consequence = "consequence",
    alias = "alias",
    module_name = "module_name",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::Python.language();
    Tables { kinds: kinds(&language), fields: Fields::new(&language) }
});

struct Python<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    commands: CommandTree,
    /// Variables and fields defined already, by qualified path: assigning again defines nothing.
    assigned: HashMap<String, ScopeId>,
    /// Qualified names of the properties of classes whose body was entered.
    properties: std::collections::BTreeSet<String>,
    /// Type variables of the module, as parameters.
    type_variables: HashMap<NameId, ExprId>,
    /// Those that were named since the list was emptied, in order.
    used_variables: Vec<ExprId>,
    /// The class round the walk's place is an enumeration.
    in_enum: bool,
    is_test_file: bool,
    /// What the functions round the walk's place return, innermost last.
    returned: Vec<Returned>,
    /// The list of Django's routes that the walk is in.
    list_router: Option<RouterId>,
}

/// What the `return` statements of a function agree on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returned {
    Nothing,
    Value(ExprId),
    Several,
}

pub(super) fn extract(path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let tree = parse(Grammar::Python, source)?;
    let mut walk = Python {
        b: Builder::new(Lang::Python, source),
        t: &TABLES,
        commands: CommandTree::default(),
        assigned: HashMap::new(),
        properties: std::collections::BTreeSet::new(),
        type_variables: HashMap::new(),
        used_variables: Vec::new(),
        in_enum: false,
        is_test_file: is_test_path(path),
        returned: Vec::new(),
        list_router: None,
    };
    walk.visit_node(tree.root_node());
    let Python { mut b, commands, .. } = walk;
    commands.finish(&mut b);
    Ok(b.finish(std::slice::from_ref(&tree)))
}

fn is_test_path(path: &str) -> bool {
    let (dirs, file) = path.rsplit_once('/').unwrap_or(("", path));
    file.starts_with("test_")
        || file.ends_with("_test.py")
        || file == "tests.py"
        || dirs.split('/').any(|dir| dir == "tests" || dir == "test")
}

impl<'s> Walk<'s> for Python<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        match self.t.kinds.of(node) {
            Kind::Function => self.function(node, node, &[]),
            Kind::Class => self.class(node, node),
            Kind::Decorated => self.decorated(node),
            Kind::Assignment => self.assignment(node),
            Kind::TypeAlias => self.type_alias(node),
            Kind::Import => self.import(node),
            Kind::ImportFrom => self.import_from(node),
            Kind::FutureImport | Kind::Comment | Kind::Global | Kind::Nonlocal => {}
            Kind::Call => self.call(node),
            Kind::Attribute => self.attribute(node, RefKind::Value),
            Kind::Identifier => self.b.plain_reference(node, RefKind::Value),
            Kind::Keyword => self.visit_field(node, self.t.fields.value),
            Kind::String => self.string(node),
            Kind::Type => self.type_refs(node, 0),
            Kind::For | Kind::ForIn => self.for_loop(node),
            Kind::AsPattern => self.as_pattern(node),
            Kind::Named => self.named_expression(node),
            Kind::Lambda => self.lambda(node),
            Kind::Return | Kind::Yield => self.return_statement(node),
            Kind::If | Kind::Elif => self.if_statement(node),
            Kind::Assert => self.assert_statement(node),
            Kind::ListComprehension | Kind::SetComprehension | Kind::DictComprehension | Kind::Generator => {
                self.comprehension(node);
            }
            _ => self.visit_children(cursor),
        }
    }
}

impl Python<'_> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }
}
