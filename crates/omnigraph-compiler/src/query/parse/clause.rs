//! The lines of a pattern.
//!
//! No word is reserved, so a line that starts with a variable is told by what follows: `$a: T` is a binding, `$a word $b`
//! a traversal, everything else a filter. `$a in $b` can be either; it is read as a traversal, and the checker takes it
//! for a filter when no edge has that name.

use super::Parser;
use crate::code::Code;
use crate::cursor::Parsed;
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::query::ast::{Assignment, Binding, Block, BlockKind, Change, Clause, ExprKind, Hops, Traversal};
use crate::source::{Name, Span};

impl Parser<'_> {
    /// `{ clause… }`, at least one. The span is that of the closing brace.
    pub(super) fn pattern(&mut self) -> Parsed<(Vec<Clause>, Span)> {
        self.at.enter()?;
        let result = self.clauses();
        self.at.leave();
        result
    }

    fn clauses(&mut self) -> Parsed<(Vec<Clause>, Span)> {
        let brace = self.at.expect("{")?;
        let mut clauses = Vec::new();
        let mut failed = false;
        while !self.at.is("}") && !self.at.is_end() {
            let start = self.at.mark();
            if let Ok(clause) = self.clause() {
                clauses.push(clause);
                self.at.at_most(clauses.len(), "clauses in a pattern")?;
            } else {
                failed = true;
                self.at.skip_item(start);
            }
        }
        let close = self.at.expect("}")?;
        if clauses.is_empty() && !failed {
            let found = Diagnostic::error(Code::Q000, brace.to(close), "a pattern needs at least one clause");
            return Err(self.at.note(found.hint("for instance `$p: Person`")));
        }
        Ok((clauses, close))
    }

    fn clause(&mut self) -> Parsed<Clause> {
        if let Some(kind) = self.block_kind() {
            return self.block(kind).map(Clause::Block);
        }
        if self.at.kind(0) == Kind::Var {
            if self.at.is_ahead(1, ":") {
                return self.binding().map(Clause::Binding);
            }
            if self.at.kind(1) == Kind::Type {
                let (var, name) = (self.at.text(0), self.at.text(1));
                // Edges are declared with a capital and written without one.
                let is_edge = self.at.kind(2) == Kind::Var;
                let edge = is_edge
                    .then(|| format!(", or `{var} {} {}` for an edge", in_queries(name), self.at.text(2)));
                let hint = format!("write `{var}: {name}`{}", edge.unwrap_or_default());
                self.at.bump();
                return Err(self.at.expected_or("`:`", Some(hint)));
            }
            if self.is_traversal() {
                return self.traversal().map(Clause::Traversal);
            }
        }
        self.expr().map(Clause::Filter)
    }

    /// A block that is a whole clause: nothing that joins expressions follows its brace.
    fn block_kind(&self) -> Option<BlockKind> {
        let kind = match self.at.text(0) {
            "not" => BlockKind::Not,
            "exists" => BlockKind::Exists,
            "optional" => BlockKind::Optional,
            _ => return None,
        };
        let is_optional_match = kind == BlockKind::Optional && self.at.is_word_ahead(1, "match");
        let opens = self.at.is_ahead(1, "{") || (is_optional_match && self.at.is_ahead(2, "{"));
        if self.at.kind(0) != Kind::Ident || !opens {
            return None;
        }
        let mut ahead = if is_optional_match { 3 } else { 2 };
        let mut open = 1usize;
        while open > 0 {
            match self.at.kind(ahead) {
                Kind::Punct("{") => open += 1,
                Kind::Punct("}") => open -= 1,
                Kind::End => return Some(kind),
                _ => {}
            }
            ahead += 1;
        }
        let joins = self.at.is_word_ahead(ahead, "and") || self.at.is_word_ahead(ahead, "or");
        let is_whole = match kind {
            BlockKind::Optional => true,
            BlockKind::Not => !joins,
            BlockKind::Exists => !self.goes_on(ahead),
        };
        is_whole.then_some(kind)
    }

    pub(super) fn block(&mut self, kind: BlockKind) -> Parsed<Block> {
        let start = self.at.bump().span;
        if kind == BlockKind::Optional {
            self.at.eat_word("match");
        }
        let header = start.to(self.at.span());
        let (clauses, close) = self.pattern()?;
        Ok(Block { kind, clauses, header, span: start.to(close) })
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let var = self.at.variable("a variable")?;
        self.at.expect(":")?;
        let type_name = self.at.type_name("a node type or an interface")?;
        let mut props = Vec::new();
        if self.at.eat("{") {
            props = self.assignments()?;
            self.at.expect("}")?;
        }
        let span = var.span.to(self.at.previous());
        Ok(Binding { var, type_name, props, span })
    }

    /// `name: value` up to the closing brace, which stays. Commas are optional.
    pub(super) fn assignments(&mut self) -> Parsed<Vec<Assignment>> {
        let mut list = Vec::new();
        while !self.at.is("}") && !self.at.is_end() {
            let property = self.property_name()?;
            self.at.expect(":")?;
            let value = self.expr()?;
            list.push(Assignment { property, value });
            self.at.at_most(list.len(), "values")?;
            self.at.eat(",");
        }
        Ok(list)
    }

    /// Whether what follows the variable is an edge and another variable.
    fn is_traversal(&self) -> bool {
        let mut ahead = 1;
        if self.at.kind(ahead) == Kind::Var && self.at.is_ahead(ahead + 1, ":") {
            return true; // an edge variable; what comes next must be an edge
        }
        if self.at.is_ahead(ahead, "*") {
            return self.is_any_edge();
        }
        if self.at.is_ahead(ahead, "<") {
            let is_any = self.at.is_ahead(ahead + 1, ANY_EDGE) && self.at.is_ahead(ahead + 2, ">");
            return is_any || self.edge_list_end(ahead + 1).is_some_and(|end| self.at.is_ahead(end, ">"));
        }
        if self.at.is_ahead(ahead, "(") {
            return self.edge_list_end(ahead + 1).is_some_and(|end| self.at.is_ahead(end, ")"));
        }
        let is_since =
            self.at.is_word_ahead(ahead + 1, "since") && Change::named(self.at.text(ahead)).is_some();
        if self.at.kind(ahead) != Kind::Ident || self.at.is_word_ahead(ahead, "not") || is_since {
            return false;
        }
        let is_operator = OPERATORS.contains(&self.at.text(ahead));
        let begins_clause = matches!(self.at.text(ahead), "exists" | "optional");
        let same_line = !self.at.peek(ahead).on_new_line;
        ahead += 1;
        match self.at.kind(ahead) {
            Kind::Var => !is_operator || !self.goes_on(ahead + 1),
            Kind::Punct("{") => self.at.kind(ahead + 1) == Kind::Int || !(is_operator || begins_clause),
            Kind::Punct("(") => false,
            // only an edge can stand here, so the variable behind it is missing
            _ => same_line && !is_operator,
        }
    }

    /// Whether `*` behind a variable stands for any edge, and is not a product that an expression begins with.
    fn is_any_edge(&self) -> bool {
        match self.at.kind(2) {
            Kind::Punct("{") => true,
            Kind::Var => {
                let computes = matches!(self.at.kind(3), Kind::Punct("+" | "-" | "*" | "/" | "%"));
                let next_line = self.at.peek(3).on_new_line;
                !(self.goes_on(3) || computes && !next_line)
            }
            _ => false,
        }
    }

    /// Where `a | b | c` ends.
    fn edge_list_end(&self, from: usize) -> Option<usize> {
        let mut ahead = from;
        while self.at.kind(ahead) == Kind::Ident {
            ahead += 1;
            if !self.at.is_ahead(ahead, "|") {
                return Some(ahead);
            }
            ahead += 1;
        }
        None
    }

    /// Whether an expression goes on behind a value.
    fn goes_on(&self, ahead: usize) -> bool {
        match self.at.kind(ahead) {
            Kind::Punct(punct) => matches!(punct, "." | "=" | "!=" | "<" | ">" | "<=" | ">="),
            Kind::Ident => {
                let is_not_in = self.at.is_word_ahead(ahead, "not") && self.at.is_word_ahead(ahead + 1, "in");
                is_not_in || OPERATORS.contains(&self.at.text(ahead))
            }
            _ => false,
        }
    }

    fn traversal(&mut self) -> Parsed<Traversal> {
        let src = self.at.variable("a variable")?;
        let mut edge_var = None;
        if self.at.kind(0) == Kind::Var {
            edge_var = Some(self.at.variable("an edge variable")?);
            self.at.expect(":")?;
        }
        let undirected = self.at.eat("<");
        let grouped = self.at.eat("(");
        let mut edges = vec![self.edge_name()?];
        let is_any = edges[0].text == ANY_EDGE;
        while (undirected || grouped) && !is_any && self.at.eat("|") {
            edges.push(self.edge_name()?);
        }
        if grouped {
            self.at.expect(")")?;
        }
        if undirected {
            self.at.expect(">")?;
        }
        let hops = if self.at.is("{") { Some(self.hops()?) } else { None };
        let dst = self.at.variable("the variable at the other end of the edge")?;
        let span = src.span.to(dst.span);
        Ok(Traversal { src, edge_var, edges, undirected, hops, dst, span })
    }

    fn edge_name(&mut self) -> Parsed<Name> {
        if self.at.is(ANY_EDGE) {
            return Ok(Name { text: ANY_EDGE.into(), span: self.at.bump().span });
        }
        self.at.ident("the name of an edge, or `*` for any")
    }

    fn hops(&mut self) -> Parsed<Hops> {
        let start = self.at.expect("{")?;
        let (min, _) = self.at.small_int("the least number of hops")?;
        self.at.expect(",")?;
        let max =
            if self.at.is("}") { None } else { Some(self.at.small_int("the greatest number of hops")?.0) };
        Ok(Hops { min, max, span: start.to(self.at.expect("}")?) })
    }
}

