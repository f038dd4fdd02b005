//! Values that clients write in more than one way: numbers and flags as text, lists as text.

use crate::change::Change;
use crate::error::KnowledgeError;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::Value;
use std::str::FromStr;

/// A whole number, also as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub i64);

impl<N: Into<i64>> From<N> for Number {
    fn from(number: N) -> Number {
        Number(number.into())
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

impl From<Vec<String>> for List {
    fn from(words: Vec<String>) -> List {
        let trimmed = words.iter().map(|word| word.trim().to_owned());
        List(trimmed.filter(|word| !word.is_empty()).collect())
    }
}

impl FromStr for List {
    type Err = KnowledgeError;

    fn from_str(text: &str) -> Result<List, KnowledgeError> {
        let read = List::read(&Value::from(text));
        read.map_err(|why| KnowledgeError::validation("arguments", why))
    }
}

impl List {
    fn read(value: &Value) -> Result<List, String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let words: Option<Vec<String>> = match value {
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
        words.map(List::from).ok_or_else(|| format!("expected a list of strings, got {value}"))
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<List, D::Error> {
        List::read(&Value::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// JSON inside of a request: as it is, or as its text. What does not fit is told by the tool, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded<T>(pub Result<T, String>);

impl<T> From<T> for Embedded<T> {
    fn from(value: T) -> Embedded<T> {
        Embedded(Ok(value))
    }
}

impl<T> Embedded<Vec<Loose<T>>> {
    /// A list whose entries have the right shape.
    pub fn list(entries: Vec<T>) -> Embedded<Vec<Loose<T>>> {
        Embedded(Ok(entries.into_iter().map(|entry| Loose(Some(entry))).collect()))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Embedded<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Embedded<T>, D::Error> {
        let read = match Value::deserialize(from)? {
            Value::String(text) => serde_json::from_str(&text),
            other => serde_json::from_value(other),
        };
        Ok(Embedded(read.map_err(|error| error.to_string())))
    }
}

/// An entry of a list that may be of another shape; the tool says so when it comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose<T>(pub Option<T>);

impl<T> Default for Loose<T> {
    fn default() -> Loose<T> {
        Loose(None)
    }
}

impl<T: DeserializeOwned> Loose<T> {
    pub(crate) fn read(value: Value) -> Loose<T> {
        // Serde takes an array for the fields of a struct; nobody means that here.
        Loose(if value.is_array() { None } else { serde_json::from_value(value).ok() })
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Loose<T>, D::Error> {
        Value::deserialize(from).map(Loose::read)
    }
}

fn by_comma(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

impl Change {
    /// What somebody said about a value: nothing, a text, or an empty one, which removes it.
    pub fn said(text: Option<String>) -> Change {
        text.map_or(Change::Keep, |text| Change::given(Some(text)))
    }

    /// `null`, `""` and `"null"` remove a value.
    fn given(value: Option<String>) -> Change {
        match value {
            Some(text) if !text.is_empty() && text != "null" => Change::Set(text),
            _ => Change::Clear,
        }
    }
}

impl<'de> Deserialize<'de> for Change {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Change, D::Error> {
        Option::<String>::deserialize(from).map(Change::given)
    }
}
