/** Squares and where they are seen: rows from the top, columns from the left, as the board is turned. */

import { t, words } from "./i18n.svelte";
import { colourOf, squareName } from "./look";
import type { Board, Look, SideName } from "./types";

/** Boards with more rows or columns are drawn on a canvas. */
export const LARGEST_DRAWN = 19;

export const isBig = (board: Board): boolean => Math.max(board.rows, board.columns) > LARGEST_DRAWN;

type Turned = Pick<Board, "rows" | "columns" | "row_one">;

/** Where a square is seen. */
export function seenAt(board: Turned, flipped: boolean, square: number): { row: number; column: number } {
  const row = Math.floor(square / board.columns);
  const column = square % board.columns;
  const down = (board.row_one === "bottom") !== flipped;
  return { row: down ? board.rows - 1 - row : row, column: flipped ? board.columns - 1 - column : column };
}

/** The square that is seen there, if the board goes so far. */
export function squareAt(board: Turned, flipped: boolean, row: number, column: number): number | null {
  if (row < 0 || row >= board.rows || column < 0 || column >= board.columns) return null;
  const down = (board.row_one === "bottom") !== flipped;
  return (down ? board.rows - 1 - row : row) * board.columns + (flipped ? board.columns - 1 - column : column);
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where an arrow key leads, so many squares far but not over the edge; null for other keys. */
export function stepped(board: Turned, flipped: boolean, from: number, key: string, far = 1): number | null {
  const by = ARROWS[key];
  if (!by) return null;
  const { row, column } = seenAt(board, flipped, from);
  const within = (value: number, count: number): number => Math.min(Math.max(value, 0), count - 1);
  return squareAt(board, flipped, within(row + by[0] * far, board.rows), within(column + by[1] * far, board.columns));
}

export const ownerOf = (board: Board, square: number): SideName | null => {
  const letter = board.owners[square];
  return letter === "1" ? "first" : letter === "2" ? "second" : null;
};

/** Games with several kinds of pieces name them. */
function pieceName({ pieces }: Look, glyph: string): string | null {
  if (pieces === "draughtsmen") return t(glyph === glyph.toUpperCase() ? "piece.crowned" : "piece.man");
  if (pieces === "lettered") return glyph;
  const key = `piece.${glyph.toLowerCase()}`;
  return pieces === "chessmen" && words.has(key) ? t(key) : null;
}

/** Who sits below and whether the board is turned: one's own side is below; both sides, or none, as the game has it. */
export function seating(board: Board, own: SideName | null, turned: boolean): { below: SideName; flipped: boolean } {
  const usual = own ?? board.below ?? "first";
  const below = turned ? other(usual) : usual;
  return { below, flipped: board.below ? below !== board.below : turned };
}

export const other = (side: SideName): SideName => (side === "first" ? "second" : "first");

/** A square and what is on it, in words. */
export function spokenOf(board: Board, look: Look, square: number): string {
  const whose = ownerOf(board, square);
  const what = whose ? t(`colour.${colourOf(look, whose)}`) : t("board.empty");
  const piece = whose ? pieceName(look, board.glyphs[square] ?? "") : null;
  const told = piece ? t("board.piece", { colour: what, piece: piece.toLocaleLowerCase(words.language) }) : what;
  return `${squareName(board, square)}: ${told}`;
}

/** The points that Go boards mark. */
export function starsOf(board: Turned): number[] {
  const n = board.rows;
  if (n !== board.columns || n < 7 || n % 2 === 0) return [];
  const near = n < 13 ? 2 : 3;
  const middle = (n - 1) / 2;
  const lines = n < 9 ? [near, n - 1 - near] : [near, middle, n - 1 - near];
  return lines.flatMap((row) =>
    lines.filter((column) => n > 15 || (row === middle) === (column === middle)).map((column) => row * n + column),
  );
}
