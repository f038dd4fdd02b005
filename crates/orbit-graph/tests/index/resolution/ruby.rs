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
            spec/conn_spec.rb:9 body -> ?
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
