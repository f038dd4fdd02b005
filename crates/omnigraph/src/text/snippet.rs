//! Texts, or the best part of them, with marks around what was found.

use std::ops::Range;

/// The text with something before and behind each place. Places are in order and do not overlap.
pub fn highlight(text: &str, places: &[Range<usize>], (before, behind): (&str, &str)) -> String {
    let mut out = String::with_capacity(text.len() + places.len() * (before.len() + behind.len()));
    let mut done = 0;
    for place in places {
        out.push_str(&text[done..place.start]);
        out.push_str(before);
        out.push_str(&text[place.clone()]);
        out.push_str(behind);
        done = place.end;
    }
    out.push_str(&text[done..]);
    out
}

/// The part of at most so many characters that has the most places, in one line, with marks. Where the text goes on, there is `…`.
pub fn snippet(text: &str, places: &[Range<usize>], most: usize, marks: (&str, &str)) -> String {
    let letters = Letters::new(text);
    let window = letters.window(places, most);
    let inside: Vec<Range<usize>> = places
        .iter()
        .filter(|place| place.start >= window.start && place.start < window.end)
        .map(|place| place.start - window.start..place.end.min(window.end) - window.start)
        .collect();
    let marked = highlight(&text[window.clone()], &inside, marks);
    let line = marked.split_whitespace().collect::<Vec<_>>().join(" ");
    let goes_on = |rest: &str| if rest.trim().is_empty() { "" } else { "…" };
    format!("{}{line}{}", goes_on(&text[..window.start]), goes_on(&text[window.end..]))
}

/// A text by its characters.
struct Letters<'t> {
    text: &'t str,
    /// Where each begins, and the end.
    starts: Vec<usize>,
}

impl Letters<'_> {
    fn new(text: &str) -> Letters<'_> {
        Letters { text, starts: text.char_indices().map(|(at, _)| at).chain([text.len()]).collect() }
    }

    fn number(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start < byte)
    }

    /// Which bytes to show.
    fn window(&self, places: &[Range<usize>], most: usize) -> Range<usize> {
        let last = self.starts.len() - 1;
        if last <= most {
            return 0..self.text.len();
        }
        let places: Vec<Range<usize>> =
            places.iter().map(|place| self.number(place.start)..self.number(place.end)).collect();
        let fitting =
            |at: usize| places[at..].partition_point(|place| place.end <= places[at].start + most).max(1);
        let best = (0..places.len()).rev().max_by_key(|at| fitting(*at));
        let Some(best) = best else { return self.cut(0, most) };
        let end = places[best + fitting(best) - 1].end;
        let spare = most.saturating_sub(end - places[best].start);
        let start = places[best].start.saturating_sub(spare / 2).min(last - most);
        self.cut(self.word_start(start, places[best].start), most)
    }

    /// The first beginning of a word from here on, before something that must not be cut.
    fn word_start(&self, from: usize, before: usize) -> usize {
        if from == 0 {
            return 0;
        }
        (from..before).find(|at| self.is_space(at - 1) && !self.is_space(*at)).unwrap_or(from.min(before))
    }

    /// So many characters from here on, without the beginning of a word that does not fit, if there is another one.
    fn cut(&self, start: usize, most: usize) -> Range<usize> {
        let last = self.starts.len() - 1;
        let mut end = (start + most).min(last);
        if end < last && !self.is_space(end) {
            let space = (start + 1..end).rev().find(|at| self.is_space(*at));
            // A text without spaces is cut anywhere.
            end = space.filter(|space| end - space <= most / 4).unwrap_or(end);
        }
        self.starts[start]..self.starts[end]
    }

    fn is_space(&self, at: usize) -> bool {
        self.text[self.starts[at]..].chars().next().is_some_and(char::is_whitespace)
    }
}
