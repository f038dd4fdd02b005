//! Files that did not change follow when what they refer to does: one small worktree per way of depending.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use std::fmt::Write as _;

/// Edits a worktree and checks that the rows of a file that the edit does not touch follow.
fn check(fixture: &str, untouched: &str, edit: impl FnOnce(&Tree)) {
    let tree = Tree::of(fixture);
    tree.sync();
    let before = rows_of(&tree, untouched);
    edit(&tree);
    let copy = tree.copy();
    copy.sync();
    assert_ne!(rows_of(&copy, untouched), before, "the edit means nothing to {untouched}");
    assert_equals_fresh(&tree);
}

/// The references, relations and imports of one file.
fn rows_of(tree: &Tree, path: &str) -> Vec<String> {
    let file = format!(r#""file":"{path}""#);
    let export = tree.export();
    let rows = export.lines().filter(|line| line.contains(&file) && !line.contains(r#""type":"symbol""#));
    rows.map(str::to_owned).collect()
}

const TWO_SOURCES: &str = r"
==> pkg/a.py
def run(): pass

==> pkg/b.py
def run(): pass

==> user.py
from pkg import run
run()
";

#[test]
fn the_first_of_two_imports_of_a_name_decides() {
    let fixture = format!("==> pkg/__init__.py\nfrom .a import run\nfrom .b import run\n{TWO_SOURCES}");
    check(&fixture, "user.py", |tree| {
        tree.write("pkg/__init__.py", "from .b import run\nfrom .a import run\n");
    });
}

#[test]
fn the_first_of_two_globs_decides() {
    let fixture = format!("==> pkg/__init__.py\nfrom .a import *\nfrom .b import *\n{TWO_SOURCES}");
    check(&fixture, "user.py", |tree| {
        tree.write("pkg/__init__.py", "from .b import *\nfrom .a import *\n");
    });
}

#[test]
fn a_name_that_a_glob_brings_gets_an_import_of_its_own() {
    let fixture = format!("==> pkg/__init__.py\nfrom .a import *\n{TWO_SOURCES}");
    check(&fixture, "user.py", |tree| {
        tree.write("pkg/__init__.py", "from .a import *\nfrom .b import run\n");
    });
}

#[test]
fn the_order_of_base_classes_decides() {
    let fixture = r"
==> bases.py
class A:
    def run(self): pass

class B:
    def run(self): pass

==> child.py
from bases import A, B

class Child(A, B): pass

==> user.py
from child import Child
Child().run()
";
    check(fixture, "user.py", |tree| tree.replace("child.py", "(A, B)", "(B, A)"));
}

#[test]
fn the_order_of_impl_blocks_decides() {
    let fixture = r"
==> Cargo.toml
[package]
name = 'kit'

==> src/lib.rs
pub mod user;
pub mod types;

==> src/types.rs
pub trait Left { fn run(&self) {} }
pub trait Right { fn run(&self) {} }
pub struct Thing;
impl Left for Thing {}
impl Right for Thing {}

==> src/user.rs
use crate::types::*;
fn go(thing: Thing) { thing.run(); }
";
    check(fixture, "src/user.rs", |tree| {
        let swapped = "impl Right for Thing {}\nimpl Left for Thing {}\n";
        tree.replace("src/types.rs", "impl Left for Thing {}\nimpl Right for Thing {}\n", swapped);
    });
}

#[test]
fn an_impl_block_moves_to_another_type_of_the_same_name() {
    let fixture = r"
==> Cargo.toml
[package]
name = 'kit'

==> src/lib.rs
pub mod user;
pub mod types;

==> src/types.rs
pub mod a { pub struct Thing; impl Thing { pub fn run(&self) {} } }
pub mod b { pub struct Thing; }

==> src/user.rs
fn go(thing: crate::types::a::Thing) { thing.run(); }
";
    check(fixture, "src/user.rs", |tree| {
        let block = " impl Thing { pub fn run(&self) {} }";
        tree.replace("src/types.rs", block, "");
        tree.replace(
            "src/types.rs",
            "pub mod b { pub struct Thing;",
            &format!("pub mod b {{ pub struct Thing;{block}"),
        );
    });
}

#[test]
fn a_directory_stops_being_a_package() {
    let fixture = r"
==> tools/__init__.py
==> tools/a.py
import b
b.helper()
==> tools/b.py
def helper(): pass
";
    check(fixture, "tools/a.py", |tree| tree.remove("tools/__init__.py"));
}

#[test]
fn a_directory_becomes_a_package() {
    let fixture = r"
==> tools/a.py
import b
b.helper()
==> tools/b.py
def helper(): pass
";
    check(fixture, "tools/a.py", |tree| tree.write("tools/__init__.py", ""));
}

#[test]
fn a_package_from_outside_gets_a_namesake_here() {
    let fixture = r"
==> user.py
import requests
from requests import get
requests.get()
get()
==> a.py
";
    check(fixture, "user.py", |tree| tree.write("requests.py", "def get(): pass\n"));
}

#[test]
fn the_type_of_a_field_changes() {
    let fixture = r"
==> types.py
class A:
    def run(self): pass

class B:
    def run(self): pass

class Holder:
    held: A

==> user.py
from types import Holder
def go(holder: Holder):
    holder.held.run()
";
    check(fixture, "user.py", |tree| tree.replace("types.py", "held: A", "held: B"));
}

#[test]
fn the_result_of_a_function_changes_two_files_away() {
    let fixture = r"
==> a.ts
export class A { run() {} }
export class B { run() {} }

==> make.ts
import { A, B } from './a';
export type Made = A;

==> build.ts
import { Made } from './make';
export function build(): Made { return null; }

==> user.ts
import { build } from './build';
build().run();
";
    check(fixture, "user.ts", |tree| tree.replace("make.ts", "Made = A", "Made = B"));
}

#[test]
fn a_file_beside_a_directory_of_the_same_name() {
    let fixture = r"
==> kit/index.ts
export function run() {}
==> user.ts
import { run } from './kit';
run();
";
    check(fixture, "user.ts", |tree| tree.write("kit.ts", "export function run() {}\n"));
}

#[test]
fn a_mapped_path_leads_elsewhere() {
    let fixture = r#"
==> tsconfig.json
{ "compilerOptions": { "paths": { "@/*": ["old/*"] } } }

==> old/run.ts
export function run() {}

==> new/run.ts
export function run() {}

==> user.ts
import { run } from '@/run';
run();
"#;
    check(fixture, "user.ts", |tree| tree.replace("tsconfig.json", "old/*", "new/*"));
}

#[test]
fn a_package_takes_another_name() {
    let fixture = r#"
==> ui/package.json
{ "name": "@acme/ui", "main": "index.ts" }
==> ui/index.ts
export function run() {}
==> user.ts
import { run } from '@acme/ui';
run();
"#;
    check(fixture, "user.ts", |tree| tree.replace("ui/package.json", "@acme/ui", "@acme/kit"));
}

#[test]
fn a_crate_takes_another_name() {
    let fixture = r"
==> a/Cargo.toml
[package]
name = 'kit'
==> a/src/lib.rs
pub fn run() {}
==> b/Cargo.toml
[package]
name = 'app'
==> b/src/main.rs
fn main() { kit::run(); }
";
    check(fixture, "b/src/main.rs", |tree| tree.replace("a/Cargo.toml", "kit", "other"));
}

#[test]
fn a_go_module_takes_another_name() {
    let fixture = r#"
==> a/go.mod
module example.org/a
==> a/kit/kit.go
package kit

func Run() {}
==> a/main.go
package main

import "example.org/a/kit"

func main() { kit.Run() }
"#;
    check(fixture, "a/main.go", |tree| tree.replace("a/go.mod", "example.org/a", "example.org/b"));
}

#[test]
fn a_method_moves_to_another_file_of_its_package() {
    let fixture = r"
==> go.mod
module m
==> a.go
package m

type T struct{}

func (t T) Run() {}
==> b.go
package m
==> user.go
package m

func use(t T) { t.Run() }
";
    check(fixture, "user.go", |tree| {
        tree.replace("a.go", "func (t T) Run() {}\n", "");
        tree.write("b.go", "package m\n\nfunc (t T) Run() {}\n");
    });
}

/// More dependents than are resolved one by one.
#[test]
fn hundreds_of_files_follow_one() {
    let mut fixture = String::from("==> hub.py\ndef run(): pass\n\nclass Base:\n    def load(self): pass\n");
    for number in 0..450 {
        let _ = write!(
            fixture,
            "==> m{number}.py\nfrom hub import run, Base\n\n\
             class C{number}(Base):\n    def go(self):\n        self.load()\n        run()\n"
        );
    }
    check(&fixture, "m7.py", |tree| tree.replace("hub.py", "def run", "def walk"));
}

const BUILDER: &str = r"
==> Cargo.toml
[package]
name = 'demo'

==> src/lib.rs
mod handle;
mod engines;
mod user;

==> src/engines.rs
pub struct Petrol;
impl Petrol {
    pub fn start(&self) {}
}
pub struct Steam;
impl Steam {
    pub fn start(&self) {}
}

==> src/user.rs
use crate::handle::Handle;
fn run(handle: Handle) {
    handle.start();
}
";

#[test]
fn the_type_that_another_dereferences_to_decides() {
    let handle = "use crate::engines::*;\nuse std::ops::Deref;\npub struct Handle(Petrol);\nimpl Deref for Handle {\n    type Target = Petrol;\n    fn deref(&self) -> &Self::Target { &self.0 }\n}\n";
    let fixture = format!("{BUILDER}\n==> src/handle.rs\n{handle}");
    check(&fixture, "src/user.rs", |tree| {
        tree.replace("src/handle.rs", "type Target = Petrol", "type Target = Steam");
    });
}

#[test]
fn a_positional_part_of_another_type_decides() {
    let fixture = BUILDER.replace("handle.start()", "handle.0.start()");
    let fixture =
        format!("{fixture}\n==> src/handle.rs\nuse crate::engines::*;\npub struct Handle(pub Petrol);\n");
    check(&fixture, "src/user.rs", |tree| tree.replace("src/handle.rs", "pub Petrol", "pub Steam"));
}

#[test]
fn what_the_body_of_another_function_returns_decides() {
    let fixture = r"
==> lib.ts
export class A { run() {} }
export class B { run() {} }
export function make() { return new A(); }

==> user.ts
import { make } from './lib';
make().run();
";
    check(fixture, "user.ts", |tree| tree.replace("lib.ts", "return new A()", "return new B()"));
}

#[test]
fn an_overload_that_appears_is_chosen() {
    let fixture = r"
==> p/Writer.java
package p;
public class Writer {
  public void put(Object any) {}
  public void put(Object any, int n) {}
}

==> p/User.java
package p;
class User { void run(Writer w) { w.put(1); } }
";
    check(fixture, "p/User.java", |tree| {
        tree.replace(
            "p/Writer.java",
            "public void put(Object any) {}",
            "public void put(Object any) {}\n  public void put(int n) {}",
        );
    });
}

#[test]
fn what_a_decorator_gives_decides() {
    let fixture = r"
==> lib.py
from typing import Callable
class Group:
    def run(self): ...
class Other:
    def run(self): ...
def group() -> Callable[[object], Group]: ...

==> app.py
from lib import group
@group()
def cli(): ...

==> user.py
from app import cli
cli.run()
";
    check(fixture, "user.py", |tree| tree.replace("lib.py", "[[object], Group]", "[[object], Other]"));
}

#[test]
fn an_extension_that_appears_is_called() {
    let fixture = r"
==> Text.cs
namespace Lib;
public class Text {}

==> More.cs
namespace Lib;
public static class More {}

==> User.cs
namespace Lib.Use;
class User { void Run(Text text) { text.Shout(); } }
";
    check(fixture, "User.cs", |tree| {
        tree.replace(
            "More.cs",
            "class More {}",
            "class More { public static void Shout(this Text text) {} }",
        );
    });
}

#[test]
fn a_global_using_opens_a_namespace_to_other_files() {
    let fixture = r"
==> app/Globals.cs
global using System;

==> app/core/User.cs
namespace App;
class User { void Run() { Event.Raise(); } }

==> lib/Event.cs
namespace Lib;
public class Event { public static void Raise() {} }
";
    check(fixture, "app/core/User.cs", |tree| {
        tree.write("app/Globals.cs", "global using System;\nglobal using Lib;\n");
    });
}

#[test]
fn a_global_using_opens_extensions_to_other_files() {
    let fixture = r"
==> app/Globals.cs
global using System;

==> app/User.cs
using Lib;
class User { void Run(Text text) { text.Shout(); } }

==> lib/Text.cs
namespace Lib;
public class Text {}

==> lib/More.cs
namespace Lib.More;
public static class More { public static void Shout(this Text text) {} }
";
    check(fixture, "app/User.cs", |tree| {
        tree.write("app/Globals.cs", "global using System;\nglobal using Lib.More;\n");
    });
}

#[test]
fn a_relative_using_means_a_nearer_namespace_once_there_is_one() {
    let fixture = r"
==> Far.cs
namespace Parts;
public class Part { public static void Make() {} }

==> Near.cs
namespace Shop.Other;
public class Part { public static void Make() {} }

==> User.cs
namespace Shop;
using Parts;
class User { void Run() { Part.Make(); } }
";
    check(fixture, "User.cs", |tree| tree.replace("Near.cs", "Shop.Other", "Shop.Parts"));
}

#[test]
fn a_module_that_another_file_includes_opens_its_constants() {
    let fixture = r"
==> shop.rb
module Shop
  class Desk
    def self.sell; end
  end
end

==> helper.rb
require 'shop'

==> user.rb
Desk.sell
";
    check(fixture, "user.rb", |tree| tree.write("helper.rb", "require 'shop'\ninclude Shop\n"));
}

#[test]
fn a_definition_that_a_usual_build_leaves_out_gives_way() {
    let fixture = r"
==> lib.h
#ifdef _WIN32
#define OPEN(x) windows(x)
#else
#define OPEN(x) plain(x)
#endif

==> user.c
#include <lib.h>
void run(void) { OPEN(1); }
";
    check(fixture, "user.c", |tree| tree.replace("lib.h", "#ifdef _WIN32", "#ifndef _WIN32"));
}

#[test]
fn a_manifest_that_exports_another_file_decides() {
    let fixture = r#"
==> kit/package.json
{ "name": "kit", "exports": { "./part": "./src/one.ts" } }

==> kit/src/one.ts
export function go() {}

==> kit/src/two.ts
export function go() {}

==> user.ts
import { go } from "kit/part";
go();
"#;
    check(fixture, "user.ts", |tree| tree.replace("kit/package.json", "one.ts", "two.ts"));
}
