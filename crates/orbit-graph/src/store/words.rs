//! How often each word is written in the repository, and as what: what an account of a name adds up to.
//!
//! ```text
//! WordCount… of a file (pass 1) ─┐
//! WordOutcome… of a file (pass 2)┴─▶ Changes (sums that differ) ─flush─▶ word_rows, open_rows
//! ```
//!
//! A file keeps its own counts (`tally_rows`, `outcome_rows`), so that a change subtracts what it said before. Sums
//! are kept per word and family of languages: a name of Python is never meant by code in Go.

mod encoding;

use crate::error::GraphError;
use crate::resolve::words::WordOutcome;
use encoding::{KEPT, decode_counts, decode_outcomes, encode_counts, encode_outcomes};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::{Family, WordCount};
use rusqlite::{Connection, OptionalExtension, params};

/// The lowest bits of a stored word tell its family.
const FAMILY_BITS: u32 = 4;
/// Enough that two words of a repository of millions have different numbers, and few enough to be stored in seven bytes.
const WORD_BITS: u32 = 48;

/// How often a word is written in files of one family, or by how much that changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) total: i32,
    pub(crate) text: i32,
    pub(crate) definitions: i32,
    pub(crate) references: i32,
    pub(crate) local: i32,
    pub(crate) path: i32,
    pub(crate) keys: i32,
    pub(crate) damaged: i32,
    pub(crate) resolved: i32,
    pub(crate) external: i32,
    pub(crate) open_plain: i32,
    pub(crate) open_member: i32,
}

impl Sums {
    fn add_count(&mut self, count: &WordCount, sign: i32) {
        self.total += sign * count.total as i32;
        self.text += sign * count.text as i32;
        self.definitions += sign * count.definitions as i32;
        self.references += sign * count.references as i32;
        self.local += sign * count.local as i32;
        self.path += sign * count.path as i32;
        self.keys += sign * count.key_of_value as i32;
        self.damaged += sign * count.damaged as i32;
    }

    fn add_outcome(&mut self, outcome: &WordOutcome, sign: i32) {
        self.resolved += sign * outcome.resolved as i32;
        self.external += sign * outcome.external as i32;
        self.open_plain += sign * outcome.open_plain as i32;
        self.open_member += sign * outcome.open_member as i32;
    }

    /// Written in code as something that nobody explained: no role was found for it, or its reference was lost.
    pub(crate) fn unexplained(&self) -> i32 {
        let roles = self.definitions + self.references + self.local + self.path + self.keys;
        let lost = self.references - self.resolved - self.external - self.open_plain - self.open_member;
        (self.total - self.text - self.damaged - roles).max(0) + lost.max(0)
    }
}

/// Why a file is among those to look at when a word is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum OpenBy {
    Count = 0,
    Outcome = 1,
}

/// What changed since the last flush.
pub(crate) struct Changes<'c> {
    connection: &'c Connection,
    sums: HashMap<i64, Sums, FixedState>,
    opened: Vec<(i64, u32, u8)>,
    closed: Vec<(i64, u32, u8)>,
}

