//! Search in texts of human languages: words that have one stem, words that say nothing, scripts without spaces, and what is
//! shown of a text.

use arrow_array::StringArray;
use arrow_buffer::BooleanBuffer;
use omnigraph::compiler::Language;
use omnigraph::rows::RowRef;
use omnigraph::text::{Asked, Live, Match, Postings, TextIndex, highlight, snippet, tokens};
use proptest::prelude::*;
use std::sync::Arc;

fn index(texts: &[&str], language: Option<Language>) -> TextIndex {
    let texts: StringArray = texts.iter().copied().map(Some).collect();
    let postings = Postings::build(&texts, language).unwrap();
    TextIndex::new(vec![Live::new(Arc::new(postings), None)], language)
}

/// The rows that match, by the index and by a scan, which must agree.
#[track_caller]
fn found(texts: &[&str], language: Language, what: &Match) -> Vec<u32> {
    let rows: Vec<u32> = index(texts, Some(language)).find(what).iter().map(|row| row.row).collect();
    let asked = Asked::new(what, Some(language));
    let scanned: Vec<u32> =
        (0..texts.len() as u32).filter(|row| asked.matches(texts[*row as usize])).collect();
    assert_eq!(rows, scanned, "{what:?}");
    rows
}

#[test]
fn scripts_without_spaces_have_words() {
    assert_eq!(tokens("東京に住む"), ["東京", "京に", "に住", "住む", "む"]);
    assert_eq!(tokens("学习Rust语言2024年"), ["学习", "习", "rust", "语言", "言", "2024", "年"]);
    assert_eq!(tokens("ภาษาไทยง่าย"), ["ภาษา", "ไทย", "ง่าย"]);
    assert_eq!(tokens("データベース、グラフ。"), tokens("データベース グラフ"));
    assert_eq!(tokens("한국어 단어"), tokens("한국어, 단어!"));
}

#[test]
fn parts_of_runs_without_spaces_are_found() {
    let texts = ["我们在学习图数据库", "学校", "他习惯了，语言", "東京都庁", "京都"];
    let find = |what: Match| -> Vec<u32> {
        let rows = index(&texts, None).find(&what).into_iter().map(|row| row.row).collect();
        let asked = Asked::new(&what, None);
        assert_eq!(rows, (0..5).filter(|row| asked.matches(texts[*row as usize])).collect::<Vec<u32>>());
        rows
    };
    assert_eq!(find(Match::any("学习")), [0]);
    assert_eq!(find(Match::any("学")), [0, 1]);
    assert_eq!(find(Match::any("库")), [0], "the last letter");
    assert_eq!(find(Match::any("京都")), [3, 4]);
    assert_eq!(find(Match::any("東京都")), [3, 4], "any pair");
    assert_eq!(find(Match::phrase("東京都")), [3], "all pairs");
    assert_eq!(find(Match::phrase("了语言")), [] as [u32; 0]);
    assert_eq!(find(Match::phrase("习惯了 语言")), [2]);
    assert_eq!(find(Match::phrase("庁")), [3]);
    assert_eq!(find(Match::prefix("数据")), [0]);
    assert_eq!(find(Match::near("習慣", None)), [] as [u32; 0]);
}

#[test]
fn words_with_one_stem_are_found() {
    let texts = ["The runner was running", "He runs", "a run", "Runic stones", ""];
    assert_eq!(found(&texts, Language::English, &Match::any("running")), [0, 1, 2]);
    assert_eq!(found(&texts, Language::English, &Match::any("RUNS")), [0, 1, 2]);
    assert_eq!(index(&texts, None).find(&Match::any("running")).len(), 1, "without a language");
    let texts = ["Häuser am See", "ein Haus", "Hausen", "hauser"];
    assert_eq!(found(&texts, Language::German, &Match::any("Häusern")), [0, 1, 2, 3]);
    let texts = ["les élèves", "un eleve", "élevé", "élire"];
    assert!(found(&texts, Language::French, &Match::any("eleves")).starts_with(&[0, 1]));
    let texts = ["новые книги", "новая книга", "новости"];
    assert_eq!(found(&texts, Language::Russian, &Match::any("новый")), [0, 1]);
}

#[test]
fn words_that_say_nothing_are_left_out_unless_they_are_all_there_is() {
    let texts = ["the house of the king", "the sea", "King and queen", "to be or not to be"];
    assert_eq!(found(&texts, Language::English, &Match::any("the king")), [0, 2]);
    assert_eq!(found(&texts, Language::English, &Match::any("the")), [0, 1]);
    assert_eq!(found(&texts, Language::English, &Match::phrase("house of the kings")), [0]);
    assert!(found(&texts, Language::English, &Match::phrase("house the king")).is_empty());
    assert_eq!(found(&texts, Language::English, &Match::phrase("to be or not")), [3]);
    assert_eq!(found(&texts, Language::English, &Match::near("the qween", None)), [2]);
}

#[test]
fn the_last_word_of_a_prefix_may_be_cut_off() {
    let texts = ["graph databases", "data", "a graph", "datum", "the"];
    assert_eq!(found(&texts, Language::English, &Match::prefix("graph dat")), [0, 1, 2, 3]);
    assert_eq!(found(&texts, Language::English, &Match::prefix("datab")), [0]);
    assert_eq!(found(&texts, Language::English, &Match::prefix("dat graphs")), [0, 2], "the first is whole");
    assert_eq!(found(&texts, Language::English, &Match::prefix("th")), [4]);
    assert!(found(&texts, Language::English, &Match::prefix("")).is_empty());
    let plain = index(&texts, None);
    assert_eq!(plain.find(&Match::prefix("DATAB")).len(), 1);
    assert_eq!(plain.find(&Match::prefix("x")).len(), 0);
}

