//! The methods that types of Rust's standard library have themselves, type by type: they come before those of a trait
//! in scope, and a method that is not among them is one of such a trait.

use crate::resolve::key::hash_name;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::sync::LazyLock;

/// Methods of `str`.
const STR: &str = "
    as_bytes as_bytes_mut as_mut_ptr as_ptr bytes ceil_char_boundary char_indices chars contains encode_utf16
    ends_with eq_ignore_ascii_case escape_debug escape_default escape_unicode find floor_char_boundary from_utf8
    from_utf8_mut from_utf8_unchecked from_utf8_unchecked_mut get get_mut get_unchecked get_unchecked_mut
    into_boxed_bytes into_string is_ascii is_char_boundary is_empty len lines lines_any make_ascii_lowercase
    make_ascii_uppercase match_indices matches parse repeat replace replacen rfind rmatch_indices rmatches
    rsplit rsplit_once rsplit_terminator rsplitn slice_mut_unchecked slice_unchecked split
    split_ascii_whitespace split_at split_at_checked split_at_mut split_at_mut_checked split_inclusive
    split_once split_terminator split_whitespace splitn starts_with strip_prefix strip_suffix to_ascii_lowercase
    to_ascii_uppercase to_lowercase to_uppercase trim trim_ascii trim_ascii_end trim_ascii_start trim_end
    trim_end_matches trim_left trim_left_matches trim_matches trim_right trim_right_matches trim_start
    trim_start_matches";

/// Further methods of `String`, which has those of `str`.
const STRING: &str = "
    as_bytes as_mut_str as_mut_vec as_str capacity clear drain extend_from_within from_raw_parts from_utf16
    from_utf16_lossy from_utf8 from_utf8_lossy from_utf8_unchecked insert insert_str into_boxed_str into_bytes
    into_raw_parts is_empty leak len new pop push push_str remove replace_range reserve reserve_exact retain
    shrink_to shrink_to_fit split_off truncate try_reserve try_reserve_exact with_capacity";

/// Methods of slices.
const SLICE: &str = "
    align_to align_to_mut array_windows as_array as_chunks as_chunks_mut as_chunks_unchecked
    as_chunks_unchecked_mut as_flattened as_flattened_mut as_mut_array as_mut_ptr as_mut_ptr_range as_ptr
    as_ptr_range as_rchunks as_rchunks_mut binary_search binary_search_by binary_search_by_key chunk_by
    chunk_by_mut chunks chunks_exact chunks_exact_mut chunks_mut clone_from_slice concat connect contains
    copy_from_slice copy_within element_offset ends_with fill fill_with first first_chunk first_chunk_mut
    first_mut get get_disjoint_mut get_disjoint_unchecked_mut get_mut get_unchecked get_unchecked_mut into_vec
    is_empty is_sorted is_sorted_by is_sorted_by_key iter iter_mut join last last_chunk last_chunk_mut last_mut
    len partition_point rchunks rchunks_exact rchunks_exact_mut rchunks_mut repeat reverse rotate_left
    rotate_right rsplit rsplit_mut rsplitn rsplitn_mut select_nth_unstable select_nth_unstable_by
    select_nth_unstable_by_key sort sort_by sort_by_cached_key sort_by_key sort_unstable sort_unstable_by
    sort_unstable_by_key split split_at split_at_checked split_at_mut split_at_mut_checked
    split_at_mut_unchecked split_at_unchecked split_first split_first_chunk split_first_chunk_mut
    split_first_mut split_inclusive split_inclusive_mut split_last split_last_chunk split_last_chunk_mut
    split_last_mut split_mut split_off split_off_first split_off_first_mut split_off_last split_off_last_mut
    split_off_mut splitn splitn_mut starts_with strip_prefix strip_suffix swap swap_with_slice to_vec windows";

/// Further methods of slices of bytes.
const BYTES: &str = "
    eq_ignore_ascii_case escape_ascii is_ascii make_ascii_lowercase make_ascii_uppercase to_ascii_lowercase
    to_ascii_uppercase trim_ascii trim_ascii_end trim_ascii_start utf8_chunks";

/// Further methods of arrays, which have those of slices.
const ARRAY: &str = "
    as_mut_slice as_slice each_mut each_ref map";

