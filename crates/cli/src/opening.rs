//! A server is opened to others: its admin token is made, and shown this once.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use serving::{AdminToken, make_admin_token};

use crate::args::{AdminFlags, Listening};
use crate::files;
use crate::output::Console;

/// The admin token of a server, if it was made just now.
#[derive(Debug, Default)]
pub(crate) struct Opening {
    token: Option<AdminToken>,
}

/// Where the hash of the token is kept, if there is a place for it.
pub(crate) fn admin_file(flags: &AdminFlags) -> Option<PathBuf> {
    let usual = || files::home().map(|home| home.join(files::ADMIN_FILE));
    flags.admin_file.clone().or_else(usual)
}

impl Opening {
    /// Makes the token of a server that listens by now, if there is none or another is wanted. One that nobody wants to
    /// open needs none.
    pub(crate) fn of(
        flags: &AdminFlags,
        listening: Listening,
        is_open: bool,
        console: &Console,
    ) -> Result<Opening> {
        let is_wanted = flags.new_admin_token || is_open || listening.listen.is_some();
        let token = match admin_file(flags) {
            _ if !is_wanted => None,
            None => {
                console.warn("there is no home to keep an admin token in; --admin-file says where");
                None
            }
            // Whatever a service says is written down, and a token is to be in no log.
            Some(file) if env::var_os("JOURNAL_STREAM").is_some() => {
                if !file.exists() || flags.new_admin_token {
                    console.warn(
                        "a service makes no admin token, since it would be shown in the journal: \
                         start the same command once in a terminal",
                    );
                }
                None
            }
            Some(file) => make_admin_token(&file, flags.new_admin_token)?,
        };
        Ok(Opening { token })
    }

    /// For `--json`.
    pub(crate) fn revealed(&self) -> Option<&str> {
        self.token.as_ref().map(AdminToken::reveal)
    }

    /// For people: the token on a line of its own.
    pub(crate) fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.revealed() {
            Some(token) => {
                writeln!(out, "the admin token, which is shown this once:\n{token}")
            }
            None => Ok(()),
        }
    }
}
