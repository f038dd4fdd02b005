//! What calls, literals and comprehensions give: collections with what they hold.

use super::{Kind, Python};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId};
use tree_sitter::Node;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In an argument, where the types of literals tell signatures apart.
    Argument,
    Other,
}

/// Arguments within arguments say little of what the outermost call gives.
const MAX_ARGUMENT_DEPTH: u32 = 6;

impl Python<'_> {
    pub(super) fn call_expr(&mut self, node: Node<'_>, callee: Node<'_>, depth: u32) -> ExprId {
        let (mut arguments, is_whole) = self.positional(node, depth);
        if self.kind(callee) == Kind::Identifier
            && let Some(built_in) = self.built_in(callee, &arguments)
        {
            return built_in;
        }
        if let Some(awaited) = self.scheduled(self.b.text(callee), &arguments) {
            return awaited;
        }
        let is_object = self.b.text(callee) == "self";
        let mut callee = self.expr_of(callee, depth + 1);
        // `self()` runs `__call__`; `cls()` makes another one.
        if is_object && self.b.file.exprs[callee.0 as usize] == Expr::This {
            callee = self.b.instance(callee);
        }
        if !is_whole && !arguments.is_empty() {
            // Behind these stand others that are not known by their places.
            let unknown = self.b.unknown();
            arguments.push(self.b.expr(Expr::Rest(unknown)));
        }
        if arguments.is_empty() { self.b.call(callee) } else { self.b.call_with(callee, &arguments) }
    }

    /// The positional arguments of a call, up to the first that is unpacked, and whether there are no others.
    fn positional(&mut self, call: Node<'_>, depth: u32) -> (Vec<ExprId>, bool) {
        let arguments = call.child_by_field_id(self.t.fields.arguments);
        let Some(arguments) = arguments.filter(|_| depth < MAX_ARGUMENT_DEPTH) else {
            return (Vec::new(), false);
        };
        if self.kind(arguments) == Kind::Generator {
            return (vec![self.comprehension_expr(arguments, depth + 1)], true);
        }
        let mut cursor = arguments.walk();
        let mut nodes: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) != Kind::Comment)
            .collect();
        let is_placed = |child: &Node<'_>| {
            !matches!(self.kind(*child), Kind::Keyword | Kind::ListSplatValue | Kind::DictSplatValue)
        };
        let placed = nodes.iter().take_while(|child| is_placed(child)).count();
        let is_whole = placed == nodes.len();
        nodes.truncate(placed);
        (nodes.into_iter().map(|argument| self.argument(argument, depth)).collect(), is_whole)
    }

    /// An argument, or what a literal holds; of a literal the type is kept, which tells signatures apart.
    fn argument(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let name = match self.kind(node) {
            Kind::String | Kind::Concatenated => {
                let quote = self.b.text(node).find(['"', '\'']).unwrap_or(0);
                if self.b.text(node)[..quote].contains(['b', 'B']) { "bytes" } else { "str" }
            }
            Kind::Integer => "int",
            Kind::Float => "float",
            Kind::True | Kind::False => "bool",
            Kind::List | Kind::Dictionary | Kind::Set => {
                let held = self.held(node, depth + 1, Part::Argument);
                return self.typed(node, held);
            }
            Kind::ListComprehension | Kind::SetComprehension | Kind::DictComprehension => {
                let held = self.given(node, depth + 1, Part::Argument);
                return self.typed(node, held);
            }
            _ => return self.expr_of(node, depth + 1),
        };
        self.b.primitive(name)
    }

    /// A collection that is written out, with the type that it is of.
    fn typed(&mut self, node: Node<'_>, held: Vec<ExprId>) -> ExprId {
        let literal = self.holds(&held);
        let name = match self.kind(node) {
            Kind::Dictionary | Kind::DictComprehension => "dict",
            Kind::Set | Kind::SetComprehension => "set",
            _ => "list",
        };
        let name = self.b.primitive(name);
        self.b.callee_with(literal, &[name])
    }

    /// `asyncio.create_task(x)`: what waiting for it gives is what waiting for `x` gives.
    fn scheduled(&mut self, function: &str, arguments: &[ExprId]) -> Option<ExprId> {
        match function.strip_prefix("asyncio.")? {
            "create_task" | "ensure_future" | "run" | "shield" | "wait_for" => arguments.first().copied(),
            "gather" => Some(self.values(arguments)),
            _ => None,
        }
    }

    /// What a built-in function gives of what it is called with, where nothing else has its name.
    fn built_in(&mut self, callee: Node<'_>, arguments: &[ExprId]) -> Option<ExprId> {
        let name = self.b.name(callee);
        if self.b.local(name).is_some() {
            return None;
        }
        let first = *arguments.first()?;
        let given = match self.b.text(callee) {
            "list" | "set" | "tuple" | "frozenset" | "sorted" | "reversed" | "iter" | "deque" => {
                vec![self.each(first)]
            }
            "filter" => vec![self.each(*arguments.get(1)?)],
            "enumerate" => {
                let (count, element) = (self.b.expr(Expr::Builtin), self.each(first));
                vec![self.values(&[count, element])]
            }
            "zip" => {
                let parts: Vec<ExprId> = arguments.iter().map(|argument| self.each(*argument)).collect();
                vec![self.values(&parts)]
            }
            "next" => return Some(self.each(first)),
            "max" | "min" if arguments.len() == 1 => return Some(self.each(first)),
            "cast" if arguments.len() == 2 => return Some(self.b.instance(first)),
            _ => return None,
        };
        Some(self.holds(&given))
    }

    pub(super) fn holds(&mut self, things: &[ExprId]) -> ExprId {
        let list = self.b.list(things);
        self.b.expr(Expr::Holds(list))
    }

    fn values(&mut self, parts: &[ExprId]) -> ExprId {
        let list = self.b.list(parts);
        self.b.expr(Expr::Values(list))
    }

    /// What a loop over an expression gives.
    pub(super) fn each(&mut self, whole: ExprId) -> ExprId {
        match self.b.file.exprs[whole.0 as usize] {
            Expr::Unknown | Expr::Builtin => whole,
            _ => self.b.expr(Expr::Each(whole)),
        }
    }

    /// What `with manager as x` binds.
    pub(super) fn entered(&mut self, manager: ExprId) -> ExprId {
        match self.b.file.exprs[manager.0 as usize] {
            Expr::Unknown | Expr::Builtin => manager,
            _ => self.b.expr(Expr::Enter(manager)),
        }
    }

    /// What `except E as e` and `except (E, F) as e` bind.
    pub(super) fn raised(&mut self, node: Node<'_>, class: ExprId) -> ExprId {
        if self.kind(node) != Kind::Tuple {
            return self.b.instance(class);
        }
        let mut cursor = node.walk();
        let classes: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let classes: Vec<ExprId> = classes.into_iter().map(|class| self.expr_of(class, 0)).collect();
        let list = self.b.list(&classes);
        let one = self.b.expr(Expr::Union(list));
        self.b.instance(one)
    }

    /// `x[i]`: one of what a tuple or collection holds.
    pub(super) fn subscript_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(whole) = node.child_by_field_id(f.value).or_else(|| node.named_child(0)) else {
            return self.b.unknown();
        };
        let whole_node = whole;
        let whole = self.expr_of(whole, depth + 1);
        let mut cursor = node.walk();
        let index = node.named_children(&mut cursor).find(|child| child.id() != whole_node.id());
        match index {
            // A part of a collection is a collection of the same things.
            Some(index) if index.kind() == "slice" => whole,
            Some(index) if self.kind(index) == Kind::Integer => match self.b.text(index).parse() {
                Ok(place) if self.is_tuple(whole) => self.b.position(whole, place),
                _ => self.b.element(whole),
            },
            _ => self.b.element(whole),
        }
    }

    fn is_tuple(&self, expr: ExprId) -> bool {
        matches!(self.b.file.exprs[expr.0 as usize], Expr::Values(_))
    }

    /// `a if c else b`, `a or b`: both when both are known and differ.
    pub(super) fn either_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = node.walk();
        let sides: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect();
        let (first, second) = match (self.kind(node), &sides[..]) {
            (Kind::Conditional, [then, _, otherwise]) => (*then, *otherwise),
            (Kind::Boolean, [left, right]) => (*left, *right),
            _ => return self.b.unknown(),
        };
        let is_none = |this: &Self, node: Node<'_>| this.kind(node) == Kind::None;
        if is_none(self, second) {
            return self.expr_of(first, depth + 1);
        }
        let (left, right) = (self.expr_of(first, depth + 1), self.expr_of(second, depth + 1));
        if is_none(self, first) || left == right {
            return right;
        }
        let is_plain =
            |expr: ExprId| matches!(self.b.file.exprs[expr.0 as usize], Expr::Unknown | Expr::Builtin);
        match (is_plain(left), is_plain(right)) {
            (_, true) => left,
            (true, false) => right,
            (false, false) => left,
        }
    }

    /// `[a, b]`, `{k: v}`, `(a, b)`, `a, b`. A list is what its first element is; an empty one may hold anything.
    pub(super) fn literal_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if matches!(self.kind(node), Kind::Tuple | Kind::ExpressionList) {
            let mut cursor = node.walk();
            let parts: Vec<Node<'_>> =
                node.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect();
            if parts.len() > 16 || parts.iter().any(|part| self.kind(*part) == Kind::ListSplatValue) {
                return self.b.unknown();
            }
            let parts: Vec<ExprId> = parts.into_iter().map(|part| self.expr_of(part, depth + 1)).collect();
            return self.values(&parts);
        }
        let held = self.held(node, depth, Part::Other);
        self.holds(&held)
    }

    /// What an expression inside of another one is.
    fn inner(&mut self, node: Node<'_>, depth: u32, part: Part) -> ExprId {
        if part == Part::Argument { self.argument(node, depth) } else { self.expr_of(node, depth + 1) }
    }

    /// What a collection that is written out holds.
    fn held(&mut self, node: Node<'_>, depth: u32, part: Part) -> Vec<ExprId> {
        let mut cursor = node.walk();
        let first = node.named_children(&mut cursor).find(|child| self.kind(*child) != Kind::Comment);
        match first {
            Some(first) if first.kind() == "pair" => self.pair(first, depth, part),
            Some(first) if !matches!(self.kind(first), Kind::ListSplatValue | Kind::DictSplatValue) => {
                vec![self.inner(first, depth, part)]
            }
            _ => vec![self.b.unknown()],
        }
    }

    fn pair(&mut self, pair: Node<'_>, depth: u32, part: Part) -> Vec<ExprId> {
        let (key, value) = (pair.child_by_field_name("key"), pair.child_by_field_id(self.t.fields.value));
        [key, value].into_iter().flatten().map(|node| self.inner(node, depth, part)).collect()
    }

    /// `[f(x) for x in xs]`: a collection of what the body gives.
    pub(super) fn comprehension_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let held = self.given(node, depth, Part::Other);
        self.holds(&held)
    }

    /// What the body of a comprehension gives.
    fn given(&mut self, node: Node<'_>, depth: u32, part: Part) -> Vec<ExprId> {
        let f = &self.t.fields;
        let Some(body) = node.child_by_field_id(f.body) else { return vec![self.b.unknown()] };
        self.b.push_frame();
        let mut cursor = node.walk();
        let clauses: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::ForIn).collect();
        for clause in clauses {
            let (left, right) = (clause.child_by_field_id(f.left), clause.child_by_field_id(f.right));
            if let (Some(left), Some(right)) = (left, right) {
                let whole = self.expr_of(right, depth + 1);
                let element = self.each(whole);
                self.bind_names(left, element);
            }
        }
        let held = if body.kind() == "pair" {
            self.pair(body, depth, part)
        } else {
            vec![self.inner(body, depth, part)]
        };
        self.b.pop_frame();
        held
    }

    /// Binds the names of a pattern to the parts of a value, without a look at anything else in it.
    fn bind_names(&mut self, target: Node<'_>, value: ExprId) {
        if self.kind(target) == Kind::Identifier {
            let name = self.b.name(target);
            return self.b.bind(name, value);
        }
        for (part, value) in self.parts_of(target, value) {
            self.bind_names(part, value);
        }
    }

    /// The parts of a pattern with the parts of the value that they take.
    pub(super) fn parts_of<'t>(&mut self, target: Node<'t>, value: ExprId) -> Vec<(Node<'t>, ExprId)> {
        if !matches!(self.kind(target), Kind::PatternList | Kind::TuplePattern | Kind::ListPattern) {
            return Vec::new();
        }
        let mut cursor = target.walk();
        let parts: Vec<Node<'t>> =
            target.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect();
        let unknown = self.b.unknown();
        let mut is_open = false;
        let mut pairs = Vec::with_capacity(parts.len());
        for (place, part) in parts.into_iter().enumerate() {
            // Behind a starred part nobody knows the place; it takes more of the same where that is not a tuple.
            let is_rest = self.kind(part) == Kind::ListSplat;
            is_open |= is_rest;
            let value = match (is_rest, is_open) {
                (true, _) if !self.is_tuple(value) => value,
                (_, true) => unknown,
                _ => self.part(value, place),
            };
            pairs.push((part, value));
        }
        pairs
    }

    /// The part of a value at a place: of a tuple that is written here, that value itself.
    fn part(&mut self, value: ExprId, place: usize) -> ExprId {
        let Expr::Values(mut list) = self.b.file.exprs[value.0 as usize] else {
            return self.b.position(value, place);
        };
        for _ in 0..place {
            let Expr::List(_, rest) = self.b.file.exprs[list.0 as usize] else { return self.b.unknown() };
            list = rest;
        }
        match self.b.file.exprs[list.0 as usize] {
            Expr::List(first, _) => first,
            _ => self.b.unknown(),
        }
    }
}
