//! Lambdas, with what is known of the parameters of the standard scope functions.

use super::{Kind, Kotlin};
use crate::ExprId;
use crate::builder::Walk;
use tree_sitter::Node;

/// What a lambda is given by the function it is passed to.
#[derive(Clone, Copy)]
pub(super) enum Given {
    /// `it`, or the first parameter.
    Argument(ExprId),
    /// `this`.
    Receiver(ExprId),
}

impl Kotlin<'_> {
    /// `{ a, (b, c) -> … }`, `{ it … }`.
    pub(super) fn lambda(&mut self, node: Node<'_>, given: Option<Given>) {
        let outer = std::mem::replace(&mut self.in_body, true);
        self.b.push_frame();
        let unknown = self.b.unknown();
        let mut argument = unknown;
        match given {
            Some(Given::Argument(held)) => argument = held,
            Some(Given::Receiver(held)) => {
                let this = self.b.intern("this");
                self.b.bind(this, held);
            }
            None => {}
        }
        if let Some(parameters) = self.child_of(node, Kind::LambdaParameters) {
            let mut cursor = parameters.walk();
            for parameter in parameters.named_children(&mut cursor) {
                if let Some(ty) = self.type_in(parameter) {
                    self.type_refs(ty, crate::RefKind::Type, 0);
                }
                self.bind_variable(parameter, argument);
                argument = unknown;
            }
        } else {
            let it = self.b.intern("it");
            self.b.bind(it, argument);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if self.kind(child) != Kind::LambdaParameters {
                self.visit_node(child);
            }
        }
        self.b.pop_frame();
        self.in_body = outer;
    }

    /// What the callee gives to its last lambda: `x.let { }` its receiver, `xs.map { }` an element of it,
    /// `x.apply { }` and `with(x) { }` a new `this`.
    pub(super) fn given_by(&mut self, callee: Node<'_>, call: Node<'_>) -> Option<Given> {
        match self.kind(callee) {
            Kind::Navigation => {
                let (object, name) = self.object_and_name(callee)?;
                match self.b.text(name) {
                    "let" | "also" | "takeIf" | "takeUnless" => {
                        Some(Given::Argument(self.expr_of(object, 0)))
                    }
                    "apply" | "run" => Some(Given::Receiver(self.expr_of(object, 0))),
                    "use" => Some(Given::Argument(self.expr_of(object, 0))),
                    name if takes_element(name) => {
                        let whole = self.expr_of(object, 0);
                        Some(Given::Argument(self.b.element(whole)))
                    }
                    _ => None,
                }
            }
            // `with(x) { }`, `xs.fold(0) { }`: a call whose result takes the lambda, to the grammar.
            Kind::Call => {
                let inner = callee.named_child(0)?;
                self.given_by(inner, callee)
            }
            Kind::Identifier if self.b.text(callee) == "with" => {
                let arguments = self.child_of(call, Kind::ValueArguments)?;
                let value = arguments.named_child(0)?.named_child(0)?;
                Some(Given::Receiver(self.expr_of(value, 0)))
            }
            _ => None,
        }
    }
}

/// Functions of collections whose lambda is called with one element.
fn takes_element(name: &str) -> bool {
    matches!(
        name,
        "forEach"
            | "onEach"
            | "map"
            | "mapNotNull"
            | "flatMap"
            | "filter"
            | "filterNot"
            | "any"
            | "all"
            | "none"
            | "count"
            | "find"
            | "findLast"
            | "first"
            | "firstOrNull"
            | "last"
            | "lastOrNull"
            | "single"
            | "singleOrNull"
            | "partition"
            | "groupBy"
            | "associateBy"
            | "associateWith"
            | "associate"
            | "sortedBy"
            | "sortedByDescending"
            | "sumOf"
            | "maxByOrNull"
            | "minByOrNull"
            | "distinctBy"
            | "takeWhile"
            | "dropWhile"
            | "joinToString"
    )
}
