//! The engine of `omnigraph`: typed property graphs that are loaded, queried, changed and searched.
