/** What a stage is told to show: plain data, the same that a flat board is told. */

import type { Arrow } from "../lib/arrows";
import type { Marked } from "../lib/board";
import type { Board, Look } from "../lib/types";

export interface Picture {
  board: Board;
  look: Look;
  /** Seen from the other side. */
  flipped: boolean;
  /** The squares of the last move, in order. */
  last: number[];
  marked: Marked[];
  arrows: Arrow[];
  /** Where the keyboard is. */
  cursor: number | null;
  /** Where a piece would be put. */
  ghost: number | null;
}
