/** Large boards come in runs: a letter, how often if more than once, a blank. Here they become a letter a square. */

import type { Board } from "./types";

export function unfold(runs: string): string {
  let text = "";
  for (let at = 0; at < runs.length;) {
    const blank = runs.indexOf(" ", at + 1);
    const end = blank < 0 ? runs.length : blank;
    const times = end > at + 1 ? Number(runs.slice(at + 1, end)) : 1;
    text += (runs[at] ?? "").repeat(times);
    at = end + 1;
  }
  return text;
}

/** A view with its board a letter a square. */
export function unfolded<V extends { board: Board }>(view: V): V {
  const { board } = view;
  if (board.glyphs.length === board.rows * board.columns) return view;
  return { ...view, board: { ...board, glyphs: unfold(board.glyphs), owners: unfold(board.owners) } };
}
