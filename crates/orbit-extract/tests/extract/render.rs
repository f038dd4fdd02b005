//! Prints the facts of one file compactly, for inline expectations.

use expect_test::Expect;
use orbit_extract::{Expr, ExprId, ExtractedFile, ImportKind, Lang, ScopeId, extract};
use std::fmt::Write as _;

/// Extracts `source` as a file named `path` and compares all facts with `expected`.
pub(crate) fn check(path: &str, source: &str, expected: &Expect) {
    let lang = Lang::of_path(path).expect("the fixture's name has a language");
    let file = extract(path, lang, source.as_bytes()).expect("fixtures extract");
    expected.assert_eq(&render(&file));
}

/// One line per fact:
/// `symbol <kind> <path> <line>-<end> [pub] [(<params>)] [<type params>] [for <receiver>] [@(<decorators>)] [bodiless] [inactive] [: <type>] | <signature>`,
/// `ref <kind> <base>.<name>[(<args>)] @<line> in <scope>`, and so on.
pub(crate) fn render(file: &ExtractedFile) -> String {
    let mut out = String::new();
    if file.has_errors {
        out.push_str("has errors\n");
    }
    if let Some(package) = file.package {
        let _ = writeln!(out, "package {}", file.names.get(package));
    }
    render_symbols(file, &mut out);
    for row in &file.refs {
        let base = row.base.map_or(String::new(), |base| format!("{} . ", expr(file, base)));
        let name = file.names.get(row.name);
        let args = row.args.map_or(String::new(), |args| expr(file, args));
        let _ = writeln!(
            out,
            "ref {} {base}{name}{args} @{} in {}",
            row.kind.as_str(),
            row.line,
            scope(file, row.scope)
        );
    }
    for row in &file.relations {
        let (from, to) = (expr(file, row.from), expr(file, row.to));
        let _ = writeln!(out, "relation {from} {} {to} @{}", row.kind.as_str(), row.line);
    }
    render_imports(file, &mut out);
    for row in &file.strings {
        let _ = writeln!(out, "string {:?} @{} in {}", row.value, row.line, scope(file, row.scope));
    }
    for row in &file.configs {
        let _ = writeln!(out, "config {} {} @{}", row.kind.as_str(), row.key, row.line);
    }
    for row in &file.commands {
        let handler = row.handler.map_or(String::from("-"), |handler| expr(file, handler));
        let body = row.body.map_or(String::new(), |body| format!(" runs {}..{}", body.start, body.end));
        let _ = writeln!(out, "command {:?} -> {handler}{body} @{}", row.name, row.line);
    }
    out
}

fn render_symbols(file: &ExtractedFile, out: &mut String) {
    for symbol in &file.symbols {
        let _ = write!(out, "symbol {} {}", symbol.kind.as_str(), file.names.get(symbol.local));
        if symbol.overload > 0 {
            let _ = write!(out, "#{}", symbol.overload + 1);
        }
        let _ = write!(out, " {}-{}", symbol.line, symbol.end_line);
        if symbol.exported {
            out.push_str(" pub");
        }
        if let Some(params) = symbol.params {
            let _ = write!(out, " {}", expr(file, params));
        }
        if let Some(parameters) = symbol.type_params {
            let _ = write!(out, " <{}>", items(file, parameters).join(", "));
        }
        if let Some(receiver) = symbol.receiver {
            let _ = write!(out, " for {}", expr(file, receiver));
        }
        if let Some(decorators) = symbol.decorators {
            let _ = write!(out, " @{}", expr(file, decorators));
        }
        if symbol.bodiless {
            out.push_str(" bodiless");
        }
        if symbol.inactive {
            out.push_str(" inactive");
        }
        if let Some(condition) = symbol.condition {
            let _ = write!(out, " if {}", file.names.get(condition));
        }
        if let Some(ty) = symbol.ty {
            let _ = write!(out, " : {}", expr(file, ty));
        }
        if let Some(signature) = &symbol.signature {
            let _ = write!(out, " | {signature}");
        }
        out.push('\n');
    }
}

