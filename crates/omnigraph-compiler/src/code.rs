//! The codes of diagnostics: what a program can rely on when the wording changes.

/// Which rule a diagnostic is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "the table below says what each stands for")]
pub enum Code {
    S000, S001, S002, S003, S004, S005, S006, S007, S008,
    Q000,
    T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20, T21, T22, T23,
    L201, L202, L203, L204, L206, L207, L208,
}

/// Every code, its name, and what it stands for.
const TABLE: [(Code, &str, &str); 40] = [
    (Code::S000, "S000", "the schema cannot be read"),
    (Code::S001, "S001", "declared twice"),
    (Code::S002, "S002", "unknown type or interface"),
    (Code::S003, "S003", "a constraint or annotation names an unknown property"),
    (Code::S004, "S004", "a constraint or annotation does not belong here"),
    (Code::S005, "S005", "a property differs from what the interface declares"),
    (Code::S006, "S006", "a value that cannot be"),
    (Code::S007, "S007", "a property name that would shadow a built-in column"),
    (Code::S008, "S008", "edge names that differ only in case"),
    (Code::Q000, "Q000", "the query cannot be read"),
    (Code::T1, "T1", "unknown node type"),
    (Code::T2, "T2", "a pattern names an unknown property"),
    (Code::T3, "T3", "a value that does not fit its property"),
    (Code::T4, "T4", "unknown edge"),
    (Code::T5, "T5", "a variable does not fit the end of an edge"),
    (Code::T6, "T6", "unknown variable, alias or property"),
    (Code::T7, "T7", "values that cannot be compared or assigned"),
    (Code::T8, "T8", "an aggregate over the wrong type"),
    (Code::T9, "T9", "wrong grouping, or a block without a variable from outside"),
    (Code::T10, "T10", "a mutation of an unknown or unsuitable type"),
    (Code::T11, "T11", "a mutation names an unknown property"),
    (Code::T12, "T12", "an insert without a required property"),
    (Code::T13, "T13", "a property is assigned twice"),
    (Code::T14, "T14", "a variable in a mutation that is not a parameter, or the row of an insert"),
    (Code::T15, "T15", "wrong hop bounds, or wrong arguments of nearest"),
    (Code::T16, "T16", "an update of what identifies a node or an edge"),
    (Code::T17, "T17", "nearest ordering without a limit"),
    (Code::T18, "T18", "ordering by a score in a query that aggregates or is distinct"),
    (Code::T19, "T19", "wrong arguments of search, prefix, fuzzy, highlight or snippet"),
    (Code::T20, "T20", "wrong arguments of match_text or bm25"),
    (Code::T21, "T21", "wrong arguments of rrf, or rrf ordering without a limit"),
    (Code::T22, "T22", "a wrong parameter declaration, skip or limit"),
    (Code::T23, "T23", "two columns of one name"),
    (Code::L201, "L201", "a nullable property that no update sets"),
    (Code::L202, "L202", "a mutation without parameters"),
    (Code::L203, "L203", "a parameter that nothing uses"),
    (Code::L204, "L204", "two queries of one name"),
    (Code::L206, "L206", "a pattern in unconnected parts"),
    (Code::L207, "L207", "a variable and a parameter of one name"),
    (Code::L208, "L208", "parallel edges of a type without a key"),
];

impl Code {
    /// All codes, in order.
    pub fn all() -> impl Iterator<Item = Code> {
        TABLE.iter().map(|(code, ..)| *code)
    }

    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// What the code stands for, in a few words.
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (Code, &'static str, &'static str) {
        TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn the_table_is_in_order() {
        for (at, (code, name, _)) in TABLE.iter().enumerate() {
            assert_eq!(*code as usize, at);
            assert_eq!(format!("{code:?}"), *name);
        }
    }
}