/// Instead of the name of an edge: all of them.
pub(in crate::query) const ANY_EDGE: &str = "*";

/// Words that join expressions, and could also be names of edges.
const OPERATORS: [&str; 7] = ["and", "or", "in", "is", "contains", "starts_with", "ends_with"];

/// A filter that could have been a traversal, for the checker: `$a in $b`.
pub(in crate::query) fn as_filter(traversal: &Traversal) -> Option<crate::query::ast::Expr> {
    use crate::query::ast::{CompareOp, Expr};
    let [edge] = &traversal.edges[..] else { return None };
    if traversal.edge_var.is_some() || traversal.undirected || traversal.hops.is_some() {
        return None;
    }
    let var = |name: &Name| Expr { kind: ExprKind::Var(name.text.clone()), span: name.span };
    let (left, right) = (var(&traversal.src), var(&traversal.dst));
    let kind = match edge.text.as_str() {
        "in" => ExprKind::In { item: Box::new(left), list: Box::new(right), negated: false },
        "and" => ExprKind::And(vec![left, right]),
        "or" => ExprKind::Or(vec![left, right]),
        word => {
            let op = CompareOp::named(word)?;
            ExprKind::Compare { op, left: Box::new(left), right: Box::new(right) }
        }
    };
    Some(Expr { kind, span: traversal.span })
}

/// How an edge is written in a query: `WorksAt` as `worksAt`.
pub(in crate::query) fn in_queries(edge: &str) -> String {
    let mut chars = edge.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + chars.as_str())
}
