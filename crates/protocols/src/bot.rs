//! What the description of a bot says, as far as a protocol has to know.

/// A description that is never empty.
pub(crate) fn described(bot: &str) -> String {
    // Every player has threads; nothing else is said by that.
    if bot.is_empty() { "threads=1".to_owned() } else { bot.to_owned() }
}

/// Whether a bot says itself how long it thinks.
pub(crate) fn has_limits(bot: &str) -> bool {
    bot.split(',').filter(|part| !part.is_empty()).any(|part| match part.split_once('=') {
        None => true,
        Some((key, _)) => ["depth", "nodes", "time", "clock"].contains(&key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_limits_are_told_from_the_rest() {
        for bot in ["hard", "depth=3", "threads=2,time=1", "easy,hash=1"] {
            assert!(has_limits(bot), "{bot}");
        }
        for bot in ["", "threads=1", "hash=64,noise=3", "algorithm=negascout"] {
            assert!(!has_limits(bot), "{bot}");
        }
    }
}
