//! What programs of a repository do with names while they run: `vars(self)["count"]`, `type(error).__name__`, `api[key]()`.
//! Where nothing of that kind is done, a string that is spelled like a symbol is no more than text.

use orbit_extract::{Family, Lang};
use orbit_graph::FileFacts;

/// Ways in which some code of a repository makes something of names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reflection {
    /// Attributes are reached by keys: `vars(item)`, `asdict(item)`, `keyof Item`.
    pub(crate) keys: bool,
    /// Anything is reached by a name that is not written there: `getattr(module, name)`, `api[name]()`.
    pub(crate) any_name: bool,
    /// Code asks what something is called: `function.__name__`.
    pub(crate) own_names: bool,
}

const PYTHON_KEYS: [&str; 7] =
    [".__dict__", "vars(", "asdict(", "get_type_hints(", "__annotations__", "fields(", "setattr("];
const PYTHON_CALLS: [&str; 5] = ["getattr(", "hasattr(", "setattr(", "attrgetter(", "methodcaller("];
const SCRIPT_KEYS: [&str; 4] = ["keyof ", "JSON.stringify", "Object.keys(", "Object.entries("];
const SCRIPT_NAMES: [&str; 3] = ["constructor.name", "new.target.name", ".name ==="];

impl Reflection {
    /// From the files of a language.
    pub(super) fn of(files: &[(FileFacts, Vec<u8>)], lang: Lang) -> Reflection {
        let mut found = Reflection::default();
        for (file, bytes) in files.iter().filter(|(file, _)| file.lang.family() == lang.family()) {
            let text = String::from_utf8_lossy(bytes);
            let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
            match file.lang.family() {
                Family::Python => {
                    found.keys |= has(&PYTHON_KEYS);
                    found.any_name |= has(&["globals()", "locals()", "import_module("]) || gives_names(&text);
                    found.own_names |= has(&[".__name__", ".__qualname__"]);
                }
                Family::Script => {
                    found.keys |= has(&SCRIPT_KEYS);
                    found.any_name |= calls_by_key(&text);
                    found.own_names |= has(&SCRIPT_NAMES);
                }
                Family::Go => {
                    found.keys |= has(&["%+v", "%#v"]);
                    found.own_names |= has(&["%T", "%#v", "reflect.TypeOf("]);
                }
                _ => {}
            }
        }
        found
    }
}

/// Whether Python code asks for an attribute whose name is a value: `getattr(item, name)`.
fn gives_names(text: &str) -> bool {
    PYTHON_CALLS.iter().any(|call| {
        text.match_indices(call).any(|(at, _)| {
            let arguments = text[at + call.len()..].split(')').next().unwrap_or("");
            let is_first = call.ends_with("getter(") || call.ends_with("caller(");
            let asked = if is_first { Some(arguments) } else { arguments.split(',').nth(1) };
            let asked = asked.unwrap_or("").trim();
            !asked.is_empty() && !asked.starts_with(['"', '\''])
        })
    })
}

/// Whether a script calls what stands under a key that is a value: `api[name]()`.
fn calls_by_key(text: &str) -> bool {
    text.match_indices("](").any(|(at, _)| {
        let before = &text[..at];
        let key = before.rfind('[').map_or("", |open| before[open + 1..].trim());
        key.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
    })
}

#[cfg(test)]
mod tests {
    use super::{calls_by_key, gives_names};

    #[test]
    fn names_that_are_values_are_told_from_those_that_are_written() {
        assert!(gives_names("getattr(item, name)") && gives_names("attrgetter(key)"));
        assert!(!gives_names("getattr(item, 'name', None)") && !gives_names("attrgetter('a.b')"));
        assert!(calls_by_key("api[name]()") && !calls_by_key("api[0](), api['x']()"));
    }
}
