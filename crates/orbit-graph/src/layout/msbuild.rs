//! What a project file of .NET says about names: the namespaces that all its files use.

use super::{Layout, Manifest, ancestors, directory, join, normalize};
use std::collections::BTreeMap;

/// The files that a build reads for every project below them.
const SHARED: [&str; 2] = ["Directory.Build.props", "Directory.Build.targets"];

/// How deep files are followed that import each other.
const MAX_IMPORTS: u32 = 8;

/// Whether a file of this name is read.
pub(super) fn is_project(name: &str) -> bool {
    [".csproj", ".props", ".targets"].iter().any(|ending| name.ends_with(ending))
}

/// `<Using Include="A.B" />`: as `global using A.B;` in every file of the project; `<Import Project="x.props" />`.
pub(super) fn parse_project(text: &str) -> Manifest {
    let mut usings = Vec::new();
    for tag in tags(text, "Using") {
        // An alias names one type and opens nothing.
        if let (Some(namespaces), None) = (attribute(&tag, "Include"), attribute(&tag, "Alias")) {
            let namespaces = namespaces.split(';').map(str::trim).filter(|it| !it.is_empty());
            usings.extend(namespaces.map(str::to_owned));
        }
    }
    let imports =
        tags(text, "Import").iter().filter_map(|tag| imported_path(attribute(tag, "Project")?)).collect();
    Manifest::DotNet { usings, imports }
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()
}

/// A path relative to the importing file; `None` where only a build knows it.
fn imported_path(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("$(MSBuildThisFileDirectory)").unwrap_or(&path);
    (!path.contains('$')).then(|| path.trim_start_matches('/').to_owned())
}

/// The opening tags of an element outside of comments, white space as single blanks.
fn tags(text: &str, element: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        // Only the tags that are asked for are read to their end: a file may be one long run of `<`.
        if rest.strip_prefix(element).is_some_and(|behind| behind.starts_with(char::is_whitespace)) {
            let tag = rest.split('>').next().unwrap_or("");
            found.push(tag.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// What the project files of one directory say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Usings {
    /// For all projects below.
    shared: Vec<String>,
    /// For the files of the project that is here, if there is one.
    project: Option<Vec<String>>,
}

/// By directory.
pub(super) fn usings(manifests: &BTreeMap<String, Manifest>) -> BTreeMap<String, Usings> {
    let mut found: BTreeMap<String, Usings> = BTreeMap::new();
    for (path, manifest) in manifests {
        let is_shared = SHARED.contains(&path.rsplit('/').next().unwrap_or(path));
        if !matches!(manifest, Manifest::DotNet { .. }) || !(is_shared || path.ends_with(".csproj")) {
            continue;
        }
        let here = found.entry(directory(path).to_owned()).or_default();
        let list = if is_shared { &mut here.shared } else { here.project.get_or_insert_default() };
        collect(manifests, path, list, 0);
    }
    found
}

/// What a file and those it imports say.
fn collect(manifests: &BTreeMap<String, Manifest>, path: &str, found: &mut Vec<String>, depth: u32) {
    let Some(Manifest::DotNet { usings, imports }) = manifests.get(path).filter(|_| depth < MAX_IMPORTS)
    else {
        return;
    };
    found.extend(usings.iter().filter(|it| !found.contains(it)).cloned().collect::<Vec<_>>());
    for import in imports {
        collect(manifests, &normalize(&join(directory(path), import)), found, depth + 1);
    }
}

impl Layout {
    /// The namespaces that the project of a C# file opens in all its files: what the nearest project files say, and
    /// what is shared by all projects below a directory.
    pub(crate) fn project_usings<'l>(&'l self, path: &str) -> Vec<&'l str> {
        let mut found = Vec::new();
        let mut project = None;
        for here in ancestors(path).filter_map(|dir| self.usings.get(dir)) {
            found.extend(here.shared.iter().map(String::as_str));
            project = project.or(here.project.as_ref());
        }
        found.extend(project.into_iter().flatten().map(String::as_str));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_usings_of_projects() {
        let text = "<Project>\n<!-- <Using Include=\"No\" /> -->\n<ItemGroup>\n<Using Include=\"A.B\" />\n\
                    <Using\n  Static=\"true\" Include=\"C; D\"/>\n<Using Include=\"E.F\" Alias=\"X\" />\n\
                    <UsingTask Include=\"No\" />\n<Using Remove=\"G\" />\n</ItemGroup>\n\
                    <Import Project=\"..\\eng\\Test.targets\" /><Import Project=\"$(X)y.props\" /></Project>";
        let usings = ["A.B", "C", "D"].map(str::to_owned).to_vec();
        let imports = vec!["../eng/Test.targets".to_owned()];
        assert_eq!(parse_project(text), Manifest::DotNet { usings, imports });
    }
}
