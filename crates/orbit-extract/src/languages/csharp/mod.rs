//! C#.
//!
//! Qualified names are dotted: `Name.Space.Outer.Inner.Method`; a namespace is a module symbol that
//! encloses, named as written. Type parameters are locals that stand for their constraint. `this(…)` and
//! `base(…)` are calls named as written, on `This` and `Super`. An indexer is called `this[]`, an
//! operator `operator +`, a finalizer `~Name`.

mod directives;
mod exprs;
mod imports;
mod lambdas;
mod locals;
mod members;
mod methods;
mod routes;
mod skeleton;
mod types;
mod typing;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::parse::{Grammar, parse};
use crate::{ExprId, ExtractError, ExtractedFile, Lang, RefKind};
use std::sync::LazyLock;
use tree_sitter::{Node, Tree, TreeCursor};

node_kinds! {
    Using = "using_directive",
    ExternAlias = "extern_alias_directive",
    Namespace = "namespace_declaration",
    FileNamespace = "file_scoped_namespace_declaration",
    Class = "class_declaration",
    Struct = "struct_declaration",
    Record = "record_declaration",
    Interface = "interface_declaration",
    Enum = "enum_declaration",
    EnumMember = "enum_member_declaration",
    Delegate = "delegate_declaration",
    Method = "method_declaration",
    Constructor = "constructor_declaration",
    ConstructorInitializer = "constructor_initializer",
    Destructor = "destructor_declaration",
    Operator = "operator_declaration",
    Conversion = "conversion_operator_declaration",
    Indexer = "indexer_declaration",
    Property = "property_declaration",
    Accessor = "accessor_declaration",
    ArrowClause = "arrow_expression_clause",
    Event = "event_declaration",
    EventField = "event_field_declaration",
    Field = "field_declaration",
    LocalFunction = "local_function_statement",
    ExplicitInterface = "explicit_interface_specifier",
    AttributeList = "attribute_list",
    Attribute = "attribute",
    AttributeArguments = "attribute_argument_list",
    AttributeArgument = "attribute_argument",
    Modifier = "modifier",
    BaseList = "base_list",
    PrimaryBase = "primary_constructor_base_type",
    TypeParameters = "type_parameter_list",
    TypeParameter = "type_parameter",
    Constraints = "type_parameter_constraints_clause",
    Constraint = "type_parameter_constraint",
    ParameterList = "parameter_list",
    Parameter = "parameter",
    ImplicitParameter = "implicit_parameter",
    VariableDeclaration = "variable_declaration",
    Declarator = "variable_declarator",
    TuplePattern = "tuple_pattern",
    BracketedArguments = "bracketed_argument_list",
    Block = "block",
    For = "for_statement",
    Foreach = "foreach_statement",
    UsingStatement = "using_statement",
    Fixed = "fixed_statement",
    Catch = "catch_clause",
    CatchDeclaration = "catch_declaration",
    SwitchSection = "switch_section",
    SwitchArm = "switch_expression_arm",
    Labeled = "labeled_statement",
    Goto = "goto_statement",
    DeclarationExpression = "declaration_expression",
    DeclarationPattern = "declaration_pattern",
    VarPattern = "var_pattern",
    ListPattern = "list_pattern",
    RecursivePattern = "recursive_pattern",
    PropertyPattern = "property_pattern_clause",
    PositionalPattern = "positional_pattern_clause",
    Subpattern = "subpattern",
    TypePattern = "type_pattern",
    NegatedPattern = "negated_pattern",
    ConstantPattern = "constant_pattern",
    Designation = "parenthesized_variable_designation",
    Lambda = "lambda_expression",
    AnonymousMethod = "anonymous_method_expression",
    Query = "query_expression",
    From = "from_clause",
    Join = "join_clause",
    JoinInto = "join_into_clause",
    Let = "let_clause",
    Invocation = "invocation_expression",
    Arguments = "argument_list",
    Argument = "argument",
    MemberAccess = "member_access_expression",
    ConditionalAccess = "conditional_access_expression",
    MemberBinding = "member_binding_expression",
    ElementBinding = "element_binding_expression",
    ElementAccess = "element_access_expression",
    Creation = "object_creation_expression",
    ImplicitCreation = "implicit_object_creation_expression",
    AnonymousCreation = "anonymous_object_creation_expression",
    ArrayCreation = "array_creation_expression",
    Initializer = "initializer_expression",
    With = "with_expression",
    WithInitializer = "with_initializer",
    Assignment = "assignment_expression",
    Parenthesized = "parenthesized_expression",
    Checked = "checked_expression",
    Conditional = "conditional_expression",
    Binary = "binary_expression",
    Prefix = "prefix_unary_expression",
    Postfix = "postfix_unary_expression",
    Await = "await_expression",
    RefExpression = "ref_expression",
    Cast = "cast_expression",
    As = "as_expression",
    Is = "is_expression",
    IsPattern = "is_pattern_expression",
    Default = "default_expression",
    TypeOf = "typeof_expression",
    SizeOf = "sizeof_expression",
    Identifier = "identifier",
    GenericName = "generic_name",
    QualifiedName = "qualified_name",
    AliasQualifiedName = "alias_qualified_name",
    TypeArguments = "type_argument_list",
    ImplicitType = "implicit_type",
    ArrayType = "array_type",
    NullableType = "nullable_type",
    PointerType = "pointer_type",
    FunctionPointerType = "function_pointer_type",
    PredefinedType = "predefined_type",
    TupleType = "tuple_type",
    TupleElement = "tuple_element",
    RefType = "ref_type",
    ScopedType = "scoped_type",
    RankSpecifier = "array_rank_specifier",
    String = "string_literal",
    VerbatimString = "verbatim_string_literal",
    RawString = "raw_string_literal",
    InterpolatedString = "interpolated_string_expression",
    Character = "character_literal",
    Integer = "integer_literal",
    Real = "real_literal",
    Boolean = "boolean_literal",
    Null = "null_literal",
    PreprocIf = "preproc_if",
    PreprocElif = "preproc_elif",
    PreprocDefine = "preproc_define",
    PreprocUndef = "preproc_undef",
    PreprocPragma = "preproc_pragma",
    PreprocLine = "preproc_line",
    Comment = "comment",
}

