//! Expressions and clauses on one line.

use crate::literal::comma;
use crate::query::ast::{ArithOp, Assignment, Clause, Expr, ExprKind, Traversal};

/// How strongly a form binds; what binds weaker than its place needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Operand,
}

pub(super) fn expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.to_string(),
        ExprKind::List(items) => format!("[{}]", comma(items.iter().map(computed))),
        ExprKind::Var(name) => format!("${name}"),
        ExprKind::Property { var, property } => format!("${var}.{property}"),
        ExprKind::Ident(name) => name.clone(),
        ExprKind::Now => "now()".into(),
        ExprKind::Call { function, args } => {
            format!("{}({})", function.as_str(), comma(args.iter().map(computed)))
        }
        ExprKind::Aggregate { function, distinct, arg } => {
            format!("{}({}{})", function.as_str(), if *distinct { "distinct " } else { "" }, computed(arg))
        }
        ExprKind::Fold { function, distinct, arg, clauses } => {
            let arg = arg
                .as_ref()
                .map(|arg| format!("({}{})", if *distinct { "distinct " } else { "" }, computed(arg)));
            let clauses: Vec<String> = clauses.iter().map(clause).collect();
            format!("{}{} {{ {} }}", function.as_str(), arg.unwrap_or_default(), clauses.join(" "))
        }
        ExprKind::Arith { op, left, right } => {
            let (place, behind) = match binding_of(*op) {
                Binding::Sum => (Binding::Sum, Binding::Product),
                _ => (Binding::Product, Binding::Operand),
            };
            format!("{} {} {}", within(left, place), op.as_str(), within(right, behind))
        }
        ExprKind::Compare { op, left, right } => {
            format!("{} {} {}", computed(left), op.as_str(), computed(right))
        }
        ExprKind::In { item, list, negated } => {
            format!("{} {}in {}", computed(item), if *negated { "not " } else { "" }, computed(list))
        }
        ExprKind::IsNull { arg, negated } => {
            format!("{} is {}null", computed(arg), if *negated { "not " } else { "" })
        }
        ExprKind::Since { arg, change, since } => {
            format!("{} {} since {}", computed(arg), change.as_str(), computed(since))
        }
        ExprKind::And(parts) => {
            parts.iter().map(|part| within(part, Binding::Not)).collect::<Vec<_>>().join(" and ")
        }
        ExprKind::Or(parts) => {
            parts.iter().map(|part| within(part, Binding::And)).collect::<Vec<_>>().join(" or ")
        }
        ExprKind::Not(inner) => format!("not {}", within(inner, Binding::Not)),
        ExprKind::Exists(clauses) => {
            let clauses: Vec<String> = clauses.iter().map(clause).collect();
            format!("exists {{ {} }}", clauses.join(" "))
        }
    }
}

/// A value that may be computed, such as `a + b`.
fn computed(expr: &Expr) -> String {
    within(expr, Binding::Sum)
}

fn binding_of(op: ArithOp) -> Binding {
    match op {
        ArithOp::Add | ArithOp::Sub => Binding::Sum,
        ArithOp::Mul | ArithOp::Div | ArithOp::Rem => Binding::Product,
    }
}

fn within(inner: &Expr, place: Binding) -> String {
    let binding = match inner.kind {
        ExprKind::Arith { op, .. } => binding_of(op),
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Not(_) => Binding::Not,
        ExprKind::Compare { .. } | ExprKind::In { .. } | ExprKind::IsNull { .. } | ExprKind::Since { .. } => {
            Binding::Comparison
        }
        _ => Binding::Operand,
    };
    if binding < place { format!("({})", expr(inner)) } else { expr(inner) }
}

/// A clause; blocks inside of it too.
pub(super) fn clause(clause: &Clause) -> String {
    match clause {
        Clause::Filter(filter) => expr(filter),
        Clause::Traversal(step) => traversal(step),
        Clause::Binding(binding) if binding.props.is_empty() => {
            format!("${}: {}", binding.var, binding.type_name)
        }
        Clause::Binding(binding) => {
            let props = comma(binding.props.iter().map(assignment));
            format!("${}: {} {{ {props} }}", binding.var, binding.type_name)
        }
        Clause::Block(block) => {
            let clauses: Vec<String> = block.clauses.iter().map(self::clause).collect();
            format!("{} {{ {} }}", block.kind.as_str(), clauses.join(" "))
        }
    }
}

fn assignment(assignment: &Assignment) -> String {
    format!("{}: {}", assignment.property, expr(&assignment.value))
}

fn traversal(step: &Traversal) -> String {
    let var = step.edge_var.as_ref().map(|var| format!("${var}:")).unwrap_or_default();
    let names = step.edges.iter().map(|edge| edge.text.as_str()).collect::<Vec<_>>().join("|");
    let edges = match (step.undirected, step.edges.len()) {
        (true, _) => format!("<{names}>"),
        (false, 1) => names,
        (false, _) => format!("({names})"),
    };
    let hops = step.hops.map(|hops| {
        let max = hops.max.map(|max| max.to_string()).unwrap_or_default();
        format!("{{{},{max}}}", hops.min)
    });
    format!("${} {var}{edges}{} ${}", step.src, hops.unwrap_or_default(), step.dst)
}
