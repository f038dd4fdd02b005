//! Macros: their definitions, and the definitions they make.

use super::builtin::canonical;
use super::declarators::Declared;
use super::{Kind, Native, repair};
use crate::builder::{Def, Import, Walk, end_line};
use crate::{Expr, ExprId, ImportKind, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::{Node, TreeCursor};

impl Native<'_> {
    /// `#define NAME …`, `#define NAME(a, b) …`
    pub(super) fn macro_definition(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name) = self.name_of(node) else { return };
        let value = node.child_by_field_id(f.value);
        let parameters = node.child_by_field_id(f.parameters);
        let given = self.given_by_macro(parameters, value);
        let mut def = Def::new(node, name, SymbolKind::Macro).ty(given).exported(true);
        def.signature_end = Some(match (parameters, value) {
            (Some(parameters), _) => parameters.end_byte(),
            (None, Some(value)) => value.end_byte(),
            (None, None) => name.end_byte(),
        });
        self.b.enter(ScopeId::FILE); // a macro knows no scopes
        let scope = self.b.define(def);
        self.b.leave();
        let text = value.filter(|_| parameters.is_none()).map(|value| self.b.text(value));
        self.conditions.define(self.b.text(name), text);
        let Some(value) = value else { return };
        self.opened_by_macro(name, self.b.text(value));
        self.b.enter(scope);
        self.b.push_frame();
        if let Some(parameters) = parameters {
            self.parameters(parameters);
        }
        self.macro_text(value);
        self.b.pop_frame();
        self.b.leave();
    }

    /// `#define BEGIN namespace a { namespace b {`: what stands behind such a macro is read where it stands, so
    /// `a::b` is the namespace round the file under another name.
    fn opened_by_macro(&mut self, name: Node<'_>, text: &str) {
        let opened = namespaces_opened(text).join("::");
        if opened.is_empty() {
            return;
        }
        self.b.enter(ScopeId::FILE);
        self.b.import(Import {
            kind: ImportKind::Glob,
            module: "::",
            symbol: Some(&opened),
            binds: None,
            reexport: true,
            at: name,
        });
        // What stands behind the macro sees the names of the namespaces it opens.
        let parts: Vec<&str> = opened.split("::").collect();
        for count in (1..=parts.len()).rev() {
            self.b.import(Import {
                kind: ImportKind::Glob,
                module: &parts[..count].join("::"),
                symbol: None,
                binds: None,
                reexport: false,
                at: name,
            });
        }
        self.b.leave();
    }

    /// What a macro of C++ stands for, as far as overloads are told apart by it: a built-in type, its argument
    /// (`Builtin`), or what another macro makes of that (its name).
    fn given_by_macro(&mut self, parameters: Option<Node<'_>>, value: Option<Node<'_>>) -> Option<ExprId> {
        let text = self.b.text(value?).trim();
        if !self.t.is_cpp {
            return None;
        }
        let Some(parameters) = parameters else {
            let is_type = text.split_whitespace().all(is_type_word) && !text.is_empty();
            return is_type.then(|| self.b.primitive(canonical(text)));
        };
        let parameter = self.b.text(parameters).trim_matches(['(', ')']).trim();
        if text == parameter {
            return Some(self.b.expr(Expr::Builtin));
        }
        let (other, argument) = text.split_once('(')?;
        let other = other.trim();
        let is_passed = argument.strip_suffix(')').is_some_and(|argument| argument.trim() == parameter);
        (is_passed && is_word(other)).then(|| {
            let other = self.b.intern(other);
            self.b.expr(Expr::Name(other))
        })
    }

    /// `#if`, `#elif`, `#else`: all branches are read; what is defined in one that a usual build leaves out is
    /// marked.
    pub(super) fn conditional(&mut self, node: Node<'_>) {
        let condition = node.child_by_field_name("condition");
        let holds = match (self.kind(node), condition, node.child_by_field_id(self.t.fields.name)) {
            (Kind::PreprocElse, ..) => true,
            (Kind::PreprocElifdef, _, Some(name)) => {
                self.conditions.is_defined(self.b.text(name)) != is_directive(self.b.text(node), "elifndef")
            }
            (_, Some(condition), _) => self.conditions.holds(self.b.text(condition)),
            _ => true,
        };
        if let Some(condition) = condition {
            self.visit_node(condition);
        }
        self.branches(node, holds, condition.map(|condition| condition.id()));
    }

    /// The body of a branch, and the other branches that hang below it.
    fn branches(&mut self, node: Node<'_>, holds: bool, skipped: Option<usize>) {
        let is_chain = matches!(self.kind(node), Kind::PreprocIf | Kind::PreprocIfdef);
        let alternative = node.child_by_field_name("alternative");
        let was = self.conditions.enter(holds, is_chain);
        let first = self.b.file.symbols.len();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != skipped && Some(child.id()) != alternative.map(|it| it.id()) {
                self.visit_node(child);
            }
        }
        if !self.conditions.is_active() {
            for symbol in &mut self.b.file.symbols[first..] {
                symbol.inactive = true;
            }
        }
        self.conditions.leave(was);
        if let Some(alternative) = alternative {
            self.visit_node(alternative);
        }
        if is_chain {
            self.conditions.close();
        }
    }

    /// `#ifdef X` uses X; the `#ifndef X` of an include guard does not.
    pub(super) fn ifdef(&mut self, node: Node<'_>) {
        let name = node.child_by_field_id(self.t.fields.name);
        self.guard_reference(node, name);
        let holds = name.is_none_or(|name| {
            self.conditions.is_defined(self.b.text(name)) != is_directive(self.b.text(node), "ifndef")
        });
        self.branches(node, holds, name.map(|name| name.id()));
    }

    fn guard_reference(&mut self, node: Node<'_>, name: Option<Node<'_>>) {
        let mut cursor = node.walk();
        let mut is_first = true;
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) == name.map(|name| name.id()) {
                continue;
            }
            if is_first && let Some(name) = name {
                let guarded = child.child_by_field_id(self.t.fields.name);
                let is_guard = self.kind(child) == Kind::PreprocDef
                    && guarded.is_some_and(|guarded| self.b.text(guarded) == self.b.text(name));
                if !is_guard {
                    self.b.reference(name, RefKind::Value, None);
                }
            }
            is_first = false;
        }
    }

    /// `DISALLOW_COPY(Foo);` in a class: what looks like a function without a type, and is none of its constructors.
    pub(super) fn is_macro_name(&self, name: Node<'_>) -> bool {
        let text = self.b.text(name);
        matches!(self.kind(name), Kind::Identifier | Kind::FieldIdentifier)
            && repair::is_upper_word(text.as_bytes())
            && self.b.enclosing().next().is_none_or(|symbol| self.b.file.names.get(symbol.name) != text)
    }

    pub(super) fn macro_declaration(&mut self, name: Node<'_>, function: Node<'_>) {
        self.b.plain_reference(name, RefKind::Call);
        self.visit_field(function, self.t.fields.parameters);
    }

    /// A body behind a macro call reads like a function without a type: `TEST(Suite, Name) { … }`.
    pub(super) fn is_macro_call(&self, node: Node<'_>, declared: Declared<'_>) -> bool {
        // A macro before a block inside of a function, `OP(a) OP(b) { … }`, reads as one with a type.
        (node.child_by_field_id(self.t.fields.ty).is_none() || self.blocks > 0)
            && self.kind(declared.name) == Kind::Identifier
            && !self.in_class()
            && repair::is_upper_word(self.b.text(declared.name).as_bytes())
    }

    pub(super) fn macro_function(&mut self, node: Node<'_>, name: Node<'_>, function: Node<'_>) {
        let f = &self.t.fields;
        self.b.plain_reference(name, RefKind::Call);
        if self.blocks > 0 {
            let mut cursor = node.walk();
            for child in
                node.named_children(&mut cursor).filter(|child| child.end_byte() <= name.start_byte())
            {
                self.visit_node(child);
            }
            return self.visit_field(node, f.body);
        }
        if let (Some(arguments), Some(body)) =
            (function.child_by_field_id(f.parameters), node.child_by_field_id(f.body))
        {
            self.macro_made(node, name, arguments, body);
            self.visit_node(body);
        }
    }

    /// A macro call before a block makes a definition: `TEST_CASE("title") { … }`, `DEFINE_CALL(read, int) { … }`.
    pub(super) fn expression_statement(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        if self.blocks == 0 && !self.in_record {
            let f = &self.t.fields;
            let call = node.named_child(0).filter(|call| self.kind(*call) == Kind::Call);
            let name = call.and_then(|call| call.child_by_field_id(f.function));
            let arguments = call.and_then(|call| call.child_by_field_id(f.arguments));
            let body = node.next_named_sibling().filter(|next| self.kind(*next) == Kind::Compound);
            if let (Some(name), Some(arguments), Some(body)) = (name, arguments, body)
                && repair::is_upper_word(self.b.text(name).as_bytes())
                && !self.b.text(node).ends_with(';')
            {
                self.b.plain_reference(name, RefKind::Call);
                return self.macro_made(node, name, arguments, body);
            }
        }
        self.visit_children(cursor);
    }

    /// Defines what the macro's arguments name: a test by its title or by suite and name, else a function by
    /// the first argument.
    fn macro_made(&mut self, node: Node<'_>, name: Node<'_>, arguments: Node<'_>, body: Node<'_>) {
        let words = self.macro_arguments(arguments);
        let is_test = is_test_macro(self.b.text(name));
        let mut of_fixture = None;
        let title = match words.as_slice() {
            [(suite, false), (case, false), ..] if is_test => format!("{suite}.{case}"),
            [(first, is_string), ..] if is_test || !is_string => (*first).to_owned(),
            _ => return,
        };
        self.visit_decorators(arguments);
        if let Some(place) = place_of_fixture(self.b.text(name))
            && let Some(fixture) = arguments.named_child(place).filter(|it| is_word(self.b.text(*it)))
        {
            self.visit_node(fixture);
            of_fixture = Some(fixture);
        }
        let kind = if is_test { SymbolKind::Test } else { SymbolKind::Function };
        let mut def = Def::new(node, name, kind).exported(!is_test);
        def.signature_end = Some(arguments.end_byte());
        let scope = self.b.define_as(def, &title, None);
        // The test is a member of a class derived from its fixture.
        if let Some(fixture) = of_fixture {
            let own = self.b.intern(&title);
            let (own, base) = (self.b.expr(Expr::Name(own)), self.b.name(fixture));
            let base = self.b.expr(Expr::Name(base));
            self.b.relation(RelationKind::Extends, scope, own, base, fixture);
        }
        if let Some(index) = scope.symbol() {
            let symbol = &mut self.b.file.symbols[index];
            symbol.span.end = body.end_byte() as u32;
            symbol.end_line = end_line(body);
        }
        self.macro_body = Some((body.id(), scope));
    }

    /// What is computed in the arguments, such as the decorators of a title.
    fn visit_decorators(&mut self, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            if matches!(self.kind(argument), Kind::Binary | Kind::Call) {
                self.visit_node(argument);
            }
        }
    }

    /// The leading arguments that are a plain word or, marked so, a string.
    fn macro_arguments(&self, arguments: Node<'_>) -> Vec<(&str, bool)> {
        let mut cursor = arguments.walk();
        let mut words = Vec::new();
        for argument in arguments.named_children(&mut cursor).take(2) {
            let text = self.b.text(argument).trim();
            // A title may be decorated: `"title" * skip()`.
            let quoted = text.strip_prefix('"').and_then(|text| text.split_once('"'));
            let is_word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            match quoted.map(|(string, _)| string) {
                Some(string) if !string.is_empty() => words.push((string, true)),
                None if is_word && !text.is_empty() => words.push((text, false)),
                _ => break,
            }
        }
        words
    }
}

