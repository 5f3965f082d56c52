/** What a table says above its buttons, in words. */

import { endingText, whyText } from "./endings";
import { seatText, t } from "./i18n.svelte";
import { colourOf } from "./look";
import { seatOf } from "./seats";
import type { SideName, TableState } from "./types";
import type { Seen, TableView } from "./view";

export const colourNameIn =
  ({ look }: Pick<TableState, "look">) =>
  (side: SideName): string =>
    t(`colour.${colourOf(look, side)}`);

/** Whose turn it is and what is to be done, or how it ended. */
export function statusText({ game, online, past }: Seen, now: TableView): string {
  if (!online) return t("turn.away");
  if (past) return t("turn.past", { n: past.ply });
  if (game.outcome) return outcomeText(game, now);
  if (game.trouble) return t("turn.trouble", { why: game.trouble });
  const side = game.to_move ?? "first";
  const colour = colourNameIn(game)(side);
  if (now.mine) return `${now.own ? t("turn.yours") : t("turn.other", { colour })}: ${t(now.task)}`;
  const who = `${seatText(seatOf(game, side))} (${colour})`;
  if (now.botsTurn) return t(now.thinking ? "turn.machine" : "turn.paused", { who });
  return t("turn.other", { colour });
}

function outcomeText(game: TableState, { own, result }: TableView): string {
  const { outcome } = game;
  if (!outcome) return "";
  if (outcome.value === "draw") return endingText(t("over.draw"), outcome);
  const yours = t(result === "lost" ? "over.youlose" : "over.you");
  return endingText(own ? yours : t("over.win", { colour: colourNameIn(game)(outcome.value) }), outcome);
}

/** What else there is to say of the position. */
export function noteText({ step }: Seen, { view }: TableView): string {
  if (step) return "";
  if (view.outcome) return view.outcome.why ? whyText(view.outcome.why) : "";
  return view.check === null ? "" : t("turn.check");
}

/** Whoever sits on a side, by name if they gave one, and the reader as such. */
export function sitterText(game: TableState, own: SideName | null, side: SideName, name: string | null): string {
  const seat = seatOf(game, side);
  if (seat === "human" && own === side) return name ? t("people.you", { name }) : t("seat.you");
  return name ?? seatText(seat);
}
