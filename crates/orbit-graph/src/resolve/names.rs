//! Names that languages give a meaning of their own.

use super::key::hash_name;
use std::sync::LazyLock;

pub(super) static CRATE: LazyLock<u64> = LazyLock::new(|| hash_name("crate"));
pub(super) static SELF: LazyLock<u64> = LazyLock::new(|| hash_name("self"));
pub(super) static SUPER: LazyLock<u64> = LazyLock::new(|| hash_name("super"));
pub(super) static ITEM: LazyLock<u64> = LazyLock::new(|| hash_name("Item"));
pub(super) static AWAIT: LazyLock<u64> = LazyLock::new(|| hash_name("await"));
pub(super) static POLL: LazyLock<u64> = LazyLock::new(|| hash_name("poll"));
pub(super) static FUTURE: LazyLock<u64> = LazyLock::new(|| hash_name("Future"));
pub(super) static INTO_FUTURE: LazyLock<u64> = LazyLock::new(|| hash_name("IntoFuture"));
pub(super) static OUTPUT: LazyLock<u64> = LazyLock::new(|| hash_name("Output"));
pub(super) static TARGET: LazyLock<u64> = LazyLock::new(|| hash_name("Target"));
pub(super) static CALL: LazyLock<u64> = LazyLock::new(|| hash_name("__call__"));
pub(super) static ALLOCATE: LazyLock<u64> = LazyLock::new(|| hash_name("__new__"));
pub(super) static CONSTRUCTOR: LazyLock<u64> = LazyLock::new(|| hash_name("constructor"));
pub(super) static NEW: LazyLock<u64> = LazyLock::new(|| hash_name("new"));
pub(super) static INITIALIZE: LazyLock<u64> = LazyLock::new(|| hash_name("initialize"));
/// What a module of CommonJS exports as a whole.
pub(super) static WHOLE: LazyLock<u64> = LazyLock::new(|| hash_name("export="));
/// What it exports, as its own code names it.
pub(super) static EXPORTS: LazyLock<u64> = LazyLock::new(|| hash_name("exports"));
pub(super) static MODULE_EXPORTS: LazyLock<u64> = LazyLock::new(|| hash_name("module.exports"));
pub(super) static DEFAULT: LazyLock<u64> = LazyLock::new(|| hash_name("default"));
