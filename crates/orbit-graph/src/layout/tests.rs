use super::*;

fn layout(manifests: &[(&str, &str)], paths: &[&str]) -> Layout {
    let manifests =
        manifests.iter().filter_map(|(path, text)| Some(((*path).to_owned(), parse_manifest(path, text)?)));
    Layout::new(manifests.collect(), paths.iter().copied())
}

#[test]
fn rust_modules_follow_the_manifest() {
    let layout = layout(
        &[
            ("Cargo.toml", "[workspace]\nmembers = ['crates/*']"),
            ("crates/my-lib/Cargo.toml", "[package]\nname = 'my-lib'"),
            ("tool/Cargo.toml", "[package]\nname='tool'\n[[bin]]\nname='rg'\npath='core/main.rs'"),
        ],
        &[],
    );
    for (path, module) in [
        ("crates/my-lib/src/lib.rs", "my_lib"),
        ("crates/my-lib/src/a/mod.rs", "my_lib::a"),
        ("crates/my-lib/src/a/b.rs", "my_lib::a::b"),
        ("crates/my-lib/src/main.rs", "my_lib"),
        ("crates/my-lib/src/bin/extra-tool.rs", "extra_tool"),
        ("crates/my-lib/tests/api.rs", "api"),
        ("crates/my-lib/tests/suite/main.rs", "suite"),
        ("crates/my-lib/tests/suite/part.rs", "suite::part"),
        ("crates/my-lib/build.rs", "build_script_build"),
        ("tool/core/main.rs", "rg"),
        ("tool/core/flags/defs.rs", "rg::flags::defs"),
        ("loose.rs", "crate::loose"),
    ] {
        assert_eq!(layout.module_of(path, Lang::Rust, None), module, "{path}");
    }
}

#[test]
fn python_modules_follow_packages() {
    let layout = layout(
        &[],
        &[
            "src/click/__init__.py",
            "src/click/sub/__init__.py",
            "django/db/__init__.py",
            "django/__init__.py",
        ],
    );
    for (path, module) in [
        ("src/click/core.py", "click.core"),
        ("src/click/__init__.py", "click"),
        ("src/click/sub/deep.py", "click.sub.deep"),
        ("django/db/models.pyi", "django.db.models"),
        ("scripts/run.py", "scripts.run"),
        ("src/loose.py", "loose"),
        ("setup.py", "setup"),
    ] {
        assert_eq!(layout.module_of(path, Lang::Python, None), module, "{path}");
    }
}

#[test]
fn go_packages_follow_go_mod() {
    let layout =
        layout(&[("go.mod", "// Deprecated: use v2\nmodule\t\"example.com/gin\" // v1\n\ngo 1.22\n")], &[]);
    assert_eq!(layout.module_of("binding/form.go", Lang::Go, Some("binding")), "example.com/gin/binding");
    assert_eq!(layout.module_of("gin.go", Lang::Go, Some("gin")), "example.com/gin");
    assert_eq!(layout.module_of("vendor/other.org/x/y/y.go", Lang::Go, Some("y")), "other.org/x/y");
    assert_eq!(layout.module_of("cmd/vendor/other.org/x/x.go", Lang::Go, Some("x")), "other.org/x");
    assert_eq!(layout.module_of("myvendor/x/x.go", Lang::Go, Some("x")), "example.com/gin/myvendor/x");
    assert_eq!(layout.module_of("gin_test.go", Lang::Go, Some("gin_test")), "example.com/gin_test");
}

#[test]
fn script_specifiers_find_workspaces_and_paths() {
    let layout = layout(
        &[
            ("packages/core/package.json", r#"{"name":"@acme/core","main":"./dist/index.js"}"#),
            (
                "app/tsconfig.json",
                "{ // comment\n \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@/*\": [\"src/*\"], } } }",
            ),
        ],
        &[],
    );
    assert_eq!(layout.script_specifier("app/src/a.ts", "@/lib/x")[0], "app/src/lib/x");
    let core = layout.script_specifier("app/src/a.ts", "@acme/core");
    assert!(core.contains(&"packages/core/src/index".to_owned()), "{core:?}");
    assert_eq!(layout.script_specifier("b.ts", "@acme/core/util")[0], "packages/core/util");
}
