//! Text search against a plain reading of every row.

use arrow_array::StringArray;
use arrow_buffer::BooleanBuffer;
use omnigraph::rows::RowRef;
use omnigraph::text::{Live, Match, Postings, TextIndex, automatic_edits, tokens, within};
use proptest::prelude::*;
use std::sync::Arc;

type Docs = Vec<Option<&'static str>>;

fn index(chunks: &[Docs], dead: &[(usize, usize)]) -> TextIndex {
    let live = chunks.iter().enumerate().map(|(at, docs)| {
        let postings = Postings::build(&docs.iter().copied().collect::<StringArray>(), None).unwrap();
        let mask = BooleanBuffer::collect_bool(docs.len(), |row| !dead.contains(&(at, row)));
        Live::new(Arc::new(postings), Some(mask))
    });
    TextIndex::new(live.collect(), None)
}

fn rows(found: &[RowRef]) -> Vec<(u32, u32)> {
    found.iter().map(|row| (row.chunk, row.row)).collect()
}

#[test]
fn words_are_letters_and_digits_without_case_and_accents() {
    assert_eq!(tokens("Hello, WORLD-2 x_y"), ["hello", "world", "2", "x", "y"]);
    assert_eq!(
        tokens("Crème Brûlée naïve ÅNGSTRÖM Straße Łódź"),
        ["creme", "brulee", "naive", "angstrom", "strasse", "lodz"]
    );
    assert_eq!(tokens("cafe\u{301} bar"), ["cafe", "bar"]);
    assert_eq!(tokens("東京 Привет"), ["東京", "京", "привет"]);
    assert!(tokens(" —…! ").is_empty());
}

#[test]
fn edits_are_counted_with_swaps() {
    assert!(within("kitten", "sitting", 3) && !within("kitten", "sitting", 2));
    assert!(within("hte", "the", 1) && within("", "ab", 2) && !within("", "ab", 1));
    assert!(within("naive", "naive", 0) && !within("a", "b", 0));
    assert_eq!([2, 3, 5, 6].map(automatic_edits), [0, 1, 1, 2]);
}

fn library() -> TextIndex {
    index(
        &[
            vec![Some("The quick brown fox"), None, Some("brown bread, quick"), Some("")],
            vec![Some("quick brown quick brown dog"), Some("Machine learning"), Some("deleted quick brown")],
        ],
        &[(1, 2)],
    )
}

#[test]
fn words_phrases_and_near_misses() {
    let library = library();
    let find = |what: Match| rows(&library.find(&what));
    assert_eq!(find(Match::any("FOX dog")), [(0, 0), (1, 0)]);
    assert_eq!(find(Match::phrase("quick brown")), [(0, 0), (1, 0)]);
    assert_eq!(find(Match::phrase("brown quick brown")), [(1, 0)]);
    assert_eq!(find(Match::phrase("brown fox quick")), []);
    assert_eq!(find(Match::near("mahcine", None)), [(1, 1)]);
    assert_eq!(find(Match::near("nachine", None)), [(1, 1)]);
    assert_eq!(find(Match::near("fix", Some(0))), []);
    assert_eq!(find(Match::near("fix", Some(1))), [(0, 0)]);
    assert_eq!(find(Match::any("")), []);
    assert_eq!(find(Match::phrase("")), []);
    let all: Vec<RowRef> = (0..4).map(|row| RowRef::new(0, row)).chain([RowRef::new(1, 2)]).collect();
    assert_eq!(library.accept(&Match::any("quick"), &all), [true, false, true, false, false]);
}

#[test]
fn rows_without_the_words_score_nothing() {
    let library = library();
    let top = library.top("quick dog", 10, |a, b| a.cmp(&b));
    assert_eq!(rows(&top.iter().map(|(row, _)| *row).collect::<Vec<_>>()), [(1, 0), (0, 2), (0, 0)]);
    let asked =
        [RowRef::new(0, 1), RowRef::new(0, 3), RowRef::new(1, 2), RowRef::new(1, 0), RowRef::new(9, 9)];
    let scores = library.scores("quick dog", &asked);
    assert_eq!(scores[..3], [None, Some(0.0), None]);
    assert_eq!(scores[3], Some(top[0].1));
    assert_eq!(scores[4], None);
    assert!(library.top("quick", 0, |a, b| a.cmp(&b)).is_empty());
    assert_eq!(library.docs(), 5);
}

#[test]
fn a_word_may_stand_very_often_in_a_row() {
    let long = "spam ".repeat(70_000) + "egg";
    let texts = StringArray::from(vec![long.as_str(), "spam egg"]);
    let index = TextIndex::new(vec![Live::new(Arc::new(Postings::build(&texts, None).unwrap()), None)], None);
    let docs = [tokens(&long), tokens("spam egg")];
    let expected = naive_scores("spam", &docs.iter().map(Some).collect::<Vec<_>>());
    let found = index.scores("spam", &[RowRef::new(0, 0), RowRef::new(0, 1)]);
    assert!((found[0].unwrap() - expected[0]).abs() < 1e-9 && (found[1].unwrap() - expected[1]).abs() < 1e-9);
    assert_eq!(rows(&index.find(&Match::phrase("spam egg"))), [(0, 0), (0, 1)]);
}

