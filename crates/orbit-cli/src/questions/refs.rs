//! `orbit graph refs`: who uses a symbol.

use super::account;
use super::compact::{add_line, file_of, finish, name, sign};
use super::options::Threshold;
use super::places;
use super::several::Several;
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{mark, printable, some, stale};
use clap::{Args, ValueEnum};
use orbit_graph::{Confidence, Graph, RefOptions, Selector};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Why an occurrence is most likely a use although its receiver or import is unknown.
const BY_NAME_ALONE: &str = "by name alone: the only definition";
/// More definitions than this are only counted for agents.
const MOST_CANDIDATES: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct Refs {
    /// Selectors, names or path:line; of a name all symbols, of a file or module who imports it
    #[arg(required = true, value_name = "SELECTORS")]
    selector: Vec<String>,
    #[arg(
        long,
        value_enum,
        help = "List edges down to this confidence level; weaker ones are counted [default: same_module]"
    )]
    confidence: Option<Threshold>,
    /// Only this kind
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Files and lines only
    #[arg(long)]
    lines: bool,
    /// At most this many
    #[arg(long, default_value_t = 500, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Kind {
    Call,
    Type,
    Use,
    TraitBound,
    Value,
    Impl,
    Extends,
    Implements,
    Overrides,
}

impl Question for Refs {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "refs";
    const ABOUT: &'static str = "Who uses a symbol: calls, types, imports, and what extends or implements it";
    const EXAMPLES: &'static [&'static str] = &[
        "graph refs get_resolver",
        "graph refs Client::connect --kind call",
        "graph refs send --confidence fuzzy",
        "graph refs file:src/cart.rs",
        "graph refs Cart::add Cart::remove",
    ];
    const TOOL: Option<&'static str> =
        Some("Who uses a symbol, by kind and file, and what extends or implements it.");
    const IS_GROUPED: bool = true;

    type Answer = Several<orbit_graph::Refs>;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let graph = context.graph(self.sync)?;
        let selectors = context.selectors(&self.selector)?;
        let answers = selectors.iter().map(|selector| self.refs(context, graph, selector));
        answers.collect::<Result<_, _>>().map(Several)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        answer.0.iter().try_for_each(|answer| text(answer, self.lines, out))
    }

    fn files(&self, answer: &Self::Answer) -> Vec<String> {
        let of = |answer: &orbit_graph::Refs| match &answer.target.selector {
            Some(selector) if answer.targets.is_empty() => file_of(selector).into_iter().collect(),
            _ => answer.targets.iter().map(|target| target.file.clone()).collect::<Vec<_>>(),
        };
        answer.0.iter().flat_map(of).collect()
    }

    fn compact(&self, answer: &Self::Answer) -> Value {
        answer.compact(&self.selector, |asked, answer| compact(asked, answer, self.lines))
    }
}

impl Refs {
    fn refs(
        &self,
        context: &Context<'_>,
        graph: &Graph,
        selector: &Selector,
    ) -> Result<orbit_graph::Refs, Failure> {
        let kind =
            self.kind.as_ref().and_then(Kind::to_possible_value).map(|kind| kind.get_name().to_owned());
        let threshold = self.confidence.unwrap_or(Threshold::SameModule);
        let options = RefOptions {
            confidence: threshold.confidence(),
            kind,
            limit: self.limit,
            snippets: !context.is_compact(),
        };
        Ok(graph.refs(selector, &options)?)
    }
}

fn text(answer: &orbit_graph::Refs, lines: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut rows = Rows::default();
    for target in &answer.targets {
        let about = format!("{}, {}", printable(&target.selector), some(target.refs, "ref"));
        rows.push(&target.file, target.line, "defines", &about);
    }
    for used in &answer.refs {
        let from = if lines { String::new() } else { printable(&used.from_selector) };
        rows.push(&used.file, used.line, used.kind, &format!("{from}{}", mark(used.confidence)));
    }
    for related in &answer.relations {
        let from = related.from_selector.as_deref().unwrap_or(&related.from);
        let from = format!("{}{}", printable(from), mark(related.confidence));
        rows.push(&related.file, related.line, related.kind, &from);
    }
    rows.print(out)?;
    let (shown, all) = (answer.refs.len() + answer.relations.len(), answer.total + answer.relations_total);
    if answer.truncated {
        writeln!(out, "({shown} of {all}; raise --limit)")?;
    }
    for through in answer.through.iter().filter(|through| through.refs > 0 && !is_listed(answer)) {
        writeln!(
            out,
            "({} of {}, which it overrides; --confidence dispatch lists them)",
            some(through.refs, "more use"),
            printable(&through.selector)
        )?;
    }
    if let Some(account) = &answer.account {
        writeln!(out, "{}", account::sentence(account, &answer.target.name, answer.uncertain.len()))?;
    } else if answer.skipped_low_confidence > 0 {
        writeln!(
            out,
            "({} more match by name only; --confidence fuzzy lists them)",
            answer.skipped_low_confidence
        )?;
    }
    let mut rows = Rows::default();
    for row in &answer.uncertain {
        let reason = if row.by_name_alone { BY_NAME_ALONE } else { &row.reason };
        let about = format!("{}  ({reason})", printable(row.snippet.as_deref().unwrap_or("")));
        rows.push(&row.file, row.line, "perhaps", &about);
    }
    rows.print(out)?;
    let candidates = candidates(answer);
    if !candidates.is_empty() {
        writeln!(out, "(each of these could also mean {})", printable(&candidates.join(", ")))?;
    }
    stale(out, &answer.stale)
}

