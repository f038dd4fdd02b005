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
fn a_using_inside_of_a_namespace_is_relative_to_it() {
    check(
        r"
==> Lib/Results.cs
namespace Shop.Results;
public class Result { public void Show() {} }
public static class More { public static void Twice(this Result result) {} }
==> Lib/Other.cs
namespace Results;
public class Result { public void Show() {} }
==> Lib/Shop.cs
namespace Shop;
using Results;
public class Desk { public Result Sell() => null; }
==> Test/ShopTest.cs
namespace Shop.Test {
  using Results;
  using Short = Results.Result;
  class ShopTest {
    void Run(Result result, Short other) {
      result.Show(); //?
      result.Twice(); //?
      other.Show(); //?
      new Desk().Sell().Show(); //?
    }
  }
}
==> Top.cs
using Results;
class Top { void Run(Result result) { result.Show(); } } //?
",
        &expect![[r#"
            Test/ShopTest.cs:6 Show -> Lib/Results.cs:2 import_resolved
            Test/ShopTest.cs:7 Twice -> Lib/Results.cs:3 import_resolved
            Test/ShopTest.cs:8 Show -> Lib/Results.cs:2 import_resolved
            Test/ShopTest.cs:9 Desk -> Lib/Shop.cs:3 same_module
            Test/ShopTest.cs:9 Sell -> Lib/Shop.cs:3 same_module
            Test/ShopTest.cs:9 Show -> Lib/Results.cs:2 import_resolved
            Top.cs:2 Show -> Lib/Other.cs:2 import_resolved
        "#]],
    );
}

#[test]
fn lambdas_get_what_trees_of_expressions_constructors_and_collections_want() {
    check(
        r#"
==> Rules.cs
using System;
using System.Linq.Expressions;
public class Shop {
  public Name Owner() => null;
}
public class Name { public void Show() {} }
public class Rules<T> {
  public Rules() {}
  public Rules(int size) {}
  public Rules(params Action<Rules<T>>[] all) {}
  public Rules<T> For<R>(Expression<Func<T, R>> of) => this;
  public Rules<T> With(string text) => this;
  public Rules<T> With(Expression<Func<T, Name>> of) => this;
  public void Add(Func<Rules<T>, Rules<T>> rule) {}
}
public class ShopRules : Rules<Shop> {
  public ShopRules(params Action<ShopRules>[] all) {}
}
class User {
  void Run(Rules<Shop> rules) {
    rules.For(x => x.Owner()); //?
    rules.With(x => x.Owner()); //?
    rules.With("text"); //?
    var made = new Rules<Shop>(r => r.For(x => x.Owner())); //?
    var filled = new ShopRules {
      r => r.For(x => x.Owner()), //?
      r => r.With("text") //?
    };
    var given = new ShopRules(r => r.With("text"), r => r.For(x => x.Owner())); //?
  }
}
"#,
        &expect![[r#"
            Rules.cs:21 For -> Rules.cs:11 exact
            Rules.cs:21 Owner -> Rules.cs:4 exact
            Rules.cs:22 With -> Rules.cs:13 exact
            Rules.cs:22 Owner -> Rules.cs:4 exact
            Rules.cs:23 With -> Rules.cs:12 exact
            Rules.cs:24 Rules -> Rules.cs:7 exact
            Rules.cs:24 For -> Rules.cs:11 exact
            Rules.cs:24 Owner -> Rules.cs:4 exact
            Rules.cs:26 For -> Rules.cs:11 exact
            Rules.cs:26 Owner -> Rules.cs:4 exact
            Rules.cs:27 With -> Rules.cs:12 exact
            Rules.cs:29 ShopRules -> Rules.cs:16 exact
            Rules.cs:29 With -> Rules.cs:12 exact
            Rules.cs:29 For -> Rules.cs:11 exact
            Rules.cs:29 Owner -> Rules.cs:4 exact
        "#]],
    );
}

#[test]
fn sequences_hand_on_what_they_hold() {
    check(
        r"
==> Run.cs
using System.Collections.Generic;
using System.Linq;
public class Error { public void Show() {} public bool Bad() => true; }
public class Result { public List<Error> Errors; public Dictionary<string, Error> ByName; }
class User {
  void Run(Result result, Error[] all, IEnumerable<Error> some) {
    result.Errors.Single().Show(); //?
    result.Errors.Where(e => e.Bad()).ToList()[0].Show(); //?
    all.FirstOrDefault(e => e.Bad()).Show(); //?
    some.OrderBy(e => e.Bad()).Any(e => e.Bad()); //?
    result.ByName.First().Show(); //?
  }
}
",
        &expect![[r#"
            Run.cs:7 Single -> ?
            Run.cs:7 Show -> Run.cs:3 exact
            Run.cs:8 Where -> ?
            Run.cs:8 Bad -> Run.cs:3 exact
            Run.cs:8 ToList -> ?
            Run.cs:8 Show -> Run.cs:3 exact
            Run.cs:9 FirstOrDefault -> ?
            Run.cs:9 Bad -> Run.cs:3 exact
            Run.cs:9 Show -> Run.cs:3 exact
            Run.cs:10 OrderBy -> ?
            Run.cs:10 Bad -> Run.cs:3 exact
            Run.cs:10 Any -> ?
            Run.cs:10 Bad -> Run.cs:3 exact
            Run.cs:11 First -> ?
            Run.cs:11 Show -> ?
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

#[test]
fn types_of_one_name_are_told_apart_by_their_type_parameters() {
    check(
        r"
==> Outcome.cs
namespace Lib;
public static class Outcome {
  public static Outcome<T> Of<T>(T value) => null;
}
==> OutcomeT.cs
namespace Lib;
public partial class Outcome<T> { public T Value; public void Use() {} }
==> OutcomeMore.cs
namespace Lib;
public partial class Outcome<T> { public T Again() => Value; } //?
==> Item.cs
namespace Lib;
public class Item { public void Go() {} }
==> User.cs
namespace Lib;
class User {
  Outcome<Item> held; //?
  void Run() {
    Outcome.Of(new Item()).Use(); //?
    Outcome.Of(new Item()).Again().Go(); //?
    held.Value.Go(); //?
    var made = new Outcome<Item>(); //?
    made.Use(); //?
  }
}
",
        &expect![[r#"
            User.cs:5 Of -> Outcome.cs:3 same_module
            User.cs:5 Item -> Item.cs:2 same_module
            User.cs:5 Use -> OutcomeT.cs:2 same_module
            User.cs:6 Of -> Outcome.cs:3 same_module
            User.cs:6 Item -> Item.cs:2 same_module
            User.cs:6 Again -> OutcomeMore.cs:2 same_module
            User.cs:6 Go -> Item.cs:2 same_module
            User.cs:7 Go -> Item.cs:2 same_module
            User.cs:8 Outcome -> OutcomeMore.cs:2 same_module
            User.cs:9 Use -> OutcomeT.cs:2 same_module
        "#]],
    );
}

#[test]
fn usings_of_project_files_count_in_every_file_of_the_project() {
    check(
        r#"
==> src/Lib/Event.cs
namespace Lib.Events;
public class Event { public static void Raise() {} }
==> src/Lib/More.cs
namespace Lib.More;
public class Other { public static void Raise() {} }
==> eng/Test.targets
<Project><ItemGroup><Using Include="Lib.More" /></ItemGroup></Project>
==> test/App/App.csproj
<Project>
  <Import Project="..\..\eng\Test.targets" />
  <ItemGroup><Using Include="Lib.Events" /></ItemGroup>
</Project>
==> test/App/Inner/Runner.cs
namespace App.Inner;
class Runner { void Run() { Event.Raise(); } } //?
==> test/App/Second.cs
namespace App;
class Second { void Run() { Other.Raise(); } } //?
==> test/None/None.csproj
<Project></Project>
==> test/None/None.cs
namespace None;
class None { void Run() { Event.Raise(); } } //?
"#,
        &expect![[r#"
            test/App/Inner/Runner.cs:2 Raise -> src/Lib/Event.cs:2 import_resolved
            test/App/Second.cs:2 Raise -> src/Lib/More.cs:2 import_resolved
            test/None/None.cs:2 Raise -> ?
        "#]],
    );
}

#[test]
fn overloads_are_told_apart_by_anonymous_functions_and_type_arguments() {
    check(
        r#"
==> Policy.cs
namespace Lib;
public class Context { public void Touch() {} }
public class Policy {
  public static Policy Make() => null;
  public static Policy<T> Make<T>() => null;
  public void Execute(Action action) {}
  public void Execute(Action<Context> action) {}
  public T Execute<T>(Func<T> action) => default;
  public Task ExecuteAsync(Func<Task> action) => null;
  public Task<T> ExecuteAsync<T>(Func<Task<T>> action) => null;
}
public class Policy<T> {
  public T Execute(Func<T> action) => default;
}
public static class Extensions {
  public static void Repeat<T>(this Policy<T> policy, params T[] values) {}
  public static void Repeat<T>(this Policy<T> policy, IEnumerable<T> values) {}
}
public enum Kind { A }
==> User.cs
namespace Lib;
class User {
  void Log() {}
  int Count() => 1;
  void Run(Policy policy, Policy<Kind> typed) {
    policy.Execute(() => { Log(); }); //?
    policy.Execute(() => Log()); //?
    policy.Execute(() => Count()); //?
    policy.Execute(c => { c.Touch(); }); //?
    policy.ExecuteAsync(async () => { await Other(); }); //?
    policy.ExecuteAsync(async () => { await Other(); return 1; }); //?
    Policy.Make<Kind>().Execute(() => Kind.A); //?
    Policy.Make().Execute(() => { return 1; }); //?
    typed.Repeat(Kind.A); //?
  }
}
"#,
        &expect![[r#"
            User.cs:6 Execute -> Policy.cs:6 same_module
            User.cs:6 Log -> User.cs:3 exact
            User.cs:7 Execute -> Policy.cs:6 same_module
            User.cs:7 Log -> User.cs:3 exact
            User.cs:8 Execute -> Policy.cs:8 same_module
            User.cs:8 Count -> User.cs:4 exact
            User.cs:9 Execute -> Policy.cs:7 same_module
            User.cs:9 Touch -> Policy.cs:2 same_module
            User.cs:10 ExecuteAsync -> Policy.cs:9 same_module
            User.cs:10 Other -> ?
            User.cs:11 ExecuteAsync -> Policy.cs:10 same_module
            User.cs:11 Other -> ?
            User.cs:12 Make -> Policy.cs:5 same_module
            User.cs:12 Execute -> Policy.cs:13 same_module
            User.cs:13 Make -> Policy.cs:4 same_module
            User.cs:13 Execute -> Policy.cs:8 same_module
            User.cs:14 Repeat -> Policy.cs:16 import_resolved
        "#]],
    );
}

#[test]
fn extensions_of_types_from_outside_are_called_on_values_of_them() {
    check(
        r"
==> Extensions.cs
namespace Microsoft.Extensions;
public static class ServiceCollectionExtensions {
  public static IServiceCollection AddThing(this IServiceCollection services, Action<Config> configure) => services;
}
public class Config { public void Use() {} }
==> User.cs
using Microsoft.Extensions;
class User {
  void Run(IServiceCollection given) {
    var made = new ServiceCollection();
    made.AddThing(config => { config.Use(); }); //?
    given.AddThing(config => config.Use()); //?
    unknown.AddThing(config => { config.Use(); }); //?
  }
}
",
        &expect![[r#"
            User.cs:5 AddThing -> Extensions.cs:3 import_resolved
            User.cs:5 Use -> Extensions.cs:5 import_resolved
            User.cs:6 AddThing -> Extensions.cs:3 import_resolved
            User.cs:6 Use -> Extensions.cs:5 import_resolved
            User.cs:7 AddThing -> ?
            User.cs:7 Use -> ?
        "#]],
    );
}

#[test]
fn containers_of_services_give_what_is_asked_for() {
    check(
        r#"
==> src/Mediator.cs
namespace App;
public interface IMediator { void Send(int x); }
==> src/Use.cs
using Microsoft.Extensions.DependencyInjection;
namespace App;
public class Use {
    public void Run(IServiceProvider provider) {
        var mediator = provider.GetRequiredService<IMediator>();
        mediator.Send(1); //?
        provider.Other<IMediator>().Send(1); //?
    }
}
"#,
        &expect![[r#"
            src/Use.cs:6 Send -> src/Mediator.cs:2 same_module
            src/Use.cs:7 Other -> ?
            src/Use.cs:7 Send -> ?
        "#]],
    );
}
