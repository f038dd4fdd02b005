//! The warnings, one function per rule.

use super::{Finding, QueryResult, Status};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Severity};
use crate::query::ast::{self, QueryDecl, QueryFile, Statement};
use crate::query::typed::{self, Body, CheckedQuery, Pattern};
use crate::query::vars;
use crate::schema::catalog::Catalog;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What can be seen without types.
pub(super) fn of_text(query: &QueryDecl, first: Span) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(hardcoded(query));
    found.extend(unused_params(query));
    found.extend(same_name(query, first));
    found
}

/// What needs types.
pub(super) fn of_checked(catalog: &Catalog, checked: &CheckedQuery, query: &QueryDecl) -> Vec<Diagnostic> {
    match (&checked.body, &query.body) {
        (Body::Read(read), ast::Body::Read(written)) => of_read(read, query, written),
        (Body::Mutation(checked), ast::Body::Mutation(written)) => parallel(catalog, checked, written),
        _ => Vec::new(),
    }
}

/// L208: an edge that is inserted twice between the same ends is changed, not added.
fn parallel(catalog: &Catalog, checked: &[typed::Statement], written: &[Statement]) -> Vec<Diagnostic> {
    let inserts = checked.iter().zip(written).filter_map(|(statement, written)| match statement {
        typed::Statement::InsertEdge { type_name, from, to, .. } => Some(((type_name, from, to), written)),
        _ => None,
    });
    let inserts: Vec<_> = inserts.collect();
    let mut found = Vec::new();
    for (at, (edge, written)) in inserts.iter().enumerate() {
        let has_key = catalog.body(edge.0).is_some_and(|body| !body.key.is_empty());
        let first = inserts[..at].iter().find(|(known, _)| known == edge);
        if let Some((_, first)) = first.filter(|_| !has_key) {
            let name = edge.0;
            let message = format!("this changes the edge that was inserted before: `{name}` has no key");
            let hint = format!("edges between the same nodes need one: `@key(@src, @dst, …)` in `{name}`");
            let warning = Diagnostic::warning(Code::L208, written.type_name().span, message);
            found.push(warning.also(first.type_name().span, "inserted here").hint(hint));
        }
    }
    found
}

fn of_read(read: &typed::Read, query: &QueryDecl, written: &ast::Read) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for param in
        query.params.iter().filter(|param| read.pattern.nodes.iter().any(|node| node.name == param.name.text))
    {
        let message = format!("`${}` is a parameter and a variable of the pattern", param.name);
        let warning = Diagnostic::warning(Code::L207, param.name.span, message);
        found.push(warning.hint("a bare name means the parameter; give one of them another name"));
    }
    if let Some((first, second)) = unconnected(&read.pattern) {
        let message = format!("nothing connects `${first}` and `${second}`: every pair of them is a row");
        let warning = Diagnostic::warning(Code::L206, written.match_span, message);
        found.push(warning.hint("join them with an edge or a comparison"));
    }
    found
}

/// L202
fn hardcoded(query: &QueryDecl) -> Option<Diagnostic> {
    let is_mutation = matches!(query.body, ast::Body::Mutation(_));
    let message = "mutation declares no params; hardcoded mutations are easy to miss";
    (is_mutation && query.params.is_empty())
        .then(|| Diagnostic::warning(Code::L202, query.name.span, message))
}

/// L203
fn unused_params(query: &QueryDecl) -> Vec<Diagnostic> {
    let mut used = BTreeSet::new();
    match &query.body {
        ast::Body::Read(read) => {
            clauses(&read.clauses, &mut used);
            read.projections.iter().for_each(|projection| expr(&projection.expr, &mut used));
            read.order.iter().for_each(|key| expr(&key.expr, &mut used));
            read.skip.iter().chain(&read.limit).for_each(|count| expr(count, &mut used));
        }
        ast::Body::Mutation(statements) => {
            for statement in statements {
                let (values, filter) = match statement {
                    Statement::Insert(insert) => (&insert.values[..], None),
                    Statement::Update(update) => (&update.values[..], Some(&update.filter)),
                    Statement::Delete(delete) => (&[][..], Some(&delete.filter)),
                };
                for value in values.iter().map(|value| &value.value).chain(filter) {
                    expr(value, &mut used);
                }
            }
        }
    }
    let unused = query.params.iter().filter(|param| !used.contains(param.name.text.as_str()));
    unused
        .map(|param| {
            let message = format!("nothing uses the parameter `${}`", param.name);
            Diagnostic::warning(Code::L203, param.name.span, message)
        })
        .collect()
}

