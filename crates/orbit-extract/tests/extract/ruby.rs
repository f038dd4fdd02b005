use crate::render::check;
use expect_test::expect;

#[test]
fn modules_classes_and_properties() {
    check(
        "lib/a.rb",
        r#"
module Shop
  VERSION = "1.2.3"
  LIMITS, DEFAULT = [1, 2], 3
  class Cart < Base::Store
    include Comparable, Util::Log
    extend Helpers
    prepend Tracing
    attr_accessor :owner, "total"
    attr_reader :size
    attr_writer :name
    @@count = 0
    alias_method :len, :size
    alias length size
  end
  class Cart::Item; end
  module Deep::Er; end
end
$debug = false
$debug = true
"#,
        &expect![[r#"
            symbol module Shop 2-18 pub | module Shop
            symbol const Shop::VERSION 3-3 pub : # | VERSION = "1.2.3"
            symbol const Shop::LIMITS 4-4 pub | LIMITS, DEFAULT = [1, 2], 3
            symbol const Shop::DEFAULT 4-4 pub | LIMITS, DEFAULT = [1, 2], 3
            symbol class Shop::Cart 5-15 pub | class Cart < Base::Store
            symbol property Shop::Cart::owner 9-9 pub : this.@owner | attr_accessor :owner, "total"
            symbol property Shop::Cart::total 9-9 pub : this.@total | attr_accessor :owner, "total"
            symbol property Shop::Cart::size 10-10 pub : this.@size | attr_reader :size
            symbol property Shop::Cart::name 11-11 pub : this.@name | attr_writer :name
            symbol field Shop::Cart::@@count 12-12 : # | @@count = 0
            symbol method Shop::Cart::len 13-13 pub : size() | alias_method :len, :size
            symbol method Shop::Cart::length 14-14 pub : size() | alias length size
            symbol class Shop::Cart::Item 16-16 pub | class Cart::Item
            symbol module Shop::Deep::Er 17-17 pub | module Deep::Er
            symbol variable $debug 19-19 pub : # | $debug = false
            ref value Base @5 in Shop
            ref type Base . Store @5 in Shop
            ref type Comparable @6 in Shop::Cart
            ref value Util @6 in Shop::Cart
            ref type Util . Log @6 in Shop::Cart
            ref type Helpers @7 in Shop::Cart
            ref type Tracing @8 in Shop::Cart
            ref value size @13 in Shop::Cart
            ref value size @14 in Shop::Cart
            ref value Cart @16 in Shop
            ref value Deep @17 in Shop
            ref value $debug @20 in -
            relation Cart extends Base.Store @5
            relation Cart impl Comparable @6
            relation Cart impl Util.Log @6
            relation Cart impl Helpers @7
            relation Cart impl Tracing @8
        "#]],
    );
}

#[test]
fn methods_and_fields() {
    check(
        "lib/a.rb",
        r#"
class Cart
  def initialize(owner, items = Items.new)
    @owner = owner
    @items = items
    @owner = nil
  end
  def self.build(x) = new(x)
  class << self
    def make(*args, key: 1, **opts, &blk); new(args); end
  end
  def [](index) = @items[index]
  def name=(v); end
  def empty?; def inner; end; end
  define_method(:dynamic) { |a| a.go }
  define_method("get_#{x}") { }
end
def top(a); end
def Shop.singleton; end
"#,
        &expect![[r#"
            symbol class Cart 2-17 pub | class Cart
            symbol constructor Cart::initialize 3-7 pub | def initialize(owner, items = Items.new)
            symbol field Cart::@owner 4-4 | @owner = owner
            symbol field Cart::@items 5-5 : <Items> | @items = items
            symbol method Cart::build 8-8 pub for this : this | def self.build(x)
            symbol method Cart::make 10-10 pub for this : this | def make(*args, key: 1, **opts, &blk)
            symbol method Cart::[] 12-12 pub : this.@items[] | def [](index)
            symbol method Cart::name= 13-13 pub | def name=(v)
            symbol method Cart::empty? 14-14 pub | def empty?
            symbol method Cart::empty?::inner 14-14 pub | def inner
            symbol method Cart::dynamic 15-15 pub | define_method(:dynamic)
            symbol function top 18-18 pub | def top(a)
            symbol method Shop::singleton 19-19 pub for this | def Shop.singleton
            ref call Items @3 in Cart::initialize
            ref value Items . new @3 in Cart::initialize
            ref value this . @owner @6 in Cart::initialize
            ref call Cart . new @8 in Cart::build
            ref call Cart . new @10 in Cart::make
            ref value this . @items @12 in Cart::[]
            ref call ? . go @15 in Cart::dynamic
            ref call define_method @16 in Cart
            ref call x @16 in Cart
            ref value Shop @19 in -
            string "get_#{x}" @16 in Cart
        "#]],
    );
}

#[test]
fn visibility() {
    check(
        "lib/a.rb",
        r#"
class Cart
  private
  def secret; end
  attr_reader :inner
  public
  def open; end
  private def hidden; end
  def later; end
  private :later
  LOCAL = 1
  private_constant :LOCAL
  protected
  def guarded; end
  class Nested
    def seen; end
  end
end
"#,
        &expect![[r#"
            symbol class Cart 2-18 pub | class Cart
            symbol method Cart::secret 4-4 | def secret
            symbol property Cart::inner 5-5 : this.@inner | attr_reader :inner
            symbol method Cart::open 7-7 pub | def open
            symbol method Cart::hidden 8-8 | def hidden
            symbol method Cart::later 9-9 | def later
            symbol const Cart::LOCAL 11-11 : # | LOCAL = 1
            symbol method Cart::guarded 14-14 | def guarded
            symbol class Cart::Nested 15-17 pub | class Nested
            symbol method Cart::Nested::seen 16-16 pub | def seen
        "#]],
    );
}

#[test]
fn calls_and_receivers() {
    check(
        "lib/a.rb",
        r#"
class Job < Base
  def run(conn, list)
    @pool ||= Pool.new(1)
    @pool.open
    helper
    helper 1, "some text here"
    helper(2)
    x = Client.create
    x.send_it(other)
    y = A::B::Conn.new(conn)
    y.execute
    y&.close
    y.dup.execute
    list.each { |item, (a, b)| item.touch(a) }
    list.map(&:name)
    Users.all.each do |user|
      user.save!
    end
    Foo::bar(1)
    ::Top.go
    super(1)
    super
  end
end
"#,
        &expect![[r#"
            symbol class Job 2-25 pub | class Job < Base
            symbol method Job::run 3-24 pub | def run(conn, list)
            symbol field Job::@pool 4-4 : <Pool> | @pool ||= Pool.new(1)
            ref type Base @2 in -
            ref call Pool @4 in Job::run
            ref value Pool . new @4 in Job::run
            ref value this . @pool @5 in Job::run
            ref call this.@pool . open @5 in Job::run
            ref call helper @6 in Job::run
            ref call helper @7 in Job::run
            ref call helper @8 in Job::run
            ref value Client @9 in Job::run
            ref call Client . create @9 in Job::run
            ref call Client.create() . send_it @10 in Job::run
            ref call other @10 in Job::run
            ref value A @11 in Job::run
            ref value A . B @11 in Job::run
            ref call A.B . Conn @11 in Job::run
            ref value A.B.Conn . new @11 in Job::run
            ref call <A.B.Conn> . execute @12 in Job::run
            ref call <A.B.Conn> . close @13 in Job::run
            ref call <A.B.Conn> . dup @14 in Job::run
            ref call <A.B.Conn> . execute @14 in Job::run
            ref call ? . each @15 in Job::run
            ref call ? . touch @15 in Job::run
            ref call ? . map @16 in Job::run
            ref value Users @17 in Job::run
            ref call Users . all @17 in Job::run
            ref call Users.all() . each @17 in Job::run
            ref call Users.all()[] . save! @18 in Job::run
            ref value Foo @20 in Job::run
            ref call Foo . bar @20 in Job::run
            ref value Top @21 in Job::run
            ref call Top . go @21 in Job::run
            ref call super . run @22 in Job::run
            ref call super . run @23 in Job::run
            relation Job extends Base @2
            string "some text here" @7 in Job::run
        "#]],
    );
}

#[test]
fn values_and_strings() {
    check(
        "lib/a.rb",
        r#"
class Job
  def run(conn, x)
    self.state = :on
    self.class.limit
    x.value += 1
    x[0].first
    puts "total #{x.total} items"
    block = ->(z) { z.call_it }
    block.call
    handler = method(:run)
    {conn:, missing:, key: value}
    yield conn
    MAX + Other::LIMIT
    first, @second = pair
    first.go
    text = <<~SQL
      select * from #{table}
    SQL
  end
end
"#,
        &expect![[r#"
            symbol class Job 2-21 pub | class Job
            symbol method Job::run 3-20 pub | def run(conn, x)
            symbol field Job::@second 15-15 | first, @second = pair
            ref value this . state(#) @4 in Job::run
            ref call this . class @5 in Job::run
            ref call Job . limit @5 in Job::run
            ref value ? . value(#) @6 in Job::run
            ref call ? . first @7 in Job::run
            ref call puts @8 in Job::run
            ref call ? . total @8 in Job::run
            ref call ? . call_it @9 in Job::run
            ref call ? . call @10 in Job::run
            ref call method @11 in Job::run
            ref call missing @12 in Job::run
            ref call value @12 in Job::run
            ref value MAX @14 in Job::run
            ref value Other @14 in Job::run
            ref value Other . LIMIT @14 in Job::run
            ref call pair @15 in Job::run
            ref call ? . go @16 in Job::run
            ref call table @18 in Job::run
            string "total #{x.total} items" @8 in Job::run
            string "select * from #{table}" @17 in Job::run
        "#]],
    );
}

#[test]
fn types_made_by_calls() {
    check(
        "lib/a.rb",
        r#"
Point = Struct.new(:x, :y) do
  def dist; x; end
end
Failure = Class.new(StandardError)
Pair = Data.define(:left, :right)
Mixin = Module.new { def m; end }
Config::DEFAULT = Settings.new.freeze
"#,
        &expect![[r#"
            symbol class Point 2-4 pub | Point = Struct.new(:x, :y)
            symbol property Point::x 2-4 pub | Struct.new(:x, :y)
            symbol property Point::y 2-4 pub | Struct.new(:x, :y)
            symbol method Point::dist 3-3 pub : x() | def dist
            symbol class Failure 5-5 pub | Failure = Class.new(StandardError)
            symbol class Pair 6-6 pub | Pair = Data.define(:left, :right)
            symbol property Pair::left 6-6 pub | Data.define(:left, :right)
            symbol property Pair::right 6-6 pub | Data.define(:left, :right)
            symbol module Mixin 7-7 pub | Mixin = Module.new
            symbol method Mixin::m 7-7 pub | def m
            symbol const Config::DEFAULT 8-8 pub : <Settings> | Config::DEFAULT = Settings.new.freeze
            ref value Struct @2 in -
            ref call x @3 in Point::dist
            ref value Class @5 in -
            ref type StandardError @5 in -
            ref value Data @6 in -
            ref value Module @7 in -
            ref call Settings @8 in -
            ref value Settings . new @8 in -
            ref call <Settings> . freeze @8 in -
            ref value Config @8 in -
            relation Failure extends StandardError @5
        "#]],
    );
}

#[test]
fn control_flow_binds_names() {
    check(
        "lib/a.rb",
        r#"
def work(v)
  begin
    risky
  rescue Net::Error, Timeout => e
    e.retry
  rescue Foo => f
    f.code
  end
  for row in Table.rows do row.read end
  case v
  in {name: String => n, age:, list: [first, *rest]}
    n.size
    age.years
  in Point(x:) if x.ok
    rest
  end
  case v
  when Shape then v.draw
  end
  v => {id:}
  id.go
  risky rescue fallback
  raise Oops, "went very wrong" unless v
end
"#,
        &expect![[r#"
            symbol function work 2-25 pub | def work(v)
            ref call risky @4 in work
            ref value Net @5 in work
            ref type Net . Error @5 in work
            ref type Timeout @5 in work
            ref call ? . retry @6 in work
            ref type Foo @7 in work
            ref call <Foo> . code @8 in work
            ref value Table @10 in work
            ref call Table . rows @10 in work
            ref call Table.rows()[] . read @10 in work
            ref type String @12 in work
            ref call <String> . size @13 in work
            ref call ? . years @14 in work
            ref type Point @15 in work
            ref call ? . ok @15 in work
            ref value Shape @19 in work
            ref call ? . draw @19 in work
            ref call ? . go @22 in work
            ref call risky @23 in work
            ref call fallback @23 in work
            ref call raise @24 in work
            ref value Oops @24 in work
            string "went very wrong" @24 in work
        "#]],
    );
}

#[test]
fn imports() {
    check(
        "lib/a.rb",
        "require 'json'\nrequire_relative 'x/y'\nrequire_relative '../up'\nload \"tasks/a.rake\"\nrequire name\nmodule M\n  autoload :Late, 'm/late'\nend\ndef f\n  require 'inner'\nend\n",
        &expect![[r#"
            symbol module M 6-8 pub | module M
            symbol function f 9-11 pub : require() | def f
            ref call require @5 in -
            ref call name @5 in -
            import file json @1 in -
            import file ./x/y @2 in -
            import file ../up @3 in -
            import file tasks/a.rake @4 in -
            import file m/late @7 in M
            import file inner @10 in f
        "#]],
    );
}

#[test]
fn tests() {
    check(
        "test/cart_test.rb",
        "class CartTest < Minitest::Test\n  def setup; end\n  def test_total; assert_equal 1, Cart.new.total; end\n  test \"adds an item\" do\n    cart.add\n  end\nend\n",
        &expect![[r#"
            symbol class CartTest 1-7 pub | class CartTest < Minitest::Test
            symbol method CartTest::setup 2-2 pub | def setup
            symbol test CartTest::test_total 3-3 pub : assert_equal() | def test_total
            symbol test CartTest::adds an item 4-6 | test "adds an item"
            ref value Minitest @1 in -
            ref type Minitest . Test @1 in -
            ref call assert_equal @3 in CartTest::test_total
            ref call Cart @3 in CartTest::test_total
            ref value Cart . new @3 in CartTest::test_total
            ref call <Cart> . total @3 in CartTest::test_total
            ref call test @4 in CartTest
            ref call cart @5 in CartTest::adds an item
            ref call cart() . add @5 in CartTest::adds an item
            relation CartTest extends Minitest.Test @1
            string "adds an item" @4 in CartTest
        "#]],
    );
    check(
        "spec/cart_spec.rb",
        "RSpec.describe Cart do\n  let(:cart) { Cart.new }\n  context 'when empty' do\n    it \"has no total\" do\n      expect(cart.total).to eq(0)\n    end\n    it { is_expected.to be_empty }\n  end\nend\n",
        &expect![[r#"
            symbol test Cart 1-9 | RSpec.describe Cart
            symbol method Cart::cart 2-2 : <Cart> | let(:cart)
            symbol test Cart::when empty 3-8 | context 'when empty'
            symbol test Cart::when empty::has no total 4-6 | it "has no total"
            ref value Cart @1 in -
            ref call Cart @2 in Cart::cart
            ref value Cart . new @2 in Cart::cart
            ref call context @3 in Cart
            ref call it @4 in Cart::when empty
            ref call expect @5 in Cart::when empty::has no total
            ref call cart @5 in Cart::when empty::has no total
            ref call cart() . total @5 in Cart::when empty::has no total
            ref call expect() . to @5 in Cart::when empty::has no total
            ref call eq @5 in Cart::when empty::has no total
            ref call it @7 in Cart::when empty
            ref call is_expected @7 in Cart::when empty
            ref call is_expected() . to @7 in Cart::when empty
            ref call be_empty @7 in Cart::when empty
            string "when empty" @3 in Cart
            string "has no total" @4 in Cart::when empty
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.rb",
        "def ok; end\nclass Foo\n  def broken(\n  end\nend\n\nclass Bar\n  def fine; ok; end\nend\n",
        &expect![[r#"
            has errors
            symbol function ok 1-1 pub | def ok
            symbol function broken 3-5 pub | def broken( end
            symbol class Bar 7-9 pub | class Bar
            symbol method Bar::fine 8-8 pub : ok() | def fine
            ref value Foo @2 in -
            ref call ok @8 in Bar::fine
        "#]],
    );
}

#[test]
fn empty_file() {
    check("a.rb", "", &expect![[""]]);
}

#[test]
fn deep_nesting_is_survived() {
    use orbit_extract::{Lang, extract};
    let chain = format!("def f; a{}; end\n", ".b(1)".repeat(20_000));
    let nested = format!("def f; {}1{}; end\n", "[".repeat(20_000), "]".repeat(20_000));
    for source in [chain, nested] {
        assert!(extract("a.rb", Lang::Ruby, source.as_bytes()).is_ok_and(|file| !file.symbols.is_empty()));
    }
}
