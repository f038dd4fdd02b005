//! The templates that every database starts with.

use crate::clock::Moment;
use crate::error::KnowledgeError;
use crate::id::IdSource;
use crate::model::{Format, Kind};
use rusqlite::{Connection, params};

struct BuiltIn {
    name: &'static str,
    description: &'static str,
    target: Kind,
    sections: &'static [Part],
}

#[derive(Clone, Copy)]
struct Part {
    title: &'static str,
    usage: &'static str,
    sample: &'static str,
    format: Format,
}

const PLAN: Part = Part {
    title: "Implementation Plan",
    usage: "The steps in order, each small enough to check. Read before starting.",
    sample: "1. What changes first, and where\n2. What follows from it\n3. What is left to decide",
    format: Format::Markdown,
};

const FILES: Part = Part {
    title: "Context Files",
    usage: "The files this work reads or changes, one path per line. Knowledge about them is looked up by these paths.",
    sample: "# one path per line",
    format: Format::PlainText,
};

const CHECKS: Part = Part {
    title: "Verification",
    usage: "How to tell that the work is done: commands to run and what they must show.",
    sample: "- [ ] Command, and what it must print\n- [ ] Behaviour to try by hand\n- [ ] Cases that must still work",
    format: Format::Markdown,
};

const LIMITS: Part = Part {
    title: "Dependencies and Constraints",
    usage: "What must hold throughout: interfaces that stay, limits, what this work waits for.",
    sample: "- Must stay as it is:\n- Must not be used:\n- Waits for:",
    format: Format::Markdown,
};

const GOAL: Part = Part {
    title: "Goal",
    usage: "What users can do afterwards that they cannot do now.",
    sample: "Who needs it, what for, and how they would notice that it is there.",
    format: Format::Markdown,
};

const TASKS: Part = Part {
    title: "Breakdown",
    usage: "The tasks of the feature and what each waits for.",
    sample: "1. Task: what it delivers\n2. Task: what it delivers; after 1",
    format: Format::Markdown,
};

const FAULT: Part = Part {
    title: "Problem",
    usage: "What happens, what should happen, and the shortest way to see it.",
    sample: "- Seen:\n- Expected:\n- Steps:\n- Since:",
    format: Format::Markdown,
};

const CAUSE: Part = Part {
    title: "Cause",
    usage: "Why it happens, with the evidence. Filled in before anything is fixed.",
    sample: "- Where:\n- Why:\n- How it is known:",
    format: Format::Markdown,
};

const BUILT_IN: [BuiltIn; 8] = [
    BuiltIn {
        name: "Task Brief",
        description: "Everything a task needs before it is started.",
        target: Kind::Task,
        sections: &[PLAN, FILES, CHECKS, LIMITS],
    },
    BuiltIn {
        name: "Implementation Plan",
        description: "The steps of the work.",
        target: Kind::Task,
        sections: &[PLAN],
    },
    BuiltIn {
        name: "Context Files",
        description: "The files of the work.",
        target: Kind::Task,
        sections: &[FILES],
    },
    BuiltIn {
        name: "Verification",
        description: "How to tell that the work is done.",
        target: Kind::Task,
        sections: &[CHECKS],
    },
    BuiltIn {
        name: "Constraints",
        description: "What must hold throughout.",
        target: Kind::Task,
        sections: &[LIMITS],
    },
    BuiltIn {
        name: "Bug Investigation",
        description: "From what is seen to a checked fix.",
        target: Kind::Task,
        sections: &[FAULT, CAUSE, FILES, CHECKS],
    },
    BuiltIn {
        name: "Feature Plan",
        description: "What a feature is for, and its tasks.",
        target: Kind::Feature,
        sections: &[GOAL, TASKS, CHECKS, LIMITS],
    },
    BuiltIn {
        name: "Project Charter",
        description: "What a project is for, and what holds everywhere in it.",
        target: Kind::Project,
        sections: &[GOAL, LIMITS],
    },
];

/// Writes them into a new database.
pub(super) fn seed(db: &Connection, now: Moment, ids: &dyn IdSource) -> Result<(), KnowledgeError> {
    for template in &BUILT_IN {
        let id = ids.next();
        db.execute(
            "INSERT INTO templates (id, name, description, target, is_built_in, tags, created_at, modified_at)
             VALUES (?1, ?2, ?3, ?4, 1, '', ?5, ?5)",
            params![id, template.name, template.description, template.target, now.iso()],
        )?;
        for (ordinal, part) in template.sections.iter().enumerate() {
            db.execute(
                "INSERT INTO template_sections (id, template_id, title, usage_description, content_sample, format,
                   ordinal, is_required, tags) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, '')",
                params![ids.next(), id, part.title, part.usage, part.sample, part.format, ordinal as i64],
            )?;
        }
    }
    Ok(())
}
