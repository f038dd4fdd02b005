//! Text in which white space counts: literals of all languages, and what their layout still leaves out.

/// Whether white space counts directly inside of a node of this kind.
pub(super) fn is_verbatim(kind: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "subshell",
        "delimited_symbol",
        "rune_literal",
        "character_literal",
        "character_content",
        "char_literal",
        "template_chars",
        "raw_text",
        "template_literal_type",
    ];
    const LISTS: [&str; 3] = ["concatenated_string", "string_array", "chained_string"];
    let is_text = ["string", "heredoc", "regex"].iter().any(|word| kind.contains(word));
    is_text && !LISTS.contains(&kind) || kind.ends_with("scalar") || OTHERS.contains(&kind)
}

/// Scalars of YAML in which a line break and the white space around it are one thing.
pub(super) fn folds_lines(kind: &str) -> bool {
    matches!(kind, "string_scalar" | "plain_scalar" | "single_quote_scalar" | "double_quote_scalar")
}

/// A text without white space around its line breaks.
pub(super) fn folded_lines(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.len() - 1;
    let trim = |(at, line): (usize, &&str)| {
        let line = if at == 0 { line } else { line.trim_start() };
        if at == last { line.to_owned() } else { line.trim_end().to_owned() }
    };
    lines.iter().enumerate().map(trim).collect::<Vec<_>>().join("\n")
}

/// A block scalar of YAML without its indentation, which says nothing unless the header gives it.
pub(super) fn block_scalar(text: &str) -> String {
    let (header, body) = text.split_once('\n').unwrap_or((text, ""));
    let header = header.split('#').next().unwrap_or_default().trim();
    let lines = || body.lines().map(|line| line.trim_end_matches('\r'));
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let is_given = header.contains(|letter: char| letter.is_ascii_digit());
    let common = lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let common = if is_given { 0 } else { common };
    let cut = |line: &str| line.get(common.min(indent(line))..).unwrap_or_default().to_owned();
    format!("{header}\n{}", lines().map(cut).collect::<Vec<_>>().join("\n"))
}

/// Text of JSX as it is shown: lines are trimmed and empty ones vanish.
pub(super) fn jsx_text(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let folded = folded_lines(text);
    folded.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
