//! What is wrong with a text: one struct for syntax, types, schema and lint.

use crate::code::Code;
use crate::source::{Position, Source, Span};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// A place in the text with a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place in the source text.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// One finding about one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, as one sentence without its code.
    pub message: String,
    /// Where; the label's text may be empty.
    pub primary: Label,
    /// Further places that explain it.
    pub further: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub(crate) fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let primary = Label { span, text: String::new() };
        let message = message.into();
        Diagnostic { code, severity: Severity::Error, message, primary, further: Vec::new(), hint: None }
    }

    /// A warning.
    pub(crate) fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    #[must_use]
    pub(crate) fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    #[must_use]
    pub(crate) fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.further.push(Label { span, text: text.into() });
        self
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// A hint only when there is one.
    #[must_use]
    pub(crate) fn maybe_hint(mut self, hint: Option<String>) -> Diagnostic {
        self.hint = hint.or(self.hint);
        self
    }

    /// Code and message on one line.
    pub fn headline(&self) -> String {
        format!("{}: {}", self.code.as_str(), self.message)
    }

    /// The form for programs: words and positions instead of enums and bytes.
    pub fn data(&self, source: &Source) -> DiagnosticData {
        let label = |label: &Label| LabelData {
            start: source.position(label.span.start),
            end: source.position(label.span.end),
            span: label.span,
            text: label.text.clone(),
        };
        DiagnosticData {
            code: self.code.as_str(),
            severity: self.severity.as_str(),
            message: self.message.clone(),
            file: source.name().to_owned(),
            label: label(&self.primary),
            further: self.further.iter().map(label).collect(),
            hint: self.hint.clone(),
        }
    }
}

/// A [`Diagnostic`] as plain data, ready for JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticData {
    /// Stable.
    pub code: &'static str,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// One sentence.
    pub message: String,
    /// The source's name.
    pub file: String,
    /// The place that is underlined.
    pub label: LabelData,
    /// Further places.
    pub further: Vec<LabelData>,
    /// What to do.
    pub hint: Option<String>,
}

/// A [`Label`] with positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelData {
    /// First character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
    /// The same in bytes.
    pub span: Span,
    /// May be empty.
    pub text: String,
}

/// All findings about one text, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

/// More than this many findings help nobody.
const MOST: usize = 100;

impl Diagnostics {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.0.len() < MOST && !self.0.contains(&diagnostic) {
            self.0.push(diagnostic);
        }
    }

    pub(crate) fn extend(&mut self, other: Diagnostics) {
        for diagnostic in other.0 {
            self.push(diagnostic);
        }
    }

    /// The value when there is no error among the findings, else the findings.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, Diagnostics> {
        if self.has_errors() { Err(self.sorted()) } else { Ok(value) }
    }

    pub(crate) fn sorted(mut self) -> Diagnostics {
        self.0.sort_by_key(|found| (found.primary.span, found.code));
        self
    }

    /// Whether anything is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|found| found.severity == Severity::Error)
    }

    /// By place.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl std::fmt::Display for Diagnostics {
    /// The headlines, one per line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, found) in self.0.iter().enumerate() {
            write!(f, "{}{}", if at > 0 { "\n" } else { "" }, found.headline())?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
