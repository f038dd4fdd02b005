//! Java.
//!
//! Qualified names are dotted and start at the outermost type: `Outer.Inner.method`; the package is the
//! file's. Members of an anonymous class stand under a class symbol named `<anonymous>`. Type parameters
//! are locals that stand for their bound. `this(…)` and `super(…)` are calls named as written, on `This`
//! and `Super`.

mod exprs;
mod imports;
mod lambdas;
mod locals;
mod members;
mod routes;
mod switches;
mod types;
mod typing;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::parse::{Grammar, parse};
use crate::{ExprId, ExtractError, ExtractedFile, Lang, RefKind};
use std::sync::LazyLock;
use switches::Switches;
use tree_sitter::{Node, TreeCursor};

/// The name of a class that has none.
const ANONYMOUS: &str = "<anonymous>";

node_kinds! {
    Package = "package_declaration",
    Import = "import_declaration",
    Asterisk = "asterisk",
    Module = "module_declaration",
    UsesDirective = "uses_module_directive",
    ProvidesDirective = "provides_module_directive",
    Class = "class_declaration",
    Record = "record_declaration",
    Interface = "interface_declaration",
    AnnotationType = "annotation_type_declaration",
    Enum = "enum_declaration",
    EnumConstant = "enum_constant",
    ClassBody = "class_body",
    Superclass = "superclass",
    SuperInterfaces = "super_interfaces",
    ExtendsInterfaces = "extends_interfaces",
    Permits = "permits",
    Method = "method_declaration",
    AnnotationElement = "annotation_type_element_declaration",
    Constructor = "constructor_declaration",
    CompactConstructor = "compact_constructor_declaration",
    Field = "field_declaration",
    Constant = "constant_declaration",
    Modifiers = "modifiers",
    MarkerAnnotation = "marker_annotation",
    Annotation = "annotation",
    ElementPair = "element_value_pair",
    TypeParameter = "type_parameter",
    TypeBound = "type_bound",
    FormalParameter = "formal_parameter",
    SpreadParameter = "spread_parameter",
    ReceiverParameter = "receiver_parameter",
    InferredParameters = "inferred_parameters",
    Throws = "throws",
    LocalVariable = "local_variable_declaration",
    Declarator = "variable_declarator",
    Block = "block",
    For = "for_statement",
    EnhancedFor = "enhanced_for_statement",
    Catch = "catch_clause",
    CatchParameter = "catch_formal_parameter",
    CatchType = "catch_type",
    TryWithResources = "try_with_resources_statement",
    Resource = "resource",
    Labeled = "labeled_statement",
    Break = "break_statement",
    Continue = "continue_statement",
    Switch = "switch_expression",
    SwitchBlock = "switch_block",
    SwitchRule = "switch_rule",
    SwitchLabel = "switch_label",
    TypePattern = "type_pattern",
    RecordPattern = "record_pattern",
    RecordPatternComponent = "record_pattern_component",
    InstanceOf = "instanceof_expression",
    Lambda = "lambda_expression",
    Invocation = "method_invocation",
    ConstructorCall = "explicit_constructor_invocation",
    Creation = "object_creation_expression",
    ArrayCreation = "array_creation_expression",
    FieldAccess = "field_access",
    ArrayAccess = "array_access",
    MethodReference = "method_reference",
    Cast = "cast_expression",
    Parenthesized = "parenthesized_expression",
    Ternary = "ternary_expression",
    Assignment = "assignment_expression",
    ClassLiteral = "class_literal",
    Binary = "binary_expression",
    Unary = "unary_expression",
    Update = "update_expression",
    Template = "template_expression",
    This = "this",
    Super = "super",
    Identifier = "identifier",
    ScopedIdentifier = "scoped_identifier",
    String = "string_literal",
    Character = "character_literal",
    DecimalInteger = "decimal_integer_literal",
    HexInteger = "hex_integer_literal",
    OctalInteger = "octal_integer_literal",
    BinaryInteger = "binary_integer_literal",
    DecimalFloat = "decimal_floating_point_literal",
    HexFloat = "hex_floating_point_literal",
    True = "true",
    False = "false",
    Null = "null_literal",
    TypeIdentifier = "type_identifier",
    ScopedType = "scoped_type_identifier",
    GenericType = "generic_type",
    ArrayType = "array_type",
    AnnotatedType = "annotated_type",
    TypeArguments = "type_arguments",
    Wildcard = "wildcard",
    Dimensions = "dimensions",
    DimensionsExpr = "dimensions_expr",
    IntegralType = "integral_type",
    FloatingType = "floating_point_type",
    BooleanType = "boolean_type",
    VoidType = "void_type",
    LineComment = "line_comment",
    BlockComment = "block_comment",
}

