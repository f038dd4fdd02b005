//! A pattern as operators: where to start, along which edges, and where each condition goes. Patterns inside of it are
//! in [`blocks`].

mod blocks;

use super::access::{self, Conditions};
use super::conjuncts;
use super::op::{Access, Expand, Join, Op, Scan};
use crate::query::typed::{BlockKind, CompareOp, EdgeStep, Expr, ExprKind, NodeVar, Pattern, TextMatch};
use crate::query::vars;
use crate::schema::catalog::Catalog;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Vars = BTreeSet<String>;

/// The operators of a whole `match`, and of the blocks in what is done with its rows. Conditions on scores are left to the
/// output.
pub(super) fn plan<'e>(
    catalog: &Catalog,
    pattern: &Pattern,
    output: impl Iterator<Item = &'e mut Expr>,
) -> Vec<Op> {
    let mut flags = 0;
    let mut builder = Builder::new(catalog, pattern, &mut flags, Vars::new());
    builder.build();
    output.for_each(|expr| builder.mark(expr));
    builder.ops
}

/// Plans one pattern. Its rows start from those of the pipeline around it, if there is one.
struct Builder<'p> {
    catalog: &'p Catalog,
    pattern: &'p Pattern,
    flags: &'p mut usize,
    /// Variables that have a value.
    bound: Vars,
    edges: Vec<&'p EdgeStep>,
    conditions: Conditions,
    /// `not` and `exists` blocks that are not planned yet.
    blocks: Vec<&'p (BlockKind, Pattern)>,
    /// Of every node of the pattern, before any condition is placed.
    restrictions: Rc<BTreeMap<String, (u8, usize)>>,
    ops: Vec<Op>,
    /// Blocks inside of expressions, and what they were replaced by.
    marked: Vec<(ExprKind, ExprKind)>,
    /// Nothing runs before this pipeline.
    is_first: bool,
}

