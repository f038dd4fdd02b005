//! JavaScript, TypeScript and TSX: one extractor over three grammars.
//!
//! Qualified names are dotted: `Outer.method`, `obj.method`, `outer.inner`, `suite title.test title`. A
//! variable is a symbol at module level and in a namespace, a local in a block; one that holds a function
//! or class is a symbol everywhere. Functions of object literals are methods of what holds the object.
//! Type parameters have a stack of their own, since a local variable does not hide a type.

mod assigns;
mod classes;
mod commands;
mod commonjs;
mod defs;
mod documented;
mod expected;
mod exprs;
mod grammar;
mod hoisting;
mod jsdoc;
mod modules;
mod narrowing;
mod patterns;
mod prototypes;
mod repair;
mod routes;
mod shapes;
mod suites;
mod type_exprs;
mod types;
mod vars;

use crate::builder::{Builder, KindTable, Walk};
use crate::commands::{CommandId, CommandTree};
use crate::parse::{Grammar, parse};
use crate::{Expr, ExprId, ExtractError, ExtractedFile, Lang, NameId, RefKind, ScopeId, Span};
use documented::DocId;
use grammar::{Fields, Kind, kinds};
use hashbrown::{HashMap, HashSet};
use jsdoc::Docs;
use std::rc::Rc;
use std::sync::LazyLock;
use tree_sitter::{Node, Tree, TreeCursor};

struct Tables {
    kinds: KindTable<Kind>,
    fields: Fields,
}

impl Tables {
    fn new(grammar: Grammar) -> Tables {
        let language = grammar.language();
        Tables { kinds: kinds(&language), fields: Fields::new(&language) }
    }
}

static TYPESCRIPT: LazyLock<Tables> = LazyLock::new(|| Tables::new(Grammar::TypeScript));
static TSX: LazyLock<Tables> = LazyLock::new(|| Tables::new(Grammar::Tsx));
static JAVASCRIPT: LazyLock<Tables> = LazyLock::new(|| Tables::new(Grammar::JavaScript));

struct Script<'s> {
    b: Builder<'s>,
    t: &'static Tables,
    commands: CommandTree,
    /// The command-line library the file imports.
    library: Option<commands::Library>,
    /// Routers by the nodes that make them, in a file that imports something routes are registered with.
    made_routers: Option<Vec<(usize, crate::builder::RouterId)>>,
    /// The command that an expression makes or is chained on, by node.
    chained: HashMap<usize, CommandId>,
    /// The exported `command` of a file that may be a command itself.
    command_module: Option<(&'s str, Span, u32)>,
    /// Type parameters in scope with their bounds.
    types: Vec<(NameId, ExprId)>,
    /// Members of a class by name: assigning to `this.x` again defines nothing.
    assigned: HashSet<(ScopeId, NameId)>,
    /// Local variables that were declared without a type or value.
    undecided: HashSet<NameId>,
    /// How many names functions without a name have given to what they declare.
    hidden_names: u32,
    /// The modules that are imported as a whole, by the names that they have here.
    modules: HashMap<&'s str, &'s str>,
    /// Names defined at file level so far.
    top_level: HashMap<NameId, ScopeId>,
    /// What functions without a name declare, by the names of their own that it has.
    closures: HashMap<NameId, ScopeId>,
    /// Functions by their paths.
    functions: HashMap<NameId, u32>,
    /// What functions give that are called where they are written, by node.
    given: HashMap<usize, ExprId>,
    /// Variables that hold the prototype of a function.
    prototypes: HashMap<NameId, ScopeId>,
    /// The object literal being read belongs to a symbol: all its properties are symbols too.
    is_named_object: bool,
    /// The object type being read belongs to a symbol: so are its members.
    is_named_type: bool,
    /// How many aliases stand for the type being read: the members of object types in it belong to their symbols.
    aliases: u32,
    /// What the functions round the walk's place return, innermost last.
    returned: Vec<Returns>,
    /// Inside `declare`: everything is visible outside.
    is_ambient: bool,
    /// What `this` is in the functions round the walk's place, innermost last.
    this: Vec<ExprId>,
    /// What is known of the next function to be read.
    next: NextFunction,
    /// What the object literal being read is expected to be, and the path that its members hang under.
    object: ObjectPlace,
    /// What the comments of JavaScript say of types.
    docs: Option<Rc<Docs>>,
}

/// What is known of a function before it is read.
#[derive(Clone, Copy, Default)]
struct NextFunction {
    /// What it is expected to be: its parameters are what that one's are.
    expected: Option<ExprId>,
    /// What `this` is in it, unless it is an arrow function.
    this: Option<ExprId>,
    /// The path of its own symbol.
    path: Option<NameId>,
    /// The path that the members of an object it returns hang under, where it has no symbol.
    object_path: Option<NameId>,
    /// The comment that says what its parameters are.
    doc: Option<DocId>,
}

