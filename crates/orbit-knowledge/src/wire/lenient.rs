//! Values that clients write in more than one way: numbers and flags as text, lists as text.

use crate::change::Change;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;

/// A whole number, also as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub i64);

impl From<i64> for Number {
    fn from(number: i64) -> Number {
        Number(number)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        let value = Value::deserialize(from)?;
        let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
        let number = match &value {
            Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.map(Number).ok_or_else(|| D::Error::custom(format!("expected a whole number, got {value}")))
    }
}

/// Yes or no, also as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag(pub bool);

impl From<bool> for Flag {
    fn from(flag: bool) -> Flag {
        Flag(flag)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Flag, D::Error> {
        match Value::deserialize(from)? {
            Value::Bool(flag) => Ok(Flag(flag)),
            Value::String(text) if text == "true" => Ok(Flag(true)),
            Value::String(text) if text == "false" => Ok(Flag(false)),
            other => Err(D::Error::custom(format!("expected true or false, got {other}"))),
        }
    }
}

/// Words: an array of strings, the JSON text of one, or a text with commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<String>);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<List, D::Error> {
        let value = Value::deserialize(from)?;
        let refuse = || D::Error::custom(format!("expected a list of strings, got {value}"));
        let text = |value: &Value| value.as_str().map(|text| text.trim().to_owned());
        let words: Option<Vec<String>> = match &value {
            Value::Array(items) => items.iter().map(text).collect(),
            Value::String(given) if given.trim_start().starts_with('[') => {
                match serde_json::from_str(given) {
                    Ok(Value::Array(items)) => items.iter().map(text).collect(),
                    // A path may begin with a bracket.
                    _ => Some(by_comma(given)),
                }
            }
            Value::String(given) => Some(by_comma(given)),
            _ => None,
        };
        let words = words.ok_or_else(refuse)?;
        Ok(List(words.into_iter().filter(|word| !word.is_empty()).collect()))
    }
}

fn by_comma(text: &str) -> Vec<String> {
    text.split(',').map(|word| word.trim().to_owned()).collect()
}

// `null`, `""` and `"null"` remove a value.
impl<'de> Deserialize<'de> for Change {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Change, D::Error> {
        Ok(match Option::<String>::deserialize(from)? {
            Some(text) if !text.is_empty() && text != "null" => Change::Set(text),
            _ => Change::Clear,
        })
    }
}
