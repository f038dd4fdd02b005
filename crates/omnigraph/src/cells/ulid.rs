//! Identifiers that sort by the time they were made.

use std::time::{SystemTime, UNIX_EPOCH};

/// The digits of Crockford's base 32, in order.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Makes ULIDs: 48 bits of milliseconds, 80 random bits. Each is greater than the one before, even when the clock
/// stands still or runs back.
#[derive(Debug)]
pub struct Ulids {
    last: u128,
    /// State of the generator for the random part.
    state: u64,
    /// `None` takes the clock of the system.
    fixed_millis: Option<u64>,
}

impl Ulids {
    /// With the clock and the randomness of the system.
    pub fn new() -> Ulids {
        // Without randomness the time of day still makes two processes differ.
        let state = getrandom::u64().unwrap_or_else(|_| system_millis().wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Ulids { last: 0, state, fixed_millis: None }
    }

    /// The same sequence for the same arguments.
    pub fn seeded(millis: u64, seed: u64) -> Ulids {
        Ulids { last: 0, state: seed, fixed_millis: Some(millis) }
    }

    /// The next one: 26 characters.
    pub fn next_id(&mut self) -> String {
        let millis = self.fixed_millis.unwrap_or_else(system_millis) & 0xFFFF_FFFF_FFFF;
        let random = (u128::from(self.random() & 0xFFFF) << 64) | u128::from(self.random());
        let fresh = (u128::from(millis) << 80) | random;
        self.last = if fresh >> 80 > self.last >> 80 { fresh } else { self.last + 1 };
        encode(self.last)
    }

    /// The next number of the generator called `SplitMix64`.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Default for Ulids {
    fn default() -> Ulids {
        Ulids::new()
    }
}

/// 128 bits as 26 digits, the most significant first.
pub(super) fn encode(mut value: u128) -> String {
    let mut digits = [b'0'; 26];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(value & 31) as usize];
        value >>= 5;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

fn system_millis() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
