//! Edges of a pattern: which ones, in which direction, and what they say about the types of their ends.

mod any;

use super::Checker;
use super::scope::{Scope, VarKind};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::query::ast::Traversal;
use crate::query::parse::in_queries;
use crate::query::typed::{Arm, EdgeStep, UNBOUNDED, Way};
use crate::schema::catalog::{Catalog, EdgeType};
use crate::source::Name;
use crate::suggest;
use any::is_any;
use std::collections::BTreeSet;

/// Types after so many hops repeat; more need not be followed.
const MAX_TYPE_HOPS: u32 = 256;

type Types = BTreeSet<String>;

/// A variable, and its types if it has any yet.
type End = (Name, Option<Types>);

impl<'c> Checker<'c> {
    pub(super) fn traversal(&mut self, traversal: &Traversal, scope: &mut Scope) -> Option<EdgeStep> {
        let (min, max) = self.bounds(traversal)?;
        let src = self.end(&traversal.src, scope)?;
        let dst = self.end(&traversal.dst, scope)?;
        let arms = if is_any(traversal) {
            self.any_arms(traversal, max, (&src, &dst))?
        } else {
            self.named_arms(traversal, (&src, &dst))?
        };
        self.narrow(traversal, &arms, (min, max), (&src, &dst), scope)?;
        let var = match &traversal.edge_var {
            Some(name) => Some(self.edge_var(name, &arms, max, scope)?),
            None => None,
        };
        Some(EdgeStep { src: src.0.text, dst: dst.0.text, arms, min, max, var })
    }

    /// The edges that are named.
    fn named_arms(&mut self, traversal: &Traversal, (src, dst): (&End, &End)) -> Option<Vec<Arm>> {
        let edges: Vec<_> = traversal.edges.iter().map(|name| self.edge(name)).collect();
        let edges: Vec<&EdgeType> = edges.into_iter().collect::<Option<_>>()?;
        if traversal.undirected
            && let Some(edge) = edges.iter().find(|edge| edge.from != edge.to)
        {
            let message =
                format!("edge `{}` joins {} and {}, so it has one direction", edge.name, edge.from, edge.to);
            return self.error_with_hint(Code::T5, traversal.span, message, "leave out the `<` and `>`");
        }
        self.arms(traversal, &edges, src.1.as_ref(), dst.1.as_ref())
    }

