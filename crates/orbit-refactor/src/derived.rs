//! Names that others derive from a symbol's: keys of a wire format, flags of a command line, columns of a table. The
//! program goes on compiling when they change, and its users notice.

mod by_name;

use crate::error::{RefactorError, Refusal};
use crate::rules;
use crate::worktree::Worktree;
use orbit_extract::{Lang, Place, spellings};
use orbit_graph::{Facts, SymbolFacts, SymbolKind};

/// Derives of Rust that make nothing of names but what the compiler checks.
const PLAIN_DERIVES: &str = "Debug Clone Copy PartialEq Eq PartialOrd Ord Hash Default Error Display From Into TryFrom \
     AsRef Deref DerefMut Add Sub Mul Div Zeroize ZeroizeOnDrop Pod Zeroable Diagnostic Trace Finalize";
/// Attributes of Rust that fix what is derived.
const FIXING: [&str; 7] = ["rename", "long = ", "long=", "name = ", "name=", "skip", "flatten"];

/// Bases and decorators of Python that make something of the names of attributes.
const PYTHON_MODELS: [&str; 12] = [
    "BaseModel",
    "BaseSettings",
    "models.Model",
    "DeclarativeBase",
    "db.Model",
    "SQLModel",
    "Schema",
    "TypedDict",
    "Struct",
    "serializers.",
    "Form",
    "Enum",
];

/// Packages of Go that find fields by their names.
const GO_READERS: [&str; 8] = [
    "\"encoding/json\"",
    "\"encoding/xml\"",
    "\"encoding/gob\"",
    "\"encoding/asn1\"",
    "\"text/template\"",
    "\"html/template\"",
    "/yaml",
    "/toml",
];

/// Refuses a member whose name something outside of the code may know.
pub(crate) fn check(
    facts: &Facts<'_>,
    worktree: &Worktree,
    symbol: &SymbolFacts,
    source: &str,
) -> Result<(), RefactorError> {
    if symbol.lang == Lang::Go && symbol.kind.is_type() && !facts.relations_to(symbol.id)?.is_empty() {
        return refuse(symbol, reflected(facts, worktree, symbol)?); // a field that embeds it has its name
    }
    if symbol.lang == Lang::Go && symbol.kind == SymbolKind::Method {
        return refuse(symbol, reflected(facts, worktree, symbol)?); // templates call methods by their names
    }
    let is_member = matches!(symbol.kind, SymbolKind::Field | SymbolKind::Property | SymbolKind::Variant);
    let owner = symbol.parent.map(|id| facts.by_id(id)).transpose()?.flatten();
    if let Some(class) = owner.as_ref().filter(|owner| owner.lang == Lang::Python && owner.kind.is_type()) {
        refuse(symbol, by_name::reached(facts, worktree, class)?)?;
    }
    let Some(owner) = owner.filter(|owner| is_member && owner.path == symbol.path) else { return Ok(()) };
    let why = match symbol.lang {
        Lang::Rust => rust(source, &owner, symbol),
        Lang::Python => python(source, &owner),
        Lang::Go => match go(source, symbol) {
            None => reflected(facts, worktree, symbol)?,
            why => why,
        },
        Lang::Java | Lang::Kotlin | Lang::CSharp => annotated(source, &owner, symbol),
        _ => None,
    };
    refuse(symbol, why)
}

fn refuse(symbol: &SymbolFacts, why: Option<String>) -> Result<(), RefactorError> {
    let Some(why) = why else { return Ok(()) };
    let message = format!("`{}` is known outside of the code: {why}", symbol.name);
    let hint = "pass --allow-derived to change what is derived from it too";
    Err(Refusal::new("derived_name", message).hint(hint).into())
}

/// A derive that may read the names of fields and variants, unless an attribute of the member says what is derived.
fn rust(source: &str, owner: &SymbolFacts, symbol: &SymbolFacts) -> Option<String> {
    let owner_head = attributes(source, owner.span.0 as usize);
    let derives = owner_head.split("derive(").skip(1).flat_map(|rest| {
        let list = rest.split(')').next().unwrap_or("");
        list.split(',').map(|name| name.trim().rsplit("::").next().unwrap_or("").trim())
    });
    let mut speaking = derives.filter(|name| !name.is_empty() && !rules::lists(PLAIN_DERIVES, name));
    let derive = speaking.next()?.to_owned();
    let is_tuple = symbol.name.chars().all(|c| c.is_ascii_digit());
    let own = attributes(source, symbol.span.0 as usize);
    let is_fixed = FIXING.iter().any(|word| own.contains(word));
    (!is_tuple && !is_fixed).then(|| format!("`{}` derives `{derive}`", owner.name))
}

