//! Files that hold code which nobody here can read: their words are counted, because a use in one of them is a use.

/// Endings of code, templates and scripts without a parser here. What is prose or data, such as `.txt`, `.po` or `.svg`, is
/// left out: nothing in it uses a symbol.
const ENDINGS: [&str; 84] = [
    "asm",
    "asp",
    "aspx",
    "astro",
    "bash",
    "bat",
    "bazel",
    "bzl",
    "cl",
    "clj",
    "cljs",
    "cmake",
    "coffee",
    "cr",
    "cshtml",
    "cu",
    "d",
    "dart",
    "ejs",
    "el",
    "erb",
    "erl",
    "ex",
    "exs",
    "f90",
    "fish",
    "fs",
    "fsx",
    "glsl",
    "gql",
    "gradle",
    "graphql",
    "groovy",
    "haml",
    "handlebars",
    "hbs",
    "hcl",
    "hlsl",
    "hrl",
    "hs",
    "htm",
    "html",
    "ipynb",
    "j2",
    "jinja",
    "jinja2",
    "jl",
    "jsp",
    "l",
    "liquid",
    "lua",
    "m",
    "mk",
    "ml",
    "mli",
    "mm",
    "mustache",
    "nim",
    "nix",
    "php",
    "pl",
    "pm",
    "proto",
    "ps1",
    "pug",
    "pxd",
    "pyx",
    "r",
    "razor",
    "s",
    "scala",
    "sh",
    "slim",
    "sol",
    "sql",
    "svelte",
    "swift",
    "tf",
    "thrift",
    "tmpl",
    "tpl",
    "twig",
    "vue",
    "zig",
];

/// Names of files without an ending that hold code.
const NAMES: [&str; 9] = [
    "BUILD",
    "CMakeLists.txt",
    "Dockerfile",
    "Gemfile",
    "Jenkinsfile",
    "Makefile",
    "Rakefile",
    "Vagrantfile",
    "WORKSPACE",
];

/// Whether a file without a parser holds code.
pub(super) fn is_code(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    if NAMES.contains(&file) {
        return true;
    }
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.binary_search(&ending.as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{ENDINGS, is_code};

    #[test]
    fn endings_are_sorted_and_code_is_told_from_data() {
        assert!(ENDINGS.is_sorted());
        assert!(is_code("templates/list.HTML") && is_code("Makefile") && is_code("src/App.vue"));
        assert!(!is_code("notes.txt") && !is_code("logo.svg") && !is_code("LICENSE"));
    }
}
