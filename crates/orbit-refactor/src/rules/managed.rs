//! Java, Kotlin and C#: what overrides something from outside keeps its name.

use super::{Rules, constructors, fixed, members_of_hierarchy, same_address};
use crate::error::{RefactorError, Refusal};
use crate::sites::Site;
use orbit_extract::{Lang, Place};
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

pub(super) struct Managed;

/// Types from outside that people derive from, and the members they have, with spaces between them.
const MEMBERS: [(&str, &str); 21] = [
    ("Object Any object Serializable Cloneable Record", ""),
    (
        "Exception RuntimeException Error Throwable IOException IllegalArgumentException IllegalStateException \
         UncheckedIOException UnsupportedOperationException",
        "getMessage getLocalizedMessage getCause initCause fillInStackTrace getStackTrace setStackTrace addSuppressed \
         getSuppressed printStackTrace message cause stackTrace Message InnerException StackTrace Data",
    ),
    ("Comparable IComparable", "compareTo CompareTo"),
    ("Comparator IComparer", "compare reversed thenComparing Compare"),
    ("Runnable", "run"),
    ("Callable", "call"),
    ("Supplier", "get"),
    ("Function BiFunction UnaryOperator BinaryOperator", "apply andThen compose identity"),
    ("Consumer BiConsumer", "accept andThen"),
    ("Predicate BiPredicate", "test and or negate not isEqual"),
    ("Number", "intValue longValue floatValue doubleValue byteValue shortValue"),
    ("CharSequence", "length charAt subSequence isEmpty chars codePoints"),
    ("Appendable", "append"),
    ("FileFilter FilenameFilter", "accept"),
    ("InvocationHandler", "invoke"),
    ("ThreadFactory Executor", "newThread execute"),
    ("Enum", "name ordinal compareTo describeConstable getDeclaringClass"),
    ("EventListener Annotation", "annotationType"),
    ("AutoCloseable Closeable IDisposable", "close Dispose"),
    ("Iterable IEnumerable", "iterator forEach spliterator GetEnumerator"),
    ("Iterator IEnumerator", "hasNext next remove forEachRemaining MoveNext Current Reset"),
];

/// What every object has, or what the platform looks for by its name.
const FIXED: &str = "toString equals hashCode clone finalize getClass notify notifyAll wait readObject writeObject \
     readResolve writeReplace readObjectNoData serialVersionUID values valueOf ToString Equals GetHashCode \
     GetType MemberwiseClone Finalize invoke component1 component2 component3 getValue setValue provideDelegate";

impl Rules for Managed {
    fn keywords(&self) -> &'static str {
        "abstract as assert base bool boolean break byte case catch char checked class const continue decimal default \
         delegate do double else enum event explicit extends extern false final finally fixed float for foreach fun \
         goto if implements implicit import in instanceof int interface internal is lock long namespace native new \
         null object operator out override package params private protected public readonly ref return sbyte sealed \
         short sizeof stackalloc static strictfp string struct super switch synchronized this throw throws transient \
         true try typealias typeof uint ulong unchecked unsafe ushort using val var virtual void volatile when while"
    }

    fn knows_types(&self) -> bool {
        true
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        let mut group = same_address(facts, symbol)?;
        let owner = symbol.parent.map(|id| facts.by_id(id)).transpose()?.flatten();
        if symbol.kind == SymbolKind::Constructor {
            return Err(fixed(symbol, "it is called like its class"));
        }
        if let Some(owner) = owner.filter(|owner| owner.kind.is_type() && symbol.kind != SymbolKind::Variant)
        {
            group.extend(facts.linked_members(symbol.id)?);
            let mut outside = BTreeSet::new();
            let is_member = symbol.kind.is_callable() || symbol.kind == SymbolKind::Property;
            if is_member {
                group.extend(members_of_hierarchy(facts, owner.id, &symbol.name, &mut outside)?);
            }
            check_member(facts, symbol, source, &group, &outside)?;
        }
        let is_attribute = symbol.lang == Lang::CSharp && symbol.name.ends_with("Attribute");
        if is_attribute && symbol.kind == SymbolKind::Class {
            return Err(fixed(symbol, "an attribute is written without the end of its class's name"));
        }
        group.extend(constructors(facts, symbol, &group)?);
        Ok(group)
    }

    fn check_new_name(
        &self,
        symbol: &SymbolFacts,
        new_name: &str,
        _files: &[&str],
    ) -> Result<(), RefactorError> {
        let is_platform = symbol.kind.is_callable() && super::lists(FIXED, new_name);
        if !is_platform {
            return Ok(());
        }
        let message = format!("`{new_name}` is a name that the platform calls methods by");
        Err(Refusal::new("taken", message).hint("choose a name that no object has").into())
    }

    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool {
        let spelling = site.spelling;
        // Java calls methods and reads fields; the two have namespaces of their own.
        let is_java = symbol.lang == Lang::Java;
        match (spelling.place, symbol.kind) {
            (Place::Member | Place::Plain, SymbolKind::Method) if is_java => spelling.is_call,
            (Place::Member | Place::Plain, SymbolKind::Field) if is_java => !spelling.is_call,
            _ => true,
        }
    }
}

/// Refuses members that something from outside has, or may have.
fn check_member(
    facts: &Facts<'_>,
    symbol: &SymbolFacts,
    source: &str,
    group: &[SymbolFacts],
    outside: &BTreeSet<String>,
) -> Result<(), RefactorError> {
    let is_entry = symbol.name.eq_ignore_ascii_case("main") && symbol.kind.is_callable();
    if is_entry {
        return Err(fixed(symbol, "a program starts there"));
    }
    if super::lists(FIXED, &symbol.name) {
        return Err(fixed(symbol, "the platform has this name"));
    }
    if !(symbol.kind.is_callable() || symbol.kind == SymbolKind::Property) {
        return Ok(());
    }
    let head = head(source, symbol);
    let is_word =
        |word: &str| head.split(|c: char| !c.is_alphanumeric() && c != '@').any(|part| part == word);
    let overrides = is_word("@Override") || is_word("override");
    let has_base = !facts.linked_members(symbol.id)?.is_empty() || group.len() > 1;
    if overrides && !has_base {
        return Err(fixed(symbol, "it overrides a member from outside of the repository"));
    }
    let is_own = is_word("private") || is_word("static");
    let may_have = |class: &String| {
        let name = class.split(['<', '(']).next().unwrap_or(class);
        let name = name.rsplit('.').next().unwrap_or(name).trim();
        let known = MEMBERS.iter().find(|(classes, _)| super::lists(classes, name));
        known.is_none_or(|(_, members)| super::lists(members, &symbol.name))
    };
    match outside.iter().find(|class| may_have(class)).filter(|_| !is_own) {
        Some(class) => {
            Err(fixed(symbol, &format!("`{class}`, from outside of the repository, may have it too")))
        }
        None => Ok(()),
    }
}

/// What stands before the name of a definition.
fn head<'s>(source: &'s str, symbol: &SymbolFacts) -> &'s str {
    let text = &source[symbol.span.0 as usize..symbol.span.1 as usize];
    let end = text.find(&format!("{}(", symbol.name)).or_else(|| text.find(&symbol.name)).unwrap_or(0);
    &text[..end]
}
