//! Expressions: a tag, then one or two numbers.

use super::{BadBlob, Reader, put};
use orbit_extract::Expr;

pub(super) fn put_expr(out: &mut Vec<u8>, expr: Expr) {
    out.push(expr.tag());
    for part in expr.parts() {
        put(out, part.number());
    }
}

impl Reader<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr, BadBlob> {
        let tag = self.byte()?;
        Expr::read(tag, || self.number())?.ok_or(BadBlob)
    }
}
