//! Rust.
//!
//! Members of `impl Foo` are qualified as people write them, `Foo::bar`; those of a trait impl as the
//! language does, `<Foo as Trait>::bar`. Macro arguments are read too: token trees that hold items or
//! statements are parsed again in place, the others are scanned for calls.

mod arms;
mod attributes;
mod borrows;
mod bounds;
mod calls;
mod clap;
pub(crate) mod conditions;
mod expected;
mod exprs;
mod items;
mod macros;
mod patterns;
mod routes;
mod settings;
mod templates;
mod tokens;
mod types;
mod uses;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::parse::{Grammar, parse};
use crate::settings::Settings;
use crate::{ExprId, ExtractError, ExtractedFile, ImportKind, Lang, NameId, RefKind, ScopeId};
use conditions::Verdict;
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    Function = "function_item",
    FunctionSignature = "function_signature_item",
    Struct = "struct_item",
    Union = "union_item",
    Enum = "enum_item",
    Variant = "enum_variant",
    Field = "field_declaration",
    OrderedFields = "ordered_field_declaration_list",
    Trait = "trait_item",
    Impl = "impl_item",
    Mod = "mod_item",
    Const = "const_item",
    Static = "static_item",
    TypeItem = "type_item",
    AssociatedType = "associated_type",
    MacroDefinition = "macro_definition",
    MacroInvocation = "macro_invocation",
    TokenTree = "token_tree",
    MacroRule = "macro_rule",
    Metavariable = "metavariable",
    Use = "use_declaration",
    ExternCrate = "extern_crate_declaration",
    UseList = "use_list",
    ScopedUseList = "scoped_use_list",
    UseAs = "use_as_clause",
    UseWildcard = "use_wildcard",
    AttributeItem = "attribute_item",
    InnerAttribute = "inner_attribute_item",
    Attribute = "attribute",
    LineComment = "line_comment",
    BlockComment = "block_comment",
    Visibility = "visibility_modifier",
    Block = "block",
    Let = "let_declaration",
    LetCondition = "let_condition",
    Closure = "closure_expression",
    ClosureParameters = "closure_parameters",
    For = "for_expression",
    Match = "match_expression",
    If = "if_expression",
    Unsafe = "unsafe_block",
    MatchArm = "match_arm",
    MatchPattern = "match_pattern",
    Parameter = "parameter",
    SelfParameter = "self_parameter",
    Call = "call_expression",
    FieldExpression = "field_expression",
    FieldIdentifier = "field_identifier",
    ScopedIdentifier = "scoped_identifier",
    GenericFunction = "generic_function",
    Identifier = "identifier",
    SelfValue = "self",
    Crate = "crate",
    SuperPath = "super",
    StructExpression = "struct_expression",
    FieldInitializer = "field_initializer",
    ShorthandField = "shorthand_field_initializer",
    Await = "await_expression",
    Try = "try_expression",
    Reference = "reference_expression",
    Parenthesized = "parenthesized_expression",
    Unary = "unary_expression",
    Binary = "binary_expression",
    ReferencePattern = "reference_pattern",
    RefPattern = "ref_pattern",
    Index = "index_expression",
    Cast = "type_cast_expression",
    StringLiteral = "string_literal",
    RawString = "raw_string_literal",
    Integer = "integer_literal",
    Float = "float_literal",
    Bool = "boolean_literal",
    Char = "char_literal",
    Array = "array_expression",
    TupleExpression = "tuple_expression",
    Range = "range_expression",
    TuplePattern = "tuple_pattern",
    TupleType = "tuple_type",
    UnitType = "unit_type",
    TypeIdentifier = "type_identifier",
    ScopedType = "scoped_type_identifier",
    GenericType = "generic_type",
    ReferenceType = "reference_type",
    PointerType = "pointer_type",
    DynamicType = "dynamic_type",
    AbstractType = "abstract_type",
    BoundedType = "bounded_type",
    ArrayType = "array_type",
    PrimitiveType = "primitive_type",
    BracketedType = "bracketed_type",
    QualifiedType = "qualified_type",
    FunctionType = "function_type",
    TypeArguments = "type_arguments",
    TypeBinding = "type_binding",
    TypeParameters = "type_parameters",
    TypeParameter = "type_parameter",
    ConstParameter = "const_parameter",
    Lifetime = "lifetime",
    TraitBounds = "trait_bounds",
    WherePredicate = "where_predicate",
    TupleStructPattern = "tuple_struct_pattern",
    StructPattern = "struct_pattern",
    FieldPattern = "field_pattern",
    ShorthandIdentifier = "shorthand_field_identifier",
    RemainingPattern = "remaining_field_pattern",
    RangePattern = "range_pattern",
}

