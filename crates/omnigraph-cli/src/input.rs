//! Files to load, by what they are.

use crate::args::{InputFormat, LoadInput};
use crate::failure::Failure;
use omnigraph::load::{self, Blocks, Format};
use omnigraph::validate::{RuleBook, TypeRules};
use omnigraph::{Error, Result};
use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::Arc;

/// A file that can be read as often as a load is tried.
#[derive(Debug)]
pub(crate) struct Input {
    file: File,
    name: String,
    format: Format,
    type_name: Option<String>,
    options: load::Options,
    /// Bytes, for the progress bar.
    pub(crate) size: u64,
}

impl Input {
    pub(crate) fn open(args: &LoadInput) -> Result<Input, Failure> {
        let path = args.data.as_path();
        let is_stdin = path == Path::new("-");
        let format = match args.format {
            Some(InputFormat::Jsonl) => Format::Jsonl,
            Some(InputFormat::Csv) => Format::Csv,
            Some(InputFormat::Parquet) => Format::Parquet,
            Some(InputFormat::Arrow) => Format::Arrow,
            None if is_stdin => Format::Jsonl,
            None => by_name(path)?,
        };
        check_type(format, args.type_name.as_deref())?;
        let failed = |error: &std::io::Error| Failure::file("read", path, error);
        let file = if is_stdin { spooled() } else { File::open(path) }.map_err(|error| failed(&error))?;
        let metadata = file.metadata().map_err(|error| failed(&error))?;
        if metadata.is_dir() {
            return Err(Failure::new("io", format!("cannot read {}: it is a directory", path.display())));
        }
        let options = load::Options { max_errors: args.max_errors as usize, ..load::Options::default() };
        Ok(Input {
            file,
            name: if is_stdin { "standard input".to_owned() } else { path.display().to_string() },
            format,
            type_name: args.type_name.clone(),
            options,
            size: metadata.len(),
        })
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// From the beginning.
    pub(crate) fn blocks(&self, rules: &Arc<RuleBook>) -> Result<Blocks> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        match self.format {
            Format::Jsonl => load::jsonl(file, rules, &self.options),
            Format::Csv => load::csv(file, self.rules(rules)?, &self.options),
            Format::Parquet => load::parquet(file, self.rules(rules)?, &self.options),
            Format::Arrow => load::arrow_ipc(file, self.rules(rules)?, &self.options),
        }
    }

    fn rules<'b>(&self, book: &'b Arc<RuleBook>) -> Result<&'b Arc<TypeRules>> {
        let name = self.type_name.as_deref().unwrap_or_default();
        book.node(name).or_else(|problem| book.edge(name).map_err(|_| Error::Request(problem.message)))
    }
}

fn by_name(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    Format::of_extension(extension).ok_or_else(|| {
        Failure::usage(format!("the name of {} does not say what it is", path.display()))
            .hint("add --format jsonl, csv, parquet or arrow")
    })
}

fn check_type(format: Format, type_name: Option<&str>) -> Result<(), Failure> {
    match (format, type_name) {
        (Format::Jsonl, Some(_)) => {
            Err(Failure::usage("--type is for CSV, Parquet and Arrow: every line of JSONL names its type"))
        }
        (Format::Jsonl, None) | (_, Some(_)) => Ok(()),
        (_, None) => Err(Failure::usage("rows of CSV, Parquet and Arrow need --type")
            .hint("name the node or edge type that the rows belong to")),
    }
}

/// Standard input as a file without a name, so that it can be read again when another writer was first.
fn spooled() -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    std::io::copy(&mut std::io::stdin().lock(), &mut file)?;
    file.flush()?;
    Ok(file)
}
