//! One answer per selector of a question.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

/// The answers to a question that was asked about several things, in the order of the selectors.
pub(crate) struct Several<T>(pub(super) Vec<T>);

impl<T> Several<T> {
    /// In few words: the answer itself when there is one, else one below each selector as it was given.
    pub(super) fn compact(&self, asked: &[String], compact: impl Fn(&str, &T) -> Value) -> Value {
        match (&self.0[..], asked) {
            ([answer], [text]) => compact(text, answer),
            (answers, asked) => {
                let pairs =
                    asked.iter().zip(answers).map(|(text, answer)| (text.clone(), compact(text, answer)));
                json!({"answers": pairs.collect::<Map<_, _>>()})
            }
        }
    }
}

/// One answer is itself; several are a list.
impl<T: Serialize> Serialize for Several<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let [answer] = &self.0[..] {
            return answer.serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("answers", &self.0)?;
        map.end()
    }
}
