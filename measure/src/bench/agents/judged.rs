//! Answers beside the truth.

use super::asked::Answer;
use super::drawn::{Kind, Question, TEST_DEPTH};
use super::known::{Known, Place, is_function};
use super::testing::is_test;
use crate::bench::said::Said;
use std::collections::BTreeSet;
use std::path::Path;

/// What a set of places, or of functions, is worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Score {
    pub(super) right: usize,
    pub(super) wrong: Vec<String>,
    pub(super) missed: Vec<String>,
    /// Of those, how many stand among what is uncertain.
    pub(super) perhaps: usize,
}

impl Score {
    /// The harmonic mean of precision and recall; nothing said where there is nothing is right.
    pub(super) fn f1(&self) -> f64 {
        share(self.right, self.wrong.len() + self.missed.len())
    }

    /// The same when each uncertain row was read and told right.
    pub(super) fn f1_after_reading(&self) -> f64 {
        share(self.right + self.perhaps, self.wrong.len() + self.missed.len() - self.perhaps)
    }
}

fn share(right: usize, other: usize) -> f64 {
    if right + other == 0 { 1.0 } else { 2.0 * right as f64 / (2 * right + other) as f64 }
}

/// The answer to one question, judged.
pub(super) fn judge(known: &Known, root: &Path, question: &Question, answer: &Answer) -> Score {
    match question.kind {
        Kind::Callers | Kind::NoCallers | Kind::OneOfMany => {
            let mut score = uses(known, question, &answer.rows);
            let open = answer.uncertain.iter().map(shown).collect::<BTreeSet<_>>();
            score.perhaps = score.missed.iter().filter(|place| open.contains(*place)).count();
            score
        }
        Kind::Breaks => functions(known, question, answer, known.break_depth(), |_| true),
        Kind::Tests => {
            let is_asked = |id: u32| {
                let definition = known.main_definition(id);
                definition.is_some_and(|definition| {
                    let (name, file) = (definition.name.clone(), definition.file.clone());
                    is_test(
                        known,
                        root,
                        &Question { id, name, file, line: definition.line, ..question.clone() },
                    )
                })
            };
            functions(known, question, answer, TEST_DEPTH, is_asked)
        }
    }
}

/// Judges places that are said to be uses. What the compiler could not judge counts neither way.
pub(super) fn uses(known: &Known, question: &Question, said: &BTreeSet<Place>) -> Score {
    let meant = known.uses(question.id);
    let mut score = Score::default();
    for place in said.iter().filter(|place| known.truth.files.contains(&place.0)) {
        if meant.contains(place) {
            score.right += 1;
        } else if !known.is_accepted(question.id, place)
            && !known.may_construct(question.id, place)
            && known.is_wholly_known(place, &question.name)
        {
            score.wrong.push(shown(place));
        }
    }
    score.missed = meant.iter().filter(|place| !said.contains(*place)).map(shown).collect();
    score
}

/// Judges the functions that are said to be touched.
fn functions(
    known: &Known,
    question: &Question,
    answer: &Answer,
    depth: usize,
    is_asked: impl Fn(u32) -> bool,
) -> Score {
    let (surely, perhaps) =
        (known.surely_reached(question.id, depth), known.perhaps_reached(question.id, depth));
    let of_function = |id: &u32| known.main_definition(*id).is_some_and(is_function);
    let named = |symbols: &BTreeSet<Said>| {
        let all = symbols.iter().filter_map(|one| known.function_said(one));
        all.filter(|id| *id != question.id).collect::<BTreeSet<u32>>()
    };
    let (said, claimed, followed) = (named(&answer.touched), named(&answer.claimed), named(&answer.followed));
    let meant: BTreeSet<u32> = surely.keys().copied().filter(|id| of_function(id) && is_asked(*id)).collect();
    let place = |id: &u32| {
        let definition = known.main_definition(*id);
        definition.map_or_else(String::new, |one| format!("{}:{} {}", one.file, one.line, one.name))
    };
    Score {
        right: said.intersection(&meant).count(),
        wrong: said.intersection(&claimed).filter(|id| !perhaps.contains_key(*id)).map(place).collect(),
        missed: meant.difference(&said).map(place).collect(),
        perhaps: meant.difference(&said).filter(|id| followed.contains(id)).count(),
    }
}

