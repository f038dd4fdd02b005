//! Every byte that means something is in the prints: change any token of any language, and they change.

use orbit_extract::{Lang, prints};

/// A file of each language and format with every kind of literal that it has. `q1 q2` stands inside of literals only,
/// so that its white space counts. There are no comments: all else counts.
const FIXTURES: [(&str, &str); 19] = [
    ("a.py", PYTHON),
    ("a.rs", RUST),
    ("a.ts", TYPESCRIPT),
    ("a.tsx", TSX),
    ("a.js", JAVASCRIPT),
    ("a.go", GO),
    ("A.java", JAVA),
    ("a.kt", KOTLIN),
    ("A.cs", CSHARP),
    ("a.rb", RUBY),
    ("a.c", C),
    ("a.cpp", CPP),
    ("a.md", MARKDOWN),
    ("a.yaml", YAML),
    ("a.toml", TOML),
    ("a.json", JSON),
    ("a.env", ENV),
    ("a.csv", CSV),
    ("broken.py", BROKEN),
];

const PYTHON: &str = r#"import os
from typing import Any

RATE: float = 1.5e3
TEXT = """q1 q2
  more"""
RAW = r'q1 q2\d'
BYTES = b"q1 q2"
ROW = TEXT[1,]


class Cart(Base, metaclass=Meta):
    items: list[Any] = []

    @property
    def total(self, *, scale=0x1F) -> float:
        if self.items:
            x = f"q1 q2 {self.items!r:>10} \n q1 q2" 'and'
            return x + "\t "
        return -1 if os.name == 'nt' else 2j

    async def wait(self):
        async with self as it, open('q1 q2') as other:
            yield [a * b for a in it if a is not None]


if __debug__:
    def helper(x, /, y=...): return lambda z: z @ x
try:
    pass
except (OSError, ValueError) as error:
    raise error from None
match RATE:
    case {"k": [1, *rest]}: print(rest)
"#;

const RUST: &str = r##"use std::{fmt::Debug, io as out};

#[derive(Debug, Clone)]
pub struct Cart<'a, T: Debug> { items: &'a [T], one: (u8,) }
const RATE: f64 = 1.5e3;
static TEXT: &str = "q1 q2 \n q1 q2";
static RAW: &[u8] = br#"q1 q2"#;
const LETTER: char = ' ';
const BYTE: u8 = b'x';
impl<T> Cart<'_, T> where T: Debug {
    pub fn total(&self, f: impl Fn(u8) -> u8) -> Result<i32, String> {
        let x @ 1..=9 = (self.f)(3)? else { return Err(format!("q1 q2 {:?}", 7)) };
        'outer: loop { if x > 1 && !done { break 'outer; } }
        match x { 1 | 2 => Ok(-x), n if n % 2 == 0 => Ok(n << 1), _ => unreachable!("q1 q2", ) }
    }
}
#[test]
fn checks() { assert_eq!(1 + 2, 3); }
macro_rules! twice { ($x:expr) => { $x + $x }; }
enum Shape { Circle { r: f32 }, Point = 4 }
extern "C" { fn puts(s: *const u8) -> i32; }
"##;

const TYPESCRIPT: &str = r#"import type { A } from './a.js';
import b, * as c from "b";
export const rate: number = 1_000.5;
const text = `q1 q2 ${rate + 1} q1 q2`;
const regex = /q1 q2[a-z]+/gi;
export interface Cart<T extends object> { readonly items?: T[]; [key: string]: unknown }
export type Name = `q1 q2 ${string}` | 'x' | undefined;
enum Color { Red = 1, Green = "q1 q2" }
export function total(this: Cart<any>, a?: number, ...rest: string[]): asserts a is number {
  const { x = 1, ...y } = (a as any)?.b!;
  for (let i = 0; i < 10; i++) if (x ?? y) continue; else break;
  return (a?.b).c;
}
@sealed
export class Shop extends Base implements I {
  private static #count = 0n;
  @bind get size() { return this.#count ** 2n }
}
abstract class B { abstract go(): void }
declare module 'q1 q2' { export const z: 1; }
"#;

const TSX: &str = r#"export const App = ({ a }: Props) => (
  <div className="q1 q2" {...a} on:x={() => a.b}>
    Hello q1 q2 {a} {a.c} &amp;
    <></>
  </div>
);
"#;

