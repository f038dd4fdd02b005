//! A walk over tokens that both parsers share: looking, taking, complaining, and going on after an error.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lex::{Comment, Kind, Lexed, Token, lex};
use crate::literal::{Literal, unquote};
use crate::source::{Name, Span};
use crate::suggest;

/// Blocks, parentheses and lists may be inside of each other this often.
const MAX_DEPTH: usize = 64;

/// A list longer than this is a mistake, and would make what follows slow.
const MAX_ITEMS: usize = 1000;

/// A parse failed; its diagnostic is already noted.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// A place among the tokens, and how many braces are open there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    at: usize,
    open: usize,
}

pub(crate) struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// `{` without their `}` so far.
    open: usize,
    syntax: Code,
    pub(crate) comments: Vec<Comment>,
    pub(crate) errors: Diagnostics,
}

impl<'t> Cursor<'t> {
    /// `syntax` is the code of everything that cannot be read.
    pub(crate) fn new(text: &'t str, syntax: Code) -> Cursor<'t> {
        let Lexed { tokens, comments, errors } = lex(text, syntax);
        Cursor { text, tokens, at: 0, depth: 0, open: 0, syntax, comments, errors }
    }

    /// The token `ahead` places further; the end repeats for ever.
    pub(crate) fn peek(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn kind(&self, ahead: usize) -> Kind {
        self.peek(ahead).kind
    }

    pub(crate) fn span(&self) -> Span {
        self.peek(0).span
    }

    /// The span of the token before this one.
    pub(crate) fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(crate) fn text(&self, ahead: usize) -> &'t str {
        &self.text[self.peek(ahead).span.range()]
    }

    pub(crate) fn bump(&mut self) -> Token {
        let token = self.peek(0);
        match token.kind {
            Kind::Punct("{") => self.open += 1,
            Kind::Punct("}") => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn is_end(&self) -> bool {
        self.kind(0) == Kind::End
    }

    pub(crate) fn is(&self, punct: &str) -> bool {
        self.is_ahead(0, punct)
    }

    pub(crate) fn is_ahead(&self, ahead: usize, punct: &str) -> bool {
        matches!(self.kind(ahead), Kind::Punct(found) if found == punct)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.is_word_ahead(0, word)
    }

    pub(crate) fn is_word_ahead(&self, ahead: usize, word: &str) -> bool {
        self.kind(ahead) == Kind::Ident && self.text(ahead) == word
    }

    pub(crate) fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn expect(&mut self, punct: &'static str) -> Parsed<Span> {
        if self.is(punct) { Ok(self.bump().span) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    /// A keyword; what looks like it is suggested.
    pub(crate) fn expect_word(&mut self, words: &[&str]) -> Parsed<Span> {
        if words.iter().any(|word| self.is_word(word)) {
            return Ok(self.bump().span);
        }
        let choice: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let hint = suggest::did_you_mean(self.text(0), words.iter().copied());
        Err(self.expected_or(&choice.join(" or "), hint))
    }

    /// A name that starts with a small letter.
    pub(crate) fn ident(&mut self, what: &str) -> Parsed<Name> {
        if self.kind(0) == Kind::Ident {
            return Ok(self.name());
        }
        let hint = (self.kind(0) == Kind::Type).then(|| {
            format!("names like this start with a small letter or `_`: `{}`", decapitalized(self.text(0)))
        });
        Err(self.expected_or(what, hint))
    }

    /// A name that starts with a capital.
    pub(crate) fn type_name(&mut self, what: &str) -> Parsed<Name> {
        if self.kind(0) == Kind::Type {
            return Ok(self.name());
        }
        let hint = (self.kind(0) == Kind::Ident)
            .then(|| format!("names of types start with a capital: `{}`", capitalized(self.text(0))));
        Err(self.expected_or(what, hint))
    }

    /// `$name`, without its dollar.
    pub(crate) fn variable(&mut self, what: &str) -> Parsed<Name> {
        if self.kind(0) == Kind::Var {
            let mut name = self.name();
            name.text.remove(0);
            return Ok(name);
        }
        let hint = (self.kind(0) == Kind::Ident)
            .then(|| format!("variables and parameters are written with a dollar: `${}`", self.text(0)));
        Err(self.expected_or(what, hint))
    }

    fn name(&mut self) -> Name {
        let text = self.text(0).to_owned();
        Name { text, span: self.bump().span }
    }

    /// A whole number without a sign that fits 32 bits.
    pub(crate) fn small_int(&mut self, what: &str) -> Parsed<(u32, Span)> {
        if self.kind(0) != Kind::Int {
            return Err(self.expected(what));
        }
        let Ok(value) = self.text(0).parse::<u32>() else {
            let message = format!("`{}` is too large for {what}", self.text(0));
            return Err(self.fail(self.span(), message));
        };
        Ok((value, self.bump().span))
    }

    /// A number, with a sign or without.
    pub(crate) fn number(&mut self) -> Parsed<(Literal, Span)> {
        let start = self.span();
        let sign = if self.eat("-") { "-" } else { "" };
        let text = format!("{sign}{}", self.text(0));
        let span = start.to(self.span());
        let value = match self.kind(0) {
            Kind::Int => {
                let parsed = text.parse::<i128>().ok();
                parsed.filter(|v| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(v)).map(Literal::Int)
            }
            Kind::Float => text.parse::<f64>().ok().filter(|v| v.is_finite()).map(Literal::Float),
            _ => return Err(self.expected("a number")),
        };
        self.bump();
        match value {
            Some(value) => Ok((value, span)),
            None => Err(self.fail(span, format!("`{text}` is too large for any number type"))),
        }
    }

    /// A string, decoded.
    pub(crate) fn string(&mut self, what: &str) -> Parsed<(String, Span)> {
        if self.kind(0) != Kind::Str {
            return Err(self.expected(what));
        }
        let text = self.text(0);
        let span = self.bump().span;
        unquote(text).map(|value| (value, span)).map_err(|(at, length)| {
            let start = span.start as usize + at;
            let found = &text[at..at + length];
            let span = Span::new(start, start + length);
            let found =
                Diagnostic::error(self.syntax, span, format!("unsupported escape sequence `{found}`"));
            self.note(found.hint("the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`"))
        })
    }

    /// `expected …, found …` at the next token.
    pub(crate) fn expected(&mut self, what: &str) -> Failed {
        self.expected_or(what, None)
    }

    pub(crate) fn expected_or(&mut self, what: &str, hint: Option<String>) -> Failed {
        if self.kind(0) == Kind::Unknown {
            return Failed; // the lexer has said what is wrong
        }
        let found = self.found();
        let span = self.span();
        let label = Diagnostic::error(self.syntax, span, format!("expected {what}, found {found}"));
        self.note(label.maybe_hint(hint))
    }

    /// How the next token is called in a message.
    pub(crate) fn found(&self) -> String {
        match self.kind(0) {
            Kind::End => "the end of the text".into(),
            _ => format!("`{}`", self.text(0).chars().take(40).collect::<String>()),
        }
    }

    pub(crate) fn fail(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.note(Diagnostic::error(self.syntax, span, message))
    }

    pub(crate) fn note(&mut self, diagnostic: Diagnostic) -> Failed {
        self.errors.push(diagnostic);
        Failed
    }

    /// One level deeper; too deep is an error instead of an overflow. Comes with a [`Cursor::leave`].
    pub(crate) fn enter(&mut self) -> Parsed<()> {
        if self.depth >= MAX_DEPTH {
            let found = Diagnostic::error(self.syntax, self.span(), "nested too deeply");
            self.note(found.hint(format!("at most {MAX_DEPTH} levels are read")));
            self.at = self.tokens.len() - 1; // what follows would be read as something it is not
            return Err(Failed);
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// An error when there are too many of something; nothing more is read then.
    pub(crate) fn at_most(&mut self, count: usize, what: &str) -> Parsed<()> {
        if count <= MAX_ITEMS {
            return Ok(());
        }
        self.fail(self.span(), format!("at most {MAX_ITEMS} {what} are read"));
        self.at = self.tokens.len() - 1;
        Err(Failed)
    }

    /// Where an item starts, for [`Cursor::skip_item`].
    pub(crate) fn mark(&self) -> Mark {
        Mark { at: self.at, open: self.open }
    }

    /// After an error in an item of a block: on to the next line of the block, or to the brace that closes it.
    pub(crate) fn skip_item(&mut self, start: Mark) {
        while !self.is_end() {
            let is_next = self.is("}") || (self.peek(0).on_new_line && self.at > start.at);
            if self.open <= start.open && is_next {
                return;
            }
            self.bump();
        }
    }

    /// After an error in a declaration: on to the next line outside of all braces, or to the next of these words that
    /// begins a line.
    pub(crate) fn skip_declaration(&mut self, words: &[&str]) {
        self.bump();
        while !self.is_end() {
            let begins = words.iter().any(|word| self.is_word(word));
            if self.peek(0).on_new_line && (begins || self.open == 0) {
                break;
            }
            self.bump();
        }
        self.open = 0;
    }
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

fn decapitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + chars.as_str())
}
