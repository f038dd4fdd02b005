//! Values and conditions, from the weakest binding to the strongest: `or`, `and`, `not`, comparison, sum,
//! product, operand.

use super::Parser;
use crate::code::Code;
use crate::cursor::{Failed, Parsed};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::literal::Literal;
use crate::query::ast::{Aggregate, ArithOp, Change, CompareOp, Expr, ExprKind, Function};
use crate::source::{Name, Span};
use crate::suggest;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(Parser::or)
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.at.enter()?;
        let result = parse(self);
        self.at.leave();
        result
    }

    fn or(&mut self) -> Parsed<Expr> {
        self.chain("or", Parser::and, ExprKind::Or)
    }

    fn and(&mut self) -> Parsed<Expr> {
        self.chain("and", Parser::not, ExprKind::And)
    }

    /// `a word b word c` as one list.
    fn chain(
        &mut self,
        word: &str,
        operand: impl Fn(&mut Self) -> Parsed<Expr>,
        join: impl Fn(Vec<Expr>) -> ExprKind,
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        let start = first.span;
        let mut parts = vec![first];
        while self.at.is_word(word) && !self.is_next_name() {
            self.at.bump();
            parts.push(operand(self)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(Expr { kind: join(parts), span: start.to(self.at.previous()) })
    }

    fn not(&mut self) -> Parsed<Expr> {
        if !self.at.is_word("not") || self.is_name(1) {
            return self.comparison();
        }
        let start = self.at.bump().span;
        let inner = if self.at.is("{") { self.exists(start)? } else { self.deeper(Parser::not)? };
        let span = start.to(inner.span);
        Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span })
    }

    /// Whether a word that could be an operator is a name, because nothing follows that it could work on.
    fn is_name(&self, ahead: usize) -> bool {
        match self.at.kind(ahead) {
            Kind::Punct(punct) => matches!(punct, "," | "}" | ")" | "=" | "!=" | "<" | ">" | "<=" | ">="),
            Kind::Ident => matches!(self.at.text(ahead), "asc" | "desc" | "as"),
            Kind::End => true,
            _ => false,
        }
    }

    /// Whether a word that could be an operator names what comes next in a list of values: `{ a: 1 in: 2 }`.
    fn is_next_name(&self) -> bool {
        self.at.kind(0) == Kind::Ident && self.at.is_ahead(1, ":")
    }

    /// At most one comparison; `a < b < c` is an error.
    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        if self.is_next_name() {
            return Ok(left);
        }
        let start = left.span;
        let left = Box::new(left);
        let negated = self.at.is_word("not") && self.at.is_word_ahead(1, "in");
        let kind = if negated || self.at.is_word("in") {
            self.at.bump();
            if negated {
                self.at.bump();
            }
            ExprKind::In { item: left, list: Box::new(self.sum()?), negated }
        } else if self.at.eat_word("is") {
            let negated = self.at.eat_word("not");
            self.at.expect_word(&["null"])?;
            ExprKind::IsNull { arg: left, negated }
        } else if let Some(change) = self.change() {
            self.at.bump();
            self.at.bump();
            ExprKind::Since { arg: left, change, since: Box::new(self.sum()?) }
        } else if let Some(op) = self.compare_op() {
            self.at.bump();
            if op == CompareOp::Eq && self.at.is("=") {
                return Err(self.at.expected_or("a value", Some("equality is written with one `=`".into())));
            }
            ExprKind::Compare { op, left, right: Box::new(self.sum()?) }
        } else {
            return Ok(*left);
        };
        let expr = Expr { kind, span: start.to(self.at.previous()) };
        if self.compare_op().is_some() {
            let found = Diagnostic::error(Code::Q000, self.at.span(), "comparisons cannot be chained");
            return Err(self.at.note(found.hint("join them with `and`: `$a.x > 1 and $a.x < 5`")));
        }
        Ok(expr)
    }

    /// `changed since`, which no edge and no other operator looks like.
    fn change(&self) -> Option<Change> {
        Change::named(self.at.text(0)).filter(|_| self.at.is_word_ahead(1, "since"))
    }

    fn compare_op(&self) -> Option<CompareOp> {
        match self.at.kind(0) {
            Kind::Punct(_) | Kind::Ident => CompareOp::named(self.at.text(0)),
            _ => None,
        }
    }

    /// A value that may be computed of others.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.computed(&[ArithOp::Add, ArithOp::Sub], Parser::product)
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.computed(&[ArithOp::Mul, ArithOp::Div, ArithOp::Rem], Parser::operand)
    }

    /// `a op b op c`, from the left. Every operator is a level of nesting.
    fn computed(&mut self, ops: &[ArithOp], operand: impl Fn(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        let mut left = operand(self)?;
        let mut levels = 0;
        let done = loop {
            let Some(op) = self.arith_op().filter(|op| ops.contains(op)) else { break Ok(()) };
            if self.at.enter().is_err() {
                break Err(Failed);
            }
            levels += 1;
            self.at.bump();
            let Ok(right) = operand(self) else { break Err(Failed) };
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Arith { op, left: Box::new(left), right: Box::new(right) }, span };
        };
        (0..levels).for_each(|_| self.at.leave());
        done.map(|()| left)
    }

    /// An operator between two values. A `-` that begins a line belongs to a number of its own: values stand on lines too.
    fn arith_op(&self) -> Option<ArithOp> {
        let Kind::Punct(punct) = self.at.kind(0) else { return None };
        let op = ArithOp::named(punct)?;
        (op != ArithOp::Sub || !self.at.peek(0).on_new_line).then_some(op)
    }

    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        let start = self.at.span();
        let kind = match self.at.kind(0) {
            Kind::Str => ExprKind::Literal(Literal::String(self.at.string("a string")?.0)),
            Kind::Int | Kind::Float | Kind::Punct("-") => ExprKind::Literal(self.at.number()?.0),
            Kind::Var => self.variable_or_property()?,
            Kind::Punct("[") => self.list()?,
            Kind::Punct("(") => {
                self.at.bump();
                let inner = self.expr()?;
                self.at.expect(")")?;
                return Ok(inner);
            }
            Kind::Ident => self.word()?,
            Kind::Punct("@") => ExprKind::Ident(self.property_name()?.text),
            _ => return Err(self.at.expected("a value")),
        };
        Ok(Expr { kind, span: start.to(self.at.previous()) })
    }

    fn variable_or_property(&mut self) -> Parsed<ExprKind> {
        let var = self.at.variable("a variable")?;
        if !self.at.eat(".") {
            return Ok(ExprKind::Var(var.text));
        }
        let property = self.property_name()?;
        Ok(ExprKind::Property { var, property })
    }

    /// `name`, or one of the fields that every node or edge has: `@id`.
    pub(super) fn property_name(&mut self) -> Parsed<Name> {
        let start = self.at.span();
        let is_field = self.at.eat("@");
        let mut name = self.at.ident("the name of a property")?;
        if is_field {
            name.text.insert(0, '@');
            name.span = start.to(name.span);
        }
        Ok(name)
    }

    fn list(&mut self) -> Parsed<ExprKind> {
        self.at.expect("[")?;
        self.deeper(|parser| {
            let mut items = Vec::new();
            while !parser.at.is("]") {
                items.push(parser.sum()?);
                if !parser.at.eat(",") {
                    break;
                }
            }
            parser.at.expect("]")?;
            Ok(ExprKind::List(items))
        })
    }

    fn word(&mut self) -> Parsed<ExprKind> {
        let word = self.at.text(0);
        let start = self.at.span();
        if self.at.is_ahead(1, "(") {
            return self.call(word);
        }
        self.at.bump();
        if word == "exists" && self.at.is("{") {
            return Ok(self.exists(start)?.kind);
        }
        if let Some(function) = Aggregate::named(word)
            && self.at.is("{")
        {
            return self.fold_matches(function, start);
        }
        Ok(match word {
            "true" => ExprKind::Literal(Literal::Bool(true)),
            "false" => ExprKind::Literal(Literal::Bool(false)),
            "null" => ExprKind::Literal(Literal::Null),
            _ => ExprKind::Ident(word.to_owned()),
        })
    }

    fn exists(&mut self, start: Span) -> Parsed<Expr> {
        let (clauses, close) = self.pattern()?;
        Ok(Expr { kind: ExprKind::Exists(clauses), span: start.to(close) })
    }

    fn call(&mut self, word: &str) -> Parsed<ExprKind> {
        if let Some(function) = Aggregate::named(word) {
            return self.aggregate(function);
        }
        let function = Function::named(word);
        let is_known = function.is_some() || matches!(word, "now" | "date" | "datetime");
        if !is_known {
            let known = Function::ALL.iter().map(|known| known.as_str());
            let known = known
                .chain(Aggregate::ALL.iter().map(|known| known.as_str()))
                .chain(["now", "date", "datetime"]);
            let hint = match word {
                "starts_with" | "ends_with" | "contains" => {
                    Some(format!("`{word}` stands between two values: `$p.name {word} \"A\"`"))
                }
                _ => suggest::did_you_mean(word, known),
            };
            let found = Diagnostic::error(Code::Q000, self.at.span(), format!("unknown function `{word}`"));
            return Err(self.at.note(found.maybe_hint(hint)));
        }
        self.at.bump();
        self.at.expect("(")?;
        let kind = self.deeper(|parser| match (function, word) {
            (Some(function), _) => parser.args().map(|args| ExprKind::Call { function, args }),
            (None, "now") => Ok(ExprKind::Now),
            (None, _) => {
                let (text, _) = parser.at.string("a date in quotes")?;
                let literal = if word == "date" { Literal::Date(text) } else { Literal::DateTime(text) };
                Ok(ExprKind::Literal(literal))
            }
        })?;
        self.at.expect(")")?;
        Ok(kind)
    }

    fn args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        while !self.at.is(")") {
            args.push(self.sum()?);
            if !self.at.eat(",") {
                break;
            }
        }
        Ok(args)
    }

    fn aggregate(&mut self, function: Aggregate) -> Parsed<ExprKind> {
        self.at.bump();
        self.at.expect("(")?;
        let distinct = self.at.is_word("distinct") && !self.at.is_ahead(1, ")");
        if distinct {
            self.at.bump();
        }
        let arg = Box::new(self.deeper(Parser::sum)?);
        self.at.expect(")")?;
        if self.at.is("{") {
            let (clauses, _) = self.pattern()?;
            return Ok(ExprKind::Fold { function, distinct, arg: Some(arg), clauses });
        }
        Ok(ExprKind::Aggregate { function, distinct, arg })
    }

    /// `count { … }`; everything else needs to know of what.
    fn fold_matches(&mut self, function: Aggregate, word: Span) -> Parsed<ExprKind> {
        if function != Aggregate::Count {
            let name = function.as_str();
            let found = Diagnostic::error(Code::Q000, word, format!("{name} of what?"));
            let hint = format!("name a value of the pattern: `{name}($x.age) {{ $p knows $x }}`");
            return Err(self.at.note(found.hint(hint)));
        }
        let (clauses, _) = self.pattern()?;
        Ok(ExprKind::Fold { function, distinct: false, arg: None, clauses })
    }
}
