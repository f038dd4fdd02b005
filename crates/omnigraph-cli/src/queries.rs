//! Which query is asked for, with which values: from the command line, from an alias, from files.

use crate::args::{AskArgs, Place, When};
use crate::backend::Backend;
use crate::failure::Failure;
use crate::session::{Session, State};
use omnigraph_api::config::{Alias, AliasCommand};
use omnigraph_compiler::{QueryFile, Scalar, Source, did_you_mean};
use serde_json::{Map, Value};
use std::path::Path;

/// A query that is ready to be run.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) source: Source,
    pub(crate) name: Option<String>,
    pub(crate) params: Map<String, Value>,
    pub(crate) place: Place,
    pub(crate) alias: Option<Alias>,
}

impl Asked {
    /// From what was typed.
    pub(crate) fn new(session: &Session, ask: &AskArgs, command: AliasCommand) -> Result<Asked, Failure> {
        let alias = ask.alias.as_deref().map(|name| alias(session, name, command)).transpose()?;
        let (source, name) = match (&alias, &ask.query, &ask.inline) {
            (Some(alias), ..) => {
                (read_source(&session.config.alias_query(&alias.query))?, alias.name.clone())
            }
            (None, Some(query), _) => (read_source(&session.config.query(query))?, ask.name.clone()),
            (None, None, Some(text)) => (Source::new("-e", text.as_str()), ask.name.clone()),
            (None, None, None) => {
                return Err(Failure::usage("no query is named").hint("give --query, -e or --alias"));
            }
        };
        let (place, words) = positional(ask, alias.as_ref())?;
        let mut params = defaults(session, &source, name.as_deref());
        params.extend(alias.iter().flat_map(|alias| alias.params.clone()));
        for (parameter, word) in alias.iter().flat_map(|alias| &alias.args).zip(words) {
            params.insert(parameter.clone(), value(&source, name.as_deref(), parameter, word));
        }
        if let Some(path) = &ask.params_file {
            params.extend(object(&read(path)?, &path.display().to_string())?);
        }
        if let Some(text) = &ask.params {
            params.extend(object(text, "--params")?);
        }
        Ok(Asked { source, name, params, place, alias })
    }

    /// The name of the query, when it is plain which one is meant.
    pub(crate) fn query_name(&self) -> String {
        self.name.clone().or_else(|| only_query(&self.source)).unwrap_or_default()
    }

    /// The graph.
    pub(crate) fn backend(&self, session: &Session) -> Result<Backend, Failure> {
        let of_alias = self.alias.as_ref().and_then(|alias| alias.graph.as_deref());
        Backend::open(session, &session.location_or(&self.place, of_alias)?)
    }

    /// The state that is read: as typed, else the branch of the alias.
    pub(crate) fn state(&self, session: &Session, at: &When) -> Result<State, Failure> {
        let mut at = at.clone();
        if at.snapshot.is_none() {
            at.branch = self.branch(at.branch.as_deref());
        }
        session.state(&at)
    }

    /// The branch that was typed, else that of the alias.
    pub(crate) fn branch(&self, given: Option<&str>) -> Option<String> {
        given.or(self.alias.as_ref().and_then(|alias| alias.branch.as_deref())).map(str::to_owned)
    }
}

fn alias(session: &Session, name: &str, command: AliasCommand) -> Result<Alias, Failure> {
    let Some(alias) = session.config.alias(name) else {
        let failure = Failure::usage(format!("omnigraph.yaml has no alias `{name}`"));
        return Err(match did_you_mean(name, session.config.aliases()) {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    };
    if alias.command != command {
        let (is, was) = (alias.command.as_str(), command.as_str());
        return Err(Failure::usage(format!("alias `{name}` is for `{is}`, not for `{was}`")));
    }
    Ok(alias.clone())
}

/// The graph, and the words for the alias. One word more than the alias takes is the graph.
fn positional<'a>(ask: &'a AskArgs, alias: Option<&Alias>) -> Result<(Place, &'a [String]), Failure> {
    let takes = alias.map_or(0, |alias| alias.args.len());
    let words = &ask.positional;
    let (words, uri) = match words.len().saturating_sub(takes) {
        0 => (&words[..], None),
        1 => (&words[..takes], words.last().cloned()),
        _ => {
            let extra = &words[takes + 1];
            return Err(Failure::usage(format!("unexpected argument '{extra}'")).hint(match alias {
                Some(alias) if !alias.args.is_empty() => format!("the alias takes {}", alias.args.join(", ")),
                _ => "the last argument is the graph".to_owned(),
            }));
        }
    };
    if uri.is_some() && (ask.uri.is_some() || ask.target.is_some()) {
        return Err(
            Failure::usage("the graph is named twice").hint("leave out --uri, --target or the argument")
        );
    }
    Ok((Place { uri, uri_option: ask.uri.clone(), target: ask.target.clone() }, words))
}

/// Values of the configuration for parameters that the query has.
fn defaults(session: &Session, source: &Source, query: Option<&str>) -> Map<String, Value> {
    let file = QueryFile::parse(source).ok();
    let queries = file.iter().flat_map(|file| &file.queries);
    let found = queries.into_iter().find(|found| query.is_none_or(|name| found.name.text == name));
    let declared = found.iter().flat_map(|query| &query.params).map(|param| param.name.text.as_str());
    let given = |name: &str| session.config.params().get(name).map(|value| (name.to_owned(), value.clone()));
    declared.filter_map(given).collect()
}

/// An argument of an alias: text where the query wants text, else JSON if it is JSON.
fn value(source: &Source, query: Option<&str>, parameter: &str, word: &str) -> Value {
    let plain = || Value::from(word);
    let file = QueryFile::parse(source).ok();
    let queries = file.as_ref().map_or(&[][..], |file| &file.queries[..]);
    let found = queries.iter().find(|found| query.is_none_or(|name| found.name.text == name));
    let declared = found.and_then(|query| query.params.iter().find(|param| param.name.text == parameter));
    let is_text = declared.is_some_and(|param| {
        !param.ty.list && matches!(param.ty.scalar, Scalar::String | Scalar::Date | Scalar::DateTime)
    });
    if is_text { plain() } else { serde_json::from_str(word).unwrap_or_else(|_| plain()) }
}

fn only_query(source: &Source) -> Option<String> {
    let file = QueryFile::parse(source).ok()?;
    match &file.queries[..] {
        [only] => Some(only.name.text.clone()),
        _ => None,
    }
}

fn object(text: &str, from: &str) -> Result<Map<String, Value>, Failure> {
    let example = r#"values are a JSON object: {"name": "Alice"}"#;
    match serde_json::from_str(text) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Err(Failure::new("bad_param", format!("{from} is not a JSON object")).hint(example)),
        Err(error) => {
            Err(Failure::new("bad_param", format!("{from} is not valid JSON: {error}")).hint(example))
        }
    }
}

/// A text file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| Failure::file("read", path, &error));
    }
    std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))
}

/// A text file that errors can point into.
pub(crate) fn read_source(path: &Path) -> Result<Source, Failure> {
    Ok(Source::new(path.display().to_string(), read(path)?))
}
