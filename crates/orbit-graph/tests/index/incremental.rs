//! After any sequence of edits, an incremental sync leaves what a full build leaves.

use crate::compare::{assert_equals_fresh, check, check_incremental};
use crate::edits::{Edit, edit};
use crate::tree::{FIXTURE, Tree};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};
use std::fmt::Write as _;

const CASES: u32 = 24;
const STEPS: usize = 12;
/// Edits between two syncs.
const AT_ONCE: usize = 3;
const SEED: u64 = 0x0b17;

/// `PROPTEST_CASES` and `PROPTEST_RNG_SEED` look further than the everyday run does.
fn config() -> ProptestConfig {
    let given = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { given.cases } else { CASES };
    let rng_seed = match given.rng_seed {
        RngSeed::Random => RngSeed::Fixed(SEED),
        fixed @ RngSeed::Fixed(_) => fixed,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 40, ..given }
}

/// Syncs after every step and compares with a fresh build each time.
fn replay(steps: &[Vec<Edit>]) -> Result<(), TestCaseError> {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    let mut log = String::new();
    for (number, step) in steps.iter().enumerate() {
        for edit in step {
            let _ = writeln!(log, "  step {number}: {}", edit.apply(&tree));
        }
        check_incremental(&tree)
            .map_err(|difference| TestCaseError::fail(format!("after the edits\n{log}{difference}")))?;
    }
    check(&tree).map_err(|difference| TestCaseError::fail(format!("after the edits\n{log}{difference}")))
}

#[test]
fn random_edits_leave_what_a_full_build_leaves() {
    let step = prop::collection::vec(edit(), 1..=AT_ONCE);
    let steps = prop::collection::vec(step, 1..=STEPS);
    let mut runner = TestRunner::new(config());
    if let Err(error) = runner.run(&steps, |steps| replay(&steps)) {
        panic!("{error}");
    }
}

#[test]
fn the_fixture_is_understood() {
    let tree = Tree::of(FIXTURE);
    let report = assert_equals_fresh(&tree);
    assert_eq!(report.failed, []);
    assert_eq!(report.skipped, []);
    for confidence in ["exact", "import_resolved", "same_module", "fuzzy_name"] {
        let word = format!(r#""confidence":"{confidence}""#);
        assert!(tree.export().contains(&word), "no edge is {confidence}: the fixture tests too little");
    }
}

#[test]
fn a_sync_without_changes_changes_nothing() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    let before = tree.export();
    let report = tree.sync();
    assert_eq!((report.files_changed, report.files_removed, report.files_reresolved), (0, 0, 0));
    assert_eq!(tree.export(), before);
}

#[test]
fn a_touched_file_is_not_extracted_again() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    tree.set_modified("py/app.py", std::time::SystemTime::now());
    let report = assert_equals_fresh(&tree);
    assert_eq!((report.files_changed, report.files_reresolved), (0, 0));
}

#[test]
fn a_body_edit_resolves_only_its_own_file_again() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    tree.replace("py/pkg/base.py", "return value + 1", "return value + 7");
    let report = assert_equals_fresh(&tree);
    assert_eq!((report.files_changed, report.files_reresolved), (1, 0));
}

#[test]
fn each_file_can_vanish_and_come_back() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    let whole = tree.export();
    for (path, text) in crate::fixture::files(FIXTURE) {
        tree.remove(&path);
        check_incremental(&tree).unwrap_or_else(|difference| panic!("without {path}: {difference}"));
        tree.write(&path, text);
        tree.sync();
        assert_eq!(crate::compare::difference(&tree.export(), &whole), None, "{path} came back");
    }
}

#[test]
fn a_whole_tree_can_vanish_and_come_back() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    let whole = tree.export();
    for (path, _) in crate::fixture::files(FIXTURE) {
        tree.remove(&path);
    }
    let report = assert_equals_fresh(&tree);
    assert_eq!(report.files_indexed, 0);
    assert_eq!(tree.export(), "");
    for (path, text) in crate::fixture::files(FIXTURE) {
        tree.write(&path, text);
    }
    assert_equals_fresh(&tree);
    assert_eq!(crate::compare::difference(&tree.export(), &whole), None);
}
