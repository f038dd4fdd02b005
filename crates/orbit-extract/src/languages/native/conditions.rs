//! Which branches of conditional compilation a usual build takes: GCC or Clang on 64-bit Linux, with no macro
//! defined that the file does not define itself.
//!
//! It only ranks definitions of one name against each other, so a condition that cannot be read counts as
//! true.

use super::standard::is_standard_macro;
use std::collections::HashMap;

/// What is known of macros and open conditionals while a file is read from top to bottom.
pub(super) struct Conditions<'s> {
    macros: HashMap<&'s str, Option<&'s str>>,
    /// Whether a branch of each open conditional was taken already.
    taken: Vec<bool>,
    is_active: bool,
}

/// Deep enough for what people write.
const MAX_EXPANSIONS: u32 = 16;

impl<'s> Conditions<'s> {
    pub(super) fn new(is_cpp: bool) -> Conditions<'s> {
        let mut macros = HashMap::from([
            ("__GNUC__", Some("13")),
            ("__GNUC_MINOR__", Some("2")),
            ("__STDC__", Some("1")),
            ("__linux__", Some("1")),
            ("__linux", Some("1")),
            ("linux", Some("1")),
            ("__unix__", Some("1")),
            ("__ELF__", Some("1")),
            ("__x86_64__", Some("1")),
            ("__x86_64", Some("1")),
            ("__amd64__", Some("1")),
            ("__SSE2__", Some("1")),
            ("__LP64__", Some("1")),
            ("_LP64", Some("1")),
            ("__CHAR_BIT__", Some("8")),
            ("CHAR_BIT", Some("8")),
            ("__SIZEOF_INT__", Some("4")),
            ("__SIZEOF_LONG__", Some("8")),
            ("__SIZEOF_LONG_LONG__", Some("8")),
            ("__SIZEOF_POINTER__", Some("8")),
            ("__SIZEOF_SIZE_T__", Some("8")),
            ("__SIZEOF_INT128__", Some("16")),
            ("__ORDER_LITTLE_ENDIAN__", Some("1234")),
            ("__ORDER_BIG_ENDIAN__", Some("4321")),
            ("__BYTE_ORDER__", Some("1234")),
            ("EDOM", Some("33")),
            ("ERANGE", Some("34")),
            ("UINT_MAX", Some("0xFFFFFFFF")),
            ("INT_MAX", Some("0x7FFFFFFF")),
            ("ULONG_MAX", Some("0xFFFFFFFFFFFFFFFF")),
            ("LONG_MAX", Some("0x7FFFFFFFFFFFFFFF")),
            ("UINTPTR_MAX", Some("0xFFFFFFFFFFFFFFFF")),
            ("SIZE_MAX", Some("0xFFFFFFFFFFFFFFFF")),
        ]);
        let (name, version) = if is_cpp { ("__cplusplus", "201703") } else { ("__STDC_VERSION__", "201112") };
        macros.insert(name, Some(version));
        Conditions { macros, taken: Vec::new(), is_active: true }
    }

    /// A `#define`; `value` is `None` for a macro with parameters.
    pub(super) fn define(&mut self, name: &'s str, value: Option<&'s str>) {
        if self.is_active {
            self.macros.insert(name, value.map(str::trim));
        }
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || is_standard_macro(name)
    }

    pub(super) fn is_active(&self) -> bool {
        self.is_active
    }

    /// Opens a branch whose condition holds or not; `is_first` opens its conditional too. Returns what
    /// [`Conditions::leave`] needs.
    pub(super) fn enter(&mut self, holds: bool, is_first: bool) -> bool {
        if is_first {
            self.taken.push(false);
        }
        let was = self.is_active;
        let is_taken = self.taken.last_mut();
        let takes = holds && is_taken.as_ref().is_none_or(|taken| !**taken);
        if let Some(taken) = is_taken {
            *taken |= takes;
        }
        self.is_active = was && takes;
        was
    }

    /// Closes a branch.
    pub(super) fn leave(&mut self, was: bool) {
        self.is_active = was;
    }

    /// Closes a conditional with all its branches.
    pub(super) fn close(&mut self) {
        self.taken.pop();
    }

    /// Whether the branch that a directive opens would be taken, if there were no other one; reads `#define` too.
    pub(super) fn branch(&mut self, directive: &[u8], behind: &'s str) -> bool {
        let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
        let (name, rest) = behind.split_at(end);
        match directive {
            b"define" => self.define(name, (!rest.starts_with('(')).then_some(rest)),
            b"if" | b"elif" => return self.holds(behind) || !self.knows_all(behind),
            b"ifdef" | b"elifdef" => return self.is_defined(name) || !self.knows_all(name),
            b"ifndef" | b"elifndef" => return !self.is_defined(name),
            _ => {}
        }
        true
    }

    /// Whether nothing but the file and the compiler has a say in a condition: names that begin with an underscore
    /// are the compiler's.
    fn knows_all(&self, condition: &str) -> bool {
        let mut words = condition.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.all(|word| {
            word.is_empty()
                || word == "defined"
                || word.starts_with(|c: char| c.is_ascii_digit() || c == '_')
                || is_foreign_system(word)
                || self.macros.contains_key(word)
        })
    }

    /// Whether the condition of an `#if` holds.
    pub(super) fn holds(&self, condition: &str) -> bool {
        let mut reader = Reader { conditions: self, rest: condition, depth: 0 };
        match reader.or() {
            Some(value) if reader.skipped().is_empty() => value != 0,
            _ => true,
        }
    }
}

