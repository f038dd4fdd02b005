//! A small MCP client over a program's standard input and output, to time servers and measure their answers.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use xtask::failure::{Context, Failure, fail};

/// A running server.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
    /// What the server says about itself.
    pub(crate) instructions: String,
}

/// What a tool said.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) is_error: bool,
    pub(crate) took: Duration,
}

impl Client {
    /// Starts a server and introduces itself.
    pub(crate) fn start(command: &mut Command) -> Result<Client, Failure> {
        let shown = command.get_program().display().to_string();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context(&shown)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = BufReader::new(output.ok_or_else(|| fail("a child without standard output"))?);
        let mut client = Client { child, input, output, last_id: 0, instructions: String::new() };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "orbit-measure", "version": "0"},
        });
        let answer = client.request("initialize", hello)?;
        answer["instructions"].as_str().unwrap_or("").clone_into(&mut client.instructions);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// The tools as the server lists them.
    pub(crate) fn tools(&mut self) -> Result<Vec<Value>, Failure> {
        let mut answer = self.request("tools/list", json!({}))?;
        match answer["tools"].take() {
            Value::Array(tools) => Ok(tools),
            _ => Err(fail("no list of tools")),
        }
    }

    /// Calls a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer, Failure> {
        let started = Instant::now();
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let elapsed = started.elapsed();
        let texts = answer["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = texts.filter_map(|content| content["text"].as_str()).collect();
        let is_error = answer["isError"].as_bool().unwrap_or(false);
        Ok(Answer { text: texts.join("\n"), is_error, took: elapsed })
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(fail(format!("the server went away during {method}")));
            }
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else { continue };
            if message["id"] == json!(id) {
                if message["error"].is_null() {
                    return Ok(message["result"].take());
                }
                return Err(fail(format!("{method}: {}", message["error"])));
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let input = self.input.as_mut().ok_or_else(|| fail("the server is gone"))?;
        writeln!(input, "{message}")?;
        input.flush()?;
        Ok(())
    }
}

impl Drop for Client {
    /// A server ends with its client; one that does not is ended.
    fn drop(&mut self) {
        drop(self.input.take());
        for _ in 0..50 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill(); // it may have ended just now
        let _ = self.child.wait();
    }
}
