/** The classic scene: a start menu and a game of chess, after a graduation thesis of 2019. */

import { t } from "./i18n.svelte";
import type { SideName, TableState, Thought } from "./types";

/** Who plays a side: a person, or a bot that thinks so deep or so long. */
export interface Sitter {
  kind: "human" | "bot";
  limit: string;
}

/** The greatest depths, and times for a move; the first is what is chosen if nobody chooses. */
export const LIMITS = ["depth=3", "depth=4", "depth=5", "time=1", "time=5", "time=20"];

export const seatFor = ({ kind, limit }: Sitter): string => (kind === "human" ? "human" : `bot:${limit}`);

/** Milliseconds between the selection of a bot's piece and its move, and the least that a bot's move takes. */
export const [SELECTED, PACE] = [700, 1500];

const isHuman = (game: TableState, side: SideName): boolean => game.seats[side === "first" ? 0 : 1] === "human";

/** Whether the last move was a bot's. */
export function byBot(game: TableState): boolean {
  const ply = game.line[game.ply - 1];
  return ply !== undefined && !isHuman(game, ply.side);
}

/** What to do next, or who has won. */
export function sentence(game: TableState, chosen: boolean, whyText: string): string {
  const about = (side: SideName): { who: string; kind: string } => ({
    who: t(side === "first" ? "colour.light" : "colour.dark"),
    kind: t(isHuman(game, side) ? "classic.human" : "classic.bot"),
  });
  if (game.outcome) {
    const { value } = game.outcome;
    const said = value === "draw" ? t("classic.drawn") : t("classic.won", about(value));
    return whyText ? `${said} (${whyText})` : said;
  }
  const side = game.to_move ?? "first";
  if (!isHuman(game, side)) return t("classic.calculating", about(side));
  return t(chosen ? "classic.square" : "classic.piece", about(side));
}

/** What a bot found before a move that is on the board. */
export const isSearchOf = (thought: Thought | null, game: TableState): thought is Thought =>
  thought !== null && thought.purpose === "move" && thought.ply < game.ply;
