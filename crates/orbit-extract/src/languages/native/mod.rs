//! C and C++: one walk over two grammars.
//!
//! Qualified names are joined with `::`: `ns::Class::method`, `Struct::field`, `Enum::Variant`. A prototype is
//! a symbol like the definition; `Foo::bar` written outside its class has the path it would have inside.
//! Members of unnamed structs, unions and enums belong to what is round them; those of an unnamed struct that
//! types a variable or field hang under that name.
//!
//! Headers named `.h` count as C; one that is clearly C++ is parsed as such.

mod builtin;
mod conditions;
mod declarators;
mod defs;
mod exprs;
mod frames;
mod headers;
mod imports;
mod macro_text;
mod preproc;
mod receivers;
mod repair;
mod standard;
mod types;
mod variables;

pub use standard::is_standard_macro;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::parse::{Grammar, parse};
use crate::{ExprId, ExtractError, ExtractedFile, Lang, NameId, RefKind, ScopeId};
use std::collections::HashSet;
use std::sync::LazyLock;
use tree_sitter::{Node, Tree, TreeCursor};

node_kinds! {
    Function = "function_definition",
    Declaration = "declaration",
    FieldDeclaration = "field_declaration",
    Typedef = "type_definition",
    Alias = "alias_declaration",
    Struct = "struct_specifier",
    Union = "union_specifier",
    Class = "class_specifier",
    Enum = "enum_specifier",
    Enumerator = "enumerator",
    BaseClause = "base_class_clause",
    AccessSpecifier = "access_specifier",
    Namespace = "namespace_definition",
    NestedNamespace = "nested_namespace_specifier",
    NamespaceAlias = "namespace_alias_definition",
    Using = "using_declaration",
    Template = "template_declaration",
    TypeParameter = "type_parameter_declaration",
    OptionalTypeParameter = "optional_type_parameter_declaration",
    VariadicTypeParameter = "variadic_type_parameter_declaration",
    Concept = "concept_definition",
    Friend = "friend_declaration",
    Linkage = "linkage_specification",
    PreprocDef = "preproc_def",
    PreprocFunctionDef = "preproc_function_def",
    PreprocArg = "preproc_arg",
    PreprocInclude = "preproc_include",
    PreprocIfdef = "preproc_ifdef",
    PreprocIf = "preproc_if",
    PreprocElif = "preproc_elif",
    PreprocElse = "preproc_else",
    PreprocElifdef = "preproc_elifdef",
    PreprocCall = "preproc_call",
    Comment = "comment",
    AttributeSpecifier = "attribute_specifier",
    AttributeDeclaration = "attribute_declaration",
    Declspec = "ms_declspec_modifier",
    CallModifier = "ms_call_modifier",
    StorageClass = "storage_class_specifier",
    TypeQualifier = "type_qualifier",
    InitDeclarator = "init_declarator",
    PointerDeclarator = "pointer_declarator",
    PointerTypeDeclarator = "pointer_type_declarator",
    ReferenceDeclarator = "reference_declarator",
    ArrayDeclarator = "array_declarator",
    FunctionDeclarator = "function_declarator",
    ParenthesizedDeclarator = "parenthesized_declarator",
    AttributedDeclarator = "attributed_declarator",
    VariadicDeclarator = "variadic_declarator",
    StructuredBinding = "structured_binding_declarator",
    AbstractFunction = "abstract_function_declarator",
    AbstractArray = "abstract_array_declarator",
    AbstractPointer = "abstract_pointer_declarator",
    AbstractReference = "abstract_reference_declarator",
    Parameter = "parameter_declaration",
    OptionalParameter = "optional_parameter_declaration",
    VariadicParameter = "variadic_parameter_declaration",
    TrailingReturn = "trailing_return_type",
    FieldInitializer = "field_initializer",
    FieldInitializerList = "field_initializer_list",
    Identifier = "identifier",
    FieldIdentifier = "field_identifier",
    TypeIdentifier = "type_identifier",
    NamespaceIdentifier = "namespace_identifier",
    PrimitiveType = "primitive_type",
    SizedType = "sized_type_specifier",
    Placeholder = "placeholder_type_specifier",
    DependentType = "dependent_type",
    DependentName = "dependent_name",
    Qualified = "qualified_identifier",
    TemplateType = "template_type",
    TemplateFunction = "template_function",
    TemplateMethod = "template_method",
    TemplateArguments = "template_argument_list",
    TypeDescriptor = "type_descriptor",
    Destructor = "destructor_name",
    OperatorName = "operator_name",
    OperatorCast = "operator_cast",
    Compound = "compound_statement",
    ExpressionStatement = "expression_statement",
    Return = "return_statement",
    If = "if_statement",
    For = "for_statement",
    While = "while_statement",
    Switch = "switch_statement",
    ForRange = "for_range_loop",
    Catch = "catch_clause",
    Lambda = "lambda_expression",
    CaptureInitializer = "lambda_capture_initializer",
    Call = "call_expression",
    Field = "field_expression",
    New = "new_expression",
    Cast = "cast_expression",
    CompoundLiteral = "compound_literal_expression",
    InitializerList = "initializer_list",
    InitializerPair = "initializer_pair",
    FieldDesignator = "field_designator",
    SubscriptDesignator = "subscript_designator",
    Offsetof = "offsetof_expression",
    Subscript = "subscript_expression",
    Pointer = "pointer_expression",
    Parenthesized = "parenthesized_expression",
    Conditional = "conditional_expression",
    Assignment = "assignment_expression",
    Binary = "binary_expression",
    Update = "update_expression",
    Unary = "unary_expression",
    Sizeof = "sizeof_expression",
    Comma = "comma_expression",
    CoAwait = "co_await_expression",
    This = "this",
    String = "string_literal",
    RawString = "raw_string_literal",
    RawContent = "raw_string_content",
    Concatenated = "concatenated_string",
    Char = "char_literal",
    Number = "number_literal",
    True = "true",
    False = "false",
    Null = "null",
}

