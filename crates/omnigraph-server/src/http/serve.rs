//! Connections: accepted, bounded, ended gracefully.

use super::app::App;
use super::heads::{Counted, Heads};
use super::timeout::TimeoutStream;
use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_rustls::TlsAcceptor;

/// How long to wait after an accept that failed, for lack of descriptors as a rule.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Serves until `end` is true, then finishes what is under way.
pub async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    router: Router,
    tls: Option<TlsAcceptor>,
    mut end: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let graceful = GracefulShutdown::new();
    loop {
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place,
            _ = end.wait_for(|end| *end) => break,
        };
        let Ok(place) = place else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = end.wait_for(|end| *end) => break,
        };
        match accepted {
            Ok((stream, _)) => {
                let connection =
                    Connection { app: app.clone(), router: router.clone(), tls: tls.clone(), _place: place };
                let watcher = graceful.watcher();
                tokio::spawn(async move { connection.serve(stream, watcher).await });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
    drop(listener);
    app.ending.send_replace(true);
    if tokio::time::timeout(app.limits.shutdown_timeout, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests that took too long were cut off");
    }
}

/// One connection.
struct Connection {
    app: Arc<App>,
    router: Router,
    tls: Option<TlsAcceptor>,
    /// Given back when the connection ends.
    _place: OwnedSemaphorePermit,
}

impl Connection {
    async fn serve(self, stream: TcpStream, watcher: Watcher) {
        let count = &self.app.metrics.connections;
        count.fetch_add(1, Ordering::Relaxed);
        let _ = stream.set_nodelay(true); // only slower without it
        match &self.tls {
            None => self.speak(stream, watcher).await,
            Some(tls) => match tokio::time::timeout(self.app.limits.head_timeout, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.speak(stream, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "no TLS"),
                Err(_) => tracing::debug!("no TLS in time"),
            },
        }
        count.fetch_sub(1, Ordering::Relaxed);
    }

    async fn speak(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, watcher: Watcher) {
        let limits = &self.app.limits;
        let heads = Heads::default();
        let stream = TimeoutStream::new(stream, limits, heads.clone());
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.idle_timeout);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(limits.idle_timeout));
        let service = Counted::new(TowerToHyperService::new(self.router.clone()), heads);
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}
