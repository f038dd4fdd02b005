//! What was typed, as text: where a statement ends, and what stands around it.

/// Words that a file of queries begins with.
const OPENERS: [&str; 2] = ["query", "mutation"];

/// Walks through text outside of strings and comments.
struct Plain<'t> {
    rest: std::str::CharIndices<'t>,
    text: &'t str,
}

impl Iterator for Plain<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        loop {
            let (at, letter) = self.rest.next()?;
            match letter {
                '"' => {
                    while let Some((_, inside)) = self.rest.next() {
                        match inside {
                            '\\' => {
                                self.rest.next();
                            }
                            '"' => break,
                            _ => {}
                        }
                    }
                }
                '/' if self.text[at..].starts_with("//") => {
                    let _ = self.rest.find(|(_, letter)| *letter == '\n');
                }
                '/' if self.text[at..].starts_with("/*") => {
                    let mut last = ' ';
                    // The star that opens does not close.
                    self.rest.next();
                    let _ = self
                        .rest
                        .find(|(_, letter)| std::mem::replace(&mut last, *letter) == '*' && *letter == '/');
                }
                letter => return Some((at, letter)),
            }
        }
    }
}

fn plain(text: &str) -> Plain<'_> {
    Plain { rest: text.char_indices(), text }
}

/// How many brackets are open at the end.
fn depth(text: &str) -> i64 {
    plain(text).fold(0, |depth, (_, letter)| match letter {
        '{' | '(' | '[' => depth + 1,
        '}' | ')' | ']' => depth - 1,
        _ => depth,
    })
}

/// Whether there is nothing to run.
pub(super) fn is_blank(text: &str) -> bool {
    !text.contains('"') && plain(text).all(|(_, letter)| letter.is_whitespace())
}

/// Whether a statement ends here: a command with its line, a query with its last bracket. `match` alone asks for nothing yet.
pub(super) fn is_whole(text: &str) -> bool {
    let start = text.trim_start();
    if start.starts_with('\\') {
        let takes_query = ["\\explain", "\\analyze"].iter().any(|command| start.starts_with(command));
        return !takes_query || depth(start) <= 0;
    }
    if is_blank(start) || depth(start) > 0 {
        return is_blank(start);
    }
    let is_match = first_word(start) == "match";
    // An empty line ends what would otherwise wait for ever.
    !is_match || has_word(start, "return") || text.ends_with("\n\n")
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
}

fn has_word(text: &str, word: &str) -> bool {
    let mut last = None;
    let mut run = String::new();
    for (at, letter) in plain(text).chain([(text.len(), ' ')]) {
        if letter.is_alphanumeric() || letter == '_' || letter == '$' {
            if last.is_some_and(|last| last + 1 != at) {
                run.clear();
            }
            run.push(letter);
            last = Some(at + letter.len_utf8() - 1);
        } else {
            if run == word {
                return true;
            }
            run.clear();
            last = None;
        }
    }
    false
}

/// What was typed as a file of queries: a bare body gets a name.
pub(super) fn whole_query(typed: &str) -> String {
    let start: usize = plain(typed).find(|(_, letter)| !letter.is_whitespace()).map_or(0, |(at, _)| at);
    let is_file = OPENERS.contains(&first_word(&typed[start..])) || typed[start..].starts_with('@');
    if is_file { typed.to_owned() } else { format!("query shell() {{\n{typed}\n}}") }
}

/// The declaration of a type in a schema.
pub(super) fn declaration<'s>(schema: &'s str, name: &str) -> Option<&'s str> {
    let is_start = |line: &str| {
        let mut words = line.split(|letter: char| letter.is_whitespace() || "{:".contains(letter));
        let kind = words.next().unwrap_or_default();
        ["node", "edge", "interface"].contains(&kind) && words.find(|word| !word.is_empty()) == Some(name)
    };
    let mut at = 0;
    for line in schema.split_inclusive('\n') {
        if is_start(line) {
            let rest = &schema[at..];
            let mut end = line.trim_end().len();
            if depth(line) > 0 {
                let mut open = 0;
                for (place, letter) in plain(rest) {
                    open += i64::from(letter == '{') - i64::from(letter == '}');
                    if letter == '}' && open == 0 {
                        end = place + 1;
                        break;
                    }
                }
            }
            return Some(&rest[..end]);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_with_their_brackets() {
        for whole in [
            "match { $p: Person } return { $p.name }",
            "match { $p: Person }\nreturn { $p.name }\nlimit 3",
            "query q() { match { $p: P } return { $p.a } }",
            "insert P { a: \"{\" }",
            "insert P { a: \"\\\"{\" } // {",
            "\\schema",
            "\\explain match { $p: P } return { $p.a }",
            "delete P where a = 1",
            "/* { **/ insert P { a: 1 }",
            "",
            "  // nothing",
            "match { $p: P }\n\n",
        ] {
            assert!(is_whole(whole), "{whole}");
        }
        for part in [
            "match { $p: Person",
            "match { $p: Person }",
            "match { $return: Person }",
            "query q() { match { $p: P } return { $p.a }",
            "insert P { a: 1, // }",
            "insert P { a: /*/ } */ 1",
            "\\explain match {",
        ] {
            assert!(!is_whole(part), "{part}");
        }
    }

    #[test]
    fn a_bare_body_gets_a_name() {
        assert_eq!(whole_query("insert P { a: 1 }"), "query shell() {\ninsert P { a: 1 }\n}");
        assert_eq!(whole_query("// first\nquery q() {}"), "// first\nquery q() {}");
        assert!(whole_query("queries { }").starts_with("query shell"));
    }

    #[test]
    fn a_declaration_is_found_whole() {
        let schema = "node A { a: String @key }\nnode AB {\n  b: String\n}\nedge E: A -> AB\nedge F: A -> A { x: I32 }\n";
        assert_eq!(declaration(schema, "A"), Some("node A { a: String @key }"));
        assert_eq!(declaration(schema, "AB"), Some("node AB {\n  b: String\n}"));
        assert_eq!(declaration(schema, "E"), Some("edge E: A -> AB"));
        assert_eq!(declaration(schema, "F"), Some("edge F: A -> A { x: I32 }"));
        assert_eq!(declaration(schema, "G"), None);
    }
}
