//! Names that a macro of the file binds for the code that it is given: `let $name = $this.inner();` in its template.

use super::{Kind, Rust};
use crate::{ExprId, NameId};
use tree_sitter::Node;

/// What one rule of a macro takes, and the names that its template binds.
pub(super) struct Rule<'s> {
    takes: Vec<Part<'s>>,
    binds: Vec<(&'s str, Vec<Step<'s>>)>,
}

/// What a rule takes, part by part.
#[derive(Clone, Copy)]
enum Part<'s> {
    /// Exactly this token.
    Token(&'s str),
    /// One token, which the metavariable stands for.
    One(&'s str),
    /// All tokens up to the next one that is written in the rule.
    Several(&'s str),
    /// Tokens in brackets.
    Tree,
}

/// How a value is made from a metavariable: `$this.inner()?`.
#[derive(Clone, Copy)]
enum Step<'s> {
    Start(&'s str),
    Member(&'s str),
    Call,
    Held,
}

impl<'s> Rust<'s> {
    /// Keeps what a rule of a macro binds.
    pub(super) fn keep_rule(&mut self, name: &'s str, rule: Node<'_>) {
        let (Some(left), Some(right)) = (rule.child_by_field_name("left"), rule.child_by_field_name("right"))
        else {
            return;
        };
        let mut binds = Vec::new();
        self.lets_of(right, &mut binds, 0);
        if !binds.is_empty() {
            let takes = self.parts_of(left);
            self.rules.push((name, Rule { takes, binds }));
        }
    }

    /// Up to the first repetition.
    fn parts_of(&self, pattern: Node<'_>) -> Vec<Part<'s>> {
        let mut cursor = pattern.walk();
        let tokens: Vec<Node<'_>> = pattern.children(&mut cursor).collect();
        let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
        let parts = inner.iter().map_while(|token| match token.kind() {
            "token_repetition_pattern" => None,
            "token_tree_pattern" => Some(Part::Tree),
            "token_binding_pattern" => {
                let name = self.b.text(token.child_by_field_name("name")?);
                let fragment = self.b.text(token.child_by_field_name("type")?);
                let is_one = matches!(fragment, "ident" | "tt" | "literal" | "lifetime");
                Some(if is_one { Part::One(name) } else { Part::Several(name) })
            }
            _ => Some(Part::Token(self.b.text(*token))),
        });
        parts.collect()
    }

    /// `let $name = $value.method();` in a template.
    fn lets_of(&self, tree: Node<'_>, binds: &mut Vec<(&'s str, Vec<Step<'s>>)>, depth: u32) {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        for (at, token) in tokens.iter().enumerate() {
            if self.kind(*token) == Kind::TokenTree && depth < 4 {
                self.lets_of(*token, binds, depth + 1);
            }
            if token.kind() != "let" {
                continue;
            }
            let mut rest = tokens[at + 1..].iter().skip_while(|token| token.kind() == "mutable_specifier");
            let name = rest.next().filter(|token| self.kind(**token) == Kind::Metavariable);
            if let (Some(name), Some("=")) = (name, rest.next().map(Node::kind)) {
                let value: Vec<Node<'_>> = rest.take_while(|token| token.kind() != ";").copied().collect();
                binds.extend(self.steps_of(&value).map(|steps| (self.b.text(*name), steps)));
            }
        }
    }

    fn steps_of(&self, tokens: &[Node<'_>]) -> Option<Vec<Step<'s>>> {
        let (first, rest) = tokens.split_first()?;
        if self.kind(*first) != Kind::Metavariable {
            return None;
        }
        let mut steps = vec![Step::Start(self.b.text(*first))];
        let mut rest = rest.iter();
        while let Some(token) = rest.next() {
            steps.push(match token.kind() {
                "." => Step::Member(self.b.text(*rest.next()?)),
                "?" => Step::Held,
                "token_tree" if matches!(steps.last(), Some(Step::Member(_))) => Step::Call,
                _ => return None,
            });
        }
        Some(steps)
    }

    /// The names that an invocation binds for the code in it, with their values.
    pub(super) fn bound_by_macro(&mut self, name: &str, tree: Node<'_>) -> Vec<(NameId, ExprId)> {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
        let mut rules = self.rules.iter().filter(|(of, _)| *of == name);
        let matched = rules.find_map(|(_, rule)| Some((self.given_to(rule, inner)?, &rule.binds)));
        let Some((given, binds)) = matched else { return Vec::new() };
        let binds = binds.clone();
        let one = |name: &str| {
            let (_, tokens) = given.iter().find(|(of, _)| *of == name)?;
            let mut named = tokens.iter().filter(|token| token.kind() != "mutable_specifier");
            named.next().filter(|_| named.next().is_none()).copied()
        };
        let mut bound = Vec::new();
        for (name, steps) in binds {
            let Some(target) = one(name).filter(|token| self.kind(*token) == Kind::Identifier) else {
                continue;
            };
            let mut value = self.b.unknown();
            for step in steps {
                value = match step {
                    Step::Start(name) => match one(name) {
                        Some(token) => self.expr_of(token, 0),
                        None => self.b.unknown(),
                    },
                    Step::Member(member) => {
                        let member = self.b.intern(member);
                        self.b.member(value, member)
                    }
                    Step::Call => self.b.call(value),
                    Step::Held => self.b.element(value),
                };
            }
            bound.push((self.b.name(target), value));
        }
        bound
    }

    /// What the metavariables of a rule stand for, where it takes these tokens.
    fn given_to<'t>(&self, rule: &Rule<'s>, tokens: &[Node<'t>]) -> Option<Vec<(&'s str, Vec<Node<'t>>)>> {
        let mut rest = tokens;
        let mut given = Vec::new();
        for (at, part) in rule.takes.iter().enumerate() {
            let first = *rest.first()?;
            let taken = match *part {
                Part::Token(text) if self.b.text(first) == text => 1,
                Part::Tree if self.kind(first) == Kind::TokenTree => 1,
                Part::Token(_) | Part::Tree => return None,
                Part::One(name) => {
                    given.push((name, vec![first]));
                    1
                }
                Part::Several(name) => {
                    let taken = match rule.takes.get(at + 1) {
                        Some(Part::Token(end)) => {
                            rest.iter().position(|token| self.b.text(*token) == *end)?
                        }
                        Some(_) => return None,
                        None => rest.len(),
                    };
                    given.push((name, rest[..taken].to_vec()));
                    taken
                }
            };
            rest = &rest[taken..];
        }
        Some(given)
    }
}