/// BM25 as the textbook has it, over all documents.
fn naive_scores(query: &str, docs: &[Option<&Vec<String>>]) -> Vec<f64> {
    let texts: Vec<&Vec<String>> = docs.iter().copied().flatten().collect();
    let count = texts.len() as f64;
    let average = texts.iter().map(|words| words.len()).sum::<usize>() as f64 / count.max(1.0);
    let score = |doc: Option<&Vec<String>>| {
        let Some(words) = doc else { return 0.0 };
        let parts = tokens(query).into_iter().map(|word| {
            let df = texts.iter().filter(|words| words.contains(&word)).count() as f64;
            let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
            let tf = words.iter().filter(|other| **other == word).count() as f64;
            idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * words.len() as f64 / average))
        });
        parts.filter(|part| !part.is_nan()).sum()
    };
    docs.iter().copied().map(score).collect()
}

fn naive_distance(a: &[char], b: &[char]) -> usize {
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            d[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let mut best = (d[i - 1][j] + 1)
                    .min(d[i][j - 1] + 1)
                    .min(d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(d[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    d[a.len()][b.len()]
}

proptest! {
    #[test]
    fn distance_equals_the_plain_table(a in "[abcé]{0,7}", b in "[abcé]{0,7}", edits in 0..4_u8) {
        let letters = |word: &str| word.chars().collect::<Vec<_>>();
        prop_assert_eq!(within(&a, &b, edits), naive_distance(&letters(&a), &letters(&b)) <= usize::from(edits));
    }

    /// Top, scores of candidates and matches equal a scan of all rows.
    #[test]
    fn search_equals_a_scan(
        chunks in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.9, ("([a-e]{1,2} ){0,8}", prop::bool::weighted(0.8))), 0..8), 1..4),
        query in "([a-e]{1,2} ){0,3}",
        limit in 0..12_usize,
    ) {
        let mut docs: Vec<(RowRef, Option<Vec<String>>)> = Vec::new();
        let mut live = Vec::new();
        for (at, chunk) in chunks.iter().enumerate() {
            let texts: StringArray = chunk.iter().map(|doc| doc.as_ref().map(|(text, _)| text.as_str())).collect();
            let mask = BooleanBuffer::collect_bool(chunk.len(), |row| chunk[row].as_ref().is_none_or(|(_, live)| *live));
            live.push(Live::new(Arc::new(Postings::build(&texts, None).unwrap()), Some(mask)));
            for (row, doc) in chunk.iter().enumerate() {
                if doc.as_ref().is_none_or(|(_, live)| *live) {
                    docs.push((RowRef::new(at, row), doc.as_ref().map(|(text, _)| tokens(text))));
                }
            }
        }
        let index = TextIndex::new(live, None);
        let words: Vec<Option<&Vec<String>>> = docs.iter().map(|(_, words)| words.as_ref()).collect();
        let naive = naive_scores(&query, &words);
        let mut expected: Vec<(RowRef, f64)> = docs.iter().zip(&naive).filter(|(_, score)| **score > 0.0).map(|((row, _), score)| (*row, *score)).collect();
        // Ties go to the last row here, so that the tie key is seen to matter.
        expected.sort_by(|a, b| if (a.1 - b.1).abs() < 1e-9 { b.0.cmp(&a.0) } else { b.1.total_cmp(&a.1) });
        expected.truncate(limit);
        let top = index.top(&query, limit, |a, b| b.cmp(&a));
        prop_assert_eq!(top.len(), expected.len());
        let own = |row: RowRef| index.scores(&query, &[row])[0];
        for (found, expected) in top.iter().zip(&expected) {
            // Of scores that are one but for rounding, the one that comes out higher goes first.
            prop_assert!(found.0 == expected.0 || own(found.0) > own(expected.0));
            prop_assert!((found.1 - expected.1).abs() < 1e-6);
        }
        let candidates: Vec<RowRef> = docs.iter().map(|(row, _)| *row).collect();
        for ((score, naive), words) in index.scores(&query, &candidates).iter().zip(&naive).zip(&words) {
            prop_assert_eq!(score.is_some(), words.is_some());
            prop_assert!((score.unwrap_or(0.0) - naive).abs() < 1e-6);
        }
        let wanted = tokens(&query);
        let scan = |accepts: &dyn Fn(&[String]) -> bool| -> Vec<RowRef> {
            docs.iter().filter(|(_, words)| words.as_deref().is_some_and(accepts)).map(|(row, _)| *row).collect()
        };
        let any = scan(&|words| words.iter().any(|word| wanted.contains(word)));
        prop_assert_eq!(index.find(&Match::any(&query)), any);
        let phrase = scan(&|words| !wanted.is_empty() && words.windows(wanted.len()).any(|run| run == wanted));
        prop_assert_eq!(index.find(&Match::phrase(&query)), phrase);
        let near = scan(&|words| words.iter().any(|word| wanted.iter().any(|other| within(word, other, 1))));
        prop_assert_eq!(index.find(&Match::near(&query, Some(1))), near);
    }
}
