import { expect, test } from "vitest";
import { frameOf, highlightsOf, isDark } from "../src/lib/board";
import { ownSide, isAlone } from "../src/lib/seats";
import { MESSAGES } from "../src/lib/samples";
import { noteText, statusText } from "../src/lib/status";
import type { TableState } from "../src/lib/types";
import { viewOf, type Seen } from "../src/lib/view";

const states = MESSAGES.filter((message) => message.type === "state");
const find = (game: string): TableState => {
  const found = states.find((state) => state.game.startsWith(game));
  if (!found) throw new Error(game);
  return found;
};
const chess = find("chess");
const won = find("mnk:3x3");
const draughts = find("draughts");

const seen = (game: TableState, more: Partial<Seen> = {}): Seen => ({
  game,
  rights: { host: false, first: true, second: false },
  online: true,
  past: null,
  step: null,
  path: [],
  thought: null,
  turned: false,
  ...more,
});

test("the reader's side is the one they hold alone", () => {
  expect(ownSide({ host: true, first: true, second: true })).toBeNull();
  expect(ownSide({ host: false, first: false, second: true })).toBe("second");
  expect(isAlone(chess, { host: true, first: true, second: false })).toBe(false);
  expect(isAlone(won, { host: false, first: true, second: false })).toBe(true);
});

test("whoever is to move has moves, others have none", () => {
  const mine = viewOf(seen(chess));
  expect(mine.mine).toBe(true);
  expect(mine.moves).toBe(chess.moves);
  expect(mine.task).toBe("turn.piece");
  expect(viewOf(seen(chess, { path: [12] })).task).toBe("turn.target");
  const theirs = viewOf(seen(chess, { rights: { host: false, first: false, second: true } }));
  expect(theirs.moves).toEqual([]);
  expect([theirs.below, theirs.flipped]).toEqual(["second", true]);
  expect(viewOf(seen(chess, { online: false })).moves, "a move waits for the connection").toBe(chess.moves);
  expect(viewOf(seen(chess, { past: chess })).moves).toEqual([]);
});

test("the board is turned once for the side below and back by hand", () => {
  expect(viewOf(seen(chess)).flipped).toBe(false);
  expect(viewOf(seen(chess, { turned: true })).flipped).toBe(true);
});

test("a status tells whose turn it is, a lost connection, an end", () => {
  const text = (one: Seen): string => statusText(one, viewOf(one));
  expect(text(seen(chess))).toBe("Your turn: choose a piece");
  expect(text(seen(chess, { online: false }))).toContain("Connection lost");
  expect(text(seen(chess, { rights: { host: false, first: false, second: false } }))).toBe("White is to move");
  expect(text(seen(won))).toBe("You win");
  expect(text(seen(won, { rights: { host: false, first: false, second: true } }))).toBe("You lose");
  expect(noteText(seen(won), viewOf(seen(won)))).toBe("3 in a row");
  expect(text(seen({ ...won, outcome: null, to_move: "second", paused: true }))).toContain("waits for you");
});

test("squares are marked from the bottom up", () => {
  const shown = {
    board: chess.board,
    look: chess.look,
    moves: chess.moves,
    path: [] as number[],
    last: [52, 36],
    check: null,
  };
  expect(highlightsOf(shown)).toEqual([
    { square: 52, kind: "last" },
    { square: 36, kind: "last" },
  ]);
  const knight = highlightsOf({ ...shown, path: [6] });
  expect(knight.filter(({ kind }) => kind === "chosen")).toEqual([{ square: 6, kind: "chosen" }]);
  expect(knight.filter(({ kind }) => kind === "target").map(({ square }) => square)).toEqual([12, 21, 23]);
  const line = highlightsOf({ board: won.board, look: won.look, moves: [], path: [], last: [], check: 0 });
  expect(line.filter(({ kind }) => kind === "winning")).toHaveLength(3);
  expect(line[0]).toEqual({ square: 0, kind: "check" });
});

test("where capturing is compulsory, the pieces that may move are shown", () => {
  const moves = [{ text: "20x9", squares: [22, 4] }];
  const shown = highlightsOf({ board: draughts.board, look: draughts.look, moves, path: [], last: [], check: null });
  expect(shown).toEqual([{ square: 22, kind: "movable" }]);
});

test("rims are even, and numbered squares need no room for names", () => {
  const frame = frameOf(chess.board);
  expect(frame.width - frame.across).toBeCloseTo(2 * frame.rim);
  expect(frame.height - frame.down).toBeCloseTo(2 * frame.rim);
  expect(frameOf(draughts.board).rim).toBeLessThan(frame.rim * 1.25);
});

test("a1 is dark, and only dark squares carry numbers", () => {
  expect(isDark(chess.board, 0)).toBe(true);
  expect(isDark(chess.board, 1)).toBe(false);
  const numbers = draughts.board.numbers ?? [];
  numbers.forEach((number, square) => expect(isDark(draughts.board, square)).toBe(number !== null));
});
