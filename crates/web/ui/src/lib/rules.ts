/** What can be set up: games to choose from, and how a parameter is asked for. */

import type { Family, Keyword, Kind, Parameter } from "./types";

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

/** The words to choose from, where there are no others; where a word says nothing of itself, the page has a sign for it. */
export function optionsOf(kind: Kind): (Keyword & { sign?: string })[] | null {
  const yes = { name: "yes", meaning: "", sign: "✓" };
  switch (kind.type) {
    case "choice":
      return kind.words;
    case "switch":
      return [yes, { name: "no", meaning: "", sign: "✗" }];
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
