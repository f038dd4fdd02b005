//! A plan as a unified diff, as `git apply` takes it.

use crate::plan::FileChange;
use similar::TextDiff;
use std::fmt::Write as _;

/// All files of a plan.
pub(crate) fn unified(files: &[FileChange]) -> String {
    let mut text = String::new();
    for file in files {
        one(&mut text, &file.path, file.before.as_deref(), file.after.as_deref());
    }
    text
}

/// One file.
pub(crate) fn one(text: &mut String, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) {
    if before == after {
        return;
    }
    let (old, new) = (
        String::from_utf8_lossy(before.unwrap_or_default()),
        String::from_utf8_lossy(after.unwrap_or_default()),
    );
    let from = if before.is_some() { format!("a/{path}") } else { "/dev/null".into() };
    let to = if after.is_some() { format!("b/{path}") } else { "/dev/null".into() };
    let _ = writeln!(text, "diff --git a/{path} b/{path}");
    match (before.is_some(), after.is_some()) {
        (false, _) => text.push_str("new file mode 100644\n"),
        (_, false) => text.push_str("deleted file mode 100644\n"),
        _ => {}
    }
    let diff = TextDiff::from_lines(old.as_ref(), new.as_ref());
    let _ = write!(text, "{}", diff.unified_diff().context_radius(3).header(&from, &to));
}
