//! Kotlin.
//!
//! Qualified names are dotted and start at the outermost declaration; the package is the file's. Members of
//! a companion object are qualified with the class round it: `Outer.member`. Members of an `object`
//! expression stand under a class symbol named `<anonymous>`. Type parameters are locals that stand for
//! their bound. In an extension, `this` is a local of the receiver's type. `this(…)` and `super(…)` are
//! calls named as written, on `This` and `Super`; a secondary constructor is called `constructor`.

mod casts;
mod classes;
mod exprs;
mod functions;
mod imports;
mod lambdas;
mod locals;
mod modifiers;
mod properties;
mod recovery;
mod repair;
mod skeleton;
mod typing;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::parse::Grammar;
use crate::{ExprId, ExtractError, ExtractedFile, Lang, NameId, RefKind, Span};
use repair::Reading;
use std::sync::LazyLock;
use tree_sitter::{Node, Tree, TreeCursor};

/// The name of a class that has none.
const ANONYMOUS: &str = "<anonymous>";

node_kinds! {
    Package = "package_header",
    Import = "import",
    QualifiedIdentifier = "qualified_identifier",
    FileAnnotation = "file_annotation",
    Class = "class_declaration",
    Object = "object_declaration",
    Companion = "companion_object",
    ObjectLiteral = "object_literal",
    ClassBody = "class_body",
    EnumBody = "enum_class_body",
    EnumEntry = "enum_entry",
    PrimaryConstructor = "primary_constructor",
    ClassParameters = "class_parameters",
    ClassParameter = "class_parameter",
    SecondaryConstructor = "secondary_constructor",
    ConstructorDelegation = "constructor_delegation_call",
    Initializer = "anonymous_initializer",
    Delegations = "delegation_specifiers",
    Delegation = "delegation_specifier",
    ConstructorInvocation = "constructor_invocation",
    ExplicitDelegation = "explicit_delegation",
    Function = "function_declaration",
    AnonymousFunction = "anonymous_function",
    FunctionBody = "function_body",
    Parameters = "function_value_parameters",
    Parameter = "parameter",
    ParameterModifiers = "parameter_modifiers",
    Property = "property_declaration",
    PropertyDelegate = "property_delegate",
    Getter = "getter",
    Setter = "setter",
    Variable = "variable_declaration",
    MultiVariable = "multi_variable_declaration",
    TypeAlias = "type_alias",
    Modifiers = "modifiers",
    Annotation = "annotation",
    UseSiteTarget = "use_site_target",
    TypeParameters = "type_parameters",
    TypeParameter = "type_parameter",
    TypeConstraints = "type_constraints",
    TypeConstraint = "type_constraint",
    UserType = "user_type",
    NullableType = "nullable_type",
    NonNullableType = "non_nullable_type",
    ParenthesizedType = "parenthesized_type",
    FunctionType = "function_type",
    FunctionTypeParameters = "function_type_parameters",
    TypeArguments = "type_arguments",
    TypeProjection = "type_projection",
    TypeModifiers = "type_modifiers",
    Block = "block",
    For = "for_statement",
    While = "while_statement",
    DoWhile = "do_while_statement",
    Catch = "catch_block",
    If = "if_expression",
    When = "when_expression",
    WhenSubject = "when_subject",
    WhenEntry = "when_entry",
    TypeTest = "type_test",
    Is = "is_expression",
    As = "as_expression",
    In = "in_expression",
    Binary = "binary_expression",
    Unary = "unary_expression",
    Infix = "infix_expression",
    Range = "range_expression",
    Index = "index_expression",
    Call = "call_expression",
    Navigation = "navigation_expression",
    CallableReference = "callable_reference",
    ValueArguments = "value_arguments",
    ValueArgument = "value_argument",
    AnnotatedLambda = "annotated_lambda",
    Lambda = "lambda_literal",
    LambdaParameters = "lambda_parameters",
    This = "this_expression",
    Super = "super_expression",
    Return = "return_expression",
    Labeled = "labeled_expression",
    Annotated = "annotated_expression",
    Spread = "spread_expression",
    Parenthesized = "parenthesized_expression",
    Assignment = "assignment",
    Identifier = "identifier",
    Label = "label",
    String = "string_literal",
    MultilineString = "multiline_string_literal",
    StringContent = "string_content",
    Character = "character_literal",
    Number = "number_literal",
    Float = "float_literal",
    Collection = "collection_literal",
    LineComment = "line_comment",
    BlockComment = "block_comment",
}

node_fields! {
    name = "name",
    ty = "type",
    left = "left",
    right = "right",
    operator = "operator",
    condition = "condition",
    label = "label",
    argument = "argument",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
    /// Keywords that tell declarations apart, which are not named nodes.
    class: u16,
    interface: u16,
    object: u16,
    fun: u16,
    val: u16,
    var: u16,
    constructor: u16,
    this: u16,
    super_: u16,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::Kotlin.language();
    let token = |text: &str| language.id_for_node_kind(text, false);
    Tables {
        kinds: kinds(&language),
        fields: Fields::new(&language),
        class: token("class"),
        interface: token("interface"),
        object: token("object"),
        fun: token("fun"),
        val: token("val"),
        var: token("var"),
        constructor: token("constructor"),
        this: token("this"),
        super_: token("super"),
    }
});

