//! Which types are new, gone, renamed, or there before and after.

use super::{Change, Differ, Safety, TypeKind, TypeRef};
use crate::schema::catalog::{Body, Cardinality, EdgeType, InterfaceType, Metadata, NodeType};
use std::collections::BTreeMap;

/// A name in the desired schema and the name of the same type in the accepted one.
type Pairs = Vec<(String, String)>;

impl Differ<'_> {
    pub(super) fn interfaces(&mut self) {
        let (old, new) = (&self.accepted.interfaces, &self.desired.interfaces);
        for (now, before) in
            self.pair(TypeKind::Interface, old, new, |interface: &InterfaceType| &interface.metadata)
        {
            let of = TypeRef { kind: TypeKind::Interface, name: now.clone() };
            self.type_metadata(&of, &old[&before].metadata, &new[&now].metadata);
        }
    }

    pub(super) fn nodes(&mut self) {
        let (old, new) = (&self.accepted.nodes, &self.desired.nodes);
        for (now, before) in self.pair(TypeKind::Node, old, new, |node: &NodeType| &node.metadata) {
            let of = TypeRef { kind: TypeKind::Node, name: now.clone() };
            let (before, now) = (&old[&before], &new[&now]);
            if before.implements != now.implements {
                let (from, to) = (before.implements.clone(), now.implements.clone());
                self.step(Safety::Safe, Change::ChangeImplements { of: of.clone(), from, to });
            }
            self.shared(&of, (&before.body, &before.metadata), (&now.body, &now.metadata));
        }
    }

    pub(super) fn edges(&mut self) {
        let (old, new) = (&self.accepted.edges, &self.desired.edges);
        for (now, before) in self.pair(TypeKind::Edge, old, new, |edge: &EdgeType| &edge.metadata) {
            let of = TypeRef { kind: TypeKind::Edge, name: now.clone() };
            let (before, now) = (&old[&before], &new[&now]);
            self.ends(&of, before, now);
            self.cardinality(&of, before.card, now.card);
            self.shared(&of, (&before.body, &before.metadata), (&now.body, &now.metadata));
        }
    }

    fn shared(&mut self, of: &TypeRef, before: (&Body, &Metadata), now: (&Body, &Metadata)) {
        self.type_metadata(of, before.1, now.1);
        self.bodies(of, before.0, now.0);
    }

    fn type_metadata(&mut self, of: &TypeRef, before: &Metadata, now: &Metadata) {
        if before.annotations != now.annotations {
            let annotations = now.annotations.clone();
            self.step(Safety::Safe, Change::UpdateTypeMetadata { of: of.clone(), annotations });
        }
    }

    /// The ends stay, unless the node type was renamed.
    fn ends(&mut self, of: &TypeRef, before: &EdgeType, now: &EdgeType) {
        let same = |old: &str, new: &str| {
            let renamed = self.desired.nodes.get(new).and_then(|node| node.metadata.renamed_from.as_deref());
            old == new || renamed == Some(old)
        };
        if !same(&before.from, &now.from) || !same(&before.to, &now.to) {
            let (from, to) = (&before.from, &before.to);
            let reason =
                format!("`{}` joins {from} -> {to} and cannot join {} -> {}", of.name, now.from, now.to);
            let hint = "declare a new edge type, load its edges, then remove the old one";
            self.unsupported(format!("edge:{}", of.name), reason, Some(hint));
        }
    }

    fn cardinality(&mut self, of: &TypeRef, from: Cardinality, to: Cardinality) {
        if from == to {
            return;
        }
        let most = |card: Cardinality| card.max.unwrap_or(u32::MAX);
        let is_wider = to.min <= from.min && most(to) >= most(from);
        let safety = if is_wider { Safety::Safe } else { Safety::ChecksData };
        self.step(safety, Change::ChangeCardinality { of: of.clone(), from, to });
    }

    /// Notes additions, renames and removals; the rest are pairs to compare.
    fn pair<T>(
        &mut self,
        kind: TypeKind,
        old: &BTreeMap<String, T>,
        new: &BTreeMap<String, T>,
        metadata: impl Fn(&T) -> &Metadata,
    ) -> Pairs {
        let mut pairs = Pairs::new();
        for (name, ty) in new {
            let renamed = metadata(ty).renamed_from.as_ref().filter(|from| *from != name);
            match (old.contains_key(name), renamed) {
                (true, Some(from)) if old.contains_key(from) && !new.contains_key(from) => {
                    let reason = format!("`{from}` cannot become `{name}`, which exists already");
                    self.unsupported(format!("{}:{name}", kind.as_str()), reason, None);
                    pairs.push((name.clone(), name.clone()));
                }
                (true, _) => pairs.push((name.clone(), name.clone())),
                (false, Some(from)) if old.contains_key(from) && !new.contains_key(from) => {
                    self.step(
                        Safety::Safe,
                        Change::RenameType { kind, from: from.clone(), to: name.clone() },
                    );
                    pairs.push((name.clone(), from.clone()));
                }
                (false, Some(from)) => {
                    let still = new.contains_key(from);
                    let why = if still { "is still declared" } else { "does not exist" };
                    let reason = format!("`{name}` cannot be renamed from `{from}`, which {why}");
                    let hint = "remove @rename_from to add a new type";
                    self.unsupported(format!("{}:{name}", kind.as_str()), reason, Some(hint));
                }
                (false, None) => {
                    let of = TypeRef { kind, name: name.clone() };
                    self.step(Safety::Safe, Change::AddType { of });
                }
            }
        }
        self.removed(kind, old, new, &pairs);
        pairs
    }

    fn removed<T>(
        &mut self,
        kind: TypeKind,
        old: &BTreeMap<String, T>,
        new: &BTreeMap<String, T>,
        pairs: &Pairs,
    ) {
        let added: Vec<&String> =
            new.keys().filter(|name| !pairs.iter().any(|(now, _)| now == *name)).collect();
        for name in old.keys().filter(|name| !pairs.iter().any(|(_, before)| before == *name)) {
            let change = Change::DropType { of: TypeRef { kind, name: name.clone() } };
            if kind == TypeKind::Interface {
                self.step(Safety::Safe, change); // interfaces have no rows
            } else if let [new] = added[..] {
                let hint = format!(
                    "if `{new}` is `{name}` under a new name, write `@rename_from(\"{name}\")` on it"
                );
                self.hinted(Safety::LosesData, change, hint);
            } else {
                self.step(Safety::LosesData, change);
            }
        }
    }
}
