//! Bodies that an answer did not wait for.
//!
//! A caller that writes its whole request before it reads would find a broken connection in place of the answer that
//! refuses it. What still arrives is therefore read for a while, and thrown away.

use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::EXPECT;
use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::Handle;

/// For how long.
const WHILE: Duration = Duration::from_secs(2);

/// At most so many bytes.
const MOST: usize = 64 << 20;

/// A body that is read to its end by somebody.
#[derive(Debug)]
struct Lingering {
    body: Body,
    is_over: bool,
}

/// A body whose rest is thrown away. A caller that sent `Expect` waits to be asked for its body, so there is none.
pub(super) fn lingering(headers: &HeaderMap, body: Body) -> Body {
    if body.is_end_stream() || headers.contains_key(EXPECT) {
        return body;
    }
    Body::new(Lingering { body, is_over: false })
}

impl http_body::Body for Lingering {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.is_over |= matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        if self.is_over || self.body.is_end_stream() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        let body = std::mem::take(&mut self.body);
        runtime.spawn(tokio::time::timeout(WHILE, throw_away(body)));
    }
}

async fn throw_away(mut body: Body) {
    let mut length = 0;
    while let Some(Ok(frame)) = body.frame().await {
        length += frame.data_ref().map_or(0, Bytes::len);
        if length > MOST {
            return;
        }
    }
}
