use super::*;

/// The parts of every clause, one line each.
fn shown(path: &str, source: &str) -> String {
    let lang = Lang::of_path(path).unwrap();
    let found = clauses(path, lang, source.as_bytes()).unwrap();
    let text = |span: Span| &source[span.start as usize..span.end as usize];
    let mut lines = vec![format!("head {:?}", source[found.head as usize..].lines().next().unwrap_or(""))];
    lines.extend(found.package.map(|package| format!("package {}", text(package))));
    for clause in &found.all {
        let part = |name: &str, span: Option<Span>| {
            span.map_or(String::new(), |span| format!(" {name}={}", text(span)))
        };
        let items: Vec<String> = clause
            .items
            .iter()
            .map(|item| {
                format!(
                    "{}{}:{}",
                    if item.is_type { "type " } else { "" },
                    text(item.name),
                    text(item.bound())
                )
            })
            .collect();
        lines.push(format!(
            "{:?}{}{}{}{} [{}]",
            clause.kind,
            if clause.is_marked { " marked" } else { "" },
            part("module", clause.module),
            part("default", clause.default),
            part("whole", clause.whole),
            items.join(", ")
        ));
    }
    lines.join("\n")
}

#[test]
fn script_clauses() {
    let source = "#!/usr/bin/env node\n'use strict'\n// About the file.\n\n// About f.\nimport def, { a, type B as C } from './x.js'\nimport * as all from \"y\";\nimport type { T } from 'z'\nimport 'side'\nexport { a as b }\nexport { c } from './c'\nexport * from './d'\nexport * as e from './e'\nexport const f = 1\n";
    expect_test::expect![[r#"
        head "// About f."
        Import module=./x.js default=def [a:a, type B:C]
        Import module=y whole=all []
        Import marked module=z [T:T]
        Import module=side []
        Export [a:b]
        Reexport module=./c [c:c]
        Reexport module=./d whole=* []
        Reexport module=./e whole=e []"#]]
    .assert_eq(&shown("a.ts", source));
}

#[test]
fn go_and_java_clauses() {
    let go = "// Package a.\npackage a\n\nimport \"fmt\"\nimport (\n\tx \"net/http\"\n\t_ \"embed\"\n)\n";
    expect_test::expect![[r#"
        head ""
        package a
        Import [fmt:fmt]
        Import [net/http:x, embed:_]"#]]
    .assert_eq(&shown("a.go", go));
    let java = "/* L */\npackage a.b;\n\nimport java.util.List;\nimport static a.C.*;\nclass A {}\n";
    expect_test::expect![[r#"
        head ""
        package a.b
        Import module=java.util.List []
        Import marked module=a.C whole=* []"#]]
    .assert_eq(&shown("A.java", java));
}