/// Further methods of `Vec`, which has those of slices.
const VEC: &str = "
    append as_mut_ptr as_mut_slice as_ptr as_slice capacity clear dedup dedup_by dedup_by_key drain
    extend_from_slice extend_from_within extract_if from_raw_parts insert insert_mut into_boxed_slice
    into_flattened into_raw_parts is_empty leak len new pop pop_if remove reserve reserve_exact resize
    resize_with retain retain_mut set_len shrink_to shrink_to_fit spare_capacity_mut splice split_off
    swap_remove truncate try_reserve try_reserve_exact with_capacity";

/// Methods of `char`.
const CHAR: &str = "
    decode_utf16 encode_utf16 encode_utf8 eq_ignore_ascii_case escape_debug escape_default escape_unicode
    from_digit from_u32 from_u32_unchecked is_alphabetic is_alphanumeric is_ascii is_ascii_alphabetic
    is_ascii_alphanumeric is_ascii_control is_ascii_digit is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase
    is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace is_control is_digit is_lowercase is_numeric
    is_uppercase is_whitespace len_utf16 len_utf8 make_ascii_lowercase make_ascii_uppercase to_ascii_lowercase
    to_ascii_uppercase to_digit to_lowercase to_uppercase";

/// Methods of the integers.
const INTEGER: &str = "
    abs abs_diff borrowing_sub carrying_add carrying_carryless_mul carrying_mul carrying_mul_add cast_signed
    cast_unsigned checked_abs checked_add checked_add_signed checked_add_unsigned checked_div checked_div_euclid
    checked_ilog checked_ilog10 checked_ilog2 checked_isqrt checked_mul checked_neg checked_next_multiple_of
    checked_next_power_of_two checked_pow checked_rem checked_rem_euclid checked_shl checked_shr
    checked_signed_diff checked_sub checked_sub_signed checked_sub_unsigned count_ones count_zeros div_ceil
    div_euclid eq_ignore_ascii_case escape_ascii from_be from_be_bytes from_le from_le_bytes from_ne_bytes
    from_str_radix ilog ilog10 ilog2 is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control
    is_ascii_digit is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase
    is_ascii_whitespace is_multiple_of is_negative is_positive is_power_of_two isqrt leading_ones leading_zeros
    make_ascii_lowercase make_ascii_uppercase max_value midpoint min_value next_multiple_of next_power_of_two
    overflowing_abs overflowing_add overflowing_add_signed overflowing_add_unsigned overflowing_div
    overflowing_div_euclid overflowing_mul overflowing_neg overflowing_pow overflowing_rem
    overflowing_rem_euclid overflowing_shl overflowing_shr overflowing_sub overflowing_sub_signed
    overflowing_sub_unsigned pow rem_euclid reverse_bits rotate_left rotate_right saturating_abs saturating_add
    saturating_add_signed saturating_add_unsigned saturating_div saturating_mul saturating_neg saturating_pow
    saturating_sub saturating_sub_signed saturating_sub_unsigned signum strict_abs strict_add strict_add_signed
    strict_add_unsigned strict_div strict_div_euclid strict_mul strict_neg strict_pow strict_rem
    strict_rem_euclid strict_shl strict_shr strict_sub strict_sub_signed strict_sub_unsigned swap_bytes
    to_ascii_lowercase to_ascii_uppercase to_be to_be_bytes to_le to_le_bytes to_ne_bytes trailing_ones
    trailing_zeros unbounded_shl unbounded_shr unchecked_add unchecked_mul unchecked_neg unchecked_shl
    unchecked_shr unchecked_sub unsigned_abs wrapping_abs wrapping_add wrapping_add_signed wrapping_add_unsigned
    wrapping_div wrapping_div_euclid wrapping_mul wrapping_neg wrapping_pow wrapping_rem wrapping_rem_euclid
    wrapping_shl wrapping_shr wrapping_sub wrapping_sub_signed wrapping_sub_unsigned";

/// Methods of the floating-point numbers.
const FLOAT: &str = "
    abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign cos cosh div_euclid exp
    exp2 exp_m1 floor fract from_be_bytes from_bits from_le_bytes from_ne_bytes hypot is_finite is_infinite
    is_negative is_normal is_positive is_sign_negative is_sign_positive is_subnormal ln ln_1p log log10 log2 max
    midpoint min mul_add next_down next_up powf powi recip rem_euclid round round_ties_even signum sin sin_cos
    sinh sqrt tan tanh to_be_bytes to_bits to_degrees to_int_unchecked to_le_bytes to_ne_bytes to_radians
    total_cmp trunc";

