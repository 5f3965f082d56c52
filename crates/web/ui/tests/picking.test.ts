/** Where a touch of a square leads, on every kind of board, and who sits where. */

import { expect, test } from "vitest";
import { seatsOf, USUAL } from "../src/lib/choice";
import { seatText } from "../src/lib/i18n.svelte";
import { touched } from "../src/lib/picking";
import { MESSAGES, PREVIEW } from "../src/lib/samples";

const chess = MESSAGES.filter((message) => message.type === "state").find(({ game }) => game.startsWith("chess"));
if (!chess) throw new Error("no chess among the samples");
const at = { board: chess.board, look: chess.look, moves: chess.moves, free: false };

test("a piece is chosen, moved, let go of, and left for another", () => {
  expect(touched(at, [], 6, true)).toEqual({ path: [6] });
  expect(touched(at, [6], 6, true)).toEqual({ path: [] });
  expect(touched(at, [6], 1, true)).toEqual({ path: [1] });
  expect(touched(at, [6], 21, false)).toMatchObject({ path: [], play: { text: "g1f3" } });
});

test("squares that make no legal move are handed back: a piece of one's own alone, else with the way there", () => {
  expect(touched(at, [], 0, true)).toEqual({ path: [], wrong: [0] });
  expect(touched(at, [6], 0, true)).toEqual({ path: [], wrong: [0] });
  expect(touched(at, [6], 36, false)).toEqual({ path: [], wrong: [6, 36] });
});

test("the same squares may mean several moves", () => {
  const moves = ["a7a8q", "a7a8n"].map((text) => ({ text, squares: [48, 56] }));
  expect(touched({ ...at, moves }, [48], 56, false)).toEqual({ path: [], choose: moves });
});

test("where every empty square may be played on, no list of moves is needed", () => {
  const { board, look } = PREVIEW;
  const free = { board, look, moves: [], free: true };
  expect(touched(free, [], 3, false)).toEqual({ path: [], play: { text: "d1", squares: [3] } });
  const taken = { ...board, glyphs: `x${board.glyphs.slice(1)}` };
  expect(touched({ ...free, board: taken }, [], 0, false)).toEqual({ path: [], wrong: [0] });
});

test("on an upright board a click anywhere in a column drops into it", () => {
  const { board, look, moves } = PREVIEW;
  expect(touched({ board, look, moves, free: false }, [], 38, false)).toMatchObject({ play: { squares: [3] } });
});

test("a level opens by its book unless told; what thinks for itself has none", () => {
  expect(seatsOf(USUAL, false)).toEqual(["human", "bot:easy"]);
  expect(seatsOf({ ...USUAL, book: false }, true)).toEqual(["bot:easy,book=no", "human"]);
  expect(seatsOf({ ...USUAL, opponent: "watch", otherBook: false }, false)).toEqual(["bot:easy", "bot:medium,book=no"]);
  for (const level of ["random", "own", "engine:x"])
    expect(seatsOf({ ...USUAL, level, book: false }, false)[1]).not.toContain("book");
  expect(seatText("bot:easy,book=no")).toBe("Machine · Easy (without a book)");
  expect(seatText("bot:easy")).toBe("Machine · Easy");
});
