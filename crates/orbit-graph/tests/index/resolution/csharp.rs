//! C#.

use super::check;
use expect_test::expect;

#[test]
fn global_usings_count_below_their_directory_and_namespaces_see_those_round_them() {
    check(
        r"
==> src/App/GlobalUsings.cs
global using Lib.Events;
==> src/App/Core/Runner.cs
namespace App.Core;
class Runner {
  void Run() {
    Event.Raise(); //?
    Root.Go(); //?
  }
}
==> src/App/Root.cs
namespace App;
class Root { public static void Go() {} }
==> src/Lib/Event.cs
namespace Lib.Events;
public class Event { public static void Raise() {} }
==> test/Other.cs
namespace Other;
class Other { void Run() { Event.Raise(); } } //?
",
        &expect![[r#"
            src/App/Core/Runner.cs:4 Raise -> src/Lib/Event.cs:2 import_resolved
            src/App/Core/Runner.cs:5 Go -> src/App/Root.cs:2 same_module
            test/Other.cs:2 Raise -> ?
        "#]],
    );
}

#[test]
fn an_extension_is_called_like_a_member_where_its_namespace_is_open() {
    check(
        r#"
==> Lib/Extensions.cs
namespace Lib.More;
public static class Extensions {
  public static void Shout(this Text text, int times = 1) {}
  public static void Shout(this Text text, string word, params object[] rest) {}
  public static void Length2(this string s) {}
}
==> Lib/Text.cs
namespace Lib;
public class Text { public void Own() {} }
==> User.cs
using Lib;
using Lib.More;
class User {
  void Run(Text text, string s) {
    text.Own(); //?
    text.Shout(); //?
    text.Shout(2); //?
    text.Shout("a"); //?
    text.Shout("a", 1, 2); //?
    s.Length2(); //?
  }
}
==> Blind.cs
using Lib;
class Blind { void Run(Text text) { text.Shout(); } } //?
"#,
        &expect![[r#"
            Blind.cs:2 Shout -> ?
            User.cs:5 Own -> Lib/Text.cs:2 import_resolved
            User.cs:6 Shout -> Lib/Extensions.cs:3 import_resolved
            User.cs:7 Shout -> Lib/Extensions.cs:3 import_resolved
            User.cs:8 Shout -> Lib/Extensions.cs:4 import_resolved
            User.cs:9 Shout -> Lib/Extensions.cs:4 import_resolved
            User.cs:10 Length2 -> Lib/Extensions.cs:5 import_resolved
        "#]],
    );
}
