//! Plans in words: one operator per line, pipelines inside of operators indented. The same plan gives the same text.

use super::op::{Access, Expand, MutationOp, Op, Scan};
use super::output::{AggregateOp, Candidates, Limit, Output, ScoreOp, Sort};
use super::{MutationPlan, Plan, ReadPlan, expr_text};
use crate::literal::comma;
use crate::query::typed::{Arm, Expr, Param, Target, TextMatch, UNBOUNDED, Way};
use std::fmt;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plan::Read(plan) => write!(f, "{plan}"),
            Plan::Mutation(plan) => write!(f, "{plan}"),
        }
    }
}

impl fmt::Display for ReadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "read {}({})", self.name, comma(&self.params))?;
        pipeline(f, &self.pattern, 1)?;
        write!(f, "{}", self.output)
    }
}

impl fmt::Display for MutationPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "mutation {}({})", self.name, comma(&self.params))?;
        self.statements.iter().try_for_each(|statement| writeln!(f, "  {statement}"))
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}: {}", self.name, self.ty)?;
        self.default.iter().try_for_each(|value| write!(f, " = {value}"))
    }
}

fn pipeline(f: &mut fmt::Formatter<'_>, ops: &[Op], level: usize) -> fmt::Result {
    for op in ops {
        writeln!(f, "{:indent$}{op}", "", indent = level * 2)?;
        let inner = match op {
            Op::Join(join) => &join.inner,
            Op::Semi(semi) => &semi.inner,
            Op::Mark(mark) => &mark.inner,
            Op::Fold(fold) => &fold.inner,
            Op::Optional(optional) => &optional.inner,
            Op::Scan(_) | Op::Expand(_) | Op::Filter(_) => continue,
        };
        pipeline(f, inner, level + 1)?;
    }
    Ok(())
}

impl fmt::Display for Op {
    /// Without the pipelines inside of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = |names: &[String]| comma(names.iter().map(|name| format!("${name}")));
        match self {
            Op::Scan(scan) => write!(f, "{scan}"),
            Op::Expand(expand) => write!(f, "{expand}"),
            Op::Filter(condition) => write!(f, "filter {condition}"),
            Op::Join(join) if join.on.is_empty() => f.write_str("cross"),
            Op::Join(join) => {
                write!(
                    f,
                    "join on {}",
                    comma(join.on.iter().map(|(here, there)| format!("{here} = {there}")))
                )
            }
            Op::Semi(semi) => {
                let word = if semi.negated { "anti" } else { "semi" };
                write!(f, "{word} join by {}", dollars(&semi.outer))
            }
            Op::Mark(mark) => write!(f, "mark flag#{} by {}", mark.flag, dollars(&mark.outer)),
            Op::Fold(fold) => {
                let call = expr_text::fold(fold.function, fold.distinct, fold.arg.as_ref());
                write!(f, "fold#{} = {call} by {}", fold.value, dollars(&fold.outer))
            }
            Op::Optional(optional) => {
                write!(f, "optional by {} binds {}", dollars(&optional.outer), dollars(&optional.binds))
            }
        }
    }
}

impl fmt::Display for Output {
    /// A line for each thing that is done, as deep as the operators of the pattern.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = &self.scores {
            writeln!(f, "  {op}")?;
            op.filters.iter().try_for_each(|condition| writeln!(f, "  filter {condition}"))?;
        }
        self.groups.iter().try_for_each(|op| writeln!(f, "  {op}"))?;
        self.sort.iter().try_for_each(|op| writeln!(f, "  {op}"))?;
        self.limit.iter().try_for_each(|op| writeln!(f, "  {op}"))?;
        pipeline(f, &self.late, 1)?;
        let columns = self
            .columns
            .iter()
            .map(|column| format!("{}: {} = {}", column.name, column.expr.ty, column.expr));
        writeln!(f, "  project {}", comma(columns))
    }
}

impl fmt::Display for ScoreOp {
    /// Without its filters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores = self.scores.iter().enumerate().map(|(at, score)| format!("score#{at} = {score}"));
        let from = match self.candidates {
            Candidates::All => "all nodes",
            Candidates::Filtered => "filtered nodes",
            Candidates::Pattern => "the pattern",
        };
        write!(f, "score {} over {from}", comma(scores))
    }
}