pub(super) fn shown((file, line): &Place) -> String {
    format!("{file}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::truth;

    const TRUTH: &str = "#language\tpython\n\
        F\tshop.py\nF\ttest_shop.py\n\
        D\t1\tshop.py\t1\t5\t1\t2\tfunc\tfunction\tfill\t-\tfill\n\
        D\t2\tshop.py\t4\t5\t4\t6\tfunc\tfunction\tsell\t-\tsell\n\
        D\t3\tother.py\t1\t5\t1\t2\tfunc\tfunction\tfill\t-\tfill\n\
        D\t4\ttest_shop.py\t3\t5\t3\t5\tfunc\tfunction\ttest_sell\t-\ttest_sell\n\
        R\tshop.py\t5\t1\tfill\tcall\tin\t1\tshop.py:1\n\
        R\tshop.py\t6\t1\tfill\tcall\tin\t3\tother.py:1\n\
        R\ttest_shop.py\t4\t1\tsell\tcall\tin\t2\tshop.py:4\n\
        R\ttest_shop.py\t5\t1\tfill\tother\tunk\t0\t\n";

    fn known() -> Known {
        Known::of(truth::parse(TRUTH).expect("a truth"), Path::new("no such directory"))
    }

    fn question(kind: Kind) -> Question {
        Question { kind, id: 1, name: "fill".into(), file: "shop.py".into(), line: 1 }
    }

    fn rows(lines: &[(&str, u32)]) -> BTreeSet<Place> {
        lines.iter().map(|(file, line)| ((*file).to_owned(), *line)).collect()
    }

    #[test]
    fn uses_of_another_of_the_name_are_wrong_and_unjudged_ones_count_neither_way() {
        let (known, question) = (known(), question(Kind::Callers));
        let all = uses(&known, &question, &rows(&[("shop.py", 5), ("shop.py", 6), ("test_shop.py", 5)]));
        assert_eq!((all.right, &all.wrong[..], all.missed.len()), (1, &["shop.py:6".to_owned()][..], 0));
        let none = uses(&known, &question, &rows(&[]));
        assert_eq!(
            (none.right, none.f1_after_reading(), none.missed),
            (0, 0.0, vec!["shop.py:5".to_owned()])
        );
    }

    #[test]
    fn a_line_where_the_compiler_left_one_use_open_is_not_wrong() {
        let text = format!("{TRUTH}R\tshop.py\t6\t9\tfill\tcall\tunk\t0\t\n");
        let known = Known::of(truth::parse(&text).expect("a truth"), Path::new("no such directory"));
        let score = uses(&known, &question(Kind::Callers), &rows(&[("shop.py", 5), ("shop.py", 6)]));
        assert_eq!((score.right, score.wrong.len()), (1, 0));
    }

    #[test]
    fn uncertain_rows_are_worth_something_once_they_are_read() {
        let answer = Answer { uncertain: rows(&[("shop.py", 5)]), ..Answer::default() };
        let score = judge(&known(), Path::new("."), &question(Kind::Callers), &answer);
        assert_eq!((score.f1(), score.f1_after_reading()), (0.0, 1.0));
    }

    #[test]
    fn what_breaks_and_which_tests_are_reached_through_functions() {
        let known = known();
        let sell = Said { file: "shop.py".to_owned(), name: "sell".to_owned(), lines: vec![4] };
        let test = Said { file: "test_shop.py".to_owned(), name: "test_sell".to_owned(), lines: Vec::new() };
        let answer = Answer { touched: BTreeSet::from([sell.clone()]), ..Answer::default() };
        let breaks = judge(&known, Path::new("."), &question(Kind::Breaks), &answer);
        assert_eq!((breaks.right, &breaks.missed[..]), (1, &["test_shop.py:3 test_sell".to_owned()][..]));
        let answer = Answer { touched: BTreeSet::from([test]), ..Answer::default() };
        let tests = judge(&known, Path::new("."), &question(Kind::Tests), &answer);
        assert_eq!((tests.right, tests.wrong.len(), tests.f1()), (1, 0, 1.0));
    }

    #[test]
    fn a_bare_name_of_rust_means_the_function_and_not_a_method() {
        let truth = "#language\trust\nF\ta.rs\n\
            D\t1\ta.rs\t2\t8\t2\t3\tfunc\tmethod\thint\t-\timpl#[Row]hint\n\
            D\t2\ta.rs\t9\t4\t9\t9\tfunc\tfunction\thint\t-\thint\n";
        let known = Known::of(truth::parse(truth).expect("a truth"), Path::new("no such directory"));
        let said = |name: &str| Said { file: "a.rs".to_owned(), name: name.to_owned(), lines: Vec::new() };
        assert_eq!(known.function_said(&said("hint")), Some(2));
        assert_eq!(known.function_said(&said("Row::hint")), Some(1));
    }
}
