//! What of an HTML page is code: scripts, handlers and bindings. A manual has none, and nothing in it uses a symbol.

use std::borrow::Cow;

/// Marks of templates: with one of them any text may be code.
const TEMPLATE: [&str; 5] = ["{{", "{%", "<%", "<?php", "${"];

/// Attributes whose values are code in a plain page besides handlers (`onclick`). Those of frameworks (`@click`, `v-if`,
/// `*ngFor`, `th:text`, `data-bind`) have other signs than letters in their names.
const CODE_ATTRIBUTES: [&str; 1] = ["style"];

/// How attributes begin that are plain although they have other signs in their names.
const PLAIN: [&str; 4] = ["accept-charset", "aria-", "http-equiv", "xml"];

/// The text of a file without a parser that may use symbols: of an HTML page what is code, else all of it.
pub(crate) fn code_in<'t>(path: &str, text: &'t str) -> Cow<'t, str> {
    let ending = path.rsplit('.').next().unwrap_or("");
    let is_page = ["html", "htm"].iter().any(|page| ending.eq_ignore_ascii_case(page));
    if !is_page || TEMPLATE.iter().any(|mark| text.contains(mark)) {
        return Cow::Borrowed(text);
    }
    let (mut code, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let end = tag_end(rest);
        let (tag, behind) = (&rest[..end], rest.get(end + 1..).unwrap_or(""));
        handlers(tag, &mut code);
        rest = match script(tag) {
            Some(name) => {
                let close = find_close(behind, name);
                code.push('\n');
                code.push_str(&behind[..close]);
                &behind[close..]
            }
            None => behind,
        };
    }
    Cow::Owned(code)
}

/// Where a tag ends: at the first `>` outside of quotes.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The element that a tag opens, if what is in it is code.
fn script(tag: &str) -> Option<&'static str> {
    let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or("");
    ["script", "style", "template"].into_iter().find(|element| element.eq_ignore_ascii_case(name))
}

/// Where the element is closed, or the end.
fn find_close(text: &str, name: &str) -> usize {
    let close = format!("</{name}");
    text.to_ascii_lowercase().find(&close).unwrap_or(text.len())
}

/// Adds the attributes of a tag whose values are code.
fn handlers(tag: &str, code: &mut String) {
    let mut rest = tag;
    while let Some((before, behind)) = rest.split_once('=') {
        let name = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
        let behind = behind.trim_start();
        let (value, after) = match behind.chars().next() {
            Some(quote @ ('"' | '\'')) => behind[1..].split_once(quote).unwrap_or((&behind[1..], "")),
            _ => behind.split_once(char::is_whitespace).unwrap_or((behind, "")),
        };
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphabetic())
            || PLAIN
                .iter()
                .any(|start| name.get(..start.len()).is_some_and(|of| of.eq_ignore_ascii_case(start)));
        let is_handler = name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("on"));
        if !is_plain || is_handler || CODE_ATTRIBUTES.contains(&name) {
            code.push('\n');
            code.push_str(value);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::code_in;

    #[test]
    fn a_manual_has_no_code_and_a_page_has_its_scripts() {
        let manual = "<html xml:lang=\"fill\"><meta http-equiv=\"fill\"><body lang=\"en\"><h1 id=fill>fill</h1><!-- fill() -->\n<a href=\"#fill\">fill(x > 1)</a></body>";
        assert_eq!(code_in("doc/manual.html", manual).trim(), "");
        let page =
            "<p onclick=\"fill('<a>')\">text</p><SCRIPT src=x>fill();</SCRIPT><b @click=go :x='y'>fill</b>";
        let code = code_in("index.HTM", page);
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["fill('<a>')", "fill();", "go", "y"]);
        assert_eq!(code_in("a.html", "<p>{{ fill }}</p>"), "<p>{{ fill }}</p>");
        assert_eq!(code_in("a.sh", "<p>fill"), "<p>fill");
        assert_eq!(code_in("a.html", "<script>never closed <p"), "\nnever closed <p");
    }
}