#[test]
fn a_ranking_counts_all_forms_of_a_word() {
    let texts = ["run run", "runs running", "walk walk", "the run"];
    let index = index(&texts, Some(Language::English));
    let all: Vec<RowRef> = (0..4).map(|row| RowRef { chunk: 0, row }).collect();
    let scores: Vec<f64> = index.scores("running", &all).into_iter().map(Option::unwrap).collect();
    assert_eq!((scores[0], scores[2]), (scores[1], 0.0));
    assert!(scores[0] > scores[3] && scores[3] > 0.0);
    assert_eq!(index.scores("the running", &all), index.scores("running", &all));
    assert_eq!(index.top("runs", 9, |left, right| left.cmp(&right)).len(), 3);
}

#[test]
fn what_is_found_is_marked() {
    let marked = |what: &Match, language, text: &str| {
        highlight(text, &Asked::new(what, language).places(text), ("[", "]"))
    };
    let english = Some(Language::English);
    assert_eq!(
        marked(&Match::any("run"), english, "Running, the runner runs."),
        "[Running], the runner [runs]."
    );
    assert_eq!(
        marked(&Match::phrase("new york"), None, "New York, new new york"),
        "[New York], new [new york]"
    );
    assert_eq!(marked(&Match::phrase("a a"), None, "a a a b a"), "[a a a] b a");
    assert_eq!(marked(&Match::any("creme"), None, "Crème brûlée"), "[Crème] brûlée");
    assert_eq!(marked(&Match::any("東京"), None, "私は東京に"), "私は[東京]に");
    assert_eq!(marked(&Match::any("東京都 京"), None, "東京都に"), "[東京都]に");
    assert_eq!(marked(&Match::any("京"), None, "東京都に京"), "東[京]都に[京]");
    assert_eq!(marked(&Match::prefix("data"), None, "Databases of data"), "[Databases] of [data]");
    assert_eq!(marked(&Match::near("grpah", None), None, "a graph"), "a [graph]");
    assert_eq!(marked(&Match::any(""), None, "as it is"), "as it is");
}

#[test]
fn a_snippet_is_where_most_was_found() {
    let text =
        format!("needle {} the needle in\n  the  needle stack {}", "hay ".repeat(80), "straw ".repeat(40));
    let cut = |most| snippet(&text, &Asked::new(&Match::any("needle"), None).places(&text), most, ("*", "*"));
    assert_eq!(cut(40), "…the *needle* in the *needle* stack straw…");
    assert_eq!(cut(6), "*needle*…");
    assert_eq!(cut(3), "*nee*…");
    assert!(!cut(10_000).contains('…'));
    let nothing = snippet(&text, &[], 20, ("*", "*"));
    assert_eq!(nothing, "needle hay hay hay…");
    assert_eq!(snippet("", &[], 5, ("*", "*")), "");
    assert_eq!(
        snippet(
            "私は東京に住んでいます",
            &Asked::new(&Match::any("東京"), None).places("私は東京に住んでいます"),
            4,
            ("<b>", "</b>")
        ),
        "…は<b>東京</b>に…"
    );
}

const WORDS: [&str; 16] = [
    "run", "Runs", "running", "runner", "the", "of", "élève", "eleve", "élèves", "été", "étés", "ÉTÉ",
    "maison", "maisons", "la", "et",
];

proptest! {
    /// Whatever the words, chunks and dead rows: the index finds what a scan finds, and what is ranked is what is found.
    #[test]
    fn the_index_finds_what_a_scan_finds(
        chunks in prop::collection::vec(prop::collection::vec((prop::collection::vec(0..WORDS.len(), 0..6), prop::bool::weighted(0.8)), 0..6), 1..4),
        query in prop::collection::vec(0..WORDS.len(), 0..4),
        language in prop::sample::select(vec![None, Some(Language::English), Some(Language::French)]),
        cut in 0..3_usize,
    ) {
        let text = |words: &[usize]| words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ");
        let mut live = Vec::new();
        for chunk in &chunks {
            let texts: StringArray = chunk.iter().map(|(words, _)| Some(text(words))).collect();
            let mask = BooleanBuffer::collect_bool(chunk.len(), |row| chunk[row].1);
            live.push(Live::new(Arc::new(Postings::build(&texts, language).unwrap()), Some(mask)));
        }
        let index = TextIndex::new(live, language);
        let mut query = text(&query);
        query.truncate(query.floor_char_boundary(query.len().saturating_sub(cut)));
        for what in [Match::any(&query), Match::phrase(&query), Match::prefix(&query), Match::near(&query, Some(1))] {
            let asked = Asked::new(&what, language);
            let mut expected = Vec::new();
            for (at, chunk) in chunks.iter().enumerate() {
                let rows = chunk.iter().enumerate().filter(|(_, (words, is_live))| *is_live && asked.matches(&text(words)));
                expected.extend(rows.map(|(row, _)| RowRef::new(at, row)));
            }
            prop_assert_eq!(&index.find(&what), &expected, "{:?}", what);
            let all: Vec<RowRef> = (0..chunks.len()).flat_map(|at| (0..chunks[at].len()).map(move |row| RowRef::new(at, row))).collect();
            let accepted = index.accept(&what, &all).into_iter().zip(&all).filter(|(is, _)| *is).map(|(_, row)| *row);
            prop_assert_eq!(accepted.collect::<Vec<_>>(), expected.clone());
            if matches!(what, Match::Any(_)) {
                let mut ranked: Vec<RowRef> = index.top(&query, usize::MAX, |a, b| a.cmp(&b)).into_iter().map(|(row, _)| row).collect();
                ranked.sort();
                prop_assert_eq!(ranked, expected);
            }
        }
    }
}
