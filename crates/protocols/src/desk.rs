//! The loop of an engine: hears its front and its player at the same time, and answers while it thinks.
//!
//! One thread reads, one thinks, and one, the caller's, does everything else; so a [`Speaker`] is plain code without a lock.
//! Threads that read are not waited for: nobody can stop a thread that waits for a line.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use game::TextError;
use play::{Choice, Info, Player, Session, Stop, Task};

use crate::host::{Host, HostError};
use crate::lines::{LONGEST, next_line};

/// Between two reports of a search that has not finished another depth.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// One who speaks a protocol for a player.
pub trait Speaker {
    /// Hears a line of the front.
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow;

    /// Hears that the front has gone. A thought that ends by itself still gets its answer.
    fn hear_end(&mut self, desk: &mut Desk<'_>) {
        if !desk.ends_by_itself() {
            desk.stop();
        }
    }

    /// Hears how far the player has come.
    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>);

    /// Hears what the player has chosen.
    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow;
}

/// Whether the talk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    On,
    /// Somebody said goodbye.
    Leave,
}

/// What a [`Speaker`] works with: its mouth, and its player.
pub struct Desk<'o> {
    host: &'static dyn Host,
    output: &'o mut dyn Write,
    /// Whether the front no longer listens.
    deaf: bool,
    news: Sender<News>,
    /// Who thinks, unless it is thinking right now.
    player: Option<Seated>,
    thought: Option<Thought>,
    /// Numbers thoughts, so that news of one that was dropped is not taken for that of the next.
    thoughts: u64,
}

/// A player with a game of its own, which follows the front's.
struct Seated {
    /// The game and the description it was made for.
    made_for: String,
    player: Box<dyn Player>,
    session: Box<dyn Session>,
}

/// A player at work.
struct Thought {
    number: u64,
    stop: Stop,
    /// When it is told to stop, if that is known.
    deadline: Option<Instant>,
    /// Whether it stops by itself.
    ends: bool,
}

enum News {
    Line(String),
    /// The front has gone.
    End,
    Progress(u64, Info),
    /// What some work says.
    Told(u64, String),
    /// The thought of this number has ended.
    Done(u64),
    Chosen(u64, Option<Seated>, Result<Choice, HostError>),
}

