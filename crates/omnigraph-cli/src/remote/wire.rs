//! Where a call is on the wire: members in the path, in the query string, or in the body.

use crate::failure::Failure;
use omnigraph_api::calls::{Method, Route};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// A request on its way.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// Path and query string.
    pub(super) target: String,
    /// A document.
    pub(super) body: Option<String>,
}

/// A call as it is sent.
pub(super) fn sent(route: &Route, request: &impl Serialize) -> Result<Sent, Failure> {
    let mut members = members(request)?;
    let path = path(route.path, &mut members)?;
    Ok(match route.method {
        Method::Post => Sent { target: path, body: Some(Value::Object(members).to_string()) },
        Method::Get | Method::Delete => Sent { target: format!("{path}{}", query(&members)), body: None },
    })
}

/// The target of a call whose body is not a document.
pub(super) fn target(route: &Route, request: &impl Serialize) -> Result<String, Failure> {
    let mut members = members(request)?;
    let path = path(route.path, &mut members)?;
    Ok(format!("{path}{}", query(&members)))
}

fn members(request: &impl Serialize) -> Result<Map<String, Value>, Failure> {
    match serde_json::to_value(request) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Failure::new("internal", "a request that is not an object")),
        Err(error) => Err(Failure::new("internal", format!("the request cannot be written: {error}"))),
    }
}

/// The path, with the members that it names in their places; they are taken out.
fn path(pattern: &str, members: &mut Map<String, Value>) -> Result<String, Failure> {
    let mut out = String::new();
    for part in pattern.split('/').skip(1) {
        out.push('/');
        let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else {
            out.push_str(part);
            continue;
        };
        let (name, keep_slashes) = name.strip_prefix('*').map_or((name, false), |name| (name, true));
        let text = members.remove(name).map(|value| plain(&value)).unwrap_or_default();
        if text.is_empty() {
            let what = name.trim_end_matches("_id");
            return Err(Failure::new("bad_request", format!("the {what} has no name")));
        }
        encode(&text, keep_slashes, &mut out);
    }
    Ok(out)
}

/// The rest, from the question mark on; lists are given again and again.
fn query(members: &Map<String, Value>) -> String {
    let mut out = String::new();
    let mut pair = |name: &str, value: &Value| {
        out.push(if out.is_empty() { '?' } else { '&' });
        encode(name, false, &mut out);
        out.push('=');
        encode(&plain(value), false, &mut out);
    };
    for (name, value) in members {
        match value {
            Value::Null => {}
            Value::Array(values) => values.iter().for_each(|value| pair(name, value)),
            value => pair(name, value),
        }
    }
    out
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn encode(text: &str, keep_slashes: bool, out: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            b'/' if keep_slashes => out.push('/'),
            _ => {
                let _ = write!(out, "%{byte:02X}"); // a string takes everything
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{sent, target};
    use omnigraph_api::calls::Call;
    use omnigraph_api::calls::branch::{BranchCreateRequest, BranchDeleteRequest};
    use omnigraph_api::calls::diff::{DiffRequest, OpChoice};
    use omnigraph_api::calls::load::LoadRequest;
    use omnigraph_api::calls::run::{RunPublishRequest, RunShowRequest};

    fn of<C: Call>(request: C) -> (String, Option<String>) {
        let sent = sent(&C::ROUTE, &request).expect("it can be sent");
        (sent.target, sent.body)
    }

    #[test]
    fn members_are_where_the_route_says() {
        let delete =
            BranchDeleteRequest { branch: "review/Ü 1?#%".to_owned(), ..BranchDeleteRequest::default() };
        assert_eq!(of(delete), ("/branches/review/%C3%9C%201%3F%23%25".to_owned(), None));
        let delete = BranchDeleteRequest { branch: "b".to_owned(), force: true };
        assert_eq!(of(delete), ("/branches/b?force=true".to_owned(), None));
        let show = RunShowRequest { run_id: "a/b".to_owned() };
        assert_eq!(of(show).0, "/runs/a%2Fb");
        let publish = RunPublishRequest { run_id: "r1".to_owned() };
        assert_eq!(of(publish), ("/runs/r1/publish".to_owned(), Some("{}".to_owned())));
        let create = BranchCreateRequest { name: "b".to_owned(), ..BranchCreateRequest::default() };
        assert_eq!(of(create), ("/branches".to_owned(), Some(r#"{"name":"b"}"#.to_owned())));
        let diff = DiffRequest {
            from: "main@2026-11-01T12:00:00+01:00".to_owned(),
            to: "a&b".to_owned(),
            type_names: vec!["A".to_owned(), "B".to_owned()],
            ops: vec![OpChoice::Insert],
            ..DiffRequest::default()
        };
        assert_eq!(
            of(diff).0,
            "/diff?from=main%402026-11-01T12%3A00%3A00%2B01%3A00&to=a%26b&type_names=A&type_names=B&ops=insert&rows=false"
        );
        let load = LoadRequest { branch: Some("x/y".to_owned()), ..LoadRequest::default() };
        let target = target(&LoadRequest::ROUTE, &load).expect("it can be sent");
        assert_eq!(target, "/load?branch=x%2Fy&mode=merge&format=jsonl");
    }

    #[test]
    fn nothing_has_no_place_in_a_path() {
        let failure =
            sent(&BranchDeleteRequest::ROUTE, &BranchDeleteRequest::default()).expect_err("no name");
        assert_eq!(failure.fault.message, "the branch has no name");
    }
}
