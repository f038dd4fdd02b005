//! What a Python file does while it is loaded, step by step: the names it takes from other modules, binds and needs.
//!
//! ```text
//! text ─parse─▶ tree ─statements in order─▶ LoadStep
//! ```
//!
//! Bodies of functions run later and have no steps; bodies of classes run at once. Who knows all files can tell from the
//! steps whether files that import each other can be loaded at all.

use crate::builder::{line, span};
use crate::parse::{Grammar, begin_file, parse};
use crate::{ExtractError, Span};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// One thing that happens while a file is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadStep {
    /// What happens.
    pub load: Load,
    /// Whether it happens at all.
    pub when: When,
    /// The statement of an import, the name otherwise.
    pub span: Span,
    /// 1-based.
    pub line: u32,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// `import module as bound`.
    Module {
        /// As written.
        module: String,
        /// The name that it has afterwards; the first part of the module when nothing is said.
        bound: String,
    },
    /// `from module import name as bound`; `*` is all names.
    Name {
        /// As written, with its dots.
        module: String,
        /// What is taken.
        name: String,
        /// The name that it has afterwards.
        bound: String,
    },
    /// A name gets a value.
    Bind(String),
    /// A name must have a value.
    Use(String),
}

impl Load {
    /// The name that has a value afterwards.
    pub fn bound(&self) -> Option<&str> {
        match self {
            Load::Module { bound, .. } | Load::Name { bound, .. } | Load::Bind(bound) => Some(bound),
            Load::Use(_) => None,
        }
    }
}

/// Whether a step happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Each time.
    Always,
    /// Under a condition, or where a failure is caught.
    Maybe,
    /// For type checkers only.
    Typing,
}

/// The steps of a Python file. Annotations are evaluated unless the file says otherwise, or `lazy_annotations` does.
pub fn load_steps(source: &str, lazy_annotations: bool) -> Result<Vec<LoadStep>, ExtractError> {
    begin_file();
    let tree = parse(Grammar::Python, source)?;
    let root = tree.root_node();
    let is_future = |node: &Node<'_>| {
        node.kind() == "future_import_statement"
            && source.get(node.byte_range()).is_some_and(|text| text.contains("annotations"))
    };
    let lazy = lazy_annotations || root.named_children(&mut root.walk()).any(|node| is_future(&node));
    let mut steps = Steps { source, lazy, when: When::Always, classes: Vec::new(), found: Vec::new() };
    steps.block(root);
    Ok(steps.found)
}

struct Steps<'s> {
    source: &'s str,
    /// Annotations are not evaluated.
    lazy: bool,
    when: When,
    /// Names of the classes whose bodies are running, the innermost last.
    classes: Vec<BTreeSet<String>>,
    found: Vec<LoadStep>,
}

