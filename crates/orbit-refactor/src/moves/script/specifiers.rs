//! Import and export statements, and the module specifiers in them.

/// Whether a module specifier in a file means another file.
pub(super) fn denotes(user: &str, module: &str, path: &str) -> bool {
    if !module.starts_with('.') {
        return false;
    }
    let found = join(user, module);
    let strip = |path: &str| {
        let path = path
            .trim_end_matches(".ts")
            .trim_end_matches(".tsx")
            .trim_end_matches(".js")
            .trim_end_matches(".mjs");
        path.trim_end_matches("/index").to_owned()
    };
    strip(&found) == strip(path)
}

/// A relative specifier as a path of the worktree.
pub(super) fn join(user: &str, module: &str) -> String {
    let mut parts: Vec<&str> = user.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A path of the worktree as a relative specifier.
pub(super) fn relative(user: &str, path: &str) -> String {
    let from: Vec<&str> = user.split('/').collect();
    let from = &from[..from.len() - 1];
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - shared;
    let rest = to[shared..].join("/");
    if up == 0 { format!("./{rest}") } else { format!("{}{rest}", "../".repeat(up)) }
}

pub(super) fn specifier(user: &str, path: &str, extension: &str) -> String {
    let stem = path.trim_end_matches(".ts").trim_end_matches(".tsx").trim_end_matches(".js");
    format!("{}{extension}", relative(user, stem))
}

/// The extension that a specifier writes.
pub(super) fn extension_of(module: &str) -> &str {
    [".js", ".ts", ".mjs"].into_iter().find(|extension| module.ends_with(extension)).unwrap_or("")
}

/// The extension that a file's imports write.
pub(super) fn style(text: &str) -> &'static str {
    let specs =
        text.lines().filter(|line| line.contains(" from ")).filter_map(|line| line.split(['"', '\'']).nth(1));
    let mut specs = specs.filter(|spec| spec.starts_with('.'));
    match specs.next().map(extension_of) {
        Some(".js") => ".js",
        Some(".ts") => ".ts",
        Some(".mjs") => ".mjs",
        _ => "",
    }
}

/// `import … from "module";` or `export … from "module";`
pub(super) struct Statement {
    pub(super) start: usize,
    /// Behind the line end.
    pub(super) end: usize,
    pub(super) module: (usize, usize),
    /// Between the braces.
    pub(super) list: Option<(usize, usize)>,
}

impl Statement {
    pub(super) fn at_line(text: &str, line: u32) -> Option<Statement> {
        let at: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let lead = text[at..].len() - text[at..].trim_start().len();
        Statement::around(text, at + lead)
    }

    pub(super) fn around(text: &str, at: usize) -> Option<Statement> {
        let mut start = crate::moves::statement::line_start(text, at);
        while !(text[start..].starts_with("import") || text[start..].starts_with("export")) {
            start = crate::moves::statement::line_start(text, start.checked_sub(1)?);
        }
        let from = start + text[start..].find(" from ").or_else(|| text[start..].find("}from"))?;
        if text[start..from].contains(';') {
            return None;
        }
        let quote = from + text[from..].find(['"', '\''])?;
        let module = (quote + 1, quote + 1 + text[quote + 1..].find(['"', '\''])?);
        let end = text[module.1..].find('\n').map_or(text.len(), |end| module.1 + end + 1);
        let open = text[start..from].find('{').map(|open| start + open + 1);
        let list = open.and_then(|open| Some((open, open + text[open..from + 2].find('}')?)));
        (at < end).then_some(Statement { start, end, module, list })
    }

    pub(super) fn module<'t>(&self, text: &'t str) -> &'t str {
        &text[self.module.0..self.module.1]
    }
}
