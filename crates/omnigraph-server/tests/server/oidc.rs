//! Tokens that an issuer signs.

use crate::calls::INSERT;
use crate::host::{Server, Setup, until};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

const ISSUER: &str = "https://issuer.example";

/// A key of an issuer.
enum Key {
    Edwards(Ed25519KeyPair),
    Curve(Box<EcdsaKeyPair>),
}

impl Key {
    fn edwards() -> Key {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        Key::Edwards(Ed25519KeyPair::from_pkcs8(document.as_ref()).expect("a key"))
    }

    fn curve() -> Key {
        let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("a key");
        Key::Curve(Box::new(EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).expect("a key")))
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Key::Edwards(_) => "EdDSA",
            Key::Curve(_) => "ES256",
        }
    }

    fn public(&self, id: &str) -> Value {
        match self {
            Key::Edwards(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "use": "sig", "x": text(pair.public_key().as_ref())})
            }
            Key::Curve(pair) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                json!({"kty": "EC", "crv": "P-256", "kid": id, "alg": "ES256", "x": text(x), "y": text(y)})
            }
        }
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", text(header.to_string()), text(claims.to_string()));
        let signature = match self {
            Key::Edwards(pair) => text(pair.sign(message.as_bytes())),
            Key::Curve(pair) => text(pair.sign(&SystemRandom::new(), message.as_bytes()).expect("signed")),
        };
        format!("{message}.{signature}")
    }

    /// A token as an issuer makes it.
    fn sign(&self, id: &str, claims: &Value) -> String {
        self.token(&json!({"alg": self.algorithm(), "typ": "JWT", "kid": id}), claims)
    }
}