node_fields! {
    name = "name",
    body = "body",
    parameters = "parameters",
    ty = "type",
    returns = "returns",
    accessors = "accessors",
    value = "value",
    operator = "operator",
    qualifier = "qualifier",
    function = "function",
    arguments = "arguments",
    initializer = "initializer",
    expression = "expression",
    condition = "condition",
    consequence = "consequence",
    alternative = "alternative",
    left = "left",
    right = "right",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
    /// The keywords `this` and `base`, which are not named nodes.
    this: u16,
    base: u16,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::CSharp.language();
    Tables {
        kinds: kinds(&language),
        fields: Fields::new(&language),
        this: language.id_for_node_kind("this", false),
        base: language.id_for_node_kind("base", false),
    }
});

struct CSharp<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    /// What is wanted of the anonymous function that is visited next.
    callback: Option<ExprId>,
}

pub(super) fn extract(_path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let tree = read(source)?;
    let mut walk = CSharp { b: Builder::new(Lang::CSharp, source), t: &TABLES, callback: None };
    walk.visit_node(tree.root_node());
    Ok(walk.b.finish(std::slice::from_ref(&tree)))
}

/// The tree of a file, without its directives if that is what it takes to read it.
fn read(source: &str) -> Result<Tree, ExtractError> {
    let tree = parse(Grammar::CSharp, source)?;
    if tree.root_node().has_error()
        && let Some(bare) = directives::without_directives(source)
    {
        let other = parse(Grammar::CSharp, &bare)?;
        if !other.root_node().has_error() {
            return Ok(other);
        }
    }
    Ok(tree)
}

