//! Who asks: a token from the environment, or from the file that `auth.env_file` of the configuration names.
//!
//! The text of a token is in one header and nowhere else: no message, no `Debug`, no output has it.

use crate::failure::Failure;
use crate::session::Location;
use omnigraph_api::config::Config;
use std::path::{Path, PathBuf};
use ureq::http::HeaderValue;

/// The token of graphs that name no variable of their own.
const EVERYWHERE: &str = "OMNIGRAPH_BEARER_TOKEN";

/// What is sent, and where it could come from.
#[derive(Debug)]
pub(super) struct Token {
    /// `Bearer …`, marked so that it is not printed.
    header: Option<HeaderValue>,
    /// Where it was found.
    source: Option<String>,
    /// `graphs.NAME.bearer_token_env`.
    variable: Option<String>,
    /// `auth.env_file`.
    file: Option<PathBuf>,
}

impl Token {
    /// The first of: the variable of the graph, that of all graphs, and the two in the file.
    pub(super) fn find(
        config: &Config,
        location: &Location,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Token, Failure> {
        let variable = config.token_variable(location.name.as_deref(), &location.uri).map(str::to_owned);
        let file = config.env_file();
        let names: Vec<&str> = variable.as_deref().into_iter().chain([EVERYWHERE]).collect();
        let mut found = first(&names, &env).map(|(name, token)| (name.to_owned(), token));
        if let (None, Some(path)) = (&found, &file) {
            let pairs = read(path)?;
            let said = |wanted: &str| {
                pairs.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
            };
            found = first(&names, said).map(|(name, token)| (format!("{name} of {}", path.display()), token));
        }
        let (source, header) = match found {
            Some((source, token)) => (Some(source.clone()), Some(header(&source, &token)?)),
            None => (None, None),
        };
        Ok(Token { header, source, variable, file })
    }

    /// What is sent.
    pub(super) fn header(&self) -> Option<&HeaderValue> {
        self.header.as_ref()
    }

    /// What is sent, in words.
    pub(super) fn described(&self) -> String {
        self.source.as_ref().map_or_else(|| "no token".to_owned(), |source| format!("the token of {source}"))
    }

    /// What helps when the server does not know it.
    pub(super) fn hint(&self) -> String {
        if let Some(source) = &self.source {
            return format!("the token of {source} was sent, and the server does not know it");
        }
        let variable = self.variable.as_ref().map_or(String::new(), |name| format!("{name} or "));
        let file = match &self.file {
            Some(path) => format!("in the environment or in {}", path.display()),
            None => {
                "in the environment, or in the file that `auth.env_file` of omnigraph.yaml names".to_owned()
            }
        };
        format!("no token was sent: set {variable}{EVERYWHERE} {file}")
    }
}

/// The first that has a value.
fn first<'n>(names: &[&'n str], value: impl Fn(&str) -> Option<String>) -> Option<(&'n str, String)> {
    let found = |name: &&'n str| {
        let token = value(name)?.trim().to_owned();
        (!token.is_empty()).then_some((*name, token))
    };
    names.iter().find_map(found)
}

fn header(source: &str, token: &str) -> Result<HeaderValue, Failure> {
    let mut header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| {
        Failure::new("bad_config", format!("the token of {source} has characters that cannot be sent"))
    })?;
    header.set_sensitive(true);
    Ok(header)
}

/// Names and values of a file; a file that is not there has none.
fn read(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().filter_map(pair).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::file("read", path, &error)),
    }
}

/// `NAME=value`, with or without `export` and quotes; what is behind ` #` is a remark.
fn pair(line: &str) -> Option<(String, String)> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
    let (name, value) = line.split_once('=')?;
    let (name, value) = (name.trim_end(), value.trim_start());
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || !name.bytes().all(is_name) {
        return None;
    }
    let value = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => quoted(&value[1..], quote),
        _ => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    };
    Some((name.to_owned(), value))
}