const JAVASCRIPT: &str = r#"'use strict';
const a = require('q1 q2');
let holes = [, 1, , 2];
var f = async function* named(x, y = { k: 1 }) { yield* x; };
export default class extends a.B { static { this.x = /q1 q2/u; } }
label: while (true) { try { delete a.b; } catch { break label; } finally { void 0; } }
const t = tag`q1 q2 \n ${a}`;
const o = { get x() { return 1 }, [a]: 2, 'q1 q2': 3, ...t };
switch (a) { case 1: typeof a; default: debugger; }
export function one() {}
function two() {}
export { two as three };
"#;

const GO: &str = r#"package shop

import (
	"fmt"
	other "os"
)

const Rate, Letter = 1.5e3, 'x'
const Space = ' '

var Text = "q1 q2 \n q1 q2"
var Raw = `q1 q2
more`

type Cart[T any] struct {
	Items []T `json:"q1 q2"`
	other.File
}

type Shape interface{ ~int | string; Area() float64 }

func (c *Cart[T]) Total(xs ...int) (n int, err error) {
	defer func() { recover() }()
	for i, x := range xs {
		if x&^1 == 0 { continue }
		n += i << 2
	}
	select { case <-make(chan int, 1): default: go fmt.Println("q1 q2") }
	switch v := any(n).(type) { case nil: goto end; default: _ = v }
end:
	return map[string]int{"q1 q2": 1}["a"], nil
}
"#;

const JAVA: &str = r#"package shop;

import java.util.List;
import static java.lang.Math.*;

@Deprecated(since = "q1 q2")
public final class A<T extends Comparable<T>> extends B implements C {
  private static final double RATE = 1.5e3;
  char letter = ' ';
  String text = "q1 q2 \n q1 q2";
  String block = """
      q1 q2
      more
      """;
  int[] xs = {1, 0x1F, 'c'};
  public <R> R total(final int a, String... rest) throws Exception {
    for (int x : xs) { if (x > 1 || !done) continue; else break; }
    return switch (a) { case 1 -> (R) Integer.valueOf(2); default -> null; };
  }
  record Point(int x, int y) {}
  enum Color { RED(1), GREEN; }
  interface I { default void go() { synchronized (this) { assert 1 == 1 : "q1 q2"; } } }
}
"#;

const KOTLIN: &str = r#"package shop

import java.util.List as L

const val RATE = 1.5e3
val letter = ' '
val text = "q1 q2 ${RATE + 1} q1 q2 $letter"
val raw = """q1 q2
  more"""

@Deprecated("q1 q2")
data class Cart<out T>(val items: List<T>, private var n: Int = 0x1F) : Base(n), Shape {
    val size: Int get() = items.size
    fun total(f: (Int) -> Int): Int? {
        for (i in 0..9 step 2) { if (i !in items && n > 1) continue else break }
        return items?.first()?.let { it as Int } ?: when (n) { 1, 2 -> -1; else -> throw E("q1 q2") }
    }
    companion object { fun make() = Cart<Int>(listOf()) }
}
object One { init { println("x") } }
fun String.twice() = this + this
"#;

const CSHARP: &str = r##"using System;
using L = System.Linq;

namespace Shop {
  [Obsolete("q1 q2")]
  public sealed class A<T> : B, IC where T : class, new() {
    const double Rate = 1.5e3;
    char letter = ' ';
    string text = "q1 q2 \n q1 q2";
    string verb = @"q1 q2\x";
    string raw = """q1 q2""";
    string inter = $"q1 q2 {Rate + 1:F2} q1 q2";
    public int Size { get; private set; } = 7;
    public async Task<int> Total(ref int a, params string[] rest) {
      foreach (var x in rest) { if (x is not null && a > 1) continue; else break; }
      return a switch { 1 => await Go(), _ => (b?.c).d ?? default };
    }
    event Action Changed;
    public static A<T> operator +(A<T> l, A<T> r) => l;
  }
  record Point(int X, int Y);
  enum Color { Red = 1, Green }
}
"##;

const RUBY: &str = r#"require 'q1 q2'

