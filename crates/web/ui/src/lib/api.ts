/** Requests that are not about a game under way. */

import { errorText } from "./errors";
import { t } from "./i18n.svelte";
import { unfolded } from "./runs";
import type {
  Continuation,
  Families,
  Founded,
  History,
  MadeUp,
  Judgement,
  Preview,
  Searched,
  Step,
  Steps,
  TableState,
  View,
  Wanted,
} from "./types";

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
  if (!answer.ok) throw new Refused(errorText(said.error ?? answer.statusText), said.character ?? null);
  return said as T;
}

export const families = (): Promise<Families> => ask("/api/families");

export const preview = (wanted: Wanted, signal: AbortSignal): Promise<Preview> =>
  ask<Preview>("/api/preview", wanted, signal).then(unfolded);

/** What is left out is as usual. */
export const found = (wanted: Pick<Wanted, "game"> & Partial<Wanted>): Promise<Founded> => ask("/api/games", wanted);

/** What the machine says of a game that somebody has made up. */
export const judgement = (game: string): Promise<Judgement> => ask("/api/judgements", { game } satisfies MadeUp);

export const history = (searched: Searched, signal: AbortSignal): Promise<History> =>
  ask("/api/history", searched, signal);

export const stateOf = (id: string): Promise<TableState> =>
  ask<TableState>(`/api/games/${encodeURIComponent(id)}`).then(unfolded);

export const viewAt = (id: string, ply: number): Promise<View> =>
  ask<View>(`/api/games/${encodeURIComponent(id)}/plies/${ply}`).then(unfolded);

/** The positions along moves that could follow after some of a game's. */
export const lineFrom = (id: string, ply: number, moves: string[]): Promise<Step[]> =>
  ask<Steps>(`/api/games/${encodeURIComponent(id)}/line`, { ply, moves } satisfies Continuation).then(({ steps }) =>
    steps.map(unfolded),
  );

export const fileOf = (id: string): string => `/api/games/${encodeURIComponent(id)}/file`;
