/** What a board looks like: the server says what stands where, here is how it is drawn. */

import type { Board, Colour, Look, SideName } from "./types";

export interface Piece {
  /** Stays with a piece from move to move. */
  key: number;
  square: number;
  glyph: string;
  owner: SideName;
}

/** Until the server has said what a game looks like. */
export const PLAIN: Look = {
  board: "squares",
  pieces: "lettered",
  sides: ["dark", "light"],
  must_capture: "",
  turns_over: false,
  shows_moves: false,
};

export const colourOf = (look: Look, owner: SideName): Colour => look.sides[owner === "first" ? 0 : 1];

/** Whether a move's text tells of a capture that had to be made. */
export const mustCapture = (look: Look, text: string): boolean =>
  [...look.must_capture].some((letter) => text.includes(letter));

export const owners = (board: Board): (SideName | null)[] =>
  [...board.owners].map((c) => (c === "1" ? "first" : c === "2" ? "second" : null));

/**
 * The pieces of a board, each with the key it had before: where it stood still, or else where a piece of the same
 * kind, or at least of the same side, has gone and another has come. Where pieces turn over, they stay where they are.
 * Ordered by key: a piece that moves keeps its place in the list, and with it its element on the page.
 */
export function follow(before: Piece[], board: Board, turns: boolean, fresh: () => number): Piece[] {
  const glyphs = [...board.glyphs];
  const now = owners(board).flatMap((owner, square) =>
    owner ? [{ key: -1, square, glyph: glyphs[square] ?? "", owner }] : [],
  );
  const left = new Map(before.map((piece) => [piece.square, piece]));
  const claim = (fits: (old: Piece, piece: Piece) => boolean): void => {
    for (const piece of now) {
      if (piece.key >= 0) continue;
      for (const old of left.values()) {
        if (!fits(old, piece)) continue;
        piece.key = old.key;
        left.delete(old.square);
        break;
      }
    }
  };
  for (const piece of now) {
    const old = left.get(piece.square);
    if (old && (turns || old.owner === piece.owner)) {
      piece.key = old.key;
      left.delete(piece.square);
    }
  }
  if (!turns) {
    claim((old, piece) => old.owner === piece.owner && old.glyph === piece.glyph);
    claim((old, piece) => old.owner === piece.owner);
  }
  for (const piece of now) if (piece.key < 0) piece.key = fresh();
  return now.sort((a, b) => a.key - b.key);
}

/** A square as people name it. */
export function squareName(board: Board, square: number): string {
  const number = board.numbers?.[square];
  if (number) return String(number);
  return `${board.column_names[square % board.columns] ?? ""}${Math.floor(square / board.columns) + 1}`;
}