RATE = 1.5e3
TEXT = "q1 q2 #{RATE + 1} \n q1 q2"
LIST = %w[one two]
SYM = :"q1 q2"
RE = /q1 q2[a-z]+/i
CMD = `ls q1 q2`
DOC = <<~EOS
  q1 q2 #{RATE}
  more
EOS
LETTER = ?x

class Cart < Base
  include Enumerable
  attr_reader :items, :size
  def total(a, *rest, k: 1, &block)
    return if a.nil? && !rest.empty?
    @items.each { |x| yield x unless x <= 1 }
    sql = <<-SQL.strip
      select q1 q2 from t
    SQL
    case a when 1..2 then :b else [sql, nil] end
  rescue ArgumentError => e
    raise e
  ensure
    $stdout.puts(->(z) { z ** 2 })
  end
  def self.make = new(**{ "q1 q2" => 1, c: 2 })
end
"#;

const C: &str = r##"#ifndef SHOP_H
#define SHOP_H
#include <stdio.h>
#include "q1 q2.h"
#define RATE 1.5e3
#define TWICE(x) ((x) + (x))
typedef struct cart { int items[10]; unsigned flags : 3; } cart_t;
enum color { RED = 1, GREEN };
static const char *text = "q1 q2 \n q1 q2" "and";
char letter = ' ';
wchar_t wide = L'x';
#ifdef WIN32
int only_there(void) { return 1; }
#else
int only_here(void) { return 2; }
#endif
int total(const cart_t *c, int n, ...) {
  for (int i = 0; i < n; ++i) { if (c->items[i] & ~0x1F) continue; else goto end; }
  switch (n) { case 1: return -1; default: break; }
end:
  return (int)sizeof(c) ? n >> 2 : *&n;
}
#endif
"##;

const CPP: &str = r##"#pragma once
#include <string>
namespace shop {
template <typename T, int N = 3>
class Cart : public Base {
 public:
  explicit Cart(T x) noexcept : x_{x} {}
  virtual ~Cart() = default;
  auto total(int a) const -> int { return [&, a](auto b) { return a <=> b; }(1); }
  static constexpr char letter = ' ';
  std::string text = R"(q1 q2)";
  std::string more = u8"q1 q2 \n q1 q2";
 private:
  T x_;
};
using Name = std::string;
enum class Color : char { Red = 'r', Green };
int operator""_km(unsigned long long v) { try { throw v; } catch (...) { return 0; } }
extern "C" int puts(const char*);
}
"##;

const MARKDOWN: &str = "---\ntitle: q1 q2\n---\n\n# Title one\n\nProse with *words*, `q1 q2` and [a link](http://x.y \"t\").\n\n- item\n  - nested\n- [x] done\n\n```sh\nrun q1 q2\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> quoted\n\n[ref]: http://z.w\n\n<div>html</div>\n";

const YAML: &str = r#"anchors: &base
  port: 80
  on: true
  ratio: 1.5e3
merged:
  <<: *base
plain: q1 q2
single: 'q1 q2'
double: "q1 q2 \n q1 q2"
literal: |
  q1 q2
    deeper
folded: >-
  q1 q2
  more
tagged: !!str 12
flow: {a: [1, two], "k": null}
list:
  - name: one
    steps: [x]
  - two
? complex
: value
---
second: document
"#;

const TOML: &str = r#"top = 1
[project]
requires-python = ">=3.9"
text = "q1 q2 \n q1 q2"
literal = 'q1 q2'
many = """
q1 q2
more"""
raw = '''q1 q2'''
when = 1979-05-27T07:32:00Z
ratio = 1.5e3
"quoted key" = true
list = ["a", 'b', 0x1F]
[tool.x.'cfg(unix)']
inline = { a = 1, b.c = "d" }
[[bin]]
name = "one"
"#;

const JSON: &str = "{\n  \"name\": \"q1 q2\",\n  \"escaped\": \"q1 q2 \\n q1 q2\",\n  \"list\": [1, -2.5e3, true, null],\n  \"nested\": {\"k\": \" \"}\n}\n";

const ENV: &str = "NAME=value\nTEXT=\"q1 q2\"\nexport PORT=80\n";

const CSV: &str = "name,text\none,q1 q2\n\"two\",3\n";

