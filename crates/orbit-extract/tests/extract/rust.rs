#![expect(clippy::too_many_lines, reason = "a fixture and its facts belong together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn items_and_members() {
    check(
        "src/a.rs",
        r#"
pub struct Pool<T: Clone> { pub conns: Vec<Conn>, size: usize }
struct Wrapper(Inner, u8);
union Bits { a: u32 }
pub enum Shape { Circle { radius: f64 }, Square(Side), Empty = 3 }
pub trait Draw: Base + fmt::Debug {
    const N: usize = 1;
    type Out: Clone;
    fn draw(&self) -> Self::Out;
    fn twice(&self) { self.draw(); }
}
impl<T: Clone> Pool<T> {
    pub fn new(size: usize) -> Self { Self { conns: vec![], size } }
    fn get(&self) -> Option<&Conn> { self.conns.first() }
}
impl<T> Draw for Pool<T> { type Out = u8; fn draw(&self) -> u8 { 1 } }
impl From<A> for B { fn from(a: A) -> B { B } }
impl From<C> for B { fn from(c: C) -> B { B } }
mod inner { pub fn deep() { fn local() {} local() } }
mod other;
#[path = "elsewhere.rs"] pub mod third;
const MAX: usize = 3;
static NAME: &str = "orbit graph";
type Alias = Vec<Pool<u8>>;
macro_rules! my_macro { ($x:expr) => { fn made() { $x } }; }
extern "C" { fn c_call(x: u8); }
#[tokio::test]
async fn works() {}
"#,
        &expect![[r#"
            symbol struct Pool 2-2 pub <$T> | pub struct Pool<T: Clone>
            symbol field Pool::conns 2-2 pub : <Vec<Conn>> | pub conns: Vec<Conn>
            symbol field Pool::size 2-2 : #usize | size: usize
            symbol struct Wrapper 3-3 (Inner, #u8) | struct Wrapper(Inner, u8);
            symbol union Bits 4-4 | union Bits
            symbol field Bits::a 4-4 : #u32 | a: u32
            symbol enum Shape 5-5 pub | pub enum Shape
            symbol variant Shape::Circle 5-5 pub : <Shape> | Circle { radius: f64 }
            symbol field Shape::Circle::radius 5-5 : #f64 | radius: f64
            symbol variant Shape::Square 5-5 pub (Side) : <Shape> | Square(Side)
            symbol variant Shape::Empty 5-5 pub : <Shape> | Empty = 3
            symbol trait Draw 6-11 pub | pub trait Draw: Base + fmt::Debug
            symbol const Draw::N 7-7 : #usize | const N: usize
            symbol type_alias Draw::Out 8-8 | type Out: Clone;
            symbol method Draw::draw 9-9 pub () for (this{&}) bodiless : <this.Out> | fn draw(&self) -> Self::Out;
            symbol method Draw::twice 10-10 pub () for (this{&}) | fn twice(&self)
            symbol impl <impl Pool> 12-15 <$T> : Pool<$T> | impl<T: Clone> Pool<T>
            symbol method Pool::new 13-13 pub (#usize) : <this> | pub fn new(size: usize) -> Self
            symbol method Pool::get 14-14 () for (this{&}) : <Option<Conn{&}>> | fn get(&self) -> Option<&Conn>
            symbol impl <impl Draw for Pool> 16-16 <$T> : Pool<$T> | impl<T> Draw for Pool<T>
            symbol type_alias <Pool as Draw>::Out 16-16 : #u8 | type Out = u8;
            symbol method <Pool as Draw>::draw 16-16 () for (this{&}) : #u8 | fn draw(&self) -> u8
            symbol impl <impl From<A> for B> 17-17 : B | impl From<A> for B
            symbol method <B as From<A>>::from 17-17 (<A>) : <B> | fn from(a: A) -> B
            symbol impl <impl From<C> for B> 18-18 : B | impl From<C> for B
            symbol method <B as From<C>>::from 18-18 (<C>) : <B> | fn from(c: C) -> B
            symbol module inner 19-19 | mod inner
            symbol function inner::deep 19-19 pub () | pub fn deep()
            symbol function inner::deep::local 19-19 () | fn local()
            symbol module other 20-20 | mod other;
            symbol module third 21-21 pub | pub mod third;
            symbol const MAX 22-22 : #usize | const MAX: usize
            symbol static NAME 23-23 : #str{&} | static NAME: &str
            symbol type_alias Alias 24-24 : Vec<Pool<#u8>> | type Alias = Vec<Pool<u8>>;
            symbol macro my_macro 25-25
            symbol function my_macro::made 25-25
            symbol function c_call 26-26 (#u8) bodiless | fn c_call(x: u8);
            symbol test works 28-28 () | async fn works()
            ref trait_bound Clone @2 in Pool
            ref type Vec @2 in Pool
            ref type Conn @2 in Pool
            ref type Inner @3 in Wrapper
            ref type Side @5 in Shape::Square
            ref trait_bound Base @6 in Draw
            ref value fmt @6 in Draw
            ref trait_bound fmt . Debug @6 in Draw
            ref trait_bound Clone @8 in Draw
            ref type this . Out @9 in Draw::draw
            ref call this{&} . draw @10 in Draw::twice
            ref trait_bound Clone @12 in <impl Pool>
            ref type Pool @12 in <impl Pool>
            ref value <this> . conns @13 in Pool::new
            ref call vec @13 in Pool::new
            ref value <this> . size @13 in Pool::new
            ref type Option @14 in Pool::get
            ref type Conn @14 in Pool::get
            ref value this{&} . conns @14 in Pool::get
            ref call this{&}.conns . first @14 in Pool::get
            ref type Draw @16 in <impl Draw for Pool>
            ref type Pool @16 in <impl Draw for Pool>
            ref type From @17 in <impl From<A> for B>
            ref type A @17 in <impl From<A> for B>
            ref type B @17 in <impl From<A> for B>
            ref type A @17 in <B as From<A>>::from
            ref type B @17 in <B as From<A>>::from
            ref value B @17 in <B as From<A>>::from
            ref type From @18 in <impl From<C> for B>
            ref type C @18 in <impl From<C> for B>
            ref type B @18 in <impl From<C> for B>
            ref type C @18 in <B as From<C>>::from
            ref type B @18 in <B as From<C>>::from
            ref value B @18 in <B as From<C>>::from
            ref call local @19 in inner::deep
            ref type Vec @24 in -
            ref type Pool @24 in -
            ref value tokio @27 in -
            ref call tokio . test @27 in -
            relation Draw extends Base @6
            relation Draw extends fmt.Debug @6
            relation Pool<$T> impl Draw @16
            relation B impl From<A> @17
            relation B impl From<C> @18
            import mod other as other @20 in -
            import mod third [elsewhere.rs] as third reexport @21 in -
            string "orbit graph" @23 in NAME
        "#]],
    );
}

#[test]
fn calls_receivers_and_types() {
    check(
        "src/a.rs",
        r#"
fn run<R: Read>(conn: &mut Conn, items: Vec<Item>, r: R, d: &dyn Draw) -> Result<Out, Error> {
    conn.execute("select something");
    let x = Client::new(1)?;
    x.send(helper);
    for item in &items { item.touch(); }
    r.read();
    d.draw();
    if let Some(first) = items.first() { first.go(); }
    match kind { Kind::A(v) => v.b(), Kind::B { field, .. } if field.ok() => MAX, NONE => 1 };
    let c = |a: &Conn, b| a.close(b);
    let s = Settings { level: 3, name, ..Default::default() };
    s.apply();
    crate::util::go();
    super::up(self::here);
    items.iter().map(Item::id).collect::<Vec<Id>>();
    let f: fn(u8) -> Other = make;
    s.name.len();
}
"#,
        &expect![[r#"
            symbol function run 2-19 (<Conn>{&mut}, <Vec<Item>>, <$R:Read>, <Draw>{&}) <$R:Read> : <Result<Out, Error><Out>> | fn run<R: Read>(conn: &mut Conn, items: Vec<Item>, r: R, d: &dyn Draw) -> Result<Out, Error>
            ref trait_bound Read @2 in run
            ref type Conn @2 in run
            ref type Vec @2 in run
            ref type Item @2 in run
            ref type Draw @2 in run
            ref type Result @2 in run
            ref type Out @2 in run
            ref type Error @2 in run
            ref call <Conn>{&mut} . execute @3 in run
            ref type Client @4 in run
            ref call Client . new(#) @4 in run
            ref call Client.new()[] . send @5 in run
            ref value helper @5 in run
            ref call <Vec<Item>>{&}[] . touch @6 in run
            ref call <$R:Read> . read @7 in run
            ref call <Draw>{&} . draw @8 in run
            ref call <Vec<Item>> . first @9 in run
            ref value Some @9 in run
            ref call <Vec<Item>>.first()[] . go @9 in run
            ref value kind @10 in run
            ref type Kind @10 in run
            ref value Kind . A @10 in run
            ref call Kind.A.0 . b @10 in run
            ref type Kind @10 in run
            ref type Kind . B @10 in run
            ref value <Kind.B> . field @10 in run
            ref call <Kind.B>.field{?} . ok @10 in run
            ref value MAX @10 in run
            ref value NONE @10 in run
            ref type Conn @11 in run
            ref call <Conn>{&} . close @11 in run
            ref type Settings @12 in run
            ref value <Settings> . level @12 in run
            ref value <Settings> . name @12 in run
            ref type Default @12 in run
            ref call <Settings> . default @12 in run
            ref call <Settings> . apply @13 in run
            ref value crate . util @14 in run
            ref call crate.util . go @14 in run
            ref call super . up @15 in run
            ref value self . here @15 in run
            ref call <Vec<Item>> . iter @16 in run
            ref call <Vec<Item>>.iter() . map @16 in run
            ref type Item @16 in run
            ref value Item . id @16 in run
            ref call <Vec<Item>>.iter().map() . collect @16 in run
            ref type Vec @16 in run
            ref type Id @16 in run
            ref value make @17 in run
            ref type Other @17 in run
            ref value <Settings> . name @18 in run
            ref call <Settings>.name . len @18 in run
            string "select something" @3 in run
        "#]],
    );
}

#[test]
fn macros_are_read() {
    check(
        "src/a.rs",
        r#"
cfg_rt! {
    /// Spawns.
    pub fn spawn<F>(future: F) -> JoinHandle<F> { spawn_inner(future) }
    impl Handle { pub fn enter(&self) {} }
}
cfg_if! { if #[cfg(unix)] { mod unix; pub use unix::run; } else { fn run() { fallback() } } }
lazy_static! { static ref CACHE: Mutex<Cache> = Mutex::new(Cache::default()); }
fn f(x: Pin<&mut Timer>) {
    ready!(x.poll(cx));
    assert_eq!(compute(1).value, self.total()?.sum(), "totals must agree");
    tokio::select! { v = fetch() => { let w = v; handle(w) } }
    println!("{}", crate::name::of(x));
}
"#,
        &expect![[r#"
            symbol function spawn 4-4 pub (<$F>) <$F> : <JoinHandle<$F>> | pub fn spawn<F>(future: F) -> JoinHandle<F>
            symbol impl <impl Handle> 5-5 : Handle | impl Handle
            symbol method Handle::enter 5-5 pub () for (this{&}) | pub fn enter(&self)
            symbol module unix 7-7 | mod unix;
            symbol function run 7-7 () | fn run()
            symbol static CACHE 8-8 : <Mutex<Cache>> | static ref CACHE: Mutex<Cache>
            symbol function f 9-14 (<Timer>{&mut}{box}) | fn f(x: Pin<&mut Timer>)
            ref call cfg_rt @2 in -
            ref type JoinHandle @4 in spawn
            ref call spawn_inner @4 in spawn
            ref type Handle @5 in <impl Handle>
            ref call cfg_if @7 in -
            ref call cfg @7 in -
            ref value unix @7 in -
            ref value else @7 in -
            ref call fallback @7 in run
            ref call lazy_static @8 in -
            ref type Mutex @8 in CACHE
            ref type Cache @8 in CACHE
            ref type Mutex @8 in CACHE
            ref call Mutex . new(Cache.default()) @8 in CACHE
            ref type Cache @8 in CACHE
            ref call Cache . default():Mutex.new(#0) @8 in CACHE
            ref type Pin @9 in f
            ref type Timer @9 in f
            ref call ready @10 in f
            ref call <Timer>{&mut}{box} . poll @10 in f
            ref value cx @10 in f
            ref call assert_eq @11 in f
            ref call compute @11 in f
            ref value compute() . value @11 in f
            ref call this . total @11 in f
            ref call this.total()[] . sum @11 in f
            ref value tokio @12 in f
            ref call tokio . select @12 in f
            ref value v @12 in f
            ref call fetch @12 in f
            ref value v @12 in f
            ref call handle @12 in f
            ref call println @13 in f
            ref value crate . name @13 in f
            ref call crate.name . of @13 in f
            import mod unix as unix @7 in -
            import symbol unix [run] as run reexport @7 in -
            string "totals must agree" @11 in f
        "#]],
    );
}

#[test]
fn use_trees() {
    check(
        "src/a.rs",
        r#"
use std::io;
use crate::a::{self, b::{C, D as E}, f::*};
pub use self::inner::Thing;
pub(crate) use super::other as renamed;
use x as _;
extern crate alloc as al;
use regex;
fn f() { use late::Local; }
"#,
        &expect![[r#"
            symbol function f 9-9 () | fn f()
            import symbol std [io] as io @2 in -
            import symbol crate [a] as a @3 in -
            import symbol crate::a::b [C] as C @3 in -
            import symbol crate::a::b [D] as E @3 in -
            import glob crate::a::f @3 in -
            import symbol self::inner [Thing] as Thing reexport @4 in -
            import symbol super [other] as renamed reexport @5 in -
            import module x @6 in -
            import module alloc as al @7 in -
            import module regex as regex @8 in -
            import symbol late [Local] as Local @9 in f
        "#]],
    );
}

#[test]
fn clap_commands() {
    check(
        "src/cli.rs",
        r#"
#[derive(Parser)]
struct Cli { #[command(subcommand)] command: Command }

#[derive(Subcommand)]
enum Command {
    Sync(SyncArgs),
    #[command(name = "db-path")]
    Path,
    Task(TaskArgs),
    #[command(subcommand)]
    Remote(RemoteCommand),
    #[command(name = NAME)]
    Dynamic,
}
#[derive(Args)]
struct TaskArgs { #[command(subcommand)] command: TaskCommand }
#[derive(Subcommand)]
enum TaskCommand { UpdateAll { id: u32 } }
#[derive(clap::Subcommand)]
enum RemoteCommand { Add }

fn main() -> Result<()> {
    match cli.command {
        Command::Sync(args) => sync::run(args)?,
        Command::Path => { print_path() }
        Command::Task(args) => match args.command { TaskCommand::UpdateAll { id } => update_all(id).await },
        Command::Remote(RemoteCommand::Add) => { log(); add() }
    }
}
"#,
        &expect![[r#"
            symbol struct Cli 3-3 | struct Cli
            symbol field Cli::command 3-3 : <Command> | command: Command
            symbol enum Command 6-15 | enum Command
            symbol variant Command::Sync 7-7 pub (SyncArgs) : <Command> | Sync(SyncArgs)
            symbol variant Command::Path 9-9 pub : <Command> | Path
            symbol variant Command::Task 10-10 pub (TaskArgs) : <Command> | Task(TaskArgs)
            symbol variant Command::Remote 12-12 pub (RemoteCommand) : <Command> | Remote(RemoteCommand)
            symbol variant Command::Dynamic 14-14 pub : <Command> | Dynamic
            symbol struct TaskArgs 17-17 | struct TaskArgs
            symbol field TaskArgs::command 17-17 : <TaskCommand> | command: TaskCommand
            symbol enum TaskCommand 19-19 | enum TaskCommand
            symbol variant TaskCommand::UpdateAll 19-19 pub : <TaskCommand> | UpdateAll { id: u32 }
            symbol field TaskCommand::UpdateAll::id 19-19 : #u32 | id: u32
            symbol enum RemoteCommand 21-21 | enum RemoteCommand
            symbol variant RemoteCommand::Add 21-21 pub : <RemoteCommand> | Add
            symbol function main 23-30 () : <Result<#>> | fn main() -> Result<()>
            ref call Parser @2 in -
            ref type Command @3 in Cli
            ref call Subcommand @5 in -
            ref type SyncArgs @7 in Command::Sync
            ref type TaskArgs @10 in Command::Task
            ref type RemoteCommand @12 in Command::Remote
            ref call Args @16 in -
            ref type TaskCommand @17 in TaskArgs
            ref call Subcommand @18 in -
            ref call clap @20 in -
            ref call Subcommand @20 in -
            ref type Result @23 in main
            ref value cli @24 in main
            ref value cli . command @24 in main
            ref type Command @25 in main
            ref value Command . Sync @25 in main
            ref value sync @25 in main
            ref call sync . run @25 in main
            ref type Command @26 in main
            ref value Command . Path @26 in main
            ref call print_path @26 in main
            ref type Command @27 in main
            ref value Command . Task @27 in main
            ref value Command.Task.0 . command @27 in main
            ref type TaskCommand @27 in main
            ref type TaskCommand . UpdateAll @27 in main
            ref value <TaskCommand.UpdateAll> . id @27 in main
            ref call update_all @27 in main
            ref value update_all() . await @27 in main
            ref type Command @28 in main
            ref value Command . Remote @28 in main
            ref type RemoteCommand @28 in main
            ref value RemoteCommand . Add @28 in main
            ref call log @28 in main
            ref call add @28 in main
            relation Cli impl Parser @2
            relation Command impl Subcommand @5
            relation TaskArgs impl Args @16
            relation TaskCommand impl Subcommand @18
            relation RemoteCommand impl Subcommand @20
            command "sync" -> - @7
            command "db-path" -> - @9
            command "task" -> - @10
            command "remote" -> - @12
            command "task update-all" -> - @19
            command "remote add" -> - @21
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.rs",
        "fn ok() {}\nstruct { x\nfn fine() { ok() }\n",
        &expect![[r#"
            has errors
            symbol function ok 1-1 () | fn ok()
            symbol struct fine 3-3 () | struct { x fn fine()
            ref call ok @3 in -
        "#]],
    );
    check("a.rs", "", &expect![]);
}

#[test]
fn deep_nesting_is_cut_not_fatal() {
    let deep = format!("fn f() {{ {}1{} }}", "(".repeat(100_000), ")".repeat(100_000));
    let file = orbit_extract::extract("a.rs", orbit_extract::Lang::Rust, deep.as_bytes()).expect("extracts");
    assert_eq!(file.symbols.len(), 1);
    assert!(file.has_errors);
}
