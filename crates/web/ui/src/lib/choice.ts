/** What somebody wants to play against whom: read from what the browser kept, and written as the server reads it. */

import { recall, remember } from "./storage";
import type { Families } from "./types";

export type Opponent = "machine" | "here" | "link" | "watch";
export const OPPONENTS: Opponent[] = ["machine", "here", "link", "watch"];
export type Side = "first" | "second" | "random";

/** Before the name of an engine, where a bot has a level. */
export const ENGINE = "engine:";
/** A level that draws its moves from a hat, the first ones too. */
export const RANDOM = "random";
/** Behind the level of a bot that does without a book of openings. */
export const BOOKLESS = ",book=no";
/** A level that the reader makes up: so many moves deep, or so many seconds. */
export const OWN = "own";

export interface Own {
  by: "depth" | "time";
  depth: number;
  seconds: number;
}

export interface Choice {
  family: string;
  game: string;
  opponent: Opponent;
  level: string;
  other: string;
  /** Whether these two open by a book. */
  book: boolean;
  otherBook: boolean;
  own: Own;
  side: Side;
  /** As the server reads it; null for no clock. */
  clock: string | null;
}

const NAME = "zermelo.last";

/** Chess is what most people know. */
export const USUAL: Choice = {
  family: "chess",
  game: "chess",
  opponent: "machine",
  level: "easy",
  other: "medium",
  book: true,
  otherBook: true,
  own: { by: "time", depth: 4, seconds: 5 },
  side: "first",
  clock: null,
};

/** The last choice, as far as it makes sense. */
export function lastChoice(): Choice {
  try {
    const kept = JSON.parse(recall(NAME) ?? "{}") as Partial<Choice>;
    const opponent = OPPONENTS.find((one) => one === kept.opponent) ?? USUAL.opponent;
    return { ...USUAL, ...kept, opponent, own: { ...USUAL.own, ...kept.own } };
  } catch {
    return USUAL;
  }
}

export const keepChoice = (choice: Choice): void => remember(NAME, JSON.stringify(choice));

/** A family or game that is not there any more, and engines that were removed, give way to the usual. */
export function corrected(choice: Choice, { families, engines }: Families): Choice {
  const family =
    families.find((one) => one.name === choice.family) ?? families.find((one) => one.name === USUAL.family);
  const name = family?.name ?? families[0]?.name ?? "";
  const level = (wanted: string, usual: string): string =>
    wanted.startsWith(ENGINE) && !engines.some((one) => ENGINE + one.name === wanted && one.family === name)
      ? usual
      : wanted;
  const same = name === choice.family;
  return {
    ...choice,
    family: name,
    game: same ? choice.game : (family?.games[0]?.name ?? name),
    level: level(choice.level, USUAL.level),
    other: level(choice.other, USUAL.other),
  };
}

/** A bot or engine, as the server reads it. */
export function machine(level: string, own: Own, book: boolean): string {
  if (level.startsWith(ENGINE)) return level;
  if (level !== OWN) return `bot:${level}${book || level === RANDOM ? "" : BOOKLESS}`;
  return own.by === "depth" ? `bot:depth=${own.depth}` : `bot:time=${own.seconds}`;
}

/** Who sits where; `second` if the reader plays second. */
export function seatsOf(choice: Choice, second: boolean): [string, string] {
  const bot = machine(choice.level, choice.own, choice.book);
  switch (choice.opponent) {
    case "machine":
      return second ? [bot, "human"] : ["human", bot];
    case "watch":
      return [bot, machine(choice.other, choice.own, choice.otherBook)];
    default:
      return ["human", "human"];
  }
}

/** By how many Elo a level is stronger than the one below in a game, if that was measured. */
export function stepOf({ families, levels }: Families, game: string, level: string): number | null {
  const at = levels.indexOf(level);
  const found = families.flatMap((family) => family.games).find((one) => one.name === game);
  return at < 1 ? null : (found?.steps[at - 1] ?? null);
}
