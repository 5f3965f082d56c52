// The crates that generated engines are built from, which need nothing but the standard library, and what they rest on. The
// build script reads this list, too.
pub(crate) const PARTS: [(&str, &[&str]); 8] = [
    ("game", &[]),
    ("evaluation", &["game"]),
    ("play", &["game"]),
    ("games", &["game", "evaluation", "play"]),
    ("search", &["game", "evaluation", "play"]),
    ("protocols", &["game", "play"]),
    ("players", &["game", "evaluation", "play", "games", "search"]),
    ("standalone", &["game", "evaluation", "play", "games", "search", "players", "protocols"]),
];
