//! A value that a request can leave, remove or set.

/// What happens to a value that may be absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change<T = String> {
    /// Not mentioned.
    #[default]
    Keep,
    /// Removed.
    Clear,
    /// Set.
    Set(T),
}

impl<T> Change<T> {
    /// The value after the change.
    pub(crate) fn over(self, before: Option<T>) -> Option<T> {
        match self {
            Change::Keep => before,
            Change::Clear => None,
            Change::Set(value) => Some(value),
        }
    }

    /// The value that is set, if one is.
    pub(crate) fn value(self) -> Option<T> {
        self.over(None)
    }

    /// Whether it was mentioned.
    pub(crate) fn is_said(&self) -> bool {
        !matches!(self, Change::Keep)
    }

    /// The same change of what a value stands for.
    pub(crate) fn map<U, E>(&self, to: impl FnOnce(&T) -> Result<U, E>) -> Result<Change<U>, E> {
        Ok(match self {
            Change::Keep => Change::Keep,
            Change::Clear => Change::Clear,
            Change::Set(value) => Change::Set(to(value)?),
        })
    }
}
