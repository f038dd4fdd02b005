//! Words and punctuation of C and C++, as much as repairing needs.

/// How many tokens an attribute's arguments may have.
const MAX_ARGUMENTS: usize = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TokenKind {
    #[default]
    End,
    Word,
    /// A number, string or character.
    Literal,
    /// `::`
    Path,
    /// `->`
    Arrow,
    Punct(u8),
    /// A whole preprocessor line, with those that a backslash joins to it.
    Directive,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Comments and white space are passed over.
pub(super) struct Tokens<'s> {
    bytes: &'s [u8],
    at: usize,
    line_start: bool,
}

impl<'s> Tokens<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Tokens<'s> {
        Tokens { bytes, at: 0, line_start: true }
    }

    pub(super) fn text(&self, token: Token) -> &'s [u8] {
        &self.bytes[token.start..token.end]
    }

    /// What stands behind a qualified name that begins with `first`, pointers passed over, and whether the name
    /// is that of a constructor or destructor: `Foo<T>::Foo`.
    pub(super) fn behind_qualified(&self, first: Token) -> Option<(bool, Token)> {
        let mut ahead = Tokens { bytes: self.bytes, at: first.end, line_start: false };
        let (mut last, mut is_constructor, mut angles) = (self.text(first), false, 0u32);
        for _ in 0..2 * MAX_ARGUMENTS {
            let token = ahead.next();
            match token.kind {
                TokenKind::Punct(b'<') => angles += 1,
                TokenKind::Punct(b'>') if angles > 0 => angles -= 1,
                TokenKind::End | TokenKind::Punct(b';' | b'{') => return None,
                _ if angles > 0 => {}
                TokenKind::Path => {
                    let mut name = ahead.next();
                    if name.kind == TokenKind::Punct(b'~') {
                        is_constructor = true;
                        name = ahead.next();
                    }
                    is_constructor |= self.text(name) == last;
                    last = self.text(name);
                }
                TokenKind::Punct(b'*' | b'&') => {}
                TokenKind::Word if self.text(token) == b"const" => {}
                _ => return Some((is_constructor, token)),
            }
        }
        None
    }

    /// Whether nothing else stands on the token's line, comments aside.
    pub(super) fn is_alone(&self, token: Token) -> bool {
        let before = &self.bytes[..token.start];
        let before = before.iter().rposition(|b| *b == b'\n').map_or(before, |at| &before[at + 1..]);
        let behind = &self.bytes[token.end..];
        let behind = behind.iter().position(|b| *b == b'\n').map_or(behind, |at| &behind[..at]).trim_ascii();
        before.trim_ascii().is_empty()
            && (behind.is_empty() || behind.starts_with(b"//") || behind.starts_with(b"/*"))
    }

    /// Whether a parenthesis follows.
    pub(super) fn is_called(&self, token: Token) -> bool {
        self.bytes[token.end..].trim_ascii_start().starts_with(b"(")
    }

    /// The token behind another one.
    pub(super) fn next_after(&self, token: Token) -> Token {
        Tokens { bytes: self.bytes, at: token.end, line_start: false }.next()
    }

    /// Where the parenthesis that `open` opens ends, and the token behind it; `None` when it is long.
    pub(super) fn behind_parens(&self, open: Token) -> Option<(usize, Token)> {
        let mut ahead = Tokens { bytes: self.bytes, at: open.end, line_start: false };
        let mut depth = 1u32;
        for _ in 0..MAX_ARGUMENTS {
            let token = ahead.next();
            match token.kind {
                TokenKind::Punct(b'(') => depth += 1,
                TokenKind::Punct(b')') => depth -= 1,
                TokenKind::End | TokenKind::Punct(b';' | b'{') => return None,
                _ => {}
            }
            if depth == 0 {
                let mut behind = ahead.next();
                while behind.kind == TokenKind::Directive {
                    behind = ahead.next();
                }
                return Some((token.end, behind));
            }
        }
        None
    }

    /// The text between two places.
    pub(super) fn between(&self, start: usize, end: usize) -> &'s [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The tokens behind a parenthesis up to the one that closes it; none when it is long.
    pub(super) fn inside_parens(&self, open: Token) -> Vec<Token> {
        let mut ahead = Tokens { bytes: self.bytes, at: open.end, line_start: false };
        let (mut depth, mut found) = (1u32, Vec::new());
        for _ in 0..MAX_ARGUMENTS {
            let token = ahead.next();
            match token.kind {
                TokenKind::Punct(b'(') => depth += 1,
                TokenKind::Punct(b')') => depth -= 1,
                TokenKind::End | TokenKind::Punct(b';' | b'{') => break,
                _ => {}
            }
            found.push(token);
            if depth == 0 {
                return found;
            }
        }
        Vec::new()
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn next(&mut self) -> Token {
        self.skip_blanks();
        let start = self.at;
        let kind = match self.peek(0) {
            0 => return Token { kind: TokenKind::End, start: self.bytes.len(), end: self.bytes.len() },
            b'#' if self.line_start => {
                self.skip_line();
                TokenKind::Directive
            }
            b if is_word_byte(b) && !b.is_ascii_digit() => {
                self.skip_while(is_word_byte);
                if self.peek(0) == b'"' && self.bytes[start..self.at].ends_with(b"R") {
                    self.skip_raw_string();
                    TokenKind::Literal
                } else {
                    TokenKind::Word
                }
            }
            b if b.is_ascii_digit() => {
                self.skip_while(|b| is_word_byte(b) || matches!(b, b'.' | b'\''));
                TokenKind::Literal
            }
            quote @ (b'"' | b'\'') => {
                self.skip_quoted(quote);
                TokenKind::Literal
            }
            b':' if self.peek(1) == b':' => self.take(2, TokenKind::Path),
            b'-' if self.peek(1) == b'>' => self.take(2, TokenKind::Arrow),
            b => self.take(1, TokenKind::Punct(b)),
        };
        self.line_start = false;
        self.at = self.at.min(self.bytes.len());
        Token { kind, start, end: self.at }
    }

    fn take(&mut self, len: usize, kind: TokenKind) -> TokenKind {
        self.at += len;
        kind
    }

    fn skip_while(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && is_part(self.bytes[self.at]) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | b'\\' | b'\x0b' | b'\x0c' => self.at += 1,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => {
                    let rest = &self.bytes[self.at + 2..];
                    let end = memchr::memmem::find(rest, b"*/");
                    self.at = end.map_or(self.bytes.len(), |end| self.at + end + 4);
                }
                _ => return,
            }
        }
    }

    /// To the end of the line, and of those that a backslash joins to it.
    fn skip_line(&mut self) {
        while let Some(end) = memchr::memchr(b'\n', &self.bytes[self.at..]) {
            let continues = self.bytes[self.at..self.at + end].trim_ascii_end().ends_with(b"\\");
            self.at += end;
            if !continues {
                return;
            }
            self.at += 1;
        }
        self.at = self.bytes.len();
    }

    /// A string or character; an unclosed one ends with its line.
    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\\' => self.at += 2,
                b'\n' => return,
                b => {
                    self.at += 1;
                    if b == quote {
                        return;
                    }
                }
            }
        }
    }

    /// `R"x(…)x"`
    fn skip_raw_string(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let Some(open) = memchr::memchr(b'(', rest).filter(|open| *open <= 16) else {
            return self.skip_quoted(b'"');
        };
        let close = [b")", &rest[..open], b"\""].concat();
        let end = memchr::memmem::find(rest, &close).map_or(rest.len(), |end| end + close.len());
        self.at += 1 + end;
    }
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}
