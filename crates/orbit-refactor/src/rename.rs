//! `rename`: another name for a symbol, at its definition and wherever it is used.
//!
//! Every place where the old name is spelled gets a verdict; one doubt refuses the whole rename, unless the caller takes
//! doubtful places for the symbol's or for somebody else's ([`Doubts`]).

use crate::capture;
use crate::derived;
use crate::documents;
use crate::edit::{self, Edit};
use crate::error::{RefactorError, Refusal};
use crate::module_files;
use crate::plan::{Entry, FileChange, Plan, Review};
use crate::rules;
use crate::sites::{OLD, Scene, SourceFile};
use crate::unread;
use crate::verdict::{Verdict, verdict};
use crate::worktree::Worktree;
use orbit_extract::{Family, Lang, Place, Spelling, SymbolAddress};
use orbit_graph::{Facts, Selector, SymbolFacts, SymbolKind};

/// What becomes of places that may or may not mean the symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doubts {
    /// One of them refuses the whole rename.
    #[default]
    Refuse,
    /// They are changed.
    Change,
    /// They are left as they are.
    Leave,
}

/// How far a rename goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenameOptions {
    /// What becomes of doubtful places.
    pub doubts: Doubts,
    /// Comments and strings are changed too.
    pub comments: bool,
    /// Names that others derive from the symbol's, such as keys of JSON or flags of a command line, may change with it.
    pub allow_derived: bool,
}

/// Most places that a refusal or a review lists.
const MOST: usize = 200;

/// What a rename will do.
pub(crate) fn plan(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selector: &Selector,
    new_name: &str,
    options: RenameOptions,
) -> Result<Plan, RefactorError> {
    let subject = facts.symbol(selector)?;
    check_name(&subject, new_name)?;
    let rules = rules::of(subject.lang);
    let source = worktree.read_text(&subject.path)?;
    if !options.allow_derived {
        derived::check(facts, worktree, &subject, &source)?;
    }
    let group = in_order(rules.group(facts, &subject, &source)?, &subject);
    let scene = Scene::load(facts, worktree, group, new_name)?;
    let mut plan = Plan {
        title: format!("rename {} to {new_name}", subject.selector()),
        subject: subject.selector(),
        ..Plan::default()
    };
    let mut doubts = Vec::new();
    let mut edited = Vec::new();
    for file in &scene.files {
        let edits = file_edits(&scene, file, new_name, options, &mut plan.review, &mut doubts);
        if !edits.is_empty() {
            edited.push((file, edits));
        }
    }
    made_up(&scene, options, &mut plan.review, &mut doubts);
    unread_places(facts, worktree, &scene, options, &mut plan.review, &mut doubts)?;
    mentioned(facts, worktree, &scene, options, &mut plan.review, &mut doubts)?;
    if !doubts.is_empty() {
        let total = doubts.len();
        doubts.truncate(MOST);
        let message =
            format!("{total} uses of the name `{}` may or may not mean {}", subject.name, subject.selector());
        let refusal = Refusal::new("ambiguous_uses", message).places(doubts);
        return Err(refusal.hint("look at the places, then pass --include-fuzzy to change them too, or --skip-fuzzy to leave them").into());
    }
    let files: Vec<&str> = edited.iter().map(|(file, _)| file.path.as_str()).collect();
    rules.check_new_name(&subject, new_name, &files)?;
    capture::check(facts, &scene, new_name, &edited)?;
    for (file, mut edits) in edited {
        let before = file.text.clone().into_bytes();
        let after = edit::apply(&file.path, &before, &mut edits)?;
        plan.files.push(FileChange {
            path: file.path.clone(),
            before: Some(before),
            after: Some(after),
            edits,
        });
    }
    check_kind(&plan, &subject, new_name)?;
    plan.entries = scene.group.iter().map(|symbol| entry(symbol, new_name)).collect();
    module_files::follow(facts, worktree, &subject, new_name, &mut plan)?;
    plan.review.sort();
    plan.review.truncate(MOST);
    Ok(plan)
}

/// Each symbol once, the one that was asked for first.
fn in_order(mut group: Vec<SymbolFacts>, subject: &SymbolFacts) -> Vec<SymbolFacts> {
    group.retain(|member| member.lang.family() == subject.lang.family());
    group.sort_by_key(|member| member.id);
    group.dedup_by_key(|member| member.id);
    if let Some(at) = group.iter().position(|symbol| symbol.id == subject.id) {
        group.swap(0, at);
    }
    group
}

