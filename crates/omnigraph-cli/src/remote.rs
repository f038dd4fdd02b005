//! A server that has the graph: requests over HTTP, one after the other.
//!
//! ```text
//! request ─wire─▶ target + body ─Server (token, agent)─▶ answer ─▶ Output, rows, lines | Failure
//! ```
//!
//! [`address`] is what was typed, [`token`] who asks, [`wire`] where a call is, [`answer`] what comes back.
//!
//! Invariants:
//! - The token is in one header of requests to the address that was typed and nowhere else: redirects are not followed.
//! - An answer that broke off is a failure, also when all of what came of it was fine.

mod address;
mod answer;
mod token;
mod wire;

use crate::failure::Failure;
use crate::render::progress::Bar;
use crate::session::{Location, Session};
use address::Address;
use omnigraph::render::QueryResult;
use omnigraph_api::calls::load::{LoadOutput, LoadRequest};
use omnigraph_api::calls::read::{ARROW, ReadRequest};
use omnigraph_api::calls::server::{GraphListOutput, HealthOutput};
use omnigraph_api::calls::{Call, Method, Route};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use token::Token;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use ureq::http::{Request, Response, request::Builder};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, AsSendBody, Body, SendBody};

/// For a connection to come about. There is no bound for the answer: work may be long.
const CONNECT: Duration = Duration::from_secs(15);

/// Bytes that are read and written at once.
const PIECE: usize = 1 << 16;

const JSON: &str = "application/json";

/// A graph of a server.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    agent: Agent,
    address: Arc<Address>,
    token: Arc<Token>,
}

