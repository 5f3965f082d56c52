//! GGF, the Generic Game Format of the Generic Game Server (Buro), as Othello programs exchange games.
//!
//! `(;GM[Othello]PC[GGS/os]PB[one]PW[two]RE[+4.00]TI[15:00]TY[8]BO[8 ---…--- *]B[F5/1.20/3.4]W[D6];)`: who played, the first
//! position with the side to move, and each move with what its player thought it was worth and how long it took.

use std::fmt;

use game::{Expected, Side, TextError};
use play::record::{Line, Ply, Record};
use play::{Outcome, Session};

/// A game in this format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GgfGame {
    /// Everything but board and moves: `PB`, `RE`, …, in their order.
    pub tags: Vec<(String, String)>,
    /// How many rows and columns the board has.
    pub size: usize,
    /// The first position, row 1 first, of `X`, `O` and `-`, then a space and the side to move.
    pub start: String,
    /// What was played.
    pub moves: Vec<GgfMove>,
}

/// A move and what is told about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GgfMove {
    /// Whose it is.
    pub side: Option<Side>,
    /// A square, `F5`, or `PA` for a pass.
    pub text: String,
    /// What its player thought of it, in discs.
    pub value: Option<f64>,
    /// How many seconds it took.
    pub seconds: Option<f64>,
}

const GAME: &str = "GM";
const BOARD: &str = "BO";
const RESULT: &str = "RE";
const TYPE: &str = "TY";
const PASS: &str = "PA";
const LONGEST_SIDE: usize = 26;

/// Why a game cannot be written in this format; each with the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GgfError {
    /// Its board is not square.
    NotSquare(String),
    /// It is none that this format knows.
    OtherGame(String),
}

impl fmt::Display for GgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GgfError::NotSquare(spec) => write!(f, "GGF knows square boards only, not {spec}"),
            GgfError::OtherGame(spec) => write!(f, "GGF is for games like Othello, not {spec}"),
        }
    }
}

impl std::error::Error for GgfError {}

impl GgfGame {
    /// The game so far, as far as a session tells it.
    ///
    /// # Errors
    /// If the board is not square, or the game is none that this format knows.
    pub fn of(session: &dyn Session) -> Result<GgfGame, GgfError> {
        let grid = session.diagram().grid();
        if grid.rows != grid.columns {
            return Err(GgfError::NotSquare(session.spec()));
        }
        let first = session.first_position();
        // What follows the side to move, a pass before the start, is told by whose the first move is.
        let start: Vec<&str> = first.split_whitespace().take(2).collect();
        if start.first().is_none_or(|squares| squares.len() != grid.squares()) {
            return Err(GgfError::OtherGame(session.spec()));
        }
        let played = session.played();
        let side_of = |number: usize| match (played.len() - number).is_multiple_of(2) {
            true => session.to_move(),
            false => session.to_move().other(),
        };
        let moves = (0..played.len())
            .map(|number| GgfMove {
                side: Some(side_of(number)),
                text: write_square(&played[number]),
                ..GgfMove::default()
            })
            .collect();
        let result = session.outcome().and_then(Outcome::points);
        let result = result.map_or_else(|| "?".to_owned(), |p| format!("{:+.2}", p.as_f64()));
        let tags = [("GM", "Othello"), ("PC", "Zermelo"), (RESULT, &*result)];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Ok(GgfGame { tags, size: grid.rows, start: start.join(" "), moves })
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, as in `PB` for the name of who plays Black.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// For a session of the same board to replay.
    #[must_use]
    pub fn record(&self) -> Record {
        let ply = |m: &GgfMove| Ply { text: m.text.clone(), ..Ply::default() };
        let line = Line { plies: self.moves.iter().map(ply).collect(), ..Line::default() };
        let names = [("PB", "Black"), ("PW", "White"), ("DT", "Date"), ("PC", "Site")];
        let tags = names.iter().filter_map(|(tag, name)| {
            self.tag(tag).map(|value| ((*name).to_owned(), value.to_owned()))
        });
        Record { tags: tags.collect(), start: Some(self.start.clone()), line, result: None }
    }

    /// As it stands in a file, on one line.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = "(;".to_owned();
        let is_own = |name: &str| name == BOARD || name == TYPE;
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_own(name)) {
            text += &format!("{name}[{}]", clean(value));
        }
        let size = self.size;
        let kind = self.tag(TYPE).map_or_else(|| size.to_string(), clean);
        let board = self.start.replace('X', "*");
        text += &format!("{TYPE}[{kind}]{BOARD}[{size} {board}]");
        let mut side = if self.start.ends_with('O') { Side::Second } else { Side::First };
        for m in &self.moves {
            side = m.side.unwrap_or(side);
            text += if side == Side::First { "B[" } else { "W[" };
            text += &clean(&m.text);
            match (m.value, m.seconds) {
                (None, None) => {}
                (Some(value), None) => text += &format!("/{value:.2}"),
                (value, Some(seconds)) => {
                    let value = value.map_or_else(String::new, |value| format!("{value:.2}"));
                    text += &format!("/{value}/{seconds:.2}");
                }
            }
            text.push(']');
            side = side.other();
        }
        text + ";)"
    }
}

