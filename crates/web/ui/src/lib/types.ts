/** What the page and the server tell each other; `docs/web.md` describes it. Written by `crates/web/src/typescript.rs`. */

/**
 * A board. Squares are numbered row by row from row 1, column by column from the left.
 */
export type Board = { rows: number, columns: number, 
/**
 * Where row 1 is: `top` or `bottom`.
 */
row_one: "top" | "bottom", column_names: Array<string>, 
/**
 * Who sits at the lower edge: `first` or `second`; null where the board looks the same from both sides.
 */
below: SideName | null, 
/**
 * The numbers of squares, where squares have numbers.
 */
numbers: Array<number | null> | null, 
/**
 * What stands on each square, a letter each.
 */
glyphs: string, 
/**
 * Whose that is: `1`, `2` or `.`.
 */
owners: string, 
/**
 * Where the last move went.
 */
last: Array<number>, 
/**
 * The winning line.
 */
line: Array<number>, };

/**
 * What clocks show.
 */
export type ClockReading = { 
/**
 * How much time there is: `300`, `300+3` or `1/30`.
 */
control: string, 
/**
 * What the first and the second player have left, in milliseconds.
 */
left: [number, number], 
/**
 * Whose clock runs.
 */
running: SideName | null, };

/**
 * What pieces are called, or their colour.
 */
export type Colour = "light" | "dark" | "cross" | "nought" | "red" | "yellow";

/**
 * Moves that could follow after some of a game's.
 */
export type Continuation = { ply: number, moves: Array<string>, };

/**
 * How a game ended.
 */
export type Ending = { 
/**
 * `first`, `draw` or `second`.
 */
value: SideName | "draw", 
/**
 * The first player's, where the game has margins.
 */
margin: number | null, 
/**
 * `rules`, `claimed`, `resigned`, `agreed` or `time`.
 */
reason: Reason, 
/**
 * Which rule it was; null where players resigned or agreed.
 */
why: Why | null, };

/**
 * An engine that can be chosen: its name, and what it plays. What it is, is nobody's business.
 */
export type EngineEntry = { name: string, family: string, };

/**
 * Where it is known from.
 */
export type Evidence = "known" | "argument" | "search";

/**
 * What a table says of a position.
 */
export type Exact = { value: Worth, 
/**
 * Until the end, if both play their best.
 */
plies: number, 
/**
 * The legal moves, the best first.
 */
moves: Array<Judged>, };

export type Families = { families: Array<Family>, levels: [string, string, string, string, string], engines: Array<EngineEntry>, };

/**
 * A family and the games of it to choose from.
 */
export type Family = { games: Array<GameChoice>, 
/**
 * The word before the colon.
 */
name: string, 
/**
 * One line on what it is.
 */
summary: string, 
/**
 * Named sets of rules.
 */
variants: Array<Named>, 
/**
 * What else may stand after the colon.
 */
parameters: Array<Parameter>, 
/**
 * Shorter names for well-known games.
 */
presets: Array<Preset>, };

export type Founded = { id: string, tokens: Tokens, };

/**
 * A game by name, as the server reads it.
 */
export type GameChoice = { name: string, summary: string, 
/**
 * By how many Elo each level is stronger than the one below, from the second on, where that was measured.
 */
steps: [number | null, number | null, number | null, number | null], };

export type History = { 
/**
 * Whether all games of this server are listed, or those whose secrets were shown.
 */
everything: boolean, games: Array<Listed>, 
/**
 * How many there are on all pages.
 */
total: number, pages: number, };

/**
 * A move, and what the game is worth to whoever plays it; plies are counted from before the move.
 */
export type Judged = { value: Worth, plies: number, notation: string, text: string, 
/**
 * None for a pass.
 */
squares: Array<number>, 
/**
 * What the text says after the squares: the letter of a promotion.
 */
tail?: string, };

/**
 * What a short look found.
 */
export type Judgement = { 
/**
 * The game as the server names it.
 */
game: string, } & ({ "kind": "solved", value: SideName | "draw", by: Evidence, } | { "kind": "played", first: number, draws: number, second: number, 
/**
 * Whether it is known for certain that the second player cannot force a win.
 */
first_is_safe: boolean, });

/**
 * A word that an argument may be.
 */
export type Keyword = { 
/**
 * The word.
 */
name: string, 
/**
 * A few words on what it does; empty where the parameter's meaning says it.
 */
meaning: string, };

/**
 * What an argument may be; `type` says which.
 */