node_fields! {
    name = "name",
    body = "body",
    ty = "type",
    declarator = "declarator",
    parameters = "parameters",
    value = "value",
    default_value = "default_value",
    default_type = "default_type",
    scope = "scope",
    function = "function",
    arguments = "arguments",
    argument = "argument",
    field = "field",
    left = "left",
    right = "right",
    size = "size",
    path = "path",
    member = "member",
    captures = "captures",
    template_parameters = "template_parameters",
    consequence = "consequence",
    base = "base",
}

struct Tables {
    is_cpp: bool,
    kinds: KindTable<Kind>,
    fields: Fields,
}

impl Tables {
    fn new(grammar: Grammar) -> Tables {
        let language = grammar.language();
        Tables { is_cpp: grammar == Grammar::Cpp, kinds: kinds(&language), fields: Fields::new(&language) }
    }
}

static C: LazyLock<Tables> = LazyLock::new(|| Tables::new(Grammar::C));
static CPP: LazyLock<Tables> = LazyLock::new(|| Tables::new(Grammar::Cpp));

struct Native<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    /// What a header declares is there for others, `static` or not.
    is_header: bool,
    /// How many function bodies and blocks are open: names declared in one are locals.
    blocks: u32,
    /// How many unnamed namespaces are open: nothing in them is seen outside the file.
    unnamed: u32,
    /// The body of a struct, union or class is open.
    in_record: bool,
    /// The members that follow are private.
    is_private: bool,
    /// Type parameters of the templates that are open, and what they are as types.
    type_parameters: Vec<(NameId, ExprId)>,
    /// Those of the innermost template, in order.
    own_parameters: Vec<ExprId>,
    /// Names of the classes that the file defines.
    records: HashSet<Vec<u8>>,
    /// Names of the namespaces opened so far.
    namespaces: Vec<NameId>,
    /// A block that belongs to a definition made by a macro, by its node number.
    macro_body: Option<(usize, ScopeId)>,
    conditions: conditions::Conditions<'s>,
}

