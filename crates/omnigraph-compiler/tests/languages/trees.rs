//! Random trees and random token soup.

use omnigraph_compiler::query::ast::{
    Aggregate, Assignment, Binding, Block, BlockKind, Body, Change, Clause, CompareOp, Delete, Direction,
    Expr, ExprKind, Function, Hops, Insert, OrderKey, Param, Projection, QueryDecl, QueryFile, Read,
    Statement, Traversal, Update,
};
use omnigraph_compiler::schema::ast::{
    Annotation, AnnotationArg, AnnotationValue, Card, ConstraintDecl, ConstraintKind, Decl, EdgeDecl,
    InterfaceDecl, Member, NodeDecl, PropertyDecl, SchemaFile,
};
use omnigraph_compiler::{Literal, Name, Scalar, Span, Type};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const NOWHERE: Span = Span { start: 0, end: 0 };

/// Words that mean something somewhere, and one that does not.
const WORDS: [&str; 20] = [
    "name", "age", "in", "is", "and", "or", "match", "return", "order", "limit", "count", "search", "set",
    "where", "date", "node", "edge", "enum", "as", "knows",
];

fn name() -> impl Strategy<Value = Name> {
    prop_oneof![select(&WORDS[..]).prop_map(str::to_owned), "[a-z_][A-Za-z0-9_]{0,6}"]
        .prop_filter("means something else", |name| {
            !matches!(name.as_str(), "true" | "false" | "null" | "not" | "_")
        })
        .prop_map(|text| Name { text, span: NOWHERE })
}

/// Of a property, or of a field that all nodes or edges have.
fn property_name() -> impl Strategy<Value = Name> {
    let field = select(vec!["@id", "@type", "@src"]);
    prop_oneof![4 => name(), 1 => field.prop_map(|text| Name { text: text.to_owned(), span: NOWHERE })]
}

fn type_name() -> impl Strategy<Value = Name> {
    "[A-Z][A-Za-z0-9_]{0,6}".prop_map(|text| Name { text, span: NOWHERE })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z \"\\\\\n\t/*{}]{0,12}", "\\PC{0,8}"]
}

fn scalar() -> impl Strategy<Value = Scalar> {
    use Scalar::{Blob, Bool, Date, DateTime, F32, F64, I32, I64, String, U32, U64};
    select(vec![String, Bool, I32, I64, U32, U64, F32, F64, Date, DateTime, Blob])
}

fn param_type() -> impl Strategy<Value = Type> {
    let vector = (1u32..4000).prop_map(|dim| Type::scalar(Scalar::Vector(dim)));
    let plain = (scalar(), any::<bool>()).prop_map(|(scalar, list)| Type { scalar, list, nullable: false });
    (prop_oneof![4 => plain, 1 => vector], any::<bool>()).prop_map(|(ty, nullable)| ty.with_null(nullable))
}

fn property_type() -> impl Strategy<Value = Type> {
    let words = proptest::collection::btree_set("[a-zA-Z0-9_-]{1,6}", 1..4);
    let enums = words.prop_map(|words| Type::scalar(Scalar::Enum(words.into_iter().collect())));
    let allowed = param_type().prop_filter("no list of blobs", |ty| !(ty.list && ty.scalar == Scalar::Blob));
    (prop_oneof![3 => allowed, 1 => enums], any::<bool>()).prop_map(|(ty, nullable)| ty.with_null(nullable))
}

fn number() -> impl Strategy<Value = Literal> {
    let float = any::<f64>().prop_filter("finite", |value| value.is_finite());
    let int = (i128::from(i64::MIN)..=i128::from(u64::MAX)).prop_map(Literal::Int);
    prop_oneof![int, (-5i128..5).prop_map(Literal::Int), float.prop_map(Literal::Float)]
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Bool),
        number(),
        text().prop_map(Literal::String),
        text().prop_map(Literal::Date),
        text().prop_map(Literal::DateTime),
    ]
}