impl<'c> Changes<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Changes<'c> {
        let sums = HashMap::with_hasher(FixedState::with_seed(13));
        Changes { connection, sums, opened: Vec::new(), closed: Vec::new() }
    }

    /// Takes a file's own counts in.
    pub(crate) fn count(
        &mut self,
        file: u32,
        family: Family,
        counts: &[WordCount],
    ) -> Result<(), GraphError> {
        self.add_counts(file, family, counts, 1);
        self.connection
            .prepare_cached("INSERT INTO tally_rows VALUES (?1, ?2)")?
            .execute(params![file, encode_counts(family, counts)])?;
        Ok(())
    }

    /// Takes in what became of a file's references.
    pub(crate) fn resolve(
        &mut self,
        file: u32,
        family: Family,
        outcomes: &[WordOutcome],
    ) -> Result<(), GraphError> {
        self.add_outcomes(file, family, outcomes, 1);
        self.connection
            .prepare_cached("INSERT INTO outcome_rows VALUES (?1, ?2)")?
            .execute(params![file, encode_outcomes(family, outcomes)])?;
        Ok(())
    }

    /// Takes back what a file counted before.
    pub(crate) fn uncount(&mut self, file: u32) -> Result<(), GraphError> {
        let Some(blob) = self.take("DELETE FROM tally_rows WHERE file = ?1 RETURNING words", file)? else {
            return Ok(());
        };
        let (family, counts) = decode_counts(&blob).ok_or_else(damaged)?;
        self.add_counts(file, family, &counts, -1);
        Ok(())
    }

    /// Takes back what became of a file's references before.
    pub(crate) fn unresolve(&mut self, file: u32) -> Result<(), GraphError> {
        let Some(blob) = self.take("DELETE FROM outcome_rows WHERE file = ?1 RETURNING words", file)? else {
            return Ok(());
        };
        let (family, outcomes) = decode_outcomes(&blob).ok_or_else(damaged)?;
        self.add_outcomes(file, family, &outcomes, -1);
        Ok(())
    }

    fn take(&self, sql: &str, file: u32) -> Result<Option<Vec<u8>>, GraphError> {
        Ok(self.connection.prepare_cached(sql)?.query_row([file], |row| row.get(0)).optional()?)
    }

    fn add_counts(&mut self, file: u32, family: Family, counts: &[WordCount], sign: i32) {
        for count in counts {
            let word = stored(count.key, family);
            self.sums.entry(word).or_default().add_count(count, sign);
            // In the other languages the path of a type or module never holds a type.
            let is_path = count.path > 0 && !matches!(family, Family::Python | Family::Go | Family::Script);
            if is_path || count.open() + count.key_of_value + count.damaged > 0 {
                self.mark(word, file, OpenBy::Count, sign);
            }
        }
    }

    fn add_outcomes(&mut self, file: u32, family: Family, outcomes: &[WordOutcome], sign: i32) {
        for outcome in outcomes {
            let word = stored(outcome.key, family);
            self.sums.entry(word).or_default().add_outcome(outcome, sign);
            if outcome.open_plain + outcome.open_member > 0 {
                self.mark(word, file, OpenBy::Outcome, sign);
            }
        }
    }

    fn mark(&mut self, word: i64, file: u32, by: OpenBy, sign: i32) {
        let list = if sign > 0 { &mut self.opened } else { &mut self.closed };
        list.push((word, file, by as u8));
    }

    /// Writes what changed. What is in the order of its keys is written fastest.
    pub(crate) fn flush(self) -> Result<(), GraphError> {
        let Changes { connection, sums, mut opened, mut closed } = self;
        opened.sort_unstable();
        closed.sort_unstable();
        let mut remove =
            connection.prepare_cached("DELETE FROM open_rows WHERE word = ?1 AND file = ?2 AND by = ?3")?;
        for (word, file, by) in closed.iter().filter(|row| opened.binary_search(row).is_err()) {
            remove.execute(params![word, file, by])?;
        }
        let mut insert = connection.prepare_cached("INSERT INTO open_rows VALUES (?1, ?2, ?3)")?;
        for (word, file, by) in opened.iter().filter(|row| closed.binary_search(row).is_err()) {
            insert.execute(params![word, file, by])?;
        }
        let mut sums: Vec<(i64, Sums)> =
            sums.into_iter().filter(|(_, sums)| *sums != Sums::default()).collect();
        sums.sort_unstable_by_key(|(word, _)| *word);
        let mut add = connection.prepare_cached(
            "INSERT INTO word_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (word) DO UPDATE SET total = total + excluded.total, text = text + excluded.text,
               definitions = definitions + excluded.definitions, reference = reference + excluded.reference,
               local = local + excluded.local, path = path + excluded.path, keys = keys + excluded.keys,
               damaged = damaged + excluded.damaged, resolved = resolved + excluded.resolved,
               external = external + excluded.external, open_plain = open_plain + excluded.open_plain,
               open_member = open_member + excluded.open_member",
        )?;
        let mut gone = connection.prepare_cached("DELETE FROM word_rows WHERE word = ?1 AND total = 0")?;
        for (word, sums) in sums {
            add.execute(params![
                word,
                sums.total,
                sums.text,
                sums.definitions,
                sums.references,
                sums.local,
                sums.path,
                sums.keys,
                sums.damaged,
                sums.resolved,
                sums.external,
                sums.open_plain,
                sums.open_member,
            ])?;
            if sums.total < 0 {
                gone.execute([word])?;
            }
        }
        Ok(())
    }
}

