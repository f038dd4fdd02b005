//! Indexes of columns, made from immutable fragments when they are first asked for.

use super::View;
use crate::error::{Error, Result};
use crate::table_name::TableName;
use crate::text::{Live, Postings, TextIndex};
use crate::vector::{VectorIndex, Vectors};
use arrow_array::FixedSizeListArray;
use omnigraph_compiler::Language;
use omnigraph_store::{ByteCache, Table, Weight};
use std::sync::Arc;

/// A column of a fragment.
type Part = (Arc<str>, String);

/// A column of texts of a fragment, and their language.
type TextPart = (Part, Option<Language>);

/// A column of a table version.
type Whole = (String, u64, String);

/// Indexes that were made.
#[derive(Debug)]
pub(crate) struct SearchCaches {
    postings: ByteCache<TextPart, Arc<Postings>>,
    texts: ByteCache<(Whole, Option<Language>), Arc<TextIndex>>,
    vectors: ByteCache<Part, Arc<Vectors>>,
    nearest: ByteCache<Whole, Arc<VectorIndex>>,
}

impl SearchCaches {
    /// With about so many bytes.
    pub(crate) fn new(bytes: usize) -> SearchCaches {
        SearchCaches {
            postings: ByteCache::new(bytes / 2),
            texts: ByteCache::new(bytes / 8),
            vectors: ByteCache::new(bytes / 4),
            nearest: ByteCache::new(bytes / 8),
        }
    }
}

impl View {
    /// The words of a text property.
    pub(crate) fn text_index(&self, kind: u16, property: &str) -> Result<Arc<TextIndex>> {
        let Some(table) = self.node_table(kind)? else { return Ok(Arc::default()) };
        let caches = &self.derived.searches;
        let language = self.catalog.body(&self.node(kind).name).and_then(|body| body.language(property));
        caches.texts.get_or((self.whole(kind, property), language), || {
            table.prefetch(&[property])?;
            let chunks = (0..table.fragments().len()).map(|place| {
                let part = (table.column_key(place, property)?, language);
                let postings = caches.postings.get_or(part, || postings(table, place, property, language))?;
                Ok(Live::new(postings, table.live(place)?))
            });
            Ok(Arc::new(TextIndex::new(chunks.collect::<Result<Vec<_>>>()?, language)))
        })
    }

    /// The vectors of a property; `None` without rows.
    pub(crate) fn vector_index(
        &self,
        kind: u16,
        property: &str,
        dimension: u32,
    ) -> Result<Option<Arc<VectorIndex>>> {
        let Some(table) = self.node_table(kind)? else { return Ok(None) };
        let caches = &self.derived.searches;
        let index = caches.nearest.get_or(self.whole(kind, property), || {
            table.prefetch(&[property])?;
            let chunks = (0..table.fragments().len()).map(|place| {
                let part = table.column_key(place, property)?;
                let vectors = caches.vectors.get_or(part, || vectors(table, place, property))?;
                Ok((vectors, table.live(place)?))
            });
            let chunks = chunks.collect::<Result<Vec<_>>>()?;
            Ok::<_, Error>(Arc::new(VectorIndex::new(dimension as usize, chunks)?))
        })?;
        Ok(Some(index))
    }

    fn whole(&self, kind: u16, property: &str) -> Whole {
        let entry = self.snapshot.table(&TableName::Node(&self.node(kind).name).key());
        let (dir, version) = entry.map(|entry| (entry.dir.clone(), entry.version)).unwrap_or_default();
        (dir, version, property.to_owned())
    }
}

fn postings(
    table: &Table,
    place: usize,
    property: &str,
    language: Option<Language>,
) -> Result<Arc<Postings>> {
    let column = table.column(place, property)?;
    Ok(Arc::new(Postings::build(crate::topology::texts(&column)?, language)?))
}

fn vectors(table: &Table, place: usize, property: &str) -> Result<Arc<Vectors>> {
    let column = table.column(place, property)?;
    let array = column.as_any().downcast_ref::<FixedSizeListArray>();
    let array = array.ok_or_else(|| Error::damaged("a column of vectors holds none"))?;
    Ok(Arc::new(Vectors::new(array)?))
}

impl Weight for Postings {
    fn weight(&self) -> usize {
        self.memory_size()
    }
}

impl Weight for TextIndex {
    fn weight(&self) -> usize {
        1024
    }
}

impl Weight for Vectors {
    /// The floats are those of the column, which may be forgotten while these are in use.
    fn weight(&self) -> usize {
        self.memory_size() + self.rows() * self.dim() * 4
    }
}

impl Weight for VectorIndex {
    fn weight(&self) -> usize {
        1024
    }
}
