/** A whole game of each family against a bot, from its start to its end by the rules, by clicks alone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, playByClicks, stage, state, until } from "./table.mjs";

let page;
stage((now) => ({ page } = now));

/** The same numbers in every run. */
function dice(seed) {
  let now = seed;
  return (sides) => {
    now = (Math.imul(now, 1103515245) + 12345) >>> 0;
    return Math.floor((now / 2 ** 32) * sides);
  };
}

const finished = { first: "You win", second: "You lose", draw: "A draw" };

/** Plays with `turn` until the rules end the game, and sees that the page says how. */
async function toTheEnd(turn) {
  for (let i = 0; ; i++) {
    const now = await until(page, (next) => next.to_move === "first" || next.outcome !== null);
    if (now.outcome) {
      assert.equal(now.outcome.reason, "rules");
      assert.deepEqual(now.moves, []);
      await page.getByRole("heading", { name: finished[now.outcome.value] }).waitFor();
      await page.getByRole("button", { name: "Play again, sides swapped" }).waitFor();
      return now;
    }
    await page.locator(".board.live").waitFor();
    await turn(now, i);
    await until(page, (next) => next.version > now.version, `${now.position} to go on`);
  }
}

/** Chooses a piece that can move, then one of the squares that the page shows. */
const pieceByPiece = (roll) => async (now) => {
  const pieces = [...new Set(now.moves.map((move) => move.squares[0]))];
  const from = pieces[roll(pieces.length)];
  await click(page, from);
  const shown = page.locator(".board :is(.target, .take)");
  await shown.first().waitFor();
  const of = now.moves.filter((move) => move.squares[0] === from);
  const ends = new Set(of.flatMap((move) => move.squares.slice(1)));
  assert.equal(await shown.count(), ends.size, "all squares to go to are shown");
  for (let clicks = 0; clicks < 12; clicks++) {
    const count = await shown.count();
    if (count === 0) break;
    const box = await shown.nth(roll(count)).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const dialog = page.getByRole("dialog");
    if (await dialog.isVisible()) await dialog.getByRole("button").first().click();
    const after = await state(page);
    if (after.version > now.version) return;
    await page.waitForTimeout(60);
  }
};

test("chess, to mate or a draw", async () => {
  await begin(page, "Chess", "Chess", { level: "Hard", side: "first" });
  const end = await toTheEnd(pieceByPiece(dice(7)));
  assert.ok(end.ply >= 4);
});

test("draughts, until a side cannot move", async () => {
  await begin(page, "Draughts", "English", { level: "Hard", side: "first" });
  await toTheEnd(pieceByPiece(dice(3)));
});

test("Reversi, until nobody can move", async () => {
  await begin(page, "Reversi", "Reversi 6×6", { level: "Easy", side: "first" });
  const end = await toTheEnd((now, i) => playByClicks(page, now.moves[(i * 3 + 1) % now.moves.length]));
  const count = (side) => [...end.board.owners].filter((owner) => owner === side).length;
  assert.equal(Math.sign(count("1") - count("2")), { first: 1, draw: 0, second: -1 }[end.outcome.value]);
});

test("Go, until both pass", async () => {
  await begin(page, "Go", "9×9", { level: "Easy", side: "first", rules: { size: "4x4" } });
  const end = await toTheEnd((now, i) => {
    const pass = now.moves.find((move) => move.squares.length === 0);
    const stones = now.moves.filter((move) => move !== pass);
    const enough = i > 8 || stones.length === 0 || now.line.at(-1)?.text === "pass";
    return playByClicks(page, enough ? pass : stones[(i * 5) % stones.length]);
  });
  assert.deepEqual(
    end.line.slice(-2).map((ply) => ply.text),
    ["pass", "pass"],
  );
});

test("Connect Four, until four are in a row or the board is full", async () => {
  await begin(page, "In a row", "Connect Four", { level: "Beginner", side: "first" });
  const end = await toTheEnd((now, i) => playByClicks(page, now.moves[(i * 3 + 1) % now.moves.length]));
  assert.ok(end.board.line.length >= 4 || end.ply === 42);
});

test("five in a row, until somebody has them", async () => {
  await begin(page, "In a row", "Gomoku", { level: "Medium", side: "first" });
  const roll = dice(5);
  const end = await toTheEnd((now) => playByClicks(page, now.moves[roll(now.moves.length)]));
  assert.equal(end.board.line.length, 5);
  assert.equal(await page.locator(".board .winning").count(), 5);
});
