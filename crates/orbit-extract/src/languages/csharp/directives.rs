//! Conditional compilation that cuts through declarations.
//!
//! The grammar knows `#if` only round whole items. A file that it cannot read is read again with every
//! directive, and every branch but the first, replaced by blanks, so that positions stay those of the file.

/// The source without directives; `None` when it has none.
pub(super) fn without_directives(source: &str) -> Option<String> {
    let mut out = Vec::with_capacity(source.len());
    let mut taken: Vec<bool> = Vec::new();
    let mut has_directives = false;
    for line in source.split_inclusive('\n') {
        let directive = line.trim_start_matches(['\u{feff}', ' ', '\t']).strip_prefix('#');
        if let Some(directive) = directive {
            has_directives = true;
            match directive.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next() {
                Some("if") => taken.push(true),
                Some("else" | "elif") => {
                    if let Some(branch) = taken.last_mut() {
                        *branch = false;
                    }
                }
                Some("endif") => {
                    taken.pop();
                }
                _ => {}
            }
        }
        if directive.is_none() && taken.iter().all(|taken| *taken) {
            out.extend_from_slice(line.as_bytes());
        } else {
            out.extend(line.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }));
        }
    }
    if has_directives { String::from_utf8(out).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_length_and_the_first_branch() {
        let source = "a\n#if ä\r\nb\n# else\nc\n#endif\nd\n";
        let bare = without_directives(source).expect("it has directives");
        assert_eq!(bare.len(), source.len());
        assert_eq!(bare.split_whitespace().collect::<String>(), "abd");
        assert!(without_directives("no directive").is_none());
    }
}
