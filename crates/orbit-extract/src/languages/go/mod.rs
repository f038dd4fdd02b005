//! Go.
//!
//! Qualified names are dotted: `Server.Run`, `Server.addr`, `main.helper` for a closure held by a local.
//! A method belongs to its receiver's type; where that type is not declared earlier in the same file,
//! only the method's path says so.

mod anonymous;
mod calls;
mod commands;
mod constraints;
mod defs;
mod exprs;
mod generics;
mod imports;
mod literals;
mod locals;
mod routes;
mod settings;
mod types;

use crate::builder::{Builder, KindTable, Walk, node_fields, node_kinds};
use crate::commands::{CommandId, CommandTree};
use crate::parse::{Grammar, parse};
use crate::settings::Settings;
use crate::{Expr, ExtractError, ExtractedFile, Lang, NameId, RawRelation, RefKind, ScopeId};
use hashbrown::{HashMap, HashSet};
use std::sync::LazyLock;
use tree_sitter::{Node, TreeCursor};

node_kinds! {
    Package = "package_clause",
    ImportSpec = "import_spec",
    Dot = "dot",
    Blank = "blank_identifier",
    Function = "function_declaration",
    Method = "method_declaration",
    TypeDeclaration = "type_declaration",
    TypeSpec = "type_spec",
    TypeAlias = "type_alias",
    ConstDeclaration = "const_declaration",
    ConstSpec = "const_spec",
    VarDeclaration = "var_declaration",
    VarSpec = "var_spec",
    VarSpecList = "var_spec_list",
    Parameter = "parameter_declaration",
    VariadicParameter = "variadic_parameter_declaration",
    ParameterList = "parameter_list",
    TypeParameter = "type_parameter_declaration",
    TypeIdentifier = "type_identifier",
    QualifiedType = "qualified_type",
    GenericType = "generic_type",
    PointerType = "pointer_type",
    ParenthesizedType = "parenthesized_type",
    NegatedType = "negated_type",
    SliceType = "slice_type",
    ArrayType = "array_type",
    ImplicitArrayType = "implicit_length_array_type",
    MapType = "map_type",
    ChannelType = "channel_type",
    FunctionType = "function_type",
    StructType = "struct_type",
    FieldList = "field_declaration_list",
    FieldDeclaration = "field_declaration",
    InterfaceType = "interface_type",
    MethodElem = "method_elem",
    TypeElem = "type_elem",
    TypeConstraint = "type_constraint",
    Block = "block",
    If = "if_statement",
    For = "for_statement",
    RangeClause = "range_clause",
    Switch = "expression_switch_statement",
    TypeSwitch = "type_switch_statement",
    TypeCase = "type_case",
    ExpressionCase = "expression_case",
    DefaultCase = "default_case",
    CommunicationCase = "communication_case",
    Receive = "receive_statement",
    ShortVar = "short_var_declaration",
    Assignment = "assignment_statement",
    Identifier = "identifier",
    Selector = "selector_expression",
    Call = "call_expression",
    Conversion = "type_conversion_expression",
    Assertion = "type_assertion_expression",
    Instantiation = "type_instantiation_expression",
    VariadicArgument = "variadic_argument",
    Index = "index_expression",
    Slice = "slice_expression",
    Parenthesized = "parenthesized_expression",
    Unary = "unary_expression",
    Binary = "binary_expression",
    Composite = "composite_literal",
    LiteralValue = "literal_value",
    LiteralElement = "literal_element",
    KeyedElement = "keyed_element",
    FuncLiteral = "func_literal",
    String = "interpreted_string_literal",
    RawString = "raw_string_literal",
    Int = "int_literal",
    Float = "float_literal",
    Imaginary = "imaginary_literal",
    Rune = "rune_literal",
    Nil = "nil",
    True = "true",
    False = "false",
    Iota = "iota",
    Comment = "comment",
}

node_fields! {
    name = "name",
    path = "path",
    receiver = "receiver",
    type_parameters = "type_parameters",
    parameters = "parameters",
    result = "result",
    body = "body",
    ty = "type",
    type_arguments = "type_arguments",
    value = "value",
    element = "element",
    package = "package",
    function = "function",
    arguments = "arguments",
    operand = "operand",
    operator = "operator",
    field = "field",
    left = "left",
    right = "right",
    key = "key",
    alias = "alias",
    initializer = "initializer",
}

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Grammar::Go.language();
    Tables { kinds: kinds(&language), fields: Fields::new(&language) }
});

struct Go<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    commands: CommandTree,
    settings: Settings,
    /// The command that each `cobra.Command{…}` literal makes, by node.
    made: Vec<(usize, CommandId)>,
    /// Parents of commands that were not seen yet when the commands were added, by variable.
    stand_ins: Vec<(&'s str, CommandId)>,
    /// The types declared so far at file level.
    types: HashMap<NameId, ScopeId>,
    /// `var _ Interface = (*Type)(nil)`: the type's name and the relation, its owner still to be found.
    assertions: Vec<(NameId, RawRelation)>,
    /// The paths that members of anonymous types hang under, by node, and those that are taken.
    anonymous_paths: HashMap<usize, NameId>,
    held_paths: HashSet<NameId>,
    is_test_file: bool,
}

