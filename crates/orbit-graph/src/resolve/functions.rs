//! What functions take and give: of callbacks by the place they are given to, of values that can be called.

use super::infer::type_of_value;
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::rules;
use super::surface::{Surface, SymRef};
use super::types::{EXTERNAL, GIVEN, MAX_DEPTH, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, LAST_PARAMETER, Lang, ScopeId, SymbolKind};
use smallvec::SmallVec;

/// How many signatures of one function are looked at.
const MAX_SIGNATURES: usize = 64;

/// A function as its signature tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(super) file: u32,
    /// Where its types are looked up.
    pub(super) scope: ScopeId,
    pub(super) params: Option<ExprId>,
    pub(super) result: Option<ExprId>,
    /// What its type parameters are taken from.
    pub(super) receiver: Val,
    /// What a call said of type parameters of the function called: an index into `inferred`.
    pub(super) bound: Option<u32>,
}

pub(super) type Signatures = SmallVec<[Signature; 4]>;

impl<'w, W: World> Resolver<'w, W> {
    /// A value of the function type that an expression is.
    pub(super) fn function_type(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        let Expr::Function(params, result) = at.expr(expr) else { return UNKNOWN };
        let head = self.head.filter(|head| head.file == at.file);
        let scope = head.map_or(scope, |head| ScopeId::of_symbol(head.index as usize));
        let (params, result) = (Some(params), Some(result));
        self.callable(Signature { file: at.file, scope, params, result, receiver: UNKNOWN, bound: None })
    }

    pub(super) fn callable(&mut self, signature: Signature) -> Val {
        let known = self.signatures.iter().position(|known| *known == signature);
        let number = known.unwrap_or_else(|| {
            self.signatures.push(signature);
            self.signatures.len() - 1
        });
        Val { what: What::Callable(number as u32), imported: false }
    }

    /// What a function wants as the argument at a place.
    pub(super) fn expected(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId, place: usize) -> Val {
        let value = self.called(at, scope, callee);
        let mut signatures = self.signatures_of(value, 0);
        if at.family() == Family::Script {
            for signature in &mut signatures {
                self.infer_signature(at, scope, callee, signature);
            }
        }
        if at.lang == Lang::Kotlin {
            self.leave_takers_of_lambdas(&mut signatures, place);
        }
        self.parameter_of_any(&signatures, place, value.imported)
    }

    pub(super) fn parameter_of_any(&mut self, signatures: &[Signature], place: usize, imported: bool) -> Val {
        let parts: SmallVec<[Val; 4]> =
            signatures.iter().map(|signature| self.parameter_of(signature, place)).collect();
        let value = self.one_of(&parts);
        Val { imported: imported || value.imported, ..value }
    }

    /// What a function gets as its parameter at a place.
    pub(super) fn received(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        function: ExprId,
        place: usize,
    ) -> Val {
        if let (Expr::Expects(callee, 0), false) =
            (at.expr(function), matches!(at.lang, Lang::Java | Lang::Kotlin))
            && let Some(element) = self.received_element(at, scope, callee, place)
        {
            return element;
        }
        if at.family() == Family::Ruby {
            return self.given_to_block(at, scope, function, place);
        }
        if let Some(given) = self.given_by_library_call(at, scope, function, place) {
            return given;
        }
        let value = self.eval_open(at, scope, function);
        if let (Lang::Java, What::InstanceOfApply(None, args)) = (at.lang, value.what) {
            return self.given_by_function_type(args, place);
        }
        let signatures = self.signatures_of(value, 0);
        if at.lang == Lang::Kotlin {
            return self.received_in_kotlin(&signatures, place, value.imported);
        }
        self.parameter_of_any(&signatures, place, value.imported)
    }

    /// `items.map(item => …)`: methods of collections and promises, which are not of the repository, give a callback
    /// what they hold.
    fn received_element(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        place: usize,
    ) -> Option<Val> {
        let Expr::Member(base, name) = at.expr(callee) else { return None };
        if !rules::gives_element(at.names.get(name), place) {
            return None;
        }
        let whole = self.eval_open(at, scope, base);
        match whole.what {
            What::InstanceOfApply(None, args) => Some(self.held(args, true)),
            What::External => Some(GIVEN),
            What::Module(_) => Some(whole),
            _ => None,
        }
    }

    /// What a call on a value gives.
    pub(super) fn result_of_callable(&mut self, value: Val) -> Val {
        let signatures = self.signatures_of(value, 0);
        let mut parts: SmallVec<[Val; 4]> = SmallVec::new();
        for signature in signatures {
            let surface = self.world.surface(signature.file);
            let Some(result) = signature.result else { continue };
            let result = self.eval_open(surface, signature.scope, result);
            parts.push(self.seen_by(result, &signature));
        }
        let result = self.one_of(&parts);
        Val { imported: value.imported || result.imported, ..result }
    }

