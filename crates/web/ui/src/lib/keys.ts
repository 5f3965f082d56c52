/** The secrets of this browser's seats, and the games it has played. They never leave it but to prove a seat. */

import { recall, remember } from "./storage";

export interface Kept {
  id: string;
  game: string;
  at: number;
  tokens: string[];
  /** The friend's seat, for the link to send. */
  invite?: string | undefined;
  /** The key with which a seat was taken that a link led to. */
  claim?: string | undefined;
}

const NAME = "zermelo.games";
const MOST = 60;

export function kept(): Kept[] {
  try {
    const list: unknown = JSON.parse(recall(NAME) ?? "[]");
    return Array.isArray(list) ? (list as Kept[]) : [];
  } catch {
    return [];
  }
}

const keptOf = (id: string): Kept | undefined => kept().find((one) => one.id === id);

export function keep(
  id: string,
  game: string,
  tokens: string[],
  { invite, claim }: Pick<Kept, "invite" | "claim"> = {},
): void {
  const others = kept().filter((one) => one.id !== id);
  const before = keptOf(id);
  const all = [...new Set([...(before?.tokens ?? []), ...tokens])];
  const now: Kept = {
    id,
    game: game || (before?.game ?? ""),
    at: Date.now(),
    tokens: all,
    invite: invite ?? before?.invite,
    claim: claim ?? before?.claim,
  };
  remember(NAME, JSON.stringify([now, ...others].slice(0, MOST)));
}

export const tokensOf = (id: string): string[] => keptOf(id)?.tokens ?? [];

export const inviteOf = (id: string): string | null => keptOf(id)?.invite ?? null;

export const claimOf = (id: string): string | null => keptOf(id)?.claim ?? null;

/** Somebody came by the link to a seat: it is theirs if they are the first, by a key that nobody else has. */
export function accept(id: string, token: string): void {
  const claim = claimOf(id) ?? newKey();
  keep(id, "", [token, claim], { claim });
}

/** 130 bits, in letters and digits that are hard to confuse. */
function newKey(): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  return Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => letters[byte & 31]).join("");
}

/** What a tab keeps for itself across a reload, where the browser keeps nothing else. */
export function keepInTab(id: string): void {
  const seat = keptOf(id);
  if (seat) history.replaceState({ seat }, "");
}

export function recallFromTab(id: string): void {
  const seat: Kept | undefined = history.state?.seat;
  if (seat?.id === id && !keptOf(id)) keep(id, seat.game, seat.tokens, seat);
}
