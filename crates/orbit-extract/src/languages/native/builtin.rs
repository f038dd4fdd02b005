//! Built-in types, by the names that overloads of C++ are told apart by: those of a usual 64-bit Linux.

use super::{Kind, Native};
use crate::{Expr, ExprId};
use tree_sitter::Node;

/// A built-in type under its one name, however it is written: `long unsigned int` is `unsigned long`.
pub(super) fn canonical(text: &str) -> &str {
    let mut words = text.split_whitespace().filter(|word| !matches!(*word, "const" | "volatile")).peekable();
    let (mut longs, mut is_unsigned, mut is_signed, mut is_short, mut rest) = (0, false, false, false, "");
    while let Some(word) = words.next() {
        match word {
            "long" => longs += 1,
            "unsigned" => is_unsigned = true,
            "signed" => is_signed = true,
            "short" => is_short = true,
            "int" if rest.is_empty() && words.peek().is_some() => {}
            word => rest = word,
        }
    }
    match (rest, is_unsigned) {
        ("char", true) | ("uint8_t", _) => "unsigned char",
        ("char", _) if is_signed => "signed char",
        ("int8_t", _) => "signed char",
        ("double", _) if longs > 0 => "long double",
        ("uint16_t", _) => "unsigned short",
        ("int16_t", _) => "short",
        ("int32_t", _) => "int",
        ("uint32_t", _) => "unsigned",
        ("size_t" | "uint64_t" | "uintptr_t", _) => "unsigned long",
        ("ssize_t" | "ptrdiff_t" | "int64_t" | "intptr_t", _) => "long",
        ("" | "int", true) if is_short => "unsigned short",
        ("" | "int", _) if is_short => "short",
        ("" | "int", true) if longs > 1 => "unsigned long long",
        ("" | "int", _) if longs > 1 => "long long",
        ("" | "int", true) if longs == 1 => "unsigned long",
        ("" | "int", _) if longs == 1 => "long",
        ("" | "int", true) => "unsigned",
        ("", _) => "int",
        (name, _) => name,
    }
}

/// Whether a name of `std` is another one for a built-in type.
pub(super) fn is_standard_integer(name: &str) -> bool {
    matches!(
        name,
        "size_t"
            | "ptrdiff_t"
            | "nullptr_t"
            | "intptr_t"
            | "uintptr_t"
            | "int8_t"
            | "int16_t"
            | "int32_t"
            | "int64_t"
            | "uint8_t"
            | "uint16_t"
            | "uint32_t"
            | "uint64_t"
    )
}

