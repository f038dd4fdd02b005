//! Lines of formatted text, with the comments of the source between them.
//!
//! A comment stays before what it stands before, and behind what ends on its line. One in the middle of a line's worth
//! of source moves in front of it. At most one blank line is kept between two things.

use crate::lex::Comment;
use crate::source::Span;

/// Spaces per level.
const INDENT: usize = 4;

/// What does not fit into so many columns is broken into lines where the language allows it.
pub(crate) const WIDTH: usize = 100;

pub(crate) struct Printer<'s> {
    out: String,
    level: usize,
    source: &'s str,
    comments: &'s [Comment],
    /// Where the source of the last printed thing ends.
    last_end: usize,
    /// Nothing was printed since the block opened.
    fresh: bool,
}

impl<'s> Printer<'s> {
    /// Without source and comments, a tree is printed as it is.
    pub(crate) fn new(source: &'s str, comments: &'s [Comment]) -> Printer<'s> {
        Printer { out: String::new(), level: 0, source, comments, last_end: 0, fresh: true }
    }

    /// One line, or several that belong together; `span` is all of their source.
    pub(crate) fn item(&mut self, span: Span, text: &str) {
        self.lead(span);
        self.lines(text);
        self.trail(span);
    }

    /// A line that opens a block; `span` is its source up to and with the brace.
    pub(crate) fn open(&mut self, span: Span, text: &str) {
        self.item(span, text);
        self.level += 1;
        self.fresh = true;
    }

    /// The line that closes a block; `end` is where the source of the block ends.
    pub(crate) fn close(&mut self, end: u32) {
        let brace = Span { start: end.saturating_sub(1), end };
        self.comments_before(brace.start as usize);
        self.level = self.level.saturating_sub(1);
        self.fresh = true;
        self.lines("}");
        self.trail(brace);
        self.fresh = false;
    }

    /// A blank line, if nothing else is above.
    pub(crate) fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.fresh = true;
    }

    /// Whether a comment stands inside of the span.
    pub(crate) fn has_comment(&self, span: Span) -> bool {
        let mut until = self.comments.iter().take_while(|comment| comment.span.start < span.end);
        until.any(|comment| span.start <= comment.span.start)
    }

    /// Whether the text fits behind the indentation.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.level * INDENT + text.chars().count() <= WIDTH
    }

    /// One past the first `{` of the source from here on that is in no comment; the place itself without source.
    pub(crate) fn brace_after(&self, from: u32) -> u32 {
        let inside = |at: usize| {
            let mut until = self.comments.iter().take_while(|comment| comment.span.start as usize <= at);
            until.any(|comment| comment.span.range().contains(&at))
        };
        let rest = self.source.get(from as usize..).unwrap_or_default();
        let found = rest.match_indices('{').map(|(at, _)| from as usize + at).find(|at| !inside(*at));
        found.map_or(from, |at| at as u32 + 1)
    }

    pub(crate) fn finish(mut self) -> String {
        self.comments_before(usize::MAX);
        self.out
    }

    fn lead(&mut self, span: Span) {
        self.comments_before(span.end as usize);
        self.keep_blank(span.start as usize);
    }

    /// The comment that ends the line, if the source has one there.
    fn trail(&mut self, span: Span) {
        self.fresh = false;
        self.last_end = self.last_end.max(span.end as usize);
        let Some(comment) = self.comments.first() else { return };
        let between = self.source.get(span.end as usize..comment.span.start as usize);
        let is_behind = between.is_some_and(|gap| gap.chars().all(|c| matches!(c, ' ' | '\t' | ',' | ';')));
        if is_behind {
            self.out.pop();
            self.out.push(' ');
            self.comment(*comment);
        }
    }

    fn comments_before(&mut self, offset: usize) {
        while let Some(comment) = self.comments.first().copied().filter(|c| (c.span.start as usize) < offset)
        {
            self.keep_blank(comment.span.start as usize);
            self.out.push_str(&" ".repeat(self.level * INDENT));
            self.comment(comment);
            self.fresh = false;
        }
    }

    fn comment(&mut self, comment: Comment) {
        self.out.push_str(self.source[comment.span.range()].trim_end());
        self.out.push('\n');
        self.last_end = self.last_end.max(comment.span.end as usize);
        self.comments = &self.comments[1..];
    }

    fn keep_blank(&mut self, start: usize) {
        let gap = self.source.get(self.last_end..start).unwrap_or_default();
        let space = gap.len() - gap.trim_start_matches([' ', '\t', '\r', '\n', ',']).len();
        if !self.fresh && gap[..space].matches('\n').count() > 1 && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn lines(&mut self, text: &str) {
        for line in text.split('\n') {
            self.out.push_str(&" ".repeat(self.level * INDENT));
            self.out.push_str(line);
            self.out.push('\n');
        }
    }
}
