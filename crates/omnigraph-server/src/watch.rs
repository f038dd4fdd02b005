//! Signals to a running server: to end, or to read its tokens and queries again.

use omnigraph_api::config::Config;
use omnigraph_api::saved::Saved;
use omnigraph_server::auth::TokenSource;
use omnigraph_server::http::App;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch::{self, Receiver};

/// How often a file of tokens is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Becomes true when the server is to end; until then, `SIGHUP` reads tokens and queries again.
pub(crate) fn signals(app: Arc<App>, config: Config) -> std::io::Result<Receiver<bool>> {
    let (end, ended) = watch::channel(false);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    if let TokenSource::File(path) = app.tokens().source() {
        tokio::spawn(follow(app.clone(), path.clone()));
    }
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                _ = interrupt.recv() => break,
                _ = hang_up.recv() => {
                    reload(app.clone()).await;
                    reopen(app.clone()).await;
                    let saved = Saved::load(&config);
                    warn(&saved);
                    app.save(saved);
                }
            }
        }
        tracing::info!("ending: what is under way is finished first");
        end.send_replace(true);
    });
    Ok(ended)
}

/// Reads tokens again whenever their file is another one.
async fn follow(app: Arc<App>, path: std::path::PathBuf) {
    let mut known = stamp(&path);
    loop {
        tokio::time::sleep(LOOK).await;
        let now = stamp(&path);
        if now != known {
            known = now;
            reload(app.clone()).await;
        }
    }
}

/// What differs when a file was written or another one took its place, whatever their times say.
fn stamp(path: &Path) -> Option<[u64; 4]> {
    let metadata = std::fs::metadata(path).ok()?;
    let changed = [metadata.ctime(), metadata.ctime_nsec()].map(i64::cast_unsigned);
    Some([metadata.ino(), metadata.len(), changed[0], changed[1]])
}

/// Reads tokens again; keeps those that are known when that fails.
async fn reload(app: Arc<App>) {
    let read = tokio::task::spawn_blocking(move || app.tokens().reload()).await;
    match read {
        Ok(Ok(count)) => tracing::info!(count, "read the tokens again"),
        Ok(Err(error)) => tracing::error!(%error, "the tokens that were known stay"),
        Err(error) => tracing::error!(%error, "the tokens that were known stay"),
    }
}

/// Tries graphs again that could not be opened.
async fn reopen(app: Arc<App>) {
    let tried = tokio::task::spawn_blocking(move || app.reopen()).await.unwrap_or_default();
    for (name, opened) in tried {
        match opened {
            Ok(()) => tracing::info!("graph {name} is open now"),
            Err(fault) => tracing::error!("graph {name} still cannot be opened: {}", fault.message),
        }
    }
}

/// Says what is not among the saved queries, and why.
pub(crate) fn warn(saved: &Saved) {
    for problem in &saved.problems {
        tracing::warn!("{problem}");
    }
}
