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
