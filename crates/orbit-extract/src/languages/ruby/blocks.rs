//! Blocks, lambdas, parameters, and the patterns that bind names.

use super::{Kind, Ruby};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, NameId, ScopeId};
use tree_sitter::Node;

/// What a method gives to the block it is called with.
#[derive(Default)]
pub(super) struct Yields {
    /// The name of the parameter that holds the block.
    block: Option<NameId>,
    /// What it gets; `None` until that is seen.
    values: Option<Vec<ExprId>>,
}

/// How many parameters a block gets that is handed on to another method.
const HANDED_ON: usize = 3;

impl Ruby<'_> {
    /// A block; its first parameter is given `first`.
    pub(super) fn block(&mut self, node: Node<'_>, first: ExprId) {
        self.block_of(node, first, None);
    }

    /// A block of a call: what its parameters get is known, or said by the method that is called.
    pub(super) fn block_of(&mut self, node: Node<'_>, first: ExprId, callee: Option<ExprId>) {
        let f = &self.t.fields;
        self.b.push_frame();
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters, first);
            let is_known = !matches!(self.b.file.exprs[first.0 as usize], Expr::Unknown);
            if let Some(callee) = callee.filter(|_| !is_known) {
                self.given_parameters(parameters, callee);
            }
        }
        if let Some(body) = node.child_by_field_id(f.body) {
            self.visit_children_of(body);
        }
        self.b.pop_frame();
    }

    fn given_parameters(&mut self, parameters: Node<'_>, callee: ExprId) {
        let mut cursor = parameters.walk();
        for (at, parameter) in parameters.named_children(&mut cursor).enumerate() {
            if self.kind(parameter) == Kind::Identifier {
                let (name, value) = (self.b.name(parameter), self.b.receives(callee, at));
                self.b.bind(name, value);
            }
        }
    }

    /// `yield a, b`
    pub(super) fn yield_call(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let values = node.named_child(0).map_or_else(Vec::new, |arguments| self.values_of(arguments));
        self.yields_values(values);
    }

    fn values_of(&mut self, arguments: Node<'_>) -> Vec<ExprId> {
        let mut cursor = arguments.walk();
        let nodes: Vec<Node<'_>> = arguments.named_children(&mut cursor).collect();
        nodes.into_iter().map(|argument| self.expr_of(argument, 0)).collect()
    }

    /// A block that is called in several ways gets what nobody knows.
    fn yields_values(&mut self, values: Vec<ExprId>) {
        let known = self.yields.values.get_or_insert_with(|| values.clone());
        if *known != values {
            known.clear();
        }
    }

    /// `block.call(a)` yields; `other(&block)` hands the block on.
    pub(super) fn uses_of_block(&mut self, call: Node<'_>, callee: Option<ExprId>) {
        let Some(block) = self.yields.block else { return };
        let f = &self.t.fields;
        let Some(arguments) = call.child_by_field_id(f.arguments) else { return };
        let receiver = call.child_by_field_id(f.receiver);
        let is_called = receiver
            .is_some_and(|it| self.kind(it) == Kind::Identifier && self.b.name(it) == block)
            && call.child_by_field_id(f.method).is_some_and(|method| self.b.text(method) == "call");
        if is_called {
            let values = self.values_of(arguments);
            return self.yields_values(values);
        }
        let mut cursor = arguments.walk();
        let handed = arguments.named_children(&mut cursor).find(|it| self.kind(*it) == Kind::BlockArgument);
        let handed = handed.and_then(|it| it.named_child(0));
        if let (Some(handed), Some(callee)) = (handed, callee)
            && self.b.name(handed) == block
        {
            let values = (0..HANDED_ON).map(|at| self.b.receives(callee, at)).collect();
            self.yields_values(values);
        }
    }

    /// Starts a method: what the one round it yields is kept.
    pub(super) fn open_yields(&mut self, parameters: Option<Node<'_>>) -> Yields {
        let block = parameters.and_then(|parameters| {
            let mut cursor = parameters.walk();
            let last = parameters.named_children(&mut cursor).last();
            last.filter(|last| self.kind(*last) == Kind::BlockParameter)
        });
        let block = block.and_then(|block| block.child_by_field_id(self.t.fields.name));
        let block = block.map(|name| self.b.name(name));
        std::mem::replace(&mut self.yields, Yields { block, values: None })
    }

    /// Ends a method: what it yields are the values that its block gets.
    pub(super) fn close_yields(&mut self, method: ScopeId, outer: Yields) {
        let values = std::mem::replace(&mut self.yields, outer).values.unwrap_or_default();
        let is_known = |value: &ExprId| !matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown);
        if values.iter().any(is_known) {
            self.b.set_params(method, &values);
        }
    }

    pub(super) fn lambda(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        // A lambda returns from itself.
        let outer = std::mem::take(&mut self.returns);
        self.b.push_frame();
        let unknown = self.b.unknown();
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters, unknown);
        }
        if let Some(body) = node.child_by_field_id(f.body) {
            self.block(body, unknown);
        }
        self.b.pop_frame();
        self.returns = outer;
    }

    /// What a block's first parameter is: an element for the methods that yield them.
    pub(super) fn yielded(&mut self, receiver: Option<Node<'_>>, method: Option<Node<'_>>) -> ExprId {
        let (Some(receiver), Some(method)) = (receiver, method) else { return self.b.unknown() };
        match self.b.text(method) {
            "tap" | "then" | "yield_self" => self.expr_of(receiver, 0),
            "each" | "map" | "select" | "filter" | "reject" | "find" | "detect" | "each_with_index"
            | "flat_map" | "collect" | "any?" | "all?" | "none?" | "filter_map" | "sort_by" | "group_by"
            | "min_by" | "max_by" | "sum" | "partition" | "find_all" | "reverse_each" | "find_each"
            | "each_with_object" | "index_by" | "to_h" | "count" | "uniq" | "take_while" | "drop_while"
            | "delete_if" => {
                let whole = self.expr_of(receiver, 0);
                self.b.element(whole)
            }
            _ => self.b.unknown(),
        }
    }

    /// Binds parameters as locals; the first plain one to `first`.
    pub(super) fn parameters(&mut self, parameters: Node<'_>, first: ExprId) {
        let unknown = self.b.unknown();
        let mut cursor = parameters.walk();
        for (index, parameter) in parameters.named_children(&mut cursor).enumerate() {
            let value = if index == 0 { first } else { unknown };
            self.bind_parameter(parameter, value, 0);
        }
    }

    fn bind_parameter(&mut self, parameter: Node<'_>, value: ExprId, depth: u32) {
        let f = &self.t.fields;
        match self.kind(parameter) {
            Kind::Identifier => {
                let name = self.b.name(parameter);
                self.b.bind(name, value);
            }
            Kind::OptionalParameter | Kind::KeywordParameter => {
                let mut bound = self.b.unknown();
                if let Some(default) = parameter.child_by_field_id(f.value) {
                    self.visit_node(default);
                    let default = self.expr_of(default, 0);
                    if let Expr::Instance(_) = self.b.file.exprs[default.0 as usize] {
                        bound = default;
                    }
                }
                self.bind_name(parameter.child_by_field_id(f.name), bound);
            }
            Kind::Destructured if depth <= MAX_EXPR_DEPTH => {
                let unknown = self.b.unknown();
                let mut cursor = parameter.walk();
                for part in parameter.named_children(&mut cursor) {
                    self.bind_parameter(part, unknown, depth + 1);
                }
            }
            _ => {
                let unknown = self.b.unknown();
                self.bind_name(parameter.child_by_field_id(f.name), unknown);
            }
        }
    }

    fn bind_name(&mut self, name: Option<Node<'_>>, value: ExprId) {
        if let Some(name) = name {
            let name = self.b.name(name);
            self.b.bind(name, value);
        }
    }

    /// `rescue A, B => e`
    pub(super) fn rescue(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mut value = self.b.unknown();
        if let Some(exceptions) = node.child_by_field_id(f.exceptions) {
            let mut cursor = exceptions.walk();
            let classes: Vec<Node<'_>> = exceptions.named_children(&mut cursor).collect();
            for class in &classes {
                self.type_use(*class);
            }
            if let [class] = classes.as_slice() {
                let class = self.expr_of(*class, 0);
                value = self.b.instance(class);
            }
        }
        if let Some(target) = node.child_by_field_id(f.variable).and_then(|variable| variable.named_child(0))
        {
            self.assign(target, target, value, 0);
        }
        self.visit_field(node, f.body);
    }

    pub(super) fn for_loop(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mut element = self.b.unknown();
        if let Some(whole) = node.child_by_field_id(f.value) {
            self.visit_node(whole);
            if let Some(whole) = whole.named_child(0) {
                let whole = self.expr_of(whole, 0);
                element = self.b.element(whole);
            }
        }
        if let Some(pattern) = node.child_by_field_id(f.pattern) {
            self.assign(pattern, pattern, element, 0);
        }
        self.visit_field(node, f.body);
    }

    /// `in pattern then …`, `value => pattern`, `value in pattern`.
    pub(super) fn pattern_match(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.visit_field(node, f.value);
        if let Some(pattern) = node.child_by_field_id(f.pattern) {
            self.pattern(pattern, 0);
        }
        self.visit_field(node, f.guard);
        self.visit_field(node, f.body);
    }

    fn pattern(&mut self, node: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        let unknown = self.b.unknown();
        match self.kind(node) {
            Kind::Identifier => self.bind_name(Some(node), unknown),
            Kind::Constant | Kind::ScopeResolution => self.type_use(node),
            Kind::ValueReference | Kind::ExpressionReference => self.visit_children_of(node),
            Kind::AsPattern => {
                let mut bound = unknown;
                if let Some(value) = node.child_by_field_id(f.value) {
                    self.pattern(value, depth + 1);
                    if let Kind::Constant | Kind::ScopeResolution = self.kind(value) {
                        let class = self.expr_of(value, 0);
                        bound = self.b.instance(class);
                    }
                }
                self.bind_name(node.child_by_field_id(f.name), bound);
            }
            Kind::KeywordPattern => match node.child_by_field_id(f.value) {
                Some(value) => self.pattern(value, depth + 1),
                None => self.bind_name(node.child_by_field_id(f.key), unknown),
            },
            Kind::String => self.visit_node(node),
            _ => {
                self.bind_name(node.child_by_field_id(f.name), unknown);
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.pattern(child, depth + 1);
                }
            }
        }
    }
}
