//! Reading.

use super::text::{Kind, Text, Token, error, next_token, skip_rest, skip_to_game};
use super::{
    Board, MARKS, RESULT, Rules, SgfGame, TAGS, is_property, read_point, size_text, verdict,
};
use crate::record::source::{FileError, Source};
use crate::record::walk::Walk;
use crate::record::{Games, Line, Ply, Record, add_comment};
use game::Side;
use game::Square;
use game::TextError;

/// Trees inside trees beyond this are an attack, not analysis.
const DEEPEST: usize = 1000;
const DEEPEST_VARIATION: usize = 64;

/// Reads a file.
pub fn read<G: SgfGame>(game: &G, text: &str) -> Games {
    read_games(&|| Box::new(Walk::new(game, game.start())), text)
}

/// Makes a board for another game.
type MakeBoard<'g> = dyn Fn() -> Box<dyn Board + 'g> + 'g;

fn read_games(board: &MakeBoard<'_>, text: &str) -> Games {
    let mut source = Source::new(text);
    let games = std::iter::from_fn(|| {
        let begin = skip_to_game(&mut source)?;
        source.begin_game(begin);
        let read = Reader::read_game(board(), &mut source);
        if read.is_err() {
            skip_rest(&mut source, begin);
        }
        Some(read)
    });
    games.collect()
}

/// One game while it is being read.
struct Reader<'g> {
    board: Box<dyn Board + 'g>,
    rules: Rules,
    trees: Vec<Tree>,
    /// The main line, then the variations that are open, each inside the one before.
    lines: Vec<Line>,
    stones: Vec<(Square, Side)>,
    to_move: Option<Side>,
    /// Where the stones are given, for errors.
    set_up_at: Option<usize>,
    /// Nodes begun.
    nodes: usize,
    record: Record,
}

/// A bracket that is open.
struct Tree {
    at: usize,
    /// Moves on the board when it was opened.
    depth: usize,
    /// Whether its moves are a line of their own, and not the rest of the line around it.
    is_variation: bool,
    /// The ply that trees inside this one are alternatives to; known at the first.
    branch: Option<usize>,
}

const NEVER_CLOSED: &str = "this tree is never closed; ) closes it";

type Node<'t> = Vec<(usize, &'t str, Vec<Text>)>;

impl<'g> Reader<'g> {
    fn read_game(board: Box<dyn Board + 'g>, source: &mut Source<'_>) -> Result<Record, FileError> {
        let mut reader = Reader {
            rules: board.rules(),
            board,
            trees: Vec::new(),
            lines: vec![Line::default()],
            stones: Vec::new(),
            to_move: None,
            set_up_at: None,
            nodes: 0,
            record: Record::default(),
        };
        let mut node: Option<Node<'_>> = None;
        while let Some(Token { at, kind }) = next_token(source)? {
            match (kind, &mut node) {
                (Kind::Property(name, values), Some(node)) => {
                    node.push((at, name, values));
                    continue;
                }
                (Kind::Property(..), None) => {
                    return Err(error(source, at, "a property belongs to a node, after ;"));
                }
                (kind, _) => {
                    if let Some(node) = node.take() {
                        reader.node(source, node)?;
                    }
                    match kind {
                        Kind::Open => reader.open(source, at)?,
                        Kind::Close => {
                            reader.close(source, at)?;
                            if reader.trees.is_empty() {
                                return reader.finish(source);
                            }
                        }
                        _ => node = Some(reader.begin_node(source, at)?),
                    }
                }
            }
        }
        let at = reader.trees.last().map_or(source.at(), |tree| tree.at);
        Err(error(source, at, NEVER_CLOSED))
    }

