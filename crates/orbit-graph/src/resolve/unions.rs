//! One of several types, and all of several at once.

use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::Surface;
use super::types::{EXTERNAL, GIVEN, UNKNOWN, Val, What};
use super::world::World;
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    pub(super) fn parts(&self, first: u32, count: u32) -> SmallVec<[Val; 4]> {
        self.arguments[first as usize..(first + count) as usize].iter().copied().collect()
    }

    /// The union of what is known, which is one thing where all are the same.
    pub(super) fn one_of(&mut self, parts: &[Val]) -> Val {
        let mut known: SmallVec<[Val; 4]> = SmallVec::new();
        for part in parts {
            let is_new = !known.iter().any(|other| self.is_same(*other, *part, 0));
            if is_new && !matches!(part.what, What::Unknown | What::External) {
                known.push(*part);
            }
        }
        match known.as_slice() {
            [] if parts.contains(&GIVEN) => GIVEN,
            [] if parts.iter().any(|part| part.what == What::External) => EXTERNAL,
            [] => UNKNOWN,
            [only] => *only,
            _ => {
                let first = self.arguments.len() as u32;
                let imported = known.iter().any(|part| part.imported);
                self.arguments.extend_from_slice(&known);
                Val { what: What::Union(first, known.len() as u32), imported }
            }
        }
    }

    /// Whether two values are of the same type; where arguments are kept does not count.
    fn is_same(&self, one: Val, other: Val, depth: u32) -> bool {
        match (one.what, other.what) {
            (What::InstanceOfApply(a, args), What::InstanceOfApply(b, others))
            | (What::Apply(a, args), What::Apply(b, others)) => {
                a == b
                    && args.count == others.count
                    && depth < 4
                    && (0..=args.count).all(|at| {
                        let (one, other) = (args.element + at, others.element + at);
                        self.is_same(self.arguments[one as usize], self.arguments[other as usize], depth + 1)
                    })
            }
            (one, other) => one == other,
        }
    }

    /// A member of one of several types: of those that have it, all must mean the same. What is called was told apart
    /// before; what is only read or set must be there in all of them.
    pub(super) fn member_of_union(
        &mut self,
        (first, count): (u32, u32),
        name: u64,
        want: Want,
        at: &'w Surface,
    ) -> Option<Found> {
        let mut agreed: Option<Found> = None;
        let mut external: Option<Found> = None;
        for part in self.parts(first, count) {
            match self.member_of_value(part, name, want, at) {
                Some(found @ Found { thing: Thing::External, .. }) => {
                    external = external.filter(|before| !before.imported).or(Some(found));
                }
                Some(found) if agreed.is_none_or(|before| before.thing == found.thing) => {
                    agreed = Some(found);
                }
                Some(_) => return None,
                None if want != Want::Callable => return None,
                None => {}
            }
        }
        agreed.or(external)
    }

    /// A member of all of several types at once: of the first that has it.
    pub(super) fn member_of_intersection(
        &mut self,
        (first, count): (u32, u32),
        name: u64,
        want: Want,
        at: &'w Surface,
    ) -> Option<Found> {
        let mut external = None;
        for part in self.parts(first, count) {
            match self.member_of_value(part, name, want, at) {
                found @ Some(Found { thing: Thing::External, .. }) => external = found,
                Some(found) => return Some(found),
                None => {}
            }
        }
        external
    }
}