impl<'s> Steps<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    fn push(&mut self, node: Node<'_>, load: Load) {
        self.found.push(LoadStep { load, when: self.when, span: span(node), line: line(node) });
    }

    fn bind(&mut self, node: Node<'_>) {
        let name = self.text(node).to_owned();
        match self.classes.last_mut() {
            Some(class) => drop(class.insert(name)),
            None => self.push(node, Load::Bind(name)),
        }
    }

    fn block(&mut self, node: Node<'_>) {
        for child in node.named_children(&mut node.walk()) {
            self.statement(child);
        }
    }

    /// Runs statements whose outcome nobody knows.
    fn under(&mut self, when: When, node: Node<'_>) {
        let before = self.when;
        self.when = before.max(when);
        self.block(node);
        self.when = before;
    }

    fn statement(&mut self, node: Node<'_>) {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "import_statement" => self.import(node),
            "import_from_statement" => self.import_from(node),
            "future_import_statement" | "comment" | "global_statement" | "nonlocal_statement" => {}
            "decorated_definition" => self.decorated(node),
            "function_definition" => self.function(node),
            "class_definition" => self.class(node),
            "if_statement" => self.condition(node),
            "try_statement" => self.under(When::Maybe, node),
            "for_statement" => {
                if let Some(right) = field("right") {
                    self.expression(right);
                }
                if let Some(left) = field("left") {
                    self.target(left);
                }
                self.under(When::Maybe, node);
            }
            "while_statement" | "with_statement" | "match_statement" => self.under(When::Maybe, node),
            "block"
            | "expression_statement"
            | "module"
            | "except_clause"
            | "finally_clause"
            | "else_clause"
            | "with_clause"
            | "case_clause"
            | "except_group_clause" => self.block(node),
            "assignment" => self.assignment(node),
            "type_alias_statement" => {
                let name = node.named_child(0).and_then(|left| left.named_child(0));
                if let Some(name) = name {
                    self.bind(name);
                }
            }
            _ => self.expression(node),
        }
    }

    fn import(&mut self, node: Node<'_>) {
        for name in node.children_by_field_name("name", &mut node.walk()) {
            let alias = name.child_by_field_name("alias");
            let module = name.child_by_field_name("name").unwrap_or(name);
            let module = self.text(module).to_owned();
            let first = module.split('.').next().unwrap_or("").to_owned();
            let bound = alias.map_or(first, |alias| self.text(alias).to_owned());
            self.take(node, Load::Module { module, bound });
        }
    }

    fn import_from(&mut self, node: Node<'_>) {
        let module = node.child_by_field_name("module_name").map_or("", |name| self.text(name)).to_owned();
        for name in node.children_by_field_name("name", &mut node.walk()) {
            let alias = name.child_by_field_name("alias");
            let taken = self.text(name.child_by_field_name("name").unwrap_or(name)).to_owned();
            let bound = alias.map_or(taken.clone(), |alias| self.text(alias).to_owned());
            self.take(node, Load::Name { module: module.clone(), name: taken, bound });
        }
        if node.named_children(&mut node.walk()).any(|child| child.kind() == "wildcard_import") {
            self.take(node, Load::Name { module, name: "*".into(), bound: "*".into() });
        }
    }

    /// An import; inside of a class its name is the class's.
    fn take(&mut self, node: Node<'_>, load: Load) {
        let class = self.classes.last_mut();
        if let (Some(class), Some(bound)) = (class, load.bound()) {
            class.insert(bound.to_owned());
        } else {
            self.push(node, load);
        }
    }

    fn decorated(&mut self, node: Node<'_>) {
        for child in node.named_children(&mut node.walk()) {
            match child.kind() {
                "decorator" => self.expression(child),
                _ => self.statement(child),
            }
        }
    }

    fn function(&mut self, node: Node<'_>) {
        if let Some(list) = node.child_by_field_name("parameters") {
            self.parameters(list);
        }
        if let Some(kind) = node.child_by_field_name("return_type").filter(|_| !self.lazy) {
            self.expression(kind);
        }
        if let Some(name) = node.child_by_field_name("name") {
            self.bind(name);
        }
    }

    fn parameters(&mut self, list: Node<'_>) {
        for parameter in list.named_children(&mut list.walk()) {
            for field in ["value", "type"] {
                let part = parameter.child_by_field_name(field).filter(|_| field == "value" || !self.lazy);
                if let Some(part) = part {
                    self.expression(part);
                }
            }
        }
    }

    fn class(&mut self, node: Node<'_>) {
        if let Some(list) = node.child_by_field_name("superclasses") {
            self.expression(list);
        }
        self.classes.push(BTreeSet::new());
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body);
        }
        self.classes.pop();
        if let Some(name) = node.child_by_field_name("name") {
            self.bind(name);
        }
    }

    fn condition(&mut self, node: Node<'_>) {
        let test = node.child_by_field_name("condition");
        let is_typing = test.is_some_and(|test| self.text(test).ends_with("TYPE_CHECKING"));
        if let Some(test) = test {
            self.expression(test);
        }
        let then = node.child_by_field_name("consequence");
        let when = if is_typing { When::Typing } else { When::Maybe };
        if let Some(then) = then {
            self.under(when, then);
        }
        for other in node.children_by_field_name("alternative", &mut node.walk()) {
            self.under(When::Maybe, other);
        }
    }

    fn assignment(&mut self, node: Node<'_>) {
        let annotation = node.child_by_field_name("type").filter(|_| !self.lazy);
        if let Some(kind) = annotation {
            self.expression(kind);
        }
        if let Some(right) = node.child_by_field_name("right") {
            self.statement(right);
        }
        // `name: type` alone gives no value.
        let has_value = node.child_by_field_name("right").is_some();
        if let Some(left) = node.child_by_field_name("left").filter(|_| has_value) {
            self.target(left);
        }
    }

    /// What gets a value.
    fn target(&mut self, node: Node<'_>) {
        match node.kind() {
            "identifier" => self.bind(node),
            "attribute" | "subscript" => self.expression(node),
            _ => {
                for child in node.named_children(&mut node.walk()) {
                    self.target(child);
                }
            }
        }
    }

    /// What is evaluated.
    fn expression(&mut self, node: Node<'_>) {
        let mut local = BTreeSet::new();
        self.locals(node, &mut local);
        self.evaluate(node, &local);
    }

    /// Names that an expression has for itself.
    fn locals(&self, node: Node<'_>, found: &mut BTreeSet<String>) {
        if node.kind() == "for_in_clause" {
            let left = node.child_by_field_name("left");
            if let Some(left) = left {
                self.names(left, found);
            }
        }
        for child in node.named_children(&mut node.walk()) {
            self.locals(child, found);
        }
    }

    fn names(&self, node: Node<'_>, found: &mut BTreeSet<String>) {
        if node.kind() == "identifier" {
            found.insert(self.text(node).to_owned());
        }
        for child in node.named_children(&mut node.walk()) {
            self.names(child, found);
        }
    }

    fn evaluate(&mut self, node: Node<'_>, local: &BTreeSet<String>) {
        let value = match node.kind() {
            "identifier" => {
                let name = self.text(node).to_owned();
                let is_own = self.classes.last().is_some_and(|class| class.contains(&name));
                if !is_own && !local.contains(&name) {
                    self.push(node, Load::Use(name));
                }
                return;
            }
            "lambda" => {
                let list = node.child_by_field_name("parameters");
                if let Some(list) = list {
                    self.parameters(list);
                }
                return;
            }
            "attribute" => node.child_by_field_name("object"),
            "keyword_argument" => node.child_by_field_name("value"),
            "named_expression" => {
                let value = node.child_by_field_name("value");
                if let Some(value) = value {
                    self.evaluate(value, local);
                }
                if let Some(name) = node.child_by_field_name("name") {
                    self.bind(name);
                }
                return;
            }
            _ => {
                for child in node.named_children(&mut node.walk()) {
                    if child.kind() == "as_pattern_target" {
                        self.target(child);
                    } else if is_statement(child) {
                        self.statement(child);
                    } else {
                        self.evaluate(child, local);
                    }
                }
                return;
            }
        };
        if let Some(value) = value {
            self.evaluate(value, local);
        }
    }
}

fn is_statement(node: Node<'_>) -> bool {
    node.kind() == "block" || node.kind().ends_with("_statement") || node.kind().ends_with("_definition")
}

#[cfg(test)]
mod tests;
