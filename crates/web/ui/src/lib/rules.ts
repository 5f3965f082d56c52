/** What can be set up: games to choose from, and how a parameter is asked for. */

import type { Family, Parameter } from "./types";

/** The well-known games of a family, best known first; each name is a game as the server reads it. */
export function choices(family: Family): { name: string; summary: string }[] {
  const variants = family.variants.map(({ name, summary }) => ({ name: `${family.name}:${name}`, summary }));
  const own = { name: family.name, summary: family.summary };
  const more: Record<string, { name: string; summary: string }[]> = {
    reversi: [{ name: "reversi:6x6", summary: family.summary }],
    chess: [own],
  };
  const presets = family.name === "draughts" ? [] : family.presets;
  return [...presets, ...variants, ...(more[family.name] ?? [])];
}

export type Field =
  | { kind: "text"; name: string }
  | { kind: "flag"; name: string }
  | { kind: "one"; name: string; options: string[] };

/** How a parameter is asked for, read from how people write its values. */
export function fieldOf({ name, values }: Parameter): Field {
  const flag = new RegExp(`^(a flag|${name} or ${name}=no)`);
  if (flag.test(values)) return { kind: "flag", name };
  const named = [...values.matchAll(new RegExp(`\\b${name}=([a-z]+)`, "g"))].map((found) => found[1] ?? "");
  const plain = values.replace(/\s*\([^)]*\)/g, "");
  const listed = new RegExp(`^${name}=([a-z]+(?:, [a-z]+)* or [a-z]+)$`).exec(plain)?.[1];
  if (listed) return { kind: "one", name, options: listed.split(/, | or /) };
  const free = /N|\+|SQUARE|joined/.test(values);
  if (named.length > 1 && !free) {
    return { kind: "one", name, options: named };
  }
  return { kind: "text", name };
}

/** The name of a game with these arguments on top. */
export function specOf(game: string, values: Record<string, string>): string {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== "");
  if (given.length === 0) return game;
  const texts = given.map(([name, value]) => {
    if (name === "size") return value.trim();
    return value === "yes" ? name : `${name}=${value.trim()}`;
  });
  return `${game}${game.includes(":") ? "," : ":"}${texts.join(",")}`;
}