impl<'p> Builder<'p> {
    fn new(catalog: &'p Catalog, pattern: &'p Pattern, flags: &'p mut usize, bound: Vars) -> Builder<'p> {
        let conditions: Conditions =
            conjuncts(&pattern.filters).into_iter().filter(|c| !super::output::has_score(c)).collect();
        let restrictions = Rc::new(restrictions(catalog, pattern, &conditions));
        let is_first = bound.is_empty();
        let edges = pattern.edges.iter().collect();
        let blocks = pattern.blocks.iter().filter(|(kind, _)| *kind != BlockKind::Optional).collect();
        Builder {
            catalog,
            pattern,
            flags,
            bound,
            edges,
            conditions,
            blocks,
            restrictions,
            ops: Vec::new(),
            marked: Vec::new(),
            is_first,
        }
    }

    fn build(&mut self) {
        self.place();
        loop {
            self.follow();
            let Some(node) = self.next_node() else { break };
            self.start(&node);
        }
        self.semis();
        let pattern = self.pattern;
        for (kind, block) in &pattern.blocks {
            if *kind == BlockKind::Optional {
                self.optional(block);
            }
        }
        self.semis();
        self.place();
    }

    /// Follows all edges that can be reached from what is bound.
    fn follow(&mut self) {
        while let Some(at) = self.next_edge() {
            if let Some(node) = self.known_end(self.edges[at]) {
                self.pin(&node);
                continue;
            }
            let edge = self.edges.remove(at);
            self.expand(edge);
        }
    }

    /// The other end of a walk of several hops when a key names it: the walk then looks for it alone, and ends there.
    fn known_end(&self, edge: &EdgeStep) -> Option<NodeVar> {
        let other = if self.bound.contains(&edge.src) { &edge.dst } else { &edge.src };
        let by_key = self.restriction(other).0 == access::rank(&Access::Key);
        let wanted = edge.max > 1 && by_key && !self.bound.contains(other);
        self.pattern.nodes.iter().find(|node| wanted && node.name == *other).cloned()
    }

    /// Binds a node beside what is bound, without its edges.
    fn pin(&mut self, node: &NodeVar) {
        let inner = vec![self.scan(node)];
        let on = self.take_equalities(&Vars::from([node.name.clone()]));
        self.bound.insert(node.name.clone());
        self.ops.push(Op::Join(Join { inner, on }));
        self.place();
    }

    /// An edge with a bound end: first those that close a circle, then those to the most restricted node.
    fn next_edge(&self) -> Option<usize> {
        let has = |name: &String| self.bound.contains(name);
        let ready = self.edges.iter().enumerate().filter(|(_, edge)| has(&edge.src) || has(&edge.dst));
        let cost = |edge: &EdgeStep| {
            if has(&edge.src) && has(&edge.dst) {
                return (0, 0, 0);
            }
            let other = if has(&edge.src) { &edge.dst } else { &edge.src };
            let (rank, conditions) = self.restriction(other);
            (1 + edge.max.min(2), rank, usize::MAX - conditions)
        };
        ready.min_by_key(|(at, edge)| (cost(edge), *at)).map(|(at, _)| at)
    }

    /// The most restricted node that no edge leads to from what is bound.
    fn next_node(&self) -> Option<NodeVar> {
        let open = self.pattern.nodes.iter().filter(|node| !self.bound.contains(&node.name));
        open.min_by_key(|node| {
            let (rank, conditions) = self.restriction(&node.name);
            (rank, usize::MAX - conditions)
        })
        .cloned()
    }

    /// How good the way to a node is, and how many conditions it has.
    fn restriction(&self, name: &str) -> (u8, usize) {
        self.restrictions.get(name).copied().unwrap_or((u8::MAX, 0))
    }

    fn types(&self, name: &str) -> Vec<String> {
        let node = self.pattern.nodes.iter().find(|node| node.name == name);
        node.map(|node| node.types.clone()).unwrap_or_default()
    }

    /// Starts at a node: as the first operator, or as a pipeline of its own that is joined.
    fn start(&mut self, node: &NodeVar) {
        if self.is_first && self.ops.is_empty() {
            let scan = self.scan(node);
            self.ops.push(scan);
            self.bound.insert(node.name.clone());
            return self.place();
        }
        let component = self.component(node);
        let inner = self.component_ops(&component, node);
        let on = self.take_equalities(&component);
        self.bound.extend(component);
        self.ops.push(Op::Join(Join { inner, on }));
        self.place();
    }

    /// All nodes and edges that hang together with a node and are not bound yet.
    fn component(&self, node: &NodeVar) -> Vars {
        let mut found = Vars::from([node.name.clone()]);
        loop {
            let before = found.len();
            for edge in &self.edges {
                if found.contains(&edge.src) || found.contains(&edge.dst) {
                    found.extend([edge.src.clone(), edge.dst.clone()]);
                    found.extend(edge.var.clone());
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn component_ops(&mut self, component: &Vars, node: &NodeVar) -> Vec<Op> {
        let inside = |condition: &Expr| {
            let used = vars::of_expr(condition);
            !used.is_empty() && used.is_subset(component) && !has_block(condition)
        };
        let (own, rest) = std::mem::take(&mut self.conditions).into_iter().partition(|c| inside(c));
        self.conditions = rest;
        let (edges, rest) =
            std::mem::take(&mut self.edges).into_iter().partition(|edge| component.contains(&edge.src));
        self.edges = rest;
        let mut inner = Builder {
            catalog: self.catalog,
            pattern: self.pattern,
            flags: self.flags,
            bound: Vars::new(),
            edges,
            conditions: own,
            blocks: Vec::new(),
            restrictions: Rc::clone(&self.restrictions),
            ops: Vec::new(),
            marked: Vec::new(),
            is_first: true,
        };
        inner.start(node);
        inner.follow();
        inner.ops
    }

    /// Conditions `here = there` between what is bound and a component.
    fn take_equalities(&mut self, component: &Vars) -> Vec<(Expr, Expr)> {
        let mut on = Vec::new();
        let bound = &self.bound;
        self.conditions.retain(|condition| {
            let ExprKind::Compare { op: CompareOp::Eq, left, right } = &condition.kind else { return true };
            let (l, r) = (vars::of_expr(left), vars::of_expr(right));
            if l.is_empty() || r.is_empty() || has_block(condition) {
                return true;
            }
            if l.is_subset(bound) && r.is_subset(component) {
                on.push(((**left).clone(), (**right).clone()));
            } else if r.is_subset(bound) && l.is_subset(component) {
                on.push(((**right).clone(), (**left).clone()));
            } else {
                return true;
            }
            false
        });
        on
    }

    fn scan(&mut self, node: &NodeVar) -> Op {
        let own = self.take_about(&node.name);
        let access = access::of_nodes(self.catalog, &node.types, &own);
        let (filters, search) = split(own);
        let (var, types) = (node.name.clone(), node.types.clone());
        Op::Scan(Scan { var, types, access, filters, search, properties: Vec::new() })
    }

    fn expand(&mut self, edge: &EdgeStep) {
        let reversed = !self.bound.contains(&edge.src);
        let into = !reversed && self.bound.contains(&edge.dst);
        let (src, dst) = if reversed { (&edge.dst, &edge.src) } else { (&edge.src, &edge.dst) };
        let mut arms = edge.arms.clone();
        if reversed {
            for arm in &mut arms {
                arm.way = arm.way.reversed();
            }
        }
        let own = if into { Conditions::new() } else { self.take_about(dst) };
        let (filters, search) = split(own);
        let is_path = edge.is_path();
        let edge_var = edge.var.clone().filter(|_| !is_path);
        let edge_filters = edge_var.as_ref().map(|name| self.take_about(name)).unwrap_or_default();
        self.bound.extend([src.clone(), dst.clone()]);
        self.bound.extend(edge.var.clone());
        self.ops.push(Op::Expand(Expand {
            src: src.clone(),
            dst: dst.clone(),
            arms,
            min: edge.min,
            max: edge.max,
            into,
            reversed,
            types: self.types(dst),
            filters,
            search,
            properties: Vec::new(),
            edge: edge_var,
            edge_filters,
            edge_properties: Vec::new(),
            path: edge.var.clone().filter(|_| is_path),
        }));
        self.place();
    }

    /// Takes the conditions that are about one variable alone.
    fn take_about(&mut self, name: &str) -> Conditions {
        let (own, rest) = std::mem::take(&mut self.conditions).into_iter().partition(|c| is_about(c, name));
        self.conditions = rest;
        own
    }

    /// Emits the conditions whose variables are all bound; blocks wait for [`Builder::semis`].
    fn place(&mut self) {
        if self.is_first && self.ops.is_empty() {
            return; // there are no rows yet to filter
        }
        let ready =
            |condition: &Expr| vars::of_expr(condition).is_subset(&self.bound) && !has_block(condition);
        let (now, later) = std::mem::take(&mut self.conditions).into_iter().partition(|c| ready(c));
        self.conditions = later;
        let now: Conditions = now;
        self.ops.extend(now.into_iter().map(Op::Filter));
    }
}

fn restrictions(catalog: &Catalog, pattern: &Pattern, conditions: &[Expr]) -> BTreeMap<String, (u8, usize)> {
    let mut own: BTreeMap<String, Conditions> = BTreeMap::new();
    for condition in conditions.iter().filter(|condition| !has_block(condition)) {
        let mut used = vars::of_expr(condition).into_iter();
        if let (Some(name), None) = (used.next(), used.next()) {
            own.entry(name).or_default().push(condition.clone());
        }
    }
    let of_node = |node: &NodeVar| {
        let own = own.get(&node.name).map(Vec::as_slice).unwrap_or_default();
        (node.name.clone(), (access::rank(&access::of_nodes(catalog, &node.types, own)), own.len()))
    };
    pattern.nodes.iter().map(of_node).collect()
}

/// Whether a condition looks at this variable and no other.
fn is_about(condition: &Expr, name: &str) -> bool {
    let used = vars::of_expr(condition);
    used.len() == 1 && used.contains(name) && !has_block(condition)
}

fn has_block(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Exists(_) | ExprKind::Fold { .. })
        || vars::children(expr).into_iter().any(has_block)
}

/// Text searches apart from other conditions.
fn split(conditions: Conditions) -> (Vec<Expr>, Vec<TextMatch>) {
    let mut filters = Vec::new();
    let mut search = Vec::new();
    for condition in conditions {
        match condition.kind {
            ExprKind::Text(text) => search.push(text),
            _ => filters.push(condition),
        }
    }
    (filters, search)
}
