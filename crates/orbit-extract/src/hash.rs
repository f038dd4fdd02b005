//! The hash of names. It is stored, so it must never depend on the process, the platform or a library's version.

/// An odd number without a pattern in its bits.
pub const PRIME_A: u64 = 0x9e37_79b9_7f4a_7c15;
/// Another one.
const PRIME_B: u64 = 0xd6e8_feb8_6659_fd93;

/// The hash of one name.
pub fn hash_name(text: &str) -> u64 {
    let mut hash = PRIME_A ^ (text.len() as u64).wrapping_mul(PRIME_B);
    let (chunks, rest) = text.as_bytes().as_chunks::<8>();
    for chunk in chunks {
        hash = mix(hash ^ u64::from_le_bytes(*chunk));
    }
    let mut tail = [0u8; 8];
    tail[..rest.len()].copy_from_slice(rest);
    mix(hash ^ u64::from_le_bytes(tail))
}

/// Spreads every bit of a number over all of it.
pub fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(PRIME_B);
    x ^= x >> 29;
    x = x.wrapping_mul(PRIME_A);
    x ^ (x >> 32)
}
