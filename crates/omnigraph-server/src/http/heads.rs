//! Which requests of a connection have a whole head, and whether the last of them is answered: what comes in between is a
//! body, and what comes behind is the next head.

use axum::body::Body;
use axum::http::{Request, Response};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

/// Counts the requests of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    begun: AtomicU64,
    answered: AtomicU64,
}

impl Heads {
    /// Requests whose head has arrived.
    pub(super) fn count(&self) -> u64 {
        self.0.begun.load(Ordering::Acquire)
    }

    /// Whether a request has no whole answer yet.
    pub(super) fn is_answering(&self) -> bool {
        self.count() != self.0.answered.load(Ordering::Acquire)
    }
}

/// A request without a whole answer; it has one, or never will, when the value is gone.
#[derive(Debug)]
struct Answering(Heads);

impl Answering {
    fn new(heads: &Heads) -> Answering {
        heads.0.begun.fetch_add(1, Ordering::AcqRel);
        Answering(heads.clone())
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.answered.fetch_add(1, Ordering::AcqRel);
    }
}

/// A service whose requests are counted.
#[derive(Clone, Debug)]
pub(super) struct Counted<S> {
    service: S,
    heads: Heads,
}

impl<S> Counted<S> {
    pub(super) fn new(service: S, heads: Heads) -> Counted<S> {
        Counted { service, heads }
    }
}

impl<S> Service<Request<Incoming>> for Counted<S>
where
    S: Service<Request<Incoming>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<CountedBody>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let answering = Answering::new(&self.heads);
        let answer = self.service.call(request);
        Box::pin(async move { Ok(answer.await?.map(|body| CountedBody { body, _answering: answering })) })
    }
}

/// The body of an answer that is counted.
#[derive(Debug)]
pub(super) struct CountedBody {
    body: Body,
    _answering: Answering,
}

impl http_body::Body for CountedBody {
    type Data = <Body as http_body::Body>::Data;
    type Error = <Body as http_body::Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