impl Native<'_> {
    /// A built-in type as it is written. C has no overloads.
    pub(super) fn builtin_type(&mut self, node: Node<'_>) -> ExprId {
        if !self.t.is_cpp {
            return self.b.expr(Expr::Builtin);
        }
        let name = canonical(self.b.text(node));
        self.b.primitive(name)
    }

    /// What so many pointers to a type are. Those to a class stand for what they point to, with a mark.
    pub(super) fn pointer_to(&mut self, ty: ExprId, indirections: usize, is_const: bool) -> ExprId {
        let stars = "*".repeat(indirections);
        match self.b.file.exprs[ty.0 as usize] {
            _ if indirections == 0 || !self.t.is_cpp => ty,
            Expr::Primitive(name) => {
                let name = self.b.file.names.get(name);
                let is_const = is_const && !name.starts_with("const ");
                let name = format!("{}{name}{stars}", if is_const { "const " } else { "" });
                self.b.primitive(&name)
            }
            Expr::Unknown | Expr::Builtin | Expr::Parameter(..) => ty,
            _ => self.marked(ty, &format!("{}{stars}", if is_const { "const " } else { "" })),
        }
    }

    /// A type or value with a mark that says how it is pointed to: `*`, `&`, `^` for a smart pointer, `?` for what holds a
    /// value or a reference; `&&` for what may be moved from.
    pub(super) fn marked(&mut self, expr: ExprId, mark: &str) -> ExprId {
        let mark = self.b.primitive(mark);
        self.b.expr(Expr::Generic(expr, mark))
    }

    /// What a pointer to a built-in type points to.
    pub(super) fn pointed(&mut self, whole: ExprId) -> Option<ExprId> {
        let Expr::Primitive(name) = self.b.file.exprs[whole.0 as usize] else { return None };
        let name = self.b.file.names.get(name).strip_suffix('*').map(str::to_owned);
        Some(match name {
            Some(name) if name.ends_with('*') => self.b.primitive(&name),
            Some(name) => self.b.primitive(name.trim_start_matches("const ")),
            None => self.b.expr(Expr::Builtin),
        })
    }

    /// `*p`, `&x`: told apart for built-in types, and marked where the type is found out later.
    pub(super) fn pointer_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(argument) = node.child_by_field_id(self.t.fields.argument) else { return self.b.unknown() };
        let inner = self.expr_of(argument, depth + 1);
        let is_address = self.b.text(node).starts_with('&');
        match self.b.file.exprs[inner.0 as usize] {
            _ if !self.t.is_cpp => inner,
            Expr::Primitive(_) if is_address => self.pointer_to(inner, 1, false),
            Expr::Primitive(_) => self.pointed(inner).unwrap_or(inner),
            Expr::Name(_)
            | Expr::Member(..)
            | Expr::Call(_)
            | Expr::Element(_)
            | Expr::Instance(_)
            | Expr::This => self.marked(inner, if is_address { "&" } else { "*" }),
            _ => inner,
        }
    }

    /// `a + b`, `a << b`: of built-in types what the language makes of both, else what stands on the left.
    pub(super) fn binary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(left) = node.child_by_field_id(f.left) else { return self.b.unknown() };
        let left = self.expr_of(left, depth + 1);
        let right = node.child_by_field_id(f.right).filter(|_| self.t.is_cpp);
        let (Expr::Primitive(first), Some(right)) = (self.b.file.exprs[left.0 as usize], right) else {
            return left;
        };
        let right = self.expr_of(right, depth + 1);
        let Expr::Primitive(second) = self.b.file.exprs[right.0 as usize] else {
            return self.b.expr(Expr::Builtin);
        };
        let (first, second) = (self.b.file.names.get(first), self.b.file.names.get(second));
        let is_shift = node
            .child_by_field_name("operator")
            .is_some_and(|operator| matches!(operator.kind(), "<<" | ">>"));
        match combined(first, if is_shift { "int" } else { second }) {
            Some(name) => {
                let name = name.to_owned();
                self.b.primitive(&name)
            }
            None => self.b.expr(Expr::Builtin),
        }
    }

    /// `-x`, `!x`, `~x`
    pub(super) fn unary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(argument) = node.child_by_field_id(self.t.fields.argument) else { return self.b.unknown() };
        if self.t.is_cpp && self.b.text(node).starts_with('!') {
            return self.b.primitive("bool");
        }
        let inner = self.expr_of(argument, depth + 1);
        let Expr::Primitive(name) = self.b.file.exprs[inner.0 as usize] else { return inner };
        match combined(self.b.file.names.get(name), "int").map(str::to_owned) {
            Some(name) => self.b.primitive(&name),
            None => self.b.expr(Expr::Builtin),
        }
    }

    /// `c ? a : b`: built-in types must agree.
    pub(super) fn conditional_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(first) = node.child_by_field_id(self.t.fields.consequence) else {
            return self.b.unknown();
        };
        let first = self.expr_of(first, depth + 1);
        let second = node.child_by_field_name("alternative").filter(|_| self.t.is_cpp);
        let Some(second) = second.map(|second| self.expr_of(second, depth + 1)) else { return first };
        let exprs = &self.b.file.exprs;
        match (exprs[first.0 as usize], exprs[second.0 as usize]) {
            _ if first == second => first,
            (Expr::Primitive(name), _) if self.b.file.names.get(name) == "nullptr_t" => second,
            (Expr::Primitive(_), Expr::Primitive(name)) if self.b.file.names.get(name) == "nullptr_t" => {
                first
            }
            (Expr::Primitive(_), _) => self.b.expr(Expr::Builtin),
            _ => first,
        }
    }

    /// The built-in type of a literal, as far as overloads are told apart by it.
    pub(super) fn literal(&mut self, node: Node<'_>) -> ExprId {
        if !self.t.is_cpp {
            return self.b.expr(Expr::Builtin);
        }
        let text = self.b.text(node);
        let prefix = text.split(['"', '\'']).next().unwrap_or("").trim_end_matches('R');
        let character = match prefix {
            "" | "u8" => Some("char"),
            "L" => Some("wchar_t"),
            "u" => Some("char16_t"),
            "U" => Some("char32_t"),
            _ => None,
        };
        let name = match (self.kind(node), character) {
            (Kind::True | Kind::False, _) => Some("bool".to_owned()),
            (Kind::Null, _) if text == "nullptr" => Some("nullptr_t".to_owned()),
            (Kind::Number, _) => number(text).map(str::to_owned),
            (Kind::Char, Some(character)) => Some(character.to_owned()),
            (Kind::Concatenated, _) => Some("const char*".to_owned()),
            (Kind::String | Kind::RawString, Some(character)) => Some(format!("const {character}*")),
            _ => None,
        };
        match name {
            Some(name) => self.b.primitive(&name),
            None => self.b.expr(Expr::Builtin),
        }
    }
}

/// The type of a number, by how it is written.
fn number(text: &str) -> Option<&'static str> {
    let lower = text.trim_start_matches(['-', '+']).to_ascii_lowercase().replace('\'', "");
    let hex = lower.strip_prefix("0x");
    if hex.is_none() && !lower.starts_with("0b") && lower.contains(['.', 'e']) {
        return Some(match lower.as_bytes().last()? {
            b'f' => "float",
            b'l' => "long double",
            _ => "double",
        });
    }
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let value = match (hex, digits.strip_prefix("0b")) {
        (Some(_), _) => u64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?,
        (_, Some(bits)) => u64::from_str_radix(bits, 2).ok()?,
        _ => digits.parse().ok()?,
    };
    Some(match suffix {
        // It may be a pointer, too.
        "" if value == 0 => "0",
        "" if value <= 0x7FFF_FFFF => "int",
        "" if hex.is_some() && value <= 0xFFFF_FFFF => "unsigned",
        "" | "l" => "long",
        "u" if value <= 0xFFFF_FFFF => "unsigned",
        "u" | "ul" | "lu" => "unsigned long",
        "ll" => "long long",
        "ull" | "llu" => "unsigned long long",
        _ => return None,
    })
}

/// The type of an operation on two built-in types; `None` where that takes more to tell.
fn combined<'n>(a: &'n str, b: &'n str) -> Option<&'n str> {
    const RANKS: [&str; 9] = [
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "float",
        "double",
        "long double",
    ];
    match (a.ends_with('*'), b.ends_with('*')) {
        (true, true) => return Some("long"),
        (true, false) => return Some(a),
        (false, true) => return Some(b),
        (false, false) => {}
    }
    let rank = |name: &str| match name {
        "0" | "bool" | "char" | "signed char" | "unsigned char" | "short" | "unsigned short" | "wchar_t" => {
            Some(0)
        }
        _ => RANKS.iter().position(|known| *known == name),
    };
    Some(RANKS[rank(a)?.max(rank(b)?)])
}
