//! Requests as JSON: the schema of a tool is made from what can be typed, and what an agent passes is read as if it were
//! typed. So an argument has one name, one default and one check.

use super::Question;
use super::meant::{meant, surely};
use crate::budget::DEFAULT_TOKENS;
use crate::failure::Failure;
use clap::builder::{PossibleValue, ValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use std::any::TypeId;

/// Every tool takes this.
pub(super) const MAX_TOKENS: &str = "max_tokens";
/// Tools with grouped rows take this.
pub(super) const DETAIL: &str = "detail";

/// The schema of a tool.
pub(super) fn schema<Q: Question>(request: &Command) -> JsonObject {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for argument in offered::<Q>(request) {
        let id = argument.get_id().as_str();
        properties.insert(id.to_owned(), Q::schema(id).unwrap_or_else(|| property(argument)));
        if argument.is_required_set() {
            required.push(id.to_owned());
        }
    }
    if Q::IS_GROUPED {
        properties.insert(DETAIL.into(), json!({"type": "boolean"}));
    }
    properties.insert(MAX_TOKENS.into(), json!({"type": "integer", "default": DEFAULT_TOKENS}));
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    schema
}

fn offered<Q: Question>(request: &Command) -> impl Iterator<Item = &Arg> {
    request.get_arguments().filter(|argument| !Q::ONLY_TYPED.contains(&argument.get_id().as_str()))
}

/// The schema of one argument. Choices and numbers speak for themselves; anything else is described.
fn property(argument: &Arg) -> Value {
    let mut property = Map::new();
    let takes_value = argument.get_action().takes_values();
    let choices = if takes_value { argument.get_possible_values() } else { Vec::new() };
    let choices: Vec<&str> = choices.iter().map(PossibleValue::get_name).collect();
    let help = argument.get_help().map(ToString::to_string);
    let is_number = is_number(argument.get_value_parser());
    if !choices.is_empty() {
        property.insert("enum".into(), json!(choices));
    } else if is_number {
        property.insert("type".into(), json!("integer"));
    } else if is_flag(argument) {
        property.insert("type".into(), json!("boolean"));
    } else if is_list(argument) {
        property.insert("type".into(), json!(["string", "array"]));
        property.insert("items".into(), json!({"type": "string"}));
    } else {
        property.insert("type".into(), json!("string"));
    }
    let default = argument.get_default_values().first().and_then(|value| value.to_str());
    let told = help.as_deref().and_then(|help| help.split_once("[default: ")?.1.strip_suffix(']'));
    let told = told.filter(|told| choices.contains(told));
    if let Some(default) = default.or(told).filter(|_| takes_value) {
        let number = default.parse::<u64>().ok().filter(|_| is_number);
        property.insert("default".into(), number.map_or(json!(default), |number| json!(number)));
    }
    if let Some(help) = help.filter(|_| choices.is_empty() && !is_number) {
        property.insert("description".into(), json!(help));
    }
    Value::Object(property)
}

fn is_flag(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::SetTrue)
}

fn is_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

fn is_number(parser: &ValueParser) -> bool {
    let kinds = [TypeId::of::<usize>(), TypeId::of::<u64>(), TypeId::of::<u32>()];
    kinds.iter().any(|kind| parser.type_id() == *kind)
}

/// What an agent passed under the names that the arguments have, where it is sure which one is meant.
pub(super) fn named<Q: Question>(request: &Command, arguments: &JsonObject) -> JsonObject {
    let known = names::<Q>(request);
    let mut renamed: JsonObject = arguments.clone();
    for name in arguments.keys().filter(|name| !known.contains(&name.as_str())) {
        let meant = surely(name, &known).filter(|meant| !renamed.contains_key(*meant));
        if let (Some(meant), Some(value)) = (meant, arguments.get(name)) {
            renamed.remove(name);
            renamed.insert(meant.to_owned(), value.clone());
        }
    }
    renamed
}

