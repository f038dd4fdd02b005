//! Answers of any length: written by a thread that may block, sent as fast as the caller takes them, and never more than a
//! few pieces in memory.

use super::answer::{FaultResponse, busy, typed};
use super::app::App;
use super::extract::{members, task};
use super::work::{Task, internal_error};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use omnigraph_api::calls::Context;
use omnigraph_api::calls::diff::DiffRequest;
use omnigraph_api::calls::export::ExportRequest;
use omnigraph_api::fault::Fault;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

/// Bytes of a piece.
const PIECE: usize = 1 << 16;

/// Pieces that wait for the caller.
const WAITING: usize = 4;

pub(super) async fn export(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let route = ExportRequest::ROUTE;
    let limits = &app.limits;
    let call: ExportRequest =
        members(route.method, (&parts, body), named, limits.body, limits.body_timeout).await?;
    Ok(stream(task, move |context, out| call.write(context, out)).await?)
}

pub(super) async fn patch(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let route = DiffRequest::PATCH;
    let limits = &app.limits;
    let call: DiffRequest =
        members(route.method, (&parts, body), named, limits.body, limits.body_timeout).await?;
    Ok(stream(task, move |context, out| call.write(context, out)).await?)
}

/// Lines as they are written. What fails before the first of them is an answer of its own; what fails later cuts the
/// connection, so that nobody takes a part for the whole.
async fn stream(
    task: Task,
    write: impl FnOnce(&Context<'_>, &mut dyn Write) -> Result<(), Fault> + Send + 'static,
) -> Result<Response, Fault> {
    let permit = task.app.streams.clone().try_acquire_owned().map_err(|_| busy())?;
    let (sender, mut pieces) = mpsc::channel(WAITING);
    let stall_timeout = task.app.limits.stall_timeout;
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || {
        let buffer = BytesMut::with_capacity(PIECE);
        let mut pipe = Pipe { sender, runtime, stall_timeout, buffer, has_begun: false };
        let ticket = task.begin();
        ticket.has_turn();
        let done = task.with_context(&ticket, |context| write(context, &mut pipe));
        pipe.end(done);
        drop(permit);
    });
    let first = match pieces.recv().await {
        Some(Piece::Refused(fault)) => return Err(*fault),
        Some(first) => first,
        None => return Err(internal_error()),
    };
    let pieces = tokio_stream::once(first).chain(ReceiverStream::new(pieces));
    let mut has_ended = false;
    let whole = pieces.map(Some).chain(tokio_stream::once(None)).filter_map(move |piece| match piece {
        Some(Piece::Bytes(bytes)) => Some(Ok(bytes)),
        Some(Piece::End | Piece::Refused(_)) => {
            has_ended = true;
            None
        }
        None if has_ended => None,
        None => Some(Err(io::Error::other("cut off"))),
    });
    Ok(typed(StatusCode::OK, "application/x-ndjson", Body::from_stream(whole)))
}

/// What a stream consists of. One that stops without its end was cut off.
enum Piece {
    Bytes(Bytes),
    End,
    /// Why there is not even a beginning.
    Refused(Box<Fault>),
}

/// Text on its way to a caller.
struct Pipe {
    sender: Sender<Piece>,
    runtime: Handle,
    /// For how long the caller may take nothing.
    stall_timeout: Duration,
    buffer: BytesMut,
    /// Whether a piece was sent.
    has_begun: bool,
}

impl Pipe {
    fn send(&mut self, piece: Piece) -> io::Result<()> {
        self.has_begun = true;
        let sent = tokio::time::timeout(self.stall_timeout, self.sender.send(piece));
        match self.runtime.block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::Error::new(io::ErrorKind::BrokenPipe, "the caller went away")),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the caller takes nothing")),
        }
    }

    /// Sends what is left and the end. What went wrong is the answer as long as nothing was sent.
    fn end(mut self, done: Result<(), Fault>) {
        let sent = match done {
            Ok(()) => self.flush().and_then(|()| self.send(Piece::End)),
            Err(fault) if !self.has_begun => self.send(Piece::Refused(Box::new(fault))),
            Err(fault) => {
                let error = fault.message;
                return tracing::warn!(error, "a stream was cut off");
            }
        };
        if let Err(error) = sent {
            tracing::debug!(%error, "a stream was cut off");
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let piece = self.buffer.split().freeze();
        self.send(Piece::Bytes(piece))
    }
}
