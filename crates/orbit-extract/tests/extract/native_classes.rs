//! Classes, namespaces and templates of C++.

use crate::render::check;
use expect_test::expect;

#[test]
fn classes_and_members() {
    check(
        "src/a.hpp",
        r#"
class Shape : public Base<int>, private ns::Mixin {
    int secret_ = 1;
public:
    Shape(Pool* pool) : pool_(pool), Base(1) { pool_->open(); }
    virtual ~Shape() = default;
    virtual double area() const = 0;
    Shape& operator=(const Shape& other);
    explicit operator bool() const { return pool_ != nullptr; }
    static Shape* create(const std::string& name);
protected:
    Pool* pool_;
};
struct Open { int a; void f(); };
"#,
        &expect![[r#"
            symbol class Shape 2-13 pub | class Shape : public Base<int>, private ns::Mixin
            symbol field Shape::secret_ 3-3 : #int | int secret_ = 1
            symbol constructor Shape::Shape 5-5 pub (Pool{*}) | Shape(Pool* pool)
            symbol method Shape::~Shape 6-6 pub () | virtual ~Shape() = default
            symbol method Shape::area 7-7 pub () for # bodiless : #double | virtual double area() const = 0
            symbol method Shape::operator= 8-8 pub (Shape) bodiless : <Shape> | Shape& operator=(const Shape& other)
            symbol method Shape::operator bool 9-9 pub () for # : #bool | explicit operator bool() const
            symbol method Shape::create 10-10 pub (std<>.string) bodiless : <Shape{*}> | static Shape* create(const std::string& name)
            symbol field Shape::pool_ 12-12 pub : <Pool{*}> | Pool* pool_
            symbol struct Open 14-14 pub | struct Open
            symbol field Open::a 14-14 pub : #int | int a
            symbol method Open::f 14-14 pub () bodiless : #void | void f()
            ref type Base @2 in -
            ref type ns @2 in -
            ref type ns<> . Mixin @2 in -
            ref type Pool @5 in Shape::Shape
            ref value this . pool_ @5 in Shape::Shape
            ref call Base @5 in Shape::Shape
            ref value pool_ @5 in Shape::Shape
            ref call pool_ . open() @5 in Shape::Shape
            ref type Shape @8 in Shape::operator=
            ref type Shape @8 in Shape::operator=
            ref value pool_ @9 in Shape::operator bool
            ref type Shape @10 in Shape::create
            ref type std @10 in Shape::create
            ref type std<> . string @10 in Shape::create
            ref type Pool @12 in Shape
            relation Shape extends Base<#int><#int> @2
            relation Shape extends ns<>.Mixin @2
        "#]],
    );
}

#[test]
fn nested_members() {
    check(
        "src/a.hpp",
        r#"
class Shape {
public:
    std::vector<Shape*> children{};
    static constexpr int kMax = 3;
    enum class Mode : int { Fast, Slow = 2 };
    using Ptr = std::unique_ptr<Shape>;
    template <typename T> T get(T fallback);
    friend class Renderer;
    friend bool operator<(const Shape& a, const Shape& b);
    struct Inner { int deep; void dig(); };
    union { int i; float f; };
};
"#,
        &expect![[r#"
            symbol class Shape 2-13 pub | class Shape
            symbol field Shape::children 4-4 pub : <std<>.vector<Shape{*}><Shape{*}>> | std::vector<Shape*> children
            symbol field Shape::kMax 5-5 pub : #int | static constexpr int kMax = 3
            symbol enum Shape::Mode 6-6 pub : Mode | enum class Mode : int
            symbol variant Shape::Mode::Fast 6-6 pub : <Mode>
            symbol variant Shape::Mode::Slow 6-6 pub : <Mode>
            symbol type_alias Shape::Ptr 7-7 pub : Shape{^} | using Ptr = std::unique_ptr<Shape>
            symbol method Shape::get 8-8 pub ($T) <$T> bodiless : <$T> | template <typename T> T get(T fallback)
            symbol function operator< 10-10 pub (Shape, Shape) bodiless : #bool | bool operator<(const Shape& a, const Shape& b)
            symbol struct Shape::Inner 11-11 pub | struct Inner
            symbol field Shape::Inner::deep 11-11 pub : #int | int deep
            symbol method Shape::Inner::dig 11-11 pub () bodiless : #void | void dig()
            symbol field Shape::i 12-12 pub : #int | int i
            symbol field Shape::f 12-12 pub : #float | float f
            ref type std @4 in Shape
            ref type std<> . vector @4 in Shape
            ref type Shape @4 in Shape
            ref type std @7 in Shape
            ref type std<> . unique_ptr @7 in Shape
            ref type Shape @7 in Shape
            ref type Renderer @9 in Shape
            ref type Shape @10 in operator<
            ref type Shape @10 in operator<
        "#]],
    );
}

#[test]
fn definitions_outside_the_class() {
    check(
        "src/a.cpp",
        r#"
namespace geo { int origin(); }
Shape::Shape(int n) : count_(n) { this->init(); }
Shape::~Shape() {}
template <class T> T Box<T>::get(T value) { return T::make(value); }
bool ns::Shape::operator==(const Shape& o) const { return count_ == o.count_; }
Shape::operator bool() const { return true; }
int Shape::total = 0;
int geo::origin() { return 0; }
auto build() -> Shape* { return nullptr; }
void Outer::Inner::run() { helper(); }
"#,
        &expect![[r#"
            symbol module geo 2-2 pub
            symbol function geo::origin 2-2 pub () bodiless : #int | int origin()
            symbol constructor Shape::Shape 3-3 pub (#int) | Shape::Shape(int n)
            symbol method Shape::~Shape 4-4 pub () | Shape::~Shape()
            symbol method Box::get 5-5 pub ($T) : <$T> | template <class T> T Box<T>::get(T value)
            symbol method ns::Shape::operator== 6-6 pub (Shape) for # : #bool | bool ns::Shape::operator==(const Shape& o) const
            symbol method Shape::operator bool 7-7 pub () for # : #bool | Shape::operator bool() const
            symbol field Shape::total 8-8 pub : #int | int Shape::total = 0
            symbol function geo::origin#2 9-9 pub () : #int | int geo::origin()
            symbol function build 10-10 pub () : <Shape{*}> | auto build() -> Shape*
            symbol method Outer::Inner::run 11-11 pub () : #void | void Outer::Inner::run()
            ref type Shape @3 in -
            ref value count_ @3 in Shape::Shape
            ref call this . init() @3 in Shape::Shape
            ref type Shape @4 in -
            ref type Box @5 in -
            ref call ? . make(<$T>) @5 in Box::get
            ref type ns @6 in -
            ref type ns<> . Shape @6 in -
            ref type Shape @6 in ns::Shape::operator==
            ref value count_ @6 in ns::Shape::operator==
            ref value <Shape<>> . count_ @6 in ns::Shape::operator==
            ref type Shape @7 in -
            ref type Shape @8 in -
            ref type geo @9 in -
            ref type Shape @10 in build
            ref type Outer @11 in -
            ref type Outer<> . Inner @11 in -
            ref call helper() @11 in Outer::Inner::run
        "#]],
    );
}

#[test]
fn namespaces_usings_and_templates() {
    check(
        "src/a.cc",
        r#"
#include <vector>
namespace a::b { int f(); }
namespace a { namespace c { class K; } }
namespace { int hidden; void local() {} }
inline namespace v1 { const int kOne = 1; }
using namespace std;
using ns::sub::thing;
namespace fs = std::filesystem;
extern "C" { void c_entry(void); }
template <typename T, int N = 3> struct Arr { T data[N]; T& at(int i) { return data[i]; } };
template <> struct hash<Foo> { };
template <class T> using Vec = std::vector<T>;
template <class T> concept Small = sizeof(T) < LIMIT;
template <Small T> void shrink(T t) { t.run(); }
typedef Arr<Foo> FooArr;
int run() { using local::name; return name(); }
"#,
        &expect![[r#"
            symbol module a 3-3 pub
            symbol module a::b 3-3 pub
            symbol function a::b::f 3-3 pub () bodiless : #int | int f()
            symbol module a#2 4-4 pub
            symbol module a::c 4-4 pub
            symbol variable hidden 5-5 : #int | int hidden
            symbol function local 5-5 () : #void | void local()
            symbol module v1 6-6 pub
            symbol const kOne 6-6 pub : #int | const int kOne = 1
            symbol function c_entry 10-10 pub () bodiless : #void | void c_entry(void)
            symbol struct Arr 11-11 pub <$T, $N> | template <typename T, int N = 3> struct Arr
            symbol field Arr::data 11-11 pub : <#<$T>> | T data[N]
            symbol method Arr::at 11-11 pub (#int) : <$T> | T& at(int i)
            symbol struct hash 12-12 pub (Foo) | template <> struct hash<Foo>
            symbol type_alias Vec 13-13 pub <$T> : std<>.vector<$T><$T> | template <class T> using Vec = std::vector<T>
            symbol trait Small 14-14 pub
            symbol function shrink 15-15 pub ($T) <$T> : #void | template <Small T> void shrink(T t)
            symbol type_alias FooArr 16-16 pub : Arr<Foo><Foo> | typedef Arr<Foo> FooArr
            symbol function run 17-17 pub () : #int | int run()
            ref type K @4 in a::c
            ref type ns @8 in -
            ref type ns<> . sub @8 in -
            ref value data @11 in Arr::at
            ref type Foo @12 in -
            ref type std @13 in -
            ref type std<> . vector @13 in -
            ref value LIMIT @14 in -
            ref type Small @15 in -
            ref call <$T> . run() @15 in shrink
            ref type Arr @16 in -
            ref type Foo @16 in -
            ref type local @17 in run
            ref call name() @17 in run
            import file <vector> @2 in -
            import glob std @7 in -
            import symbol ns::sub [thing] as thing @8 in -
            import module std::filesystem as fs @9 in -
            import symbol local [name] as name @17 in run
        "#]],
    );
}