/// Whether a text can be the new name of a symbol.
pub(crate) fn check_name(subject: &SymbolFacts, new_name: &str) -> Result<(), RefactorError> {
    let unfit = [SymbolKind::Impl, SymbolKind::Heading].contains(&subject.kind)
        || subject.lang.family() == Family::Prose;
    if unfit {
        return Err(Refusal::new(
            "unsupported",
            format!("a {} has no name to change", subject.kind.as_str()),
        )
        .into());
    }
    if !rules::is_identifier(subject.lang, new_name) {
        let message = format!("`{new_name}` is not a valid {} identifier", subject.lang.title());
        return Err(Refusal::new("bad_name", message)
            .hint("a name has letters, digits and _, and no digit first")
            .into());
    }
    if rules::lists(rules::of(subject.lang).keywords(), new_name) {
        return Err(Refusal::new(
            "keyword",
            format!("`{new_name}` is a keyword of {}", subject.lang.title()),
        )
        .into());
    }
    if subject.name == new_name {
        return Err(Refusal::new("same_name", format!("it is called `{new_name}` already")).into());
    }
    Ok(())
}

/// Refuses a name that makes something else of a symbol: where capitals make a constant, its name keeps them. The log of a
/// rename says that the kind stays.
fn check_kind(plan: &Plan, subject: &SymbolFacts, new_name: &str) -> Result<(), RefactorError> {
    let file = plan.files.iter().find(|file| file.path == subject.path);
    let Some(after) = file.and_then(|file| file.after.as_deref()) else { return Ok(()) };
    let Ok(found) = orbit_extract::extract(&subject.path, subject.lang, after) else { return Ok(()) };
    let kinds: Vec<SymbolKind> = found
        .symbols
        .iter()
        .filter(|symbol| found.names.get(symbol.name) == new_name)
        .map(|symbol| symbol.kind)
        .collect();
    let Some(other) = kinds.first().filter(|_| !kinds.contains(&subject.kind)) else { return Ok(()) };
    let message = format!(
        "`{new_name}` would be a {}, and `{}` is a {}",
        other.as_str(),
        subject.name,
        subject.kind.as_str()
    );
    Err(Refusal::new("kind", message).hint("write the new name in the style of the old one").into())
}

fn file_edits(
    scene: &Scene,
    file: &SourceFile,
    new_name: &str,
    options: RenameOptions,
    review: &mut Vec<Review>,
    doubts: &mut Vec<String>,
) -> Vec<Edit> {
    let rules = rules::of(scene.lang);
    let mut edits = Vec::new();
    for spelling in file.spellings.iter().filter(|spelling| spelling.word == OLD) {
        let mut note = |reason: &str, edited: bool| {
            review.push(Review {
                file: file.path.clone(),
                line: spelling.line,
                reason: reason.to_owned(),
                edited,
            });
        };
        match verdict(scene, rules, file, spelling) {
            Verdict::Change(why) => {
                if let Some(why) = why {
                    note(why, true);
                }
                edits.push(replacement(scene, file, spelling, new_name));
            }
            Verdict::Keep => {}
            Verdict::Review(why) => {
                let is_ours = scene.lang.family() == file_family(file);
                note(why, options.comments && is_ours);
                if options.comments && is_ours {
                    edits.push(Edit::new(spelling.span.start, spelling.span.end, new_name));
                }
            }
            Verdict::Doubt(why) if options.doubts == Doubts::Change => {
                note(&why, true);
                edits.push(replacement(scene, file, spelling, new_name));
            }
            Verdict::Doubt(why) if options.doubts == Doubts::Leave => note(&why, false),
            Verdict::Doubt(why) => doubts.push(format!("{}:{}: {why}", file.path, spelling.line)),
        }
    }
    edits
}

/// Names that are put together cannot be changed; they stand in the way, or are left to a person.
fn made_up(scene: &Scene, options: RenameOptions, review: &mut Vec<Review>, doubts: &mut Vec<String>) {
    const WHY: &str = "a name that is put together may be this one";
    for place in &scene.made_up {
        if options.doubts == Doubts::Refuse {
            doubts.push(format!("{place}: {WHY}"));
            continue;
        }
        let (file, line) = place.rsplit_once(':').unwrap_or((place, "1"));
        let line = line.parse().unwrap_or(1);
        review.push(Review { file: file.to_owned(), line, reason: WHY.to_owned(), edited: false });
    }
}

/// Files that were not read may have the name: those of the language stand in the way, others are left to a person.
fn unread_places(
    facts: &Facts<'_>,
    worktree: &Worktree,
    scene: &Scene,
    options: RenameOptions,
    review: &mut Vec<Review>,
    doubts: &mut Vec<String>,
) -> Result<(), RefactorError> {
    for place in unread::places(facts, worktree, scene.lang, &scene.group[0].name)? {
        let why = format!("the file was not read ({})", place.reason);
        if place.is_ours && options.doubts == Doubts::Refuse {
            doubts.push(format!("{}:{}: {why}", place.file, place.line));
        } else {
            review.push(Review { file: place.file, line: place.line, reason: why, edited: false });
        }
    }
    Ok(())
}

