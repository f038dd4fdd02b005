//! A server that speaks TLS, with certificates of an authority that the test makes.

use crate::host::{Server, Setup};
use crate::wire::{connect, request};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::io::{Read as _, Write as _};
use std::time::Duration;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// An authority's certificate, and one of `localhost` that it signed with its key; all PEM.
struct Papers {
    authority: String,
    certificate: String,
    key: String,
}

fn papers() -> Papers {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority =
        CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate");
    let key = KeyPair::generate().expect("a key");
    let names = CertificateParams::new(vec!["localhost".to_owned(), "127.0.0.1".to_owned()]);
    let certificate = names.expect("names").signed_by(&key, &authority).expect("a certificate");
    Papers { authority: authority.pem(), certificate: certificate.pem(), key: key.serialize_pem() }
}

fn with(papers: &Papers) -> Setup {
    let mut setup = Setup::new();
    setup.write("cert.pem", &papers.certificate);
    setup.write("key.pem", &papers.key);
    setup.arg("--tls-cert cert.pem --tls-key key.pem --body-timeout 1");
    setup
}

/// A client that trusts an authority.
fn client(authority: &str) -> ureq::Agent {
    let trusted = Certificate::from_pem(authority.as_bytes()).expect("a certificate");
    let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[trusted])).build();
    let config = ureq::Agent::config_builder().tls_config(tls).timeout_global(Some(crate::wire::PATIENCE));
    config.http_status_as_error(false).build().into()
}

fn url(server: &Server, path: &str) -> String {
    format!("https://{}{path}", server.address)
}

#[test]
fn who_trusts_the_authority_is_answered() {
    let papers = papers();
    let server = with(&papers).start();
    server.await_log("listening on https://127.0.0.1:");
    let agent = client(&papers.authority);
    let mut answer = agent.get(url(&server, "/healthz")).call().expect("an answer");
    assert_eq!(answer.status(), 200);
    assert!(answer.body_mut().read_to_string().expect("text").contains("\"status\":\"ok\""));
    let refused = agent.get(url(&server, "/snapshot?branch=x")).call().expect("an answer");
    assert_eq!(refused.status(), 404);
    let stranger = client(&self::papers().authority).get(url(&server, "/healthz")).call();
    assert!(stranger.is_err(), "another authority is not trusted");
}

#[test]
fn who_speaks_no_tls_is_not_answered_and_keeps_nobody_waiting() {
    let papers = papers();
    let server = with(&papers).start();
    let mut silent = connect(&server.address);
    let (mut plain, mut answer) = (connect(&server.address), Vec::new());
    plain.write_all(&request("GET", "/healthz", &[], None)).expect("sent");
    let _ = plain.read_to_end(&mut answer); // closed or reset
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    client(&papers.authority).get(url(&server, "/healthz")).call().expect("an answer");
    // Closed when no handshake comes.
    silent.set_read_timeout(Some(Duration::from_mins(1))).expect("a timeout");
    assert_eq!(silent.read(&mut [0]).unwrap_or(0), 0);
}

#[test]
fn papers_that_do_not_fit_stop_the_start() {
    let (papers, others) = (papers(), papers());
    let cases = [
        ("cert.pem", papers.certificate.as_str(), others.key.as_str()),
        ("key.pem", &papers.certificate, "no key\n"),
        ("cert.pem", "no certificate\n", &papers.key),
        ("cert.pem", &papers.key, &papers.key),
    ];
    for (named, certificate, key) in cases {
        let setup = with(&papers);
        setup.write("cert.pem", certificate);
        setup.write("key.pem", key);
        let (code, text) = setup.refused();
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(&format!("error: {named}: ")), "{named}: {text}");
        assert!(!text.contains("PRIVATE KEY"), "{text}");
    }
    let mut setup = Setup::new();
    setup.arg("--tls-cert cert.pem --tls-key nowhere.pem");
    setup.write("cert.pem", &papers.certificate);
    let (code, text) = setup.refused();
    assert!(code == Some(1) && text.contains("nowhere.pem: "), "{text}");
    let mut setup = Setup::new();
    setup.arg("--tls-cert cert.pem");
    assert_eq!(setup.refused().0, Some(2), "one without the other");
}
