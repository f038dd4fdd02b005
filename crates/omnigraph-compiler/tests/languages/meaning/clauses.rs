//! Random clauses over the schema of these tests. Not all go together.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const PEOPLE: [&str; 2] = ["$a", "$b"];
const FIRMS: [&str; 2] = ["$c", "$d"];
const ALL: [&str; 4] = ["$a", "$b", "$c", "$d"];

fn binding() -> impl Strategy<Value = String> {
    let kinds = prop_oneof![
        (select(&PEOPLE[..]), select(vec!["Person", "Named"])),
        (select(&FIRMS[..]), select(vec!["Company", "Named"])),
    ];
    let props = select(vec!["", "", "", "{ city: \"x\" }", "{ name: \"p1\" }", "{ city: null }"]);
    (kinds, props).prop_map(|((var, name), props)| format!("{var}: {name} {props}"))
}

/// Mostly between variables that the edges can join.
fn traversal() -> impl Strategy<Value = String> {
    let personal = vec![
        "knows",
        "knows",
        "<knows>",
        "knows{1,2}",
        "knows{2,3}",
        "<knows>{1,2}",
        "$w:knows",
        "$r:knows{1,3}",
        "knows{1,}",
        "$r:<knows>{2,}",
        "$w:<knows>",
        "*",
        "<*>",
        "<*>{1,2}",
        "$w:*",
    ];
    let mixed = vec![
        "worksAt",
        "likes",
        "(likes|worksAt)",
        "(knows|worksAt){1,2}",
        "(worksAt|owns){2,2}",
        "$v:(likes|worksAt)",
        "*",
        "<*>",
        "*{1,2}",
        "<*>{1,}",
        "$v:*",
        "$v:<*>",
    ];
    let firm = vec!["owns", "<owns>", "owns{1,2}", "*", "<*>{2,3}"];
    let ends = |ends: &'static [&'static str]| select(ends.iter().copied().chain(["$_"]).collect::<Vec<_>>());
    prop_oneof![
        3 => (select(&PEOPLE[..]), select(personal), ends(&PEOPLE)),
        2 => (select(&PEOPLE[..]), select(mixed.clone()), ends(&FIRMS)),
        1 => (select(&FIRMS[..]), select(mixed), ends(&PEOPLE)),
        1 => (select(&FIRMS[..]), select(firm), ends(&FIRMS)),
    ]
    .prop_map(|(src, edge, dst)| format!("{src} {edge} {dst}"))
}

fn simple() -> impl Strategy<Value = String> {
    let personal = select(vec!["age < 3", "age > $n", "age is null", "age in [0, 2]"]);
    let shared = select(vec!["city = \"x\"", "city is not null", "name != \"p0\"", "city is null"]);
    let op = select(vec!["=", "=", "!=", "<"]);
    prop_oneof![
        2 => (select(&PEOPLE[..]), personal).prop_map(|(var, rest)| format!("{var}.{rest}")),
        2 => (select(&ALL[..]), shared).prop_map(|(var, rest)| format!("{var}.{rest}")),
        2 => (select(&ALL[..]), op, select(&ALL[..])).prop_map(|(a, op, b)| format!("{a}.city {op} {b}.city")),
        1 => Just("$a != $b".to_owned()),
        1 => Just("$w.since > 1".to_owned()),
        1 => select(vec!["$v.@type = \"Likes\"", "$w.@src = $a.@id", "$w.@dst != \"p1\"", "$c.@type = \"Company\""])
            .prop_map(str::to_owned),
        1 => Just("$n = 2".to_owned()),
    ]
}

/// What is computed over the matches of a block, and what it is compared with.
fn folds() -> impl Strategy<Value = (String, &'static str)> {
    let numbers =
        select(vec!["sum($a.age)", "sum($b.age)", "min($b.age)", "max($a.age)", "sum(distinct $b.age)"]);
    let counts = select(vec!["count", "count", "count", "count(distinct $b)", "count($c)", "count($a.city)"]);
    let texts = select(vec!["min($c.city)", "max($b.city)"]);
    let bound = select(vec!["> 0", "= 0", ">= 2", "< $n", "is null", "!= 1"]);
    let text = select(vec!["= \"x\"", "> \"x\"", "is null"]);
    prop_oneof![
        2 => (counts, bound.clone()),
        2 => (numbers, bound),
        1 => (texts, text),
    ]
    .prop_map(|(call, rest)| (call.to_owned(), rest))
}

fn condition() -> impl Strategy<Value = String> {
    simple().prop_recursive(2, 6, 2, |inner| {
        let block = vec(prop_oneof![traversal(), simple()], 1..3).prop_map(|inner| inner.join("\n")).boxed();
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            (block.clone(), block.clone())
                .prop_map(|(a, b)| format!("(exists {{ {a} }} and not exists {{ {b} }} or $n = 3)")),
            (block.clone(), inner).prop_map(|(block, a)| format!("(exists {{ {block} }} or {a})")),
            (folds(), block).prop_map(|((call, rest), block)| format!("{call} {{ {block} }} {rest}")),
        ]
    })
}

fn clause() -> impl Strategy<Value = String> {
    let joined = select(vec![
        "$a: Person\n$c: Company\n$a.city = $c.city",
        "$c: Named\n$d: Company\n$c.city = $d.city",
    ]);
    let flat =
        prop_oneof![1 => joined.prop_map(str::to_owned), 3 => binding(), 3 => traversal(), 2 => condition()];
    flat.prop_recursive(2, 6, 3, |inner| {
        let word = select(vec!["not", "exists", "optional", "optional"]);
        (word, vec(inner, 1..3)).prop_map(|(word, inner)| format!("{word} {{ {} }}", inner.join("\n")))
    })
}

/// A few clauses, on lines. Most start with bindings, so that what follows goes together.
pub(crate) fn clauses() -> impl Strategy<Value = String> {
    let start = vec![
        "",
        "$a: Person\n",
        "$a: Person\n$b: Person\n",
        "$a: Person\n$c: Company\n",
        "$a $w:knows $b\n$b worksAt $c\n",
        "$a: Person\n$b: Named\n$c: Company\n$d: Named\n",
    ];
    (select(start), vec(clause(), 1..4)).prop_map(|(start, clauses)| format!("{start}{}", clauses.join("\n")))
}
