/** What each style of board is given to draw what pieces stand on. */

import type { Frame } from "../lib/board";
import type { Board } from "../lib/types";

export interface Ground {
  board: Board;
  squares: number[];
  frame: Frame;
  /** The middle of a square. */
  at: (square: number) => { x: number; y: number };
}
