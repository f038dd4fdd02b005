//! Routes whose routers are mounted in other files have the paths that a server would answer.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::{Expect, expect};
use orbit_graph::{Confidence, SearchQuery};

/// The handler of each route, by its whole name.
fn check(tree: &Tree, routes: &[&str], expected: &Expect) {
    assert_equals_fresh(tree);
    let graph = tree.graph();
    let line = |name: &&str| match graph.trace(name, 3, Confidence::SameModule) {
        Ok(found) => {
            let root = found.root.map_or_else(|| "?".to_owned(), |root| root.name);
            format!("{}:{} {} -> {root}\n", found.file, found.line, found.command)
        }
        Err(error) => format!("{name}: {error}\n"),
    };
    expected.assert_eq(&routes.iter().map(line).collect::<String>());
}

const MOUNTED: &str = r#"
==> app/main.py
from fastapi import FastAPI
from app.api.main import api_router
app = FastAPI()
app.include_router(api_router, prefix="/api/v1")
==> app/api/main.py
from fastapi import APIRouter
from app.api.routes import items, users
api_router = APIRouter()
api_router.include_router(items.router)
api_router.include_router(users.router, prefix="/people")
==> app/api/routes/__init__.py
==> app/api/routes/items.py
from fastapi import APIRouter
router = APIRouter(prefix="/items")
@router.get("/{id}")
def read_item(id):
    return id
@router.get("/")
def read_items():
    return []
==> app/api/routes/users.py
from fastapi import APIRouter
router = APIRouter()
@router.post("/")
def create_user():
    return 1
==> web/__init__.py
from flask import Flask
from web.auth import bp
def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp, url_prefix="/login")
    return app
==> web/auth/__init__.py
from flask import Blueprint
bp = Blueprint("auth", __name__, url_prefix="/auth")
from web.auth import views
==> web/auth/views.py
from web.auth import bp
@bp.route("/register")
def register():
    return 1
"#;

