/**
 * Squares and where they lie. The board's own frame: x to the right and y away from whoever sits below, squares of side 1
 * about the origin; z points from the board towards the players. A rack stands upright in it and is seen along z.
 */

import { seenAt, squareAt } from "../lib/places";
import type { Board, Look } from "../lib/types";

type Size = Pick<Board, "rows" | "columns" | "row_one">;

export interface Spot {
  x: number;
  y: number;
}

/** The middle of a square. */
export function spotOf(board: Size, square: number): Spot {
  const { row, column } = seenAt(board, false, square);
  return { x: column - (board.columns - 1) / 2, y: (board.rows - 1) / 2 - row };
}

/** The square at a place, if the board goes so far. */
export const squareOn = (board: Size, { x, y }: Spot): number | null =>
  squareAt(board, false, Math.floor(board.rows / 2 - y), Math.floor(x + board.columns / 2));

/** What a board measures beyond its squares. */
export interface Ground {
  columns: number;
  rows: number;
  /** From the outermost squares to the edge. */
  rim: number;
  /** How thick it is. */
  thick: number;
  /** Whether it stands on its edge. */
  upright: boolean;
  /** How high the highest piece is. */
  tall: number;
}

export function groundOf(board: Pick<Board, "rows" | "columns" | "numbers">, look: Look): Ground {
  const { rows, columns } = board;
  const span = Math.max(rows, columns);
  const upright = look.board === "rack";
  const named = board.numbers === null;
  const rim = upright ? 0.3 : named ? 0.25 + span * 0.045 : 0.2 + span * 0.025;
  const thick = upright ? 0.5 : look.board === "points" ? 0.25 + span * 0.05 : 0.16 + span * 0.03;
  return { columns, rows, rim, thick, upright, tall: look.pieces === "chessmen" ? 1.2 : 0.25 };
}