/// What cannot be parsed is code all the same.
const BROKEN: &str = "def f(a:\n    return 'q1 q2' +\n\nclass = 7 ) x\n\ndef g():\n    return 3\n";

type Shape = (u64, Vec<(String, String, u64, u64)>);

fn shape(path: &str, source: &str) -> Shape {
    let lang = Lang::of_path(path).expect("a known language");
    let prints = prints(path, lang, source.as_bytes()).expect("it is text");
    let symbol =
        |it: &orbit_extract::Print| (it.local.clone(), it.kind.as_str().to_owned(), it.signature, it.body);
    (prints.file, prints.symbols.iter().map(symbol).collect())
}

/// Another letter, digit or operator.
fn other(letter: u8) -> Option<u8> {
    Some(match letter {
        b'a'..=b'y' | b'A'..=b'Y' | b'0'..=b'8' => letter + 1,
        b'z' | b'Z' => letter - 1,
        b'9' => b'0',
        b'+' => b'-',
        b'-' | b'/' | b'%' | b'^' => b'+',
        b'*' => b'/',
        b'<' => b'>',
        b'>' => b'<',
        b'!' => b'~',
        b'&' => b'|',
        b'|' => b'&',
        b'.' => b',',
        b'=' => b'+',
        b'~' | b'@' | b'?' | b'$' => b'!',
        _ => return None,
    })
}

/// Changes that leave what a file says: the sign of a bullet, a table's rule, a fence.
fn is_free(path: &str, source: &str, at: usize) -> bool {
    let line = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let rest = source[line..].lines().next().unwrap_or_default();
    path == "a.md"
        && (rest.starts_with("|--") || rest.trim_start().starts_with("- ") && source.as_bytes()[at] == b'-')
}

