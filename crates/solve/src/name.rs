//! [`NodeName`]: what a node is called, in bytes.

use std::fmt;

/// The name of a node, the same on every machine. Where a position has a value of its own it is the
/// smallest packed image of it, by bytes; where rules look back it is the moves that led there from
/// the root. Only the rules can read one ([`SolverRules`](crate::SolverRules)).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeName(Box<[u8]>);

/// No message holds a longer one: a board of 250x250 fits, and thousands of plies.
pub(crate) const LONGEST_NAME: usize = 16 << 10;

impl NodeName {
    /// From bytes that rules wrote.
    #[must_use]
    pub fn new(bytes: impl Into<Box<[u8]>>) -> NodeName {
        NodeName(bytes.into())
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// In hexadecimal digits, as logs and errors show it.
impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// More than this nobody reads.
        const SHOWN: usize = 24;
        for byte in self.0.iter().take(SHOWN) {
            write!(f, "{byte:02x}")?;
        }
        if self.0.len() > SHOWN { f.write_str("…") } else { Ok(()) }
    }
}

impl fmt::Debug for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