fn text(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

fn claims(issuer: &str, actor: &str) -> Value {
    json!({"iss": issuer, "aud": ["other", "omnigraph"], "sub": actor, "exp": now() + 600, "iat": now()})
}

fn with(mut claims: Value, name: &str, value: Value) -> Value {
    claims[name] = value;
    claims
}

fn without(mut claims: Value, name: &str) -> Value {
    claims.as_object_mut().expect("an object").remove(name);
    claims
}

fn with_keys(keys: &[Value]) -> Setup {
    let mut setup = Setup::new();
    setup.write("keys.json", &json!({ "keys": keys }).to_string());
    setup.env("OMNIGRAPH_OIDC_ISSUER", ISSUER).env("OMNIGRAPH_OIDC_AUDIENCE", "omnigraph");
    setup.env("OMNIGRAPH_OIDC_JWKS", "keys.json");
    setup
}

fn refusal(server: &Server, token: &str) -> String {
    let answer = server.caller(token).get("/branches");
    answer.fault(401, "unauthorized", "unauthorized");
    answer.json()["error"].as_str().expect("a sentence").to_owned()
}

#[test]
fn who_an_issuer_names_is_who_calls() {
    let (edwards, curve) = (Key::edwards(), Key::curve());
    let server = with_keys(&[edwards.public("e"), curve.public("c")]).start();
    for (key, id, actor) in [(&edwards, "e", "ann"), (&curve, "c", "bob@example.org")] {
        let token = key.sign(id, &claims(ISSUER, actor));
        let ask = json!({ "query_source": INSERT, "params": { "name": id } });
        let done = server.caller(&token).post("/change", ask).ok();
        assert_eq!(done["actor_id"], actor);
    }
    server.get("/branches").fault(401, "unauthorized", "unauthorized");
}

#[test]
fn what_is_wrong_with_a_token_is_said() {
    let (key, other) = (Key::edwards(), Key::curve());
    let server = with_keys(&[key.public("e"), other.public("c")]).start();
    let good = || claims(ISSUER, "ann");
    let signed = |claims: Value| key.sign("e", &claims);
    let cases = [
        (signed(with(good(), "exp", json!(now() - 120))), "it has expired"),
        (signed(with(good(), "nbf", json!(now() + 300))), "it is not valid yet"),
        (signed(with(good(), "aud", json!("another"))), "it is for another audience"),
        (signed(with(good(), "iss", json!("https://issuer.example.evil"))), "it is of another issuer"),
        (signed(without(good(), "exp")), "it lacks a claim"),
        (signed(without(good(), "aud")), "it lacks a claim"),
        (signed(without(good(), "iss")), "it lacks a claim"),
        (signed(without(good(), "sub")), "its claim does not name an actor"),
        (signed(with(good(), "sub", json!(" "))), "its claim does not name an actor"),
        (signed(with(good(), "sub", json!(["ann"]))), "its claims cannot be read"),
        (key.sign("nobody", &good()), "it is signed with a key that the issuer does not show"),
        (
            key.token(&json!({"alg": "EdDSA"}), &good()),
            "it is signed with a key that the issuer does not show",
        ),
        (other.token(&json!({"alg": "ES256", "kid": "e"}), &good()), "its algorithm is not that of its key"),
        (other.token(&json!({"alg": "EdDSA", "kid": "c"}), &good()), "its algorithm is not that of its key"),
        (key.token(&json!({"alg": "HS256", "kid": "e"}), &good()), "its algorithm is not taken"),
        (key.token(&json!({"alg": "none", "kid": "e"}), &good()), "it cannot be read"),
        ("a.b.c".to_owned(), "it cannot be read"),
    ];
    for (token, reason) in cases {
        assert_eq!(refusal(&server, &token), format!("the token is not valid: {reason}"));
    }
    // Somebody else's claims under a signature that was seen.
    let (ann, eve) = (signed(good()), signed(claims(ISSUER, "eve")));
    let [head, _, signature] = ann.split('.').collect::<Vec<_>>()[..] else { panic!() };
    let mixed = format!("{head}.{}.{signature}", eve.split('.').nth(1).expect("claims"));
    assert_eq!(refusal(&server, &mixed), "the token is not valid: its signature does not fit");
    assert_eq!(refusal(&server, "tok-plain"), "a bearer token that this server knows is needed");
    // A clock that is half a minute off is no reason.
    server.caller(&signed(with(good(), "exp", json!(now() - 30)))).get("/branches").ok();
}

#[test]
fn another_claim_can_name_the_actor_and_given_tokens_still_do() {
    let key = Key::edwards();
    let mut setup = with_keys(&[key.public("e")]);
    setup.env("OMNIGRAPH_OIDC_ACTOR_CLAIM", "email");
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-5e1f").secret("tok-5e1f");
    let server = setup.start();
    let token =
        key.token(&json!({"alg": "EdDSA"}), &with(claims(ISSUER, "17"), "email", json!("ann@example.org")));
    for (token, actor) in [(token.as_str(), "ann@example.org"), ("tok-5e1f", "default")] {
        let ask = json!({ "query_source": INSERT, "params": { "name": actor } });
        assert_eq!(server.caller(token).post("/change", ask).ok()["actor_id"], actor);
    }
}

/// An issuer on this machine: its document, and its keys as they are now.
struct Issuer {
    address: String,
    keys: Arc<Mutex<Vec<Value>>>,
    asked: Arc<Mutex<u32>>,
}

impl Issuer {
    fn start(keys: Vec<Value>) -> Issuer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("a port"));
        let issuer =
            Issuer { address: address.clone(), keys: Arc::new(Mutex::new(keys)), asked: Arc::default() };
        let (keys, asked) = (issuer.keys.clone(), issuer.asked.clone());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
                let first = lines.next().and_then(Result::ok).unwrap_or_default();
                let _ = lines.find(|line| line.as_ref().is_ok_and(String::is_empty));
                let body = if first.contains("/.well-known/openid-configuration") {
                    json!({"issuer": address, "jwks_uri": format!("{address}/keys")})
                } else {
                    *asked.lock().expect("whole") += 1;
                    json!({ "keys": *keys.lock().expect("whole") })
                };
                let body = body.to_string();
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
                let _ = write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            }
        });
        issuer
    }
}

#[test]
fn keys_are_found_at_the_issuer_and_new_ones_when_they_are_used() {
    let (old, new) = (Key::edwards(), Key::curve());
    let issuer = Issuer::start(vec![old.public("old")]);
    let setup = Setup::new();
    let config = json!({"server": {"oidc": {"issuer": issuer.address, "audience": "omnigraph"}}});
    setup.write("omnigraph.yaml", &config.to_string());
    let server = setup.start();
    let token = |key: &Key, id: &str| key.sign(id, &claims(&issuer.address, "ann"));
    server.caller(&token(&old, "old")).get("/branches").ok();
    assert_eq!(*issuer.asked.lock().expect("whole"), 1);
    *issuer.keys.lock().expect("whole") = vec![new.public("new")];
    // Who makes up keys does not make the server ask for each.
    for at in 0..20 {
        refusal(&server, &token(&new, &format!("made-up-{at}")));
    }
    assert_eq!(*issuer.asked.lock().expect("whole"), 1, "it asked a moment ago");
    until("the new key", || server.caller(&token(&new, "new")).get("/branches").status == 200);
    assert_eq!(*issuer.asked.lock().expect("whole"), 2);
    refusal(&server, &token(&old, "old"));
}

