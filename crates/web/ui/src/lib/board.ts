/**
 * What every board is given, whoever draws it (SVG, canvas, 3D), and what it shows on its squares, as plain data.
 * Who draws decides nothing: where a click leads is in `picking.ts`, what is shown is here.
 */

import type { Arrow } from "./arrows";
import { owners } from "./look";
import { targets } from "./picking";
import type { Board, Look, Move, SideName } from "./types";

export interface BoardProps {
  board: Board;
  look: Look;
  /** What may be played from here; nothing for lookers-on. */
  moves?: Move[];
  /** Every empty square may be played on; `moves` does not list them. */
  free?: boolean;
  /** The squares of the last move. */
  last?: number[];
  /** Moves to point out. */
  arrows?: Arrow[];
  flipped?: boolean;
  /** The square of the king in check. */
  check?: number | null;
  /** Squares chosen so far. */
  path?: number[];
  onplay?: (move: Move) => void;
  onchoose?: (moves: Move[]) => void;
  /** Squares were touched that make no legal move. */
  onwrong?: (squares: number[]) => void;
}

/** What whoever draws a board is given besides. */
export interface DrawnProps extends BoardProps {
  /** A square was clicked, tapped or chosen by key. */
  ontouch: (square: number) => void;
}

/** What is shown of a square, from the bottom up. */
export type Highlight =
  /** Of the last move: the square, where pieces do not hide it, or a dot on the piece. */
  | "last"
  | "dot"
  | "check"
  | "chosen"
  /** Part of the line that won. */
  | "winning"
  /** A piece that may move, where not all may. */
  | "movable"
  /** Where the chosen piece may go, or a stone may be put; and where it takes. */
  | "target"
  | "take";

export interface Marked {
  square: number;
  kind: Highlight;
}

export interface Shown {
  board: Board;
  look: Look;
  moves: Move[];
  path: number[];
  last: number[];
  check: number | null;
}

/** Whether a move is a piece put on one square. */
export const places = (moves: Move[]): boolean => moves.some((move) => move.squares.length === 1);

/** The first squares of moves. */
export const startsOf = (moves: Move[]): Set<number> => new Set(moves.flatMap(({ squares }) => squares.slice(0, 1)));

/** Whose pieces the legal moves move; null where stones are put down. */
export function moverOf(board: Board, moves: Move[]): SideName | null {
  const owner = owners(board);
  for (const { squares } of moves) {
    const whose = squares[0] === undefined ? null : owner[squares[0]];
    if (whose) return whose;
  }
  return null;
}

/** The last move is a dot on the piece, else its squares are coloured. */
export const isDotted = (look: Look): boolean => look.pieces === "stones" || look.pieces === "discs";

/** All that is shown of squares. */
export function highlightsOf({ board, look, moves, path, last, check }: Shown): Marked[] {
  const owner = owners(board);
  const marked: Marked[] = last.map((square) => ({ square, kind: isDotted(look) ? "dot" : "last" }));
  if (check !== null) marked.push({ square: check, kind: "check" });
  marked.push(...path.map((square): Marked => ({ square, kind: "chosen" })));
  marked.push(...board.line.map((square): Marked => ({ square, kind: "winning" })));
  if (path.length > 0) {
    for (const square of targets(moves, path)) marked.push({ square, kind: owner[square] ? "take" : "target" });
    return marked;
  }
  const starts = startsOf(moves);
  const forced = !places(moves) && look.must_capture !== "";
  if (forced) for (const square of starts) marked.push({ square, kind: "movable" });
  else if (look.shows_moves && moverOf(board, moves) === null) {
    for (const square of starts) marked.push({ square, kind: "target" });
  }
  return marked;
}

/** Where things are within a drawing of a board whose squares are 100 wide. */
export interface Frame {
  width: number;
  height: number;
  /** Of the rim around the squares: all four sides are alike, and names stand on two of them. */
  rim: number;
  letter: number;
  across: number;
  down: number;
}

export const CELL = 100;

/** Names and margins are as large on a small board as on a large one. */
export function frameOf(board: Pick<Board, "rows" | "columns" | "numbers">): Frame {
  const span = Math.max(board.rows, board.columns) * CELL;
  const rim = board.numbers ? Math.max(10, span * 0.024) : span * 0.046;
  const [across, down] = [board.columns * CELL, board.rows * CELL];
  return { width: across + 2 * rim, height: down + 2 * rim, rim, letter: span * 0.026, across, down };
}

/** Whether a square is a dark one; on some boards only those are part of it. */
export function isDark(board: Board, square: number): boolean {
  if (board.glyphs.includes(" ")) return board.glyphs[square] !== " ";
  return (Math.floor(square / board.columns) + (square % board.columns)) % 2 === 0;
}