/// A square or pass as this format writes it.
#[must_use]
pub fn write_square(text: &str) -> String {
    if text.eq_ignore_ascii_case("pass") { PASS.to_owned() } else { text.to_uppercase() }
}

/// Nothing that would end the value of a tag.
fn clean(value: &str) -> String {
    value.chars().filter(|c| !matches!(c, '[' | ']') && !c.is_control()).collect()
}

/// Writes a game so far.
///
/// # Errors
/// If the board is not square, or the game is none that this format knows.
pub fn write(session: &dyn Session) -> Result<String, GgfError> {
    GgfGame::of(session).map(|game| game.write())
}

/// Reads the first game of a text; what stands before it is passed over, as are unknown tags.
///
/// # Errors
/// Says what is missing.
pub fn read(text: &str) -> Result<GgfGame, TextError> {
    next_game(text).map(|(game, _)| game).map_err(|wrong| wrong.of(text))
}

/// Reads all games of a text.
///
/// # Errors
/// Says what is wrong with the first game that is.
pub fn read_all(text: &str) -> Result<Vec<GgfGame>, TextError> {
    let (mut games, mut rest) = (Vec::new(), text);
    while rest.contains("(;") {
        let (game, after) = next_game(rest)
            .map_err(|why| TextError::new(text, format!("game {}: {why}", games.len() + 1)))?;
        games.push(game);
        rest = after;
    }
    Ok(games)
}

fn next_game(text: &str) -> Result<(GgfGame, &str), Expected> {
    let (_, mut rest) = text.split_once("(;").ok_or("a game begins with (;")?;
    let mut game = GgfGame::default();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(";)") {
            rest = after;
            break;
        }
        let (name, after) = rest.split_once('[').ok_or("a game ends with ;)")?;
        let (value, after) = after.split_once(']').ok_or("a value ends with ]")?;
        rest = after;
        let name = name.trim();
        match name {
            BOARD => (game.size, game.start) = read_board(value)?,
            "B" | "W" => {
                let side = if name == "B" { Side::First } else { Side::Second };
                game.moves.push(read_move(side, value)?);
            }
            _ => game.tags.push((name.to_owned(), value.trim().to_owned())),
        }
    }
    match game.tag(GAME) {
        Some(kind) if !kind.eq_ignore_ascii_case("othello") => {
            Err(format!("this is a game of {kind}, not of Othello").into())
        }
        _ if game.start.is_empty() => {
            Err(format!("{BOARD}, the first position, is missing").into())
        }
        _ => Ok((game, rest)),
    }
}

