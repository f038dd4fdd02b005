//! What only the preprocessor could tell, told well enough for a parser.
//!
//! Two things in front of the preprocessor make a grammar lose its way: macros that stand where no grammar
//! expects a word ([`attributes`], [`declarations`]), and conditionals that cut through a statement
//! ([`conditionals`]). Both are overwritten with blanks before parsing; offsets and lines stay as they are.

mod attributes;
mod conditionals;
mod declarations;
mod surroundings;
mod tokens;

pub(super) use attributes::is_upper_word;
use attributes::{attribute_call_end, is_attribute, is_trailing_attribute};
use conditionals::{Conditionals, directive_word};
use declarations::{misplaced_macro, odd_arguments};
use std::collections::{HashSet, VecDeque};
use surroundings::Surroundings;
use tokens::{Token, TokenKind, Tokens};

/// Places by their first byte and the one behind their last.
type Ranges = Vec<(usize, usize)>;

/// A source that was repaired.
pub(super) struct Repaired {
    /// The source with such places overwritten by blanks, when there are any.
    pub(super) text: Option<String>,
    /// The macros among them, with their arguments, in order.
    pub(super) macros: Ranges,
    /// Names of the classes that are defined, specialisations aside.
    pub(super) records: HashSet<Vec<u8>>,
}

pub(super) fn repaired(source: &str, is_cpp: bool) -> Repaired {
    let (mut ranges, macros, records) = ranges(source, is_cpp);
    ranges.extend(&macros);
    ranges.sort_unstable();
    let text = (!ranges.is_empty()).then(|| overwritten(source, ranges));
    Repaired { text, macros, records }
}

fn overwritten(source: &str, ranges: Ranges) -> String {
    let mut out = String::with_capacity(source.len());
    let mut done = 0;
    for (start, end) in ranges {
        let (start, end) = (start.max(done), end.max(done));
        out.push_str(&source[done..start]);
        out.extend(source[start..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        done = end;
    }
    out.push_str(&source[done..]);
    out
}

/// Byte ranges to overwrite, in no order; they may overlap. Then those of macros, and the classes that are defined.
fn ranges(source: &str, is_cpp: bool) -> (Ranges, Ranges, HashSet<Vec<u8>>) {
    let mut stream = Stream {
        tokens: Tokens::new(source.as_bytes()),
        conditionals: Conditionals::new(is_cpp),
        directives: VecDeque::new(),
        ranges: Ranges::new(),
    };
    let mut macros = Ranges::new();
    let (mut earlier, mut before) = (Token::default(), Token::default());
    let mut around = Surroundings::default();
    // Where the arguments of a macro end that is overwritten with them.
    let mut behind_macro = 0;
    let mut window = [Token::default(); 4];
    for slot in &mut window {
        *slot = stream.next();
    }
    while window[0].kind != TokenKind::End {
        let [token, following, ..] = window;
        stream.pass_directives(token, &mut around);
        let Stream { tokens, ranges, .. } = &mut stream;
        if token.start >= behind_macro {
            let found = match token.kind {
                TokenKind::Word => macro_range(tokens, &around, earlier, before, window, ranges),
                _ => None,
            };
            if let Some((start, end)) = found {
                macros.push((start, end));
                behind_macro = end;
            } else {
                if token.kind == TokenKind::Word {
                    odd_arguments(tokens, token, following, ranges);
                }
                around.see(tokens, token);
                (earlier, before) = (before, token);
            }
        }
        window.rotate_left(1);
        window[3] = stream.next();
    }
    (stream.ranges, macros, around.into_records())
}

/// The range of a macro that stands where no grammar expects it, with its arguments.
fn macro_range(
    tokens: &Tokens<'_>,
    around: &Surroundings<'_>,
    earlier: Token,
    before: Token,
    window: [Token; 4],
    ranges: &mut Ranges,
) -> Option<(usize, usize)> {
    let [token, following, ..] = window;
    if is_attribute(tokens, before, window)
        || is_trailing_attribute(tokens, earlier, before, token, following)
    {
        return Some((token.start, token.end));
    }
    match attribute_call_end(tokens, earlier, before, window) {
        Some(end) => Some((token.start, end)),
        None => misplaced_macro(tokens, around, before, window, ranges),
    }
}

/// The tokens of a source but its directives, which concern the conditionals.
struct Stream<'s> {
    tokens: Tokens<'s>,
    conditionals: Conditionals<'s>,
    /// Directives that stand before tokens which are still to come.
    directives: VecDeque<Token>,
    ranges: Ranges,
}

impl<'s> Stream<'s> {
    fn next(&mut self) -> Token {
        loop {
            let token = self.tokens.next();
            self.conditionals.see(&self.tokens, token, &mut self.ranges);
            if token.kind != TokenKind::Directive {
                return token;
            }
            self.directives.push_back(token);
            blank_comments(&self.tokens, token, &mut self.ranges);
        }
    }

    fn pass_directives(&mut self, token: Token, around: &mut Surroundings<'s>) {
        while let Some(directive) = self.directives.pop_front_if(|directive| directive.start < token.start) {
            around.directive(directive_word(&self.tokens, directive));
        }
    }
}

/// Comments in the text of a macro, which grammars take for its end.
fn blank_comments(tokens: &Tokens<'_>, directive: Token, ranges: &mut Ranges) {
    let text = tokens.text(directive);
    let mut at = 0;
    while let Some(start) = memchr::memmem::find(&text[at..], b"/*").map(|start| at + start) {
        let Some(end) = memchr::memmem::find(&text[start + 2..], b"*/").map(|end| start + end + 4) else {
            return;
        };
        let is_inside = !text[end..].trim_ascii().is_empty() && !text[start..end].contains(&b'\n');
        if is_inside && !text[..start].ends_with(b"\"") {
            ranges.push((directive.start + start, directive.start + end));
        }
        at = end;
    }
}