/// The names of all arguments.
fn names<Q: Question>(request: &Command) -> Vec<&str> {
    let names = offered::<Q>(request).map(|argument| argument.get_id().as_str());
    names.chain(Q::IS_GROUPED.then_some(DETAIL)).chain([MAX_TOKENS]).collect()
}

/// What an agent passed, checked as what is typed would be. Numbers, flags and lists may come as strings.
pub(super) fn parse<Q: Question>(
    tool: &str,
    mut request: Command,
    arguments: &JsonObject,
) -> Result<ArgMatches, Failure> {
    request.build();
    let mut options = Vec::new();
    let mut positions: Vec<(usize, Vec<String>)> = Vec::new();
    for (name, value) in arguments {
        let Some(argument) = offered::<Q>(&request).find(|argument| argument.get_id() == name.as_str())
        else {
            match name.as_str() {
                MAX_TOKENS if is_nothing(value) => continue,
                DETAIL if Q::IS_GROUPED && is_nothing(value) => continue,
                MAX_TOKENS if number(Some(value)).is_some() => continue,
                MAX_TOKENS => return Err(unfit(MAX_TOKENS, "a whole number")),
                DETAIL if Q::IS_GROUPED && as_flag(value).is_some() => continue,
                DETAIL if Q::IS_GROUPED => return Err(unfit(DETAIL, "true or false")),
                _ => return Err(unknown::<Q>(tool, name, &request)),
            }
        };
        if is_nothing(value) {
            continue;
        }
        check_form::<Q>(argument, value)?;
        match (argument.get_index(), argument.get_long()) {
            (Some(index), _) => positions.push((index, texts(argument, value))),
            (None, Some(long)) if is_flag(argument) => {
                options.extend(flag(Some(value)).then(|| format!("--{long}")));
            }
            (None, Some(long)) => {
                options.extend(texts(argument, value).into_iter().map(|text| format!("--{long}={text}")));
            }
            (None, None) => {}
        }
    }
    positions.sort_by_key(|(index, _)| *index);
    let positions = positions.into_iter().flat_map(|(_, texts)| texts);
    let words = options.into_iter().chain(["--".to_owned()]).chain(positions);
    let names = request.clone();
    request.try_get_matches_from(words).map_err(|error| refused(&error, &names))
}

/// Refuses what cannot be typed at all, and what would be taken for something else.
fn check_form<Q: Question>(argument: &Arg, value: &Value) -> Result<(), Failure> {
    let name = argument.get_id();
    let is_plain = !value.is_array() && !value.is_object();
    let is_own = Q::schema(name.as_str()).is_some();
    match () {
        () if is_flag(argument) && as_flag(value).is_none() => Err(unfit(name.as_str(), "true or false")),
        () if value.is_object() && !is_own && is_list(argument) => {
            Err(unfit(name.as_str(), "one value or a list, not an object"))
        }
        () if !is_plain && !is_own && !is_list(argument) && only(value).is_none() => {
            Err(unfit(name.as_str(), "one value, not a list or an object"))
        }
        () => Ok(()),
    }
}

fn unfit(name: &str, wanted: &str) -> Failure {
    Failure::input("bad_argument", format!("`{name}` takes {wanted}"), "pass that")
}

fn unknown<Q: Question>(tool: &str, name: &str, request: &Command) -> Failure {
    let names = names::<Q>(request);
    let nearest = meant(name, &names).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
    let hint = format!("{nearest}it takes {}", names.join(", "));
    Failure::input("bad_argument", format!("`{name}` is not an argument of {tool}"), &hint)
}

/// Left out, in one of the ways in which clients leave out.
fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty)
}