/// Where an object literal stands.
#[derive(Clone, Copy, Default)]
struct ObjectPlace {
    expected: Option<ExprId>,
    path: Option<NameId>,
}

pub(super) fn extract(path: &str, lang: Lang, source: &str) -> Result<ExtractedFile, ExtractError> {
    let (trees, tables) = parse_script(lang, source)?;
    let mut walk = Script {
        b: Builder::new(lang, source),
        t: tables,
        commands: CommandTree::default(),
        library: None,
        made_routers: None,
        chained: HashMap::new(),
        command_module: None,
        types: Vec::new(),
        assigned: HashSet::new(),
        undecided: HashSet::new(),
        hidden_names: 0,
        modules: HashMap::new(),
        top_level: HashMap::new(),
        closures: HashMap::new(),
        functions: HashMap::new(),
        given: HashMap::new(),
        prototypes: HashMap::new(),
        is_named_object: false,
        is_named_type: false,
        aliases: 0,
        returned: Vec::new(),
        is_ambient: false,
        this: Vec::new(),
        next: NextFunction::default(),
        object: ObjectPlace::default(),
        docs: if lang == Lang::JavaScript { Docs::read(source).map(Rc::new) } else { None },
    };
    for tree in &trees {
        walk.visit_node(tree.root_node());
        walk.b.file.has_errors |= tree.root_node().has_error();
    }
    if is_declaration_file(path) {
        walk.finish_declarations(&trees);
    }
    walk.finish_exports();
    walk.finish_command_module();
    let Script { mut b, commands, .. } = walk;
    commands.finish(&mut b);
    Ok(b.finish(&trees))
}

fn is_declaration_file(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// Parses a file with its grammar. JavaScript that is none, such as Flow, and JSX that the grammar does not
/// know, such as `<div class="x">`, is read as TSX where that goes without errors.
fn parse_script(lang: Lang, source: &str) -> Result<(Vec<Tree>, &'static Tables), ExtractError> {
    match lang {
        Lang::TypeScript => Ok((repair::read(Grammar::TypeScript, source)?, &TYPESCRIPT)),
        Lang::Tsx => Ok((repair::read(Grammar::Tsx, source)?, &TSX)),
        _ => {
            let tree = parse(Grammar::JavaScript, source)?;
            if !tree.root_node().has_error() {
                return Ok((vec![tree], &JAVASCRIPT));
            }
            let other = parse(Grammar::Tsx, source)?;
            if !other.root_node().has_error() {
                return Ok((vec![other], &TSX));
            }
            Ok((repair::repair(Grammar::JavaScript, source, tree)?, &JAVASCRIPT))
        }
    }
}

impl<'s> Walk<'s> for Script<'s> {
    fn builder(&mut self) -> &mut Builder<'s> {
        &mut self.b
    }

    fn visit(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        match self.t.kinds.of(node) {
            Kind::Identifier | Kind::ShorthandPattern => self.plain(node, RefKind::Value),
            Kind::ShorthandProperty => self.shorthand(node),
            Kind::Member | Kind::NestedIdentifier => self.member(node, RefKind::Value),
            Kind::Call => self.call(node, None),
            Kind::New => self.new_expression(node),
            Kind::Assignment => self.assignment(node),
            Kind::Return => self.return_statement(node),
            Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorExpression => {
                self.anonymous(node, None);
            }
            Kind::Object => self.object_members(node, false, ObjectPlace::default()),
            Kind::Pair => self.pair(node),
            Kind::Method | Kind::AbstractMethod | Kind::MethodSignature => self.method(node),
            Kind::Field | Kind::PublicField => self.field(node),
            Kind::PairPattern => self.visit_field(node, self.t.fields.value),
            Kind::String | Kind::Template => self.string(node),
            Kind::Block | Kind::For | Kind::Switch => {
                self.b.push_frame();
                self.visit_children(cursor);
                self.b.pop_frame();
            }
            Kind::If => self.if_statement(node),
            Kind::Ternary => self.ternary(node),
            Kind::ForIn => self.for_in(node),
            Kind::Catch => self.catch(node),
            Kind::Binary | Kind::UnionType | Kind::IntersectionType => self.left_spine(node),
            Kind::JsxOpening | Kind::JsxSelfClosing => self.jsx(node),
            Kind::Decorator => self.decorator(node),
            Kind::Import => self.import(node),
            Kind::Export => self.export(node),
            Kind::JsxClosing => self.jsx_closing(node),
            Kind::Comment => self.doc_comment(node),
            _ if self.declare(node, Outer { whole: node, exported: self.is_ambient }) => {}
            _ => self.visit_type(cursor),
        }
    }
}

