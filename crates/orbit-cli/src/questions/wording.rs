//! Messages that were written for a terminal, in the words of agents.

use super::LIST;
use std::fmt::Write;

/// Names tools and their arguments instead of command lines: `orbit graph sync --full` is `graph_sync` with full, and
/// `--max-tokens` is `max_tokens`. A command that is not a tool stays as it is.
pub(super) fn for_agents(text: &str) -> String {
    let text = text
        .replace("name an existing directory with -C <dir>", "start the server in a directory that is there");
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        let is_quoted = at % 2 == 1;
        match tool(part).filter(|_| is_quoted) {
            Some((name, arguments)) => {
                let _ = write!(out, "`{name}`"); // a string takes everything
                if !arguments.is_empty() {
                    let _ = write!(out, " with {}", arguments.join(" and "));
                }
            }
            None if is_quoted => {
                let _ = write!(out, "`{part}`");
            }
            None => {
                let words = part.split(' ').map(option_name).collect::<Vec<_>>();
                out.push_str(&words.join(" "));
            }
        }
    }
    out
}

/// The tool that does what a command line does, and the arguments that it is given.
fn tool(command_line: &str) -> Option<(String, Vec<String>)> {
    let mut words = command_line.split(' ');
    let ("orbit", family, name) = (words.next()?, words.next()?, words.next()?) else { return None };
    let is_it = |question: &&&dyn super::Entry| question.family().name() == family && question.name() == name;
    let tool = LIST.iter().find(is_it)?.tool()?;
    Some((tool.name.to_string(), words.map(option_name).collect()))
}

fn option_name(word: &str) -> String {
    match word.strip_prefix("--") {
        Some(name) if name.starts_with(|letter: char| letter.is_ascii_lowercase()) => name.replace('-', "_"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::for_agents;

    #[test]
    fn commands_become_tools_and_options_arguments() {
        let cases = [
            ("run `orbit graph sync --full`", "run `graph_sync` with full"),
            (
                "look, then pass --include-fuzzy or --skip-fuzzy",
                "look, then pass include_fuzzy or skip_fuzzy",
            ),
            ("remove it with `orbit graph clean --confirm`", "remove it with `orbit graph clean --confirm`"),
            ("name an existing directory with -C <dir>", "start the server in a directory that is there"),
            ("--lines goes with one selector", "lines goes with one selector"),
            ("`x` is not a name -- really", "`x` is not a name -- really"),
        ];
        for (typed, told) in cases {
            assert_eq!(for_agents(typed), told);
        }
    }
}
