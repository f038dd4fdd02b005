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

/// Those of iterators that give another iterator, or an option of an element.
const ADAPTERS: &str = "
    chain cloned copied filter last max_by_key min_by_key next nth peekable rev skip skip_while step_by take
    take_while";

/// Methods that give what the value that they are called on holds.
const HELD: &str = "
    borrow borrow_mut expect get_or_insert_with insert swap_remove unwrap unwrap_or unwrap_or_default
    unwrap_or_else";

/// Further methods of the standard library's options, results, iterators, collections, strings, cells and locks.
const OTHERS: &str = "
    abs all and and_then any append as_array as_bytes as_bytes_mut as_chunks as_mut_ptr as_mut_ptr_range
    as_mut_str as_mut_vec as_os_str as_path as_ptr as_ptr_range as_rchunks as_str binary_search binary_search_by
    binary_search_by_key bytes capacity ceil char_indices chars checked_add checked_sub chunk_by chunk_by_mut
    chunks chunks_exact chunks_exact_mut chunks_mut clear clone_from_slice clone_into cmp collect
    compare_exchange concat connect contains contains_key copy_from_slice copy_within count cycle dedup dedup_by
    dedup_by_key default deref deref_mut display drain_filter drop elapsed encode_utf16 encode_utf8 ends_with
    entry enumerate eq eq_ignore_ascii_case err escape_ascii escape_debug escape_default escape_unicode exists
    extend extend_from_slice extend_from_within extract_if fetch_add fetch_sub file_name fill fill_with
    filter_map find_map finish first_chunk flat_map flatten floor flush fmt fold for_each from fuse ge get_ref
    get_unchecked get_unchecked_mut gt hash index insert_str inspect into_boxed_slice into_boxed_str into_bytes
    into_flattened into_inner into_string is_alphabetic is_alphanumeric is_ascii is_ascii_alphabetic
    is_ascii_alphanumeric is_ascii_control is_ascii_digit is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase
    is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace is_char_boundary is_control is_digit is_empty
    is_err is_file is_lowercase is_none is_numeric is_ok is_some is_some_and is_sorted is_sorted_by
    is_sorted_by_key is_uppercase is_whitespace join keys kind last_chunk leak len len_utf16 len_utf8 lines load
    lt make_ascii_lowercase make_ascii_uppercase map map_or map_or_else map_while match_indices matches max
    max_by min min_by ne next_back now or or_default or_else or_insert or_insert_with parse partial_cmp
    partition partition_point path poll position pow product push push_back push_front push_str rchunks
    rchunks_exact read_exact read_line read_to_end read_to_string recv remove remove_matches repeat replace
    replace_range replacen reserve reserve_exact resize resize_with retain retain_mut reverse rfind
    rmatch_indices rmatches rotate_left rotate_right rsplit rsplit_once rsplit_terminator rsplitn scan seek
    select_nth_unstable send set set_len shrink_to shrink_to_fit sort sort_by sort_by_cached_key sort_by_key
    sort_unstable sort_unstable_by sort_unstable_by_key spare_capacity_mut splice split split_ascii_whitespace
    split_at split_at_checked split_at_mut split_first split_first_mut split_inclusive split_last split_last_mut
    split_mut split_off split_once split_terminator split_whitespace splitn starts_with store strip_prefix
    strip_suffix sum swap swap_with_slice to_ascii_lowercase to_ascii_uppercase to_digit to_lowercase to_str
    to_string to_uppercase to_vec trim trim_ascii trim_ascii_end trim_ascii_start trim_end trim_end_matches
    trim_left trim_matches trim_right trim_start trim_start_matches truncate try_from try_into try_reserve
    try_reserve_exact unzip windows with_capacity wrapping_add write_all write_fmt write_str zip";

/// Whether a method hands on what it is called on (`Some(false)`) or what that holds (`Some(true)`), where the
/// type that it is called on has no method of that name.
pub(crate) fn passes_through(method: &str) -> Option<bool> {
    static NAMES: LazyLock<HashMap<&str, bool, FixedState>> = LazyLock::new(|| {
        let whole = WHOLE.split_whitespace().map(|name| (name, false));
        whole.chain(HELD.split_whitespace().map(|name| (name, true))).collect()
    });
    NAMES.get(method).copied()
}

/// Whether a method of every iterator gives something of the standard library that has the same elements.
pub(crate) fn is_adapter(method: &str) -> bool {
    ADAPTERS.split_whitespace().any(|name| name == method)
}

/// Whether a method gives what the type argument written at its call says.
pub(crate) fn gives_written_type(method: &str) -> bool {
    matches!(method, "collect" | "sum" | "product")
}

/// Whether a name is that of a method of the standard library, so that it tells nothing of whose method is
/// called on a value that is not known.
pub(crate) fn is_library_method(name: u64) -> bool {
    static NAMES: LazyLock<HashSet<u64, FixedState>> = LazyLock::new(|| {
        [WHOLE, HELD, OTHERS].iter().flat_map(|list| list.split_whitespace()).map(hash_name).collect()
    });
    NAMES.contains(&name)
}

/// Whether a type of the standard library is a pointer that values are used through as if it were not there.
pub(crate) fn is_pointer(name: u64) -> bool {
    static NAMES: LazyLock<[u64; 5]> = LazyLock::new(|| ["Arc", "Box", "Cow", "Pin", "Rc"].map(hash_name));
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
