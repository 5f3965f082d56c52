/** How a game ended, in words: who won and by how much, and which rule or player ended it. */

import { t, words } from "./i18n.svelte";
import type { Ending, Why } from "./types";

/** After who won: by how much, and by whose decision. */
export function endingText(who: string, { margin, reason }: Ending): string {
  const by = margin ? t("over.by", { points: words.number(Math.abs(margin)) }) : "";
  return [who, by, reason === "rules" ? "" : t(`over.${reason}`)].filter((text) => text !== "").join(" ");
}

/** The rule that ended it. */
export function whyText(why: Why): string {
  switch (why.kind) {
    case "repetition":
      return t("why.repetition", { n: why.times });
    case "quiet":
      return t(`why.quiet.${why.without}`, { n: why.plies / 2 });
    case "line":
      return t("why.line", { n: why.count });
    default:
      return t(`why.${why.kind}`);
  }
}