export type Kind = { "type": "size" } & Sizes | { "type": "number", 
/**
 * The lowest.
 */
low: number, 
/**
 * The highest.
 */
high: number, 
/**
 * 1, or 0.5 where halves count.
 */
step: number, } | { "type": "choice", 
/**
 * The words.
 */
words: Array<Keyword>, } | { "type": "switch" } | { "type": "flag" } | { "type": "squares" } | { "type": "text", 
/**
 * One that is right.
 */
example: string, };

/**
 * A line that a search thinks of.
 */
export type Line = { value: Worth, moves: Array<Spoken>, };

/**
 * A game in the list.
 */
export type Listed = { id: string, family: string, name: string, game: string, seats: [string, string], plies: number, 
/**
 * `first`, `draw` or `second`; null while it goes on.
 */
value: SideName | "draw" | null, margin: number | null, reason: Reason | null, 
/**
 * In seconds since 1970, as `changed`.
 */
created: number, changed: number, };

/**
 * A page of the list.
 */
export type ListedPage = { games: Array<Listed>, 
/**
 * How many there are on all pages.
 */
total: number, pages: number, };

/**
 * How a game's board is drawn: see [`Look`].
 */
export type Look = { board: "squares" | "chequered" | "felt" | "points" | "paper" | "rack", pieces: "lettered" | "stones" | "discs" | "marks" | "draughtsmen" | "chessmen", 
/**
 * The colours of the first and the second player's pieces.
 */
sides: [Colour, Colour], must_capture: string, turns_over: boolean, shows_moves: boolean, };

/**
 * Which game is to be judged.
 */
export type MadeUp = { game: string, };

/**
 * What the server says at a table.
 */
export type Message = { "type": "welcome", host: boolean, first: boolean, second: boolean, } | { "type": "state" } & TableState | { "type": "current", version: number, clock: ClockReading | null, paused: boolean, pace: number, trouble: string | null, opinions: Array<Seen>, review: Review | null, exact: Exact | null, } | { "type": "thinking" } & Thought | { "type": "people" } & Presence | { "type": "quiet" } | { "type": "refused", error: string, character: number | null, };

/**
 * A move and the squares it names, in the order a hand would touch them.
 */
export type Move = { text: string, 
/**
 * None for a pass.
 */
squares: Array<number>, 
/**
 * What the text says after the squares: the letter of a promotion.
 */
tail?: string, };

/**
 * A named set of rules.
 */
export type Named = { 
/**
 * The word.
 */
name: string, 
/**
 * One line on what it is.
 */
summary: string, };

/**
 * An offer as everybody sees it.
 */
export type Offer = { what: Wish, 
/**
 * Who made it.
 */
side: SideName, };

/**
 * What was thought of a position.
 */
export type Opinion = { value: Worth, depth: number | null, };

/**
 * An argument.
 */
export type Parameter = { 
/**
 * The key or flag; `size` for `rows x columns`.
 */
name: string, 
/**
 * What it may be, as data.
 */
kind: Kind, 
/**
 * What it may be, as people write it.
 */
values: string, 
/**
 * What it is if it is left out; null where it must be given.
 */
default: string | null, 
/**
 * One line on what it does.
 */
meaning: string, };

/**
 * A move that was played, with who played it.
 */
export type Ply = { side: SideName, notation: string, text: string, 
/**
 * None for a pass.
 */
squares: Array<number>, 
/**
 * What the text says after the squares: the letter of a promotion.
 */
tail?: string, };

/**
 * Who is at a table, as it is sent.
 */
export type Presence = { seats: [Sitting | null, Sitting | null], 
/**
 * How many look on.
 */
watching: number, 
/**
 * Those of them who have names, a few.
 */
names: Array<string>, };

/**
 * A shorter name for a game.
 */
export type Preset = { 
/**
 * The short name.
 */
name: string, 
/**
 * What it stands for.
 */
spec: string, 
/**
 * One line on what it is.
 */
summary: string, };

export type Preview = { game: string, name: string, family: string, colours: [string, string], look: Look, warning: string | null, extension: string, 
/**
 * Whether levels open by a book.
 */
book: boolean, 
/**
 * How many moves of the line have been played.
 */
ply: number, 
/**
 * As text; left out of the states of large boards, where it is as long as the board.
 */
position: string | null, board: Board, 
/**
 * `first` or `second`; null once the game is over.
 */
to_move: SideName | null, 
/**
 * The square of the king that is in check, if one is.
 */
check: number | null, moves: Array<Move>, 
/**
 * Whether the moves are to all empty squares of a large board, and not listed.
 */
free: boolean, outcome: Ending | null, claimable: boolean, 
/**
 * What the players may still agree on, as a question.
 */
to_agree: string | null, 
/**
 * What the table of this game says, if that is to be seen.
 */
exact: Exact | null, };

