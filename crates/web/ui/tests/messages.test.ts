/** Every message in both directions. What the server says is in `samples.ts`, which the compiler holds against the types. */

import { expect, test } from "vitest";
import REQUESTS from "../src/lib/requests.json";
import { FAMILIES, HISTORY, MESSAGES, PREVIEW } from "../src/lib/samples";
import { unfolded } from "../src/lib/runs";
import type { Message, Request, Wish } from "../src/lib/types";

/** One of each kind that the page may say; the compiler misses one that is not here. */
const said: { [K in Request["type"]]: Extract<Request, { type: K }> } = {
  hello: { type: "hello", tokens: ["secret"], since: null, name: null, claim: null },
  sync: { type: "sync", version: 3 },
  name: { type: "name", name: "Ada" },
  play: { type: "play", move: "e2e4", version: 3 },
  why_not: { type: "why_not", squares: [12, 36], version: 3 },
  undo: { type: "undo" },
  redo: { type: "redo" },
  resign: { type: "resign" },
  claim: { type: "claim" },
  agree: { type: "agree", text: "D4" },
  swap: { type: "swap" },
  offer: { type: "offer", what: "draw" },
  accept: { type: "accept", what: "rematch" },
  decline: { type: "decline" },
  pause: { type: "pause" },
  resume: { type: "resume" },
  move_now: { type: "move_now" },
  pace: { type: "pace", milliseconds: 400 },
  hint: { type: "hint", lines: 3 },
  stop_hint: { type: "stop_hint" },
  exact: { type: "exact", on: true },
  review: { type: "review" },
  stop_review: { type: "stop_review" },
};

test("what the page says is what the server's tests read", () => {
  expect(Object.values(said)).toEqual(REQUESTS);
});

test("every kind of message has been said", () => {
  const all: Record<Message["type"], true> = {
    welcome: true,
    state: true,
    current: true,
    thinking: true,
    people: true,
    quiet: true,
    refused: true,
  };
  expect(new Set(MESSAGES.map((message) => message.type))).toEqual(new Set(Object.keys(all)));
});

test("states tell a letter for each square, those of large boards when they are unfolded", () => {
  for (const message of MESSAGES) {
    if (message.type !== "state") continue;
    const { board } = unfolded(message);
    expect(board.glyphs.length).toBe(board.rows * board.columns);
    expect(board.owners.length).toBe(board.rows * board.columns);
  }
});

test("lists and previews are there", () => {
  const wishes: Wish[] = ["undo", "draw", "rematch"];
  expect(wishes).toHaveLength(3);
  expect(FAMILIES.map((family) => family.name)).toContain("chess");
  expect(HISTORY.games.length).toBeGreaterThan(0);
  expect(PREVIEW.look.board).toBe("rack");
});
