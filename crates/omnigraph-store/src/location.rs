//! Where a graph lives.

use crate::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The root of a graph: a directory or a prefix in an object store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// An absolute directory.
    Local(PathBuf),
    /// `s3://bucket/prefix`, or `memory://name` for as long as the process lives.
    Remote(String),
}

impl Location {
    /// From a path, `file://…`, `s3://…` or `memory://…`.
    pub fn parse(given: &str) -> Result<Location, Error> {
        let bad = |reason: &str| Error::Location { given: given.to_owned(), reason: reason.to_owned() };
        if given.trim().is_empty() {
            return Err(bad("it is empty"));
        }
        let Some((scheme, rest)) = given.split_once("://") else {
            return Location::local(Path::new(given));
        };
        match scheme {
            "file" => Location::local(Path::new(rest)),
            "s3" | "memory" if rest.trim_matches('/').is_empty() => Err(bad("it names no bucket")),
            // Another name is no host of an address, and Lance would take the whole for a path.
            "s3" | "memory" if !rest.split('/').next().is_some_and(is_bucket) => {
                Err(bad("the name of a bucket has letters, digits, `.`, `-` and `_`"))
            }
            "s3" | "memory" => Ok(Location::Remote(given.trim_end_matches('/').to_owned())),
            "http" | "https" => Err(bad("it is the address of a server, not of a store")),
            _ => Err(bad("only local paths, `file://` and `s3://` are known")),
        }
    }

    fn local(path: &Path) -> Result<Location, Error> {
        let absolute = std::path::absolute(path);
        absolute.map(Location::Local).map_err(|error| Error::io("resolving the path of the graph", error))
    }

    /// The directory, when it is one.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Location::Local(path) => Some(path),
            Location::Remote(_) => None,
        }
    }

    /// The bucket, when it is in one.
    pub(crate) fn bucket(&self) -> Option<&str> {
        match self {
            Location::Local(_) => None,
            Location::Remote(root) => root.strip_prefix("s3://")?.split('/').next(),
        }
    }

    /// The address of something below it, as Lance takes it.
    pub(crate) fn uri(&self, below: &str) -> String {
        match self {
            Location::Local(path) if below.is_empty() => path.display().to_string(),
            Location::Local(path) => path.join(below).display().to_string(),
            Location::Remote(root) if below.is_empty() => root.clone(),
            Location::Remote(root) => format!("{root}/{below}"),
        }
    }
}

fn is_bucket(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.uri(""))
    }
}
