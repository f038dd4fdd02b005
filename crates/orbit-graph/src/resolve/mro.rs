//! The order in which Python looks for a member: the linearisation C3, which keeps the order of bases and puts a class before
//! its own bases, however many ways lead to one.

use super::lookup::{Found, Resolver, Want};
use super::surface::SymRef;
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId};
use smallvec::SmallVec;
use std::collections::HashSet;

/// What inherits from more classes has no order here.
const MOST_CLASSES: usize = 200;

pub(super) type Order = SmallVec<[SymRef; 8]>;

impl<'w, W: World> Resolver<'w, W> {
    /// The member of a class that it has from one of the classes behind it in its order.
    pub(super) fn inherited_in_order(
        &mut self,
        order: Order,
        name: u64,
        want: Want,
        level: u32,
    ) -> Option<Found> {
        let (world, ty) = (self.world, *order.first()?);
        for class in order.into_iter().skip(1) {
            let surface = world.surface(class.file);
            let own = self.defs(surface.symbols[class.index as usize].key.part(name));
            if self.pick(&own, want, surface).is_some() {
                let found = self.member_at_level(class, name, want, level + 1);
                let imported = class.file != ty.file;
                return found.map(|found| Found { imported: found.imported || imported, ..found });
            }
        }
        None
    }

    /// `super().name` in a class with several bases: what comes behind the class itself.
    pub(super) fn member_of_super(
        &mut self,
        at: &'w super::surface::Surface,
        scope: ScopeId,
        base: ExprId,
        name: u64,
        want: Want,
    ) -> Option<Found> {
        if at.family() != Family::Python || !matches!(at.expr(base), Expr::Super) {
            return None;
        }
        let this = self.this_type(at, scope)?;
        let super::lookup::Thing::Sym(this) = this.thing else { return None };
        if self.supers(this).len() < 2 {
            return None;
        }
        let order = self.linearized(this)?;
        self.inherited_in_order(order, name, want, 0)
    }

    /// A class and all that it inherits from, first what is looked into first. `None` when its bases contradict
    /// each other, when it inherits from itself, or from very many.
    pub(super) fn linearized(&mut self, ty: SymRef) -> Option<Order> {
        // Bases first, and not by recursion: a chain may be as long as a file allows.
        let (mut open, mut entered) = (vec![ty], HashSet::new());
        while let Some(class) = open.last().copied() {
            if self.orders.contains_key(&class) {
                open.pop();
                continue;
            }
            let supers = self.supers(class);
            let bases: Order = supers.iter().map(|(base, _)| *base).filter(|base| *base != class).collect();
            let is_known = |base: &&SymRef| self.orders.contains_key(*base);
            let missing: Order = bases.iter().filter(|base| !is_known(base)).copied().collect();
            let is_circle = missing.iter().any(|base| entered.contains(base));
            if missing.is_empty() || is_circle {
                let order = if is_circle { None } else { self.merged(class, bases) };
                self.orders.insert(class, order);
                open.pop();
            } else {
                entered.insert(class);
                open.extend(missing);
            }
        }
        self.orders.get(&ty).cloned().flatten()
    }

    fn merged(&self, ty: SymRef, bases: Order) -> Option<Order> {
        let mut open: Vec<Order> = Vec::with_capacity(bases.len() + 1);
        for base in &bases {
            open.push(self.orders.get(base).cloned().flatten()?);
        }
        open.push(bases);
        let mut order = Order::from_slice(&[ty]);
        while order.len() <= MOST_CLASSES {
            open.retain(|list| !list.is_empty());
            if open.is_empty() {
                return Some(order);
            }
            // The first that no other list has behind its own first.
            let is_behind = |class: SymRef| open.iter().any(|list| list[1..].contains(&class));
            let next = open.iter().map(|list| list[0]).find(|class| !is_behind(*class))?;
            order.push(next);
            for list in &mut open {
                list.retain(|class| *class != next);
            }
        }
        None
    }
}
