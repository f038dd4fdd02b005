use crate::render::check;
use expect_test::expect;

#[test]
fn functions_classes_and_fields() {
    check(
        "pkg/a.py",
        r#"
MAX = 3
count: int = 0

def outer(a, b: Foo = None, *args, **kw) -> "Bar":
    def inner():
        return a
    return inner()

class Base(Mixin, pkg.Other[int], metaclass=Meta):
    limit: Foo = 5

    def __init__(self, pool: Pool):
        self.pool = pool
        self.pool = None

    @property
    def size(self) -> int:
        return self.pool.size()

    @staticmethod
    def make(x): ...

    async def run(self): ...

    class Meta:
        ordering = []
"#,
        &expect![[r#"
            symbol const MAX 2-2 pub : # | MAX = 3
            symbol variable count 3-3 pub : <int> | count: int = 0
            symbol function outer 5-8 pub (?, Foo?, ?...) : <Bar> | def outer(a, b: Foo = None, *args, **kw) -> "Bar"
            symbol function outer.inner 6-7 pub () | def inner()
            symbol class Base 10-27 pub | class Base(Mixin, pkg.Other[int], metaclass=Meta)
            symbol field Base.limit 11-11 pub : <Foo> | limit: Foo = 5
            symbol constructor Base.__init__ 13-15 (Pool) | def __init__(self, pool: Pool)
            symbol field Base.pool 14-14 bodiless : <Pool> | self.pool = pool
            symbol property Base.size 18-19 pub () @(property) : <int> | def size(self) -> int
            symbol method Base.make 22-22 pub (?) @(staticmethod) | def make(x)
            symbol method Base.run 24-24 pub () | async def run(self)
            symbol class Base.Meta 26-27 pub | class Meta
            symbol field Base.Meta.ordering 27-27 pub bodiless : [?] | ordering = []
            ref type int @3 in -
            ref type Foo @5 in outer
            ref type Bar @5 in outer
            ref call inner @8 in outer
            ref type Mixin @10 in -
            ref value pkg @10 in -
            ref type pkg . Other @10 in -
            ref type int @10 in -
            ref value Meta @10 in -
            ref type Foo @11 in Base
            ref type Pool @13 in Base.__init__
            ref value this . pool @14 in Base.__init__
            ref value this . pool @15 in Base.__init__
            ref call property @17 in Base
            ref type int @18 in Base.size
            ref value this . pool @19 in Base.size
            ref call this.pool . size @19 in Base.size
            ref call staticmethod @21 in Base
            relation Base extends Mixin @10
            relation Base extends pkg.Other<int> @10
        "#]],
    );
}

#[test]
fn calls_receivers_and_types() {
    check(
        "pkg/a.py",
        r#"
def run(conn: Optional[Conn], items: list[Item]):
    conn.execute("select something")
    x = Client.create(1)
    x.send(helper)
    for item in items:
        item.touch()
    with open_pool() as pool:
        pool.get()
    [y.name for y in items]
    (lambda z: z.go())(1)
    super().run()
    print(f"value {x.total()} here")
    unknown.method().chain()
    try: ...
    except errors.Bad as e:
        e.code
@decorate
@deco.rate(1)
def d(): ...
"#,
        &expect![[r#"
            symbol function run 2-17 pub (Conn, list<Item>) | def run(conn: Optional[Conn], items: list[Item])
            symbol function d 20-20 pub () @(decorate, deco.rate()) | def d()
            ref type Optional @2 in run
            ref type Conn @2 in run
            ref type list @2 in run
            ref type Item @2 in run
            ref call <Conn> . execute @3 in run
            ref value Client @4 in run
            ref call Client . create @4 in run
            ref call Client.create() . send @5 in run
            ref value helper @5 in run
            ref call each(<list<Item>>) . touch @7 in run
            ref call open_pool @8 in run
            ref call enter(open_pool()) . get @9 in run
            ref value each(<list<Item>>) . name @10 in run
            ref call ? . go @11 in run
            ref call super @12 in run
            ref call super . run @12 in run
            ref call print @13 in run
            ref call Client.create() . total @13 in run
            ref value unknown @14 in run
            ref call unknown . method @14 in run
            ref call unknown.method() . chain @14 in run
            ref value errors @16 in run
            ref value errors . Bad @16 in run
            ref value <errors.Bad> . code @17 in run
            ref call decorate @18 in -
            ref value deco @19 in -
            ref call deco . rate @19 in -
            string "select something" @3 in run
            string "value {x.total()} here" @13 in run
        "#]],
    );
}

#[test]
fn imports() {
    check(
        "pkg/a.py",
        "import os.path\nimport numpy as np\nfrom . import sibling\nfrom ..up.mod import A as B, C\nfrom m import *\nfrom __future__ import annotations\ndef f():\n    from late import thing\n",
        &expect![[r#"
            symbol function f 7-8 pub () | def f()
            import module os.path as os reexport @1 in -
            import module numpy as np reexport @2 in -
            import symbol . [sibling] as sibling reexport @3 in -
            import symbol ..up.mod [A] as B reexport @4 in -
            import symbol ..up.mod [C] as C reexport @4 in -
            import glob m reexport @5 in -
            import symbol late [thing] as thing reexport @8 in f
        "#]],
    );
}

#[test]
fn click_commands() {
    check(
        "cli.py",
        r#"
import click

@click.group()
def cli(): ...

@cli.group()
def task(): ...

@task.command("update")
def task_update(): ...

@cli.command()
def show_all(): ...

@cli.command(NAME)
def dynamic(): ...
"#,
        &expect![[r#"
            symbol function cli 5-5 pub () @(click.group()) | def cli()
            symbol function task 8-8 pub () @(cli.group()) | def task()
            symbol function task_update 11-11 pub () @(task.command()) | def task_update()
            symbol function show_all 14-14 pub () @(cli.command()) | def show_all()
            symbol function dynamic 17-17 pub () @(cli.command()) | def dynamic()
            ref value click @4 in -
            ref call click . group @4 in -
            ref value cli @7 in -
            ref call cli . group @7 in -
            ref value task @10 in -
            ref call task . command @10 in -
            ref value cli @13 in -
            ref call cli . command @13 in -
            ref value cli @16 in -
            ref call cli . command @16 in -
            ref value NAME @16 in -
            import module click as click reexport @2 in -
            string "update" @10 in -
            command "cli" -> own cli @4
            command "task" -> own task @7
            command "task update" -> own task_update @10
            command "show-all" -> own show_all @13
        "#]],
    );
}

#[test]
fn typer_commands() {
    check(
        "cli.py",
        r#"
import typer
app = typer.Typer()
users = typer.Typer()
app.add_typer(users, name="users")

@app.command()
def hello(): ...

@users.command(name="create")
def make_user(): ...
"#,
        &expect![[r#"
            symbol variable app 3-3 pub : typer.Typer() | app = typer.Typer()
            symbol variable users 4-4 pub : typer.Typer() | users = typer.Typer()
            symbol function hello 8-8 pub () @(app.command()) | def hello()
            symbol function make_user 11-11 pub () @(users.command()) | def make_user()
            ref value typer @3 in -
            ref call typer . Typer @3 in -
            ref value typer @4 in -
            ref call typer . Typer @4 in -
            ref value app @5 in -
            ref call app . add_typer @5 in -
            ref value users @5 in -
            ref value app @7 in -
            ref call app . command @7 in -
            ref value users @10 in -
            ref call users . command @10 in -
            import module typer as typer reexport @2 in -
            string "create" @10 in -
            command "hello" -> own hello @7
            command "users create" -> own make_user @10
        "#]],
    );
}

#[test]
fn argparse_commands() {
    check(
        "cli.py",
        r#"
def main():
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers()
    p = sub.add_parser("build")
    p.set_defaults(func=do_build)
    p = sub.add_parser("remote")
    nested = p.add_subparsers()
    q = nested.add_parser("add")
    q.set_defaults(func=do_add)
"#,
        &expect![[r#"
            symbol function main 2-10 pub () | def main()
            ref value argparse @3 in main
            ref call argparse . ArgumentParser @3 in main
            ref call argparse.ArgumentParser() . add_subparsers @4 in main
            ref call argparse.ArgumentParser().add_subparsers() . add_parser @5 in main
            ref call argparse.ArgumentParser().add_subparsers().add_parser() . set_defaults @6 in main
            ref value do_build @6 in main
            ref call argparse.ArgumentParser().add_subparsers() . add_parser @7 in main
            ref call argparse.ArgumentParser().add_subparsers().add_parser() . add_subparsers @8 in main
            ref call argparse.ArgumentParser().add_subparsers().add_parser().add_subparsers() . add_parser @9 in main
            ref call argparse.ArgumentParser().add_subparsers().add_parser().add_subparsers().add_parser() . set_defaults @10 in main
            ref value do_add @10 in main
            string "remote" @7 in main
            command "build" -> do_build @5
            command "remote" -> - @7
            command "remote add" -> do_add @9
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.py",
        "def ok(): ...\nclass (:\n    x = = 3\ndef fine(): return ok()\n",
        &expect![[r#"
            has errors
            symbol function ok 1-1 pub () | def ok()
            symbol class fine 4-4 pub | class (: x = = 3 def fine()
            ref call ok @4 in fine
        "#]],
    );
}
