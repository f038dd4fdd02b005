//! Conditionals that cut through a statement or block: `#ifdef A` `if (x) {` `#else` `if (y) {` `#endif`.
//!
//! No tree has a place for them. Their directives go, and so does all but one branch, the one that a usual build
//! takes; conditionals round whole declarations and statements stay, with every branch. What stands under `#if 0`
//! goes: it need not even be C.

use super::super::conditions::Conditions;
use super::is_upper_word;
use super::tokens::{Token, TokenKind, Tokens};

/// Open brackets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Depth {
    braces: i32,
    parens: i32,
}

/// The tokens of a branch that tell whether it is whole.
#[derive(Clone, Copy, Debug, Default)]
struct Branch {
    start: usize,
    count: u32,
    /// `NAME` or `NAME(…)` in capitals.
    is_macro: bool,
    /// Begins with what goes on with a statement.
    is_rest: bool,
    /// Nothing but `name:`, which grammars take for a part of the statement that follows.
    is_label: bool,
    last: TokenKind,
}

struct Group {
    before: Depth,
    /// Where the branch that is kept leaves the brackets.
    kept: Depth,
    directives: Vec<(usize, usize)>,
    branches: Vec<(usize, usize)>,
    branch: Branch,
    /// `#if 0`: what stands there goes in any case.
    is_off: bool,
    /// The first branch whose condition holds.
    taken: Option<usize>,
    /// A branch is not whole.
    is_cut: bool,
    /// It stands in an initialiser, where grammars know no directives.
    in_initializer: bool,
}

pub(super) struct Conditionals<'s> {
    conditions: Conditions<'s>,
    depth: Depth,
    /// Whether each open brace is that of an initialiser.
    initializers: Vec<bool>,
    after_equals: bool,
    before: TokenKind,
    /// Between the `:` behind a constructor's parameters and its body, where grammars know no directives.
    in_members: bool,
    open: Vec<Group>,
}