/// The definitions besides those asked for that uncertain rows could mean.
fn candidates(answer: &orbit_graph::Refs) -> Vec<&str> {
    let asked: Vec<&str> = answer.targets.iter().map(|target| target.selector.as_str()).collect();
    let all = answer.uncertain.iter().flat_map(|row| &row.candidates).map(String::as_str);
    let mut others: Vec<&str> = all.filter(|candidate| !asked.contains(candidate)).collect();
    others.sort_unstable();
    others.dedup();
    others
}

/// `{kind: {file: "symbol:line,line symbol:line"}}`: every line, nothing twice; without the symbols if asked for. What may be
/// dispatched and what is uncertain stands apart, and the account at the end. What the answer is about is said unless the question said it to the letter.
fn compact(asked: &str, answer: &orbit_graph::Refs, lines: bool) -> Value {
    let (mut refs, mut dispatch, mut uncertain) = (json!({}), json!({}), json!({}));
    let add = |group: &mut Value, file: &str, from: &str, line: u32| {
        let file = &mut group[file];
        add_line(if lines { file } else { &mut file[name(from)] }, line);
    };
    for row in &answer.refs {
        let group = match row.confidence {
            Confidence::FuzzyName => &mut uncertain["not resolved"],
            Confidence::Dispatch => &mut dispatch,
            _ => &mut refs[row.kind],
        };
        add(group, &row.file, &row.from_selector, row.line);
    }
    let is_listed = answer.refs.iter().any(|row| row.confidence == Confidence::FuzzyName);
    for row in answer.uncertain.iter().filter(|_| !is_listed) {
        let reason = if row.by_name_alone { BY_NAME_ALONE } else { &row.reason };
        add(&mut uncertain[reason], &row.file, &row.from_selector, row.line);
    }
    let mut relations = json!({});
    for row in &answer.relations {
        let from = row.from_selector.as_deref().map_or_else(|| row.from.clone(), name);
        let from = format!("{from}{}", sign(row.confidence));
        add_line(&mut relations[row.kind][&row.file][from], row.line);
    }
    let mut out = Map::new();
    let targets: Vec<&str> = answer.targets.iter().map(|target| target.selector.as_str()).collect();
    match targets[..] {
        [_] if matches!(Selector::parse(asked), Ok(Selector::Symbol { .. })) => {}
        [one] => drop(out.insert("target".into(), json!(places::unless_asked(asked, one)))),
        _ => drop(out.insert("targets".into(), json!(targets))),
    }
    out.insert("refs".into(), by_group(&refs));
    let (dispatch, uncertain, relations) =
        (places::texts(&dispatch), by_group(&uncertain), by_group(&relations));
    for (name, rows) in [("dispatch", dispatch), ("uncertain", uncertain), ("relations", relations)] {
        if rows.as_object().is_some_and(|rows| !rows.is_empty()) {
            out.insert(name.into(), rows);
        }
    }
    let candidates = candidates(answer);
    if !candidates.is_empty() {
        let few = json!(candidates);
        let candidates = if candidates.len() > MOST_CANDIDATES { json!(candidates.len()) } else { few };
        out.insert("could_also_mean".into(), candidates);
    }
    let through = answer.through.iter().filter(|through| through.refs > 0);
    let through: Map<String, Value> =
        through.map(|through| (through.selector.clone(), json!(through.refs))).collect();
    if !through.is_empty() {
        out.insert("also_called_through".into(), Value::Object(through));
    }
    if let Some(account) = &answer.account {
        out.insert("account".into(), account::compact(account));
    } else if answer.skipped_low_confidence > 0 {
        out.insert("skipped_low_confidence".into(), json!(answer.skipped_low_confidence));
    }
    finish(out, answer.truncated.then_some(answer.total + answer.relations_total), &answer.stale)
}

/// The places of each kind or reason in few characters.
fn by_group(groups: &Value) -> Value {
    let groups = groups.as_object().into_iter().flatten();
    Value::Object(groups.map(|(group, files)| (group.clone(), places::texts(files))).collect())
}

/// Whether the uses that may be dispatched are among the rows.
fn is_listed(answer: &orbit_graph::Refs) -> bool {
    answer.refs.iter().any(|row| row.confidence >= Confidence::Dispatch)
}
