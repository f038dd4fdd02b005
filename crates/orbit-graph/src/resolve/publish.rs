//! What a file publishes: its part in the answer to every question that others may ask about it.

use super::key::{Digest, Key, Topic};
use super::surface::{Surface, SymFact};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::ImportKind;

impl Surface {
    /// Everything other files can learn from this one, as (question, digest of the answer's part here).
    /// Two versions of a file differ for others exactly where these differ.
    pub(crate) fn publications(&self) -> Vec<(u32, Digest)> {
        let mut out = Vec::with_capacity(self.symbols.len() * 2 + self.imports.len() + 4);
        for key in &self.modules {
            out.push((key.about(Topic::Module), Digest::new().add(self.file_key().0)));
        }
        let file = self.file_key();
        for (key, sym) in self.definitions() {
            let symbol = &self.symbols[sym.index as usize];
            let digest = self.symbol_digest(symbol).add(file.0);
            out.push((key.about(Topic::Defs), digest));
            out.push((file.part(symbol.name).about(Topic::Lexical), digest));
        }
        self.publish_imports(file, &mut out);
        if !self.announced.is_empty() {
            let digest = self.announced.iter().fold(Digest::new(), |digest, name| digest.add(*name));
            out.push((file.about(Topic::Includes), digest));
        }
        for relation in &self.relations {
            let owner = relation.owner.symbol().and_then(|index| self.symbols.get(index));
            let digest = Digest::new()
                .add(relation.kind as u64)
                .add(self.expr_digest(relation.to, 0).0)
                .add(self.expr_digest(relation.from, 0).0)
                .add(file.0);
            if let Some(owner) = owner {
                out.push((owner.key.about(Topic::Supers), digest));
            }
        }
        // Where several answers compete, the first one written wins: their order is part of the answer.
        let mut seen: HashMap<u32, u64, FixedState> = HashMap::default();
        for (question, digest) in &mut out {
            let place = seen.entry(*question).or_insert(0);
            *digest = digest.add(*place);
            *place += 1;
        }
        out.sort_unstable();
        out
    }

    fn publish_imports(&self, file: Key, out: &mut Vec<(u32, Digest)>) {
        for import in &self.imports {
            let mut digest = Digest::new()
                .add(import.raw.kind as u64)
                .add(import.symbol.unwrap_or(0))
                .add(import.binds.unwrap_or(0))
                .add(u64::from(import.raw.reexport))
                .add(u64::from(import.raw.scope.0));
            for target in &import.targets {
                digest = digest.add(target.0);
            }
            match import.binds {
                Some(binds) => {
                    out.push((file.part(binds).about(Topic::Lexical), digest));
                    for module in self.modules.iter().filter(|_| import.raw.reexport) {
                        out.push((module.part(binds).about(Topic::Export), digest));
                    }
                }
                None if import.raw.kind == ImportKind::Glob => {
                    out.push((file.about(Topic::LexicalGlob), digest));
                    for module in self.modules.iter().filter(|_| import.raw.reexport) {
                        out.push((module.about(Topic::ExportGlob), digest));
                    }
                }
                None => {}
            }
            if import.raw.kind == ImportKind::File {
                out.push((file.about(Topic::Includes), digest));
            }
        }
    }

    fn symbol_digest(&self, symbol: &SymFact) -> Digest {
        let parent = symbol.parent.symbol().and_then(|index| self.symbols.get(index));
        let ty = symbol.ty.map_or(0, |ty| self.expr_digest(ty, 0).0);
        let params = symbol.params.map_or(0, |params| self.expr_digest(params, 0).0);
        Digest::new()
            .add(symbol.kind as u64)
            .add(params)
            .add(symbol.type_params.map_or(0, |list| self.expr_digest(list, 0).0))
            .add(symbol.receiver.map_or(0, |receiver| self.expr_digest(receiver, 0).0))
            .add(symbol.decorators.map_or(0, |decorators| self.expr_digest(decorators, 0).0))
            .add(
                u64::from(symbol.inactive)
                    | u64::from(symbol.is_virtual) << 1
                    | u64::from(symbol.bodiless) << 2,
            )
            .add(u64::from(symbol.exported))
            .add(u64::from(symbol.overload))
            .add(u64::from(symbol.slot))
            .add(parent.map_or(0, |parent| parent.key.0))
            .add(parent.map_or(0, |parent| parent.kind as u64 + 1))
            .add(parent.and_then(|parent| parent.ty).map_or(0, |ty| self.expr_digest(ty, 0).0))
            .add(ty)
    }
}
