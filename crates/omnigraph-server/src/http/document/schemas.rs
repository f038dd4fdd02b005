//! Schemas of types, as the document has them.

use serde_json::{Value, json};

/// A schema whose numbers have the bounds that they are read with (the formats that generators use are all signed), and
/// whose objects without declared members may have any.
pub(super) fn exact(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            if members.get("type").is_some_and(|kind| is_a(kind, "object"))
                && !members.contains_key("properties")
            {
                members.entry("additionalProperties").or_insert(true.into());
            }
            let is_unsigned = members.get("type").is_some_and(|kind| is_a(kind, "integer"))
                && members.get("minimum").and_then(Value::as_f64) == Some(0.0);
            if is_unsigned && let Some(format) = members.remove("format") {
                members.insert("minimum".to_owned(), 0.into());
                if format == "int32" {
                    members.insert("maximum".to_owned(), u32::MAX.into());
                }
            }
            for member in members.values_mut() {
                *member = exact(member.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = exact(item.take());
            }
        }
        _ => {}
    }
    schema
}

fn is_a(kind: &Value, name: &str) -> bool {
    kind == name || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == name))
}

/// A member in the path or in the query string, where there is no null.
pub(super) fn parameter(name: &str, schema: &Value, place: &str, required: bool) -> Value {
    let mut schema = schema.clone();
    let description = schema.as_object_mut().and_then(|members| members.remove("description"));
    if let Some(kinds) = schema["type"].as_array() {
        let kinds: Vec<&Value> = kinds.iter().filter(|kind| *kind != "null").collect();
        if let [only] = kinds[..] {
            schema["type"] = only.clone();
        }
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choices: Vec<&Value> = choices.iter().filter(|choice| choice["type"] != "null").collect();
        if let [only] = choices[..] {
            schema = only.clone();
        }
    }
    // Empty names nothing.
    if place == "path" && schema["type"] == "string" {
        schema["minLength"] = 1.into();
    }
    json!({
        "name": name,
        "in": place,
        "required": required,
        "description": description,
        "schema": schema,
    })
}

/// A schema without the members that are in the path.
pub(super) fn without(members: &Value, path: &[(&String, &Value)]) -> Value {
    let mut rest = members.clone();
    for (name, _) in path {
        if let Some(properties) = rest["properties"].as_object_mut() {
            properties.remove(*name);
        }
        if let Some(required) = rest["required"].as_array_mut() {
            required.retain(|it| it != *name);
        }
    }
    rest
}
