//! Rust: traits tie their methods together, calls and fields have namespaces of their own.

use super::{Rules, same_address};
use crate::error::{RefactorError, Refusal};
use crate::sites::Site;
use orbit_extract::Place;
use orbit_graph::{Facts, RelationFacts, SymbolFacts, SymbolKind};

pub(super) struct Rust;

impl Rules for Rust {
    fn keywords(&self) -> &'static str {
        "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
         match mod move mut pub ref return self Self static struct super trait true type unsafe use where \
         while abstract become box do final gen macro override priv try typeof unsized virtual yield"
    }

    fn common_members(&self) -> &'static str {
        "add all and_then any append as_bytes as_mut as_os_str as_path as_ref as_slice as_str borrow \
         borrow_mut bytes capacity chain chars clear clone cloned cmp collect contains contains_key copied \
         count default deref drain drop end entry enumerate eq err exists expect extend extension file_name \
         filter find first flush fmt fold from get get_mut hash index insert into into_inner into_iter is_dir \
         is_empty is_file is_none is_some iter iter_mut join keys kind last len line lines lock map map_err \
         matches max metadata min name new next offset ok open or_insert parent parse partial_cmp path poll \
         pop position ptr push push_str read recv remove repeat replace reserve retain rev send shutdown skip \
         sort spawn split start starts_with sub sum swap take to_owned to_string trim truncate try_from \
         try_into unwrap values wait wake width with write zip status output args arg is_match captures id"
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        let fixed = |why: &str| {
            let message = format!("`{}` cannot have another name: {why}", symbol.name);
            RefactorError::from(Refusal::new("fixed_name", message))
        };
        let is_program =
            symbol.name == "main" && symbol.kind == SymbolKind::Function && symbol.parent.is_none();
        if is_program {
            return Err(fixed("a program starts there"));
        }
        let head = head(source, symbol);
        for attribute in ["no_mangle", "export_name", "panic_handler", "global_allocator", "proc_macro"] {
            if head.contains(attribute) {
                return Err(fixed(&format!("#[{attribute}] fixes it")));
            }
        }
        let mut group = same_address(facts, symbol)?;
        if let Some(owner) = symbol.parent.map(|parent| facts.by_id(parent)).transpose()?.flatten() {
            match owner.kind {
                SymbolKind::Trait => add_implementations(facts, &owner, symbol, &mut group)?,
                SymbolKind::Impl => {
                    if let Some(relation) = trait_of(facts, &owner)? {
                        let role = relation.to.map(|to| facts.by_id(to)).transpose()?.flatten();
                        let Some(role) = role else {
                            return Err(fixed("a trait from outside of the repository fixes it"));
                        };
                        let methods = facts.named(&symbol.name)?;
                        group.extend(methods.into_iter().filter(|method| method.parent == Some(role.id)));
                        add_implementations(facts, &role, symbol, &mut group)?;
                    }
                }
                _ => {}
            }
        }
        group.sort_by_key(|member| member.id);
        group.dedup_by_key(|member| member.id);
        Ok(group)
    }

    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool {
        let spelling = site.spelling;
        let is_method = symbol.kind == SymbolKind::Method || symbol.kind == SymbolKind::Test;
        match spelling.place {
            Place::Member if spelling.is_call => is_method,
            Place::Member => symbol.kind == SymbolKind::Field,
            Place::Key => symbol.kind == SymbolKind::Field,
            Place::Path => symbol.kind != SymbolKind::Field,
            _ if spelling.shorthand => symbol.kind == SymbolKind::Field,
            Place::Plain => !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Method | SymbolKind::Impl),
            _ => false,
        }
    }
}

/// What stands before the name: attributes and the like, whether or not the definition's span has them.
fn head<'s>(source: &'s str, symbol: &SymbolFacts) -> &'s str {
    let start = symbol.span.0 as usize;
    let before = &source[..start];
    let from = before.rfind(['}', ';']).map_or(0, |at| at + 1);
    let end = source[start..].find(&symbol.name).map_or(start, |at| start + at);
    &source[from..end]
}

/// How an impl hangs on its trait; `None` for one without.
fn trait_of(facts: &Facts<'_>, owner: &SymbolFacts) -> Result<Option<RelationFacts>, RefactorError> {
    let relations = facts.relations_in(&owner.path)?;
    let own = relations
        .into_iter()
        .find(|relation| owner.span.0 <= relation.span.0 && relation.span.1 <= owner.span.1);
    let is_of_trait =
        owner.local.contains(" as ") || owner.signature.as_deref().is_some_and(|text| text.contains(" for "));
    Ok(own.filter(|_| is_of_trait))
}

/// Items of the same name in all impls of a trait.
fn add_implementations(
    facts: &Facts<'_>,
    role: &SymbolFacts,
    symbol: &SymbolFacts,
    group: &mut Vec<SymbolFacts>,
) -> Result<(), RefactorError> {
    let items = facts.named(&symbol.name)?;
    for relation in facts.relations_to(role.id)? {
        for item in items.iter().filter(|item| item.path == relation.file) {
            let Some(owner) = item.parent.map(|parent| facts.by_id(parent)).transpose()?.flatten() else {
                continue;
            };
            let holds = owner.span.0 <= relation.span.0 && relation.span.1 <= owner.span.1;
            if owner.kind == SymbolKind::Impl && holds {
                group.push(item.clone());
            }
        }
    }
    Ok(())
}
