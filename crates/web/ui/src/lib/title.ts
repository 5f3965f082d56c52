/** The title of the browser's tab: whose turn it is, so that one can look elsewhere meanwhile. */

import { gameName, t } from "./i18n.svelte";
import { colourOf } from "./look";
import type { SideName, TableState } from "./types";

export const PLAIN_TITLE = "Zermelo";

export function titleOf(game: TableState | null, own: SideName | null): string {
  if (!game) return PLAIN_TITLE;
  const name = gameName(game.name);
  if (game.outcome) return `${t("title.over")} · ${name}`;
  if (game.to_move === null) return name;
  if (own === game.to_move) return `● ${t("turn.yours")} · ${name}`;
  const colour = t(`colour.${colourOf(game.look, game.to_move)}`);
  return `${t("turn.other", { colour })} · ${name}`;
}
