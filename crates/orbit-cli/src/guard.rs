//! The guard on reserved paths: whoever is about to write what a task of somebody else has reserved is told, or
//! stopped. `[guard] reserved` in `.orbit/config.toml` is `warn` unless it says `refuse` or `off`.

use crate::failure::Failure;
use crate::{identity, knowledge};
use orbit_git::Checkout;
use orbit_knowledge::Reservation;
use serde::Serialize;
use std::path::Path;

/// What happens when a path is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Setting {
    Off,
    Warn,
    Refuse,
}

/// What stands in the way of writing some paths.
#[derive(Debug, Serialize)]
pub(crate) struct Guarded {
    pub(crate) setting: Setting,
    pub(crate) actor: Option<String>,
    /// What others have reserved, and for how long.
    pub(crate) reserved: Vec<Reservation>,
}

impl Guarded {
    /// One line for each reservation.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let line = |it: &Reservation| {
            let Reservation { pattern, actor, task_title, expires_at, .. } = it;
            format!("{pattern} is reserved by {actor} for \"{task_title}\" until {expires_at}")
        };
        self.reserved.iter().map(line).collect()
    }

    /// The same as a refusal, when settings want one.
    pub(crate) fn refusal(&self) -> Result<(), Failure> {
        if self.setting != Setting::Refuse || self.reserved.is_empty() {
            return Ok(());
        }
        let hint = "ask the holder, work elsewhere, or wait until the lease ends; `[guard] reserved` in \
                    .orbit/config.toml decides whether this refuses";
        Err(Failure::input("reserved", self.warnings().join("; "), hint))
    }
}

/// What others have reserved of these paths. A clone without tasks has nothing reserved, and none is made.
pub(crate) fn look(root: &Path, paths: &[String], actor: Option<&str>) -> Result<Guarded, Failure> {
    let setting = setting(root)?;
    let actor = actor.map(str::to_owned).or_else(|| identity::actor(root));
    let mut guarded = Guarded { setting, actor, reserved: Vec::new() };
    if setting == Setting::Off || paths.is_empty() {
        return Ok(guarded);
    }
    if let Some(store) = knowledge::open_existing(root)? {
        guarded.reserved = store.reserved_by_others(paths, guarded.actor.as_deref())?;
    }
    Ok(guarded)
}

fn setting(root: &Path) -> Result<Setting, Failure> {
    let hint = "use `warn`, `refuse` or `off`";
    let wrong = |message: String| Failure::input("bad_config", message, hint);
    let config = Checkout::at(root).config().map_err(|error| wrong(error.to_string()))?;
    let word = config.as_ref().and_then(|table| table.get("guard")).and_then(|guard| guard.get("reserved"));
    match word.map(|word| word.as_str()) {
        None => Ok(Setting::Warn),
        Some(Some("warn")) => Ok(Setting::Warn),
        Some(Some("refuse")) => Ok(Setting::Refuse),
        Some(Some("off")) => Ok(Setting::Off),
        Some(other) => {
            let other = other.unwrap_or("something else");
            Err(wrong(format!("`guard.reserved` in .orbit/config.toml is {other}")))
        }
    }
}
