use crate::render::check;
use expect_test::expect;

#[test]
fn yaml_blocks_flows_and_documents() {
    check(
        "a.yaml",
        "# top\nserver: &base\n  port: 80\n  \"tls key\": {cert: a, nested: {deep: 1}}\njobs:\n  - name: a\n    steps: [ {run: x}, {uses: y} ]\n  - name: b\n    extra: |\n      not: a key\nprod:\n  <<: *base\n  'on': true\n? complex\n: v\n---\nserver: again\nsecond: 1\n",
        &expect![[r#"
            config yaml server @2
            config yaml server.port @3
            config yaml server.tls key @4
            config yaml server.tls key.cert @4
            config yaml server.tls key.nested @4
            config yaml server.tls key.nested.deep @4
            config yaml jobs @5
            config yaml jobs.name @6
            config yaml jobs.steps @7
            config yaml jobs.steps.run @7
            config yaml jobs.steps.uses @7
            config yaml jobs.extra @9
            config yaml prod @11
            config yaml prod.on @13
            config yaml complex @14
            config yaml second @18
        "#]],
    );
}

#[test]
fn toml_tables_dotted_keys_and_inline_tables() {
    check(
        "Cargo.toml",
        "top = 1\n\n[package]\nname = \"x\"\nmetadata.docs.all = true\n\n[dependencies.serde]\nversion = \"1\"\nfeatures = [\"derive\"]\n\n[target.'cfg(unix)'.dependencies]\nlibc = { version = \"1\", optional = true }\n\n[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\npath = \"x\"\n\"quoted key\" = 1\nrows = [\n  { id = 1 },\n  { id = 2, tag = 3 },\n]\n",
        &expect![[r#"
            config toml top @1
            config toml package @3
            config toml package.name @4
            config toml package.metadata @5
            config toml package.metadata.docs @5
            config toml package.metadata.docs.all @5
            config toml dependencies @7
            config toml dependencies.serde @7
            config toml dependencies.serde.version @8
            config toml dependencies.serde.features @9
            config toml target @11
            config toml target.cfg(unix) @11
            config toml target.cfg(unix).dependencies @11
            config toml target.cfg(unix).dependencies.libc @12
            config toml target.cfg(unix).dependencies.libc.version @12
            config toml target.cfg(unix).dependencies.libc.optional @12
            config toml bin @14
            config toml bin.name @15
            config toml bin.path @19
            config toml bin.quoted key @20
            config toml bin.rows @21
            config toml bin.rows.id @22
            config toml bin.rows.tag @23
        "#]],
    );
}

#[test]
fn json_objects_arrays_and_comments() {
    check(
        "tsconfig.json",
        "{\n  // comment\n  \"compilerOptions\": {\n    \"strict\": true,\n    \"paths\": { \"@/*\": [\"src/*\"] }\n  },\n  \"references\": [\n    { \"path\": \"a\" },\n    { \"path\": \"b\", \"prepend\": [{ \"x\": 1 }] }\n  ],\n  \"\": 1\n}\n",
        &expect![[r#"
            config json compilerOptions @3
            config json compilerOptions.strict @4
            config json compilerOptions.paths @5
            config json compilerOptions.paths.@/* @5
            config json references @7
            config json references.path @8
            config json references.prepend @9
            config json references.prepend.x @9
        "#]],
    );
}

#[test]
fn env_keys_only() {
    check(
        ".env.local",
        "# comment=1\nDB_URL=postgres://secret\nexport API_KEY = \"abc\"\nPEM=\"-----BEGIN\nMIIE=\nlast\"\nAFTER='it''s'\n=nothing\nnot a key=1\nEMPTY=\nDB_URL=again\n",
        &expect![[r#"
            config env DB_URL @2
            config env API_KEY @3
            config env PEM @4
            config env AFTER @7
            config env EMPTY @10
        "#]],
    );
    check(
        "prod.env",
        "A=1\n",
        &expect![[r#"
        config env A @1
    "#]],
    );
}

#[test]
fn table_headers() {
    check(
        "a.csv",
        "\u{feff}id,\"full \"\"name\"\"\",e-mail, 2020,,id\n1,Bob,b@x,3,4,5\n",
        &expect![[r#"
        config csv id @1
        config csv full "name" @1
        config csv e-mail @1
    "#]],
    );
    check(
        "a.csv",
        "a;b c\n1;2\n",
        &expect![[r#"
        config csv a @1
        config csv b c @1
    "#]],
    );
    check(
        "a.tsv",
        "a\tb,c\n1\t2\n",
        &expect![[r#"
        config csv a @1
        config csv b,c @1
    "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.json",
        "{ \"a\": , \"b\": { \"c\": 1 }, }",
        &expect![[r#"
        has errors
        config json a @1
        config json b @1
        config json b.c @1
    "#]],
    );
    check(
        "a.toml",
        "a = = 1\n[ok]\nb = 2\n",
        &expect![[r#"
        has errors
        config toml a @1
        config toml ok @2
        config toml ok.b @3
    "#]],
    );
    check(
        "a.yaml",
        "a: 1\nbad: ]\nb:\n  c: 2\n",
        &expect![[r#"
            has errors
            config yaml a @1
            config yaml bad @2
            config yaml b @3
            config yaml b.c @4
        "#]],
    );
}

#[test]
fn yaml_templates_are_read_by_indentation() {
    check(
        "chart/templates/app.yaml",
        "{{- if .Values.on }}\nspec:\n  replicas: {{ .Values.n }}\n  {{- range .x }}\n  - name: a\n    \"quoted\": 1\n  - name: b\n  {{- end }}\n  script: |\n    not: a key\n  url: http://x:80\n# no: key\nlast:\n{{- end }}\n",
        &expect![[r#"
            has errors
            config yaml spec @2
            config yaml spec.replicas @3
            config yaml spec.name @5
            config yaml spec.quoted @6
            config yaml spec.script @9
            config yaml spec.url @11
            config yaml last @13
        "#]],
    );
}

#[test]
fn empty_files() {
    for path in ["a.json", "a.toml", "a.yaml", ".env", "a.csv"] {
        check(path, "", &expect![[""]]);
    }
}

#[test]
fn deep_and_large_files_stay_linear() {
    use orbit_extract::{Lang, extract};
    let deep = format!("{}1{}", "{\"key\":[".repeat(100_000), "]}".repeat(100_000));
    let wide = (0..40_000).fold(String::new(), |text, n| text + &format!("key{n} = {{ a = {n} }}\n"));
    assert!(extract("deep.json", Lang::Config, deep.as_bytes()).is_ok_and(|file| file.configs.len() == 64));
    assert!(
        extract("wide.toml", Lang::Config, wide.as_bytes()).is_ok_and(|file| file.configs.len() == 80_000)
    );
}