impl<'s> Conditionals<'s> {
    pub(super) fn new(is_cpp: bool) -> Conditionals<'s> {
        Conditionals {
            conditions: Conditions::new(is_cpp),
            depth: Depth::default(),
            initializers: Vec::new(),
            after_equals: false,
            before: TokenKind::End,
            in_members: false,
            open: Vec::new(),
        }
    }

    /// Takes the next token into account; a conditional that ends and cut something adds its ranges.
    pub(super) fn see(&mut self, tokens: &Tokens<'s>, token: Token, ranges: &mut Vec<(usize, usize)>) {
        match token.kind {
            TokenKind::Directive => return self.directive(tokens, token, ranges),
            TokenKind::Punct(b'{') => {
                self.depth.braces += 1;
                self.initializers.push(self.after_equals || self.in_initializer());
            }
            TokenKind::Punct(b'}') => {
                self.depth.braces -= 1;
                self.initializers.pop();
            }
            TokenKind::Punct(b'(') => self.depth.parens += 1,
            TokenKind::Punct(b')') => self.depth.parens -= 1,
            _ => {}
        }
        self.after_equals = token.kind == TokenKind::Punct(b'=');
        let is_behind_item = matches!(self.before, TokenKind::Punct(b')' | b'}'));
        self.in_members = match token.kind {
            TokenKind::Punct(b':') => self.in_members || self.before == TokenKind::Punct(b')'),
            TokenKind::Punct(b'{') => self.in_members && !is_behind_item,
            TokenKind::Punct(b';') => false,
            _ => self.in_members,
        };
        self.before = token.kind;
        if let Some(group) = self.open.last_mut() {
            let branch = &mut group.branch;
            match branch.count {
                0 => {
                    let text = tokens.text(token);
                    branch.is_macro = token.kind == TokenKind::Word && is_upper_word(text);
                    branch.is_rest = text == b"else" || is_infix(token.kind);
                    branch.is_label = token.kind == TokenKind::Word && !is_section(text);
                }
                1 => {
                    branch.is_macro &= token.kind == TokenKind::Punct(b'(');
                    branch.is_label &= token.kind == TokenKind::Punct(b':');
                }
                _ => branch.is_label = false,
            }
            branch.count = branch.count.saturating_add(1);
            branch.last = token.kind;
        }
    }

    fn in_initializer(&self) -> bool {
        self.initializers.last().is_some_and(|is_initializer| *is_initializer)
    }

    fn directive(&mut self, tokens: &Tokens<'s>, token: Token, ranges: &mut Vec<(usize, usize)>) {
        let text = tokens.text(token)[1..].trim_ascii_start();
        let word = directive_word(tokens, token);
        let range = (token.start, token.end);
        let behind = text[word.len()..].trim_ascii();
        let is_active = self.open.iter().all(|group| group.taken == Some(group.branches.len()));
        let behind_text = std::str::from_utf8(behind).unwrap_or_default();
        let holds = (is_active || word != b"define") && self.conditions.branch(word, behind_text);
        match word {
            b"if" | b"ifdef" | b"ifndef" => self.open.push(Group {
                before: self.depth,
                kept: self.depth,
                directives: vec![range],
                branches: Vec::new(),
                branch: Branch { start: token.end, ..Branch::default() },
                is_off: is_zero(behind),
                taken: holds.then_some(0),
                is_cut: self.depth.parens > 0 || self.in_members || expects_more(self.before),
                in_initializer: self.in_initializer(),
            }),
            b"elif" | b"else" | b"elifdef" | b"elifndef" => {
                if let Some(group) = self.open.last_mut() {
                    group.close_branch(self.depth, token.start);
                    group.directives.push(range);
                    group.taken = group.taken.or(holds.then_some(group.branches.len()));
                    group.branch = Branch { start: token.end, ..Branch::default() };
                    self.depth = group.before;
                    self.initializers.resize(group.before.braces.max(0) as usize, group.in_initializer);
                }
            }
            b"endif" => {
                if let Some(mut group) = self.open.pop() {
                    group.close_branch(self.depth, token.start);
                    group.directives.push(range);
                    self.depth = group.kept;
                    self.close(group, ranges);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, group: Group, ranges: &mut Vec<(usize, usize)>) {
        if let Some(outer) = self.open.last_mut() {
            outer.branch.count = outer.branch.count.saturating_add(2);
            outer.branch.is_macro = false;
            outer.branch.last = if group.is_cut { group.branch.last } else { TokenKind::Punct(b';') };
        }
        let kept = group.kept();
        if group.is_cut || group.in_initializer {
            ranges.extend(group.directives);
        }
        if group.is_off {
            ranges.extend(group.branches.first());
        }
        if group.is_cut {
            let others = group.branches.into_iter().enumerate().filter(|(index, _)| *index != kept);
            ranges.extend(others.map(|(_, range)| range));
        }
    }
}

impl Group {
    /// The branch that stays when only one can; the first when none holds.
    fn kept(&self) -> usize {
        self.taken.unwrap_or(usize::from(self.is_off))
    }

    fn close_branch(&mut self, depth: Depth, end: usize) {
        if self.branches.len() == self.kept() {
            self.kept = depth;
        }
        self.branches.push((self.branch.start, end));
        self.is_cut |= depth != self.before || !self.branch.is_whole();
    }
}

impl Branch {
    /// Ends where a statement, declaration or list item may end.
    fn is_whole(&self) -> bool {
        let ends = matches!(self.last, TokenKind::Punct(b';' | b'}' | b'{' | b',' | b':'));
        let is_label = self.is_label && self.count == 2;
        self.count == 0 || self.is_macro || (ends && !self.is_rest && !is_label)
    }
}

/// `if` of `#if X`.
pub(super) fn directive_word<'s>(tokens: &Tokens<'s>, token: Token) -> &'s [u8] {
    let text = tokens.text(token)[1..].trim_ascii_start();
    text.iter().position(|b| !b.is_ascii_alphabetic()).map_or(text, |end| &text[..end])
}

/// Words before a `:` behind which nothing needs to follow.
fn is_section(word: &[u8]) -> bool {
    matches!(word, b"default" | b"public" | b"private" | b"protected" | b"signals" | b"slots")
}

/// Behind this no statement ends.
fn expects_more(before: TokenKind) -> bool {
    matches!(before, TokenKind::Punct(b'=' | b'?' | b'|' | b'+' | b'-' | b'/' | b'%' | b'^'))
}

/// Punctuation that no statement begins with.
fn is_infix(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Arrow
            | TokenKind::Punct(
                b'&' | b'|' | b'=' | b'?' | b':' | b')' | b']' | b'.' | b'<' | b'>' | b'/' | b'%' | b'^'
            )
    )
}

fn is_zero(condition: &[u8]) -> bool {
    condition.first() == Some(&b'0') && condition.get(1).is_none_or(u8::is_ascii_whitespace)
}
