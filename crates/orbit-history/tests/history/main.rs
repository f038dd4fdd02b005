//! Tests of the history against repositories made by git.