node_fields! {
    name = "name",
    body = "body",
    parameters = "parameters",
    return_type = "return_type",
    type_parameters = "type_parameters",
    bounds = "bounds",
    ty = "type",
    value = "value",
    pattern = "pattern",
    trait_name = "trait",
    function = "function",
    arguments = "arguments",
    type_arguments = "type_arguments",
    field = "field",
    path = "path",
    list = "list",
    alias = "alias",
    argument = "argument",
    macro_name = "macro",
    element = "element",
    length = "length",
    left = "left",
    right = "right",
    condition = "condition",
    consequence = "consequence",
    default_type = "default_type",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::Rust.language();
    Tables { kinds: kinds(&language), fields: Fields::new(&language) }
});

struct Rust<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    /// Attributes written before the item that comes next, and what they derive.
    attributes: Vec<&'s str>,
    derived: Vec<attributes::Derived>,
    /// The projections that they name, which stand for the type that comes next.
    projections: Vec<ScopeId>,
    /// Type parameters in scope with their first bound.
    type_parameters: Vec<(NameId, ExprId)>,
    /// What `where` clauses of functions say of type parameters of the block round them.
    outer_bounds: Vec<(NameId, ExprId)>,
    /// What the `match` expressions round the walk's place look at, innermost last.
    subjects: Vec<ExprId>,
    /// Imports that a usual build leaves out, by their place.
    left_out_imports: Vec<usize>,
    /// How the method round the walk's place takes `self`.
    self_mark: Option<&'static str>,
    /// What a type name is used for where the walk stands.
    type_use: RefKind,
    /// Types are read with the pointers of the standard library that they stand behind.
    keeps_pointers: bool,
    /// Calls ahead of the walk that wait for what their place expects.
    expected: Vec<expected::Expected>,
    /// The rules of macros of the file that bind names for the code they are given.
    rules: Vec<(&'s str, templates::Rule<'s>)>,
    clap: clap::Clap<'s>,
    settings: Settings,
    /// Whether serde reads the struct round here, and what it makes of the names of its fields.
    reads_keys: bool,
    renames_keys: Option<&'s str>,
}

pub(super) fn extract(_path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let tree = parse(Grammar::Rust, source)?;
    let mut walk = Rust {
        b: Builder::new(Lang::Rust, source),
        t: &TABLES,
        attributes: Vec::new(),
        derived: Vec::new(),
        projections: Vec::new(),
        type_parameters: Vec::new(),
        outer_bounds: Vec::new(),
        subjects: Vec::new(),
        left_out_imports: Vec::new(),
        self_mark: None,
        type_use: RefKind::Type,
        keeps_pointers: false,
        expected: Vec::new(),
        rules: Vec::new(),
        clap: clap::Clap::default(),
        settings: Settings::default(),
        reads_keys: false,
        renames_keys: None,
    };
    walk.visit_node(tree.root_node());
    walk.unbind_left_out();
    let Rust { mut b, clap, settings, .. } = walk;
    clap.finish(&mut b);
    settings.finish(&mut b);
    Ok(b.finish(std::slice::from_ref(&tree)))
}

