//! One line of JSONL, straight into the columns of its type: no tree of values is made.

use super::deletes::Named;
use super::value::CellSeed;
use crate::rows::RowBuilder;
use crate::validate::{Code, Problem};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Where rows of all types are built.
pub(super) trait Records {
    /// The builder of a type.
    fn open(&mut self, is_edge: bool, name: &str) -> Result<usize, Problem>;
    /// By what `open` gave.
    fn builder(&mut self, at: usize) -> &mut RowBuilder;
    /// A row to take away.
    fn delete(&mut self, named: Named<'_>, line: u64) -> Result<(), Problem>;
}

/// A line that is not a row of a known type.
#[derive(Debug)]
pub(super) struct Fault {
    /// Empty when the line does not say.
    pub(super) type_name: String,
    pub(super) problem: Problem,
}

impl Fault {
    fn record(message: impl Into<String>) -> Fault {
        Fault { type_name: String::new(), problem: Problem::new(Code::Record, message) }
    }

    fn json(error: &serde_json::Error) -> Fault {
        let text = error.to_string();
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        Fault::record(format!("not a JSON record: {reason}, column {}", error.column()))
    }
}

/// Reads a line into the builder of its type, whose place is returned; nothing for a row that is taken away.
pub(super) fn read(
    line: &str,
    (number, numeric_dates): (u64, bool),
    records: &mut impl Records,
) -> Result<Option<usize>, Fault> {
    let mut head = Head { number, numeric_dates, ..Head::default() };
    let mut json = serde_json::Deserializer::from_str(line);
    json.deserialize_map(RecordVisitor { head: &mut head, records })
        .and_then(|()| json.end())
        .map_err(|error| Fault::json(&error))?;
    if let Some(fault) = head.fault.take() {
        return Err(fault);
    }
    if let Some(name) = &head.delete {
        let named = Named {
            type_name: name,
            id: head.id.as_deref(),
            from: head.from.as_deref(),
            to: head.to.as_deref(),
        };
        let done = if head.is_row {
            let message = "a record that deletes has `delete` and `id`, or `delete`, `from` and `to`";
            Err(Problem::new(Code::Record, message))
        } else {
            records.delete(named, number)
        };
        return match done {
            Ok(()) => Ok(None),
            Err(problem) => Err(Fault { type_name: name.clone().into_owned(), problem }),
        };
    }
    let Some(at) = head.at else {
        return Err(Fault::record("a record has `type` and `data`, or `edge`, `from`, `to` and `data`"));
    };
    let builder = records.builder(at);
    if let Some(raw) = head.data.take() {
        let mut json = serde_json::Deserializer::from_str(raw.get());
        DataSeed { builder, numeric_dates }.deserialize(&mut json).map_err(|error| Fault::json(&error))?;
    }
    head.ends(builder);
    if let Some(id) = &head.id {
        builder.id_beside(id);
    }
    builder.end();
    Ok(Some(at))
}

/// What a record says of itself, besides its data.
#[derive(Default)]
struct Head<'l> {
    number: u64,
    numeric_dates: bool,
    at: Option<usize>,
    is_edge: bool,
    from: Option<Cow<'l, str>>,
    to: Option<Cow<'l, str>>,
    /// The type of a row that is taken away.
    delete: Option<Cow<'l, str>>,
    /// Of the row, as other programs write it; most write it into `data`.
    id: Option<Cow<'l, str>>,
    /// Whether it has what only rows have.
    is_row: bool,
    /// Data that came before the type.
    data: Option<&'l RawValue>,
    fault: Option<Fault>,
}

impl Head<'_> {
    fn ends(&self, builder: &mut RowBuilder) {
        let rules = Arc::clone(builder.rules());
        let name = rules.name();
        if !self.is_edge {
            if self.from.is_some() || self.to.is_some() {
                let message = format!("`from` and `to` belong to edges; {name} is a node type");
                builder.violate(None, Problem::new(Code::Record, message));
            }
            return;
        }
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => builder.ends(from, to),
            (from, _) => {
                let missing = if from.is_none() { "from" } else { "to" };
                let message = format!("edge {name} has no `{missing}`");
                builder.violate(Some(missing), Problem::new(Code::Record, message));
            }
        }
    }

    fn fail(&mut self, problem: Problem) {
        self.fault.get_or_insert(Fault { type_name: String::new(), problem });
    }
}

struct RecordVisitor<'h, 'l, R> {
    head: &'h mut Head<'l>,
    records: &'h mut R,
}

