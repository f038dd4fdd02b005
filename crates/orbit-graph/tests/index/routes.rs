//! HTTP routes as symbols, and the config keys that code reads.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::{Expect, expect};
use orbit_graph::{Confidence, ImpactOptions, RefOptions, SearchQuery, Selector, SymbolKind, UnusedOptions};

const SHOP: &str = r#"
==> app.py
from flask import Flask, Blueprint
from views import listing
app = Flask(__name__)
api = Blueprint("api", __name__, url_prefix="/api")
@api.route("/users/<int:id>", methods=["GET", "PUT"])
def user(id):
    return load(id)
@app.route("/")
def user_index():
    return listing()
def load(id):
    return id
app.add_url_rule("/list", view_func=listing)
app.register_blueprint(api)
==> views.py
def listing():
    return helper()
def helper():
    return []
==> web/app.ts
import express from 'express';
import { show, auth } from './users';
const app = express();
app.get('/users/:id', auth, show);
app.post('/users', (req, res) => { res.send(show(req)); });
app.put('/users', missing);
==> web/users.ts
export function show(x: unknown) { return inner(x); }
export function auth() {}
function inner(x: unknown) { return x; }
==> config/routes.rb
Rails.application.routes.draw do
  resources :carts, only: [:show]
end
==> app/controllers/carts_controller.rb
class CartsController
  def show
    find
  end
  def find
  end
end
"#;

fn trace(tree: &Tree, name: &str) -> String {
    let found = match tree.graph().trace(name, 5, Confidence::SameModule) {
        Ok(found) => found,
        Err(error) => return format!("{name}: {error}\n"),
    };
    let root = found.root.map(|root| format!(" {} > {}", root.name, names(&root.children)));
    let runs: Vec<String> = found.runs.iter().map(|code| format!(" runs {}", names(&code.calls))).collect();
    let runs = runs.concat();
    let place = found.look_at.map(|place| format!(" unknown, see {place}"));
    format!(
        "{}:{} {name}:{}{runs}{}\n",
        found.file,
        found.line,
        root.unwrap_or_default(),
        place.unwrap_or_default()
    )
}

