/** What is looked for in the list of games. It stays while the reader looks at a game and comes back. */

import { words } from "./i18n.svelte";

export class Search {
  text = $state("");
  family = $state("");
  which = $state<"" | "finished" | "unfinished">("");
  page = $state(0);
}

export const search = new Search();

const MOST = 40;

/** What would do for a word: itself, and what the server calls games and levels whose names here hold it. */
export function ways(word: string): string[] {
  const small = word.toLowerCase();
  const meant = words.keys.flatMap((key) => {
    const [, kind, name] = /^(game|family|level)\.(?!time$)(.+)$/.exec(key) ?? [];
    if (!name || !words.say(key).toLowerCase().includes(small)) return [];
    return [kind === "level" ? `bot:${name}` : name];
  });
  return [...new Set([small, ...meant])].slice(0, MOST);
}

export const wordsOf = (text: string): string[][] =>
  text
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, 8)
    .map(ways);
