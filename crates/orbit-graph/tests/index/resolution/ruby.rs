//! Ruby.

use super::check;
use expect_test::expect;

#[test]
fn methods_of_a_class_and_of_its_instances_are_kept_apart() {
    check(
        r#"
==> lib/task.rb
class Task
  def clear; end
  def self.find; end
  class << self
    def clear; end
  end
end
==> lib/user.rb
require_relative "task"
def run
  Task.clear #?
  Task.new.clear #?
  Task.find #?
end
"#,
        &expect![[r#"
            lib/user.rb:3 clear -> lib/task.rb:5 same_module
            lib/user.rb:4 Task -> lib/task.rb:1 same_module
            lib/user.rb:4 clear -> lib/task.rb:2 same_module
            lib/user.rb:5 find -> lib/task.rb:3 same_module
        "#]],
    );
}

#[test]
fn helpers_of_a_group_give_what_their_blocks_do() {
    check(
        r#"
==> lib/conn.rb
module Net
  class Conn
    def initialize(url); end
    def get; Reply.new; end
    def late(x)
      return nil if x
      Reply.new
    end
  end
  class Reply
    def body; end
  end
end
==> spec/conn_spec.rb
RSpec.describe Net::Conn do
  let(:conn) { Net::Conn.new("a") }
  subject { described_class.new("b") } #?
  let!(:reply) { conn.get } #?
  it "gets" do
    conn.get.body #?
    reply.body #?
    subject.get #?
    conn.late(1).body #?
  end
  context "other" do
    let(:conn) { subject } #?
    it("sees the inner one") { conn.get } #?
  end
end
"#,
        &expect![[r#"
            spec/conn_spec.rb:3 new -> lib/conn.rb:3 same_module
            spec/conn_spec.rb:4 conn -> spec/conn_spec.rb:2 exact
            spec/conn_spec.rb:4 get -> lib/conn.rb:4 import_resolved
            spec/conn_spec.rb:6 conn -> spec/conn_spec.rb:2 exact
            spec/conn_spec.rb:6 get -> lib/conn.rb:4 import_resolved
            spec/conn_spec.rb:6 body -> lib/conn.rb:11 import_resolved
            spec/conn_spec.rb:7 reply -> spec/conn_spec.rb:4 exact
            spec/conn_spec.rb:7 body -> lib/conn.rb:11 import_resolved
            spec/conn_spec.rb:8 subject -> spec/conn_spec.rb:3 exact
            spec/conn_spec.rb:8 get -> lib/conn.rb:4 import_resolved
            spec/conn_spec.rb:9 conn -> spec/conn_spec.rb:2 exact
            spec/conn_spec.rb:9 late -> lib/conn.rb:5 import_resolved
            spec/conn_spec.rb:9 body -> lib/conn.rb:11 import_resolved
            spec/conn_spec.rb:12 subject -> spec/conn_spec.rb:3 exact
            spec/conn_spec.rb:13 it -> ?
            spec/conn_spec.rb:13 conn -> spec/conn_spec.rb:12 exact
            spec/conn_spec.rb:13 get -> lib/conn.rb:4 import_resolved
        "#]],
    );
}

#[test]
fn classes_made_from_struct_have_its_members() {
    check(
        r#"
==> lib/options.rb
class Options < Struct
  def self.from(value); end
  def merge(other); end
end
class Point < Struct.new(:x, :y)
  def norm; x; end #?
end
Proxy = Options.new(:uri, :user) do
  def host; uri; end #?
end
==> lib/use.rb
class Use
  def run
    Point.new(1, 2).y #?
    Proxy.new.user #?
    Proxy.new.merge(1) #?
    Proxy.from(1) #?
  end
end
"#,
        &expect![[r#"
            lib/options.rb:6 x -> lib/options.rb:5 exact
            lib/options.rb:9 uri -> lib/options.rb:8 exact
            lib/use.rb:3 Point -> lib/options.rb:5 same_module
            lib/use.rb:3 y -> lib/options.rb:5 same_module
            lib/use.rb:4 Proxy -> lib/options.rb:8 same_module
            lib/use.rb:4 user -> lib/options.rb:8 same_module
            lib/use.rb:5 Proxy -> lib/options.rb:8 same_module
            lib/use.rb:5 merge -> lib/options.rb:3 same_module
            lib/use.rb:6 from -> lib/options.rb:2 same_module
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a fixture and its edges belong together")]
fn a_module_may_have_a_new_of_its_own_and_blocks_get_what_is_yielded() {
    check(
        r#"
==> lib/net.rb
module Net
  class << self
    def new(url, &block)
      Net::Conn.new(url, &block)
    end
  end
  class Conn
    def initialize(url)
      @url = url
      yield(self) if block_given?
    end
    def get; end
    def each_reply
      @reply = nil
      @reply = Reply.new
      yield @reply, 1
    end
    def call_it(&block)
      block.call(Reply.new)
    end
    def self.create; new("a").tap { |conn| conn.get }; end #?
    def copy; self.class.create.get; end #?
    def self.make; self.create; end #?
  end
  class Secure < Conn
    def lock; end
  end
  class Reply
    attr_reader :conn, :name
    attr_writer :name
    def initialize; @conn = Conn.new("b"); end
    def body; end
    def body=(text); end
    def late(x)
      return nil if x
      x ? Reply.new : nil
    end
    def either(x)
      if x then Reply.new else Conn.new("c") end
    end
  end
end
==> lib/use.rb
require_relative "net"
class Use
  def run
    Net.new("a") { |conn| conn.get } #?
    Net.new("a").get #?
    Net::Secure.new("a") { |conn| conn.lock } #?
    Net::Conn.new("a").each_reply { |reply, count| reply.body } #?
    Net::Conn.new("a").call_it { |reply| reply.body } #?
    Net::Reply.new.conn.get #?
    Net::Reply.new.body = "x" #?
    Net::Reply.new.name = "x" #?
    Net::Reply.new.late(1).body #?
    Net::Reply.new.either(1).body #?
  end
end
"#,
        &expect![[r#"
            lib/net.rb:21 new -> lib/net.rb:8 exact
            lib/net.rb:21 tap -> ?
            lib/net.rb:21 get -> lib/net.rb:12 exact
            lib/net.rb:22 class -> ?
            lib/net.rb:22 create -> lib/net.rb:21 exact
            lib/net.rb:22 get -> lib/net.rb:12 exact
            lib/net.rb:23 create -> lib/net.rb:21 exact
            lib/use.rb:4 Net -> lib/net.rb:1 same_module
            lib/use.rb:4 get -> lib/net.rb:12 import_resolved
            lib/use.rb:5 Net -> lib/net.rb:1 same_module
            lib/use.rb:5 get -> lib/net.rb:12 import_resolved
            lib/use.rb:6 Secure -> lib/net.rb:25 import_resolved
            lib/use.rb:6 lock -> lib/net.rb:26 import_resolved
            lib/use.rb:7 Conn -> lib/net.rb:7 import_resolved
            lib/use.rb:7 each_reply -> lib/net.rb:13 import_resolved
            lib/use.rb:7 body -> lib/net.rb:32 import_resolved
            lib/use.rb:8 Conn -> lib/net.rb:7 import_resolved
            lib/use.rb:8 call_it -> lib/net.rb:18 import_resolved
            lib/use.rb:8 body -> lib/net.rb:32 import_resolved
            lib/use.rb:9 Reply -> lib/net.rb:28 import_resolved
            lib/use.rb:9 conn -> lib/net.rb:29 import_resolved
            lib/use.rb:9 get -> lib/net.rb:12 import_resolved
            lib/use.rb:10 Reply -> lib/net.rb:28 import_resolved
            lib/use.rb:11 Reply -> lib/net.rb:28 import_resolved
            lib/use.rb:12 Reply -> lib/net.rb:28 import_resolved
            lib/use.rb:12 late -> lib/net.rb:34 import_resolved
            lib/use.rb:12 body -> lib/net.rb:32 import_resolved
            lib/use.rb:13 Reply -> lib/net.rb:28 import_resolved
            lib/use.rb:13 either -> lib/net.rb:38 import_resolved
            lib/use.rb:13 body -> lib/net.rb:32 import_resolved
        "#]],
    );
}

#[test]
fn delegates_classes_from_outside_and_implicit_subjects() {
    check(
        r#"
==> test/helper.rb
class Minitest::Test
  class << self
    alias_method :spec, :test
  end
  def mock_app; end
end
==> test/app_test.rb
require_relative "helper"
class AppTest < Minitest::Test
  spec "runs" #?
  def run
    mock_app #?
    send(:mock_app)
  end
end
==> lib/coder.rb
module Utils
  def self.unescape(x); Text.new; end
end
class Text
  def strip_all; end
end
module Coder
  class << self
    extend Forwardable
    def_delegators :Utils, :unescape
  end
  def self.decode(x)
    unescape(x).strip_all #?
  end
end
class Reader
  extend Forwardable
  def_delegator :@text, :strip_all, :clean
  delegate :strip_all, to: :text
  def initialize; @text = Text.new; end
  def text; @text; end
  def run
    clean #?
    strip_all #?
  end
end
==> spec/coder_spec.rb
RSpec.describe Coder do
  it("decodes") { subject.decode(1) } #?
end
RSpec.describe Reader do
  it("reads") { subject.clean } #?
end
"#,
        &expect![[r#"
            lib/coder.rb:13 unescape -> lib/coder.rb:10 exact
            lib/coder.rb:13 strip_all -> lib/coder.rb:5 exact
            lib/coder.rb:23 clean -> lib/coder.rb:18 exact
            lib/coder.rb:24 strip_all -> lib/coder.rb:19 exact
            spec/coder_spec.rb:2 it -> ?
            spec/coder_spec.rb:2 subject -> ?
            spec/coder_spec.rb:2 decode -> lib/coder.rb:12 same_module
            spec/coder_spec.rb:5 it -> ?
            spec/coder_spec.rb:5 subject -> ?
            spec/coder_spec.rb:5 clean -> lib/coder.rb:18 same_module
            test/app_test.rb:3 spec -> test/helper.rb:3 same_module
            test/app_test.rb:5 mock_app -> test/helper.rb:5 same_module
        "#]],
    );
}

#[test]
fn returns_and_brackets_of_a_class_give_what_they_say() {
    check(
        r#"
==> lib/mock.rb
class Reply
  def self.[](status); new; end
  def body; end
end
class Mock
  def get(uri); request("GET", uri); end
  def request(method, uri)
    status = [1].map { |x| return nil if x == 2 }
    return Reply.new
  ensure
    status.close
  end
  def unclear(x)
    return x if x
    Reply.new
  end
end
==> lib/use.rb
class Use
  def run
    Mock.new.get("/").body #?
    Reply[200].body #?
    Mock.new.unclear(1).body #?
  end
end
"#,
        &expect![[r#"
            lib/use.rb:3 Mock -> lib/mock.rb:5 same_module
            lib/use.rb:3 get -> lib/mock.rb:6 same_module
            lib/use.rb:3 body -> lib/mock.rb:3 same_module
            lib/use.rb:4 body -> lib/mock.rb:3 same_module
            lib/use.rb:5 Mock -> lib/mock.rb:5 same_module
            lib/use.rb:5 unclear -> lib/mock.rb:13 same_module
            lib/use.rb:5 body -> ?
        "#]],
    );
}

#[test]
fn constants_of_a_module_included_at_the_top_of_a_file_are_seen_everywhere() {
    check(
        r#"
==> lib/shop.rb
module Shop
  class Desk
    def sell; end
  end
  def self.open; end
end
==> test/helper.rb
require "shop"
include Shop
==> test/desk_test.rb
require "helper"
class DeskTest
  def run
    Desk.new.sell #?
    open #?
  end
end
==> test/other_test.rb
module Other
  class Desk
    def sell; end
  end
  Desk.new.sell #?
end
"#,
        &expect![[r#"
            test/desk_test.rb:4 Desk -> lib/shop.rb:2 same_module
            test/desk_test.rb:4 sell -> lib/shop.rb:3 same_module
            test/desk_test.rb:5 open -> ?
            test/other_test.rb:5 Desk -> test/other_test.rb:2 exact
            test/other_test.rb:5 sell -> test/other_test.rb:3 exact
        "#]],
    );
}
