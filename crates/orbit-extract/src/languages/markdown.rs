//! Markdown: headings, nested by level, each running to the next heading of its level or above.

use crate::builder::Builder;
use crate::{ExtractError, ExtractedFile, Lang, RawSymbol, Span, SymbolKind};
use pulldown_cmark::{Event, OffsetIter, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Longer headings are cut; nobody looks for their ends.
const MAX_NAME: usize = 240;

struct Heading {
    level: u8,
    start: usize,
    name: String,
}

#[expect(clippy::unnecessary_wraps, reason = "same shape as every language")]
pub(super) fn extract(_path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let headings = headings(source);
    let ends = section_ends(&headings, source.len());
    let mut b = Builder::new(Lang::Markdown, source);
    let mut lines = Lines { source, offset: 0, line: 1 };
    let first_lines: Vec<u32> = headings.iter().map(|heading| lines.at(heading.start)).collect();
    let last_line = last_line(source, lines);
    let mut open: Vec<u8> = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        while open.pop_if(|level| *level >= heading.level).is_some() {
            b.leave();
        }
        let path = b.qualify(&heading.name);
        let end = ends[index];
        let symbol = RawSymbol {
            name: b.intern(&heading.name),
            local: b.intern(&path),
            overload: 0,
            kind: SymbolKind::Heading,
            parent: b.scope(),
            span: Span { start: heading.start as u32, end: end.offset as u32 },
            line: first_lines[index],
            end_line: end.heading.map_or(last_line, |next| (first_lines[next] - 1).max(first_lines[index])),
            signature: None,
            ty: None,
            params: None,
            type_params: None,
            receiver: None,
            decorators: None,
            inactive: false,
            condition: None,
            known_as: None,
            is_virtual: false,
            bodiless: false,
            exported: true,
        };
        let scope = b.push_symbol(symbol);
        b.enter(scope);
        open.push(heading.level);
    }
    Ok(b.finish(&[]))
}

/// Where a section ends: at a heading, or at the end of the file.
#[derive(Clone, Copy)]
struct End {
    offset: usize,
    heading: Option<usize>,
}

fn section_ends(headings: &[Heading], len: usize) -> Vec<End> {
    let mut ends = vec![End { offset: len, heading: None }; headings.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        while let Some(closed) = open.pop_if(|above| headings[*above].level >= heading.level) {
            ends[closed] = End { offset: heading.start, heading: Some(index) };
        }
        open.push(index);
    }
    ends
}

/// The headings of a file in order. Code, HTML and front matter hold none.
fn headings(source: &str) -> Vec<Heading> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut events = Parser::new_ext(source, options).into_offset_iter();
    let mut found = Vec::new();
    while let Some((event, range)) = events.next() {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            let name = heading_text(&mut events);
            if !name.is_empty() {
                found.push(Heading { level: level as u8, start: start_of(source, range), name });
            }
        }
    }
    found
}

/// The heading's first byte that is not a blank.
fn start_of(source: &str, range: Range<usize>) -> usize {
    let text = source.get(range.clone()).unwrap_or("");
    range.start + (text.len() - text.trim_start().len())
}

/// The plain text up to the heading's end: no markup, no `{#anchor}`, single blanks.
fn heading_text(events: &mut OffsetIter<'_>) -> String {
    let mut text = String::new();
    for (event, _) in events.by_ref() {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    let plain = match text.trim_end().rfind("{#") {
        Some(at) if text.trim_end().ends_with('}') => &text[..at],
        _ => text.as_str(),
    };
    let mut name = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    name.truncate(name.floor_char_boundary(MAX_NAME));
    name
}

/// Line numbers of ascending offsets.
struct Lines<'s> {
    source: &'s str,
    offset: usize,
    line: u32,
}

impl Lines<'_> {
    fn at(&mut self, offset: usize) -> u32 {
        let passed = self.source.as_bytes().get(self.offset..offset).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u32;
        self.offset = offset.max(self.offset);
        self.line
    }
}

fn last_line(source: &str, mut lines: Lines<'_>) -> u32 {
    lines.at(source.trim_end_matches('\n').len().max(lines.offset))
}
