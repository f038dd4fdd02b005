//! Where a token stands: among declarations or in a body, in the head of a template, in which class.

use super::tokens::{Token, TokenKind, Tokens};
use std::collections::HashSet;

/// What an open brace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope<'s> {
    Namespace,
    /// A class, struct or union by its name.
    Record(&'s [u8]),
    Body,
}

#[derive(Default)]
pub(super) struct Surroundings<'s> {
    scopes: Vec<Scope<'s>>,
    /// The name behind `class`, `struct` or `union` in the statement that is open; empty where none follows yet.
    record: Option<&'s [u8]>,
    /// The name of the record is complete.
    is_named: bool,
    is_namespace: bool,
    parens: u32,
    /// Open angle brackets of a template's head.
    angles: u32,
    before: Token,
    /// Names of the records that were opened, specialisations aside.
    records: HashSet<Vec<u8>>,
    is_specialized: bool,
    /// The braces that were open before each open conditional.
    conditionals: Vec<Vec<Scope<'s>>>,
}

impl<'s> Surroundings<'s> {
    /// Takes a token into account that is not overwritten.
    pub(super) fn see(&mut self, tokens: &Tokens<'s>, token: Token) {
        match token.kind {
            TokenKind::Punct(b'(') => self.parens += 1,
            TokenKind::Punct(b')') => self.parens = self.parens.saturating_sub(1),
            TokenKind::Punct(b'<') if self.parens == 0 => {
                if self.angles > 0 || tokens.text(self.before) == b"template" {
                    self.angles += 1;
                }
                let is_behind_name = self.record.is_some_and(|name| !name.is_empty()) && !self.is_named;
                self.is_specialized |= is_behind_name;
                self.is_named |= is_behind_name;
            }
            TokenKind::Punct(b'>') if self.parens == 0 => self.angles = self.angles.saturating_sub(1),
            TokenKind::Punct(b'{') => self.open(tokens),
            TokenKind::Punct(b'}') => {
                self.scopes.pop();
                self.end_statement();
            }
            TokenKind::Punct(b';') => self.end_statement(),
            TokenKind::Punct(b':') => self.is_named = true,
            TokenKind::Word if self.angles == 0 && self.parens == 0 => self.word(tokens.text(token)),
            _ => {}
        }
        self.before = token;
    }

    /// A branch of a conditional begins where the first one did.
    pub(super) fn directive(&mut self, word: &[u8]) {
        match word {
            b"if" | b"ifdef" | b"ifndef" => self.conditionals.push(self.scopes.clone()),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                if let Some(outer) = self.conditionals.last() {
                    self.scopes.clone_from(outer);
                }
            }
            b"endif" => {
                self.conditionals.pop();
            }
            _ => {}
        }
    }

    fn word(&mut self, word: &'s [u8]) {
        match word {
            b"class" | b"struct" | b"union" => (self.record, self.is_named) = (Some(&[][..]), false),
            b"namespace" => self.is_namespace = true,
            b"final" => {}
            b"enum" => self.record = None,
            _ if !self.is_named => self.record = self.record.map(|_| word),
            _ => {}
        }
    }

    fn open(&mut self, tokens: &Tokens<'s>) {
        let before = tokens.text(self.before);
        let is_function = self.before.kind == TokenKind::Punct(b')')
            || matches!(before, b"const" | b"noexcept" | b"override" | b"try" | b"else" | b"do");
        let scope = match self.record {
            _ if self.is_namespace || self.before.kind == TokenKind::Literal => Scope::Namespace,
            _ if is_function || self.before.kind == TokenKind::Punct(b'=') || self.parens > 0 => Scope::Body,
            Some(name) => {
                if !self.is_specialized {
                    self.records.insert(name.to_vec());
                }
                Scope::Record(name)
            }
            None => Scope::Body,
        };
        self.scopes.push(scope);
        self.end_statement();
    }

    fn end_statement(&mut self) {
        (self.record, self.is_named, self.is_namespace) = (None, false, false);
        self.is_specialized = false;
        (self.parens, self.angles) = (0, 0);
    }

    pub(super) fn into_records(self) -> HashSet<Vec<u8>> {
        self.records
    }

    /// Declarations stand here, not statements.
    pub(super) fn is_declarative(&self) -> bool {
        self.parens == 0 && self.scopes.last() != Some(&Scope::Body)
    }

    /// Statements stand here.
    pub(super) fn is_body(&self) -> bool {
        self.parens == 0 && self.scopes.last() == Some(&Scope::Body)
    }

    /// Directly in the parameter list of a template.
    pub(super) fn in_template_head(&self) -> bool {
        self.angles == 1 && self.parens == 0
    }

    /// Directly in the body of a class, struct or union.
    pub(super) fn is_in_record(&self) -> bool {
        self.parens == 0 && matches!(self.scopes.last(), Some(Scope::Record(_)))
    }

    /// Directly in the body of a class of this name.
    pub(super) fn is_in_class(&self, name: &[u8]) -> bool {
        self.parens == 0 && matches!(self.scopes.last(), Some(Scope::Record(own)) if *own == name)
    }
}