#[test]
fn a_server_says_what_is_wrong_with_its_issuer() {
    let start = |set: &[(&str, &str)]| {
        let mut setup = Setup::new();
        setup.write("broken.json", "{}");
        for (name, text) in set {
            setup.env(name, text);
        }
        setup.refused().1
    };
    let issuer = ("OMNIGRAPH_OIDC_ISSUER", ISSUER);
    let audience = ("OMNIGRAPH_OIDC_AUDIENCE", "omnigraph");
    for (set, expected) in [
        (vec![issuer], "needs OMNIGRAPH_OIDC_AUDIENCE"),
        (vec![audience], "needs OMNIGRAPH_OIDC_ISSUER"),
        (vec![issuer, audience, ("OMNIGRAPH_OIDC_JWKS", "nowhere.json")], "nowhere.json: cannot be read"),
        (vec![issuer, audience, ("OMNIGRAPH_OIDC_JWKS", "broken.json")], "is not a set of keys"),
        (
            vec![issuer, audience, ("OMNIGRAPH_OIDC_JWKS", "http://issuer.example/keys")],
            "keys are fetched by https",
        ),
        (
            vec![("OMNIGRAPH_OIDC_ISSUER", "http://localhost.evil.example"), audience],
            "keys are fetched by https",
        ),
    ] {
        let log = start(&set);
        assert!(log.contains(expected), "{expected}: {log}");
    }
}

/// A key of 2048 bits, and tokens until 2100 that another library signed with it.
#[test]
fn rsa_signatures_of_others_are_understood() {
    let key = json!({"kty": "RSA", "kid": "rsa-1", "use": "sig", "e": "AQAB", "n": MODULUS});
    let server = with_keys(&[key]).start();
    for token in [RS256, PS384] {
        server.caller(token).get("/branches").ok();
        let (rest, last) = token.split_at(token.len() - 1);
        let broken = format!("{rest}{}", if last == "A" { "Q" } else { "A" });
        refusal(&server, &broken);
    }
}

const MODULUS: &str = concat!(
    "r9jme4WarhTnTl8SI7AW-djXG7-2p635EBFTAXPSuZ2Y8hqcwktvOhEBaQpT6VP5CdfeibbshBR4eFT2JkWvbl5-WaW17auXfCkY",
    "Hr6XxeqGAno_6ouEzpteKHauGhmTYNNaftfSX4EtE3mpXrz4L29Q44F9QFeg43q924ja2_R9k9prj0taADKYz7Qd6bqOiT9rhFcl",
    "a2HF_ysv3qLU51AVx-zs1zhkhQot_MKw1l7ao0Pe4-KDmrsPZDqcl1pEJv4rSvWTsdfSTtpyf_f_Gp2uplig53PDmafRqMj1I7j1",
    "N4iuLBDh_sMyiCh2zVOOqxUkaPMBOUO3VCgBOU-Qsw",
);
const RS256: &str = concat!(
    "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0xIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwi",
    "YXVkIjoib21uaWdyYXBoIiwic3ViIjoicml0YSIsImV4cCI6NDEwMjQ0NDgwMH0.F9bKWCTBPObJHdNApFML-6_NUFSayVUO491D",
    "arczEtvsrOUS-2Y6fVvGRxRFXzGbsx2I6_ApoKtYE4hhw7RK39XKkJB2FBgxHzxVg9cp8JoTJFsgtILH6dOlzkwpbDCNkC7VW3Vj",
    "UJs6BSS_gaDoDWAw6HhiH_l1MajhCv6qNq6TZkO0ArpDZH3jxQJVc5mI4iPMDJT_lkVFk7dLqDsWV8OKedRaT-_9g0qIyraQdA9S",
    "A4ufdq7hg_Uj2lUbluHJfkfiR1Pxl7cKBoFNFQd59i-Qg-oWoQBjM2_uI5sr10XLg0h77ieu_xKZMQsDLyRK5zkPDd8iIior3S-s",
    "3fa69w",
);
const PS384: &str = concat!(
    "eyJhbGciOiJQUzM4NCIsImtpZCI6InJzYS0xIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwi",
    "YXVkIjoib21uaWdyYXBoIiwic3ViIjoicml0YSIsImV4cCI6NDEwMjQ0NDgwMH0.lSn8Xmm_-ErLlNXLEIabEuxHy01mOOJoW7y6",
    "hk2TU3Gy0NJLgjYCpuFkAQSBdMKjECUdh4fVlGF7jhYW1hFnkEDxJD51BQ12SOYzJlHRSzr7m6xzslqMTXxyI5cGZBaK89TRwI6-",
    "hUrfDe3l1UMp7c-xLfWgqixIr49_Bqrgj-brhVAXow9nPzPd77E0D6ip1p4EFiUX_YLezkZxqFPjjuZOosRt4-f56Le1prefmwhX",
    "sRaFrFTyq5G7Gu3AmGaZ56l-stgNOEqTa1RyS84OLCYVv6yKwJmu21HxOOUPvEMh0Ftm8JDT4ICGz-KADVSzeRJ2zjS4o2SP3Fra",
    "YqMQVA",
);
