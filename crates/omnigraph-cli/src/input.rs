//! Files to load, by what they are.

use crate::args::LoadInput;
use crate::failure::Failure;
use omnigraph::load::Format;
use omnigraph_api::calls::load::InputFormat;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// A file that can be read as often as a load is tried.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) file: File,
    /// For messages.
    pub(crate) name: String,
    pub(crate) format: InputFormat,
    /// Bytes.
    pub(crate) size: u64,
}

impl Input {
    pub(crate) fn open(args: &LoadInput) -> Result<Input, Failure> {
        let path = args.data.as_path();
        let is_stdin = path == Path::new("-");
        let format = match args.format {
            Some(format) => format.into(),
            None if is_stdin => InputFormat::Jsonl,
            None => by_name(path)?,
        };
        check_type(format, args.type_name.as_deref())?;
        let failed = |error: std::io::Error| Failure::file("read", path, &error);
        let file = if is_stdin { spooled(std::io::stdin().lock()) } else { File::open(path) };
        let mut file = file.map_err(failed)?;
        let mut metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(Failure::new("io", format!("cannot read {}: it is a directory", path.display())));
        }
        if !metadata.is_file() {
            // A pipe: what was read of it is gone.
            file = spooled(file).map_err(failed)?;
            metadata = file.metadata().map_err(failed)?;
        }
        let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
        Ok(Input { file, name, format, size: metadata.len() })
    }
}

fn by_name(path: &Path) -> Result<InputFormat, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match Format::of_extension(extension) {
        Some(Format::Jsonl) => Ok(InputFormat::Jsonl),
        Some(Format::Csv) => Ok(InputFormat::Csv),
        Some(Format::Parquet) => Ok(InputFormat::Parquet),
        Some(Format::Arrow) => Ok(InputFormat::Arrow),
        Some(Format::Cypher) => Ok(InputFormat::Cypher),
        None => Err(Failure::usage(format!("the name of {} does not say what it is", path.display()))
            .hint("add --format jsonl, csv, parquet or arrow")),
    }
}

fn check_type(format: InputFormat, type_name: Option<&str>) -> Result<(), Failure> {
    match (format, type_name) {
        (InputFormat::Jsonl | InputFormat::Cypher, Some(_)) => {
            Err(Failure::usage("--type is for CSV, Parquet and Arrow: every line of JSONL names its type"))
        }
        (InputFormat::Jsonl | InputFormat::Cypher, None) | (_, Some(_)) => Ok(()),
        (_, None) => Err(Failure::usage("rows of CSV, Parquet and Arrow need --type")
            .hint("name the node or edge type that the rows belong to")),
    }
}

/// A file without a name, so that rows can be read again when another writer was first.
fn spooled(mut from: impl Read) -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    std::io::copy(&mut from, &mut file)?;
    file.flush()?;
    Ok(file)
}