export type Progress = { done: number, of: number, };

/**
 * Who or what ended a game.
 */
export type Reason = "rules" | "claimed" | "resigned" | "agreed" | "time";

/**
 * As it is sent.
 */
export type Refusal = { error: string, character: number | null, };

/**
 * What somebody at a table says.
 */
export type Request = { "type": "hello", tokens: Array<string>, since: number | null, 
/**
 * What they want to be called.
 */
name: string | null, 
/**
 * A key of their own, to take the seat with whose token is shown.
 */
claim: string | null, } | { "type": "sync", version: number, } | { "type": "name", name: string, } | { "type": "play", move: string, 
/**
 * The version the move was meant for.
 */
version: number, } | { "type": "why_not", squares: Array<number>, version: number, } | { "type": "undo" } | { "type": "redo" } | { "type": "resign" } | { "type": "claim" } | { "type": "agree", text: string, } | { "type": "swap" } | { "type": "offer", what: Wish, } | { "type": "accept", what: Wish, } | { "type": "decline" } | { "type": "pause" } | { "type": "resume" } | { "type": "move_now" } | { "type": "pace", milliseconds: number, } | { "type": "hint", lines: number | null, } | { "type": "stop_hint" } | { "type": "exact", on: boolean, } | { "type": "review" } | { "type": "stop_review" };

/**
 * What was found.
 */
export type Review = { 
/**
 * The version of the game it is about.
 */
version: number, 
/**
 * What each position is worth, from the first on; none where the search did not say.
 */
values: Array<Opinion | null>, turns: Array<Turning>, };

/**
 * Which games to list.
 */
export type Searched = { family: string | null, finished: boolean | null, 
/**
 * For each word, what would do: the word itself, and what it means in the reader's language.
 */
words: Array<Array<string>>, page: number, 
/**
 * The games of whoever asks, with a secret of each.
 */
tokens: Array<[string, Array<string>]>, };

/**
 * What was thought of the position after so many moves.
 */
export type Seen = { ply: number, value: Worth, depth: number | null, };

/**
 * A side, as messages name it.
 */
export type SideName = "first" | "second";

/**
 * Whoever sits in a seat.
 */
export type Sitting = { name: string | null, here: boolean, 
/**
 * How many milliseconds ago they left; null for who is here, or has not been seen.
 */
left: number | null, };

/**
 * The boards that there are: sides from `low` to `high`, or each one of `sides`.
 */
export type Sizes = { 
/**
 * The shortest side.
 */
low: number, 
/**
 * The longest side.
 */
high: number, 
/**
 * All sides that there are, where some between are left out.
 */
sides: Array<number> | null, 
/**
 * Whether there are as many rows as columns.
 */
square: boolean, };

/**
 * A move, and how people write it where it is played.
 */
export type Spoken = { notation: string, text: string, 
/**
 * None for a pass.
 */
squares: Array<number>, 
/**
 * What the text says after the squares: the letter of a promotion.
 */
tail?: string, };

/**
 * A position along a line.
 */
export type Step = { board: Board, notation: string, text: string, 
/**
 * None for a pass.
 */
squares: Array<number>, 
/**
 * What the text says after the squares: the letter of a promotion.
 */
tail?: string, };

export type Steps = { steps: Array<Step>, };

/**
 * A table as somebody hears of it, with its clocks at that moment.
 */
