//! The edge: requests as they come in, envelopes as they go out. The only place that knows serde, apart from the
//! stored JSON and the config.

pub(crate) mod entries;
pub(crate) mod envelope;
pub(crate) mod json;
pub(crate) mod lenient;
pub(crate) mod requests;