/// What the `return` statements of a function agree on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returned {
    Nothing,
    Value(ExprId),
    Several,
}

/// The `return` statements of one function.
#[derive(Clone, Copy)]
struct Returns {
    agreed: Returned,
    /// What its declared type says.
    expected: Option<ExprId>,
    /// The path of its own symbol, which the members of an object it returns hang under.
    path: Option<NameId>,
}

/// What stands round a declaration: `export`, `declare`, or only itself.
#[derive(Clone, Copy)]
struct Outer<'t> {
    whole: Node<'t>,
    exported: bool,
}

impl<'s> Script<'s> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.t.kinds.of(node)
    }

    fn visit_field(&mut self, node: Node<'_>, field: u16) {
        if let Some(child) = node.child_by_field_id(field) {
            self.visit_node(child);
        }
    }

    /// Handles a declaration; says whether it was one.
    fn declare(&mut self, node: Node<'_>, outer: Outer<'_>) -> bool {
        match self.kind(node) {
            Kind::Function | Kind::GeneratorDeclaration | Kind::FunctionSignature => {
                self.function(node, outer, None);
            }
            Kind::Class | Kind::AbstractClass | Kind::ClassExpression => self.class(node, outer, None),
            Kind::Lexical | Kind::Variable | Kind::Using => self.variables(node, outer),
            Kind::Interface => self.interface(node, outer),
            Kind::Enum => self.enumeration(node, outer),
            Kind::TypeAlias => self.type_alias(node, outer),
            Kind::Module | Kind::InternalModule => self.namespace(node, outer),
            Kind::ImportAlias => self.import_alias(node, outer),
            Kind::Ambient => self.ambient(node, outer),
            _ => return false,
        }
        true
    }

    /// TypeScript declares its fields, so assigning to `this.x` never defines one.
    fn is_typed(&self) -> bool {
        self.b.file.lang != Lang::JavaScript
    }

    /// Whether `name` is a variable or parameter here. A function, class or import inside a function is
    /// bound to its own name.
    fn is_local(&self, name: NameId) -> bool {
        let names = &self.b.file.names;
        self.b.local(name).is_some_and(|value| match self.b.file.exprs[value.0 as usize] {
            Expr::Name(own) => names.as_written(own) != names.get(name),
            _ => true,
        })
    }

    /// A use of a plain name.
    fn plain(&mut self, node: Node<'_>, kind: RefKind) {
        if self.import_in_type(node) {
            return;
        }
        let name = self.b.name(node);
        if !self.is_local(name) {
            let own = self.hidden(name).unwrap_or(name);
            self.b.reference_to(node, own, kind, None);
        }
    }

    /// Makes `name` a symbol or import here, whatever local variable has it further out.
    fn shadow(&mut self, name: &str) {
        let name = self.b.intern(name);
        if self.b.in_frame() && self.hidden(name).is_none() {
            let own = self.b.expr(Expr::Name(name));
            self.b.bind(name, own);
        }
    }

    /// `a + b + c` and `A | B | C` lean to the left: walked from the innermost operand outwards, however
    /// many there are.
    fn left_spine(&mut self, node: Node<'_>) {
        let kind = self.kind(node);
        let mut operands = Vec::new();
        let mut spine = node;
        loop {
            let mut cursor = spine.walk();
            let mut children: Vec<Node<'_>> = spine.named_children(&mut cursor).collect();
            children.reverse();
            let next = children.last().copied().filter(|first| self.kind(*first) == kind);
            children.truncate(children.len() - usize::from(next.is_some()));
            operands.extend(children);
            match next {
                Some(next) => spine = next,
                None => break,
            }
        }
        for operand in operands.into_iter().rev() {
            self.visit_node(operand);
        }
    }

    /// A property's name without quotes: `key`, `'key'`, `['key']`, `#key`, `[computed]`.
    fn property_name(&self, node: Node<'_>) -> &'s str {
        let inner = match self.kind(node) {
            Kind::ComputedName => node.named_child(0).unwrap_or(node),
            _ => node,
        };
        let literal = Some(inner).filter(|inner| self.kind(*inner) == Kind::String);
        literal.map_or_else(|| self.b.text(node), |literal| unquoted(self.b.text(literal)))
    }

    /// The value of a string or of a template without substitutions.
    fn literal(&self, node: Node<'_>) -> Option<&'s str> {
        match self.kind(node) {
            Kind::String => Some(unquoted(self.b.text(node))),
            Kind::Template => {
                let text = unquoted(self.b.text(node));
                (!text.contains("${")).then_some(text)
            }
            _ => None,
        }
    }
}

fn unquoted(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or("")
}
