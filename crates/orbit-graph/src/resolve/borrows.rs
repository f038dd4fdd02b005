//! How values of Rust are borrowed, and which of several `impl`s a call means by it.
//!
//! `impl Tr for Foo` and `impl Tr for &Foo` have methods of one name. Which of them a call means is told by what stands
//! round the receiver: as the language says, the receiver is tried as it is, then borrowed, then borrowed mutably, and
//! the same with what it dereferences to, until a method takes it.

use super::calls::written_result;
use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::{Surface, SymRef};
use super::types::What;
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

/// What stands round a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// `&`
    Shared,
    /// `&mut`
    Mutable,
    /// A pointer that owns what it points to: `Box`.
    Owning,
}

impl Layer {
    /// What a mark says that the extractor puts on types and values.
    fn of_mark(mark: &str) -> Option<Layer> {
        match mark {
            "&" => Some(Layer::Shared),
            "&mut" => Some(Layer::Mutable),
            "box" => Some(Layer::Owning),
            _ => None,
        }
    }
}

/// Outermost first.
pub(super) type Layers = SmallVec<[Layer; 4]>;

/// How deep expressions and types are looked into.
const MAX_STEPS: u32 = 12;

impl<'w, W: World> Resolver<'w, W> {
    /// The method that a call means of those that several `impl`s of one trait have.
    pub(super) fn of_receiver(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        base: ExprId,
        name: u64,
    ) -> Option<Found> {
        if at.family() != Family::Rust {
            return None;
        }
        let value = self.eval(at, scope, base);
        let (What::Instance(ty) | What::InstanceOfApply(Some(ty), _)) = value.what else { return None };
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        let mut members = self.impl_members(ty, type_name, name);
        self.leave_inherent(&mut members);
        if !self.is_one_of_many(&members) {
            return None;
        }
        let receiver = self.layers(at, scope, base, 0)?;
        let sym = self.probed(&receiver, &members)?;
        Some(Found { thing: Thing::Sym(sym), imported: value.imported })
    }

    /// The method that takes a receiver with these layers, by the order in which the language tries them.
    fn probed(&mut self, receiver: &[Layer], members: &[SymRef]) -> Option<SymRef> {
        let mut taken: SmallVec<[(SymRef, Layers); 4]> = SmallVec::new();
        for member in members {
            if !self.world.surface(member.file).symbols[member.index as usize].inactive {
                taken.push((*member, self.taken_by(*member)?));
            }
        }
        for first in 0..=receiver.len() {
            for borrow in [None, Some(Layer::Shared), Some(Layer::Mutable)] {
                let tried: Layers = borrow.into_iter().chain(receiver[first..].iter().copied()).collect();
                let mut fitting = taken.iter().filter(|(_, layers)| *layers == tried);
                match (fitting.next(), fitting.next()) {
                    (Some((only, _)), None) => return Some(*only).filter(|it| !self.has_arguments(*it)),
                    (Some(_), Some(_)) => return None,
                    _ => {}
                }
            }
        }
        None
    }

    /// Whether a method is of a trait with type arguments, which the arguments of a call choose: `Sub<u32>`. Macros often
    /// write further implementations of those.
    fn has_arguments(&self, method: SymRef) -> bool {
        let at = self.world.surface(method.file);
        let block = at.symbols[method.index as usize].parent;
        let mut relations = at.relations.iter().filter(|relation| relation.owner == block);
        relations.any(|relation| matches!(at.expr(relation.to), Expr::Apply(..)))
    }

    /// The layers round the type of its block that a method takes as `self`.
    fn taken_by(&mut self, method: SymRef) -> Option<Layers> {
        let at = self.world.surface(method.file);
        let list = at.symbols[method.index as usize].receiver?;
        let this = at.items(list).next().filter(|this| at.expr(*this) == Expr::This)?;
        self.layers(at, ScopeId::of_symbol(method.index as usize), this, 0)
    }