/// `8 --…-- *`: size, squares with or without space between them, and who moves.
fn read_board(value: &str) -> Result<(usize, String), Expected> {
    let value = value.trim();
    let (size, rest) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let size: usize = size
        .parse()
        .ok()
        .filter(|size| (1..=LONGEST_SIDE).contains(size))
        .ok_or("a board begins with its size")?;
    let mut glyphs = rest.chars().filter(|c| !c.is_whitespace()).map(|c| match c {
        '*' | 'X' | 'x' => Ok('X'),
        'O' | 'o' | '0' => Ok('O'),
        '-' | '.' => Ok('-'),
        _ => Err(format!("{c:?} cannot stand on a board; *, O or - can")),
    });
    let squares: String = glyphs.by_ref().take(size * size).collect::<Result<_, _>>()?;
    if squares.len() < size * size {
        return Err(
            format!("{} squares are given; there are {}", squares.len(), size * size).into()
        );
    }
    match (glyphs.next(), glyphs.next()) {
        (Some(Ok(side @ ('X' | 'O'))), None) => Ok((size, format!("{squares} {side}"))),
        _ => Err("after the squares comes * or O, the side to move".into()),
    }
}

/// `F5`, `F5/1.2`, `F5//3`, `F5/1.2/3`. A number that is none says nothing.
fn read_move(side: Side, value: &str) -> Result<GgfMove, Expected> {
    let mut parts = value.split('/').map(str::trim);
    let text = parts.next().unwrap_or_default();
    let is_move = (2..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    if !is_move {
        return Err("a move is a square, as in F5, or PA".into());
    }
    let mut number =
        || parts.next().and_then(|part| part.parse::<f64>().ok()).filter(|n| n.is_finite());
    let (value, seconds) = (number(), number());
    Ok(GgfMove { side: Some(side), text: text.to_owned(), value, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------O*------*O---------------------------";

    #[test]
    fn games_round_trip() {
        let text = format!(
            "(;GM[Othello]PC[NBoard]PB[one]PW[two]RE[?]TI[15:00]TY[8]BO[8 {START} *]\
             B[F5/1.20/3.40]W[D6//0.01]B[C3/-2.00]W[PA];)"
        );
        let game = read(&text).unwrap();
        assert_eq!(game.write(), text);
        assert_eq!(game.tag("PW"), Some("two"));
        assert_eq!(game.start, format!("{} X", START.replace('*', "X")));
        let moves: Vec<&str> = game.moves.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(moves, ["F5", "D6", "C3", "PA"]);
        assert_eq!((game.moves[0].value, game.moves[0].seconds), (Some(1.2), Some(3.4)));
        assert_eq!((game.moves[1].value, game.moves[1].seconds), (None, Some(0.01)));
    }

    #[test]
    fn unknown_tags_and_spaces_are_read_over() {
        let rows = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------";
        let text = format!("1 (; GM[Othello] KM[x]\nBO[8 {rows} *] ?[1]B[f5/x/]\n;) rest");
        let game = read(&text).unwrap();
        assert_eq!(game.tag("KM"), Some("x"));
        assert_eq!(game.start, format!("{} X", START.replace('*', "X")));
        assert_eq!(
            game.moves,
            [GgfMove { side: Some(Side::First), text: "f5".to_owned(), ..GgfMove::default() }]
        );
        assert_eq!(read_all(&(text.clone() + &text)).unwrap().len(), 2);
        assert_eq!(read_all("nothing").unwrap(), []);
    }

    #[test]
    fn wrong_text_gets_a_reason() {
        for (text, right) in [
            ("", "begins with"),
            ("(;GM[Othello]", "ends with ;)"),
            ("(;GM[Othello", "ends with ]"),
            ("(;GM[Amazons]BO[1 - *];)", "Amazons"),
            ("(;GM[Othello];)", "missing"),
            ("(;BO[x];)", "size"),
            ("(;BO[99 -];)", "size"),
            ("(;BO[2 ---];)", "3 squares"),
            ("(;BO[2 --?- *];)", "cannot stand"),
            ("(;BO[2 ----];)", "side to move"),
            ("(;BO[2 ---- -];)", "side to move"),
            ("(;BO[2 ---- * *];)", "side to move"),
            ("(;BO[2 ---- *]B[];)", "a move is"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.why().contains(right), "{text}: {error}");
        }
    }
}
