/** The secrets of this browser's seats, and the games it has played. They never leave it but to prove a seat. */

import { recall, remember } from "./storage";

export interface Kept {
  id: string;
  game: string;
  at: number;
  tokens: string[];
  /** The friend's seat, for the link to send. */
  invite?: string | undefined;
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

export function keep(id: string, game: string, tokens: string[], invite?: string): void {
  const others = kept().filter((one) => one.id !== id);
  const before = kept().find((one) => one.id === id);
  const all = [...new Set([...(before?.tokens ?? []), ...tokens])];
  const list = [{ id, game, at: Date.now(), tokens: all, invite: invite ?? before?.invite }, ...others].slice(0, MOST);
  remember(NAME, JSON.stringify(list));
}

export const tokensOf = (id: string): string[] => kept().find((one) => one.id === id)?.tokens ?? [];

export const inviteOf = (id: string): string | null => kept().find((one) => one.id === id)?.invite ?? null;