#[test]
fn routers_of_fastapi_and_flask() {
    let tree = Tree::of(MOUNTED);
    let routes = [
        "GET /api/v1/items/{id}",
        "GET /api/v1/items/",
        "POST /api/v1/people/",
        "GET /login/register",
        "/items/{id}",
    ];
    check(
        &tree,
        &routes,
        &expect![[r#"
            app/api/routes/items.py:3 GET /api/v1/items/{id} -> read_item
            app/api/routes/items.py:6 GET /api/v1/items/ -> read_items
            app/api/routes/users.py:3 POST /api/v1/people/ -> create_user
            web/auth/views.py:2 GET /login/register -> register
            app/api/routes/items.py:3 GET /api/v1/items/{id} -> read_item
        "#]],
    );
    let query = SearchQuery {
        text: "GET /api/v1/items/{id}".to_owned(),
        kind: None,
        symbol_kind: None,
        lang: None,
        path: None,
        limit: 1,
    };
    let found = tree.graph().search(&query).expect("an answer");
    assert_eq!(found.matches[0].selector, "symbol:app/api/routes/items.py#GET /items/{id}:route");
    // A prefix that changes in one file changes the routes of the others.
    tree.replace("app/main.py", "/api/v1", "/api/v2");
    check(
        &tree,
        &["GET /api/v2/items/{id}", "GET /api/v1/items/{id}"],
        &expect![[r#"
            app/api/routes/items.py:3 GET /api/v2/items/{id} -> read_item
            GET /api/v1/items/{id}: nothing in the index is called `GET /api/v1/items/{id}`
        "#]],
    );
}

#[test]
fn a_prefix_that_is_computed_is_left_open() {
    let tree = Tree::of(
        r#"
==> main.py
from fastapi import FastAPI
from items import router
from settings import settings
app = FastAPI()
app.include_router(router, prefix=settings.PREFIX)
==> items.py
from fastapi import APIRouter
router = APIRouter(prefix="/items")
@router.get("/{id}")
def read_item(id):
    return id
"#,
    );
    check(
        &tree,
        &["GET /api/v1/items/{id}", "/items/{id}", "GET /api/v1/things/{id}", "POST /items/{id}"],
        &expect![[r#"
            items.py:3 GET …/items/{id} -> read_item
            items.py:3 GET …/items/{id} -> read_item
            GET /api/v1/things/{id}: nothing in the index is called `GET /api/v1/things/{id}`
            POST /items/{id}: nothing in the index is called `POST /items/{id}`
        "#]],
    );
}

#[test]
fn lists_of_django() {
    let tree = Tree::of(
        r#"
==> site/urls.py
from django.urls import include, path
urlpatterns = [path("polls/", include("polls.urls"))]
==> polls/urls.py
from django.urls import path
from polls import views
urlpatterns = [path("<int:id>/", views.detail)]
==> polls/views.py
def detail(request, id):
    return id
"#,
    );
    check(
        &tree,
        &["ANY /polls/<int:id>/"],
        &expect![[r#"
            polls/urls.py:3 ANY /polls/<int:id>/ -> detail
        "#]],
    );
}

#[test]
fn routers_of_scripts() {
    let tree = Tree::of(
        r#"
==> server.js
const express = require('express');
const users = require('./routes/users');
const app = express();
app.use('/users', users);
app.use('/posts', require('./routes/posts'));
require('./routes/plain')(app);
==> routes/users.js
const express = require('express');
const router = express.Router();
router.get('/:id', show);
function show(req, res) {}
module.exports = router;
==> routes/posts.js
const { Router } = require('express');
const router = Router();
router.get('/', list);
function list(req, res) {}
module.exports = router;
==> routes/plain.js
module.exports = (app) => {
  app.get('/plain', plain);
  app.set('view engine', 'pug');
  app.get('title');
};
function plain(req, res) {}
==> web/index.ts
import { Hono } from 'hono';
import books from './books';
const app = new Hono();
app.route('/books', books);
==> web/books.ts
import { Hono } from 'hono';
const books = new Hono();
books.get('/:id', show);
function show() {}
export default books;
"#,
    );
    check(
        &tree,
        &["GET /users/:id", "GET /posts", "GET /plain", "GET /books/:id", "GET /title"],
        &expect![[r#"
            routes/users.js:3 GET /users/:id -> show
            routes/posts.js:3 GET /posts -> list
            routes/plain.js:2 GET /plain -> plain
            web/books.ts:3 GET /books/:id -> show
            GET /title: nothing in the index is called `GET /title`
        "#]],
    );
}

#[test]
fn routers_of_go_and_rust() {
    let web = concat!("ax", "um");
    let tree = Tree::of(&format!(
        r#"
==> go.mod
module shop
==> main.go
package main

import (
	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"shop/admin"
	"shop/users"
)

func main() {{
	r := gin.Default()
	v1 := r.Group("/v1")
	users.Register(v1.Group("/users"))
	c := chi.NewRouter()
	c.Mount("/admin", admin.Router())
}}
==> users/users.go
package users

import "github.com/gin-gonic/gin"

func Register(rg *gin.RouterGroup) {{
	rg.GET("/:id", show)
}}

func show(c *gin.Context) {{}}
==> admin/admin.go
package admin

import "github.com/go-chi/chi/v5"

func Router() chi.Router {{
	r := chi.NewRouter()
	r.Get("/accounts", accounts)
	return r
}}

func accounts() {{}}
==> Cargo.toml
[package]
name = "web"
==> src/main.rs
mod books;
use {web}::Router;
fn app() -> Router {{
    Router::new().nest("/books", books::router())
}}
==> src/books.rs
use {web}::{{Router, routing::get}};
pub fn router() -> Router {{
    Router::new().route("/{{id}}", get(show))
}}
async fn show() {{}}
"#
    ));
    check(
        &tree,
        &["GET /v1/users/:id", "GET /admin/accounts", "GET /books/{id}"],
        &expect![[r#"
            users/users.go:6 GET /v1/users/:id -> show
            admin/admin.go:7 GET /admin/accounts -> accounts
            src/books.rs:3 GET /books/{id} -> show
        "#]],
    );
}