/// Documents that name the symbol are left to a person; where code reads one, its examples stand in the way.
fn mentioned(
    facts: &Facts<'_>,
    worktree: &Worktree,
    scene: &Scene,
    options: RenameOptions,
    review: &mut Vec<Review>,
    doubts: &mut Vec<String>,
) -> Result<(), RefactorError> {
    let first = &scene.group[0];
    let module = first.qualified.rsplit_once('.').map_or("", |(module, _)| module);
    if scene.lang == Lang::Python && first.parent.is_none() && options.doubts == Doubts::Refuse {
        let points = documents::entry_points(worktree, module, &first.name).into_iter();
        doubts.extend(points.map(|(file, line)| format!("{file}:{line}: an entry point of the package")));
    }
    for mention in documents::mentions(facts, worktree, scene)? {
        let why = match &mention.reader {
            Some(reader) => format!("an example in a document that {reader} reads"),
            None => "named in a document".to_owned(),
        };
        if mention.reader.is_some() && options.doubts == Doubts::Refuse {
            doubts.push(format!("{}:{}: {why}", mention.file, mention.line));
        } else {
            review.push(Review { file: mention.file, line: mention.line, reason: why, edited: false });
        }
    }
    Ok(())
}

fn file_family(file: &SourceFile) -> Family {
    orbit_extract::Lang::of_path(&file.path).map_or(Family::Prose, orbit_extract::Lang::family)
}

/// The new name; with the old one beside it where one word stands for a key and a value, and without where both are the
/// same now.
fn replacement(scene: &Scene, file: &SourceFile, spelling: &Spelling, new_name: &str) -> Edit {
    let first = &scene.group[0];
    if let Some(partner) = spelling.partner.filter(|partner| file.text_of(*partner) == new_name) {
        let (start, end) = (spelling.span.start.min(partner.start), spelling.span.end.max(partner.end));
        return Edit::new(start, end, new_name); // one word says both again
    }
    if is_exchanged(file, spelling) {
        return Edit::new(spelling.span.start, spelling.span.end, new_name);
    }
    let text = match spelling.shorthand && spelling.place == Place::Plain {
        true if scene.is_member(first) => {
            // `Item { ref mut name }` is `Item { title: ref mut name }`.
            let before = &file.text[..spelling.span.start as usize];
            let modes = ["ref mut ", "ref ", "mut "].into_iter().find(|modes| before.ends_with(modes));
            let modes = modes.filter(|_| scene.lang == Lang::Rust).unwrap_or("");
            let start = spelling.span.start - modes.len() as u32;
            return Edit::new(start, spelling.span.end, format!("{new_name}: {modes}{}", first.name));
        }
        true => format!("{}: {new_name}", first.name),
        false => new_name.to_owned(),
    };
    Edit::new(spelling.span.start, spelling.span.end, text)
}

/// Whether one word is what a CommonJS module exports, or takes from another: then both sides have the new name.
fn is_exchanged(file: &SourceFile, spelling: &Spelling) -> bool {
    if !spelling.shorthand || file_family(file) != Family::Script {
        return false;
    }
    let (before, after) =
        (&file.text[..spelling.span.start as usize], &file.text[spelling.span.end as usize..]);
    let is_flat = |text: &str| !text.contains(['{', '}', '(', ')', ';']);
    let open = before.rfind('{').filter(|open| is_flat(&before[open + 1..]));
    let close = after.find('}').filter(|close| is_flat(&after[..*close]));
    let (Some(open), Some(close)) = (open, close) else { return false };
    let head = before[..open].trim_end();
    let is_exported = head.ends_with("module.exports =") || head.ends_with("exports = module.exports =");
    is_exported || after[close + 1..].trim_start().starts_with("= require(")
}

/// The entry of the operation log.
fn entry(symbol: &SymbolFacts, new_name: &str) -> Entry {
    let local = renamed(&symbol.local, &symbol.name, new_name);
    Entry::Rename { pre: symbol.address(), post: SymbolAddress { local, ..symbol.address() } }
}

/// A qualified name with another last part.
pub(crate) fn renamed(local: &str, old: &str, new: &str) -> String {
    match local.rfind(old) {
        Some(at) => format!("{}{new}{}", &local[..at], &local[at + old.len()..]),
        None => new.to_owned(),
    }
}
