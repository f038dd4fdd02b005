//! What is used inside of functions of C++: locals and their types, lambdas, qualified names.

use crate::render::check;
use expect_test::expect;

#[test]
fn locals_show_their_types() {
    check(
        "src/a.cpp",
        r#"
void run(const Conn& conn, std::shared_ptr<Pool> pool) {
    conn.execute("select something");
    auto x = Client(1);
    x.send(helper);
    auto* y = new net::Socket(3);
    y->close();
    auto z = std::make_unique<Foo>(1);
    z->go();
    Foo direct(1), braces{2};
    direct.go();
    Foo vexing(other);
    vexing.go();
    pool->get().use();
    static_cast<Derived*>(y)->special();
    Foo{1}.build();
}
"#,
        &expect![[r#"
            symbol function run 2-17 pub (Conn, Pool{^}) : #void | void run(const Conn& conn, std::shared_ptr<Pool> pool)
            ref type Conn @2 in run
            ref type std @2 in run
            ref type std<> . shared_ptr @2 in run
            ref type Pool @2 in run
            ref call <Conn<>> . execute(#const char*) @3 in run
            ref call Client(#int) @4 in run
            ref call Client() . send(helper) @5 in run
            ref value helper @5 in run
            ref type net @6 in run
            ref call net<> . Socket @6 in run
            ref call <net<>.Socket{*}> . close() @7 in run
            ref type std @8 in run
            ref call std<> . make_unique(#int) @8 in run
            ref type Foo @8 in run
            ref call <Foo> . go() @9 in run
            ref type Foo @10 in run
            ref call <Foo> . go() @11 in run
            ref type Foo @12 in run
            ref value other @12 in run
            ref call <Foo> . go() @13 in run
            ref call <Pool{^}> . get() @14 in run
            ref call <Pool{^}>.get() . use() @14 in run
            ref type Derived @15 in run
            ref call <Derived{*}> . special() @15 in run
            ref call Foo @16 in run
            ref call <Foo> . build() @16 in run
            string "select something" @3 in run
        "#]],
    );
}

#[test]
fn loops_lambdas_and_handlers() {
    check(
        "src/a.cpp",
        r#"
void run(std::vector<Item>& items) {
    for (auto& item : items) item.touch();
    for (const Row& row : table()) row.read();
    items[0].touch();
    auto fn = [&, k = Client(2)](Bar& b) -> int { return b.size() + k.id(); };
    fn(x);
    try { risky(); } catch (const net::Error& e) { e.what(); }
    if (auto it = find(x); it.ok()) it.value();
    auto [first, second] = pair();
    first.go();
}
"#,
        &expect![[r#"
            symbol function run 2-12 pub (std<>.vector<Item><Item>) : #void | void run(std::vector<Item>& items)
            ref type std @2 in run
            ref type std<> . vector @2 in run
            ref type Item @2 in run
            ref call <std<>.vector<Item><Item>>[] . touch() @3 in run
            ref type Row @4 in run
            ref call table() @4 in run
            ref call <Row> . read() @4 in run
            ref call <std<>.vector<Item><Item>>[] . touch() @5 in run
            ref call Client(#int) @6 in run
            ref type Bar @6 in run
            ref call <Bar> . size() @6 in run
            ref call Client() . id() @6 in run
            ref value x @7 in run
            ref call risky() @8 in run
            ref type net @8 in run
            ref type net<> . Error @8 in run
            ref call <net<>.Error<>> . what() @8 in run
            ref call find(x) @9 in run
            ref value x @9 in run
            ref call find() . ok() @9 in run
            ref call find() . value() @9 in run
            ref call pair() @10 in run
            ref call ? . go() @11 in run
        "#]],
    );
}

#[test]
fn qualified_names_and_strings() {
    check(
        "src/a.cpp",
        r#"
void Foo::run(const Conn& conn) {
    Color c = Color::Red;
    ns::Util::call<Foo>(conn);
    conn.cast<Bar>();
    ::global();
    this->member.f();
    field_.g();
    throw std::runtime_error("went very wrong");
    delete y;
    auto raw = R"x(raw "text" here)x";
    printf("a first part " PRIu64 " and more");
}
"#,
        &expect![[r#"
            has errors
            symbol method Foo::run 2-13 pub (Conn) : #void | void Foo::run(const Conn& conn)
            ref type Foo @2 in -
            ref type Conn @2 in Foo::run
            ref type Color @3 in Foo::run
            ref type Color @3 in Foo::run
            ref value Color<> . Red @3 in Foo::run
            ref type ns @4 in Foo::run
            ref type ns<> . Util @4 in Foo::run
            ref call ns<>.Util . call(<Conn<>>) @4 in Foo::run
            ref type Foo @4 in Foo::run
            ref call <Conn<>> . cast() @5 in Foo::run
            ref type Bar @5 in Foo::run
            ref call :: . global() @6 in Foo::run
            ref value this . member @7 in Foo::run
            ref call this.member . f() @7 in Foo::run
            ref value field_ @8 in Foo::run
            ref call field_ . g() @8 in Foo::run
            ref type std @9 in Foo::run
            ref call std<> . runtime_error(#const char*) @9 in Foo::run
            ref value y @10 in Foo::run
            ref call printf(#const char*) @12 in Foo::run
            ref value PRIu64 @12 in Foo::run
            string "went very wrong" @9 in Foo::run
            string "raw \"text\" here" @11 in Foo::run
            string "a first part " @12 in Foo::run
            string " and more" @12 in Foo::run
        "#]],
    );
}