/// The attributes of a definition, whether its span begins with them or stands behind them.
fn attributes(source: &str, start: usize) -> &str {
    let line_of = |at: usize| source[..at].rfind('\n').map_or(0, |at| at + 1);
    let mut from = line_of(start);
    let mut is_inside = false;
    while from > 0 {
        let above = line_of(from - 1);
        let line = source[above..from].trim();
        let begins = line.starts_with("#[");
        // The last line of an attribute that began further up.
        is_inside = !begins && (is_inside || line.ends_with(']'));
        if !(begins || is_inside || line.starts_with("//")) {
            break;
        }
        from = above;
    }
    let text = &source[start..];
    let mut end = 0;
    while text[end..].trim_start().starts_with(['#', '/']) {
        let Some(next) = text[end..].trim_start().find('\n') else { break };
        end += text[end..].len() - text[end..].trim_start().len() + next;
    }
    &source[from..start + end]
}

/// A class whose attributes are columns, fields of a form or keys.
fn python(source: &str, owner: &SymbolFacts) -> Option<String> {
    let text = &source[owner.span.0 as usize..owner.span.1 as usize];
    let head = text.split_once("class ").map_or(text, |(_, rest)| rest);
    let head = head.split(':').next().unwrap_or(head);
    let bases = head.split_once('(')?.1;
    let bases = bases.split(',').map(|base| base.trim().trim_end_matches(')').trim());
    let mut models = bases.filter(|base| {
        PYTHON_MODELS.iter().any(|model| {
            *base == *model
                || base.ends_with(&format!(".{model}"))
                || model.ends_with('.') && base.starts_with(model)
                || model.contains('.') && base.ends_with(model)
                || *model == "Form" && base.ends_with("Form")
        })
    });
    models.next().map(|base| format!("`{}` is a `{base}`", owner.name))
}

/// A field of Go without a tag in a struct whose other fields have some: its own name is the key.
fn go(source: &str, symbol: &SymbolFacts) -> Option<String> {
    if !symbol.name.starts_with(char::is_uppercase) {
        return None;
    }
    let line_end =
        source[symbol.span.0 as usize..].find('\n').map_or(source.len(), |at| symbol.span.0 as usize + at);
    let own = &source[symbol.span.0 as usize..line_end];
    if own.contains('`') {
        return None;
    }
    let before = source[..symbol.span.0 as usize].rfind("struct {")?;
    let after =
        source[symbol.span.0 as usize..].find('}').map_or(source.len(), |at| symbol.span.0 as usize + at);
    let others = &source[before..after];
    let tagged = ["`json:", "`yaml:", "`toml:", "`xml:", "`db:", "`mapstructure:", "`bson:"];
    let tag = tagged.into_iter().find(|tag| others.contains(tag))?;
    Some(format!(
        "other fields of its struct have `{}` tags, so that its name is a key",
        tag.trim_matches(['`', ':'])
    ))
}

