//! What only the preprocessor could tell, told well enough for a parser.
//!
//! Two things in front of the preprocessor make a grammar lose its way: macros that stand where no grammar
//! expects a word ([`attributes`]), and conditionals that cut through a statement ([`conditionals`]). Both are
//! overwritten with blanks before parsing; offsets and lines stay as they are.

mod attributes;
mod conditionals;
mod tokens;

pub(super) use attributes::is_upper_word;
use attributes::{attribute_call_end, is_attribute, is_trailing_attribute};
use conditionals::Conditionals;
use tokens::{Token, TokenKind, Tokens};

/// Places by their first byte and the one behind their last.
type Ranges = Vec<(usize, usize)>;

/// A source that was repaired.
pub(super) struct Repaired {
    /// The source with such places overwritten by blanks.
    pub(super) text: String,
    /// The macros among them, with their arguments, in order.
    pub(super) macros: Ranges,
}

/// `None` when nothing is to be repaired.
pub(super) fn repaired(source: &str) -> Option<Repaired> {
    let (mut ranges, macros) = ranges(source);
    ranges.extend(&macros);
    if ranges.is_empty() {
        return None;
    }
    ranges.sort_unstable();
    let mut out = String::with_capacity(source.len());
    let mut done = 0;
    for (start, end) in ranges {
        let (start, end) = (start.max(done), end.max(done));
        out.push_str(&source[done..start]);
        out.extend(source[start..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        done = end;
    }
    out.push_str(&source[done..]);
    Some(Repaired { text: out, macros })
}

/// Byte ranges to overwrite, in no order; they may overlap. Then those of macros.
fn ranges(source: &str) -> (Ranges, Ranges) {
    let mut tokens = Tokens::new(source.as_bytes());
    let mut conditionals = Conditionals::default();
    let mut ranges = Ranges::new();
    let mut macros = Vec::new();
    // Directives concern the conditionals only; words are looked at without them.
    let mut next = |tokens: &mut Tokens<'_>, ranges: &mut Ranges| loop {
        let token = tokens.next();
        conditionals.see(tokens, token, ranges);
        if token.kind != TokenKind::Directive {
            return token;
        }
    };
    let (mut earlier, mut before) = (Token::default(), Token::default());
    let mut window = [Token::default(); 4];
    for slot in &mut window {
        *slot = next(&mut tokens, &mut ranges);
    }
    while window[0].kind != TokenKind::End {
        let [token, following, ..] = window;
        let is_macro = token.kind == TokenKind::Word
            && (is_attribute(&tokens, before, window)
                || is_trailing_attribute(&tokens, earlier, before, token, following));
        if is_macro {
            macros.push((token.start, token.end));
        } else {
            let call_end = match token.kind {
                TokenKind::Word => attribute_call_end(&tokens, earlier, before, window),
                _ => None,
            };
            macros.extend(call_end.map(|end| (token.start, end)));
            (earlier, before) = (before, token);
        }
        window.rotate_left(1);
        window[3] = next(&mut tokens, &mut ranges);
    }
    (ranges, macros)
}
