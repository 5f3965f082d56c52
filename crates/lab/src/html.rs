//! [`Page`]: a report as one HTML file that needs nothing else.
//!
//! Everything that is given as text is escaped here, and nowhere else; only drawings, which are SVG
//! already, go in as they are.

use std::fmt::Write as _;

/// Text as it stands in HTML and XML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Where the numbers of a page begin, and where they end.
const DATA: [&str; 2] = ["<script type=\"application/json\" id=\"data\">", "</script>"];

/// A page that is being written.
#[derive(Clone, Debug)]
pub struct Page {
    text: String,
}

/// A part of a paragraph.
#[derive(Clone, Copy, Debug)]
pub enum Words<'t> {
    /// As it is.
    Plain(&'t str),
    /// In italics.
    Emphasised(&'t str),
}

impl Page {
    /// With its title as the first heading.
    #[must_use]
    pub fn new(title: &str) -> Page {
        let title = escape(title);
        Page { text: format!("{HEAD}<title>{title}</title>\n{STYLE}<h1>{title}</h1>\n") }
    }

    /// The heading of a part.
    pub fn part(&mut self, heading: &str) {
        let _ = writeln!(self.text, "<h2>{}</h2>", escape(heading));
    }

    /// The heading of a section within a part.
    pub fn section(&mut self, heading: &str) {
        let _ = writeln!(self.text, "<h3>{}</h3>", escape(heading));
    }

    /// Sentences.
    pub fn paragraph(&mut self, words: &[Words<'_>]) {
        let html = words.iter().map(|words| match words {
            Words::Plain(text) => escape(text),
            Words::Emphasised(text) => format!("<i>{}</i>", escape(text)),
        });
        let html: String = html.collect();
        let _ = writeln!(self.text, "<p>{html}</p>");
    }

    /// A table. The first cell of a row names it.
    pub fn table<S: AsRef<str>>(&mut self, head: &[S], rows: &[Vec<String>]) {
        let cell = |tag: &str, text: &str| format!("<{tag}>{}</{tag}>", escape(text));
        let head: String = head.iter().map(|text| cell("th", text.as_ref())).collect();
        let _ = writeln!(self.text, "<div><table><tr>{head}</tr>");
        for row in rows {
            let tags = ["th"].into_iter().chain(std::iter::repeat("td"));
            let cells: String = tags.zip(row).map(|(tag, text)| cell(tag, text)).collect();
            let _ = writeln!(self.text, "<tr>{cells}</tr>");
        }
        self.text += "</table></div>\n";
    }

    /// Drawings side by side, as SVG.
    pub fn drawings(&mut self, drawings: &[String]) {
        let _ = writeln!(self.text, "<div class=\"plots\">\n{}</div>", drawings.concat());
    }

    /// The page, with its numbers as JSON for programs to read.
    #[must_use]
    pub fn finish(self, json: &str) -> String {
        let [begin, end] = DATA;
        // The same text in JSON, and nothing that could end the script.
        let json = json.replace("</", "<\\/");
        format!("{}{begin}{json}{end}\n</html>\n", self.text)
    }
}

/// The numbers of a page; `None` if it has none.
#[must_use]
pub fn data_in(page: &str) -> Option<&str> {
    let [begin, end] = DATA;
    let (_, rest) = page.split_once(begin)?;
    rest.split_once(end).map(|(data, _)| data)
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
";

const STYLE: &str = "<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }
div { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #8884 }
th:first-child { text-align: left; font-weight: 500 }
.plots { display: flex; flex-wrap: wrap; gap: .5rem }
svg { border-radius: 4px }
</style>
";

#[cfg(test)]
mod tests {
    use super::*;

    /// No text, wherever it is given, becomes markup.
    #[test]
    fn text_is_never_markup() {
        let bad = "<b a=\"1\">&</script>";
        let mut page = Page::new(bad);
        page.part(bad);
        page.section(bad);
        page.paragraph(&[Words::Plain(bad), Words::Emphasised(bad)]);
        page.table(&[bad, bad], &[vec![bad.to_owned(), bad.to_owned()]]);
        let json = serde_json::to_string(bad).unwrap();
        let text = page.finish(&json);
        let (markup, _) = text.split_once(DATA[0]).unwrap();
        assert!(!markup.contains("<b"), "{markup}");
        assert_eq!(text.matches("</script>").count(), 1);
        assert_eq!(text.matches("&lt;b a=&quot;1&quot;&gt;&amp;&lt;/script&gt;").count(), 10);
        assert_eq!(serde_json::from_str::<String>(data_in(&text).unwrap()).unwrap(), bad);
        assert_eq!(data_in("<html></html>"), None);
    }

    #[test]
    fn what_is_opened_is_closed() {
        let mut page = Page::new("title");
        page.table(&["a", "b"], &[vec!["c".to_owned(), "d".to_owned()]]);
        page.drawings(&["<svg></svg>\n".to_owned()]);
        let text = page.finish("{}");
        assert!(text.contains("<tr><th>a</th><th>b</th></tr>\n<tr><th>c</th><td>d</td></tr>\n"));
        for tag in ["html", "title", "style", "h1", "div", "table", "tr", "th", "td", "svg"] {
            let begins = text.matches(&format!("<{tag}>")).count()
                + text.matches(&format!("<{tag} ")).count();
            assert_eq!(begins, text.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