export type TableState = { clock: ClockReading | null, id: string, version: number, game: string, 
/**
 * What it is called: a preset's name, if it is one; else as `game`.
 */
name: string, family: string, 
/**
 * What the two sides are called in this game's files.
 */
colours: [string, string], look: Look, seats: [string, string], 
/**
 * All moves, those that were taken back too.
 */
line: Array<Ply>, can_undo: boolean, can_redo: boolean, paused: boolean, pace: number, 
/**
 * How files of this game end.
 */
extension: string, warning: string | null, 
/**
 * What went wrong with the bot, if something did.
 */
trouble: string | null, 
/**
 * What one of two people has asked the other for.
 */
offer: Offer | null, 
/**
 * What was declined since something last happened.
 */
declined: Array<Offer>, 
/**
 * What the first and the second player could ask for.
 */
offers: [Array<Wish>, Array<Wish>], 
/**
 * The game that both went on to.
 */
next: string | null, 
/**
 * Whether somebody has taken the first and the second player's seat for good.
 */
taken: [boolean, boolean], 
/**
 * What bots and hints thought of positions, by ply.
 */
opinions: Array<Seen>, 
/**
 * What a look at the finished game found, if somebody asked for one.
 */
review: Review | null, 
/**
 * Whether there is a table of this game.
 */
tabled: boolean, 
/**
 * How many moves of the line have been played.
 */
ply: number, 
/**
 * As text; left out of the states of large boards, where it is as long as the board.
 */
position: string | null, board: Board, 
/**
 * `first` or `second`; null once the game is over.
 */
to_move: SideName | null, 
/**
 * The square of the king that is in check, if one is.
 */
check: number | null, moves: Array<Move>, 
/**
 * Whether the moves are to all empty squares of a large board, and not listed.
 */
free: boolean, outcome: Ending | null, claimable: boolean, 
/**
 * What the players may still agree on, as a question.
 */
to_agree: string | null, 
/**
 * What the table of this game says, if that is to be seen.
 */
exact: Exact | null, };

/**
 * How far a search has come. Values are the first player's.
 */
export type Thought = { 
/**
 * The version it is about.
 */
version: number, 
/**
 * How many moves had been played then.
 */
ply: number, 
/**
 * `move`, `hint` or `review`.
 */
purpose: "move" | "hint" | "review", 
/**
 * Whether it has ended.
 */
done: boolean, 
/**
 * `first` or `second`.
 */
side: SideName, depth: number | null, selective_depth: number, nodes: number, milliseconds: number, best: Move | null, lines: Array<Line>, 
/**
 * How many positions of a review are done.
 */
progress?: Progress, };

/**
 * The secrets of a table: whoever knows one may do what it stands for. They are told once and kept nowhere.
 */
export type Tokens = { 
/**
 * Whoever set up the table: may pause bots and ask for analysis.
 */
host: string, 
/**
 * The people, by side; none for a bot.
 */
first: string | null, second: string | null, };

/**
 * A move that gave something away.
 */
export type Turning = { 
/**
 * Which move, from 1.
 */
ply: number, 
/**
 * `?!`, `?` or `??`: an inaccuracy, a mistake, a blunder.
 */
mark: "?!" | "?" | "??", 
/**
 * How much of the mover's chance to win was lost, from 0 to 1.
 */
lost: number, better: Spoken, };

/**
 * A position as everybody sees it.
 */
export type View = { 
/**
 * How many moves of the line have been played.
 */
ply: number, 
/**
 * As text; left out of the states of large boards, where it is as long as the board.
 */
position: string | null, board: Board, 
/**
 * `first` or `second`; null once the game is over.
 */
to_move: SideName | null, 
/**
 * The square of the king that is in check, if one is.
 */
check: number | null, moves: Array<Move>, 
/**
 * Whether the moves are to all empty squares of a large board, and not listed.
 */
free: boolean, outcome: Ending | null, claimable: boolean, 
/**
 * What the players may still agree on, as a question.
 */
to_agree: string | null, 
/**
 * What the table of this game says, if that is to be seen.
 */
exact: Exact | null, };

/**
 * What to play.
 */
export type Wanted = { game: string, position: string | null, 
/**
 * A recorded game in the game's own format, to go on from its end.
 */
file: string | null, seats: [string, string] | null, 
/**
 * How much time each side has; by default as much as it likes.
 */
clock: string | null, };

/**
 * Why the rules ended a game.
 */
export type Why = { "kind": "checkmate" } | { "kind": "stalemate" } | { "kind": "insufficient_material" } | { "kind": "repetition", times: number, } | { "kind": "quiet", plies: number, without: Without, } | { "kind": "no_move" } | { "kind": "no_piece" } | { "kind": "neither_moves" } | { "kind": "two_passes" } | { "kind": "board_full" } | { "kind": "line", count: number, } | { "kind": "agreed" };

/**
 * What can be asked.
 */
export type Wish = "undo" | "draw" | "rematch";

/**
 * What did not happen for too long.
 */
export type Without = "capture_or_pawn" | "capture_or_man" | "capture" | "ending";

/**
 * Won in so many plies, won by a margin, or a score.
 */
export type Worth = { winner: SideName | null, plies: number | null, margin: number | null, score: number | null, 
/**
 * The score in pieces, where that is what it counts; else its chance says more.
 */
pieces: number | null, 
/**
 * Whether it is proved.
 */
exact: boolean, 
/**
 * From 0, the second player wins, to 1, the first does.
 */
chance: number, };
