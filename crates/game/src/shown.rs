//! Text from outside, made fit to be shown: the one place where that is done.
//!
//! Whatever a file, an engine or a network says may hold codes that move the cursor, hide what was
//! written before or turn the direction of a line. Such characters are written out; and the text is
//! cut, so that it does not push aside what the program itself has to say.

/// What is shown of a piece of text from outside, in letters.
pub const MOST_SHOWN: usize = 100;

/// The text with everything written out that would break the line, steer a terminal or not be seen.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// The text [`escaped`], and its beginning only if it has more than [`MOST_SHOWN`] letters.
#[must_use]
pub fn shown(text: &str) -> String {
    cut(&escaped(&beginning(text)))
}

/// The same in quotation marks. Those within are escaped too, so that it is plain where it ends.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("\"{}\"", cut(&beginning(text).escape_debug().to_string()))
}

/// Control characters (Unicode's category Cc), line and paragraph separators (Zl, Zp), and
/// characters without a width that change the direction of others or tell texts apart that look
/// alike (Cf).
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
        )
}

/// As much as can be seen, so that a text of gigabytes costs nothing.
fn beginning(text: &str) -> String {
    text.chars().take(MOST_SHOWN + 1).collect()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        None => text.to_owned(),
        Some(_) => text.chars().take(MOST_SHOWN - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(
            escaped("a\r\n\u{1b}[2Kb\u{9b}1A\u{202e}é…"),
            "a\\r\\n\\u{1b}[2Kb\\u{9b}1A\\u{202e}é…"
        );
        assert_eq!(escaped(r#"C:\a "b" 'c'"#), r#"C:\a "b" 'c'"#);
        assert_eq!(quote("a\"\u{1b}"), r#""a\"\u{1b}""#);
    }

    #[test]
    fn nothing_is_longer_than_a_line() {
        for text in ["x".repeat(100), "x".repeat(101), "\u{1b}".repeat(40), "é".repeat(1_000_000)]
        {
            for made in [shown(&text), quote(&text).trim_matches('"').to_owned()] {
                assert!(made.chars().count() <= MOST_SHOWN, "{made}");
                let whole = text.chars().count() <= MOST_SHOWN && !text.contains('\u{1b}');
                assert_eq!(made == text, whole);
                assert_eq!(made.ends_with('…'), !whole);
            }
        }
    }
}