    /// What is called.
    fn called(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        if matches!(at.lang, Lang::CSharp | Lang::Java) {
            return self.called_overload(at, scope, callee);
        }
        let found = match at.lang {
            Lang::Kotlin => self.callee_of(at, scope, callee),
            _ => self.thing_of(at, scope, callee, Want::Callable),
        };
        let Some(found) = found else {
            return if let Expr::Name(_) = at.expr(callee) {
                UNKNOWN
            } else {
                self.eval_open(at, scope, callee)
            };
        };
        let Thing::Sym(sym) = found.thing else { return UNKNOWN };
        let symbol = self.world.surface(sym.file).symbols[sym.index as usize];
        let value = match symbol.kind {
            kind if kind.is_callable() || kind.is_type() => {
                Val { what: What::Sym(sym), imported: found.imported }
            }
            _ => self.value_of(found),
        };
        let value = self.with_receiver(value, at, scope, callee);
        Val { imported: found.imported || value.imported, ..value }
    }

    /// The method of C# or Java that its arguments choose, with what stands for its type parameters.
    fn called_overload(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        if let (Lang::CSharp, Expr::Instance(ty), Expr::With(_, args)) =
            (at.lang, at.expr(callee), at.whole_expr(callee))
        {
            return self.constructor_taking((at, scope), ty, args).unwrap_or(UNKNOWN);
        }
        let Some(Found { thing: Thing::Sym(sym), imported }) = self.callee_of(at, scope, callee) else {
            return UNKNOWN;
        };
        let signature = self.declared_signature(sym);
        let value = self.callable(signature);
        let value = self.instantiated(value, at, scope, callee, sym);
        Val { imported, ..value }
    }

    /// A function that belongs to a generic type, seen from what it is called on.
    fn with_receiver(&mut self, value: Val, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let receiver = match at.expr(callee) {
            Expr::Member(base, _) => self.eval(at, scope, base),
            Expr::Instance(ty) => self.eval_open_type(at, scope, ty),
            _ => return value,
        };
        match value.what {
            What::Sym(sym) if matches!(receiver.what, What::InstanceOfApply(..) | What::Apply(..)) => {
                let found: Signatures = self.signatures_of_symbol(sym, value, 0);
                let parts: SmallVec<[Val; 4]> = found
                    .into_iter()
                    .map(|signature| self.callable(Signature { receiver, ..signature }))
                    .collect();
                self.one_of(&parts)
            }
            _ => self.seen_through(value, receiver),
        }
    }

    /// The signatures that a value can be called with.
    pub(super) fn signatures_of(&mut self, value: Val, depth: u32) -> Signatures {
        if depth > 8 || self.depth >= MAX_DEPTH {
            return Signatures::new();
        }
        match value.what {
            What::Callable(number) => SmallVec::from_elem(self.signatures[number as usize], 1),
            What::Union(first, count) | What::Intersection(first, count) => {
                let mut found = Signatures::new();
                for part in self.parts(first, count) {
                    found.extend(self.signatures_of(part, depth + 1));
                    found.truncate(MAX_SIGNATURES);
                }
                found
            }
            What::Sym(sym)
            | What::Instance(sym)
            | What::Apply(Some(sym), _)
            | What::InstanceOfApply(Some(sym), _) => self.signatures_of_symbol(sym, value, depth),
            What::Param(_) | What::InstanceOfParam(_) => {
                let closed = self.closed(value);
                self.signatures_of(closed, depth + 1)
            }
            _ => Signatures::new(),
        }
    }