impl<'s> Walk<'s> for CSharp<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        let kind = self.t.kinds.of(node);
        if self.visit_definition(node, kind) || self.visit_binding(node, kind, cursor) {
            return;
        }
        match kind {
            Kind::Invocation => self.invocation(node),
            Kind::MemberAccess | Kind::ConditionalAccess => self.member_access(node, RefKind::Value),
            Kind::Identifier => self.b.plain_reference(node, RefKind::Value),
            Kind::GenericName => self.type_refs(node, RefKind::Value, 0),
            Kind::Argument => self.argument(node),
            Kind::Creation => self.creation(node),
            Kind::AnonymousCreation => self.anonymous_creation(node),
            Kind::With => self.with(node),
            Kind::Attribute => self.attribute(node),
            Kind::String | Kind::VerbatimString | Kind::RawString => self.string(node),
            Kind::InterpolatedString => {
                self.string(node);
                self.visit_children(cursor);
            }
            Kind::Cast | Kind::As | Kind::Is | Kind::Default | Kind::TypeOf | Kind::SizeOf => {
                self.typed_expression(node);
            }
            Kind::TypePattern | Kind::ArrayCreation => self.typed_expression(node),
            Kind::QualifiedName
            | Kind::AliasQualifiedName
            | Kind::TypeArguments
            | Kind::ArrayType
            | Kind::NullableType
            | Kind::PointerType
            | Kind::FunctionPointerType
            | Kind::TupleType
            | Kind::RefType
            | Kind::ScopedType => self.type_refs(node, RefKind::Type, 0),
            Kind::PreprocIf | Kind::PreprocElif => self.preproc_if(node),
            Kind::PreprocDefine | Kind::PreprocUndef | Kind::PreprocPragma | Kind::PreprocLine => {}
            Kind::Goto | Kind::Comment | Kind::ImplicitType | Kind::PredefinedType => {}
            _ => self.visit_children(cursor),
        }
    }
}

impl CSharp<'_> {
    /// Declarations; `false` when the node is none.
    fn visit_definition(&mut self, node: Node<'_>, kind: Kind) -> bool {
        match kind {
            Kind::Using => self.using(node),
            Kind::ExternAlias => {}
            Kind::Namespace => self.namespace(node),
            Kind::FileNamespace => self.file_namespace(node),
            Kind::Class | Kind::Struct | Kind::Record | Kind::Interface | Kind::Enum => {
                self.type_declaration(node, kind);
            }
            Kind::EnumMember => self.enum_member(node),
            Kind::Delegate => self.delegate(node),
            Kind::Method | Kind::Constructor | Kind::Destructor | Kind::LocalFunction => {
                self.method(node, kind);
            }
            Kind::Operator | Kind::Conversion => self.method(node, kind),
            Kind::Property | Kind::Indexer | Kind::Event => self.property(node, kind),
            Kind::Field | Kind::EventField => self.field_declaration(node, kind),
            _ => return false,
        }
        true
    }

    /// What binds locals or ends with them; `false` when the node does neither.
    fn visit_binding(&mut self, node: Node<'_>, kind: Kind, cursor: &mut TreeCursor<'_>) -> bool {
        match kind {
            Kind::Block | Kind::For | Kind::UsingStatement | Kind::Fixed | Kind::Catch => self.framed(cursor),
            Kind::SwitchSection | Kind::SwitchArm => self.framed(cursor),
            Kind::VariableDeclaration => self.local_variables(node),
            Kind::Foreach => self.foreach(node),
            Kind::CatchDeclaration | Kind::DeclarationExpression | Kind::DeclarationPattern => {
                self.typed_binding(node);
            }
            Kind::VarPattern | Kind::ListPattern => self.untyped_binding(node),
            Kind::RecursivePattern => self.recursive_pattern(node),
            Kind::NegatedPattern => self.negated_pattern(node),
            Kind::Labeled => self.labeled(node),
            Kind::Lambda | Kind::AnonymousMethod => self.lambda(node),
            Kind::Query => self.query(node),
            Kind::From => self.range_clause(node),
            Kind::Join => self.join_clause(node),
            Kind::Let => self.let_clause(node),
            _ => return false,
        }
        true
    }

    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }

    /// A node whose locals end with it.
    fn framed(&mut self, cursor: &mut TreeCursor<'_>) {
        self.b.push_frame();
        self.visit_children(cursor);
        self.b.pop_frame();
    }

    /// The name of a declaration, unless tree-sitter made it up while recovering.
    fn name_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.t.fields.name).filter(|name| name.start_byte() < name.end_byte())
    }

    /// The first named child of a kind.
    fn child_of<'t>(&self, node: Node<'t>, kind: Kind) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| self.kind(*child) == kind)
    }

    /// Everything inside `#if` but its condition.
    fn preproc_if(&mut self, node: Node<'_>) {
        let condition = node.child_by_field_id(self.t.fields.condition).map(|condition| condition.id());
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != condition {
                self.visit_node(child);
            }
        }
    }
}
