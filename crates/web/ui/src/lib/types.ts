/** What the server says; `docs/web.md` describes it. */

export type SideName = "first" | "second";

export interface Named {
  name: string;
  summary: string;
}

/** A word that a parameter may be; its meaning may be empty. */
export interface Keyword {
  name: string;
  meaning: string;
}

/** What a parameter may be. */
export type Kind =
  /** Sides from low to high, or each one of `sides`. */
  | { type: "size"; low: number; high: number; sides: number[] | null; square: boolean }
  | { type: "number"; low: number; high: number; step: number }
  | { type: "choice"; words: Keyword[] }
  | { type: "switch" }
  | { type: "flag" }
  | { type: "squares" }
  | { type: "text"; example: string };

export interface Parameter {
  name: string;
  kind: Kind;
  values: string;
  default: string | null;
  meaning: string;
}

export interface Family extends Named {
  variants: Named[];
  parameters: Parameter[];
  presets: Named[];
  /** To choose from, the best known first; each name is a game as the server reads it. */
  games: Named[];
}

export type Colour = "light" | "dark" | "cross" | "nought" | "red" | "yellow";

/** How a game is drawn and touched. */
export interface Look {
  board: "squares" | "chequered" | "felt" | "points" | "paper" | "rack";
  pieces: "lettered" | "stones" | "discs" | "marks" | "draughtsmen" | "chessmen";
  /** Of the first and the second player. */
  sides: [Colour, Colour];
  /** Letters that tell a capture in the text of a move, where who can capture must; else empty. */
  must_capture: string;
  /** Pieces turn over where they stand. */
  turns_over: boolean;
  /** Where a piece may be put is worth showing. */
  shows_moves: boolean;
}

export interface Families {
  families: Family[];
  levels: string[];
  engines: { name: string; family: string }[];
}

export interface Board {
  rows: number;
  columns: number;
  row_one: "top" | "bottom";
  column_names: string[];
  /** Who sits at the lower edge; null where the board looks the same from both sides. */
  below: SideName | null;
  numbers: (number | null)[] | null;
  glyphs: string;
  owners: string;
  last: number[];
  line: number[];
}

export interface Move {
  text: string;
  squares: number[];
  tail?: string;
}

/** A move as people write it where it is played. */
export interface Spoken extends Move {
  notation: string;
}

export interface Ply extends Spoken {
  side: SideName;
}

/** A position along a line, with the move that led to it. */
export interface Step extends Spoken {
  board: Board;
}

export interface Ending {
  value: SideName | "draw";
  margin: number | null;
  reason: "rules" | "claimed" | "resigned" | "agreed";
  /** Which rule it was; null where players resigned or agreed. */
  why: Why | null;
}

/** Why the rules ended a game. */
export type Why =
  | { kind: "repetition"; times: number }
  | { kind: "quiet"; plies: number; without: "capture_or_pawn" | "capture_or_man" | "capture" | "ending" }
  | { kind: "line"; count: number }
  | {
      kind:
        | "checkmate"
        | "stalemate"
        | "insufficient_material"
        | "no_move"
        | "no_piece"
        | "neither_moves"
        | "two_passes"
        | "board_full"
        | "agreed";
    };

export interface View {
  ply: number;
  /** Null in the states of large boards. */
  position: string | null;
  board: Board;
  to_move: SideName | null;
  /** The square of the king that is in check, if one is. */
  check: number | null;
  moves: Move[];
  /** Every empty square of a large board may be played on; `moves` does not list them. */
  free: boolean;
  outcome: Ending | null;
  claimable: boolean;
  to_agree: string | null;
  /** What the table of a solved game says, if that is to be seen. */
  exact: Exact | null;
}

/** What a table says of a position, and of its moves, the best first. */
export interface Exact {
  value: Worth;
  plies: number;
  moves: Judged[];
}

/** A move with what it is worth to play it; plies are counted from before the move. */
export interface Judged extends Spoken {
  value: Worth;
  plies: number;
}

export interface Preview extends View {
  game: string;
  /** A preset's name if that is what it is, else as `game`. */
  name: string;
  family: string;
  colours: [string, string];
  look: Look;
  warning: string | null;
  extension: string;
}

export interface TableState extends Preview {
  id: string;
  version: number;
  seats: [string, string];
  line: Ply[];
  can_undo: boolean;
  can_redo: boolean;
  paused: boolean;
  pace: number;
  trouble: string | null;
  offer: Offer | null;
  declined: Offer[];
  /** What the first and the second player could ask for. */
  offers: [Wish[], Wish[]];
  /** The game that both went on to. */
  next: string | null;
  /** What bots and hints thought of positions. */
  opinions: (Opinion & { ply: number })[];
  review: Review | null;
  /** Whether there is a table of this game. */
  tabled: boolean;
}

export interface Opinion {
  value: Worth;
  depth: number | null;
}

/** What a look at every position of a finished game found. */
export interface Review {
  values: (Opinion | null)[];
  turns: Turning[];
}

/** A move that gave much away. */
export interface Turning {
  ply: number;
  /** Inaccuracy, mistake, blunder. */
  mark: "?!" | "?" | "??";
  lost: number;
  better: Spoken;
}

export type Wish = "undo" | "draw" | "rematch";

export interface Offer {
  what: Wish;
  side: SideName;
}

/** A game in the list of games. */
export interface Listed {
  id: string;
  family: string;
  name: string;
  game: string;
  seats: [string, string];
  plies: number;
  value: SideName | "draw" | null;
  margin: number | null;
  reason: Ending["reason"] | null;
  created: number;
  changed: number;
}

export interface History {
  everything: boolean;
  games: Listed[];
  total: number;
  pages: number;
}

export interface Worth {
  winner: SideName | null;
  plies: number | null;
  margin: number | null;
  score: number | null;
  /** The score in pawns or men, where that is what it counts. */
  pieces?: number | null;
  exact: boolean;
  /** From 0, the second player wins, to 1, the first does. */
  chance: number;
}

export interface Progress {
  done: number;
  of: number;
}

export interface Thought {
  version: number;
  ply: number;
  purpose: "move" | "hint" | "review";
  done: boolean;
  side: SideName;
  depth: number | null;
  selective_depth: number;
  nodes: number;
  milliseconds: number;
  best: Move | null;
  lines: Line[];
  progress?: Progress;
}

export interface Line {
  value: Worth;
  moves: Spoken[];
}

export interface Tokens {
  host: string;
  first: string | null;
  second: string | null;
}

export type Message =
  | { type: "welcome"; host: boolean; first: boolean; second: boolean }
  | ({ type: "state" } & TableState)
  | ({ type: "current" } & Pick<TableState, "version" | "paused" | "pace" | "trouble" | "opinions" | "review" | "exact">)
  | ({ type: "thinking" } & Thought)
  | { type: "quiet" }
  | { type: "refused"; error: string; character: number | null };
