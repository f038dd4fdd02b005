//! HTTP routes of every framework: what is one, what is not, and who handles it.

use expect_test::{Expect, expect};
use orbit_extract::{Lang, RefKind, ScopeId, SymbolKind};
use std::fmt::Write as _;

/// The routes of a file with their lines and what they call.
fn check(path: &str, text: &str, expected: &Expect) {
    let lang = Lang::of_path(path).expect("a language");
    let file = orbit_extract::extract(path, lang, text.as_bytes()).expect("facts");
    let mut out = String::new();
    for (index, symbol) in file.symbols.iter().enumerate() {
        if symbol.kind != SymbolKind::Route {
            continue;
        }
        let scope = ScopeId::of_symbol(index);
        let calls = file.refs.iter().filter(|row| row.scope == scope && row.kind == RefKind::Call);
        let calls: Vec<&str> = calls.map(|row| file.names.get(row.name)).collect();
        let _ = writeln!(out, "{}: {} -> {}", symbol.line, file.local_name(symbol), calls.join(", "));
    }
    expected.assert_eq(&out);
}

#[test]
fn flask() {
    let text = r#"
from flask import Flask, Blueprint, request
import requests
app = Flask(__name__)
bp = Blueprint("users", __name__, url_prefix="/users")
client = app.test_client()

@app.route("/")
def index():
    return client.get("/users")

@bp.route("/<int:id>", methods=["GET", "PUT"])
@login_required
def user(id):
    return requests.get("/x")

@bp.post("/")
def create(): ...

@cache.memoize("/x")
def cached(): ...

app.add_url_rule("/about", "about", view_func=about)
app.register_blueprint(bp, url_prefix="/api/users")
settings.get("/x")
"#;
    check(
        "app.py",
        text,
        &expect![[r#"
        8: GET / -> index
        12: GET /api/users/<int:id> -> user
        12: PUT /api/users/<int:id> -> user
        17: POST /api/users/ -> create
        23: GET /about -> about
    "#]],
    );
}

#[test]
fn fastapi() {
    let text = r#"
from fastapi import APIRouter, FastAPI
app = FastAPI()
router = APIRouter(prefix="/items")
other = APIRouter()

@router.get("/{item_id}")
async def read(item_id: str): ...

@other.websocket("/ws")
async def ws(socket): ...

@app.api_route("/any", methods=["GET", "HEAD"])
def any_way(): ...

app.include_router(router, prefix="/v1")
app.include_router(other, prefix=settings.PREFIX)
"#;
    check(
        "main.py",
        text,
        &expect![[r#"
        7: GET /v1/items/{item_id} -> read
        10: WEBSOCKET /ws -> ws
        13: GET /any -> any_way
        13: HEAD /any -> any_way
    "#]],
    );
}

#[test]
fn django() {
    let text = r#"
from django.urls import include, path, re_path
from . import views
from .views import ArticleView

inner = [
    path("list/", views.items),
]
urlpatterns = [
    path("", views.index, name="index"),
    path("articles/<int:year>/", ArticleView.as_view()),
    re_path(r"^old/(?P<id>\d+)/$", views.old),
    path("blog/", include([path("new/", views.new)])),
    path("shop/", include(inner)),
    path("accounts/", include("django.contrib.auth.urls")),
]
os.path("x", y)
"#;
    check(
        "urls.py",
        text,
        &expect![[r#"
        7: ANY /shop/list/ -> items
        10: ANY / -> index
        11: ANY /articles/<int:year>/ -> ArticleView, as_view
        12: ANY ^old/(?P<id>\d+)/$ -> old
        13: ANY /blog/new/ -> new
    "#]],
    );
}

#[test]
fn express() {
    let text = r#"
const express = require('express');
const axios = require('axios');
const users = require('./users');
const app = express();
const router = express.Router();
const cache = new Map();

router.get('/:id', auth, users.show);
router.route('/').get(users.list).post((req, res) => users.create(req.body));
app.use('/users', router);
app.all('/health', health);
app.get('title');
axios.get('/x', { timeout: 1 });
cache.get('/x', 1);
request(app).get('/users');
"#;
    check(
        "app.js",
        text,
        &expect![[r#"
        9: GET /users/:id -> auth, show
        10: GET /users -> list
        10: POST /users -> create
        12: ANY /health -> health
    "#]],
    );
    let text = r#"
import type { Express } from 'express';
export function routes(app: Express, other: Service) {
  app.delete('/x', remove);
  other.delete('/x', remove);
}
"#;
    check(
        "routes.ts",
        text,
        &expect![[r#"
        4: DELETE /x -> remove
    "#]],
    );
}

#[test]
fn hono_and_nest() {
    let text = r#"
import { Hono } from 'hono';
import { hc } from 'hono/client';
const books = new Hono()
  .get('/', (c) => c.json(list()))
  .post('/:id', create);
const app = new Hono().basePath('/api');
app.route('/books', books);
app.on('PURGE', '/cache', purge);
const client = hc('/');
client.get('/x', y);
"#;
    check(
        "app.ts",
        text,
        &expect![[r#"
        4: GET /api/books -> json, list
        6: POST /api/books/:id -> create
        9: PURGE /api/cache -> purge
    "#]],
    );
    let text = r#"
import { Controller, Get, Post } from '@nestjs/common';
@Controller('cats')
export class CatsController {
  @Get(':id')
  @UseGuards(Auth)
  findOne(@Param('id') id: string) { return this.service.find(id); }
  @Post()
  create() {}
  other() {}
}
"#;
    check(
        "cats.controller.ts",
        text,
        &expect![[r#"
        5: GET /cats/:id -> findOne
        8: POST /cats -> create
    "#]],
    );
}

#[test]
fn go() {
    let text = r#"
package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
)

func ginRoutes(r *gin.Engine, cache Cache) {
	v1 := r.Group("/v1")
	v1.GET("/users/:id", auth, show)
	r.Any("/x", func(c *gin.Context) { run(c) })
	cache.GET("/x", show)
}

func chiRoutes() {
	r := chi.NewRouter()
	r.Route("/articles", func(r chi.Router) {
		r.With(paginate).Get("/", list)
		r.Route("/{id}", func(r chi.Router) { r.Put("/", update) })
	})
	r.Mount("/admin", adminRouter())
}

func adminRouter() http.Handler {
	r := chi.NewRouter()
	r.Get("/accounts", accounts)
	return r
}

func muxRoutes() {
	r := mux.NewRouter()
	s := r.PathPrefix("/api").Subrouter()
	s.HandleFunc("/books/{id}", book).Methods("GET", http.MethodPut)
	http.HandleFunc("POST /plain", plain)
	http.Get("/url")
	r.Path("/files/{id}").Methods("PUT").HandlerFunc(file)
	r.Methods("DELETE").PathPrefix("/files/").Handler(files)
}
"#;
    check(
        "main.go",
        text,
        &expect![[r#"
        14: GET /v1/users/:id -> auth, show
        15: ANY /x -> run
        22: GET /articles/ -> list
        23: PUT /articles/{id}/ -> update
        30: GET /admin/accounts -> accounts
        37: GET /api/books/{id} -> book
        37: PUT /api/books/{id} -> book
        38: POST /plain -> plain
        40: PUT /files/{id} -> file
        41: DELETE /files/ -> files
    "#]],
    );
}

#[test]
fn spring() {
    let text = r#"
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/owners")
class OwnerController {
    @GetMapping("/{id}")
    Owner show(@PathVariable int id) { return null; }
    @RequestMapping(value = {"/a", "/b"}, method = {RequestMethod.GET, RequestMethod.POST})
    void both() {}
    @PostMapping
    void create() {}
}
"#;
    check(
        "OwnerController.java",
        text,
        &expect![[r#"
        6: GET /owners/{id} -> show
        8: GET /owners/a -> both
        8: POST /owners/a -> both
        8: GET /owners/b -> both
        8: POST /owners/b -> both
        10: POST /owners -> create
    "#]],
    );
}

#[test]
fn routers_of_rust() {
    let text = r#"
use web::{Router, routing::{get, post}};
fn app() -> Router {
    let users = Router::new().route("/{id}", get(show).delete(remove));
    Router::new()
        .route("/", get(|| async { index().await }))
        .nest("/users", users)
        .nest("/api", api())
        .nest("/inner", Router::new().route("/x", post(handlers::create::<Store>)))
}
fn api() -> Router {
    Router::new().route("/ping", web::routing::any(ping))
}
fn other(map: Map) {
    map.route("/x", find("y"));
}
"#;
    let text = &text.replace("web::", concat!("ax", "um::"));
    check(
        "main.rs",
        text,
        &expect![[r#"
        4: GET /users/{id} -> show
        4: DELETE /users/{id} -> remove
        6: GET / -> index
        9: POST /inner/x -> create
        12: ANY /api/ping -> ping
    "#]],
    );
}

#[test]
fn aspnet() {
    let text = r#"
using Microsoft.AspNetCore.Mvc;
[ApiController]
[Route("api/[controller]")]
public class UsersController : ControllerBase {
    [HttpGet("{id}")]
    public User Show(int id) => null;
    [HttpPost]
    public void Create() {}
    [HttpGet("/root")]
    public void Root() {}
}
"#;
    check(
        "UsersController.cs",
        text,
        &expect![[r#"
        6: GET /api/Users/{id} -> Show
        8: POST /api/Users -> Create
        10: GET /root -> Root
    "#]],
    );
    let text = r#"
using Microsoft.AspNetCore.Mvc;
[Area("Shop")]
public class BasketController : Controller {
    public IActionResult Index() => View();
    [HttpPost]
    public async Task<IActionResult> Checkout(Order order) => View();
    [NonAction]
    public void Helper() {}
    private void Inner() {}
}
"#;
    check(
        "BasketController.cs",
        text,
        &expect![[r#"
        5: ANY /Shop/Basket/Index -> Index
        6: POST /Shop/Basket/Checkout -> Checkout
    "#]],
    );
    let text = r#"
var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
var group = app.MapGroup("/todos");
app.MapGet("/", () => Hello());
group.MapPut("/{id}", Update);
other.MapGet("/x", Update);
static void Map(IEndpointRouteBuilder routes) {
    routes.MapDelete("/y", Remove);
}
"#;
    check(
        "Program.cs",
        text,
        &expect![[r#"
        5: GET / -> Hello
        6: PUT /todos/{id} -> Update
        9: DELETE /y -> Remove
    "#]],
    );
}

#[test]
fn rails() {
    let text = r#"
Rails.application.routes.draw do
  root to: 'home#index'
  get '/about', to: 'pages#about'
  get 'legacy' => 'pages#legacy'
  resources :users, only: [:index, :show] do
    post :ban, on: :member
    resources :posts, only: :create
  end
  resource :session, only: [:create]
  namespace :admin do
    resources :users, only: [:destroy]
  end
  scope '/api' do
    match 'x', to: 'api#x', via: [:get, :post]
  end
  get '/old', to: redirect('/new')
end
class Other
  get '/nothing', to: 'a#b'
end
"#;
    check(
        "config/routes.rb",
        text,
        &expect![[r#"
        3: GET / -> index
        4: GET /about -> about
        5: GET /legacy -> legacy
        6: GET /users -> index
        6: GET /users/:id -> show
        7: POST /users/:id/ban -> ban
        8: POST /users/:user_id/posts -> create
        10: POST /session -> create
        12: DELETE /admin/users/:id -> destroy
        15: GET /api/x -> x
        15: POST /api/x -> x
        17: GET /old -> 
    "#]],
    );
}
