//! What is listed is what the store knows.

use super::*;
use orbit_knowledge::{KNOWLEDGE_TOOLS, Options, TASK_TOOLS};
use std::collections::BTreeSet;

fn names(tools: &[Tool]) -> BTreeSet<String> {
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

#[test]
fn every_tool_of_the_store_is_listed() {
    assert_eq!(names(&knowledge()), KNOWLEDGE_TOOLS.map(str::to_owned).into());
    assert_eq!(names(&tasks()), TASK_TOOLS.map(str::to_owned).into());
}

#[test]
fn versions_are_whole_numbers_in_every_schema() {
    for tool in [knowledge(), tasks()].concat() {
        if let Some(version) = tool.input_schema["properties"].get("version") {
            assert_eq!(version["type"], "integer", "{}", tool.name);
        }
    }
}

#[test]
fn a_refused_parameter_comes_with_the_nearest_one() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("k.db"), Options::default()).unwrap();
    let arguments = json!({"project": "x"}).as_object().cloned().unwrap_or_default();
    let refusal = call(&store, "get_next_task", arguments, None).unwrap_err();
    assert!(refusal.contains("unknown field `project`"), "{refusal}");
    assert!(refusal.contains("did you mean `projectId`?"), "{refusal}");
}

/// A parameter that the store does not know is refused by name: none that is listed may be.
#[test]
fn every_listed_parameter_is_known_to_the_store() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("k.db"), Options::default()).unwrap();
    for tool in [knowledge(), tasks()].concat() {
        for name in
            tool.input_schema["properties"].as_object().unwrap().keys().filter(|name| *name != "max_tokens")
        {
            let answer = store.call(&tool.name, json!({name: [[]]})).unwrap();
            assert!(!answer.message.contains("unknown field"), "{} {name}: {}", tool.name, answer.message);
        }
    }
}
