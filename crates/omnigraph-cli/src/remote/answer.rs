//! What comes back: an answer, a failure of the server, or something that is neither.

use super::address::Address;
use crate::failure::{Failure, reason};
use omnigraph_api::fault::Fault;
use serde::de::DeserializeOwned;
use std::io::{ErrorKind, Read as _};
use ureq::http::Response;
use ureq::http::header::{CONTENT_TYPE, LOCATION, TRANSFER_ENCODING};
use ureq::{Body, Error};

/// Bytes of a failure that are read.
const MOST: u64 = 64 << 20;

/// An answer, or the failure that the server says.
pub(super) fn checked(address: &Address, response: Response<Body>) -> Result<Response<Body>, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if let Some(location) = response.headers().get(LOCATION).filter(|_| status.is_redirection()) {
        let location = location.to_str().unwrap_or("another place");
        return Err(Failure::new("unreachable", format!("{address} sends us to {location}"))
            .hint("give that address if you trust it: a token is not sent where nobody sent us"));
    }
    let what = format!("status {status} with {}", kind(&response));
    let mut text = Vec::new();
    let read = response.into_body().into_reader().take(MOST).read_to_end(&mut text);
    read.map_err(|error| cut_off(address, &error))?;
    match serde_json::from_slice::<Fault>(&text) {
        Ok(fault) => Err(fault.into()),
        Err(_) => Err(strange(address, &what)),
    }
}

/// A document.
pub(super) fn document<T: DeserializeOwned>(
    address: &Address,
    response: Response<Body>,
) -> Result<T, Failure> {
    check_kind(address, &response, "application/json")?;
    let bytes = whole(address, response)?;
    serde_json::from_slice(&bytes).map_err(|error| strange(address, &error.to_string()))
}

/// All of an answer.
pub(super) fn whole(address: &Address, response: Response<Body>) -> Result<Vec<u8>, Failure> {
    check_end(address, &response)?;
    let mut bytes = Vec::new();
    let read = response.into_body().into_reader().read_to_end(&mut bytes);
    read.map_err(|error| cut_off(address, &error))?;
    Ok(bytes)
}

/// Refuses what is not of the kind that was asked for.
pub(super) fn check_kind(address: &Address, response: &Response<Body>, wanted: &str) -> Result<(), Failure> {
    let found = kind(response);
    let essence = found.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(wanted) { Ok(()) } else { Err(strange(address, &found)) }
}

/// Refuses an answer that ends where its connection does: nobody could tell a part from the whole.
pub(super) fn check_end(address: &Address, response: &Response<Body>) -> Result<(), Failure> {
    let has_end =
        response.body().content_length().is_some() || response.headers().contains_key(TRANSFER_ENCODING);
    if has_end { Ok(()) } else { Err(strange(address, "an answer without a length")) }
}

fn kind(response: &Response<Body>) -> String {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.unwrap_or("nothing that says what it is").to_owned()
}

/// What answers is not what was expected: another program, or a proxy between.
pub(super) fn strange(address: &Address, what: &str) -> Failure {
    Failure::new("unreachable", format!("{address} does not answer as omnigraph-server does: {what}"))
        .hint("look whether the address is that of a server, and what a proxy on the way says")
}

/// An answer that has no end.
pub(super) fn cut_off(address: &Address, error: &std::io::Error) -> Failure {
    let reason = match error.kind() {
        ErrorKind::UnexpectedEof => "the connection ended".to_owned(),
        _ => reason(error),
    };
    Failure::new("cut_off", format!("the answer of {address} broke off: {reason}"))
        .hint("what came of it is not whole; ask again")
}

/// No answer.
pub(super) fn unreachable(address: &Address, error: &Error) -> Failure {
    let failed = |why: &str| Failure::new("unreachable", format!("cannot reach {address}: {why}"));
    let text = error.to_string();
    if let Some((_, why)) = text.split_once("certificate") {
        return failed(&format!("its certificate is not trusted{why}"))
            .hint("SSL_CERT_FILE names a file (PEM) with the certificates that are trusted");
    }
    let running = "look whether omnigraph-server runs there and the address is right";
    match error {
        Error::Io(error) => match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                failed("it ended the connection without an answer")
                    .hint("what was asked may have been done all the same: look before you ask again")
            }
            _ => failed(&reason(error)).hint(running),
        },
        Error::Timeout(_) => failed("it does not answer in time").hint(running),
        Error::HostNotFound => failed("no such host").hint(running),
        Error::ConnectionFailed => failed("no connection comes about").hint(running),
        _ => failed(&text).hint("look whether the address is that of omnigraph-server, and http or https"),
    }
}