/// A field of Go that a string may mean in a program that looks at types while it runs: decoders find fields by their names
/// in any case, or in snake case.
fn reflected(
    facts: &Facts<'_>,
    worktree: &Worktree,
    symbol: &SymbolFacts,
) -> Result<Option<String>, RefactorError> {
    if !symbol.name.starts_with(char::is_uppercase) {
        return Ok(None);
    }
    let mut texts = Vec::new();
    for file in facts.files()?.into_iter().filter(|file| file.lang == Lang::Go) {
        let text = worktree.read(&file.path)?.and_then(|bytes| String::from_utf8(bytes).ok());
        texts.extend(text.map(|text| (file.path, text)));
    }
    // Tests compare by `reflect`; what encodes and fills in does it to find fields.
    let reflects = |(path, text): &(String, String)| {
        if symbol.kind == SymbolKind::Method {
            return ["text/template\"", "html/template\"", "MethodByName("]
                .iter()
                .any(|word| text.contains(word));
        }
        !path.ends_with("_test.go") && text.contains("\"reflect\"")
            || GO_READERS.iter().any(|package| text.contains(package))
    };
    if !texts.iter().any(reflects) {
        return Ok(None);
    }
    let mut forms =
        vec![symbol.name.clone(), symbol.name.to_lowercase(), lower_first(&symbol.name), snake(&symbol.name)];
    let own = texts.iter().find(|(path, _)| *path == symbol.path);
    let tagged = own.map(|(_, text)| tag_names(text, symbol)).unwrap_or_default();
    // What its tag says is its name for those who read tags, whatever the field is called.
    forms.retain(|form| !tagged.contains(&form.as_str()));
    let words: Vec<&str> = forms.iter().map(String::as_str).collect();
    for (path, text) in texts.iter().filter(|(_, text)| words.iter().any(|word| text.contains(word))) {
        // Words of a message have blanks round them, parts of a path have not.
        let is_key = |span: orbit_extract::Span| {
            if is_in_tag(&text[..span.start as usize]) {
                return false;
            }
            let before = &text[..span.start as usize];
            if before.rfind("{{").is_some_and(|open| !before[open..].contains("}}") && before.ends_with('.'))
            {
                return true; // `{{ .Name }}` of a template
            }
            let ends = |c: Option<char>| c.is_none_or(|c| !c.is_whitespace() && !":!?()%/".contains(c));
            ends(text[..span.start as usize].chars().next_back())
                && ends(text[span.end as usize..].chars().next())
        };
        let found = spellings(path, Lang::Go, text.as_bytes(), &words).unwrap_or_default();
        let key = found.iter().find(|spelling| spelling.place == Place::Text && is_key(spelling.span));
        if let Some(key) = key {
            return Ok(Some(format!(
                "the program finds fields by their names, and {path}:{} may name this one",
                key.line
            )));
        }
    }
    Ok(None)
}

/// Whether a text ends in the tag of a field, behind its key: `` `json:" ``.
fn is_in_tag(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let key = line.rsplit_once(":\"").filter(|(_, value)| !value.contains('"')).map(|(key, _)| key);
    line.contains('`') && key.is_some_and(|key| key.ends_with(char::is_alphanumeric))
}

/// The names that the tag of a field gives it, one per key: `item` of `` `json:"item,omitempty"` ``.
fn tag_names<'t>(text: &'t str, field: &SymbolFacts) -> Vec<&'t str> {
    let line = text[field.span.0 as usize..].lines().next().unwrap_or("");
    let Some(tag) = line.split('`').nth(1) else { return Vec::new() };
    let values = tag.split('"').skip(1).step_by(2);
    values.filter_map(|value| value.split(',').next()).filter(|name| !name.is_empty()).collect()
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

/// `UserID` as `user_id`.
fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut found = String::new();
    for (at, c) in chars.iter().enumerate() {
        let ends_word = at > 0 && !chars[at - 1].is_uppercase();
        let starts_word = at > 0 && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (ends_word || starts_word) {
            found.push('_');
        }
        found.extend(c.to_lowercase());
    }
    found
}

/// A class that an annotation hands to a library which reads its members by name.
fn annotated(source: &str, owner: &SymbolFacts, symbol: &SymbolFacts) -> Option<String> {
    const READERS: [&str; 9] = [
        "@Entity",
        "@Serializable",
        "@JsonClass",
        "@Document",
        "@ConfigurationProperties",
        "@XmlRootElement",
        "@Data",
        "@Table",
        "[DataContract",
    ];
    const SAID: [&str; 7] = [
        "@Column(",
        "@SerialName",
        "@JsonProperty",
        "@SerializedName",
        "@Json(",
        "@Transient",
        "JsonPropertyName",
    ];
    let head = |symbol: &SymbolFacts| {
        let start = symbol.span.0 as usize;
        let above = source[..start].rfind(['}', ';', '{']).map_or(0, |at| at + 1);
        let text = &source[start..symbol.span.1 as usize];
        let end = text.find(&symbol.name).unwrap_or(0);
        source[above..start + end].to_owned()
    };
    let (outer, own) = (head(owner), head(symbol));
    let reader = READERS.into_iter().find(|reader| outer.contains(reader))?;
    let is_said = SAID.iter().any(|word| own.contains(word));
    (!is_said).then(|| format!("`{}` has `{reader}`", owner.name))
}