/// Speaks until the front says goodbye or goes away. A front that goes away while a player thinks
/// still gets its answer; how long that takes is up to the speaker.
///
/// # Errors
/// If the front no longer listens.
pub fn serve(
    speaker: &mut dyn Speaker,
    host: &'static dyn Host,
    input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (news, heard) = channel();
    let mut desk = Desk {
        host,
        output,
        deaf: false,
        news: news.clone(),
        player: None,
        thought: None,
        thoughts: 0,
    };
    read_lines(input, news);
    desk.run(speaker, &heard);
    desk.stop();
    if desk.deaf { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

fn read_lines(mut input: Box<dyn BufRead + Send>, news: Sender<News>) {
    thread::spawn(move || {
        while let Ok(Some(line)) = next_line(&mut *input, LONGEST) {
            if news.send(News::Line(line.text)).is_err() {
                return;
            }
        }
        let _ = news.send(News::End);
    });
}

impl Desk<'_> {
    fn run(&mut self, speaker: &mut dyn Speaker, heard: &Receiver<News>) {
        let mut front_left = false;
        while !(self.deaf || front_left && self.thought.is_none()) {
            let Some(news) = self.wait(heard) else { continue };
            let flow = match news {
                News::Line(line) => speaker.hear(&line, self),
                News::End => {
                    front_left = true;
                    speaker.hear_end(self);
                    Flow::On
                }
                News::Progress(number, info) => {
                    if self.is_current(number) {
                        speaker.hear_progress(&info, self);
                    }
                    Flow::On
                }
                News::Told(number, text) => {
                    if self.is_current(number) {
                        self.say(&text);
                    }
                    Flow::On
                }
                News::Done(number) => {
                    if self.is_current(number) {
                        self.thought = None;
                    }
                    Flow::On
                }
                News::Chosen(number, player, choice) => {
                    self.player = player;
                    if !self.is_current(number) {
                        continue;
                    }
                    self.thought = None;
                    speaker.hear_choice(choice, self)
                }
            };
            if flow == Flow::Leave {
                break;
            }
        }
    }

    /// The next thing that happens; `None` if a deadline passed and the player was told so.
    fn wait(&mut self, heard: &Receiver<News>) -> Option<News> {
        let deadline = self.thought.as_ref().and_then(|thought| thought.deadline);
        let Some(deadline) = deadline else { return heard.recv().ok() };
        match heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                self.stop();
                None
            }
        }
    }

    fn is_current(&self, number: u64) -> bool {
        self.thought.as_ref().is_some_and(|thought| thought.number == number)
    }

    /// Says something, each line at once.
    pub fn say(&mut self, text: &str) {
        let said = writeln!(self.output, "{text}").and_then(|()| self.output.flush());
        self.deaf |= said.is_err();
    }

    /// Who lends games.
    #[must_use]
    pub fn host(&self) -> &'static dyn Host {
        self.host
    }

    /// Whether a player is thinking.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.thought.is_some()
    }

    /// Lets the described player think of what to do in this game; the speaker hears of it. A thought under way is dropped.
    ///
    /// # Errors
    /// If the game cannot be copied, which no game should do.
    pub fn think(&mut self, session: &dyn Session, bot: &str, task: Task) -> Result<(), TextError> {
        self.drop_thought();
        let spec = session.spec();
        let made_for = format!("{spec} {bot}");
        let (mut copy, player) = match self.player.take().filter(|last| last.made_for == made_for) {
            Some(Seated { player, session, .. }) => (session, Some(player)),
            None => (self.host.open(&spec)?, None),
        };
        copy.follow(session)?;
        let (number, stop) = self.begin_thought();
        let (host, news, bot) = (self.host, self.news.clone(), bot.to_owned());
        let asked = Instant::now();
        thread::spawn(move || {
            let player = player.map_or_else(|| host.player(&spec, &bot), Ok);
            let mut player = match player {
                Ok(player) => player,
                Err(why) => {
                    let _ = news.send(News::Chosen(number, None, Err(why)));
                    return;
                }
            };
            let mut reports = Reports { news: &news, number, last: Instant::now() };
            // A busy machine may take its time to start a thread, and a player to be made.
            let limits = task.limits.map(|limits| limits.after(asked.elapsed()));
            let task = Task { limits, ..task };
            let choice = player.choose(&*copy, &task, &stop, &mut |info| reports.pass_on(info));
            let seated = Seated { made_for, player, session: copy };
            let _ =
                news.send(News::Chosen(number, Some(seated), choice.map_err(HostError::Player)));
        });
        Ok(())
    }

    /// Does something else that takes its time, which [`stop`](Desk::stop) ends like a thought.
    /// What it tells is said at once.
    pub fn work(&mut self, work: impl FnOnce(&Stop, &mut dyn FnMut(String)) + Send + 'static) {
        self.drop_thought();
        let (number, stop) = self.begin_thought();
        let news = self.news.clone();
        thread::spawn(move || {
            work(&stop, &mut |text| {
                let _ = news.send(News::Told(number, text));
            });
            let _ = news.send(News::Done(number));
        });
    }

    fn begin_thought(&mut self) -> (u64, Stop) {
        self.thoughts += 1;
        let (number, stop) = (self.thoughts, Stop::new());
        self.thought = Some(Thought { number, stop: stop.clone(), deadline: None, ends: true });
        (number, stop)
    }

    /// Tells the player to stop; it still chooses.
    pub fn stop(&mut self) {
        if let Some(thought) = &mut self.thought {
            thought.stop.stop();
            thought.deadline = None;
        }
    }

    /// The thought under way goes on until somebody says stop.
    pub fn until_told(&mut self) {
        if let Some(thought) = &mut self.thought {
            thought.ends = false;
        }
    }

    /// Whether the thought under way, if there is one, goes on no longer than it was allowed to.
    fn ends_by_itself(&self) -> bool {
        self.thought.as_ref().is_none_or(|thought| thought.ends)
    }

    /// Tells the player to stop so much later.
    pub fn stop_in(&mut self, time: Duration) {
        if let Some(thought) = &mut self.thought {
            thought.deadline = Instant::now().checked_add(time);
            thought.ends = true;
        }
    }

    /// Tells the player to stop, and nobody what it chooses.
    pub fn drop_thought(&mut self) {
        self.stop();
        self.thought = None;
    }

    /// Forgets the player and all it remembers.
    pub fn forget_player(&mut self) {
        self.drop_thought();
        self.player = None;
    }
}

impl std::fmt::Debug for Desk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("thoughts", &self.thoughts).finish_non_exhaustive()
    }
}

/// Passes on what a search reports: every finished depth, and now and then that it is still there.
struct Reports<'n> {
    news: &'n Sender<News>,
    number: u64,
    last: Instant,
}

impl Reports<'_> {
    fn pass_on(&mut self, info: &Info) {
        if !info.lines.is_empty() || self.last.elapsed() >= REPORT_INTERVAL {
            self.last = Instant::now();
            let _ = self.news.send(News::Progress(self.number, info.clone()));
        }
    }
}
