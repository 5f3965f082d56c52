/** How a parameter is asked for, and the name of a game with some. */

import type { Keyword, Kind, Parameter } from "./types";

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
