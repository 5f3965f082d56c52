// The crates that generated engines are built from, which need nothing but the standard library, and what they rest on. The
// build script reads this list, too.
pub(crate) const PARTS: [(&str, &[&str]); 6] = [
    ("game", &[]),
    ("games", &["game"]),
    ("search", &["game"]),
    ("protocols", &["game"]),
    ("players", &["game", "games", "search"]),
    ("standalone", &["game", "games", "search", "players", "protocols"]),
];
