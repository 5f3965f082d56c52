//! `zermelo engines`: names for engines, for the command line and the web table.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use arena::{Registered, Registry};
use protocols::Protocol;
use serde::Serialize;

use super::check::{GREETING, foreign, with_protocol};
use crate::args::{self, EnginesCommand};
use crate::files;
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Listed<'r> {
    engines: Vec<Entry<'r>>,
}

#[derive(Serialize)]
struct Entry<'r> {
    name: &'r str,
    family: &'r str,
    command: &'r str,
}

impl<'r> Entry<'r> {
    fn of(engine: &'r Registered) -> Entry<'r> {
        Entry { name: &engine.name, family: &engine.family, command: &engine.command }
    }
}

/// Adds, lists or removes.
pub(crate) fn run(arguments: &args::Engines, console: &Console) -> Result<Answer> {
    let file =
        files::engines().context("there is no home to keep engines in; ZERMELO_HOME names one")?;
    if !matches!(arguments.command, EnginesCommand::List) {
        files::private_home()?;
    }
    let mut registry = Registry::load(&file)?;
    match &arguments.command {
        EnginesCommand::List => list(&registry, console),
        EnginesCommand::Remove { name } => {
            let engine = registry.find(name)?.clone();
            registry.remove(name).and_then(|()| registry.save(&file))?;
            console.answer(&Entry::of(&engine), |out| writeln!(out, "{name} is forgotten"))
        }
        EnginesCommand::Add { name, command, game } => {
            let engine = tried(name, command, game.as_deref())?;
            registry.add(engine.clone())?;
            registry.save(&file)?;
            let family = &engine.family;
            console.answer(&Entry::of(&engine), |out| writeln!(out, "{name} plays {family}"))
        }
    }
}

fn list(registry: &Registry, console: &Console) -> Result<Answer> {
    let listed = Listed { engines: registry.engines().iter().map(Entry::of).collect() };
    console.answer(&listed, |out| {
        if listed.engines.is_empty() {
            writeln!(
                out,
                "No engine has a name yet; `zermelo engines add NAME COMMAND` gives one."
            )?;
        }
        let width = listed.engines.iter().map(|engine| engine.name.len()).max().unwrap_or(0);
        for Entry { name, family, command } in &listed.engines {
            writeln!(out, "{name:width$}  {family:8}  {command}")?;
        }
        Ok(())
    })
}

/// The same command with the whole path of its program: a name outlives the folder that it was
/// given in.
fn findable_from_anywhere(command: &str) -> Result<String> {
    let program = foreign(command)?.program;
    let relative = program.program.contains('/') && program.folder.is_none();
    let whole =
        std::path::absolute(&program.program).ok().filter(|path| relative && path.is_file());
    Ok(match whole.as_deref().and_then(Path::to_str) {
        Some(whole) => command.replacen(&program.program, whole, 1),
        None => command.to_owned(),
    })
}

/// The game that an engine says it plays, if its protocol has words for that.
fn own_game(command: &str) -> Result<Option<String>> {
    let setup = foreign(command)?;
    let asks = setup.protocol == Protocol::Text;
    Ok(asks.then(|| forge::game_of(&setup.program, None, GREETING).ok()).flatten())
}

/// An engine that has been seen to start and take up a game.
fn tried(name: &str, command: &str, game: Option<&str>) -> Result<Registered> {
    // A bad name is told before anything is started.
    Registered::new(name, "uci:any", game)?;
    // A family is no game yet.
    let told = game.filter(|&game| catalog::families().all(|family| family.name != game));
    let command = findable_from_anywhere(&with_protocol(command, told)?)?;
    let engine = Registered::new(name, &command, game)?;
    let usual = engine.usual_game()?;
    let own = match told {
        Some(told) => Some(told.to_owned()),
        None => own_game(&command)?,
    };
    let game = catalog::open(own.as_deref().unwrap_or(usual)).map_err(|e| anyhow!("game {e}"))?;
    let contestant = engine.contestant()?;
    contestant.try_out(&*game, &*game.session())?;
    Ok(engine)
}
