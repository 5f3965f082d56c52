//! Just enough of Rust's lexical grammar to leave out what is not code.

/// The code with comments, strings and characters turned into spaces; lines stay where they are.
pub(super) fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let length = skipped_length(rest, code.chars().next_back());
        let (piece, after) = rest.split_at(length.unwrap_or(c.len_utf8()));
        if length.is_some() {
            code.extend(piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            code.push(c);
        }
        rest = after;
    }
    code
}

/// The plain strings of the code, as they are written, each with its line.
pub(super) fn strings(source: &str) -> Vec<(usize, String)> {
    let (mut strings, mut line) = (Vec::new(), 1);
    let (mut rest, mut before) = (source, None);
    while let Some(c) = rest.chars().next() {
        let length = skipped_length(rest, before);
        let (piece, after) = rest.split_at(length.unwrap_or(c.len_utf8()));
        if length.is_some() && piece.len() > 1 && piece.starts_with('"') {
            strings.push((line, piece.trim_matches('"').to_owned()));
        }
        line += piece.matches('\n').count();
        before = if length.is_some() { Some(' ') } else { Some(c) };
        rest = after;
    }
    strings
}

/// How long the comment, string or character is that begins here, if one does.
fn skipped_length(rest: &str, before: Option<char>) -> Option<usize> {
    let in_word = before.is_some_and(is_word);
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest));
    }
    if rest.starts_with('"') {
        return Some(quoted(rest, '"'));
    }
    if !in_word && (rest.starts_with('r') || rest.starts_with("br")) {
        return raw_string(rest);
    }
    if rest.starts_with('\'') && is_character(rest) {
        return Some(quoted(rest, '\''));
    }
    None
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        let tail = &rest[at..];
        let Some(c) = tail.chars().next() else {
            return rest.len();
        };
        if tail.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if tail.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
        } else {
            at += c.len_utf8();
        }
        if depth == 0 {
            return at;
        }
    }
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let start = rest.find('r')? + 1;
    let hashes = rest[start..].bytes().take_while(|&b| b == b'#').count();
    let inside = rest[start + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(start + hashes + 1 + length)
}

/// `'a'` and `'\n'` are characters, `'a` is a lifetime.
fn is_character(rest: &str) -> bool {
    let mut after = rest.chars().skip(1);
    match after.next() {
        Some('\\') => true,
        Some(_) => after.next() == Some('\''),
        None => false,
    }
}

/// Whether a character can belong to an identifier.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_code_disappears() {
        for (source, words) in [
            ("a // b\nc", "a c"),
            ("a /* b /* c */ d */ e", "a e"),
            (r#"f("x\"y") z"#, "f( ) z"),
            ("r\"\\\" x", "x"),
            ("r#\"a\"b\"# c", "c"),
            ("br\"a\" c", "c"),
            ("'x' y", "y"),
            (r"'\'' y", "y"),
            ("'\"' y", "y"),
            ("&'a str 'b'", "&'a str"),
            ("var\"s\"", "var"),
            ("\"open", ""),
            ("/* open", ""),
        ] {
            let code = code_only(source);
            let found: Vec<&str> = code.split_whitespace().collect();
            assert_eq!(found.join(" "), words, "{source}");
            assert_eq!(code.len(), source.len(), "{source}");
        }
        assert_eq!(code_only("/* a\nb */ c"), "    \n     c");
    }
}
