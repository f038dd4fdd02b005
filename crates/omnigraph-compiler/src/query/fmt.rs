//! Queries in their one form.

mod expr;

use super::ast::{
    Assignment, Block, Body, Clause, Expr, OrderKey, Projection, QueryDecl, QueryFile, Read, Statement,
};
use super::parse::parse;
use crate::diagnostic::Diagnostics;
use crate::literal::{comma, quote};
use crate::print::Printer;
use crate::source::{Source, Span};
use expr::expr;
use std::fmt::Write as _;

/// The text in its one form, with its comments. A text that cannot be read is not changed.
pub fn format_query(source: &Source) -> Result<String, Diagnostics> {
    let (file, errors, comments) = parse(source.text());
    let file = errors.finish(file)?;
    Ok(print(&file, Printer::new(source.text(), &comments)))
}

/// A tree as text.
pub fn print_query(file: &QueryFile) -> String {
    print(file, Printer::new("", &[]))
}

fn print(file: &QueryFile, mut printer: Printer<'_>) -> String {
    for query in &file.queries {
        printer.blank();
        decl(&mut printer, query);
    }
    printer.finish()
}

fn decl(printer: &mut Printer<'_>, query: &QueryDecl) {
    let params = query.params.iter().map(|param| {
        let default = param.default.as_ref().map(|value| format!(" = {}", expr(value))).unwrap_or_default();
        format!("${}: {}{default}", param.name, param.ty)
    });
    let mut header = format!("query {}({})", query.name, comma(params));
    for (word, text) in [("description", &query.description), ("instruction", &query.instruction)] {
        if let Some(text) = text {
            let _ = write!(header, "\n    @{word}({})", quote(text));
        }
    }
    let is_annotated = query.description.is_some() || query.instruction.is_some();
    header.push_str(if is_annotated { "\n{" } else { " {" });
    printer.open(query.header, &header);
    match &query.body {
        Body::Read(body) => read(printer, body),
        Body::Mutation(statements) => statements.iter().for_each(|item| statement(printer, item)),
    }
    printer.close(query.span.end);
}

fn read(printer: &mut Printer<'_>, read: &Read) {
    let open = Span { start: read.match_span.start, end: printer.brace_after(read.match_span.start) };
    printer.open(open, "match {");
    read.clauses.iter().for_each(|item| clause(printer, item));
    printer.close(read.match_span.end);
    let columns: Vec<(Span, String)> = read.projections.iter().map(projection).collect();
    let word = if read.distinct { "return distinct" } else { "return" };
    list(printer, word, read.return_span, &columns);
    if !read.order.is_empty() {
        let keys: Vec<(Span, String)> = read.order.iter().map(order_key).collect();
        list(printer, "order", read.order_span, &keys);
    }
    for (word, count) in [("skip", &read.skip), ("limit", &read.limit)] {
        if let Some(count) = count {
            printer.item(count.span, &format!("{word} {}", expr(count)));
        }
    }
}

/// On one line when it fits and holds no comment, else one entry per line.
fn list(printer: &mut Printer<'_>, word: &str, span: Span, entries: &[(Span, String)]) {
    let texts: Vec<&str> = entries.iter().map(|(_, text)| text.as_str()).collect();
    let line = format!("{word} {{ {} }}", texts.join(", "));
    if printer.fits(&line) && !printer.has_comment(span) {
        return printer.item(span, &line);
    }
    let open = Span { start: span.start, end: printer.brace_after(span.start) };
    printer.open(open, &format!("{word} {{"));
    let last = entries.len() - 1;
    for (at, (span, text)) in entries.iter().enumerate() {
        printer.item(*span, &format!("{text}{}", if at < last { "," } else { "" }));
    }
    printer.close(span.end);
}

fn projection(projection: &Projection) -> (Span, String) {
    let value = expr(&projection.expr);
    match &projection.alias {
        Some(alias) => (projection.expr.span.to(alias.span), format!("{value} as {alias}")),
        None => (projection.expr.span, value),
    }
}

fn order_key(key: &OrderKey) -> (Span, String) {
    let direction = key.direction.map(|direction| format!(" {}", direction.as_str()));
    (key.expr.span, format!("{}{}", expr(&key.expr), direction.unwrap_or_default()))
}

fn clause(printer: &mut Printer<'_>, clause: &Clause) {
    match clause {
        Clause::Block(block) => self::block(printer, block),
        Clause::Binding(binding) => {
            let mut text = format!("${}: {}", binding.var, binding.type_name);
            if !binding.props.is_empty() {
                let _ = write!(text, " {{ {} }}", assignments(&binding.props));
            }
            printer.item(binding.span, &text);
        }
        Clause::Traversal(_) | Clause::Filter(_) => printer.item(clause.span(), &expr::clause(clause)),
    }
}

fn block(printer: &mut Printer<'_>, block: &Block) {
    let word = block.kind.as_str();
    if let [only @ (Clause::Binding(_) | Clause::Traversal(_) | Clause::Filter(_))] = &block.clauses[..] {
        let line = format!("{word} {{ {} }}", expr::clause(only));
        if printer.fits(&line) && !printer.has_comment(block.span) {
            return printer.item(block.span, &line);
        }
    }
    printer.open(block.header, &format!("{word} {{"));
    block.clauses.iter().for_each(|item| clause(printer, item));
    printer.close(block.span.end);
}

fn assignments(list: &[Assignment]) -> String {
    comma(list.iter().map(|assignment| format!("{}: {}", assignment.property, expr(&assignment.value))))
}

fn statement(printer: &mut Printer<'_>, statement: &Statement) {
    match statement {
        Statement::Insert(insert) => {
            values(printer, &format!("insert {}", insert.type_name), insert.span, &insert.values, None);
        }
        Statement::Update(update) => {
            let head = format!("update {} set", update.type_name);
            values(printer, &head, update.span, &update.values, Some(&update.filter));
        }
        Statement::Delete(delete) => {
            printer.item(delete.span, &format!("delete {} where {}", delete.type_name, expr(&delete.filter)));
        }
    }
}

/// `head { a: 1, b: 2 } where …`, on several lines when it does not fit.
fn values(printer: &mut Printer<'_>, head: &str, span: Span, values: &[Assignment], filter: Option<&Expr>) {
    let tail = filter.map(|filter| format!(" where {}", expr(filter))).unwrap_or_default();
    let line = format!("{head} {{ {} }}{tail}", assignments(values));
    if printer.fits(&line) {
        return printer.item(span, &line);
    }
    let mut text = format!("{head} {{\n");
    for value in values {
        let _ = writeln!(text, "    {}: {},", value.property, expr(&value.value));
    }
    let _ = write!(text, "}}{tail}");
    printer.item(span, &text);
}