    fn signatures_of_symbol(&mut self, sym: SymRef, value: Val, depth: u32) -> Signatures {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor => {
                self.siblings(sym).into_iter().map(|sym| self.declared_signature(sym)).collect()
            }
            SymbolKind::Class => match self.member_of_type(sym, *names::CONSTRUCTOR, Want::Callable) {
                Some(Found { thing: Thing::Sym(constructor), .. }) => {
                    let found = self.siblings(constructor);
                    let mut found: Signatures =
                        found.into_iter().map(|sym| self.declared_signature(sym)).collect();
                    found.iter_mut().for_each(|signature| signature.receiver = value);
                    found
                }
                _ => Signatures::new(),
            },
            SymbolKind::Interface | SymbolKind::TypeAlias => self.signatures_of_type(sym, value, depth),
            _ => Signatures::new(),
        }
    }

    pub(super) fn declared_signature(&self, sym: SymRef) -> Signature {
        let symbol = self.world.surface(sym.file).symbols[sym.index as usize];
        let scope = ScopeId::of_symbol(sym.index as usize);
        let (params, result) = (symbol.params, symbol.ty);
        Signature { file: sym.file, scope, params, result, receiver: UNKNOWN, bound: None }
    }

    /// The call signatures of an interface, its own or inherited, or of what an alias stands for.
    fn signatures_of_type(&mut self, sym: SymRef, value: Val, depth: u32) -> Signatures {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        self.depth += 1;
        let mut found = match symbol.ty {
            Some(ty) => {
                let ty = self.eval_open_type(surface, ScopeId::of_symbol(sym.index as usize), ty);
                if matches!(ty.what, What::Sym(own) if own == sym) {
                    Signatures::new()
                } else {
                    self.signatures_of(ty, depth + 1)
                }
            }
            None => Signatures::new(),
        };
        if found.is_empty() && symbol.kind == SymbolKind::Interface {
            for (parent, imported) in self.supers(sym) {
                let parent = Val { what: What::Instance(parent), imported };
                found.extend(self.signatures_of(parent, depth + 1));
            }
        }
        self.depth -= 1;
        for signature in found.iter_mut().filter(|signature| signature.receiver.what == What::Unknown) {
            signature.receiver = value;
        }
        found
    }

    /// What the parameter at a place is.
    pub(super) fn parameter_of(&mut self, signature: &Signature, place: usize) -> Val {
        let surface = self.world.surface(signature.file);
        let Some(params) = signature.params else { return UNKNOWN };
        let params: SmallVec<[ExprId; 8]> = surface.items(params).collect();
        let place = if place == LAST_PARAMETER { params.len().saturating_sub(1) } else { place };
        let Some(param) = params.get(place).or(params.last()).copied() else { return UNKNOWN };
        let (param, is_rest) = match surface.expr(param) {
            Expr::Rest(inner) => (inner, true),
            Expr::Defaulted(inner) => (inner, false),
            _ => (param, false),
        };
        if !is_rest && place >= params.len() {
            return UNKNOWN;
        }
        if surface.family() == Family::Rust && is_projection(surface, param) {
            return UNKNOWN; // `Self::Item` is what the implementing type says
        }
        let value = self.eval_open(surface, signature.scope, param);
        // Parameters of Java and Kotlin are kept as types.
        let is_type = matches!(surface.lang, Lang::Java | Lang::Kotlin);
        let value = if is_type { self.instance_of(value) } else { value };
        let value = match (is_rest, value.what) {
            (true, _) if matches!(surface.family(), Family::Go | Family::CSharp) => value,
            (true, What::InstanceOfApply(None, args)) => self.held(args, false),
            (true, What::InstanceOfTuple(first, count)) => {
                let at = place + 1 - params.len();
                let part = (at < count as usize).then(|| self.arguments[first as usize + at]);
                part.map_or(UNKNOWN, |part| self.instance_of(part))
            }
            (true, _) => UNKNOWN,
            (false, _) => value,
        };
        self.seen_by(value, signature)
    }

    /// What calling an expression of a script without a name gives.
    pub(super) fn result_of_unnamed(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        match at.expr(callee) {
            Expr::Name(_) => EXTERNAL,
            Expr::Member(..) => match self.handed_on(at, scope, callee) {
                UNKNOWN => {
                    let value = self.eval_open(at, scope, callee);
                    if let What::Callable(_) = value.what { self.result_of_callable(value) } else { UNKNOWN }
                }
                handed => handed,
            },
            _ => {
                let value = self.eval_open(at, scope, callee);
                if value.what == What::External { GIVEN } else { self.result_of_callable(value) }
            }
        }
    }

    /// What a collection holds; of a map, which holds pairs, what it keeps under its keys if that is asked for.
    pub(super) fn held(&mut self, args: super::types::Args, is_keyed: bool) -> Val {
        let element = self.arguments[args.element as usize];
        match element.what {
            // A map has two type arguments, a list of pairs one.
            What::Tuple(first, 2) if is_keyed && args.count == 2 => {
                let value = self.arguments[first as usize + 1];
                self.instance_of(value)
            }
            _ => self.instance_of(element),
        }
    }

    /// What methods of collections and promises hand on of what they are called on.
    pub(super) fn handed_on(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Expr::Member(base, name) = at.expr(callee) else { return UNKNOWN };
        let Some(gives) = rules::handed_on(at.names.get(name)) else { return UNKNOWN };
        let whole = self.eval_open(at, scope, base);
        match (gives, whole.what) {
            (rules::HandedOn::Whole, What::InstanceOfApply(None, _)) => whole,
            (rules::HandedOn::Element, What::InstanceOfApply(None, args)) => self.held(args, true),
            (rules::HandedOn::Values, What::InstanceOfApply(None, args)) => {
                let value = self.held(args, true);
                let ty = type_of_value(value);
                let args = self.args(ty, &[ty]);
                Val { what: What::InstanceOfApply(None, args), imported: ty.imported }
            }
            (_, What::External) => GIVEN,
            _ => UNKNOWN,
        }
    }

    /// The object literal whose members hang under a path of a file.
    pub(super) fn object(at: &Surface, path: &str) -> Val {
        let key = at.container.parts(path.split(at.lang.separator()));
        Val { what: What::Module(key), imported: false }
    }
}

/// Whether what an unknown name means comes from outside: a script sees no other names than those it declares or
/// imports, and those of its environment.
pub(super) fn is_global(at: &Surface, expr: Expr) -> bool {
    at.family() == Family::Script && matches!(expr, Expr::Name(_))
}

/// Whether a value is of an associated type of `Self`.
fn is_projection(at: &Surface, value: ExprId) -> bool {
    match at.expr(value) {
        Expr::Instance(ty) => is_projection(at, ty),
        Expr::Member(base, _) => at.expr(base) == Expr::This,
        _ => false,
    }
}