impl<'l, R: Records> Visitor<'l> for RecordVisitor<'_, 'l, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(FieldSeed)? {
            match key {
                Field::Type | Field::Edge => {
                    let is_edge = matches!(key, Field::Edge);
                    let name = map.next_value_seed(TextSeed)?.unwrap_or_default();
                    self.head.is_edge = is_edge;
                    self.head.is_row = true;
                    if self.head.at.is_some() {
                        let message = "a record is of one type: `type` or `edge`, once";
                        self.head.fail(Problem::new(Code::Record, message));
                        continue;
                    }
                    match self.records.open(is_edge, &name) {
                        Ok(at) => {
                            self.head.at = Some(at);
                            self.records.builder(at).start(Some(self.head.number));
                        }
                        Err(problem) => {
                            self.head.fault.get_or_insert(Fault { type_name: name.into_owned(), problem });
                        }
                    }
                }
                Field::From => self.head.from = map.next_value_seed(TextSeed)?,
                Field::To => self.head.to = map.next_value_seed(TextSeed)?,
                Field::Delete => self.head.delete = map.next_value_seed(TextSeed)?,
                Field::Id => self.head.id = map.next_value_seed(TextSeed)?,
                Field::Data => {
                    self.head.is_row = true;
                    match self.head.at {
                        Some(at) => {
                            let numeric_dates = self.head.numeric_dates;
                            map.next_value_seed(DataSeed {
                                builder: self.records.builder(at),
                                numeric_dates,
                            })?;
                        }
                        None => self.head.data = Some(map.next_value()?),
                    }
                }
                Field::Other(name) => {
                    map.next_value::<IgnoredAny>()?;
                    let message = format!(
                        "a record has no `{name}`: properties stand in `data`, beside it `type`, or `edge`, `from` and `to`"
                    );
                    self.head.fail(Problem::new(Code::Record, message));
                }
            }
        }
        Ok(())
    }
}

/// A key of a record.
enum Field {
    Type,
    Edge,
    From,
    To,
    Data,
    Delete,
    Id,
    Other(String),
}

struct FieldSeed;

impl<'l> DeserializeSeed<'l> for FieldSeed {
    type Value = Field;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Field, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for FieldSeed {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Field, E> {
        Ok(match name {
            "type" => Field::Type,
            "edge" => Field::Edge,
            "from" => Field::From,
            "to" => Field::To,
            "data" => Field::Data,
            "delete" => Field::Delete,
            "id" => Field::Id,
            other => Field::Other(other.to_owned()),
        })
    }
}

/// A text, or a whole number as its decimal text; null is nothing.
struct TextSeed;

impl<'l> DeserializeSeed<'l> for TextSeed {
    type Value = Option<Cow<'l, str>>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for TextSeed {
    type Value = Option<Cow<'l, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(value.to_string())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(value.to_string())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// The properties of a row.
struct DataSeed<'b> {
    builder: &'b mut RowBuilder,
    numeric_dates: bool,
}

impl<'l> DeserializeSeed<'l> for DataSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for DataSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with properties in `data`")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        let mut guess = 0;
        while let Some(key) = map.next_key_seed(KeySeed { builder: &*self.builder, guess })? {
            match key {
                Key::At(position) => {
                    guess = position + 1;
                    if self.builder.claim(position) {
                        let numeric_dates = self.numeric_dates;
                        let column = self.builder.column(position);
                        let done = map.next_value_seed(CellSeed { column, numeric_dates })?;
                        self.builder.note(position, done);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Key::Id => {
                    if let Some(id) = map.next_value_seed(TextSeed)? {
                        self.builder.id(&id);
                    }
                }
                Key::Unknown(name) => {
                    map.next_value::<IgnoredAny>()?;
                    self.builder.unknown(&name);
                }
            }
        }
        Ok(())
    }
}

enum Key {
    At(usize),
    Id,
    Unknown(String),
}

/// Finds a property; in most files the next one is the next of the type.
struct KeySeed<'b> {
    builder: &'b RowBuilder,
    guess: usize,
}

impl<'l> DeserializeSeed<'l> for KeySeed<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Key, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a property")
    }

    fn visit_str<E>(self, name: &str) -> Result<Key, E> {
        let rules = self.builder.rules();
        if rules.rule(self.guess).is_some_and(|rule| rule.name == name) {
            return Ok(Key::At(self.guess));
        }
        Ok(match rules.position(name) {
            Some(position) => Key::At(position),
            None if name == crate::rows::ID => Key::Id,
            None => Key::Unknown(name.to_owned()),
        })
    }
}