/// `#ifndef X`, `#  ifndef X`
fn is_directive(text: &str, word: &str) -> bool {
    text.strip_prefix('#').is_some_and(|text| text.trim_start().starts_with(word))
}

/// The namespaces that a macro's text opens; inline ones add nothing to a path.
fn namespaces_opened(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut words = text.split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty());
    let mut is_inline = false;
    while let Some(word) = words.next() {
        match word {
            "inline" => is_inline = true,
            "namespace" => {
                let names = words.next().unwrap_or("").trim_end_matches('{');
                let names = names.split("::").filter(|name| !is_inline && is_word(name));
                parts.extend(names);
                is_inline = false;
            }
            "{" => {}
            _ => break,
        }
    }
    parts
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A word that only a built-in type has.
fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "unsigned" | "signed" | "long" | "short" | "int" | "char" | "wchar_t" | "float" | "double" | "bool"
    )
}

/// Which argument of a macro is the class that the body is a member of. Frameworks of one's own are named like the
/// known ones: `MY_TEST_F`, `UNIT_FIXTURE_TEST`.
fn place_of_fixture(name: &str) -> Option<u32> {
    let mut parts = name.split('_');
    match name {
        "BOOST_FIXTURE_TEST_CASE" => Some(1),
        "TYPED_TEST" | "TYPED_TEST_P" | "TEST_CASE_METHOD" => Some(0),
        _ if name.ends_with("TEST_F") || name.ends_with("TEST_P") => Some(0),
        _ => parts.any(|part| part == "FIXTURE").then_some(0),
    }
}

fn is_test_macro(name: &str) -> bool {
    place_of_fixture(name).is_some() || is_known_test_macro(name)
}

fn is_known_test_macro(name: &str) -> bool {
    matches!(
        name,
        "TEST"
            | "TEST_CASE"
            | "SCENARIO"
            | "SUBCASE"
            | "TEST_METHOD"
            | "TEST_CASE_TEMPLATE"
            | "TEMPLATE_TEST_CASE"
            | "BOOST_AUTO_TEST_CASE"
    )
}
