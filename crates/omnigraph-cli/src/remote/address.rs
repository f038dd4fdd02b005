//! The address of a graph on a server.

use crate::failure::Failure;
use std::fmt;
use ureq::http::Uri;

/// `http://host:8080`, or `http://host:8080/graphs/team` for one of several graphs.
#[derive(Debug)]
pub(super) struct Address {
    typed: String,
}

impl Address {
    pub(super) fn parse(typed: &str) -> Result<Address, Failure> {
        let wrong = |why: &str| Failure::usage(format!("this is not the address of a server: {why}"));
        let example = "write http://host:8080, or http://host:8080/graphs/NAME";
        let uri: Uri = typed.parse().map_err(|error| wrong(&format!("{error}")).hint(example))?;
        let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty()) else {
            return Err(wrong("it has no host").hint(example));
        };
        if authority.as_str().contains('@') {
            return Err(wrong("it has a user").hint(
                "a token says who asks: set OMNIGRAPH_BEARER_TOKEN, or `bearer_token_env` of the graph",
            ));
        }
        if authority.as_str() != authority.host() && authority.port_u16().is_none() {
            return Err(wrong("its port is not a number up to 65535").hint(example));
        }
        if uri.query().is_some() || typed.contains('#') {
            return Err(wrong("it goes on behind the path").hint("leave out what begins with `?` or `#`"));
        }
        Ok(Address { typed: typed.to_owned() })
    }

    /// As it was typed.
    pub(super) fn typed(&self) -> &str {
        &self.typed
    }

    fn base(&self) -> &str {
        self.typed.trim_end_matches('/')
    }

    /// A path of the graph.
    pub(super) fn of_graph(&self, path: &str) -> String {
        format!("{}{path}", self.base())
    }

    /// A path of the server.
    pub(super) fn of_server(&self, path: &str) -> String {
        let root = match self.base().rsplit_once("/graphs/") {
            Some((root, name)) if !name.contains('/') => root,
            _ => self.base(),
        };
        format!("{root}{path}")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.typed)
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_graph_and_its_server() {
        for (typed, graph, server) in [
            ("http://h:8080", "http://h:8080/x", "http://h:8080/healthz"),
            ("http://h:8080/", "http://h:8080/x", "http://h:8080/healthz"),
            ("https://h/graphs/team", "https://h/graphs/team/x", "https://h/healthz"),
            ("https://h/below/graphs/team/", "https://h/below/graphs/team/x", "https://h/below/healthz"),
            ("https://h/graphs/a/b", "https://h/graphs/a/b/x", "https://h/graphs/a/b/healthz"),
        ] {
            let address = Address::parse(typed).expect("an address");
            assert_eq!(
                (address.of_graph("/x"), address.of_server("/healthz")),
                (graph.into(), server.into())
            );
            assert_eq!(address.typed(), typed);
        }
    }

    #[test]
    fn what_is_not_an_address() {
        for typed in
            ["http://", "http://ann:s3cret@h", "http://h?x=1", "http://h/#x", "http://[", "http://h:99999x"]
        {
            let failure = Address::parse(typed).expect_err(typed);
            assert_eq!(failure.exit, 2, "{typed}");
            let text = format!("{failure:?}");
            assert!(!text.contains("s3cret"), "{text}");
        }
    }
}
