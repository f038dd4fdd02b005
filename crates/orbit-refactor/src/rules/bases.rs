//! What the classes of Python's own library have that people derive from: a member of another name is free to change.

/// Classes and their members, with spaces between them.
const MEMBERS: [(&str, &str); 13] = [
    (
        "object Exception BaseException ValueError RuntimeError TypeError KeyError OSError AttributeError IndexError \
         LookupError NotImplementedError Warning UserWarning DeprecationWarning Generic Protocol ABC NamedTuple \
         TypedDict Iterator Iterable Callable Hashable Sized Container Collection Awaitable",
        "args with_traceback add_note errno strerror filename send throw",
    ),
    ("Enum IntEnum StrEnum Flag IntFlag", "name value"),
    ("dict UserDict", "clear copy fromkeys get items keys pop popitem setdefault update values data"),
    (
        "OrderedDict defaultdict",
        "clear copy default_factory fromkeys get items keys move_to_end pop popitem setdefault update values",
    ),
    ("Mapping MutableMapping", "clear get items keys pop popitem setdefault update values"),
    ("list UserList", "append clear copy count data extend index insert pop remove reverse sort"),
    ("tuple Sequence MutableSequence", "append clear count extend index insert pop remove reverse"),
    (
        "deque",
        "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate",
    ),
    (
        "set frozenset",
        "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset \
         issuperset pop remove symmetric_difference symmetric_difference_update union update",
    ),
    ("Set MutableSet KeysView ItemsView ValuesView MappingView", "add clear discard isdisjoint pop remove"),
    (
        "int float",
        "as_integer_ratio bit_count bit_length conjugate denominator from_bytes fromhex hex imag is_integer numerator \
         real to_bytes",
    ),
    (
        "IOBase RawIOBase TextIOBase BufferedIOBase StringIO BytesIO",
        "buffer close closed detach encoding errors fileno flush getbuffer getvalue isatty line_buffering mode name \
         newlines read read1 readable readall readinto readinto1 readline readlines seek seekable tell truncate \
         writable write writelines",
    ),
    ("Thread", "daemon getName ident isDaemon is_alive join name native_id run setDaemon setName start"),
];

/// Whether a class from outside may have a member of a name, as far as anybody knows.
pub(super) fn may_have(class: &str, member: &str) -> bool {
    let last = class.split('[').next().unwrap_or(class);
    let last = last.rsplit('.').next().unwrap_or(last);
    let known = MEMBERS.iter().find(|(classes, _)| super::lists(classes, last));
    known.is_none_or(|(_, members)| super::lists(members, member))
}

#[cfg(test)]
mod tests {
    use super::may_have;

    #[test]
    fn members_of_known_classes_are_known() {
        assert!(may_have("dict", "update") && !may_have("dict", "swap"));
        assert!(may_have("collections.abc.MutableMapping[str, int]", "pop"));
        assert!(may_have("Anything", "swap"), "of others nothing is known");
    }
}
