//! Words in text: runs of letters, digits and `_` that do not start with a digit.

/// The words of a text, as byte ranges in order.
pub(super) struct Words<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Words<'s> {
    pub(super) fn new(text: &'s str) -> Words<'s> {
        Words { text, at: 0 }
    }
}

impl Iterator for Words<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let end = end_of_word(self.text, start);
            if end == start {
                let byte = *bytes.get(start)?;
                self.at += if byte < 0x80 { 1 } else { width(self.text, start) };
                continue;
            }
            self.at = end;
            // A number, what stands behind one (`0xff`, `1st`), or the name of nothing.
            if !bytes[start].is_ascii_digit() && &bytes[start..end] != b"_" {
                return Some((start, end));
            }
        }
    }
}

const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

fn end_of_word(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        if WORD[usize::from(*byte)] {
            at += 1;
        } else if *byte < 0x80 {
            break;
        } else {
            let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            if !c.is_alphanumeric() {
                break;
            }
            at += c.len_utf8();
        }
    }
    at
}

fn width(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}
