//! Prints of formats that are read without a tree: Markdown as it is shown, tables and settings line by line.

use super::normal::Fnv;
use crate::Lang;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::fmt::Write as _;

/// What a file says.
pub(super) fn of(path: &str, lang: Lang, source: &str) -> u64 {
    let mut hash = Fnv::new();
    if lang == Lang::Markdown {
        hash.add(shown(source).as_bytes());
    } else {
        let end = path.rsplit('.').next().unwrap_or_default();
        let is_settings = !matches!(end, "csv" | "tsv");
        for line in source.lines() {
            let text = line.trim();
            if is_settings && (text.is_empty() || text.starts_with('#')) {
                continue;
            }
            hash.add(if is_settings { text } else { line }.as_bytes());
            hash.add(b"\n");
        }
    }
    hash.finish()
}

/// Markdown as the sequence of what is shown: white space counts where it is shown or makes a structure.
fn shown(source: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let parser = Parser::new_ext(source, options);
    let mut out = String::with_capacity(source.len());
    // The parser keeps them in no order.
    let mut definitions = Vec::new();
    for (label, it) in parser.reference_definitions().iter() {
        let title = it.title.as_deref().unwrap_or_default();
        definitions.push(format!("[{label}]: {} {title}\u{1}", it.dest));
    }
    definitions.sort_unstable();
    out.push_str(&definitions.concat());
    let mut is_code = false;
    for event in parser {
        match event {
            Event::Start(tag) => {
                is_code |= matches!(tag, Tag::CodeBlock(_) | Tag::MetadataBlock(_));
                let _ = write!(out, "\u{1}{tag:?}\u{2}");
            }
            Event::End(end) => {
                is_code &= !matches!(end, TagEnd::CodeBlock | TagEnd::MetadataBlock(_));
                out.push('\u{3}');
            }
            Event::Text(text) if is_code => out.push_str(&text.replace("\r\n", "\n")),
            Event::Text(text) => push_folded(&mut out, &text),
            Event::SoftBreak => push_folded(&mut out, " "),
            other => {
                let _ = write!(out, "\u{1}{other:?}\u{3}");
            }
        }
    }
    out
}

/// Adds prose, in which one space is as good as many.
fn push_folded(out: &mut String, text: &str) {
    for letter in text.chars() {
        if !letter.is_whitespace() {
            out.push(letter);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
}