node_fields! {
    name = "name",
    body = "body",
    parameters = "parameters",
    type_parameters = "type_parameters",
    ty = "type",
    value = "value",
    arguments = "arguments",
    object = "object",
    field = "field",
    constructor = "constructor",
    array = "array",
    element = "element",
    condition = "condition",
    consequence = "consequence",
    alternative = "alternative",
    left = "left",
    right = "right",
    key = "key",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::Java.language();
    Tables { kinds: kinds(&language), fields: Fields::new(&language) }
});

struct Java<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    switches: Switches,
    /// What is asked for where the lambda that is visited next stands.
    wanted: Option<ExprId>,
}

pub(super) fn extract(_path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let tree = parse(Grammar::Java, source)?;
    let mut walk =
        Java { b: Builder::new(Lang::Java, source), t: &TABLES, switches: Switches::default(), wanted: None };
    walk.visit_node(tree.root_node());
    let Java { mut b, switches, .. } = walk;
    switches.finish(&mut b);
    Ok(b.finish(std::slice::from_ref(&tree)))
}

impl<'s> Walk<'s> for Java<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        match self.t.kinds.of(node) {
            Kind::Package => self.package(node),
            Kind::Import => self.import(node),
            Kind::Module => self.module(node),
            kind @ (Kind::Class | Kind::Record | Kind::Interface | Kind::AnnotationType | Kind::Enum) => {
                self.type_declaration(node, kind);
            }
            Kind::EnumConstant => self.enum_constant(node),
            Kind::Method | Kind::AnnotationElement | Kind::Constructor | Kind::CompactConstructor => {
                self.method(node);
            }
            Kind::Field | Kind::Constant => self.field_declaration(node),
            Kind::LocalVariable => self.local_variable(node),
            Kind::MarkerAnnotation | Kind::Annotation => self.annotation(node),
            Kind::Block
            | Kind::For
            | Kind::Catch
            | Kind::TryWithResources
            | Kind::SwitchBlock
            | Kind::SwitchRule => self.framed(cursor),
            Kind::EnhancedFor => self.enhanced_for(node),
            Kind::CatchParameter => self.catch_parameter(node),
            Kind::Resource => self.resource(node, cursor),
            Kind::Labeled => self.labeled(node),
            Kind::Switch => self.switch(node),
            Kind::SwitchLabel => self.switch_label(node),
            Kind::TypePattern | Kind::RecordPatternComponent => self.typed_pattern(node),
            Kind::RecordPattern => self.record_pattern(node),
            Kind::InstanceOf => self.instance_of(node),
            Kind::Lambda => self.lambda(node),
            Kind::Invocation => self.invocation(node),
            Kind::ConstructorCall => self.constructor_call(node),
            Kind::Creation => self.creation(node),
            Kind::FieldAccess => self.field_access(node),
            Kind::MethodReference => self.method_reference(node),
            Kind::Identifier => self.b.plain_reference(node, RefKind::Value),
            Kind::String => self.string(node),
            Kind::TypeIdentifier
            | Kind::ScopedType
            | Kind::GenericType
            | Kind::ArrayType
            | Kind::AnnotatedType
            | Kind::TypeArguments => self.type_refs(node, RefKind::Type, 0),
            Kind::Break | Kind::Continue | Kind::LineComment | Kind::BlockComment => {}
            _ => self.visit_children(cursor),
        }
    }
}

impl Java<'_> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }

    /// The name of a declaration, unless tree-sitter made it up while recovering.
    fn name_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.child_by_field_id(self.t.fields.name).filter(|name| name.start_byte() < name.end_byte())
    }

    /// A node whose locals end with it.
    fn framed(&mut self, cursor: &mut TreeCursor<'_>) {
        self.b.push_frame();
        self.visit_children(cursor);
        self.b.pop_frame();
    }

    /// The first named child of a kind.
    fn child_of<'t>(&self, node: Node<'t>, kind: Kind) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| self.kind(*child) == kind)
    }
}
