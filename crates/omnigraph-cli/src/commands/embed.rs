//! `omnigraph embed`

use crate::args::EmbedArgs;
use crate::failure::Failure;
use crate::queries::read;
use crate::render;
use crate::session::Session;
use omnigraph::embed::{
    EmbedJob, EmbedMode, EmbedSpec, Embedder, Mock, Selector, from_settings, run as embed,
};
use serde::Deserialize;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

/// `--seed`: everything in one file. Members for other tools are left alone.
#[derive(Debug, Deserialize)]
struct Seed {
    sources: Sources,
    #[serde(default)]
    artifacts: Artifacts,
    embeddings: EmbedSpec,
}

#[derive(Debug, Deserialize)]
struct Sources {
    raw_seed: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
struct Artifacts {
    embedded_seed: PathBuf,
}

impl Default for Artifacts {
    fn default() -> Artifacts {
        Artifacts { embedded_seed: PathBuf::from("build/seed.embedded.jsonl") }
    }
}

pub(super) fn run(session: &Session, args: &EmbedArgs) -> Result<(), Failure> {
    let (input, output, spec) = files(args)?;
    let mode = match (args.clean, args.reembed_all) {
        (true, _) => EmbedMode::Clean,
        (false, true) => EmbedMode::ReembedAll,
        (false, false) => EmbedMode::FillMissing,
    };
    let selectors = args.selectors.iter().map(|text| Selector::parse(text));
    let selectors = selectors.collect::<Result<Vec<_>, _>>()?;
    let has_selectors = !selectors.is_empty();
    let dimension = spec.dimension;
    let job = EmbedJob { spec, mode, types: args.types.clone(), selectors };
    let embedder: Box<dyn Embedder> = match mode {
        EmbedMode::Clean => Box::new(Mock), // removes vectors, makes none
        _ => from_settings(|name| std::env::var(name).ok())?,
    };
    let report = rewritten(&job, &input, &output, embedder.as_ref())?;
    let mode_name = mode.as_str(has_selectors);
    if session.json {
        let model = if mode == EmbedMode::Clean { "" } else { embedder.model() };
        return render::json(&json!({
            "input": input.display().to_string(),
            "output": output.display().to_string(),
            "records": report.records,
            "selected_records": report.selected_records,
            "embedded_records": report.embedded_records,
            "cleaned_records": report.cleaned_records,
            "mode": mode_name,
            "dimension": dimension,
            "model": model,
        }));
    }
    render::line(&format!(
        "embedded {} of {} records, cleaned {}, into {} ({mode_name})",
        report.embedded_records,
        report.records,
        report.cleaned_records,
        output.display()
    ))
}

/// Input, output, and what is embedded.
fn files(args: &EmbedArgs) -> Result<(PathBuf, PathBuf, EmbedSpec), Failure> {
    if let Some(path) = &args.seed {
        let seed: Seed = serde_yaml_ng::from_str(&read(path)?)
            .map_err(|error| Failure::new("bad_config", format!("{}: {error}", path.display())))?;
        let dir = path.parent().unwrap_or(Path::new(""));
        let output = args.output.clone().unwrap_or_else(|| dir.join(seed.artifacts.embedded_seed));
        return Ok((dir.join(seed.sources.raw_seed), output, seed.embeddings));
    }
    let (Some(input), Some(output), Some(spec)) = (&args.input, &args.output, &args.spec) else {
        return Err(Failure::usage("--input, --output and --spec belong together"));
    };
    let parsed = serde_json::from_str(&read(spec)?)
        .map_err(|error| Failure::new("bad_config", format!("{}: {error}", spec.display())))?;
    Ok((input.clone(), output.clone(), parsed))
}

/// Writes beside the output and puts that in its place, so that it is whole or not there.
fn rewritten(
    job: &EmbedJob,
    input: &Path,
    output: &Path,
    embedder: &dyn Embedder,
) -> Result<omnigraph::embed::EmbedReport, Failure> {
    let source = File::open(input).map_err(|error| Failure::file("read", input, &error))?;
    let failed = |error: &std::io::Error| Failure::file("write", output, error);
    let dir = output.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir).map_err(|error| failed(&error))?;
    let made = tempfile::NamedTempFile::new_in(dir).map_err(|error| failed(&error))?;
    let report = embed(job, BufReader::new(source), BufWriter::new(made.as_file()), embedder);
    let report = report.map_err(|error| match error {
        error @ omnigraph::Error::Input { .. } => {
            let mut failure = Failure::from(error);
            failure.fault.message = format!("{}: {}", input.display(), failure.fault.message);
            failure
        }
        error => Failure::from(error),
    })?;
    made.persist(output).map_err(|error| failed(&error.error))?;
    Ok(report)
}
