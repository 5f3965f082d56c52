/** Moves that are pointed out on a board: arrows where pieces move, numbered rings where stones are placed. */

import type { Exact, SideName, Thought } from "./types";
import { inShort, verdictOf, type Verdict } from "./worth";

export interface Arrow {
  squares: number[];
  /** 1 is best. */
  rank: number;
  /** What is proved of it, for whoever moves. */
  verdict: Verdict | null;
  /** What stands in a ring instead of the rank. */
  label?: string;
  /** Whether it is as good as the first. */
  best?: boolean;
}

interface Point {
  x: number;
  y: number;
}

/** How thick an arrow is, in hundredths of a square. */
export const thickness = (rank: number): number => [17, 12, 8.5, 6, 5][rank - 1] ?? 5;

/** The moves that a hint advises, one arrow for each way to go. */
export function arrowsOf(thought: Thought): Arrow[] {
  const moves = thought.lines.map((line, i) => ({
    move: line.moves[0],
    rank: i + 1,
    verdict: verdictOf(line.value, thought.side),
  }));
  const arrows = moves.flatMap(({ move, rank, verdict }) =>
    move && move.squares.length > 0 ? [{ squares: move.squares, rank, verdict }] : [],
  );
  if (arrows.length === 0 && thought.best) return [{ squares: thought.best.squares, rank: 1, verdict: null }];
  return arrows;
}

/** Every move that a table knows, with what it is worth to whoever moves. */
export function exactArrows(exact: Exact, side: SideName): Arrow[] {
  const arrows = exact.moves.map(({ squares, value, plies }, i) => ({
    squares,
    rank: i + 1,
    verdict: verdictOf(value, side),
    label: inShort(value, side),
    best: plies === exact.plies && value.winner === exact.value.winner && value.margin === exact.value.margin,
  }));
  return arrows.filter((arrow) => arrow.squares.length > 0);
}

/** A shaft through these points that leaves room for the head, and the head's three corners. */
export function shapeOf(points: Point[], width: number): { shaft: Point[]; head: Point[] } {
  const tip = points.at(-1) ?? { x: 0, y: 0 };
  const before = points.at(-2) ?? tip;
  const far = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / far, (tip.y - before.y) / far];
  const long = width * 1.1 + 16;
  const half = width * 0.85 + 8;
  const neck = { x: tip.x - dx * long, y: tip.y - dy * long };
  const head = [
    tip,
    { x: neck.x - dy * half, y: neck.y + dx * half },
    { x: neck.x + dy * half, y: neck.y - dx * half },
  ];
  return { shaft: [...points.slice(0, -1), neck], head };
}