/// Up to the closing quote; between double quotes a backslash takes the next character as it is.
fn quoted(text: &str, quote: char) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if quote == '"' => out.extend(characters.next()),
            character if character == quote => break,
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Token, pair};
    use crate::session::Location;
    use omnigraph_api::config::Config;

    #[test]
    fn lines_of_a_file() {
        let value = |line| pair(line).map(|(name, value)| format!("{name}|{value}"));
        for (line, expected) in [
            ("TOKEN=abc", Some("TOKEN|abc")),
            ("  export TOKEN = abc # mine", Some("TOKEN|abc")),
            ("TOKEN=a#b", Some("TOKEN|a#b")),
            ("TOKEN=\"a b # c\" # mine", Some("TOKEN|a b # c")),
            ("TOKEN='it\\n'", Some("TOKEN|it\\n")),
            (r#"TOKEN="say \"hi\"""#, Some("TOKEN|say \"hi\"")),
            ("TOKEN=a=b", Some("TOKEN|a=b")),
            ("TOKEN=", Some("TOKEN|")),
            ("# TOKEN=abc", None),
            ("", None),
            ("TOKEN", None),
            ("no name=abc", None),
        ] {
            assert_eq!(value(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn the_first_that_is_set_is_sent() {
        let dir = tempfile::tempdir().expect("a directory");
        let config = dir.path().join("omnigraph.yaml");
        let text = "graphs:\n  a: { uri: 'http://h/', bearer_token_env: OF_A }\n  b: { uri: 'http://h', bearer_token_env: OF_B }\n\
                    \x20 c: { uri: 'http://c' }\nauth: { env_file: ./.env.omni }\n";
        std::fs::write(&config, text).expect("a file");
        std::fs::write(dir.path().join(".env.omni"), "OF_A=file-a\nOMNIGRAPH_BEARER_TOKEN=file-all\n")
            .expect("a file");
        let config = Config::load(Some(&config)).expect("it is read");
        let sent = |name: Option<&str>, uri: &str, env: &[(&str, &str)]| {
            let location = Location { uri: uri.to_owned(), name: name.map(str::to_owned) };
            let env = |wanted: &str| {
                env.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned())
            };
            let token = Token::find(&config, &location, env).expect("it can be sent");
            assert!(!format!("{token:?}").contains("tok"), "it is not printed");
            token.header.map(|header| header.to_str().expect("text").trim_start_matches("Bearer ").to_owned())
        };
        let all = [("OF_A", "tok-a"), ("OF_B", "tok-b"), ("OMNIGRAPH_BEARER_TOKEN", "tok")];
        assert_eq!(sent(Some("a"), "http://h/", &all).as_deref(), Some("tok-a"));
        assert_eq!(sent(Some("b"), "http://h", &all).as_deref(), Some("tok-b"), "the name decides");
        assert_eq!(sent(None, "http://h", &all).as_deref(), Some("tok-a"), "typed, with or without a slash");
        assert_eq!(sent(Some("c"), "http://c", &all).as_deref(), Some("tok"));
        assert_eq!(sent(None, "http://elsewhere", &all).as_deref(), Some("tok"));
        assert_eq!(sent(Some("a"), "http://h/", &[("OF_A", " "), all[2]]).as_deref(), Some("tok"));
        assert_eq!(sent(Some("a"), "http://h/", &[]).as_deref(), Some("file-a"));
        assert_eq!(sent(Some("b"), "http://h", &[]).as_deref(), Some("file-all"));
        let location = Location { uri: "http://h".to_owned(), name: None };
        let bad = Token::find(&config, &location, |_| Some("to\nken".to_owned())).expect_err("a line end");
        assert!(!format!("{bad:?}").contains("ken\""), "{bad:?}");
    }

    #[test]
    fn the_hint_names_the_sources() {
        let location = Location { uri: "http://h".to_owned(), name: None };
        let none = Token::find(&Config::default(), &location, |_| None).expect("nothing is sent");
        assert_eq!(none.described(), "no token");
        assert!(none.hint().contains("OMNIGRAPH_BEARER_TOKEN") && none.hint().contains("auth.env_file"));
        let wrong =
            Token::find(&Config::default(), &location, |_| Some("tok".to_owned())).expect("one is sent");
        assert_eq!(
            wrong.hint(),
            "the token of OMNIGRAPH_BEARER_TOKEN was sent, and the server does not know it"
        );
    }
}
