//! A server is opened to others: its admin token is made, and shown this once.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serving::{AdminToken, make_admin_token};

use crate::args::{AdminFlags, Listening};
use crate::files;
use crate::output::Console;

/// The admin of a server.
#[derive(Debug)]
pub(crate) struct Opening {
    /// Where the hash of the token is kept, if there is a place for it.
    pub(crate) file: Option<PathBuf>,
    /// A token that was made just now.
    token: Option<AdminToken>,
}

impl Opening {
    /// Finds the token of a server, and makes one if there is none or another is wanted. A server that nobody wants
    /// to open needs none.
    pub(crate) fn of(
        flags: &AdminFlags,
        listening: Listening,
        is_open: bool,
        console: &Console,
    ) -> Result<Opening> {
        let file = match &flags.admin_file {
            Some(file) => Some(file.clone()),
            None => files::home().map(|home| home.join(files::ADMIN_FILE)),
        };
        let is_wanted = flags.new_admin_token || is_open || listening.listen.is_some();
        let token = match &file {
            _ if !is_wanted => None,
            None => {
                console.warn("there is no home to keep an admin token in; --admin-file says where");
                None
            }
            // Whatever a service says is written down, and a token is to be in no log.
            Some(file) if env::var_os("JOURNAL_STREAM").is_some() && !file.exists() => {
                let told = "there is no admin token yet, and a service makes none: start the same \
                            command once in a terminal";
                console.warn(told);
                None
            }
            Some(file) => {
                let made = make_admin_token(file, flags.new_admin_token);
                made.context("the admin has no token")?
            }
        };
        Ok(Opening { file, token })
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