#[test]
fn every_token_of_every_language_is_in_the_prints() {
    let mut lost = Vec::new();
    for (path, source) in FIXTURES {
        let before = shape(path, source);
        for (at, letter) in source.bytes().enumerate() {
            let Some(new) = other(letter).filter(|_| !is_free(path, source, at)) else { continue };
            let mut bytes = source.as_bytes().to_vec();
            bytes[at] = new;
            let changed = String::from_utf8(bytes).expect("ASCII for ASCII");
            if shape(path, &changed) == before {
                let line = source[..at].matches('\n').count() + 1;
                let text = source.lines().nth(line - 1).unwrap_or_default();
                lost.push(format!("{path}:{line}: `{}` as `{}` in: {text}", letter as char, new as char));
            }
        }
    }
    assert!(lost.is_empty(), "{} changes are not seen:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn white_space_inside_of_literals_is_in_the_prints() {
    for (path, source) in FIXTURES {
        let before = shape(path, source);
        for (at, _) in source.match_indices("q1 q2") {
            // Prose of Markdown and text of JSX fold white space: there a lost space counts.
            let with = if path == "a.tsx" { "q1q2" } else { "q1  q2" };
            let changed = format!("{}{with}{}", &source[..at], &source[at + 5..]);
            let line = source[..at].matches('\n').count() + 1;
            assert_ne!(shape(path, &changed), before, "{path}:{line}");
        }
        for blank in ["' '", "\" \""] {
            for (at, _) in source.match_indices(blank) {
                let changed = format!("{}\\t{}", &source[..=at], &source[at + 2..]);
                assert_ne!(shape(path, &changed), before, "{path}: {blank}");
            }
        }
    }
}

#[test]
fn lost_tokens_are_in_the_prints() {
    for (path, source) in FIXTURES {
        let before = shape(path, source);
        for (at, letter) in source.bytes().enumerate() {
            // One of two quotes, brackets or a separator; what may be layout is tested by its own.
            if !matches!(letter, b'[' | b']' | b'{' | b'}' | b':' | b'#' | b'\\') || is_free(path, source, at)
            {
                continue;
            }
            let changed = format!("{}{}", &source[..at], &source[at + 1..]);
            let line = source[..at].matches('\n').count() + 1;
            assert_ne!(shape(path, &changed), before, "{path}:{line}: without `{}`", letter as char);
        }
    }
}

#[track_caller]
fn differ(path: &str, one: &str, two: &str) {
    assert_ne!(shape(path, one), shape(path, two), "{path}: {one:?} {two:?}");
}

#[track_caller]
fn same(path: &str, one: &str, two: &str) {
    assert_eq!(shape(path, one), shape(path, two), "{path}: {one:?} {two:?}");
}

#[test]
fn indentation_counts_where_it_is_structure() {
    differ("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n");
    differ("a.py", "if a:\n    pass\n    def f(): pass\n", "if a:\n    pass\ndef f(): pass\n");
    differ("a.yaml", "a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nc: 2\n");
    differ("a.yaml", "a: |\n  x\n    y\n", "a: |\n  x\n  y\n");
    differ("a.md", "- a\n  - b\n", "- a\n- b\n");
    differ("a.md", "a\n\nb\n", "a\nb\n");
    differ("a.md", "    code\n", "code\n");
    differ("a.tsv", "a\tb\n", "a b\n");
}

#[test]
fn layout_that_means_nothing_is_left_out() {
    same("a.yaml", "a: |\n  x\n    y\nb: 1\n", "a: |\n    x\n      y\nb: 1\n");
    same("a.yaml", "a: one\n  two\n", "a: one\n    two\n");
    same("a.toml", "[a]\nb = [1, 2]\n", "[a]\nb = [\n  1, # one\n  2,\n]\n");
    same("a.tsx", "const a = <p>x y</p>;\n", "const a = <p>\n  x y\n</p>;\n");
    let links = "[a] [b] [c]\n\n[a]: x\n[b]: y\n[c]: z\n";
    same("a.md", links, &links.replace("[a] [b]", "[a]\n[b]"));
    same("a.env", "# why\nA=1\n\nB=2\n", "A=1\nB=2\n");
    same("a.py", "a = 1 + \\\n    2\n", "a = 1 + 2\n");
    same("a.c", "#define A(x) f(x)\nint a = 1;\r\n", "#define A(x) f(x)\nint a = 1; /* one */\n");
}

#[test]
fn what_looks_like_layout_counts_where_it_means_something() {
    differ("a.py", "x = a[1]\n", "x = a[1,]\n");
    differ("a.js", "x = [,]", "x = []");
    differ("a.js", "x = (a?.b).c", "x = a?.b.c");
    differ("a.rs", "fn f() { (a.f)(x) }", "fn f() { a.f(x) }");
    differ("a.rs", "type A = (u8,);", "type A = (u8);");
    differ("a.js", "while (a);\nb()", "while (a)\nb()");
    differ("a.py", "s = 'a\\\\'\n", "s = 'a\\\\\\\\'\n");
    differ("a.ts", "export function a() {}\nfunction b() {}", "function a() {}\nexport function b() {}");
    differ("a.rs", "#[test]\nfn a() {}\nfn b() {}", "fn a() {}\n#[test]\nfn b() {}");
    differ("a.rs", "impl A { fn f() {} }\nimpl T for A {}", "impl A {}\nimpl T for A { fn f() {} }");
    differ(
        "a.c",
        "#ifdef W\nint f(void) { return 1; }\n#endif\n",
        "#ifdef W\n#endif\nint f(void) { return 1; }\n",
    );
}

#[test]
fn comments_that_tools_read_count() {
    differ("a.go", "//go:build linux\n\npackage a\n", "//go:build windows\n\npackage a\n");
    differ(
        "a.go",
        "package a\n\n//go:embed a.txt\nvar x string\n",
        "package a\n\n//go:embed b.txt\nvar x string\n",
    );
    differ("a.go", "package a\n\n// int f();\nimport \"C\"\n", "package a\n\n// int g();\nimport \"C\"\n");
    differ("a.rb", "# frozen_string_literal: true\nx = 1\n", "# frozen_string_literal: false\nx = 1\n");
    differ("a.py", "#!/usr/bin/env python3\nx = 1\n", "#!/usr/bin/env python2\nx = 1\n");
    differ("a.cs", "#nullable enable\nclass A {}\n", "#nullable disable\nclass A {}\n");
    same("a.go", "package a\n\n// one\nvar x string\n", "package a\n\n// two\nvar x string\n");
    same("a.cs", "#region one\nclass A {}\n#endregion\n", "class A {}\n");
}