/// A value as one would type it; several of a list.
fn texts(argument: &Arg, value: &Value) -> Vec<String> {
    let text = |value: &Value| match (value.as_str(), value.as_f64()) {
        (Some(text), _) => choice(argument, text),
        // Some clients have no whole numbers: 20.0 is 20.
        (None, Some(number)) if number.fract() == 0.0 => format!("{number}"),
        _ => value.to_string(),
    };
    match list(value) {
        Some(list) if is_list(argument) => list.iter().map(text).collect(),
        _ => vec![text(only(value).as_ref().unwrap_or(value))],
    }
}

/// A list. Some clients send lists as texts.
fn list(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(list) => Some(list.clone()),
        Value::String(text) if text.starts_with('[') => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// The only entry of a list that has one: where one value is taken, that is meant.
fn only(value: &Value) -> Option<Value> {
    let mut list = list(value)?;
    let one = list.pop().filter(|one| !one.is_array() && !one.is_object());
    one.filter(|_| list.is_empty())
}

/// One of the choices in another case, as the choice; anything else without the space around it where it is a number.
fn choice(argument: &Arg, text: &str) -> String {
    let plain = |text: &str| text.trim().to_lowercase().replace('-', "_");
    let choices = argument.get_possible_values();
    let meant = choices.iter().find(|choice| plain(choice.get_name()) == plain(text));
    match meant {
        Some(choice) => choice.get_name().to_owned(),
        None if is_number(argument.get_value_parser()) => text.trim().to_owned(),
        None => text.to_owned(),
    }
}

/// Whether a flag is set.
pub(super) fn flag(value: Option<&Value>) -> bool {
    value.and_then(as_flag).unwrap_or(false)
}

fn as_flag(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| value.as_str()?.trim().to_lowercase().parse().ok())
}

/// A number, which may come as a string.
pub(super) fn number(value: Option<&Value>) -> Option<usize> {
    let value = value?;
    let whole = || value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    let number =
        value.as_u64().or_else(|| Some(whole()? as u64)).or_else(|| value.as_str()?.trim().parse().ok())?;
    usize::try_from(number).ok()
}

/// Why a request is not one, in the names that the agent used.
fn refused(error: &clap::Error, request: &Command) -> Failure {
    let find = |shown: &str| request.get_arguments().find(|argument| is_shown_as(argument, shown));
    let name_of =
        |shown: &str| find(shown).map_or_else(|| shown.to_owned(), |argument| argument.get_id().to_string());
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let name = text(ContextKind::InvalidArg).map(|shown| name_of(&shown)).unwrap_or_default();
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::MissingRequiredArgument => {
            Failure::input("bad_argument", format!("`{name}` is missing"), "pass it")
        }
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg).map(|shown| name_of(&shown)).unwrap_or_default();
            let message = format!("`{name}` and `{other}` exclude each other");
            Failure::input("bad_argument", message, "pass one of them")
        }
        ErrorKind::TooFewValues => {
            let least = match error.get(ContextKind::MinValues) {
                Some(ContextValue::Number(least)) => *least,
                _ => 1,
            };
            Failure::input("bad_argument", format!("`{name}` takes at least {least} values"), "pass more")
        }
        _ => {
            let argument = text(ContextKind::InvalidArg).and_then(|shown| find(&shown));
            let is_number = argument.is_some_and(|argument| is_number(argument.get_value_parser()));
            let choices = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(choices)) => format!("it is one of {}", choices.join(", ")),
                _ if is_number => "it is a whole number, 0 or more".to_owned(),
                _ => std::error::Error::source(error).map_or_else(String::new, ToString::to_string),
            };
            let message = format!("`{value}` is not a valid `{name}`");
            Failure::input("bad_argument", message, &choices)
        }
    }
}

/// Whether an error of clap means this argument: it shows a positional one in angle brackets where its own form has square
/// ones.
fn is_shown_as(argument: &Arg, shown: &str) -> bool {
    let bare = |text: &str| text.trim_matches(['<', '>', '[', ']', '.']).to_owned();
    let own = argument.to_string();
    own == shown || (argument.is_positional() && bare(&own) == bare(shown))
}
