//! Lambdas, with what is known of the parameters of the standard scope functions.

use super::{Kind, Kotlin};
use crate::builder::Walk;
use crate::{Expr, ExprId, LAST_PARAMETER, NameId, RECEIVER};
use tree_sitter::Node;

/// In how many lambdas that stand in each other a name is looked for as a member of `this`.
const MAX_RECEIVERS: usize = 8;

/// What a lambda is given by the function it is passed to.
#[derive(Clone, Copy)]
pub(super) enum Given {
    /// `it`, or the first parameter.
    Argument(ExprId),
    /// `this`.
    Receiver(ExprId),
    /// What a function of this type gets: its parameters, and perhaps `this`.
    Parameters(ExprId),
}

impl Kotlin<'_> {
    /// `{ a, (b, c) -> … }`, `{ it … }`.
    pub(super) fn lambda(&mut self, node: Node<'_>, given: Option<Given>) {
        let given = given.or_else(|| self.callback.take().map(Given::Parameters));
        let outer = std::mem::replace(&mut self.in_body, true);
        self.b.push_frame();
        let unknown = self.b.unknown();
        let mut argument = unknown;
        let this = match given {
            Some(Given::Argument(held)) => {
                argument = held;
                None
            }
            Some(Given::Receiver(held)) => Some(held),
            Some(Given::Parameters(function)) => {
                argument = self.b.receives(function, 0);
                Some(self.b.receives(function, RECEIVER)).filter(|this| *this != unknown)
            }
            None => None,
        };
        if let Some(held) = this {
            let this = self.b.intern("this");
            self.b.bind(this, held);
        }
        if let Some(parameters) = self.child_of(node, Kind::LambdaParameters) {
            let mut cursor = parameters.walk();
            for (place, parameter) in parameters.named_children(&mut cursor).enumerate() {
                if let (Some(Given::Parameters(function)), 1..) = (given, place) {
                    argument = self.b.receives(function, place);
                }
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

    /// What the names of a lambda's body may be members of without a receiver: what `this` is in the lambdas and the
    /// extension round them, up to the class that they stand in.
    pub(super) fn receivers(&mut self) -> Option<ExprId> {
        let this = self.b.intern("this");
        let exprs = &self.b.file.exprs;
        let is_own = |this: &ExprId| exprs[this.0 as usize] == Expr::This;
        let outwards = self.b.bindings(this).take_while(|this| !is_own(this));
        let receivers: Vec<ExprId> = outwards.take(MAX_RECEIVERS).collect();
        (!receivers.is_empty()).then(|| self.b.list(&receivers))
    }

    /// A name that is no local.
    pub(super) fn implied(&mut self, name: NameId) -> ExprId {
        match self.receivers() {
            Some(receivers) => self.b.expr(Expr::Implied(name, receivers)),
            None => self.b.expr(Expr::Name(name)),
        }
    }

    /// What the last lambda of a call gets.
    pub(super) fn given_to_last(&mut self, callee: Node<'_>, call: Node<'_>) -> Option<Given> {
        self.given_by(callee, call).or_else(|| {
            // `f(x) { }` is one call, though two to the grammar.
            let callee = if self.kind(callee) == Kind::Call { callee.named_child(0)? } else { callee };
            let callee = self.expr_of(callee, 0);
            Some(Given::Parameters(self.b.expects(callee, LAST_PARAMETER)))
        })
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