/// What these types have from traits of the standard library, which are in scope nearly everywhere.
const PRELUDE: &str = "
    as_mut as_ref borrow borrow_mut clamp clone clone_from clone_into cmp default drop eq extend fmt from from_iter ge
    gt hash index index_mut into into_iter le lt max min ne partial_cmp to_owned to_string try_from try_into";

/// A type of the standard library whose own methods are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LibraryType {
    /// `str`
    Text,
    /// `String`
    String,
    /// `[T]` and `[T; N]`
    Slice,
    /// `Vec`
    Vector,
    /// `char`
    Char,
    /// `bool`
    Bool,
    /// `u8`, `usize`…
    Integer,
    /// `f32`, `f64`
    Float,
}

impl LibraryType {
    /// The type with this name.
    pub(crate) fn called(name: u64) -> Option<LibraryType> {
        const INTEGERS: [&str; 12] =
            ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
        static TYPES: LazyLock<HashMap<u64, LibraryType, FixedState>> = LazyLock::new(|| {
            let named = [
                ("str", LibraryType::Text),
                ("String", LibraryType::String),
                ("Vec", LibraryType::Vector),
                ("char", LibraryType::Char),
                ("bool", LibraryType::Bool),
                ("f32", LibraryType::Float),
                ("f64", LibraryType::Float),
            ];
            let integers = INTEGERS.map(|name| (name, LibraryType::Integer));
            named.into_iter().chain(integers).map(|(name, ty)| (hash_name(name), ty)).collect()
        });
        TYPES.get(&name).copied()
    }

    /// Whether the type has a method of its own with this name, or from a trait of the standard library.
    pub(crate) fn has(self, name: u64) -> bool {
        type Methods = HashMap<LibraryType, HashSet<u64, FixedState>, FixedState>;
        static METHODS: LazyLock<Methods> = LazyLock::new(|| {
            let lists: [(LibraryType, &[&str]); 8] = [
                (LibraryType::Text, &[STR]),
                (LibraryType::String, &[STR, STRING]),
                (LibraryType::Slice, &[SLICE, BYTES, ARRAY]),
                (LibraryType::Vector, &[SLICE, BYTES, VEC]),
                (LibraryType::Char, &[CHAR]),
                (LibraryType::Bool, &["then then_some"]),
                (LibraryType::Integer, &[INTEGER]),
                (LibraryType::Float, &[FLOAT]),
            ];
            let hashed = |lists: &[&str]| {
                let names = lists.iter().chain([&PRELUDE]).flat_map(|list| list.split_whitespace());
                names.map(hash_name).collect()
            };
            lists.into_iter().map(|(ty, lists)| (ty, hashed(lists))).collect()
        });
        METHODS.get(&self).is_some_and(|names| names.contains(&name))
    }
}

/// What type a method of the standard library gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LibraryResult {
    /// The one that it is called on.
    Same,
    /// `str`
    Text,
    /// `String`
    String,
    /// `[u8]`
    Bytes,
    /// A vector of the elements.
    Vector,
}

/// The type that a method of a type of the standard library gives, where that is always the same.
pub(crate) fn library_result(ty: LibraryType, method: &str) -> Option<LibraryResult> {
    let is_text = matches!(ty, LibraryType::Text | LibraryType::String);
    let is_list = matches!(ty, LibraryType::Slice | LibraryType::Vector);
    Some(match method {
        "clone" => LibraryResult::Same,
        "as_bytes" if is_text => LibraryResult::Bytes,
        "as_str" | "trim" | "trim_start" | "trim_end" if is_text => LibraryResult::Text,
        "repeat" | "replace" | "replacen" | "to_lowercase" | "to_uppercase" | "to_owned" if is_text => {
            LibraryResult::String
        }
        "to_ascii_lowercase" | "to_ascii_uppercase" if is_text => LibraryResult::String,
        "to_string" => LibraryResult::String,
        "to_vec" | "to_owned" if is_list => LibraryResult::Vector,
        _ => return None,
    })
}
