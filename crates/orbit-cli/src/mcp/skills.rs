//! Files that teach a client the three habits, where it looks for them.

use super::prompts::{HABITS, Habit};
use crate::args::Client;
use crate::failure::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- orbit skills -->";
const END: &str = "<!-- end of orbit skills -->";

/// A file to be written.
pub(crate) struct SkillFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What a client needs. Clients with a directory of skills or rules get one file per habit; others get one part of
/// the file they read anyway, and the rest of it stays.
pub(crate) fn files(client: Client, root: &Path) -> Result<Vec<SkillFile>, Failure> {
    Ok(match client {
        Client::ClaudeCode => each(root, |habit| {
            let path = format!(".claude/skills/orbit-{}/SKILL.md", habit.name);
            (
                path,
                format!(
                    "---\nname: orbit-{}\ndescription: {}\n---\n\n{}",
                    habit.name, habit.about, habit.text
                ),
            )
        }),
        Client::Cursor => each(root, |habit| {
            let path = format!(".cursor/rules/orbit-{}.mdc", habit.name);
            (path, format!("---\ndescription: {}\nalwaysApply: false\n---\n\n{}", habit.about, habit.text))
        }),
        Client::Vscode => each(root, |habit| {
            let path = format!(".github/prompts/orbit-{}.prompt.md", habit.name);
            (path, format!("---\ndescription: {}\n---\n\n{}", habit.about, habit.text))
        }),
        Client::Codex => vec![part(root.join("AGENTS.md"))?],
        Client::Gemini => vec![part(root.join("GEMINI.md"))?],
    })
}

fn each(root: &Path, file: impl Fn(&Habit) -> (String, String)) -> Vec<SkillFile> {
    let made = HABITS.iter().map(|habit| {
        let (path, text) = file(habit);
        SkillFile { path: root.join(path), text }
    });
    made.collect()
}

/// A file with our part put in or replaced.
fn part(path: PathBuf) -> Result<SkillFile, Failure> {
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(orbit_knowledge::KnowledgeError::File(path, error).into()),
    };
    let mut own = format!("{BEGIN}\n");
    for habit in &HABITS {
        let _ = write!(own, "## Orbit: {}\n\n{}\n{}\n", habit.name, habit.about, habit.text);
    }
    own.push_str(END);
    let text = match (old.find(BEGIN), old.find(END)) {
        (Some(from), Some(to)) if from < to => format!("{}{own}{}", &old[..from], &old[to + END.len()..]),
        _ if old.is_empty() => format!("{own}\n"),
        _ => format!("{}\n\n{own}\n", old.trim_end()),
    };
    Ok(SkillFile { path, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_put_in_once_and_the_rest_stays() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("AGENTS.md"), "# Ours\n\nKeep this.\n").unwrap();
        for _ in 0..2 {
            for file in files(Client::Codex, dir.path()).unwrap() {
                std::fs::write(&file.path, &file.text).unwrap();
            }
        }
        let text = std::fs::read_to_string(dir.path().join("AGENTS.md")).unwrap();
        assert!(
            text.starts_with("# Ours\n\nKeep this.\n\n<!-- orbit skills -->\n## Orbit: discovery"),
            "{text}"
        );
        assert_eq!(text.matches(BEGIN).count(), 1);
        assert!(text.ends_with("<!-- end of orbit skills -->\n"), "{text}");
    }

    #[test]
    fn every_client_gets_every_habit() {
        let dir = tempfile::tempdir().unwrap();
        for client in [Client::ClaudeCode, Client::Cursor, Client::Codex, Client::Gemini, Client::Vscode] {
            let all: String = files(client, dir.path()).unwrap().into_iter().map(|file| file.text).collect();
            assert!(
                HABITS.iter().all(|habit| all.contains(habit.text) && all.contains(habit.about)),
                "{client:?}"
            );
            assert!(all.contains("`complete: true`") && all.contains("only then, do not grep"), "{client:?}");
        }
        assert!(super::super::INSTRUCTIONS.contains("complete=true, and only then"));
    }
}
