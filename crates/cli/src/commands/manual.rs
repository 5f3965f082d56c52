//! `zermelo completions` and `zermelo man`, both from the definitions that parse the command line.

use std::io;

use anyhow::Result;
use clap::CommandFactory;
use clap_mangen::Man;
use serde::Serialize;

use crate::args::Arguments;
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Text {
    text: String,
}

/// The completions of a shell.
pub(crate) fn completions(shell: clap_complete::Shell, console: &Console) -> Result<Answer> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "zermelo", &mut text);
    write(text, console)
}

/// One man page of all commands.
pub(crate) fn man(console: &Console) -> Result<Answer> {
    write(man_page()?, console)
}

fn write(text: Vec<u8>, console: &Console) -> Result<Answer> {
    let text = Text { text: String::from_utf8(text)? };
    console.answer(&text, |out| out.write_all(text.text.as_bytes()))
}

fn man_page() -> io::Result<Vec<u8>> {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let own = command.get_subcommands().filter(|part| part.get_name() != "help");
    for part in own {
        let man = Man::new(part.clone());
        let mut sections = Vec::new();
        man.render_synopsis_section(&mut sections)?;
        man.render_description_section(&mut sections)?;
        man.render_options_section(&mut sections)?;
        let sections = String::from_utf8_lossy(&sections);
        page.extend(format!(".SH \"ZERMELO {}\"\n", part.get_name().to_uppercase()).bytes());
        page.extend(sections.replace(".SH ", ".SS ").bytes());
    }
    Ok(page)
}