impl<'s> Walk<'s> for Rust<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        let kind = self.t.kinds.of(node);
        let is_judged = !self.attributes.is_empty()
            && !matches!(kind, Kind::AttributeItem | Kind::LineComment | Kind::BlockComment);
        let verdict = if is_judged { conditions::judge(&self.attributes) } else { Verdict::Kept };
        let before = (self.b.file.symbols.len(), self.b.file.imports.len());
        if self.item(node, kind) {
            self.attributes.clear();
            self.derived.clear();
            self.projections.clear();
            self.leave_out(before, &verdict);
            return;
        }
        match kind {
            Kind::AttributeItem => self.attribute_item(node),
            Kind::InnerAttribute
            | Kind::LineComment
            | Kind::BlockComment
            | Kind::Visibility
            | Kind::Lifetime => {}
            Kind::MacroInvocation => {
                self.macro_invocation(node);
                self.leave_out(before, &verdict);
            }
            Kind::Block => self.in_frame(|walk| walk.visit_children(cursor)),
            Kind::Let => self.let_declaration(node),
            Kind::LetCondition => self.let_condition(node),
            Kind::Closure => self.closure(node, None, None),
            Kind::For => self.for_loop(node),
            Kind::Match => self.match_expression(node),
            Kind::MatchArm => self.match_arm(node),
            Kind::Call => self.call(cursor),
            Kind::Await => self.await_expression(node),
            Kind::FieldExpression => self.field_expression(node, RefKind::Value),
            Kind::ScopedIdentifier => self.scoped(node, RefKind::Value),
            Kind::GenericFunction => self.generic_function(node, RefKind::Value),
            Kind::Identifier => self.identifier(node, RefKind::Value),
            Kind::StructExpression => self.struct_expression(node),
            Kind::StringLiteral | Kind::RawString => self.string(node),
            Kind::TypeIdentifier => self.type_identifier(node),
            Kind::ScopedType => self.scoped(node, self.type_use),
            Kind::TraitBounds => self.trait_bounds(cursor),
            Kind::TypeArguments => self.type_arguments(cursor),
            Kind::TypeBinding => self.type_binding(node),
            _ => self.visit_children(cursor),
        }
    }
}

impl Rust<'_> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    /// Marks what was found since `before` with what its attributes say of a usual build.
    fn leave_out(&mut self, before: (usize, usize), verdict: &Verdict) {
        match verdict {
            Verdict::Kept => {}
            Verdict::LeftOut => {
                self.b.file.symbols[before.0..].iter_mut().for_each(|symbol| symbol.inactive = true);
                let never = self.b.intern(conditions::NEVER);
                for index in before.1..self.b.file.imports.len() {
                    self.b.file.imports[index].condition = Some(never);
                    self.left_out_imports.push(index);
                }
            }
            Verdict::Depends(condition) => {
                for index in before.0..self.b.file.symbols.len() {
                    let inner = self.b.file.symbols[index].condition;
                    self.b.file.symbols[index].condition = Some(self.narrowed(inner, condition));
                }
                for index in before.1..self.b.file.imports.len() {
                    let inner = self.b.file.imports[index].condition;
                    self.b.file.imports[index].condition = Some(self.narrowed(inner, condition));
                }
            }
        }
    }

    /// A condition inside of another one.
    fn narrowed(&mut self, inner: Option<NameId>, outer: &str) -> NameId {
        match inner {
            Some(inner) => {
                let both = conditions::all_of(&[outer, self.b.file.names.get(inner)]);
                self.b.intern(&both)
            }
            None => self.b.intern(outer),
        }
    }

    /// Of imports that bind one name in one scope, those that a usual build leaves out bind nothing.
    fn unbind_left_out(&mut self) {
        for index in std::mem::take(&mut self.left_out_imports) {
            let row = &self.b.file.imports[index];
            let (scope, binds) = (row.scope, row.binds);
            let mut others = self.b.file.imports.iter().enumerate();
            let has_twin = others.any(|(other, it)| {
                other != index && it.scope == scope && it.binds == binds && it.kind != ImportKind::ModuleDecl
            });
            if has_twin && self.b.file.imports[index].kind != ImportKind::ModuleDecl {
                self.b.file.imports[index].binds = None;
            }
        }
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }

    /// Runs `body` with a frame of its own for locals.
    fn in_frame(&mut self, body: impl FnOnce(&mut Self)) {
        self.b.push_frame();
        body(self);
        self.b.pop_frame();
    }
}
