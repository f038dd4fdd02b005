//! What is known of Rust's standard library: the methods whose names say what they give, and the names that its
//! types and traits use themselves.

use crate::resolve::key::hash_name;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::sync::LazyLock;

/// Methods that give what they are called on, or something that holds the same: a collection, an iterator over
/// it and an option of an element are all what holds the element. Those made by `pin_project` among them.
const WHOLE: &str = "
    as_deref as_deref_mut as_mut as_mut_slice as_pin_mut as_ref as_slice back by_ref chain clone cloned
    context copied drain filter find first first_mut front get get_mut into into_iter into_values iter
    iter_mut last last_mut load_full lock map_err max_by_key min_by_key next nth ok ok_or ok_or_else
    peek peekable pop pop_back pop_front project project_ref read rev skip skip_while step_by take
    take_while to_owned values values_mut with_context write";

/// Methods that give what the value that they are called on holds.
const HELD: &str = "
    borrow borrow_mut expect get_or_insert_with insert swap_remove unwrap unwrap_or unwrap_or_default
    unwrap_or_else";

/// Further methods of the standard library's options, results, iterators, collections, strings, cells and locks.
const OTHERS: &str = "
    abs all and and_then any append as_bytes as_bytes_mut as_mut_ptr as_os_str as_path as_ptr as_str
    binary_search ceil chars checked_add checked_sub chunks clear cmp collect compare_exchange concat
    connect contains contains_key count cycle dedup default deref deref_mut display drop elapsed
    ends_with entry enumerate eq err exists extend extend_from_slice fetch_add fetch_sub file_name fill
    filter_map find_map finish flat_map flatten floor flush fmt fold for_each from fuse ge get_ref gt
    hash index insert_str inspect into_bytes into_inner into_string is_empty is_err is_file is_none
    is_ok is_some is_some_and join keys kind len lines load lt make_ascii_lowercase map map_or
    map_or_else map_while max max_by min min_by ne next_back now or or_default or_else or_insert
    or_insert_with parse partial_cmp partition path poll position pow product push push_back push_front
    push_str read_exact read_line read_to_end read_to_string recv remove repeat replace reserve resize
    retain reverse scan seek send set sort sort_by sort_by_key split split_at starts_with store sum swap
    to_lowercase to_str to_string to_vec trim trim_end trim_start truncate try_from try_into unzip
    windows with_capacity wrapping_add write_all write_fmt write_str zip";

/// Whether a method hands on what it is called on (`Some(false)`) or what that holds (`Some(true)`), where the
/// type that it is called on has no method of that name.
pub(crate) fn passes_through(method: &str) -> Option<bool> {
    static NAMES: LazyLock<HashMap<&str, bool, FixedState>> = LazyLock::new(|| {
        let whole = WHOLE.split_whitespace().map(|name| (name, false));
        whole.chain(HELD.split_whitespace().map(|name| (name, true))).collect()
    });
    NAMES.get(method).copied()
}

/// Whether a name is that of a method of the standard library, so that it tells nothing of whose method is
/// called on a value that is not known.
pub(crate) fn is_library_method(name: u64) -> bool {
    static NAMES: LazyLock<HashSet<u64, FixedState>> = LazyLock::new(|| {
        [WHOLE, HELD, OTHERS].iter().flat_map(|list| list.split_whitespace()).map(hash_name).collect()
    });
    NAMES.contains(&name)
}

/// Whether a trait is one of the standard library that types implement by the dozen.
pub(crate) fn is_library_trait(name: &str) -> bool {
    matches!(
        name,
        "Add"
            | "AsRef"
            | "Clone"
            | "Debug"
            | "Default"
            | "Deref"
            | "DerefMut"
            | "Display"
            | "Drop"
            | "Eq"
            | "Error"
            | "Extend"
            | "From"
            | "FromIterator"
            | "FromStr"
            | "Future"
            | "Hash"
            | "Index"
            | "IndexMut"
            | "Into"
            | "IntoIterator"
            | "Iterator"
            | "Mul"
            | "Ord"
            | "PartialEq"
            | "PartialOrd"
            | "Read"
            | "Sub"
            | "ToString"
            | "TryFrom"
            | "Write"
    )
}