/// L204
fn same_name(query: &QueryDecl, first: Span) -> Option<Diagnostic> {
    (first != query.name.span).then(|| {
        let message = format!("a second query is called `{}`; only the first can be run", query.name);
        Diagnostic::warning(Code::L204, query.name.span, message).also(first, "first here")
    })
}

fn clauses<'q>(list: &'q [ast::Clause], used: &mut BTreeSet<&'q str>) {
    for clause in list {
        match clause {
            ast::Clause::Binding(binding) => binding.props.iter().for_each(|prop| expr(&prop.value, used)),
            ast::Clause::Traversal(step) => used.extend([step.src.text.as_str(), step.dst.text.as_str()]),
            ast::Clause::Filter(filter) => expr(filter, used),
            ast::Clause::Block(block) => clauses(&block.clauses, used),
        }
    }
}

fn expr<'q>(value: &'q ast::Expr, used: &mut BTreeSet<&'q str>) {
    use ast::ExprKind as Kind;
    match &value.kind {
        Kind::Var(name) => {
            used.insert(name);
        }
        Kind::List(parts) | Kind::And(parts) | Kind::Or(parts) | Kind::Call { args: parts, .. } => {
            for part in parts {
                expr(part, used);
            }
        }
        Kind::Aggregate { arg, .. } | Kind::IsNull { arg, .. } | Kind::Not(arg) => expr(arg, used),
        Kind::Since { arg: left, since: right, .. }
        | Kind::Compare { left, right, .. }
        | Kind::Arith { left, right, .. }
        | Kind::In { item: left, list: right, .. } => {
            expr(left, used);
            expr(right, used);
        }
        Kind::Exists(list) => clauses(list, used),
        Kind::Fold { arg, clauses: list, .. } => {
            if let Some(arg) = arg {
                expr(arg, used);
            }
            clauses(list, used);
        }
        Kind::Literal(_) | Kind::Property { .. } | Kind::Ident(_) | Kind::Now => {}
    }
}

/// L206: two variables that no edge, condition or optional block connects.
fn unconnected(pattern: &Pattern) -> Option<(String, String)> {
    let mut groups: Vec<BTreeSet<String>> =
        pattern.nodes.iter().map(|node| BTreeSet::from([node.name.clone()])).collect();
    let edges = pattern.edges.iter().map(|edge| BTreeSet::from([edge.src.clone(), edge.dst.clone()]));
    let conditions = pattern.filters.iter().map(vars::of_expr);
    let blocks = pattern.blocks.iter().map(|(_, block)| block.outer.iter().cloned().collect());
    for link in edges.chain(conditions).chain(blocks) {
        let link: BTreeSet<String> = link;
        let (mut joined, rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.is_disjoint(&link));
        groups = rest;
        if !joined.is_empty() {
            groups.push(joined.drain(..).flatten().collect());
        }
    }
    let name = |group: &BTreeSet<String>| {
        pattern.nodes.iter().find(|node| group.contains(&node.name)).map(|node| node.name.clone())
    };
    let mut names: Vec<String> = groups.iter().filter_map(name).collect();
    names.sort();
    match &names[..] {
        [first, second, ..] => Some((first.clone(), second.clone())),
        _ => None,
    }
}

/// L201: properties of a type that is updated, which no update sets.
pub(super) fn update_coverage(catalog: &Catalog, file: &QueryFile, results: &[QueryResult]) -> Vec<Finding> {
    let mut updates: BTreeMap<&str, (BTreeSet<String>, BTreeSet<&str>)> = BTreeMap::new();
    for (query, _) in file.queries.iter().zip(results).filter(|(_, result)| result.status == Status::Ok) {
        let ast::Body::Mutation(statements) = &query.body else { continue };
        for statement in statements {
            if let Statement::Update(update) = statement {
                let (names, set) = updates.entry(&update.type_name.text).or_default();
                names.insert(query.name.text.clone());
                set.extend(update.values.iter().map(|value| value.property.text.as_str()));
            }
        }
    }
    let mut findings = Vec::new();
    for (type_name, (names, set)) in updates {
        let Some(node) = catalog.nodes.get(type_name) else { continue };
        let mut missing: Vec<&str> = node
            .body
            .properties
            .iter()
            .filter(|property| property.ty.nullable && property.embed.is_none())
            .map(|property| property.name.as_str())
            .filter(|name| !node.body.key.iter().any(|key| key == name) && !set.contains(name))
            .collect();
        missing.sort_unstable();
        findings.extend(missing.into_iter().map(|property| Finding {
            severity: Severity::Warning,
            code: Code::L201,
            message: format!("{type_name}.{property} exists in schema but no update query sets it"),
            type_name: Some(type_name.to_owned()),
            property: Some(property.to_owned()),
            query_names: names.iter().cloned().collect(),
        }));
    }
    findings
}
