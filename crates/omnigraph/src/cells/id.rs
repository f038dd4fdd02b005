//! What a row is called, from what it says.

use super::ulid;

/// The longest id in bytes. Ids are compared, sorted and kept in memory by the million.
pub const MAX_ID_BYTES: usize = 1024;

/// The id of a node: the text of its key. The parts of a composite key are joined with `|`; a `\` or `|` inside of a
/// part is escaped with `\`, so that different parts never make the same id.
pub fn key_id<'p>(parts: impl IntoIterator<Item = &'p str>) -> String {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return String::new() };
    let Some(second) = parts.next() else { return first.to_owned() };
    let mut id = String::with_capacity(first.len() + second.len() + 1);
    escape(first, &mut id);
    for part in std::iter::once(second).chain(parts) {
        id.push('|');
        escape(part, &mut id);
    }
    id
}

/// The id of an edge: 26 digits of the first 128 bits of BLAKE3 over the length-prefixed type, ends and key. The same
/// edge has the same id wherever and however often it is loaded.
pub fn edge_id<'p>(type_name: &str, src: &str, dst: &str, key: impl IntoIterator<Item = &'p str>) -> String {
    let mut parts = Vec::with_capacity(type_name.len() + src.len() + dst.len() + 64);
    let mut add = |part: &str| {
        parts.extend_from_slice(&(part.len() as u64).to_le_bytes());
        parts.extend_from_slice(part.as_bytes());
    };
    add(type_name);
    add(src);
    add(dst);
    key.into_iter().for_each(add);
    let hash = blake3::hash(&parts);
    let mut first = [0; 16];
    first.copy_from_slice(&hash.as_bytes()[..16]);
    ulid::encode(u128::from_be_bytes(first))
}

fn escape(part: &str, out: &mut String) {
    for c in part.chars() {
        if matches!(c, '\\' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
}
