//! The shell, fed by a pipe.

use crate::program::Place;

#[test]
fn what_is_not_text_is_refused() {
    let place = Place::loaded();
    let done = place.run(r"printf '\377\n' | omnigraph shell g.omni");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.stderr.starts_with("error: cannot read the commands: "), "{}", done.stderr);
}

#[test]
fn statements_run_one_after_the_other_until_one_fails() {
    let place = Place::loaded();
    let added = r#"insert Person { name: "Zoe" }"#;
    let asked = r#"match { $p: Person { name: "Zoe" } } return { $p.name }"#;
    let done =
        place.run(&format!("printf '%s\\n' '{added}' '{asked}' | omnigraph shell --format csv g.omni"));
    assert!(done.success().ends_with("p.name\nZoe\n"));
    let removed = r#"delete Person where name = "Zoe""#;
    let done =
        place.run(&format!("printf '%s\\n' 'match {{ $p: Persn }}' '{removed}' | omnigraph shell g.omni"));
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(
        place.run("omnigraph entity Person Zoe g.omni").success().contains("Zoe"),
        "what follows is not run"
    );
}