/// Macros that compilers for other systems define.
fn is_foreign_system(name: &str) -> bool {
    matches!(name, "WIN32" | "WIN64" | "WINDOWS" | "WINNT" | "MSDOS" | "OS2" | "VMS" | "AMIGA" | "MACOS")
}

/// Reads a condition by descent; `None` when it is more than constants, names and operators.
struct Reader<'c, 't> {
    conditions: &'c Conditions<'c>,
    rest: &'t str,
    depth: u32,
}

impl<'t> Reader<'_, 't> {
    fn skipped(&mut self) -> &'t str {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
        self.rest
    }

    fn take(&mut self, token: &str) -> bool {
        match self.skipped().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> Option<u64> {
        let mut left = self.and()?;
        while self.take("||") {
            let right = self.and()?;
            left = u64::from(left != 0 || right != 0);
        }
        Some(left)
    }

    fn and(&mut self) -> Option<u64> {
        let mut left = self.comparison()?;
        while self.take("&&") {
            let right = self.comparison()?;
            left = u64::from(left != 0 && right != 0);
        }
        Some(left)
    }

    fn comparison(&mut self) -> Option<u64> {
        let mut left = self.sum()?;
        loop {
            let compare: fn(u64, u64) -> bool = match () {
                () if self.take("==") => |a, b| a == b,
                () if self.take("!=") => |a, b| a != b,
                () if self.take("<=") => |a, b| a <= b,
                () if self.take(">=") => |a, b| a >= b,
                () if self.take("<") => |a, b| a < b,
                () if self.take(">") => |a, b| a > b,
                () => return Some(left),
            };
            left = u64::from(compare(left, self.sum()?));
        }
    }

    fn sum(&mut self) -> Option<u64> {
        let mut left = self.product()?;
        loop {
            if self.take("+") {
                left = left.wrapping_add(self.product()?);
            } else if self.take("-") {
                left = left.wrapping_sub(self.product()?);
            } else {
                return Some(left);
            }
        }
    }

    fn product(&mut self) -> Option<u64> {
        let mut left = self.unary()?;
        while self.take("*") {
            left = left.wrapping_mul(self.unary()?);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<u64> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        if !self.skipped().starts_with("!=") && self.take("!") {
            return Some(u64::from(self.unary()? == 0));
        }
        if self.take("(") {
            let inner = self.or()?;
            return self.take(")").then_some(inner);
        }
        let word = self.word();
        match word {
            "" => None,
            "defined" => {
                let in_parens = self.take("(");
                let name = self.word();
                (!in_parens || self.take(")")).then(|| u64::from(self.conditions.is_defined(name)))
            }
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => number(word),
            _ if self.skipped().starts_with('(') => None, // a macro with arguments
            _ => self.value(word, 0),
        }
    }

    fn word(&mut self) -> &'t str {
        let text = self.skipped();
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        self.rest = &text[end..];
        &text[..end]
    }

    /// The number that a macro stands for. A name that is not a macro is 0.
    fn value(&self, name: &str, depth: u32) -> Option<u64> {
        let Some(text) = self.conditions.macros.get(name) else { return Some(0) };
        let text = (*text)?.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return number(text);
        }
        let is_name = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_name && depth < MAX_EXPANSIONS { self.value(text, depth + 1) } else { None }
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_a_compiler_reads_them() {
        let mut conditions = Conditions::new(false);
        conditions.define("WIDTH", Some("(64)"));
        conditions.define("SAME", Some("WIDTH"));
        conditions.define("FUNCTION", None);
        for (condition, expected) in [
            ("defined(__GNUC__) && !defined(_WIN32)", true),
            ("defined __GNUC__ && defined MISSING", false),
            ("(WIDTH == 32) || SAME == 64", true),
            ("WIDTH <= 0xFF", true),
            ("__GNUC__ * 100 + __GNUC_MINOR__ >= 1400", false),
            ("MISSING", false),
            ("MISSING == 0", true),
            ("0", false),
            ("1 ? 0 : 0", true),
            ("FUNCTION(3) > 1", true),
        ] {
            assert_eq!(conditions.holds(condition), expected, "{condition}");
        }
    }

    #[test]
    fn one_branch_of_a_conditional_is_taken() {
        let mut conditions = Conditions::new(true);
        let first = conditions.enter(false, true);
        assert!(!conditions.is_active());
        conditions.define("HIDDEN", Some("1"));
        conditions.leave(first);
        let second = conditions.enter(true, false);
        assert!(conditions.is_active());
        conditions.leave(second);
        conditions.enter(true, false);
        assert!(!conditions.is_active(), "an earlier branch was taken");
        conditions.leave(true);
        conditions.close();
        assert!(!conditions.is_defined("HIDDEN"));
    }
}
