//! Something that answers every request with the same bytes, and remembers what it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub(crate) struct Stub {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Stub {
    pub(crate) fn start(answer: &str) -> Stub {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (answer.to_owned(), asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let head = talk(stream, &answer);
                seen.lock().expect("nobody panics").push(head);
            }
        });
        Stub { url, asked }
    }

    /// The heads of all requests.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics").clone()
    }
}

/// Reads all of a request, so that the answer is not lost when the connection ends.
fn talk(stream: TcpStream, answer: &str) -> String {
    let mut reader = BufReader::new(stream.try_clone().expect("a connection"));
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            break;
        }
    }
    let length =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    let mut stream = stream;
    if head.to_lowercase().contains("100-continue") {
        let _ = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
    }
    let _ = reader.read_exact(&mut body);
    let _ = stream.write_all(answer.as_bytes());
    head
}
