use super::*;

/// The free names of a text, each with what is said of it.
fn shown(path: &str, source: &str) -> String {
    let found = free_names(path, Lang::of_path(path).unwrap(), source.as_bytes()).unwrap();
    let words = found.iter().map(|name| {
        let text = &source[name.span.start as usize..name.span.end as usize];
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        format!(
            "{text}{}{}{}",
            mark(name.is_type, ":t"),
            mark(name.is_eager, "!"),
            mark(name.is_assigned, "=")
        )
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn parameters_variables_and_types_of_scripts() {
    let source = "import { a, b, T } from './x';\nfunction f<U>(a: T, { c = b, d: e }: U) {\n  const g = a + b + c + e;\n  { let h = 1; g(h); }\n  h(); if (a) { var v = 1; } return v;\n}\n";
    assert_eq!(shown("a.ts", source), "T:t b b h");
    let source =
        "class A extends B<C> { static s = one(); t = two(); @dec() m() { three(); } }\nexport { A };\n";
    assert_eq!(shown("a.ts", source), "B! C:t one! two dec! three A!");
    let source = "type M<K> = { [P in keyof K]: K[P] extends infer I ? I : X };\nconst { a, b: c } = d;\n[a, e] = c;\nfor (const x of xs) y(x);\nn++;\n";
    assert_eq!(shown("a.ts", source), "X:t d! a!= e!= c! xs! y! n!=");
}

#[test]
fn what_runs_while_a_script_is_loaded() {
    let source = "const f = () => late();\n(() => now())();\nlist.map(x => each(x));\nconst o = { key: value, short, m() { later(); } };\nx.member.other;\n";
    assert_eq!(shown("a.js", source), "late now! list! each! value! short! later x!");
    assert_eq!(shown("a.tsx", "const v = <Box a={b}><div>{c}</div></Box>;\n"), "Box! b! c! Box!");
    assert_eq!(
        shown("a.ts", "export { a as b };\nexport { c } from './c';\nlet t: typeof d;\nlet u: ns.T;\n"),
        "a! d:t ns:t"
    );
}

#[test]
fn names_of_go_are_bound_from_their_declaration_on() {
    let source = "package p\n\nimport (\n\t\"net/url\"\n\tx \"fmt\"\n)\n\nfunc f(s string) error {\n\turl, err := url.Parse(s)\n\tx.Println(url)\n\tfor i := range items {\n\t\tuse(i)\n\t}\n\tswitch v := s.(type) {\n\tcase T:\n\t\tuse(v)\n\t}\n\treturn err\n}\n\ntype S struct{ u *url.URL }\n";
    assert_eq!(shown("a.go", source), "string:t error:t url x items use T:t use url!");
}
