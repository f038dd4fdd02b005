//! Text to tokens. Both languages share one set of tokens; comments are kept apart for the formatters.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{MAX_BYTES, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Starts with a small letter or `_`.
    Ident,
    /// Starts with a capital.
    Type,
    /// `$name`, with the dollar.
    Var,
    Int,
    Float,
    /// With its quotes.
    Str,
    /// Exactly this text.
    Punct(&'static str),
    /// A character no rule knows; already reported.
    Unknown,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    /// First on its line.
    pub(crate) on_new_line: bool,
}

/// A comment, with its `//` or `/* */`, without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) span: Span,
}

/// Everything in a text; the last token is [`Kind::End`].
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) errors: Diagnostics,
}

/// Longest first, so that `..` is not two dots.
const PUNCT: [&str; 26] = [
    "..", "->", "<=", ">=", "!=", "{", "}", "(", ")", "[", "]", ":", ",", ".", "@", "?", "|", "<", ">", "=",
    "-", "*", ";", "+", "/", "%",
];

/// Splits a text; what cannot be split is reported under `syntax` and skipped.
pub(crate) fn lex(text: &str, syntax: Code) -> Lexed {
    let mut lexer = Lexer { text, at: 0, new_line: true, syntax, out: Lexed::default() };
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len());
        lexer.out.errors.push(Diagnostic::error(syntax, Span::default(), message));
    } else {
        while lexer.at < text.len() {
            lexer.step();
        }
    }
    let end = Span::new(lexer.at, lexer.at);
    lexer.out.tokens.push(Token { kind: Kind::End, span: end, on_new_line: true });
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    new_line: bool,
    syntax: Code,
    out: Lexed,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return };
        match first {
            '\n' => {
                self.new_line = true;
                self.at += 1;
            }
            _ if first.is_whitespace() || first == '\u{feff}' => self.at += first.len_utf8(),
            '/' if rest.starts_with("//") => self.comment(line_length(rest)),
            '/' if rest.starts_with("/*") => self.block_comment(rest),
            '"' => self.string(rest),
            '$' => self.variable(rest),
            'a'..='z' | '_' => self.push(Kind::Ident, word_length(rest)),
            'A'..='Z' => self.push(Kind::Type, word_length(rest)),
            '0'..='9' => self.number(rest),
            _ => self.punct(rest, first),
        }
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.out.tokens.push(Token { kind, span, on_new_line: self.new_line });
        self.new_line = false;
        self.at += length;
    }

    fn comment(&mut self, length: usize) {
        self.out.comments.push(Comment { span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    fn block_comment(&mut self, rest: &str) {
        if let Some(end) = rest[2..].find("*/") {
            let length = end + 4;
            self.new_line |= rest[..length].contains('\n');
            return self.comment(length);
        }
        let span = Span::new(self.at, self.at + 2);
        let found = Diagnostic::error(self.syntax, span, "a comment that does not end");
        self.out.errors.push(found.label("opened here").hint("close it with `*/`"));
        self.at = self.text.len();
    }

    /// Strings may go over several lines. One that does not end is cut at its line, so that the rest is still read.
    fn string(&mut self, rest: &str) {
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return self.push(Kind::Str, at + 1),
                _ => {}
            }
        }
        let span = Span::new(self.at, self.at + 1);
        let found = Diagnostic::error(self.syntax, span, "a string that does not end");
        self.out.errors.push(found.label("opened here").hint("close it with `\"`"));
        self.push(Kind::Unknown, line_length(rest));
    }

    fn variable(&mut self, rest: &str) {
        let length = 1 + word_length(&rest[1..]);
        let good = rest[1..].starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
        if good {
            return self.push(Kind::Var, length);
        }
        let span = Span::new(self.at, self.at + length);
        let found = Diagnostic::error(self.syntax, span, "a variable is `$` and a name");
        self.out
            .errors
            .push(found.hint("names of variables start with a small letter or `_`, such as `$person`"));
        self.push(Kind::Unknown, length);
    }

    fn number(&mut self, rest: &str) {
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut length = digits(0);
        let mut kind = Kind::Int;
        if bytes.get(length) == Some(&b'.') && bytes.get(length + 1).is_some_and(u8::is_ascii_digit) {
            length += 1 + digits(length + 1);
            kind = Kind::Float;
        }
        if matches!(bytes.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
            let exponent = bytes.get(length + 1 + sign..).map_or(0, |_| digits(length + 1 + sign));
            if exponent > 0 {
                length += 1 + sign + exponent;
                kind = Kind::Float;
            }
        }
        self.push(kind, length);
    }

    fn punct(&mut self, rest: &str, first: char) {
        if let Some(punct) = PUNCT.iter().find(|punct| rest.starts_with(**punct)) {
            return self.push(Kind::Punct(punct), punct.len());
        }
        let span = Span::new(self.at, self.at + first.len_utf8());
        let shown = first.escape_debug();
        let found = Diagnostic::error(self.syntax, span, format!("`{shown}` does not belong here"));
        let hint = match first {
            '&' => Some("write `and`"),
            '!' => Some("write `not`; what is not equal is `!=`"),
            '\'' | '`' | '\u{201c}' | '\u{201d}' => Some("texts stand in `\"`"),
            '#' => Some("comments start with `//`"),
            _ => None,
        };
        self.out.errors.push(found.maybe_hint(hint.map(str::to_owned)));
        self.push(Kind::Unknown, first.len_utf8());
    }
}

fn line_length(rest: &str) -> usize {
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    line.strip_suffix('\r').unwrap_or(line).len()
}

fn word_length(rest: &str) -> usize {
    rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
}
