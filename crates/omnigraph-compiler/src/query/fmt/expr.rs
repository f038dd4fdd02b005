//! Expressions and clauses on one line.

use crate::literal::comma;
use crate::query::ast::{Assignment, Clause, Expr, ExprKind, Traversal};

/// How strongly a form binds; what binds weaker than its place needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    Comparison,
    Operand,
}

pub(super) fn expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.to_string(),
        ExprKind::List(items) => format!("[{}]", comma(items.iter().map(operand))),
        ExprKind::Var(name) => format!("${name}"),
        ExprKind::Property { var, property } => format!("${var}.{property}"),
        ExprKind::Ident(name) => name.clone(),
        ExprKind::Now => "now()".into(),
        ExprKind::Call { function, args } => {
            format!("{}({})", function.as_str(), comma(args.iter().map(operand)))
        }
        ExprKind::Aggregate { function, distinct, arg } => {
            format!("{}({}{})", function.as_str(), if *distinct { "distinct " } else { "" }, operand(arg))
        }
        ExprKind::Compare { op, left, right } => {
            format!("{} {} {}", operand(left), op.as_str(), operand(right))
        }
        ExprKind::In { item, list, negated } => {
            format!("{} {}in {}", operand(item), if *negated { "not " } else { "" }, operand(list))
        }
        ExprKind::IsNull { arg, negated } => {
            format!("{} is {}null", operand(arg), if *negated { "not " } else { "" })
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

fn operand(expr: &Expr) -> String {
    within(expr, Binding::Operand)
}

fn within(inner: &Expr, place: Binding) -> String {
    let binding = match inner.kind {
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Not(_) => Binding::Not,
        ExprKind::Compare { .. } | ExprKind::In { .. } | ExprKind::IsNull { .. } => Binding::Comparison,
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
