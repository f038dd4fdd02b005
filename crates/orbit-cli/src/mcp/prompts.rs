//! The three working habits as prompts; [`super::skills`] writes the same texts as files.

use rmcp::model::{GetPromptResult, Prompt, PromptMessage, Role};

/// A habit: its name, when it is for, and its text.
pub(crate) struct Habit {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) text: &'static str,
}

/// All habits.
pub(crate) const HABITS: [Habit; 3] = [
    Habit {
        name: "discovery",
        about: "Choose the next task and read what is known about it. Use at the start of a session.",
        text: include_str!("../skills/discovery.md"),
    },
    Habit {
        name: "planning",
        about: "Turn a wish into features and tasks that bring their knowledge along. Use before work is begun.",
        text: include_str!("../skills/planning.md"),
    },
    Habit {
        name: "execution",
        about: "Do a task, keep knowledge true, and close it. Use while working and before a task is advanced.",
        text: include_str!("../skills/execution.md"),
    },
];

pub(super) fn listed() -> Vec<Prompt> {
    HABITS.iter().map(|habit| Prompt::new(habit.name, Some(habit.about), None)).collect()
}

pub(super) fn get(name: &str) -> Option<GetPromptResult> {
    let habit = HABITS.iter().find(|habit| habit.name == name)?;
    let message = PromptMessage::new_text(Role::User, habit.text);
    Some(GetPromptResult::new(vec![message]).with_description(habit.about))
}
