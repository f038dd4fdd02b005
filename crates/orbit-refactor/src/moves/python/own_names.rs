//! Names that a function has for itself: a variable or parameter that is called like the definition is not a use of it.

use orbit_extract::{Lang, Place, Span, Spelling, parts};
use orbit_graph::SymbolFacts;

/// A file in which a name is spelled.
pub(super) struct Spelled<'s> {
    pub(super) path: &'s str,
    pub(super) text: &'s str,
    /// All symbols of the file, outer ones before inner ones.
    pub(super) symbols: &'s [SymbolFacts],
    /// Where one name stands.
    pub(super) found: &'s [Spelling],
}

impl Spelled<'_> {
    /// Whether a spelling means a variable of a function round it. In Python a name that a function binds anywhere is its
    /// own everywhere in its body, unless it says `global`.
    pub(super) fn is_own(&self, spelling: &Spelling) -> bool {
        let at = spelling.span.start;
        let round = self.symbols.iter().filter(|symbol| symbol.kind.is_callable());
        let mut round = round.filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
        round.any(|function| {
            let body = self.body(function);
            // What stands for a parameter that is not given comes from outside of the function.
            let is_inside = spelling.binds || body.is_some_and(|body| body <= at);
            is_inside && self.binds(function, body)
        })
    }

    /// Whether a function binds the name by a statement of its own or as a parameter.
    fn binds(&self, function: &SymbolFacts, body: Option<u32>) -> bool {
        let bound = self.found.iter().filter(|other| other.binds && other.place == Place::Plain);
        let mut bound = bound.filter(|other| self.innermost(other.span.start) == Some(function.id));
        bound.any(|other| {
            let is_parameter = body.is_some_and(|body| other.span.start < body);
            is_parameter || self.is_statement(other)
        }) && !self.says_global(function)
    }

    fn says_global(&self, function: &SymbolFacts) -> bool {
        let text = &self.text[function.span.0 as usize..function.span.1 as usize];
        text.lines().any(|line| line.trim_start().starts_with("global "))
    }

    /// `name = …`, `a, name = …`, `for name in …`, `with … as name`: not a variable of a comprehension or a lambda.
    fn is_statement(&self, bound: &Spelling) -> bool {
        let before = &self.text[..bound.span.start as usize];
        let head = before.rsplit('\n').next().unwrap_or(before).trim_start();
        let is_word = |part: &str| part.trim().chars().all(|c| c.is_alphanumeric() || "_*".contains(c));
        let opens = ["for ", "async for ", "with ", "async with ", "except "];
        let is_open = opens.iter().any(|word| head.starts_with(word)) && !head.contains(['[', '{']);
        is_open || head.is_empty() || head.ends_with([',', ' ']) && head.split(',').all(is_word)
    }

    fn innermost(&self, at: u32) -> Option<i64> {
        let round = self.symbols.iter().filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
        round.filter(|symbol| symbol.kind.is_callable()).map(|symbol| symbol.id).next_back()
    }

    /// Where the body of a function begins.
    fn body(&self, function: &SymbolFacts) -> Option<u32> {
        let span = Span { start: function.span.0, end: function.span.1 };
        parts(self.path, Lang::Python, self.text.as_bytes(), span)?.body.map(|body| body.start)
    }
}