/// The sums of a word, by family.
pub(crate) fn sums(connection: &Connection, key: u64) -> Result<Vec<(u8, Sums)>, GraphError> {
    let first = stored(key, Family::Rust);
    let mut statement = connection.prepare_cached(
        "SELECT word, total, text, definitions, reference, local, path, keys, damaged, resolved, external, open_plain,
           open_member FROM word_rows WHERE word BETWEEN ?1 AND ?2",
    )?;
    let rows = statement.query_map([first, first | ((1 << FAMILY_BITS) - 1)], |row| {
        let family = row.get::<_, i64>(0)? & ((1 << FAMILY_BITS) - 1);
        let sums = Sums {
            total: row.get(1)?,
            text: row.get(2)?,
            definitions: row.get(3)?,
            references: row.get(4)?,
            local: row.get(5)?,
            path: row.get(6)?,
            keys: row.get(7)?,
            damaged: row.get(8)?,
            resolved: row.get(9)?,
            external: row.get(10)?,
            open_plain: row.get(11)?,
            open_member: row.get(12)?,
        };
        Ok((family as u8, sums))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The files in which nobody knows what every occurrence of a word is.
pub(crate) fn open_files(connection: &Connection, key: u64, family: Family) -> Result<Vec<u32>, GraphError> {
    let mut statement =
        connection.prepare_cached("SELECT DISTINCT file FROM open_rows WHERE word = ?1 ORDER BY file")?;
    let rows = statement.query_map([stored(key, family)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// One number for all counts, and for how many files each word is open in; `None` when there are no words.
pub(crate) fn digest(connection: &Connection) -> Result<Option<String>, GraphError> {
    let mut hasher = blake3::Hasher::new();
    let mut is_empty = true;
    for sql in [
        "SELECT * FROM word_rows ORDER BY word",
        "SELECT word, by, count(*) FROM open_rows GROUP BY word, by ORDER BY word, by",
    ] {
        let mut statement = connection.prepare(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            is_empty = false;
            for column in 0..columns {
                hasher.update(&row.get::<_, i64>(column)?.to_le_bytes());
            }
        }
    }
    Ok((!is_empty).then(|| hasher.finalize().to_hex()[..16].to_owned()))
}

/// How often a word is written in one file.
pub(crate) fn count_in_file(
    connection: &Connection,
    file: u32,
    key: u64,
) -> Result<Option<WordCount>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT words FROM tally_rows WHERE file = ?1")?;
    let blob: Option<Vec<u8>> = statement.query_row([file], |row| row.get(0)).optional()?;
    let Some(blob) = blob else { return Ok(None) };
    let (_, counts) = decode_counts(&blob).ok_or_else(damaged)?;
    Ok(counts.into_iter().find(|count| count.key == key >> KEPT << KEPT))
}

fn stored(key: u64, family: Family) -> i64 {
    let word = key >> (64 - (WORD_BITS - FAMILY_BITS));
    (word << FAMILY_BITS | family as u64) as i64
}

fn damaged() -> GraphError {
    GraphError::Damaged("the counts of a file's words".into())
}
