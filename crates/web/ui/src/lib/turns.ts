/** Moves by turns, as they are numbered on score sheets. */

import type { Ply } from "./types";

/** The moves of one side in a row, then those of the other; each with how many moves there were with it. */
export interface Turn {
  first: [Ply, number][];
  second: [Ply, number][];
}

export function turnsOf(line: Ply[]): Turn[] {
  const turns: Turn[] = [];
  line.forEach((ply, i) => {
    const turn = turns.at(-1);
    const begins = !turn || (ply.side === "first" && turn.second.length > 0);
    const into = begins ? { first: [], second: [] } : turn;
    if (begins) turns.push(into);
    into[ply.side].push([ply, i + 1]);
  });
  return turns;
}

/** For each move its number and how people write it: `4. Nf3`, and of the second player `4… Nf6`. */
export const numbered = (line: Ply[]): string[] =>
  turnsOf(line).flatMap(({ first, second }, i) => [
    ...first.map(([ply]) => `${i + 1}. ${ply.notation}`),
    ...second.map(([ply]) => `${i + 1}… ${ply.notation}`),
  ]);