fn render_imports(file: &ExtractedFile, out: &mut String) {
    for row in &file.imports {
        let kind = match row.kind {
            ImportKind::Symbol => "symbol",
            ImportKind::Module => "module",
            ImportKind::Glob => "glob",
            ImportKind::File => "file",
            ImportKind::ModuleDecl => "mod",
        };
        let _ = write!(out, "import {kind} {}", file.names.get(row.module));
        if let Some(symbol) = row.symbol {
            let _ = write!(out, " [{}]", file.names.get(symbol));
        }
        if let Some(binds) = row.binds {
            let _ = write!(out, " as {}", file.names.get(binds));
        }
        if row.reexport {
            out.push_str(" reexport");
        }
        if let Some(condition) = row.condition {
            let _ = write!(out, " if {}", file.names.get(condition));
        }
        let _ = writeln!(out, " @{} in {}", row.line, scope(file, row.scope));
    }
}

fn scope(file: &ExtractedFile, scope: ScopeId) -> &str {
    scope.symbol().map_or("-", |index| file.names.get(file.symbols[index].local))
}

fn expr(file: &ExtractedFile, id: ExprId) -> String {
    match file.exprs[id.0 as usize] {
        Expr::Unknown => "?".into(),
        Expr::Builtin => "#".into(),
        Expr::This => "this".into(),
        Expr::Super => "super".into(),
        Expr::Name(name) => file.names.get(name).into(),
        Expr::Member(base, name) => format!("{}.{}", expr(file, base), file.names.get(name)),
        Expr::Call(callee) => format!("{}()", expr(file, callee)),
        Expr::Instance(ty) => format!("<{}>", expr(file, ty)),
        Expr::Element(whole) => format!("{}[]", expr(file, whole)),
        Expr::Apply(base, argument) => format!("{}<{}>", expr(file, base), expr(file, argument)),
        Expr::Primitive(name) => format!("#{}", file.names.get(name)),
        Expr::Returns(value) => format!("=>{}", expr(file, value)),
        Expr::Function(params, value) => {
            format!("({})=>{}", items(file, params).join(", "), expr(file, value))
        }
        Expr::Expects(callee, at) => format!("{}(#{at})", expr(file, callee)),
        Expr::Receives(function, at) => format!("{}<-{at}", expr(file, function)),
        Expr::Object(path) => format!("{{{}}}", file.names.get(path)),
        Expr::Shape(members) => format!("{{{}}}", items(file, members).join(", ")),
        Expr::Keyed(name, value) => format!("{}: {}", file.names.get(name), expr(file, value)),
        Expr::Union(parts) => items(file, parts).join("|"),
        Expr::Intersection(parts) => items(file, parts).join("&"),
        Expr::Position(whole, at) => format!("{}.{at}", expr(file, whole)),
        Expr::Nil => "()".into(),
        Expr::List(..) => format!("({})", items(file, id).join(", ")),
        Expr::Tuple(list) => expr(file, list),
        Expr::Defaulted(ty) => format!("{}?", expr(file, ty)),
        Expr::Rest(ty) => format!("{}...", expr(file, ty)),
        Expr::Parameter(name, bound) => match file.exprs[bound.0 as usize] {
            Expr::Unknown => format!("${}", file.names.get(name)),
            _ => format!("${}:{}", file.names.get(name), expr(file, bound)),
        },
        Expr::Generic(base, mark) if let Expr::Primitive(mark) = file.exprs[mark.0 as usize] => {
            format!("{}{{{}}}", expr(file, base), file.names.get(mark))
        }
        Expr::Generic(base, args) => format!("{}<{}>", expr(file, base), items(file, args).join(", ")),
        Expr::Holds(list) => format!("[{}]", items(file, list).join(", ")),
        Expr::Values(list) => format!("({},)", items(file, list).join(", ")),
        Expr::Each(whole) => format!("each({})", expr(file, whole)),
        Expr::Enter(manager) => format!("enter({})", expr(file, manager)),
        Expr::Fixture(name) => format!("fixture({})", file.names.get(name)),
        Expr::Own(at) => format!("own {}", file.names.get(file.symbols[at as usize].local)),
        // The arguments stand at the reference of the call itself.
        Expr::With(callee, _) => expr(file, callee),
        Expr::Implied(name, receivers) => {
            format!("{} on {}", file.names.get(name), expr(file, receivers))
        }
        Expr::Class(named) => format!("class {}", expr(file, named)),
        Expr::Giving(callee, expected) => format!("{}:{}", expr(file, callee), expr(file, expected)),
    }
}

fn items(file: &ExtractedFile, mut list: ExprId) -> Vec<String> {
    let mut items = Vec::new();
    while let Expr::List(item, rest) = file.exprs[list.0 as usize] {
        items.push(expr(file, item));
        list = rest;
    }
    items
}
