//! Names that macros of C and C++ put together: `handle_##kind`.

use orbit_graph::FileFacts;

/// Fixed letters that say something about a name.
const LEAST: usize = 3;

/// Where macros may put together a name like this one, as `file:line`.
pub(super) fn places(files: &[(FileFacts, Vec<u8>)], name: &str) -> Vec<String> {
    let lines = files.iter().flat_map(|(file, bytes)| {
        let lines = pasted(&String::from_utf8_lossy(bytes), name);
        lines.into_iter().map(|line| format!("{}:{line}", file.path))
    });
    lines.collect()
}

/// The lines of a file where `##` may make this name of a part that is written and one that is not.
fn pasted(text: &str, name: &str) -> Vec<u32> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let makes = line.match_indices("##").any(|(at, sign)| {
            let (left, right) = (line[..at].trim_end(), line[at + sign.len()..].trim_start());
            let head = &left[left.trim_end_matches(is_word).len()..];
            let tail = &right[..right.len() - right.trim_start_matches(is_word).len()];
            let is_part = |part: &str| part.len() >= LEAST && part.len() < name.len();
            is_part(head) && name.starts_with(head) || is_part(tail) && name.ends_with(tail)
        });
        found.extend(makes.then_some(number));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::pasted;

    #[test]
    fn parts_of_names_are_found_on_both_sides() {
        let text = "#define A(x) handle_##x()\n#define B(x) x ## _init()\n#define C(a, b) a##b";
        assert_eq!(pasted(text, "handle_read"), [1]);
        assert_eq!(pasted(text, "list_init"), [2]);
        assert_eq!(pasted(text, "handle_"), [0; 0]);
        assert_eq!(pasted(text, "other"), [0; 0]);
    }
}
