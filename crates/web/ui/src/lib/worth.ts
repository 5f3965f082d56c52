/** What positions are worth, in words and signs. */

import { t, words } from "./i18n.svelte";
import type { Ending, SideName, TableState, Turning, Worth } from "./types";

/** What is proved for one side. */
export type Verdict = "win" | "draw" | "loss";

export function verdictOf(value: Worth, side: SideName): Verdict | null {
  if (!value.exact) return null;
  if (value.winner) return value.winner === side ? "win" : "loss";
  return value.chance === 0.5 ? "draw" : null;
}

/** Signs for them within a circle of radius 1: shapes that differ without colour. */
export const SIGNS: Record<Verdict, string> = {
  win: "M0 -.62L.6 .42H-.6Z",
  draw: "M-.45 -.45H.45V.45H-.45Z",
  loss: "M0 .62L.6 -.42H-.6Z",
};

/** Pieces or a chance of winning: what a bare score is worth is nobody's business but the engine's, which scoreText tells. */
export function worthText(value: Worth, colourName: (side: SideName) => string): string {
  if (value.winner && value.plies !== null) {
    return t("think.wins", { colour: colourName(value.winner), n: Math.ceil(value.plies / 2) });
  }
  if (value.winner && value.margin !== null) {
    return t("think.by", { colour: colourName(value.winner), points: words.number(Math.abs(value.margin)) });
  }
  if (value.winner) return t("course.wins", { colour: colourName(value.winner) });
  const score = value.score ?? 0;
  if (value.exact && score === 0) return t("think.draw");
  const pieces = value.pieces ?? null;
  if (pieces !== null) return signed(pieces, pieces.toFixed(2));
  const percent = Math.round(100 * Math.max(value.chance, 1 - value.chance));
  if (percent === 50) return t("think.balanced");
  return t("think.chance", { colour: colourName(value.chance > 0.5 ? "first" : "second"), percent });
}

const signed = (number: number, shown: string): string => (number > 0 ? `+${shown}` : shown.replace("-", "−"));

/** The score as the engine counts it, for those who want to know. */
export function scoreText(value: Worth): string | undefined {
  if (value.winner || value.exact || value.score === null) return undefined;
  return t("think.score", { score: signed(value.score, String(value.score)) });
}

/** What is proved for one side, short enough for a square: moves to the end, or points. */
export function inShort(value: Worth, side: SideName): string {
  const own = value.winner === side ? 1 : -1;
  if (value.winner && value.plies !== null) return String(Math.ceil(value.plies / 2));
  if (value.winner && value.margin !== null) return `${own > 0 ? "+" : "−"}${words.number(Math.abs(value.margin))}`;
  return value.winner ? "" : "=";
}

/** The course of a game: what is known of the position after each number of moves. */
export type Course = (Worth | null)[];

export function courseOf(game: TableState): Course {
  const count = game.ply + 1;
  const course: Course = Array.from({ length: count }, (_, ply) => game.review?.values[ply]?.value ?? null);
  for (const { ply, value } of game.opinions) if (ply < count) course[ply] ??= value;
  if (game.outcome) course[game.ply] ??= worthOfEnding(game.outcome);
  return course;
}

function worthOfEnding({ value, margin }: Ending): Worth {
  const winner = value === "draw" ? null : value;
  const chance = winner ? Number(winner === "first") : 0.5;
  return { winner, plies: null, margin, score: winner ? null : 0, pieces: null, exact: true, chance };
}

export const marksOf = (game: TableState): Map<number, Turning> =>
  new Map(game.review?.turns.map((turn) => [turn.ply, turn]));