impl Server {
    /// Finds the token; nothing is sent yet.
    pub(crate) fn new(session: &Session, location: &Location) -> Result<Server, Failure> {
        if session.actor.typed.is_some() {
            return Err(Failure::usage("--actor is for graphs whose files are here")
                .hint("a server knows by the token who asks"));
        }
        let address = Address::parse(&location.uri)?;
        let token = Token::find(&session.config, location, |name| std::env::var(name).ok())?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT))
            .user_agent(concat!("omnigraph/", env!("CARGO_PKG_VERSION")))
            .tls_config(TlsConfig::builder().root_certs(trusted()?).build());
        Ok(Server { agent: config.build().new_agent(), address: Arc::new(address), token: Arc::new(token) })
    }

    /// Calls.
    pub(crate) fn call<C: Call>(&self, request: C) -> Result<C::Output, Failure> {
        let response = self.send(&C::ROUTE, &request, JSON)?;
        self.output(response)
    }

    /// Runs a query that reads.
    pub(crate) fn read(&self, request: &ReadRequest) -> Result<QueryResult, Failure> {
        let response = self.send(&ReadRequest::ROUTE, request, ARROW)?;
        answer::check_kind(&self.address, &response, ARROW)?;
        let bytes = answer::whole(&self.address, response)?;
        QueryResult::from_arrow_ipc(&bytes)
            .map_err(|error| answer::strange(&self.address, &format!("its rows cannot be read: {error}")))
    }

    /// Writes lines as they come.
    pub(crate) fn stream(
        &self,
        route: &Route,
        request: &impl Serialize,
        mut out: impl Write,
    ) -> Result<(), Failure> {
        let response = self.send(route, request, "application/x-ndjson")?;
        answer::check_kind(&self.address, &response, "application/x-ndjson")?;
        answer::check_end(&self.address, &response)?;
        let mut body = response.into_body().into_reader();
        let mut piece = vec![0; PIECE];
        loop {
            match body.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => out.write_all(&piece[..length])?,
                Err(error) => {
                    out.flush()?;
                    return Err(answer::cut_off(&self.address, &error));
                }
            }
        }
        Ok(out.flush()?)
    }

    /// Sends a file.
    pub(crate) fn load(
        &self,
        request: &LoadRequest,
        mut file: File,
        bar: &Bar,
    ) -> Result<LoadOutput, Failure> {
        let unreadable = |error| Failure::file("read", Path::new("the rows"), &error);
        file.rewind().map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let target = wire::target(&LoadRequest::ROUTE, request)?;
        let mut builder = Request::post(self.address.of_graph(&target))
            .header(ACCEPT, JSON)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_LENGTH, size);
        if size > 0 {
            // A caller who is refused learns it before all of the rows are sent.
            builder = builder.header(EXPECT, "100-continue");
        }
        let mut body = Upload { file: file.take(size), sent: 0, bar };
        let response = self.run(builder, SendBody::from_reader(&mut body))?;
        self.output(response)
    }

    /// Whether the server is there, and which program it is. Nobody is asked who they are.
    pub(crate) fn health(&self) -> Result<HealthOutput, Failure> {
        let request = Request::get(self.address.of_server("/healthz")).header(ACCEPT, JSON);
        let response = self.answered(request, ())?;
        answer::document(&self.address, response)
    }

    /// The graphs of the server.
    pub(crate) fn graphs(&self) -> Result<GraphListOutput, Failure> {
        let request = Request::get(self.address.of_server("/graphs")).header(ACCEPT, JSON);
        let response = self.run(request, ())?;
        answer::document(&self.address, response)
    }

    /// What is sent to say who asks, in words without the token.
    pub(crate) fn token_source(&self) -> String {
        self.token.described()
    }

    fn send(&self, route: &Route, request: &impl Serialize, accept: &str) -> Result<Response<Body>, Failure> {
        let sent = wire::sent(route, request)?;
        let method = match route.method {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        };
        let builder =
            Request::builder().method(method).uri(self.address.of_graph(&sent.target)).header(ACCEPT, accept);
        match sent.body {
            Some(body) => self.run(builder.header(CONTENT_TYPE, JSON), body),
            None => self.run(builder, ()),
        }
    }

    /// Asks in the name of whoever has the token.
    fn run(&self, request: Builder, body: impl AsSendBody) -> Result<Response<Body>, Failure> {
        let request = match self.token.header() {
            Some(header) => request.header(AUTHORIZATION, header),
            None => request,
        };
        self.answered(request, body).map_err(|failure| match failure.fault.reason.as_str() {
            "unauthorized" => failure.hint(self.token.hint()),
            _ => failure,
        })
    }

    fn answered(&self, request: Builder, body: impl AsSendBody) -> Result<Response<Body>, Failure> {
        let request = request.body(body).map_err(|error| {
            Failure::new("bad_request", format!("this cannot be sent to {}: {error}", self.address))
        })?;
        let response = self.agent.run(request).map_err(|error| answer::unreachable(&self.address, &error))?;
        answer::checked(&self.address, response)
    }

    /// An answer that names the graph as it was typed: where it is on the server's disk is not what was asked.
    fn output<T: DeserializeOwned>(&self, response: Response<Body>) -> Result<T, Failure> {
        let mut document: serde_json::Value = answer::document(&self.address, response)?;
        if let Some(uri) = document.get_mut("uri") {
            *uri = self.address.typed().into();
        }
        serde_json::from_value(document).map_err(|error| answer::strange(&self.address, &error.to_string()))
    }
}

/// The trusted root certificates: those of the public authorities, or those of the file that `SSL_CERT_FILE` names.
fn trusted() -> Result<RootCerts, Failure> {
    let Some(path) = std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty()) else {
        return Ok(RootCerts::WebPki);
    };
    let path = Path::new(&path);
    let text = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        if let Ok(PemItem::Certificate(certificate)) = item {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(Failure::new("bad_config", format!("{} has no certificate", path.display()))
            .hint("SSL_CERT_FILE names a file with certificates in PEM"));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

/// A file on its way.
struct Upload<'a> {
    file: std::io::Take<File>,
    sent: u64,
    bar: &'a Bar,
}

impl Read for Upload<'_> {
    fn read(&mut self, piece: &mut [u8]) -> std::io::Result<usize> {
        let length = self.file.read(piece)?;
        self.sent += length as u64;
        self.bar.sent(self.sent);
        Ok(length)
    }
}
