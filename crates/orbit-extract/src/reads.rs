//! Environment variables that code reads by a literal name.
//!
//! A read is told by what stands before the literal, which is the standard library's own way in each language. It is
//! linked to the keys of config files by its name, when a question is asked.

use crate::Family;

/// Whether a string literal is the name of an environment variable that is read, given the text before it.
pub(crate) fn is_read(family: Family, before: &str, value: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | ':');
    if value.is_empty() || !value.chars().all(is_name) {
        return false;
    }
    let before = before.trim_end();
    let ways: &[&str] = match family {
        Family::Python => &["environ[", "environ.get(", "os.getenv(", "environ.setdefault(", "environ.pop("],
        Family::Script => &["process.env[", "Deno.env.get(", "Bun.env[", "import.meta.env["],
        Family::Rust => &["env::var(", "env::var_os(", "env!(", "option_env!("],
        Family::Go => &["os.Getenv(", "os.LookupEnv("],
        Family::Jvm => &["System.getenv("],
        Family::CSharp => &["Environment.GetEnvironmentVariable("],
        Family::Ruby => &["ENV[", "ENV.fetch("],
        Family::Native => &["getenv("],
        Family::Prose => &[],
    };
    ways.iter().any(|way| {
        let Some(rest) = before.strip_suffix(way) else { return false };
        // `my_getenv(` is another function.
        !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_') || way.starts_with(['.', ':'])
    })
}

/// The keys that Spring puts into a value: `@Value("${server.port:8080}")`.
pub(crate) fn placeholders<'t>(family: Family, before: &str, value: &'t str) -> Vec<&'t str> {
    let before = before.trim_end();
    let before = before.strip_suffix('=').map_or(before, |rest| rest.trim_end().trim_end_matches("value"));
    if family != Family::Jvm || !before.trim_end().ends_with("@Value(") {
        return Vec::new();
    }
    let keys = value.split("${").skip(1).filter_map(|rest| rest.split(['}', ':']).next());
    keys.map(str::trim).filter(|key| !key.is_empty()).collect()
}

/// The variable of a member expression: `process.env.HOME`.
pub(crate) fn read_member(object: &str) -> bool {
    matches!(object, "process.env" | "import.meta.env" | "Bun.env")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_spring_are_keys() {
        let keys = |before, value| placeholders(Family::Jvm, before, value);
        assert_eq!(keys("@Value(", "${server.port:8080}"), ["server.port"]);
        assert_eq!(keys("@Value(value = ", "${a.b}/${c}"), ["a.b", "c"]);
        assert_eq!(keys("print(", "${a.b}"), Vec::<&str>::new());
    }

    #[test]
    fn reads_are_told_by_what_stands_before() {
        for (family, before, value, expected) in [
            (Family::Python, "url = os.environ[", "DATABASE_URL", true),
            (Family::Python, "url = os.environ.get(\n    ", "DATABASE_URL", true),
            (Family::Python, "url = settings.get(", "DATABASE_URL", false),
            (Family::Rust, "std::env::var(", "HOME", true),
            (Family::Rust, "my_env!(", "HOME", false),
            (Family::Native, "secure_getenv(", "HOME", false),
            (Family::Ruby, "ENV.fetch(", "two words", false),
        ] {
            assert_eq!(is_read(family, before, value), expected, "{before}{value}");
        }
    }
}
