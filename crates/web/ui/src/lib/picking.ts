/** How clicks on squares become one of the legal moves. The rules are the server's: here are only lists of squares. */

import { squareName } from "./look";
import type { Board, Look, Move } from "./types";

export type Picked =
  | { kind: "none" }
  /** These squares are chosen so far. */
  | { kind: "path"; path: number[] }
  | { kind: "play"; move: Move }
  /** The same squares mean several moves: a promotion. */
  | { kind: "choose"; moves: Move[] };

/** The squares to ask about where a click led nowhere: a piece of one's own is meant alone, else where the chosen one shall go. */
export const asked = (path: number[], square: number, own: boolean): number[] => (own ? [square] : [...path, square]);

export const NONE: Picked = { kind: "none" };

/** Moves that begin with these squares. */
export const going = (moves: Move[], path: number[]): Move[] =>
  moves.filter((move) => path.every((square, i) => move.squares[i] === square));

/** Where a click would lead on. */
export function targets(moves: Move[], path: number[]): Set<number> {
  const found = new Set<number>();
  for (const move of going(moves, path)) {
    const next = move.squares[path.length];
    const last = move.squares.at(-1);
    if (next !== undefined) found.add(next);
    if (last !== undefined && path.length > 0) found.add(last);
  }
  return found;
}

/** What a click on a square means after others. */
export function pick(moves: Move[], path: number[], square: number): Picked {
  if (path.length > 0) {
    const on = going(moves, path).filter(
      (move) => move.squares[path.length] === square || move.squares.at(-1) === square,
    );
    if (on.length > 0) return decide(on, path, square);
    // The same piece again lets it go.
    if (path.length === 1 && path[0] === square) return NONE;
  }
  const begin = moves.filter((move) => move.squares[0] === square);
  if (begin.length === 0) return NONE;
  if (begin.every((move) => move.squares.length === 1)) return settle(begin);
  return { kind: "path", path: [square] };
}

function decide(on: Move[], path: number[], square: number): Picked {
  const ending = on.filter((move) => move.squares.at(-1) === square);
  const shape = (move: Move): string => move.squares.join();
  if (ending.length > 0 && ending.every((move) => shape(move) === shape(ending[0] ?? move))) {
    return settle(ending);
  }
  if (on.length === 1) return settle(on);
  const further = on.some((move) => move.squares[path.length] === square && move.squares.length > path.length + 1);
  return further ? { kind: "path", path: [...path, square] } : { kind: "choose", moves: on };
}

function settle(moves: Move[]): Picked {
  const only = moves[0];
  return moves.length === 1 && only ? { kind: "play", move: only } : { kind: "choose", moves };
}

/** The square that a click means: on an upright board one anywhere in a column drops a stone into it. */
export function aimedAt(look: Look, board: Board, moves: Move[], square: number): number {
  if (look.board !== "rack") return square;
  const column = square % board.columns;
  const move = moves.find((one) => (one.squares[0] ?? -1) % board.columns === column);
  return move?.squares[0] ?? square;
}

/** What a touch of a square comes to: squares chosen now, a move, moves to choose from, or squares that make none. */
export interface Touch {
  path: number[];
  play?: Move;
  choose?: Move[];
  wrong?: number[];
}

/** A board that may be touched; where it is free, every empty square may be played on. */
export interface Touchable {
  board: Board;
  look: Look;
  moves: Move[];
  free: boolean;
}

/** `own` tells whether a piece of whoever moves stands on the square. */
export function touched({ board, look, moves, free }: Touchable, path: number[], square: number, own: boolean): Touch {
  if (free) {
    const empty = board.glyphs[square] === ".";
    return empty
      ? { path: [], play: { text: squareName(board, square), squares: [square] } }
      : { path: [], wrong: [square] };
  }
  const picked = pick(moves, path, aimedAt(look, board, moves, square));
  switch (picked.kind) {
    case "path":
      return { path: picked.path };
    case "play":
      return { path: [], play: picked.move };
    case "choose":
      return { path: [], choose: picked.moves };
    case "none":
      // The same piece again lets it go.
      return path[0] === square ? { path: [] } : { path: [], wrong: asked(path, square, own) };
  }
}
