/** Requests that are not about a game under way. */

import { t } from "./i18n.svelte";
import { unfolded } from "./runs";
import type { Families, History, Preview, Step, TableState, Tokens, View } from "./types";

/** A refusal, with where in the text the trouble begins if the server knows. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly character: number | null,
  ) {
    super(message);
  }
}

/** Nobody answered, or not the program that this page belongs to. */
export class Silent extends Error {
  constructor() {
    super(t("server.gone"));
  }
}

/** What to tell the reader of a request that failed. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function ask<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const how: RequestInit = { signal: signal ?? null };
  if (body !== undefined) {
    how.method = "POST";
    how.headers = { "Content-Type": "application/json" };
    how.body = JSON.stringify(body);
  }
  const silent = (error: unknown): never => {
    throw signal?.aborted ? error : new Silent();
  };
  const answer = await fetch(path, how).catch(silent);
  const said = await answer.json().catch(silent);
  if (!answer.ok) throw new Refused(said.error ?? answer.statusText, said.character ?? null);
  return said as T;
}

export interface Wanted {
  game: string;
  position?: string;
  file?: string;
  seats?: [string, string];
}

export const families = (): Promise<Families> => ask("/api/families");

export const preview = (wanted: Wanted, signal: AbortSignal): Promise<Preview> =>
  ask<Preview>("/api/preview", wanted, signal).then(unfolded);

export const found = (wanted: Wanted): Promise<{ id: string; tokens: Tokens }> =>
  ask("/api/games", wanted);

export interface Searched {
  family?: string;
  finished?: boolean;
  words: string[][];
  page: number;
  tokens: [string, string[]][];
}

export const history = (searched: Searched, signal: AbortSignal): Promise<History> =>
  ask("/api/history", searched, signal);

export const stateOf = (id: string): Promise<TableState> =>
  ask<TableState>(`/api/games/${encodeURIComponent(id)}`).then(unfolded);

export const viewAt = (id: string, ply: number): Promise<View> =>
  ask<View>(`/api/games/${encodeURIComponent(id)}/plies/${ply}`).then(unfolded);

/** The positions along moves that could follow after some of a game's. */
export const lineFrom = (id: string, ply: number, moves: string[]): Promise<Step[]> =>
  ask<{ steps: Step[] }>(`/api/games/${encodeURIComponent(id)}/line`, { ply, moves }).then(({ steps }) => steps.map(unfolded));

export const fileOf = (id: string): string => `/api/games/${encodeURIComponent(id)}/file`;