struct Kotlin<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    /// Inside a function, accessor, initialiser or lambda: a property declared now is a local variable.
    in_body: bool,
    /// How many classes are being read again, member by member.
    readings: u32,
    /// The grammar took a declaration for an expression.
    is_misread: bool,
    /// What the place wants where the next lambda is written.
    callback: Option<ExprId>,
}

pub(super) fn extract(_path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    for reading in [Reading::Plain, Reading::Rewritten] {
        if let Some(trees) = repair::read(source, reading)? {
            let walk = walk(source, &trees);
            if !walk.is_misread {
                return Ok(walk.b.finish(&trees));
            }
        }
    }
    let trees = repair::read(source, Reading::Apart)?.unwrap_or_default();
    let mut walk = walk(source, &trees);
    walk.b.file.has_errors |= trees.iter().any(|tree| tree.root_node().has_error());
    Ok(walk.b.finish(&trees))
}

fn walk<'s>(source: &'s str, trees: &[Tree]) -> Kotlin<'s> {
    let b = Builder::new(Lang::Kotlin, source);
    let mut walk = Kotlin { b, t: &TABLES, in_body: false, readings: 0, is_misread: false, callback: None };
    for tree in trees {
        walk.visit_node(tree.root_node());
    }
    walk
}

impl<'s> Walk<'s> for Kotlin<'s> {
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
            Kind::Call => self.call(node),
            Kind::Navigation => self.navigation(node, RefKind::Value),
            Kind::CallableReference => self.callable_reference(node),
            Kind::Identifier => self.identifier(node),
            Kind::ValueArgument => self.value_argument(node),
            Kind::Infix => self.infix(node),
            Kind::ConstructorInvocation => self.constructor_invocation(node),
            Kind::Annotation | Kind::FileAnnotation => self.annotation(node),
            Kind::String | Kind::MultilineString => {
                self.string(node);
                self.visit_children(cursor);
            }
            Kind::Super => {
                if let Some(ty) = self.child_of(node, Kind::UserType) {
                    self.type_refs(ty, RefKind::Type, 0);
                }
            }
            Kind::Return => self.return_expression(node),
            Kind::Labeled => self.labeled(node),
            Kind::UserType
            | Kind::NullableType
            | Kind::NonNullableType
            | Kind::ParenthesizedType
            | Kind::FunctionType
            | Kind::TypeArguments => self.type_refs(node, RefKind::Type, 0),
            Kind::This | Kind::Label | Kind::LineComment | Kind::BlockComment => {}
            Kind::Other if node.is_error() => self.error_node(node),
            _ => self.visit_children(cursor),
        }
    }
}

impl Kotlin<'_> {
    /// Declarations; `false` when the node is none.
    fn visit_definition(&mut self, node: Node<'_>, kind: Kind) -> bool {
        match kind {
            Kind::Package => self.package(node),
            Kind::Import => self.import(node),
            Kind::Class | Kind::Object | Kind::Companion => self.class(node, kind),
            Kind::ObjectLiteral => self.object_literal(node),
            Kind::EnumEntry => self.enum_entry(node),
            Kind::SecondaryConstructor => self.secondary_constructor(node),
            Kind::Initializer => self.initializer(node),
            Kind::Function => self.function(node),
            Kind::Property if self.in_body => self.local_property(node),
            Kind::Property => self.property(node),
            Kind::TypeAlias => self.type_alias(node),
            _ => return false,
        }
        true
    }

    /// What binds locals or ends with them; `false` when the node does neither.
    fn visit_binding(&mut self, node: Node<'_>, kind: Kind, cursor: &mut TreeCursor<'_>) -> bool {
        match kind {
            Kind::Block | Kind::While | Kind::DoWhile => self.framed(cursor),
            Kind::For => self.for_loop(node),
            Kind::Catch => self.catch(node),
            Kind::If => self.if_expression(node),
            Kind::When => self.when(node),
            Kind::Binary => self.binary(node),
            Kind::Lambda => self.lambda(node, None),
            Kind::AnonymousFunction => self.anonymous_function(node),
            _ => return false,
        }
        true
    }

    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
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

    /// The identifier among the children, unless tree-sitter made it up while recovering.
    fn name_in<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.child_of(node, Kind::Identifier).filter(|name| name.start_byte() < name.end_byte())
    }

    /// The identifier's name, without back quotes.
    fn name(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        self.b.intern(text.trim_matches('`'))
    }

    /// Records a use of the name that `node` spells, without back quotes.
    fn reference(&mut self, node: Node<'_>, kind: RefKind, base: Option<ExprId>) {
        if !self.b.text(node).starts_with('`') {
            return self.b.reference(node, kind, base);
        }
        let span = Span { start: node.start_byte() as u32 + 1, end: node.end_byte() as u32 - 1 };
        self.b.reference_at(span, crate::builder::line(node), kind, base);
    }

    /// Records a use of a plain name, unless it is a local.
    fn plain_reference(&mut self, node: Node<'_>, kind: RefKind) {
        let name = self.name(node);
        if self.b.local(name).is_none() {
            let receivers = match kind {
                RefKind::Call | RefKind::Value => self.receivers(),
                _ => None,
            };
            self.reference(node, kind, receivers);
        }
    }

    fn bind(&mut self, name: Node<'_>, held: ExprId) {
        let name = self.name(name);
        self.b.bind(name, held);
    }
}

fn last_named_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(node.named_child_count().checked_sub(1)? as u32)
}

/// Whether a token is among the children.
fn has_token(node: Node<'_>, token: u16) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind_id() == token)
}