impl fmt::Display for AggregateOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls =
            self.aggregates.iter().map(|call| expr_text::call(call.function, call.distinct, &call.arg));
        let slots = self.keys.iter().map(ToString::to_string).chain(calls).enumerate();
        let slots: Vec<String> = slots.map(|(at, text)| format!("#{at} = {text}")).collect();
        let (keys, calls) = slots.split_at(self.keys.len());
        if calls.is_empty() {
            return write!(f, "distinct {}", comma(keys));
        }
        let by = if keys.is_empty() { String::new() } else { format!(" by {}", comma(keys)) };
        write!(f, "aggregate{by} give {}", comma(calls))
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.keys.iter().map(|key| format!("{} {}", key.expr, key.direction.as_str()));
        write!(f, "sort {}{}", comma(keys), if self.top.is_some() { ", top only" } else { "" })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skip = self.skip.as_ref().map(|count| format!("skip {count}"));
        let limit = self.limit.as_ref().map(|count| format!("limit {count}"));
        f.write_str(&skip.into_iter().chain(limit).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scan ${}: {}", self.var, self.types.join("|"))?;
        access(f, &self.access)?;
        conditions(f, " where ", &self.filters, &self.search)?;
        properties(f, &self.var, &self.properties)
    }
}

impl fmt::Display for Expand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.into { "expand into" } else { "expand" };
        let hops = match (self.min, self.max) {
            (1, 1) => String::new(),
            (min, UNBOUNDED) => format!("{{{min},}}"),
            (min, max) => format!("{{{min},{max}}}"),
        };
        write!(f, "{word} ${} {}{hops} ${}", self.src, arms(&self.arms), self.dst)?;
        if !self.into {
            write!(f, ": {}", self.types.join("|"))?;
        }
        self.edge.iter().try_for_each(|edge| write!(f, " edge ${edge}"))?;
        let turned = if self.reversed { ", turned round" } else { "" };
        self.path.iter().try_for_each(|path| write!(f, " path ${path}{turned}"))?;
        conditions(f, " where ", &self.filters, &self.search)?;
        conditions(f, " edge where ", &self.edge_filters, &[])?;
        properties(f, &self.dst, &self.properties)?;
        properties(f, self.edge.as_deref().unwrap_or_default(), &self.edge_properties)
    }
}

/// `-Knows->`, `<-Knows-`, `-Knows-`; several are separated by bars.
fn arms(arms: &[Arm]) -> String {
    let same = arms.iter().all(|arm| arm.way == arms[0].way);
    let names: Vec<String> = arms
        .iter()
        .map(|arm| match arm.way {
            Way::In if !same => format!("<{}", arm.edge),
            Way::Out if !same => format!("{}>", arm.edge),
            _ => arm.edge.clone(),
        })
        .collect();
    let names = names.join("|");
    match arms.first().map(|arm| arm.way) {
        Some(Way::Out) if same => format!("-{names}->"),
        Some(Way::In) if same => format!("<-{names}-"),
        _ => format!("-{names}-"),
    }
}

fn access(f: &mut fmt::Formatter<'_>, access: &Access) -> fmt::Result {
    match access {
        Access::Key => f.write_str(" by key"),
        Access::Source => f.write_str(" by source"),
        Access::Target => f.write_str(" by target"),
        Access::Changes => f.write_str(" by changes"),
        Access::Index(name) => write!(f, " by index {name}"),
        Access::Text(name) => write!(f, " by text index {name}"),
        Access::Full => Ok(()),
    }
}

fn conditions(f: &mut fmt::Formatter<'_>, word: &str, filters: &[Expr], search: &[TextMatch]) -> fmt::Result {
    if filters.is_empty() && search.is_empty() {
        return Ok(());
    }
    let all = filters.iter().map(expr_text::grouped).chain(search.iter().map(ToString::to_string));
    write!(f, "{word}{}", all.collect::<Vec<_>>().join(" and "))
}

fn properties(f: &mut fmt::Formatter<'_>, var: &str, names: &[String]) -> fmt::Result {
    if names.is_empty() {
        return Ok(());
    }
    write!(f, " reads {}", comma(names.iter().map(|name| format!("${var}.{name}"))))
}

impl fmt::Display for MutationOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set =
            |values: &[(String, Expr)]| comma(values.iter().map(|(name, value)| format!("{name}: {value}")));
        match self {
            MutationOp::InsertNode { type_name, values } => {
                write!(f, "insert node {type_name} {{ {} }}", set(values))
            }
            MutationOp::InsertEdge { type_name, from, to, values } => {
                write!(f, "insert edge {type_name} {from} -> {to}")?;
                if values.is_empty() { Ok(()) } else { write!(f, " {{ {} }}", set(values)) }
            }
            MutationOp::Update { target, access: way, filters, values } => {
                write!(f, "update {target}")?;
                access(f, way)?;
                conditions(f, " where ", filters, &[])?;
                write!(f, " set {{ {} }}", set(values))
            }
            MutationOp::Delete { target, access: way, filters } => {
                write!(f, "delete {target}")?;
                access(f, way)?;
                conditions(f, " where ", filters, &[])
            }
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Node(name) => write!(f, "node {name}"),
            Target::Edge(name) => write!(f, "edge {name}"),
        }
    }
}
