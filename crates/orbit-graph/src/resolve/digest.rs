//! What an expression says, as a number that is the same in every process.

use super::key::Digest;
use super::surface::Surface;
use orbit_extract::{ExprId, ExprPart};

/// How deep an expression counts. What is nested deeper is machine-made.
const MAX_DEPTH: u32 = 32;

impl Surface {
    pub(crate) fn expr_digest(&self, id: ExprId, depth: u32) -> Digest {
        if depth > MAX_DEPTH {
            return Digest::new();
        }
        let expr = self.whole_expr(id);
        // Nothing begins with 0, so that an expression is not told from one by the zeros before it.
        expr.parts().fold(Digest(u64::from(expr.tag()) + 1), |digest, part| match part {
            ExprPart::Expr(part) => digest.add(self.expr_digest(part, depth + 1).0),
            ExprPart::Name(name) => digest.add(self.hash(name)),
            ExprPart::Number(number) => digest.add(u64::from(number)),
        })
    }
}
