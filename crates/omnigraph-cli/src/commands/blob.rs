//! `omnigraph blob`

use crate::args::{BlobArgs, BlobCommand};
use crate::backend::Backend;
use crate::failure::Failure;
use crate::render;
use crate::session::{Session, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omnigraph_api::calls::entity::EntityRequest;
use omnigraph_api::calls::schema::SchemaGetRequest;
use omnigraph_compiler::schema::catalog::Body;
use omnigraph_compiler::{Scalar, Schema, Source, did_you_mean};
use serde_json::json;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

pub(super) fn run(session: &Session, command: &BlobCommand) -> Result<(), Failure> {
    let BlobCommand::Get(args) = command;
    if args.out.is_none() && !session.json && std::io::stdout().is_terminal() {
        return Err(Failure::usage("bytes are not written to a terminal").hint("name a file with --out"));
    }
    let state = session.state(&args.at)?;
    let backend = session.backend(&args.place)?;
    let bytes = bytes(&backend, args, state)?;
    if let Some(path) = &args.out {
        write(path, &bytes)?;
    }
    match (&args.out, session.json) {
        (None, false) => render::text(bytes),
        (Some(path), false) => render::line(&format!("wrote {} bytes to {}", bytes.len(), path.display())),
        (out, true) => {
            let text = out.is_none().then(|| format!("base64:{}", STANDARD.encode(&bytes)));
            let (type_name, id, property) = (&args.type_name, &args.id, &args.property);
            render::json(&json!({
                "type_name": type_name, "id": id, "property": property, "bytes": bytes.len(), "out": out,
                "value": text,
            }))
        }
    }
}

fn bytes(backend: &Backend, args: &BlobArgs, state: State) -> Result<Vec<u8>, Failure> {
    let State { branch, snapshot, at } = state;
    let (type_name, id, property) = (args.type_name.clone(), args.id.clone(), &args.property);
    let request =
        EntityRequest { type_name, id, branch: branch.clone(), snapshot: snapshot.clone(), at: at.clone() };
    let entity = backend.call(request)?;
    check_type(backend, (&entity.type_name, property), (branch, snapshot, at))?;
    let Some(value) = entity.properties.get(property) else {
        let message = format!("{} `{}` has no value for `{property}`", entity.type_name, entity.id);
        return Err(Failure::new("not_found", message));
    };
    let encoded = value.as_str().and_then(|text| text.strip_prefix("base64:"));
    encoded.and_then(|encoded| STANDARD.decode(encoded).ok()).ok_or_else(|| {
        Failure::new(
            "internal",
            format!("the bytes of {} `{}` cannot be decoded", entity.type_name, entity.id),
        )
    })
}

type At = (Option<String>, Option<String>, Option<String>);

/// Fails unless the property is a blob: a text may look like one.
fn check_type(
    backend: &Backend,
    (type_name, property): (&str, &str),
    (branch, snapshot, at): At,
) -> Result<(), Failure> {
    let found = backend.call(SchemaGetRequest { branch, snapshot, at })?;
    let source = Source::new("schema", found.schema_source);
    let schema = Schema::parse(&source).map_err(|found| Failure::text(&found, &source))?;
    let catalog = &schema.catalog;
    let body: Option<&Body> = (catalog.nodes.get(type_name).map(|node| &node.body))
        .or_else(|| catalog.edges.get(type_name).map(|edge| &edge.body));
    let properties = body.map(|body| &*body.properties).unwrap_or_default();
    match properties.iter().find(|found| found.name == property) {
        Some(found) if found.ty.scalar == Scalar::Blob => Ok(()),
        Some(found) => {
            let message = format!("`{property}` of `{type_name}` is of type `{}`, not `Blob`", found.ty);
            Err(Failure::new("bad_request", message).hint("`omnigraph entity` prints the values of a row"))
        }
        None => {
            let failure = Failure::new("bad_request", format!("`{type_name}` has no property `{property}`"));
            let known = properties.iter().map(|property| property.name.as_str());
            Err(match did_you_mean(property, known) {
                Some(hint) => failure.hint(hint),
                None => failure,
            })
        }
    }
}

/// Puts a file in its place when it is whole.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::file("write", path, error);
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(|error| failed(&error))?;
    file.write_all(bytes).map_err(|error| failed(&error))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}
