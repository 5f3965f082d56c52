/** What happened between two positions, as movements of pieces, and where a piece is while it moves. */

import type { Piece } from "../lib/look";

export type Change =
  /** Along these squares; with an arc from one to the next where it jumps. */
  | { kind: "move"; key: number; squares: number[] }
  | { kind: "arrive"; key: number; square: number }
  | { kind: "leave"; key: number; square: number }
  /** It has become another piece where it stands or where it goes. */
  | { kind: "become"; key: number }
  | { kind: "turn"; key: number; square: number };

/**
 * The changes from pieces to pieces, which keep their keys. `way` is the last move's squares: a piece that went from the
 * first to the last of them went along all.
 */
export function changesOf(before: Piece[], now: Piece[], way: number[]): Change[] {
  const changes: Change[] = [];
  const old = new Map(before.map((piece) => [piece.key, piece]));
  for (const piece of now) {
    const was = old.get(piece.key);
    old.delete(piece.key);
    if (!was) {
      changes.push({ kind: "arrive", key: piece.key, square: piece.square });
      continue;
    }
    if (was.square !== piece.square)
      changes.push({ kind: "move", key: piece.key, squares: along(was.square, piece.square, way) });
    if (was.owner !== piece.owner) changes.push({ kind: "turn", key: piece.key, square: piece.square });
    else if (was.glyph !== piece.glyph) changes.push({ kind: "become", key: piece.key });
  }
  for (const gone of old.values()) changes.push({ kind: "leave", key: gone.key, square: gone.square });
  return changes;
}

function along(from: number, to: number, way: number[]): number[] {
  if (way[0] === from && way.at(-1) === to) return way;
  // Taken back.
  if (way.at(-1) === from && way[0] === to) return [...way].reverse();
  return [from, to];
}

/** Slow at both ends. */
export const eased = (t: number): number => t * t * (3 - 2 * t);

/** A fall that ends with a small bounce; 1 is the height it fell from, 0 the ground. */
export function fallen(t: number): number {
  if (t < 0.8) return 1 - (t / 0.8) ** 2;
  const u = (t - 0.8) / 0.2;
  return 0.12 * u * (1 - u);
}

export interface Spot3 {
  x: number;
  y: number;
  z: number;
}

/** Where a piece is on its way at a time from 0 to 1: each stretch takes its share of the length, and an arc is so high. */
export function onWay(spots: { x: number; y: number }[], t: number, lift: number): Spot3 {
  const lengths = spots.slice(1).map((b, i) => Math.hypot(b.x - (spots[i]?.x ?? b.x), b.y - (spots[i]?.y ?? b.y)));
  const whole = lengths.reduce((sum, one) => sum + one, 0);
  let left = Math.min(Math.max(t, 0), 1) * whole;
  for (const [i, length] of lengths.entries()) {
    const [a, b] = [spots[i], spots[i + 1]];
    if (!a || !b) break;
    if (left <= length || i === lengths.length - 1) {
      const part = length > 0 ? Math.min(left / length, 1) : 1;
      const step = eased(part);
      return { x: a.x + (b.x - a.x) * step, y: a.y + (b.y - a.y) * step, z: lift * 4 * step * (1 - step) };
    }
    left -= length;
  }
  const end = spots.at(-1) ?? { x: 0, y: 0 };
  return { ...end, z: 0 };
}