pub(super) fn extract(path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let tree = parse(Grammar::Go, source)?;
    let mut walk = Go {
        b: Builder::new(Lang::Go, source),
        t: &TABLES,
        commands: CommandTree::default(),
        settings: Settings::default(),
        made: Vec::new(),
        stand_ins: Vec::new(),
        types: HashMap::new(),
        assertions: Vec::new(),
        anonymous_paths: HashMap::new(),
        held_paths: HashSet::new(),
        is_test_file: path.ends_with("_test.go"),
    };
    walk.visit_node(tree.root_node());
    walk.finish_assertions();
    walk.finish_commands();
    let Go { mut b, commands, settings, .. } = walk;
    if constraints::is_left_out(path, source) {
        b.file.symbols.iter_mut().for_each(|symbol| symbol.inactive = true);
    }
    commands.finish(&mut b);
    settings.finish(&mut b);
    Ok(b.finish(std::slice::from_ref(&tree)))
}

impl<'s> Walk<'s> for Go<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        match self.t.kinds.of(node) {
            Kind::Package => self.package(node),
            Kind::ImportSpec => self.import(node),
            Kind::Function => self.function(node),
            Kind::Method => self.method(node),
            Kind::TypeDeclaration => self.type_declaration(node),
            Kind::ConstDeclaration => self.const_declaration(node),
            Kind::VarDeclaration => self.var_declaration(node),
            Kind::ShortVar => self.short_var(node),
            Kind::Assignment => self.assignment(node),
            Kind::RangeClause | Kind::Receive => self.range(node),
            Kind::TypeSwitch => self.type_switch(node),
            Kind::Block
            | Kind::If
            | Kind::For
            | Kind::Switch
            | Kind::ExpressionCase
            | Kind::DefaultCase
            | Kind::CommunicationCase => {
                self.b.push_frame();
                self.visit_children(cursor);
                self.b.pop_frame();
            }
            Kind::Parameter | Kind::VariadicParameter => self.visit_field(node, self.t.fields.ty),
            Kind::TypeIdentifier => self.type_name(node, RefKind::Type),
            Kind::QualifiedType => self.qualified_type(node, RefKind::Type),
            Kind::Identifier => self.plain(node, RefKind::Value),
            Kind::Selector => self.selector(node, RefKind::Value),
            Kind::Instantiation => self.instantiation(node),
            Kind::Call => self.call(node),
            Kind::Conversion => self.conversion(node),
            Kind::Composite => self.composite(node),
            Kind::FuncLiteral => self.func_literal(node),
            Kind::StructType | Kind::InterfaceType => self.anonymous(node),
            Kind::String | Kind::RawString => self.string(node),
            Kind::Comment => {}
            _ => self.visit_children(cursor),
        }
    }
}

impl Go<'_> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }

    /// Whether `name` is a variable, parameter or type parameter here. A closure held by a local is a
    /// symbol: its name is bound to itself.
    fn is_local(&self, name: NameId) -> bool {
        self.b.local(name).is_some_and(|value| self.b.file.exprs[value.0 as usize] != Expr::Name(name))
    }

    /// `Pair[int, string]` that is not called: the function of that name as a value.
    fn instantiation(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for (at, child) in node.named_children(&mut cursor).enumerate() {
            match self.kind(child) {
                Kind::TypeIdentifier if at == 0 => self.type_name(child, RefKind::Value),
                Kind::QualifiedType if at == 0 => self.qualified_type(child, RefKind::Value),
                _ => self.visit_node(child),
            }
        }
    }

    /// The name that a symbol of a function is looked up by: of several that blocks declare under one name, all but the
    /// first have a number.
    fn lookup_name(&mut self, scope: ScopeId) -> Option<NameId> {
        let symbol = &self.b.file.symbols[scope.symbol()?];
        let number = symbol.overload.checked_add(1).filter(|number| *number > 1)?;
        let name = format!("{}`{number}", self.b.file.names.get(symbol.name));
        Some(self.b.intern(&name))
    }

    /// The symbol of this function that a name means here, where several have it.
    fn numbered(&self, name: NameId) -> Option<NameId> {
        let names = &self.b.file.names;
        match self.b.file.exprs[self.b.local(name)?.0 as usize] {
            Expr::Name(own) if own != name && names.as_written(own) == names.get(name) => Some(own),
            _ => None,
        }
    }

    /// A use of a plain name.
    fn plain(&mut self, node: Node<'_>, kind: RefKind) {
        let name = self.b.name(node);
        if let Some(own) = self.numbered(name) {
            self.b.reference_to(node, own, kind, None);
        } else if self.b.text(node) != "_" && !self.is_local(name) {
            self.b.reference(node, kind, None);
        }
    }
}