    fn begin_node<'t>(&mut self, source: &Source<'_>, at: usize) -> Result<Node<'t>, FileError> {
        self.nodes += 1;
        match self.trees.last() {
            None => Err(error(source, at, "a game begins with (;")),
            Some(Tree { branch: Some(_), .. }) => {
                Err(error(source, at, "nodes come before the trees that branch off, not after"))
            }
            Some(_) => Ok(Vec::new()),
        }
    }

    fn open(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        let depth = self.board.depth();
        let plies = self.lines.last().map_or(0, |line| line.plies.len());
        let too_deep = self.trees.len() >= DEEPEST || self.lines.len() > DEEPEST_VARIATION;
        if too_deep {
            return Err(error(source, at, "trees inside trees go too deep here"));
        }
        let is_variation = match self.trees.last_mut() {
            None => false,
            // Without a move to be an alternative to, the tree is simply what follows.
            Some(tree) => *tree.branch.get_or_insert(plies) < plies,
        };
        if is_variation {
            self.lines.push(Line::default());
        }
        self.trees.push(Tree { at, depth, is_variation, branch: None });
        Ok(())
    }

    fn close(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        let Some(tree) = self.trees.pop() else {
            return Err(error(source, at, "no tree is open here that could be closed"));
        };
        self.board.back_to(tree.depth);
        if tree.is_variation
            && let Some(variation) = self.lines.pop()
            && let Some(branch) = self.trees.last().and_then(|parent| parent.branch)
            && let Some(line) = self.lines.last_mut()
            && variation != Line::default()
        {
            line.plies[branch].variations.push(variation);
        }
        Ok(())
    }

    fn node(&mut self, source: &Source<'_>, node: Node<'_>) -> Result<(), FileError> {
        if let [.., before, tree] = self.trees.as_slice()
            && source.is_first_of_line(tree.at)
            && node.iter().any(|(_, name, _)| matches!(*name, "FF" | "GM"))
        {
            return Err(error(source, before.at, NEVER_CLOSED));
        }
        for (at, name, values) in node {
            // Old files spell names out, with small letters to be left out.
            let name: String = name.chars().filter(char::is_ascii_uppercase).collect();
            let value = &values[0];
            match name.as_str() {
                "B" => self.play(source, value, Side::First)?,
                "W" => self.play(source, value, Side::Second)?,
                "C" => self.comment(&value.text),
                "AB" => self.place(source, at, &values, Some(Side::First))?,
                "AW" => self.place(source, at, &values, Some(Side::Second))?,
                "AE" => self.place(source, at, &values, None)?,
                "PL" => self.turn(source, at, value)?,
                _ if MARKS.iter().any(|(mark, ..)| *mark == name) => self.mark(&name, &value.text),
                _ if self.nodes == 1 => self.root(source, &name, value)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn root(&mut self, source: &Source<'_>, name: &str, value: &Text) -> Result<(), FileError> {
        let Rules { spec, number, points } = &self.rules;
        let wrong = match name {
            "GM" if value.text.trim() != number.to_string() => {
                Some(format!("{spec} is GM[{number}]"))
            }
            "SZ" if value.text.trim() != size_text(points.grid) => {
                Some(format!("the board of {spec} is SZ[{}]", size_text(points.grid)))
            }
            _ => self.board.contradicts(name, &value.text),
        };
        if let Some(why) = wrong {
            return Err(source.error(value.at, TextError::new(&value.text, why)));
        }
        let mut text = String::new();
        add_comment(&mut text, &value.text);
        let is_own = self.board.own_properties().contains(&(name, text.clone()));
        let tag = TAGS.iter().find(|(property, _)| *property == name).map_or(name, |(_, tag)| tag);
        if is_own || !is_property(name) || self.record.tag(tag).is_some() {
            return Ok(());
        }
        if name == RESULT {
            self.record.result = verdict(&text);
        }
        self.record.tags.push((tag.to_owned(), text));
        Ok(())
    }

    fn place(
        &mut self,
        source: &Source<'_>,
        at: usize,
        values: &[Text],
        side: Option<Side>,
    ) -> Result<(), FileError> {
        self.check_nothing_played(source, at)?;
        let points = self.rules.points;
        for value in values {
            let (from, to) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
            let corner = |text: &str| {
                let square = read_point(points, text).map_err(|e| source.error(value.at, e))?;
                let why = "a stone lies on a square, not on none";
                square.ok_or_else(|| source.error(value.at, TextError::new(&value.text, why)))
            };
            let (from, to) = (corner(from)?, corner(to)?);
            for row in from.row.min(to.row)..=from.row.max(to.row) {
                for column in from.column.min(to.column)..=from.column.max(to.column) {
                    let square = Square { row, column };
                    self.stones.retain(|(other, _)| *other != square);
                    self.stones.extend(side.map(|side| (square, side)));
                }
            }
        }
        Ok(())
    }

    /// Who moves first. After that it follows from the moves.
    fn turn(&mut self, source: &Source<'_>, at: usize, value: &Text) -> Result<(), FileError> {
        let side = match value.text.trim() {
            "B" | "b" | "black" | "1" => Side::First,
            "W" | "w" | "white" | "2" => Side::Second,
            _ => {
                let why = "the side to move is B or W";
                return Err(source.error(value.at, TextError::new(&value.text, why)));
            }
        };
        if self.board.depth() == 0 && self.trees.len() == 1 {
            self.to_move = Some(side);
            self.set_up_at = Some(at);
        }
        Ok(())
    }

    fn check_nothing_played(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        if self.board.depth() > 0 || self.trees.len() > 1 {
            return Err(error(source, at, "stones are set up before the first move, not later"));
        }
        self.set_up_at = Some(at);
        Ok(())
    }

    /// Puts the stones given on the board, before the first move.
    fn set_up(&mut self, source: &Source<'_>, next: Option<Side>) -> Result<(), FileError> {
        let Some(at) = self.set_up_at.take() else {
            return Ok(());
        };
        let start = self.board.set_up(&self.stones, self.to_move.or(next));
        self.record.start =
            start.map_err(|e| source.error(at, TextError::new(source.line_from(at), e.why())))?;
        Ok(())
    }

    fn play(&mut self, source: &Source<'_>, value: &Text, side: Side) -> Result<(), FileError> {
        self.set_up(source, Some(side))?;
        let refuse = |why: &str| source.error(value.at, TextError::new(&value.text, why));
        let square =
            read_point(self.rules.points, &value.text).map_err(|e| source.error(value.at, e))?;
        let text = self.board.move_text(square);
        if square.is_none() && self.board.is_over() {
            // Servers have both players pass once more when they agree on what is dead.
            return Ok(());
        }
        if self.board.to_move() != side && self.board.read_left_out(&text) {
            self.push(source, value)?;
        }
        if self.board.to_move() != side && !self.board.is_over() {
            let (turn, other) =
                if side == Side::First { ("White", "Black") } else { ("Black", "White") };
            return Err(refuse(&format!("it is {turn}'s turn here, not {other}'s")));
        }
        let lies = self.board.read_move(&text).map_err(|e| refuse(e.why()))?;
        if lies != square {
            return Err(refuse("the stone would not come to lie there"));
        }
        self.push(source, value)
    }

    /// Plays the move that was read last.
    fn push(&mut self, source: &Source<'_>, value: &Text) -> Result<(), FileError> {
        let played = self.board.play_aside(&value.text);
        let text = played.map_err(|e| source.error(value.at, e))?;
        if let Some(line) = self.lines.last_mut() {
            line.plies.push(Ply { text, ..Ply::default() });
        }
        Ok(())
    }

    fn comment(&mut self, words: &str) {
        if let Some(line) = self.lines.last_mut() {
            add_comment(line.plies.last_mut().map_or(&mut line.comment, |p| &mut p.comment), words);
        }
    }

    fn mark(&mut self, name: &str, value: &str) {
        let emphasis = if matches!(name, "IT" | "DO") { "" } else { value };
        let glyph = MARKS.iter().find(|(mark, double, _)| *mark == name && *double == emphasis);
        let ply = self.lines.last_mut().and_then(|line| line.plies.last_mut());
        if let (Some(ply), Some((_, _, glyph))) = (ply, glyph) {
            ply.glyphs.push(*glyph);
        }
    }

    fn finish(mut self, source: &Source<'_>) -> Result<Record, FileError> {
        self.set_up(source, None)?;
        self.record.line = self.lines.swap_remove(0);
        Ok(self.record)
    }
}
