//! HTTP as bytes on a socket: a client that can be slow, rude, or stop in the middle.

use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// For how long a socket waits for the server, which may run on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the body has its end: a chunked one its last chunk, another one its length.
    pub(crate) is_whole: bool,
}

impl Answer {
    /// Reads one answer; `None` when the server closed the connection without one.
    pub(crate) fn read(stream: &mut TcpStream) -> Option<Answer> {
        let head = head(stream)?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().expect("a status");
        let header = |line: &str| {
            let (name, text) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), text.trim().to_owned()))
        };
        let headers: Vec<_> = lines.filter_map(header).collect();
        let mut answer = Answer { status, headers, body: Vec::new(), is_whole: false };
        answer.is_whole = if answer.header("transfer-encoding") == Some("chunked") {
            chunks(stream, &mut answer.body).is_some()
        } else {
            let length = answer.header("content-length").map_or(0, |text| text.parse().expect("a length"));
            answer.body.resize(length, 0);
            stream.read_exact(&mut answer.body).is_ok()
        };
        Some(answer)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The document of an answer that went well.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    /// The document of an answer that failed as it should, after its form is checked.
    pub(crate) fn fault(&self, status: u16, code: &str, reason: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/json"));
        let fault = self.json();
        assert!(fault["error"].as_str().is_some_and(|text| !text.is_empty()), "{fault}");
        assert_eq!(fault["code"], code, "{fault}");
        assert_eq!(fault["reason"], reason, "{fault}");
        assert!(fault["diagnostics"].is_array() && fault["merge_conflicts"].is_array(), "{fault}");
        fault
    }
}

/// Up to the empty line, and nothing behind it.
fn head(stream: &mut TcpStream) -> Option<String> {
    let mut seen = [0; 1 << 13];
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let length = match stream.peek(&mut seen) {
            Ok(0) => return None,
            Ok(length) => length,
            Err(error) if is_timeout(&error) => panic!("no answer in time"),
            Err(_) => return None,
        };
        if let Some(end) = seen[..length].windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let mut head = vec![0; end + 4];
            stream.read_exact(&mut head).ok()?;
            return Some(String::from_utf8(head).expect("a head of plain text"));
        }
        std::thread::sleep(Duration::from_millis(1)); // the rest is on its way
    }
    None
}

pub(crate) fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

/// Chunks with their last one; `None` when the connection ends before it.
fn chunks(stream: &mut TcpStream, body: &mut Vec<u8>) -> Option<()> {
    loop {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).ok()?;
            line.push(byte[0]);
        }
        let length = String::from_utf8(line).ok()?;
        let length = usize::from_str_radix(length.trim(), 16).ok()?;
        let mut chunk = vec![0; length + 2];
        stream.read_exact(&mut chunk).ok()?;
        body.extend_from_slice(&chunk[..length]);
        if length == 0 {
            return Some(());
        }
    }
}

/// The bytes of a request.
pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
    for (name, text) in headers {
        bytes.extend([name, ": ", text, "\r\n"]);
    }
    if let Some(body) = body {
        bytes.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
    }
    bytes += "\r\n";
    let mut bytes = bytes.into_bytes();
    bytes.extend_from_slice(body.unwrap_or_default());
    bytes
}

/// A connection that gives up when the server says nothing for long.
pub(crate) fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server accepts");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
    stream
}

/// Sends bytes and reads what is answered. A connection that the server closes meanwhile may still have an answer.
pub(crate) fn exchange(stream: &mut TcpStream, bytes: &[u8]) -> Option<Answer> {
    let _ = stream.write_all(bytes); // the answer says why
    Answer::read(stream)
}

/// Text as a path or a query string has it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(char::from(byte)),
            _ => out.extend(["%".to_owned(), format!("{byte:02X}")]),
        }
    }
    out
}