fn at(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

/// What can stand where a value is wanted, without parentheses.
fn leaf() -> impl Strategy<Value = Expr> {
    let property = (name(), property_name()).prop_map(|(var, property)| ExprKind::Property { var, property });
    prop_oneof![
        literal().prop_map(ExprKind::Literal),
        name().prop_map(|name| ExprKind::Var(name.text)),
        property,
        Just(ExprKind::Now),
    ]
    .prop_map(at)
}

fn expr() -> BoxedStrategy<Expr> {
    let tree = leaf().prop_recursive(4, 24, 4, |inner| {
        let several = vec(inner.clone(), 2..4);
        prop_oneof![
            (select(CompareOp::ALL), inner.clone(), inner.clone()).prop_map(|(op, left, right)| {
                ExprKind::Compare { op, left: Box::new(left), right: Box::new(right) }
            }),
            (inner.clone(), inner.clone(), any::<bool>()).prop_map(|(item, list, negated)| ExprKind::In {
                item: Box::new(item),
                list: Box::new(list),
                negated
            }),
            (inner.clone(), any::<bool>())
                .prop_map(|(arg, negated)| ExprKind::IsNull { arg: Box::new(arg), negated }),
            several.clone().prop_map(ExprKind::And),
            several.prop_map(ExprKind::Or),
            inner.clone().prop_map(|inner| ExprKind::Not(Box::new(inner))),
            vec(inner.clone(), 0..3).prop_map(ExprKind::List),
            (select(Function::ALL), vec(inner.clone(), 0..3))
                .prop_map(|(function, args)| ExprKind::Call { function, args }),
            (select(Aggregate::ALL), any::<bool>(), inner.clone()).prop_map(|(function, distinct, arg)| {
                ExprKind::Aggregate { function, distinct, arg: Box::new(arg) }
            }),
            (select(Aggregate::ALL), any::<bool>(), inner.clone(), inner.clone()).prop_map(
                |(function, distinct, arg, inner)| {
                    let clauses = vec![only_clause(inner)];
                    ExprKind::Fold { function, distinct, arg: Some(Box::new(arg)), clauses }
                }
            ),
            (name(), select(Change::ALL), leaf()).prop_map(|(name, change, since)| {
                let arg = Box::new(at(ExprKind::Var(name.text)));
                ExprKind::Since { arg, change, since: Box::new(since) }
            }),
            inner.clone().prop_map(|inner| {
                let (function, clauses) = (Aggregate::Count, vec![only_clause(inner)]);
                ExprKind::Fold { function, distinct: false, arg: None, clauses }
            }),
            inner.prop_map(|inner| ExprKind::Exists(vec![only_clause(inner)])),
        ]
        .prop_map(at)
    });
    tree.boxed()
}

/// `exists { … }` that is a whole clause is a block, and `$a and $b` is read as a traversal.
fn only_clause(expr: Expr) -> Clause {
    let is_var = |expr: &Expr| matches!(expr.kind, ExprKind::Var(_));
    let looks_like_traversal = match &expr.kind {
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.len() == 2 && parts.iter().all(is_var),
        ExprKind::In { item, list, negated: false } => is_var(item) && is_var(list),
        ExprKind::Compare { left, right, .. } => is_var(left) && is_var(right),
        _ => false,
    };
    match expr.kind {
        _ if looks_like_traversal => Clause::Filter(at(ExprKind::Not(Box::new(expr)))),
        ExprKind::Exists(clauses) => {
            Clause::Block(Block { kind: BlockKind::Exists, clauses, header: NOWHERE, span: NOWHERE })
        }
        _ => Clause::Filter(expr),
    }
}

fn traversal() -> impl Strategy<Value = Traversal> {
    let edges = prop_oneof![
        4 => vec(name(), 1..3),
        1 => Just(vec![Name { text: "*".to_owned(), span: NOWHERE }]),
    ];
    let hops = (0u32..9, option::of(0u32..9)).prop_map(|(min, max)| Hops { min, max, span: NOWHERE });
    (name(), option::of(name()), edges, any::<bool>(), option::of(hops), name()).prop_map(
        |(src, edge_var, edges, undirected, hops, dst)| Traversal {
            src,
            edge_var,
            edges,
            undirected,
            hops,
            dst,
            span: NOWHERE,
        },
    )
}

fn assignments(least: usize) -> impl Strategy<Value = Vec<Assignment>> {
    let one = (property_name(), leaf()).prop_map(|(property, value)| Assignment { property, value });
    vec(one, least..4)
}

/// A filter that no other kind of clause looks like.
fn filter() -> impl Strategy<Value = Clause> {
    let var = (name(), name()).prop_map(|(var, property)| at(ExprKind::Property { var, property }));
    (var, select(CompareOp::ALL), expr()).prop_map(|(left, op, right)| {
        Clause::Filter(at(ExprKind::Compare { op, left: Box::new(left), right: Box::new(right) }))
    })
}

fn clause() -> impl Strategy<Value = Clause> {
    let binding = (name(), type_name(), assignments(0)).prop_map(|(var, type_name, props)| {
        Clause::Binding(Binding { var, type_name, props, span: NOWHERE })
    });
    let flat = prop_oneof![binding, traversal().prop_map(Clause::Traversal), filter()];
    flat.prop_recursive(3, 8, 3, |inner| {
        let kinds = vec![BlockKind::Not, BlockKind::Exists, BlockKind::Optional];
        (select(kinds), vec(inner, 1..3)).prop_map(|(kind, clauses)| {
            Clause::Block(Block { kind, clauses, header: NOWHERE, span: NOWHERE })
        })
    })
}

fn read() -> impl Strategy<Value = Read> {
    let projection = (expr(), option::of(name())).prop_map(|(expr, alias)| Projection { expr, alias });
    let direction = option::of(select(vec![Direction::Asc, Direction::Desc]));
    let key = (leaf(), direction).prop_map(|(expr, direction)| OrderKey { expr, direction });
    let count = prop_oneof![
        (0i128..1000).prop_map(|n| ExprKind::Literal(Literal::Int(n))),
        name().prop_map(|name| ExprKind::Var(name.text))
    ]
    .prop_map(at);
    let parts = (
        vec(clause(), 1..4),
        (any::<bool>(), vec(projection, 1..4)),
        vec(key, 0..3),
        option::of(count.clone()),
        option::of(count),
    );
    parts.prop_map(|(clauses, (distinct, projections), order, skip, limit)| Read {
        clauses,
        match_span: NOWHERE,
        distinct,
        projections,
        return_span: NOWHERE,
        order,
        order_span: NOWHERE,
        skip,
        limit,
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    let row = property_name().prop_map(|name| at(ExprKind::Ident(name.text)));
    let filter = (row, select(CompareOp::ALL), leaf()).prop_map(|(left, op, right)| {
        at(ExprKind::Compare { op, left: Box::new(left), right: Box::new(right) })
    });
    let filter = filter.boxed();
    prop_oneof![
        (type_name(), assignments(1)).prop_map(|(type_name, values)| Statement::Insert(Insert {
            type_name,
            values,
            span: NOWHERE
        })),
        (type_name(), assignments(1), filter.clone()).prop_map(|(type_name, values, filter)| {
            Statement::Update(Update { type_name, values, filter, span: NOWHERE })
        }),
        (type_name(), filter).prop_map(|(type_name, filter)| Statement::Delete(Delete {
            type_name,
            filter,
            span: NOWHERE
        })),
    ]
}

/// Files that could have been written.
pub(crate) fn query_file() -> impl Strategy<Value = QueryFile> {
    let constant = prop_oneof![literal().prop_map(|literal| at(ExprKind::Literal(literal)))];
    let param = (name(), param_type(), option::of(constant)).prop_map(|(name, ty, default)| Param {
        name,
        ty,
        default,
    });
    let body = prop_oneof![
        2 => read().prop_map(Body::Read),
        1 => vec(statement(), 1..3).prop_map(Body::Mutation),
    ];
    let query = (name(), vec(param, 0..3), option::of(text()), option::of(text()), body).prop_map(
        |(name, params, description, instruction, body)| QueryDecl {
            name,
            params,
            description,
            instruction,
            body,
            header: NOWHERE,
            span: NOWHERE,
        },
    );
    vec(query, 0..3).prop_map(|queries| QueryFile { queries })
}

fn annotation() -> impl Strategy<Value = Annotation> {
    let value = prop_oneof![
        name().prop_map(|name| AnnotationValue::Ident(name.text)),
        literal().prop_map(AnnotationValue::Literal)
    ];
    let arg =
        (option::of(name()), value).prop_map(|(key, value)| AnnotationArg { key, value, span: NOWHERE });
    (name(), vec(arg, 0..3))
        .prop_filter("a constraint", |(name, _)| {
            !matches!(name.text.as_str(), "key" | "unique" | "index" | "range" | "check" | "card")
        })
        .prop_map(|(name, args)| Annotation { name, args, span: NOWHERE })
}

fn property() -> impl Strategy<Value = PropertyDecl> {
    (name(), property_type(), vec(annotation(), 0..3)).prop_map(|(name, ty, annotations)| PropertyDecl {
        name,
        ty,
        ty_span: NOWHERE,
        annotations,
        span: NOWHERE,
    })
}

fn member() -> impl Strategy<Value = Member> {
    let names = vec(name(), 1..3).boxed();
    let bounds = (option::of(number()), option::of(number()))
        .prop_filter("a bound", |(min, max)| min.is_some() || max.is_some());
    let constraint = prop_oneof![
        names.clone().prop_map(ConstraintKind::Key),
        names.clone().prop_map(ConstraintKind::Unique),
        names.prop_map(|names| ConstraintKind::Index { names, language: None }),
        (name(), text()).prop_map(|(name, language)| ConstraintKind::Index {
            names: vec![name],
            language: Some((language, NOWHERE)),
        }),
        (name(), bounds).prop_map(|(property, (min, max))| ConstraintKind::Range { property, min, max }),
        (name(), text()).prop_map(|(property, pattern)| ConstraintKind::Check {
            property,
            pattern,
            pattern_span: NOWHERE
        }),
    ];
    prop_oneof![
        property().prop_map(Member::Property),
        constraint.prop_map(|kind| Member::Constraint(ConstraintDecl { kind, span: NOWHERE })),
    ]
}

/// Files that could have been written.
pub(crate) fn schema_file() -> impl Strategy<Value = SchemaFile> {
    let interface = (type_name(), vec(annotation(), 0..2), vec(property(), 0..3)).prop_map(
        |(name, annotations, properties)| {
            Decl::Interface(InterfaceDecl { name, annotations, properties, span: NOWHERE })
        },
    );
    let node = (type_name(), vec(annotation(), 0..2), vec(type_name(), 0..3), vec(member(), 0..4)).prop_map(
        |(name, annotations, implements, members)| {
            Decl::Node(NodeDecl { name, annotations, implements, members, span: NOWHERE })
        },
    );
    let card = (0u32..9, option::of(0u32..9)).prop_map(|(min, max)| Card { min, max, span: NOWHERE });
    let edge = (
        type_name(),
        type_name(),
        type_name(),
        option::of(card),
        vec(annotation(), 0..2),
        vec(member(), 0..3),
    )
        .prop_map(|(name, from, to, card, annotations, members)| {
            Decl::Edge(EdgeDecl { name, from, to, card, annotations, members, span: NOWHERE })
        });
    vec(prop_oneof![interface, node, edge], 0..4).prop_map(|decls| SchemaFile { decls })
}

/// Tokens of both languages, separated by `~`.
const TOKENS: &str = "query~q~(~)~{~}~[~]~match~return~order~skip~limit~insert~update~delete~set~where~not~exists~\
    optional~and~or~in~is~null~$p~$_~$p.name~:~,~.~..~->~@~@key~@card~@range~Person~knows~<~>~<=~=~|~-~*~1~1.5~1e9~\
    99999999999999999999999999999999999999999~\"s\"~\"~count~search~bm25~rrf~date~node~edge~interface~implements~enum~\
    Vector~String~?~// c\n~/* c */~/*~\n~é~\0~as~asc~distinct~\\~true~contains~starts_with~@index~Knows~$q~nearest";

/// Tokens in no order, with comments between them.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let tokens: Vec<&'static str> = TOKENS.split('~').collect();
    vec(select(tokens), 0..60).prop_map(|tokens| tokens.join(" "))
}