    fn edge(&mut self, name: &Name) -> Option<&'c EdgeType> {
        let found = self.catalog.edge(&name.text);
        if found.is_none() {
            let known: Vec<String> = self.catalog.edges.keys().map(|edge| in_queries(edge)).collect();
            let hint = suggest::did_you_mean(&name.text, known.iter().map(String::as_str));
            let found = Diagnostic::error(Code::T4, name.span, format!("unknown edge `{name}`"));
            self.report(found.maybe_hint(hint));
        }
        found
    }

    fn bounds(&mut self, traversal: &Traversal) -> Option<(u32, u32)> {
        let Some(hops) = traversal.hops else { return Some((1, 1)) };
        if hops.min == 0 {
            let message = "the least number of hops is at least 1";
            let max = hops.max.map(|max| max.to_string()).unwrap_or_default();
            return self.error_with_hint(Code::T15, hops.span, message, format!("write `{{1,{max}}}`"));
        }
        let max = hops.max.unwrap_or(UNBOUNDED);
        if max < hops.min {
            let message = format!("the greatest number of hops, {max}, is below the least, {}", hops.min);
            return self.error(Code::T15, hops.span, message);
        }
        Some((hops.min, max))
    }

    /// The variable under its name, or under a new one for `$_`, and its types if it has any yet.
    fn end(&mut self, name: &Name, scope: &Scope) -> Option<End> {
        if name.text == "_" {
            self.anonymous += 1;
            let text = format!("_#{}", self.anonymous);
            return Some((Name { text, span: name.span }, None));
        }
        let Some(var) = scope.get(&name.text) else { return Some((name.clone(), None)) };
        if var.kind != VarKind::Node {
            let what = if var.kind == VarKind::Edge { "an edge" } else { "a path" };
            return self.error(Code::T5, name.span, format!("`${name}` is {what}, not a node"));
        }
        Some((name.clone(), Some(var.types.iter().cloned().collect())))
    }

    /// Gives every edge its direction, starting at the end that is known, at the left one when both are.
    fn arms(
        &mut self,
        traversal: &Traversal,
        edges: &[&EdgeType],
        src: Option<&Types>,
        dst: Option<&Types>,
    ) -> Option<Vec<Arm>> {
        let backwards = src.is_none() && dst.is_some();
        let known = src.or(dst).cloned();
        let mut reached =
            known.clone().unwrap_or_else(|| edges.iter().map(|edge| edge.from.clone()).collect());
        let mut ways: Vec<Option<Way>> = vec![None; edges.len()];
        loop {
            let before = ways.clone();
            for (edge, way) in edges.iter().zip(&mut ways) {
                if way.is_some() {
                    continue;
                }
                let (near, far) = if backwards { (&edge.to, &edge.from) } else { (&edge.from, &edge.to) };
                let fits = |end: &String| {
                    backwards || dst.is_none_or(|dst| traversal.hops.is_some() || dst.contains(end))
                };
                if traversal.undirected && reached.contains(near) {
                    *way = Some(Way::Both);
                } else if reached.contains(near) && (fits(far) || !reached.contains(far)) {
                    *way = Some(Way::Out);
                    reached.insert(far.clone());
                } else if reached.contains(far) {
                    *way = Some(Way::In);
                    reached.insert(near.clone());
                }
            }
            if ways == before {
                break;
            }
        }
        let name = if backwards { &traversal.dst } else { &traversal.src };
        let mut arms = Vec::new();
        for (edge, way) in edges.iter().zip(ways) {
            let Some(way) = way else {
                let types = known.iter().flatten().cloned().collect::<Vec<_>>().join(" or ");
                let (from, to) = (&edge.from, &edge.to);
                let message = format!(
                    "`${name}` is {types}, which is not an end of the edge `{}: {from} -> {to}`",
                    edge.name
                );
                return self.error(Code::T5, name.span, message);
            };
            arms.push(Arm { edge: edge.name.clone(), way });
        }
        Some(arms)
    }

    /// Both ends get the types that the edges leave them.
    fn narrow(
        &mut self,
        traversal: &Traversal,
        arms: &[Arm],
        hops: (u32, u32),
        (src, dst): (&End, &End),
        scope: &mut Scope,
    ) -> Option<()> {
        let ((src, src_types), (dst, dst_types)) = (src, dst);
        let all: Types = self.catalog.nodes.keys().cloned().collect();
        let near = src_types.as_ref().unwrap_or(&all);
        let back = follow(self.catalog, arms, dst_types.as_ref().unwrap_or(&all), hops, true);
        let near: Types = near.intersection(&back).cloned().collect();
        let ahead = follow(self.catalog, arms, &near, hops, false);
        let far: Types = dst_types.as_ref().unwrap_or(&all).intersection(&ahead).cloned().collect();
        if near.is_empty() || far.is_empty() {
            let expected = follow(self.catalog, arms, src_types.as_ref().unwrap_or(&all), hops, false);
            let expected = expected.into_iter().collect::<Vec<_>>().join(" or ");
            let edges = traversal.edges.iter().map(|edge| edge.text.as_str()).collect::<Vec<_>>().join("|");
            let found = dst_types.iter().flatten().cloned().collect::<Vec<_>>().join(" or ");
            let message = if expected.is_empty() {
                format!("`{edges}` cannot be followed {} times in a row", hops.0)
            } else {
                format!("`${dst}` is {found}, but `{edges}` leads from `${src}` to {expected}")
            };
            return self.error(Code::T5, dst.span, message);
        }
        for (name, types) in [(src, near), (dst, far)] {
            let types: Vec<String> = types.into_iter().collect();
            match scope.vars.get_mut(&name.text) {
                Some(var) => var.types = types,
                None => scope.bind(name, VarKind::Node, types),
            }
        }
        Some(())
    }

    fn edge_var(&mut self, name: &Name, arms: &[Arm], max: u32, scope: &mut Scope) -> Option<String> {
        if let Some(var) = scope.get(&name.text) {
            let found = Diagnostic::error(Code::T5, name.span, format!("`${name}` is bound already"));
            let span = var.span;
            self.report(found.also(span, "first here"));
            return None;
        }
        if self.param(&name.text).is_some() || name.text == "_" {
            let message = format!("`${name}` cannot be an edge variable");
            return self.error_with_hint(Code::T5, name.span, message, "give the edge another name");
        }
        let mut types: Vec<String> = arms.iter().map(|arm| arm.edge.clone()).collect();
        types.sort();
        types.dedup();
        let (kind, types) = if max > 1 { (VarKind::Path, Vec::new()) } else { (VarKind::Edge, types) };
        scope.bind(name, kind, types);
        Some(name.text.clone())
    }
}

/// The types that can be met after `min` to `max` hops.
fn follow(catalog: &Catalog, arms: &[Arm], start: &Types, (min, max): (u32, u32), backwards: bool) -> Types {
    let mut met = Types::new();
    let mut at = start.clone();
    let last = max.min(min.saturating_add(MAX_TYPE_HOPS)).min(2 * MAX_TYPE_HOPS);
    for hop in 1..=last {
        let mut next = Types::new();
        for arm in arms {
            let Some(edge) = catalog.edges.get(&arm.edge) else { continue };
            let way = if backwards { arm.way.reversed() } else { arm.way };
            if way != Way::In && at.contains(&edge.from) {
                next.insert(edge.to.clone());
            }
            if way != Way::Out && at.contains(&edge.to) {
                next.insert(edge.from.clone());
            }
        }
        if hop >= min.min(last) {
            met.extend(next.iter().cloned());
        }
        at = next;
    }
    met
}
