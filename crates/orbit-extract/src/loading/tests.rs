//! Steps of small files, in order.

use super::{Load, When, load_steps};

/// The steps in short: `<` takes, `=` binds, `?` needs; `~` may be, `T` is for type checkers.
fn steps(source: &str) -> String {
    let steps = load_steps(source, false).unwrap();
    let told = steps.iter().map(|step| {
        let load = match &step.load {
            Load::Module { module, bound } => format!("<{module} {bound}"),
            Load::Name { module, name, bound } => format!("<{module}.{name} {bound}"),
            Load::Bind(name) => format!("={name}"),
            Load::Use(name) => format!("?{name}"),
        };
        let when = match step.when {
            When::Always => "",
            When::Maybe => "~",
            When::Typing => "T",
        };
        format!("{when}{load}")
    });
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn imports_are_taken_in_order() {
    assert_eq!(
        steps("import a.b\nimport c as d\nfrom . import e\nfrom .f import (g as h, i)\nfrom j import *\n"),
        "<a.b a, <c d, <..e e, <.f.g h, <.f.i i, <j.* *"
    );
}

#[test]
fn bodies_of_functions_run_later_and_those_of_classes_at_once() {
    assert_eq!(steps("@d\ndef f(x=y, *, z: A = w) -> B:\n    return late\n"), "?d, ?y, ?w, ?A, ?B, =f");
    assert_eq!(
        steps("class C(Base, meta=M):\n    x = y\n    z = x\n    def f(self): return late\n"),
        "?Base, ?M, ?y, =C"
    );
    assert_eq!(steps("from __future__ import annotations\ndef f(x: A) -> B: ...\n"), "=f");
}

#[test]
fn conditions_and_expressions() {
    assert_eq!(
        steps(
            "if TYPE_CHECKING:\n    import a\nelse:\n    b = 1\ntry:\n    import c\nexcept ImportError as e:\n    c = None\n"
        ),
        "?TYPE_CHECKING, T<a a, ~=b, ~<c c, ~?ImportError, ~=e, ~=c"
    );
    assert_eq!(steps("x, y.z = f(k=v)[a.b]\n"), "?f, ?v, ?a, =x, ?y");
    assert_eq!(steps("n = [i for i in items if i] + (lambda q=r: late)()\n"), "?items, ?r, =n");
    assert_eq!(
        steps("with o(p) as h:\n    pass\nw: T\nfor i in r:\n    u(i)\n"),
        "~?o, ~?p, ~=h, ?T, ?r, =i, ~?i, ~?r, ~?u, ~?i"
    );
}
