//! Timeouts of a connection that Hyper does not have: for the first bytes, which say which HTTP it is, for the head of a
//! request that has begun, and for writes of an answer that the caller does not read.

use super::heads::Heads;
use super::limits::Limits;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// What HTTP/2 begins with. Until a byte differs, it may be HTTP/1 or HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A stream with a timeout for its first bytes, one for heads and one for writes.
#[derive(Debug)]
pub(super) struct TimeoutStream<S> {
    stream: S,
    /// Deadline of the first bytes; `None` when they are there.
    opening: Option<Pin<Box<Sleep>>>,
    /// Bytes of the preface that were read.
    matched: usize,
    /// Whether it is HTTP/2, where many requests share the stream.
    is_shared: bool,
    heads: Heads,
    /// For how long the head of a request may arrive.
    head_timeout: Duration,
    /// Deadline of a head that has begun, and how many requests had come before it.
    head: Option<(Pin<Box<Sleep>>, u64)>,
    /// For how long a write may make no progress.
    write_timeout: Duration,
    /// Deadline of the write that makes no progress.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> TimeoutStream<S> {
    pub(super) fn new(stream: S, limits: &Limits, heads: Heads) -> TimeoutStream<S> {
        TimeoutStream {
            stream,
            opening: Some(Box::pin(sleep(limits.idle_timeout))),
            matched: 0,
            is_shared: false,
            heads,
            head_timeout: limits.head_timeout,
            head: None,
            write_timeout: limits.stall_timeout,
            stalled: None,
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if self.opening.is_some() {
            self.open(bytes);
        }
        if self.is_shared {
            self.head = None;
        } else if !bytes.is_empty() && self.head.is_none() && !self.heads.is_answering() {
            self.head = Some((Box::pin(sleep(self.head_timeout)), self.heads.count()));
        }
    }

    /// Looks at the first bytes.
    fn open(&mut self, bytes: &[u8]) {
        let rest = &PREFACE[self.matched..];
        let is_preface = bytes.iter().zip(rest).all(|(byte, expected)| byte == expected);
        self.matched += bytes.len();
        if !is_preface || self.matched >= PREFACE.len() {
            self.opening = None;
            self.is_shared = is_preface;
        }
    }

    /// An error when something has not been read in time.
    fn late(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Some((_, before)) = &self.head
            && *before != self.heads.count()
        {
            self.head = None;
        }
        let opening = self.opening.as_mut().map(|deadline| deadline.as_mut().poll(context).is_ready());
        let head = self.head.as_mut().map(|(deadline, _)| deadline.as_mut().poll(context).is_ready());
        match (opening, head) {
            (Some(true), _) => Poll::Ready(Err(late("the caller says nothing"))),
            (_, Some(true)) => Poll::Ready(Err(late("the head of a request takes too long"))),
            _ => Poll::Pending,
        }
    }

    /// An error in place of a write that has made no progress for too long.
    fn bounded<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let write_timeout = self.write_timeout;
        let deadline = self.stalled.get_or_insert_with(|| Box::pin(sleep(write_timeout)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(late("the caller takes nothing"))),
            Poll::Pending => Poll::Pending,
        }
    }
}

fn late(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, reason)
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.stream).poll_read(context, buffer);
        if polled.is_ready() {
            this.read(&buffer.filled()[before..]);
            return polled;
        }
        this.late(context)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.bounded(context, polled)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_flush(context);
        this.bounded(context, polled)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_shutdown(context);
        this.bounded(context, polled)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write_vectored(context, pieces);
        this.bounded(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