    /// What stands round a value; `None` where that is not known.
    pub(super) fn layers(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        expr: ExprId,
        depth: u32,
    ) -> Option<Layers> {
        if depth > MAX_STEPS {
            return None;
        }
        if let Some((inner, mark)) = at.pointer_mark(expr) {
            let layer = match (mark, Layer::of_mark(mark)) {
                (_, Some(layer)) => layer,
                ("*", _) => {
                    let mut layers = self.layers(at, scope, inner, depth + 1)?;
                    return (!layers.is_empty()).then(|| layers.drain(1..).collect());
                }
                ("?", _) => return None,
                // Written in place.
                _ => return Some(Layers::new()),
            };
            let mut layers = self.layers(at, scope, inner, depth + 1)?;
            layers.insert(0, layer);
            return Some(layers);
        }
        match at.expr(expr) {
            Expr::Primitive(_) | Expr::Builtin | Expr::Values(_) => Some(Layers::new()),
            Expr::Instance(ty) => self.layers_of_type(at, scope, ty, depth + 1),
            Expr::This => self.layers_of_self(at, scope, depth + 1),
            Expr::Name(_) | Expr::Member(..) => {
                let Thing::Sym(sym) = self.thing_of(at, scope, expr, Want::Prefix)?.thing else {
                    return None;
                };
                self.layers_of_symbol(sym, depth)
            }
            Expr::Call(callee) => self.layers_of_call(at, scope, callee, depth),
            _ => None,
        }
    }

    /// The same of what a call gives.
    fn layers_of_call(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        depth: u32,
    ) -> Option<Layers> {
        if let Some(Found { thing: Thing::Sym(sym), .. }) = self.callee_of(at, scope, callee) {
            return self.layers_of_symbol(sym, depth);
        }
        if let Some(ty) = written_result(at, callee) {
            return self.layers_of_type(at, scope, ty, depth + 1);
        }
        let Expr::Member(_, name) = at.expr(callee) else { return None };
        // What is derived makes a value of the type, as each of several conversions does.
        let is_value =
            matches!(at.names.get(name), "clone" | "to_owned") || self.makes_type(at, scope, callee);
        is_value.then(Layers::new)
    }

    /// The same of what a symbol holds or gives.
    fn layers_of_symbol(&mut self, sym: SymRef, depth: u32) -> Option<Layers> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match symbol.kind {
            SymbolKind::Struct | SymbolKind::Variant => Some(Layers::new()),
            SymbolKind::Const
            | SymbolKind::Static
            | SymbolKind::Field
            | SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Test => {
                self.layers(surface, ScopeId::of_symbol(sym.index as usize), symbol.ty?, depth + 1)
            }
            _ => None,
        }
    }

    /// What stands round the values of a type.
    pub(super) fn layers_of_type(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        ty: ExprId,
        depth: u32,
    ) -> Option<Layers> {
        if depth > MAX_STEPS {
            return None;
        }
        match at.whole_expr(ty) {
            Expr::Generic(inner, _) if let Some((_, mark)) = at.pointer_mark(ty) => {
                let Some(layer) = Layer::of_mark(mark) else { return Some(Layers::new()) };
                let mut layers = self.layers_of_type(at, scope, inner, depth + 1)?;
                layers.insert(0, layer);
                Some(layers)
            }
            Expr::Generic(inner, _) | Expr::Apply(inner, _) | Expr::Instance(inner) => {
                self.layers_of_type(at, scope, inner, depth + 1)
            }
            Expr::Primitive(_) | Expr::Builtin | Expr::Tuple(_) | Expr::Function(..) => Some(Layers::new()),
            Expr::This => self.layers_of_self(at, scope, depth + 1),
            Expr::Name(_) | Expr::Member(..) => match self.type_of(at, scope, ty).map(|found| found.thing) {
                Some(Thing::Sym(sym)) => self.layers_of_named(sym, depth),
                Some(Thing::External) | None => Some(Layers::new()),
                _ => None,
            },
            _ => None,
        }
    }

    /// A type has none round it, but for what an alias says. What a trait leaves open is not known.
    fn layers_of_named(&mut self, sym: SymRef, depth: u32) -> Option<Layers> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        if symbol.kind != SymbolKind::TypeAlias {
            return Some(Layers::new());
        }
        let block = symbol.parent.symbol().map(|index| surface.symbols[index].kind);
        let ty = symbol.ty.filter(|_| block != Some(SymbolKind::Trait))?;
        self.layers_of_type(surface, symbol.parent, ty, depth + 1)
    }

    /// What stands round `Self`, as the `impl` block says that a scope is in.
    fn layers_of_self(&mut self, at: &'w Surface, scope: ScopeId, depth: u32) -> Option<Layers> {
        let mut outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
        let index = outer.find(|index| at.symbols[*index].kind == SymbolKind::Impl)?;
        let block = at.symbols[index];
        self.layers_of_type(at, ScopeId::of_symbol(index), block.ty?, depth)
    }
}
