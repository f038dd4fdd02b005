use crate::render::check;
use expect_test::expect;

#[test]
fn type_arguments_and_macros_among_tokens() {
    check(
        "src/a.rs",
        r#"
fn run(m: Matches) {
    assert!(*m.get_one::<bool>("flag").unwrap());
    assert_fn!(a::Mutex<Inner>::lock(_): Send);
    assert_eq!(parse::<Vec<Round>>().first(), a < b);
    check!(pin!(m).poll(cx));
}
"#,
        &expect![[r#"
            symbol function run 2-7 (<Matches>) | fn run(m: Matches)
            ref type Matches @2 in run
            ref call assert @3 in run
            ref call <Matches> . get_one @3 in run
            ref call <Matches>.get_one() . unwrap @3 in run
            ref call assert_fn @4 in run
            ref value a @4 in run
            ref value a . Mutex @4 in run
            ref type Inner @4 in run
            ref call a.Mutex . lock @4 in run
            ref value Send @4 in run
            ref call assert_eq @5 in run
            ref call parse @5 in run
            ref type Vec @5 in run
            ref type Round @5 in run
            ref call parse() . first @5 in run
            ref value a @5 in run
            ref value b @5 in run
            ref call check @6 in run
            ref call pin @6 in run
            ref call <Matches> . poll @6 in run
            ref value cx @6 in run
        "#]],
    );
}

#[test]
fn conditions_defaults_and_derived_traits() {
    check(
        "src/a.rs",
        r#"
#[cfg(feature = "net")]
mod net {
    #[cfg(not(feature = "tls"))]
    pub use plain::connect;
    #[cfg(windows)]
    fn left_out() {}
}
#[cfg(limb = "32")]
type Limb = u32;
#[derive(Debug, Parser, serde::Serialize)]
struct Options<W, F = Compact> { writer: W }
macro_rules! attempt { ($e:expr) => {{ match $e { Some(v) => v, None => return } }}; }
fn run() { let x = unsafe { Options::make() }; x.go(); attempt!(make()).went(); }
"#,
        &expect![[r#"
            symbol module net 3-8 if feature = "net" | mod net
            symbol function net::left_out 7-7 () inactive if feature = "net" | fn left_out()
            symbol type_alias Limb 10-10 inactive : #u32 | type Limb = u32;
            symbol struct Options 12-12 <$W, $F:Compact> | struct Options<W, F = Compact>
            symbol field Options::writer 12-12 : <$W> | writer: W
            symbol macro attempt 13-13 : ?[]
            symbol function run 14-14 () | fn run()
            ref call Debug @11 in -
            ref call Parser @11 in -
            ref call serde @11 in -
            ref call Serialize @11 in -
            ref type Compact @12 in Options
            ref type Options @14 in run
            ref call Options . make @14 in run
            ref call Options.make() . go @14 in run
            ref call attempt @14 in run
            ref call make @14 in run
            ref call attempt!() . went @14 in run
            relation Options impl Parser @11
            relation Options impl Serialize @11
            import symbol plain [connect] as connect reexport if all(feature = "net", not(feature = "tls")) @5 in net
        "#]],
    );
}

#[test]
fn projections_patterns_and_types_in_tokens() {
    check(
        "src/a.rs",
        r#"
pin_project! {
    #[project = StateProj]
    pub enum State<S> { Waiting { svc: S }, Done(S) }
}
#[pin_project(project = PhaseProj, project_ref = PhaseRef)]
struct Phase { at: u8 }
fn first<T, I: Into<Iter: Clone>>(x: <T as Tr>::Out, y: <Own as Tr>::Out, b: Arc<dyn Tr + Send + Sync>) {
    match x {
        State::Done(s) => s.run(),
        State::Waiting { svc } => svc.run(),
    }
    check!(error.is::<a::Closed>(), (0..9).go(), (x, 1).go());
}
"#,
        &expect![[r#"
            symbol type_alias StateProj 3-3 : State
            symbol enum State 4-4 pub <$S> | pub enum State<S>
            symbol variant State::Waiting 4-4 pub : <State> | Waiting { svc: S }
            symbol field State::Waiting::svc 4-4 : <$S> | svc: S
            symbol variant State::Done 4-4 pub ($S) : <State> | Done(S)
            symbol type_alias PhaseProj 6-6 : Phase
            symbol type_alias PhaseRef 6-6 : Phase
            symbol struct Phase 7-7 | struct Phase
            symbol field Phase::at 7-7 : #u8 | at: u8
            symbol function first 8-14 (<Tr.Out>, <Own.Out>, <Tr>{box}) <$T, $I:Into> | fn first<T, I: Into<Iter: Clone>>(x: <T as Tr>::Out, y: <Own as Tr>::Out, b: Arc<dyn Tr + Send + Sync>)
            ref call pin_project @2 in -
            ref call pin_project @6 in -
            ref trait_bound Into @8 in first
            ref type Into . Iter @8 in first
            ref trait_bound Clone @8 in first
            ref type Tr @8 in first
            ref type Tr . Out @8 in first
            ref type Own @8 in first
            ref type Tr @8 in first
            ref type Tr . Out @8 in first
            ref type Arc @8 in first
            ref type Tr @8 in first
            ref type Send @8 in first
            ref type Sync @8 in first
            ref type State @10 in first
            ref value State . Done @10 in first
            ref call State.Done.0 . run @10 in first
            ref type State @11 in first
            ref type State . Waiting @11 in first
            ref value <State.Waiting> . svc @11 in first
            ref call <State.Waiting>.svc{?} . run @11 in first
            ref call check @13 in first
            ref value error @13 in first
            ref call error . is @13 in first
            ref value a @13 in first
            ref type a . Closed @13 in first
            ref call #Range . go @13 in first
            ref call (<Tr.Out>, #,) . go @13 in first
        "#]],
    );
}
