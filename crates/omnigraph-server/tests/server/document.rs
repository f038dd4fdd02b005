//! Answers against the document that a server has of itself: as much of JSON Schema as the document uses, and no member
//! that the document does not know.

use crate::wire::Answer;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Whether an answer is one that the document promises. What no operation is about is not looked at.
pub(crate) fn check(document: &Value, method: &str, path: &str, answer: &Answer) -> Result<(), String> {
    let Some(operation) = operation(document, method, path) else { return Ok(()) };
    let responses = &operation["responses"];
    let status = answer.status.to_string();
    let response = responses.get(&status).or(responses.get("default"));
    let response = response.ok_or_else(|| format!("{status} is not among the responses"))?;
    let kind = answer.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    // What only some callers ask for is said in words.
    if operation["description"].as_str().is_some_and(|text| text.contains(kind)) && !kind.is_empty() {
        return Ok(());
    }
    let content =
        response["content"].get(kind).ok_or_else(|| format!("`{kind}` is not among the contents"))?;
    if kind != "application/json" {
        return Ok(());
    }
    let value = answer.json();
    valid(document, &content["schema"], &value).map_err(|problem| format!("${problem}"))?;
    known(document, &content["schema"], &value).map_err(|problem| format!("${problem}"))
}

/// The operation of a request: the template that says most of its path in fixed words.
fn operation<'d>(document: &'d Value, method: &str, path: &str) -> Option<&'d Value> {
    let path = path.split('?').next().unwrap_or_default();
    let paths = document["paths"].as_object().expect("paths");
    let fitting = paths.iter().filter(|(template, _)| fits(template, path));
    let best = fitting.filter_map(|(template, item)| Some((template, item.get(method.to_lowercase())?)));
    best.min_by_key(|(template, _)| template.matches('{').count()).map(|(_, operation)| operation)
}

/// Whether a path is one of a template. What a template ends with may have slashes.
fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/').peekable(), path.split('/'));
    while let Some(part) = wanted.next() {
        let Some(word) = given.next() else { return false };
        let is_member = part.starts_with('{');
        if is_member && wanted.peek().is_none() {
            return !word.is_empty();
        }
        if !is_member && part != word {
            return false;
        }
    }
    given.next().is_none()
}

/// What a reference leads to.
pub(crate) fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let Some(reference) = schema["$ref"].as_str() else { return schema };
    let pointer = reference.strip_prefix('#').expect("a reference into this document");
    document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

/// Whether a value is one of a schema; the problem begins with its place.
fn valid(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let schema = resolved(document, schema);
    if let Some(choices) = schema["enum"].as_array()
        && !choices.contains(value)
    {
        return Err(format!(": {value} is none of {choices:?}"));
    }
    if !is_typed(&schema["type"], value) {
        return Err(format!(": {value} is no {}", schema["type"]));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        valid(document, part, value)?;
    }
    for word in ["oneOf", "anyOf"] {
        let Some(choices) = schema[word].as_array() else { continue };
        let problems: Vec<String> =
            choices.iter().filter_map(|choice| valid(document, choice, value).err()).collect();
        if problems.len() == choices.len() {
            return Err(format!(": none of {word}: {}", problems.join("; ")));
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.is_object() && value.get(name).is_none() {
            return Err(format!(": `{name}` is missing"));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        if let Some(schema) = schema["properties"].get(name) {
            valid(document, schema, member).map_err(|problem| format!(".{name}{problem}"))?;
        }
    }
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(schema) = schema.get("items") {
            valid(document, schema, item).map_err(|problem| format!("[{at}]{problem}"))?;
        }
    }
    Ok(())
}

fn is_typed(wanted: &Value, value: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the document has a type `{other}`"),
    };
    match wanted {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

/// Whether the document knows every member of a value. An object without properties may have any.
fn known(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let mut properties = Map::new();
    gather(document, schema, &mut properties);
    if let Some(members) = value.as_object().filter(|_| !properties.is_empty()) {
        for (name, member) in members {
            let schema = properties.get(name).ok_or_else(|| format!(": `{name}` is not in the document"))?;
            known(document, schema, member).map_err(|problem| format!(".{name}{problem}"))?;
        }
    }
    let items = items(document, schema);
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(schema) = items {
            known(document, schema, item).map_err(|problem| format!("[{at}]{problem}"))?;
        }
    }
    Ok(())
}

/// The properties of a schema and of those that it consists of.
fn gather(document: &Value, schema: &Value, properties: &mut Map<String, Value>) {
    let schema = resolved(document, schema);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        properties.insert(name.clone(), property.clone());
    }
    for word in ["allOf", "oneOf", "anyOf"] {
        for part in schema[word].as_array().into_iter().flatten() {
            gather(document, part, properties);
        }
    }
}

fn items<'d>(document: &'d Value, schema: &'d Value) -> Option<&'d Value> {
    let schema = resolved(document, schema);
    let mut parts = schema["oneOf"].as_array().into_iter().flatten();
    schema.get("items").or_else(|| parts.find_map(|part| resolved(document, part).get("items")))
}

/// Every reference of a value.
pub(crate) fn references<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
