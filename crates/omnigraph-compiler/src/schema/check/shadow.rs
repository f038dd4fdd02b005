//! Property names that would hide a column every table has.

use super::Checker;
use super::body::{Draft, Owner};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::schema::catalog::{Body, ENDPOINTS};
use crate::types::Scalar;

impl Checker<'_> {
    /// A node's `id` is its key, so a property `id` is fine when it is the key and text. Edges have `id`, `src` and
    /// `dst`, which queries also call `from` and `to`.
    pub(super) fn shadows(&mut self, draft: &Draft<'_>, body: &Body) {
        for property in &draft.properties {
            let name = property.name.text.as_str();
            let is_key = body.key == ["id"] && property.ty.is(&Scalar::String);
            let (hidden, hint) = match draft.owner {
                Owner::Node if name == "id" && !is_key => {
                    ("the id of the node", "declare it as `id: String @key`, or give it another name")
                }
                Owner::Edge if name == "id" => ("the id of the edge", "give it another name"),
                Owner::Edge if ENDPOINTS.contains(&name) => ("an end of the edge", "give it another name"),
                _ => continue,
            };
            let message = format!("the property `{}.{name}` would shadow {hidden}", draft.name);
            self.report(Diagnostic::error(Code::S007, property.name.span, message).hint(hint));
        }
    }
}
