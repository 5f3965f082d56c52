//! Lines of a stream, however long and whatever is in them.

use std::io::{self, BufRead};

/// What is read of a front's line. A game of 62,500 moves fits.
pub(crate) const LONGEST: usize = 1 << 20;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// How long it was, the end of the line included.
    pub(crate) bytes: usize,
}

/// The next line without its end, bytes that are no UTF-8 replaced; `None` at the end of the stream. A last line without an end
/// counts too, and what exceeds the longest is thrown away.
pub(crate) fn next_line(input: &mut dyn BufRead, longest: usize) -> io::Result<Option<Line>> {
    let (mut kept, mut bytes) = (Vec::new(), 0);
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|&b| b == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        let room = longest.saturating_sub(kept.len());
        kept.extend_from_slice(&chunk[..used.min(room)]);
        bytes += used;
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if bytes == 0 {
        return Ok(None);
    }
    while matches!(kept.last(), Some(b'\n' | b'\r')) {
        kept.pop();
    }
    Ok(Some(Line { text: String::from_utf8_lossy(&kept).into_owned(), bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        std::iter::from_fn(|| next_line(&mut input, LONGEST).unwrap())
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(lines(b"uci\r\n\ngo depth 3\nquit"), ["uci", "", "go depth 3", "quit"]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"a\xff\n"), ["a\u{fffd}"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let long = vec![b'x'; LONGEST + 10];
        let mut input = [&long[..], b"\nnext\n"].concat();
        let mut input: &[u8] = &std::mem::take(&mut input);
        let line = next_line(&mut input, LONGEST).unwrap().unwrap();
        assert_eq!((line.text.len(), line.bytes), (LONGEST, LONGEST + 11));
        assert_eq!(next_line(&mut input, LONGEST).unwrap().unwrap().text, "next");
    }
}
