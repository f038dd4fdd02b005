//! Searches of texts: which rows match, and where.

use super::{Columns, Context, Value, text_of, type_of};
use crate::error::{Error, Result};
use crate::exec::whole_number;
use crate::text::{Asked, Match, highlight, snippet};
use arrow_array::{Array as _, BooleanArray, StringArray, new_null_array};
use omnigraph_compiler::Language;
use omnigraph_compiler::query::typed::{Marked, TextMatch, TextMode};
use std::sync::Arc;

/// What stands around a place when the query does not say.
const MARK: &str = "**";

/// A search in each language of a variable.
struct InLanguages<'t> {
    text: &'t TextMatch,
    asked: Vec<(Option<Language>, Asked)>,
}

impl InLanguages<'_> {
    fn new<'t>(text: &'t TextMatch, what: &Match) -> InLanguages<'t> {
        let mut languages: Vec<Option<Language>> = text.languages.iter().map(|known| Some(known.1)).collect();
        languages.push(None);
        languages.sort_unstable();
        languages.dedup();
        let asked = languages.into_iter().map(|language| (language, Asked::new(what, language)));
        InLanguages { text, asked: asked.collect() }
    }

    /// For a row, in the language of its type.
    fn of(&self, columns: &dyn Columns, row: usize) -> Option<&Asked> {
        let type_name = columns.type_at(&self.text.var, row)?;
        let known = self.text.languages.iter().find(|(name, _)| *name == type_name);
        let language = known.map(|(_, language)| *language);
        self.asked.iter().find(|(known, _)| *known == language).map(|(_, asked)| asked)
    }
}

/// Which texts match, without an index. A text that is null matches nothing.
pub(super) fn scanned(
    columns: &dyn Columns,
    text: &TextMatch,
    what: &Match,
    texts: &StringArray,
) -> BooleanArray {
    let search = InLanguages::new(text, what);
    let matches = |(row, text): (usize, Option<&str>)| {
        text.is_some_and(|text| search.of(columns, row).is_some_and(|asked| asked.matches(text)))
    };
    texts.iter().enumerate().map(matches).collect::<Vec<bool>>().into()
}

impl Context<'_> {
    pub(super) fn text(&self, text: &TextMatch, columns: &dyn Columns) -> Result<Value> {
        let found = match self.matching(text)? {
            None => new_null_array(&arrow_schema::DataType::Boolean, columns.len()),
            Some(what) => Arc::new(columns.text(self, text, what)?),
        };
        Ok(Value::each(found))
    }

    /// What to look for; `None` when it is null.
    fn matching(&self, text: &TextMatch) -> Result<Option<Match>> {
        let query = self.constant(&text.query)?;
        let Some(query) = text_of(&query)? else { return Ok(None) };
        Ok(Some(match &text.mode {
            TextMode::Words => Match::any(query),
            TextMode::Phrase => Match::phrase(query),
            TextMode::Prefix => Match::prefix(query),
            TextMode::Fuzzy(None) => Match::near(query, None),
            TextMode::Fuzzy(Some(edits)) => {
                let edits = whole_number(self, edits, "the number of edits of `fuzzy`")?;
                Match::near(query, edits.map(|edits| u8::try_from(edits).unwrap_or(u8::MAX)))
            }
        }))
    }

    /// Texts with marks; null where the text or what is looked for is null.
    pub(super) fn marked(&self, marked: &Marked, columns: &dyn Columns) -> Result<Value> {
        let none = || Ok(Value::each(new_null_array(&type_of(&marked.text), columns.len())));
        let Some(what) = self.matching(&marked.what)? else { return none() };
        let most = match &marked.most {
            Some(most) => match whole_number(self, most, "the length of a snippet")? {
                None => return none(),
                Some(most) if most > 0 => Some(usize::try_from(most).unwrap_or(usize::MAX)),
                Some(_) => return Err(Error::request("the length of a snippet must be greater than 0")),
            },
            None => None,
        };
        let mut marks = (MARK.to_owned(), MARK.to_owned());
        if let Some((before, behind)) = &marked.marks {
            let text = |expr| -> Result<String> {
                Ok(text_of(&self.constant(expr)?)?.unwrap_or_default().to_owned())
            };
            marks = (text(before)?, text(behind)?);
        }
        let marks = (&*marks.0, &*marks.1);
        let search = InLanguages::new(&marked.what, &what);
        let texts = self.value(&marked.text, columns)?.expand(columns.len())?;
        let show = |(row, text): (usize, Option<&str>)| {
            let text = text?;
            let places = search.of(columns, row).map(|asked| asked.places(text)).unwrap_or_default();
            Some(match most {
                Some(most) => snippet(text, &places, most, marks),
                None => highlight(text, &places, marks),
            })
        };
        let shown: StringArray = crate::topology::texts(&texts)?.iter().enumerate().map(show).collect();
        debug_assert_eq!(shown.len(), columns.len());
        Ok(Value::each(Arc::new(shown)))
    }
}