fn names(nodes: &[orbit_graph::TraceNode]) -> String {
    nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn check(tree: &Tree, routes: &[&str], expected: &Expect) {
    tree.sync();
    expected.assert_eq(&routes.iter().map(|name| trace(tree, name)).collect::<String>());
}

#[test]
fn a_route_is_traced_to_its_handler() {
    let routes = [
        "GET /api/users/<int:id>",
        "PUT /api/users/<int:id>",
        "/api/users/<int:id>",
        "symbol:app.py#PUT /api/users/<int:id>:route",
        "/",
        "GET /list",
        "GET /users/:id",
        "POST /users",
        "PUT /users",
        "/users",
        "GET /carts/:id",
        "GET /nothing",
    ];
    check(
        &Tree::of(SHOP),
        &routes,
        &expect![[r#"
            app.py:5 GET /api/users/<int:id>: user > load
            app.py:5 PUT /api/users/<int:id>: user > load
            /api/users/<int:id>: `/api/users/<int:id>` can mean 2 things
            app.py:5 symbol:app.py#PUT /api/users/<int:id>:route: user > load
            app.py:8 /: user_index > listing
            app.py:13 GET /list: listing > helper
            web/app.ts:4 GET /users/:id: runs auth, show
            web/app.ts:5 POST /users: show > inner
            web/app.ts:6 PUT /users: unknown, see web/app.ts:6
            /users: `/users` can mean 2 things
            config/routes.rb:2 GET /carts/:id: show > find
            GET /nothing: nothing in the index is called `GET /nothing`
        "#]],
    );
}

#[test]
fn a_handler_knows_its_routes() {
    let tree = Tree::of(SHOP);
    tree.sync();
    let graph = tree.graph();
    let refs = |name: &str| {
        let found = graph.refs(&Selector::parse(name).unwrap(), &RefOptions::default()).unwrap();
        let rows = found
            .refs
            .iter()
            .map(|row| format!("{}:{} {} {}\n", row.file, row.line, row.kind, row.from_selector));
        let sums = found.account.map(|a| {
            assert_eq!(a.here + a.definitions + a.elsewhere + a.uncertain + a.text, a.occurrences, "{name}");
        });
        assert!(sums.is_some());
        rows.collect::<String>()
    };
    expect![[r#"
        app.py:6 call symbol:app.py#GET /api/users/<int:id>:route
        app.py:6 call symbol:app.py#PUT /api/users/<int:id>:route
        app.py:2 use file:app.py
        app.py:10 call symbol:app.py#user_index:function
        app.py:13 call symbol:app.py#GET /list:route
        config/routes.rb:2 call symbol:config/routes.rb#GET /carts/:id:route
        web/app.ts:2 use file:web/app.ts
        web/app.ts:4 call symbol:web/app.ts#GET /users/:id:route
        web/app.ts:5 call symbol:web/app.ts#POST /users:route
        web/app.ts:2 use file:web/app.ts
        web/app.ts:4 call symbol:web/app.ts#GET /users/:id:route
        config/routes.rb:2 call symbol:config/routes.rb#GET /carts/:id:route
    "#]]
    .assert_eq(&["user", "listing", "show", "auth", "CartsController.show"].map(refs).concat());
    let start = [Selector::parse("helper").unwrap()];
    let reached = graph.impact(&start, &ImpactOptions::default()).unwrap();
    let reached: Vec<&str> = reached.touched.iter().map(|row| row.selector.as_str()).collect();
    assert!(reached.contains(&"symbol:app.py#GET /list:route"), "{reached:?}");
    let options = UnusedOptions { grade: None, kind: None, limit: 100 };
    let unused = graph.unused(None, &options).unwrap();
    let found: Vec<&str> = unused.definitions.iter().map(|row| row.selector.as_str()).collect();
    assert!(!found.iter().any(|row| row.ends_with(":route") || row.contains("#user:")), "{found:?}");
}

#[test]
fn routes_are_searched_by_path_and_kind() {
    let tree = Tree::of(SHOP);
    tree.sync();
    let search = |text: &str, kind: Option<SymbolKind>| {
        let query = SearchQuery {
            text: text.to_owned(),
            kind: None,
            symbol_kind: kind,
            lang: None,
            path: None,
            limit: 3,
        };
        let found = tree.graph().search(&query).unwrap();
        let rows = found.matches.iter().map(|hit| format!("{text:?} {}\n", hit.selector));
        format!("{}{text:?} {} in all\n", rows.collect::<String>(), found.total)
    };
    let found = [
        search("", Some(SymbolKind::Route)),
        search("GET /users/:id", None),
        search("/users/:id", None),
        search("post users", Some(SymbolKind::Route)),
        search("id", None),
    ];
    expect![[r#"
        "" symbol:app.py#GET /:route
        "" symbol:app.py#GET /list:route
        "" symbol:web/app.ts#POST /users:route
        "" 8 in all
        "GET /users/:id" symbol:web/app.ts#GET /users/:id:route
        "GET /users/:id" symbol:app.py#GET /api/users/<int:id>:route
        "GET /users/:id" 2 in all
        "/users/:id" symbol:web/app.ts#GET /users/:id:route
        "/users/:id" symbol:app.py#GET /api/users/<int:id>:route
        "/users/:id" symbol:app.py#PUT /api/users/<int:id>:route
        "/users/:id" 5 in all
        "post users" symbol:web/app.ts#POST /users:route
        "post users" 1 in all
        "id" symbol:web/app.ts#GET /users/:id:route
        "id" symbol:config/routes.rb#GET /carts/:id:route
        "id" symbol:app.py#GET /api/users/<int:id>:route
        "id" 6 in all
    "#]]
    .assert_eq(&found.concat());
}

#[test]
fn routes_follow_edits() {
    let tree = Tree::of(SHOP);
    tree.sync();
    tree.replace("app.py", "url_prefix=\"/api\"", "url_prefix=\"/v2\"");
    tree.replace("views.py", "def listing", "def listing_of_all");
    tree.replace("web/app.ts", "auth, show", "show");
    assert_equals_fresh(&tree);
    let expected = expect![[r#"
        app.py:5 GET /v2/users/<int:id>: user > load
        app.py:13 GET /list: unknown, see app.py:13
        web/app.ts:4 GET /users/:id: show > inner
    "#]];
    check(&tree, &["GET /v2/users/<int:id>", "GET /list", "GET /users/:id"], &expected);
    tree.remove("app/controllers/carts_controller.rb");
    assert_equals_fresh(&tree);
    let expected = expect![[r#"
        config/routes.rb:2 GET /carts/:id: unknown, see config/routes.rb:2
    "#]];
    check(&tree, &["GET /carts/:id"], &expected);
}

#[test]
fn config_keys_know_who_reads_them() {
    let tree = Tree::of(
        r#"
==> .env.example
DATABASE_URL=
==> app.py
import os
def connect():
    return os.environ["DATABASE_URL"]
==> web/db.ts
export const url = process.env.DATABASE_URL;
const other = process.env['ONLY_READ'];
==> src/main.rs
fn main() {
    std::env::var("ONLY_READ").unwrap();
}
"#,
    );
    tree.sync();
    let graph = tree.graph();
    let refs = |name: &str| match graph.refs(&Selector::parse(name).unwrap(), &RefOptions::default()) {
        Ok(found) => {
            let targets =
                found.targets.iter().map(|row| format!("{name} defined {}:{}\n", row.file, row.line));
            let rows = found
                .refs
                .iter()
                .map(|row| format!("{name} read {}:{} {}\n", row.file, row.line, row.from_selector));
            targets.chain(rows).collect::<String>()
        }
        Err(error) => format!("{name} {error}\n"),
    };
    expect![[r#"
        DATABASE_URL defined .env.example:1
        DATABASE_URL read app.py:3 symbol:app.py#connect:function
        DATABASE_URL read web/db.ts:1 symbol:web/db.ts#url:const
        ONLY_READ read src/main.rs:2 symbol:src/main.rs#main:function
        ONLY_READ read web/db.ts:2 symbol:web/db.ts#other:const
        NOBODY nothing in the index is called `NOBODY`
    "#]]
    .assert_eq(&["DATABASE_URL", "ONLY_READ", "NOBODY"].map(refs).concat());
    tree.replace("app.py", "DATABASE_URL", "ONLY_READ");
    assert_equals_fresh(&tree);
}

#[test]
fn config_keys_know_the_types_that_are_filled_from_them() {
    let tree = Tree::of(
        r#"
==> config.toml
log-level = "info"
[server]
port = 80
==> application.yml
mail:
  host: x
==> src/config.rs
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Config {
    log_level: String,
    server: Server,
}
#[derive(Debug, Deserialize)]
struct Server {
    port: u16,
    #[serde(skip)]
    seen: bool,
}
#[derive(Parser)]
struct Cli {
    #[arg(long, env = "API_TOKEN")]
    token: String,
    #[arg(long, env)]
    log_dir: String,
}
#[derive(Deserialize)]
struct Answer {
    port: u16,
}
==> config.go
package m

type Config struct {
	Server ServerPart `yaml:"server"`
	Token  string     `env:"API_TOKEN,required"`
	Name   string     `json:"name"`
}

type ServerPart struct {
	Port int `yaml:"port,omitempty"`
}
==> Mail.java
class Mail {
    @Value("${mail.host:localhost}")
    String host;
}
"#,
    );
    assert_equals_fresh(&tree);
    let graph = tree.graph();
    let refs = |name: &str| match graph.refs(&Selector::parse(name).unwrap(), &RefOptions::default()) {
        Ok(found) => {
            let rows = found.refs.iter().map(|row| format!("{name} {}:{}\n", row.file, row.line));
            rows.collect::<Vec<_>>().concat()
        }
        Err(error) => format!("{name} {error}\n"),
    };
    expect![[r#"
        server.port config.go:10
        server.port src/config.rs:9
        log-level src/config.rs:4
        API_TOKEN config.go:5
        API_TOKEN src/config.rs:16
        LOG_DIR src/config.rs:18
        mail.host Mail.java:2
        name nothing in the index is called `name`
    "#]]
    .assert_eq(&["server.port", "log-level", "API_TOKEN", "LOG_DIR", "mail.host", "name"].map(refs).concat());
}
