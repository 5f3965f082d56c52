/** How a parameter is asked for, and the name of a game with some. */

import { t, words } from "./i18n.svelte";
import type { Keyword, Kind, Parameter } from "./types";

/** The words to choose from, where there are no others; where a word says nothing of itself, the page has a sign for it. */
export function optionsOf(kind: Kind): (Keyword & { sign?: string })[] | null {
  const yes = { name: "yes", meaning: "", sign: t("rule.yes") };
  switch (kind.type) {
    case "choice":
      return kind.words;
    case "switch":
      return [yes, { name: "no", meaning: "", sign: t("rule.no") }];
    case "flag":
      return [yes];
    default:
      return null;
  }
}

/** Sizes to propose, where only some sides are allowed. */
export function sizesOf(kind: Kind): string[] {
  if (kind.type !== "size" || kind.sides === null) return [];
  const { sides, square } = kind;
  return sides.flatMap((rows) => (square ? [rows] : sides).map((columns) => `${rows}x${columns}`));
}

/** The name of a game with these arguments on top. */
export function specOf(game: string, values: Record<string, string>, parameters: Parameter[]): string {
  const texts = parameters.flatMap(({ name, kind }) => {
    const value = values[name]?.trim() ?? "";
    if (value === "") return [];
    if (kind.type === "size") return [value];
    const alone = value === "yes" && (kind.type === "switch" || kind.type === "flag");
    return [alone ? name : `${name}=${value}`];
  });
  return texts.length === 0 ? game : `${game}${game.includes(":") ? "," : ":"}${texts.join(",")}`;
}

/** A text of the page if there is one, else what the server says. */
const said = (key: string, otherwise: string): string => (words.has(key) ? t(key) : otherwise);

/** What a parameter is called: not by its letter. */
export const ruleName = (family: string, { name }: Parameter): string =>
  said(`rule.${family}.${name}`, said(`rule.${name}`, name));

/** What it does. */
export const ruleMeaning = (family: string, { name, meaning }: Parameter): string =>
  said(`rule.${family}.${name}.about`, meaning);

/** One of the words it may be. */
export const wordName = (family: string, parameter: string, word: Keyword & { sign?: string }): string =>
  word.sign ?? said(`rule.${family}.${parameter}.${word.name}`, word.meaning || word.name);

/** `3x7` as two numbers. */
export function sizeOf(text: string): { rows: number; columns: number } | null {
  const found = /^\s*(\d+)\s*x\s*(\d+)\s*$/.exec(text);
  return found ? { rows: Number(found[1]), columns: Number(found[2]) } : null;
}

/** A line game as somebody makes it up. */
export interface Invention {
  rows: number;
  columns: number;
  line: number;
  turn: number;
  first: number;
  exact: boolean;
  gravity: boolean;
  /** Squares that are not part of the board, by number. */
  holes: number[];
}

export const FIRST_INVENTION: Invention = {
  rows: 6,
  columns: 6,
  line: 4,
  turn: 1,
  first: 1,
  exact: false,
  gravity: false,
  holes: [],
};

/** The largest that the page offers to make up. */
export const MOST_ROWS = 19;

/** The name of a column: a, b, … z, aa, ab, … */
export function columnName(column: number): string {
  const letter = String.fromCharCode(97 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** A made-up game as the server reads it. */
export function inventionSpec(game: Invention): string {
  const { rows, columns, line, turn, first, exact, gravity, holes } = game;
  const parts = [`${rows}x${columns}`, `k=${line}`];
  if (turn !== 1) parts.push(`p=${turn}`);
  if (first !== 1) parts.push(`q=${first}`);
  if (exact) parts.push("win=exact");
  if (gravity) parts.push("gravity");
  const within = [...new Set(holes)].filter((square) => square < rows * columns).sort((a, b) => a - b);
  const names = within.map((square) => `${columnName(square % columns)}${Math.floor(square / columns) + 1}`);
  if (names.length > 0) parts.push(`holes=${names.join("+")}`);
  return `mnk:${parts.join(",")}`;
}

/** A made-up game from its name, as far as it is one. */
export function readInvention(spec: string): Invention | null {
  const [family, rest = ""] = spec.split(":");
  if (family !== "mnk") return null;
  const game: Invention = { ...FIRST_INVENTION, holes: [] };
  let named: string[] = [];
  for (const part of rest.split(",")) {
    const [key = "", value = ""] = part.split("=");
    const size = sizeOf(key);
    if (size) [game.rows, game.columns] = [size.rows, size.columns];
    else if (key === "k") game.line = Number(value);
    else if (key === "p") game.turn = Number(value);
    else if (key === "q") game.first = Number(value);
    else if (key === "win") game.exact = value === "exact";
    else if (key === "gravity") game.gravity = true;
    else if (key === "holes") named = value.split("+");
    else return null;
  }
  const numbers = [game.rows, game.columns, game.line, game.turn, game.first];
  if (numbers.some((number) => !Number.isInteger(number) || number < 1 || number > MOST_ROWS)) return null;
  for (const name of named) {
    const found = /^([a-z]+)(\d+)$/i.exec(name);
    const column = Array.from({ length: game.columns }, (_, i) => columnName(i)).indexOf(
      found?.[1]?.toLowerCase() ?? "",
    );
    const row = Number(found?.[2]) - 1;
    if (column < 0 || !(row >= 0 && row < game.rows)) return null;
    game.holes.push(row * game.columns + column);
  }
  return game;
}

/** The same on a board of another size: holes stay in their row and column. */
export function resized(game: Invention, rows: number, columns: number): Invention {
  const at = game.holes.map((square) => [Math.floor(square / game.columns), square % game.columns] as const);
  const kept = at.filter(([row, column]) => row < rows && column < columns);
  return { ...game, rows, columns, holes: kept.map(([row, column]) => row * columns + column) };
}