pub(super) fn extract(path: &str, lang: Lang, source: &str) -> Result<ExtractedFile, ExtractError> {
    let is_header = path.rsplit('.').next().is_some_and(|ext| ext.starts_with('h'));
    let is_cpp = lang == Lang::Cpp || (is_header && headers::looks_like_cpp(source));
    let Reading { is_cpp, repaired, tree } = read(source, is_cpp, is_header)?;
    let mut walk = Native {
        b: Builder::new(lang, source),
        t: if is_cpp { &CPP } else { &C },
        is_header,
        blocks: 0,
        unnamed: 0,
        in_record: false,
        is_private: false,
        type_parameters: Vec::new(),
        own_parameters: Vec::new(),
        records: repaired.records,
        namespaces: Vec::new(),
        macro_body: None,
        conditions: conditions::Conditions::new(is_cpp),
    };
    walk.visit_node(tree.root_node());
    walk.repaired_macros(&repaired.macros);
    Ok(walk.b.finish(std::slice::from_ref(&tree)))
}

/// A file as one of the two grammars reads it.
struct Reading {
    is_cpp: bool,
    repaired: repair::Repaired,
    tree: Tree,
}

/// Reads a file; a header that C cannot read and C++ can is one of C++.
fn read(source: &str, is_cpp: bool, is_header: bool) -> Result<Reading, ExtractError> {
    let grammar = if is_cpp { Grammar::Cpp } else { Grammar::C };
    let repaired = repair::repaired(source, is_cpp);
    let tree = parse(grammar, repaired.text.as_deref().unwrap_or(source))?;
    let reading = Reading { is_cpp, repaired, tree };
    if is_header && !is_cpp && reading.tree.root_node().has_error() {
        let other = read(source, true, is_header)?;
        if !other.tree.root_node().has_error() {
            return Ok(other);
        }
    }
    Ok(reading)
}

impl<'s> Walk<'s> for Native<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        match self.t.kinds.of(node) {
            Kind::Comment
            | Kind::PreprocCall
            | Kind::AttributeSpecifier
            | Kind::AttributeDeclaration
            | Kind::Declspec
            | Kind::PrimitiveType
            | Kind::Char
            | Kind::Number => {}
            Kind::Identifier => self.b.plain_reference(node, RefKind::Value),
            Kind::TypeIdentifier => self.type_name(node, RefKind::Type),
            Kind::Call => self.call(node),
            Kind::Field => self.field(node, RefKind::Value),
            Kind::Qualified => self.qualified(node, RefKind::Value),
            Kind::TemplateType | Kind::TemplateFunction => self.template_use(node, RefKind::Value, None),
            Kind::String | Kind::RawString => self.string(node),
            Kind::Declaration | Kind::FieldDeclaration => self.declaration(node, node),
            Kind::Function => self.function(node, node),
            Kind::Compound => self.block(node),
            Kind::If | Kind::For | Kind::While | Kind::Switch => self.framed(cursor),
            Kind::ExpressionStatement => self.expression_statement(cursor),
            Kind::Struct | Kind::Union | Kind::Class => self.record(node, node, None),
            Kind::Enum => self.enumeration(node, node, None),
            Kind::Enumerator => self.enumerator(node),
            Kind::Typedef => self.typedef(node),
            Kind::Alias => self.alias(node, node),
            Kind::Namespace => self.namespace(node),
            Kind::NamespaceAlias => self.namespace_alias(node),
            Kind::Using => self.using(node),
            Kind::Template => self.template(node),
            Kind::Concept => self.concept(node, node),
            Kind::AccessSpecifier => self.is_private = self.b.text(node) == "private",
            Kind::Linkage => self.visit_field(node, self.t.fields.body),
            Kind::PreprocDef | Kind::PreprocFunctionDef => self.macro_definition(node),
            Kind::PreprocInclude => self.include(node),
            Kind::PreprocIfdef => self.ifdef(node),
            Kind::PreprocIf | Kind::PreprocElif | Kind::PreprocElse | Kind::PreprocElifdef => {
                self.conditional(node);
            }
            Kind::Parameter | Kind::OptionalParameter | Kind::VariadicParameter => {
                self.parameter(node, false);
            }
            Kind::ForRange => self.for_range(node),
            Kind::Catch => self.catch(node),
            Kind::Lambda => self.lambda(node),
            Kind::New => self.new_expression(node),
            Kind::CompoundLiteral => self.compound_literal(node),
            Kind::InitializerList => {
                let unknown = self.b.unknown();
                self.initializer_list(node, unknown, 0);
            }
            Kind::Offsetof => self.offsetof(node),
            Kind::FieldInitializer => self.field_initializer(node),
            _ => self.visit_children(cursor),
        }
    }
}

impl Native<'_> {
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
