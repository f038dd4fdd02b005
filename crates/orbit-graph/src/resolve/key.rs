//! Names of things as 64-bit numbers that mean the same in every process.
//!
//! A key is built part by part, `root(family).part("django").part("urls")`, so the key of a member is made
//! from the key of its container without knowing the container's text. Keys are stored, so the hash must
//! never depend on the process, the platform or a library's version.

use orbit_extract::hash::PRIME_A;
pub(crate) use orbit_extract::hash::{hash_name, mix};

use orbit_extract::Family;

/// The hash of a name or of a qualified name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) u64);

/// What a dependency key is about. Each kind of question to the world has keys of its own.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(crate) enum Topic {
    /// Definitions with this qualified name.
    Defs = 1,
    /// Files that make up this module.
    Module = 2,
    /// What a module hands on under a name.
    Export = 3,
    /// The globs a module hands on.
    ExportGlob = 4,
    /// What a name means inside one file.
    Lexical = 5,
    /// The glob imports of one file.
    LexicalGlob = 6,
    /// The supertypes of a type.
    Supers = 7,
    /// The files a file includes.
    Includes = 8,
}

impl Key {
    /// The namespace of a language family.
    pub(crate) fn root(family: Family) -> Key {
        Key(mix(family as u64 + 1))
    }

    /// The container of impl members, by the short name of the self type: which type that is must be
    /// checked against each impl.
    pub(crate) fn impl_of(type_name: u64) -> Key {
        Key(mix(type_name ^ 0x696d_706c))
    }

    /// The other names of a type of Rust, by its short name: an `impl` block may be for one of them.
    pub(crate) fn aliases_of(type_name: u64) -> Key {
        Key(mix(type_name ^ 0x616c_6961))
    }

    /// The container of a crate's macros.
    pub(crate) fn macros_of(crate_key: Key) -> Key {
        Key(mix(crate_key.0 ^ 0x6d61_6372))
    }

    /// The `mod x;` declarations that a file can be the body of.
    pub(crate) fn module_file(path: &str) -> Key {
        Key(mix(hash_name(path) ^ 0x6d6f_6466))
    }

    /// The container of a language's extension functions.
    pub(crate) fn extensions(family: Family) -> Key {
        Key(mix(Key::root(family).0 ^ 0x6578_7465))
    }

    /// The methods of Rust's types that no trait asks for, by their names alone.
    pub(crate) fn inherent_methods() -> Key {
        Key(mix(Key::root(Family::Rust).0 ^ 0x696e_6865))
    }

    /// The container of test fixtures, which parameters are named after.
    pub(crate) fn fixtures() -> Key {
        Key(mix(Key::root(Family::Python).0 ^ 0x6669_7874))
    }

    /// A member of what this key names.
    pub(crate) fn part(self, name: u64) -> Key {
        Key(mix(self.0.rotate_left(17) ^ name))
    }

    /// A member several levels down.
    pub(crate) fn parts<'t>(self, names: impl IntoIterator<Item = &'t str>) -> Key {
        names.into_iter().fold(self, |key, name| key.part(hash_name(name)))
    }

    /// The dependency key for asking `topic` about this.
    pub(crate) fn about(self, topic: Topic) -> u32 {
        (mix(self.0 ^ (topic as u64).wrapping_mul(PRIME_A)) >> 32) as u32
    }
}

/// Folds values into a digest that tells whether a fact changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Digest(pub(crate) u64);

impl Digest {
    pub(crate) fn new() -> Digest {
        Digest(PRIME_A)
    }

    pub(crate) fn add(self, value: u64) -> Digest {
        Digest(mix(self.0.rotate_left(23) ^ value))
    }
}
