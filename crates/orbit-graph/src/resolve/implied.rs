//! What `this` may be in lambdas and extensions of Kotlin, and names that are members of it without a receiver.

use super::extensions::Call;
use super::functions::{Signature, Signatures};
use super::lookup::{Found, Resolver, Thing, Want};
use super::overloads::CallPlace;
use super::surface::SymRef;
use super::types::{UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, RECEIVER};

impl<'w, W: World> Resolver<'w, W> {
    /// What a plain name of Kotlin means: a member or an extension of what `this` may be, innermost first, or what the
    /// name is where it stands.
    pub(super) fn implied(
        &mut self,
        (at, scope): CallPlace<'w>,
        name: u64,
        receivers: ExprId,
        want: Want,
    ) -> Option<Found> {
        let is_read = want != Want::Callable;
        let mut held = None;
        for base in at.items(receivers) {
            let found = self.member_of(at, scope, base, name, want);
            let call = Call { place: (at, scope), base, name, args: None, is_read };
            match self.or_extension_of(call, found) {
                // A property can be called only if it holds a function that takes the arguments.
                found @ Some(Found { thing: Thing::Sym(sym), .. }) if !is_read && !self.is_callable(sym) => {
                    held = held.or(found);
                }
                found @ Some(Found { thing: Thing::Sym(_), .. }) => return found,
                _ => {}
            }
        }
        let plain = if at.file == self.own_file() {
            self.plain_name(scope, name, want)
        } else {
            self.lexical(at, scope, name, want)
        };
        let is_function =
            matches!(plain, Some(Found { thing: Thing::Sym(sym), .. }) if self.is_callable(sym));
        if is_function { plain } else { held.or(plain) }
    }

    fn is_callable(&self, sym: SymRef) -> bool {
        self.world.surface(sym.file).symbols[sym.index as usize].kind.is_callable()
    }

    /// The innermost `this` that there is: not every lambda has one of its own.
    pub(super) fn implied_this(&mut self, (at, scope): CallPlace<'w>, receivers: ExprId) -> Val {
        for base in at.items(receivers) {
            let value = self.eval(at, scope, base);
            if value.what != What::Unknown {
                return value;
            }
        }
        self.this_type(at, scope).map_or(UNKNOWN, |found| self.instance(found))
    }

    /// Leaves the functions that take a function at a place: a lambda is given to one of them.
    pub(super) fn leave_takers_of_lambdas(&mut self, signatures: &mut Signatures, place: usize) {
        signatures.retain(|signature| {
            let wanted = self.parameter_of(signature, place);
            !self.signatures_of(wanted, 0).is_empty()
        });
    }

    /// What a lambda of Kotlin gets: the receiver of its type as `this`, which it does not name, and its parameters.
    pub(super) fn received_in_kotlin(
        &mut self,
        signatures: &[Signature],
        place: usize,
        imported: bool,
    ) -> Val {
        let world = self.world;
        let has_receiver = |signature: &Signature| {
            let surface = world.surface(signature.file);
            let first = signature.params.and_then(|params| surface.items(params).next());
            first.is_some_and(|first| matches!(surface.expr(first), Expr::Defaulted(_)))
        };
        let (with, without): (Signatures, Signatures) = signatures.iter().copied().partition(has_receiver);
        match (with.is_empty(), without.is_empty(), place) {
            (false, true, RECEIVER) => self.parameter_of_any(&with, 0, imported),
            (_, _, RECEIVER) => UNKNOWN,
            (false, true, _) => self.parameter_of_any(&with, place + 1, imported),
            (true, false, _) => self.parameter_of_any(&without, place, imported),
            _ => UNKNOWN,
        }
    }
}
