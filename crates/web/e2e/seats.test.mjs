/** Who sits where, and pieces that stay what they are: seats that change, boards that are turned, elements that last. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, playByClicks, point, stage, state, until } from "./table.mjs";

let page;
stage((now) => ({ page } = now));

for (const [family, game] of [
  ["Chess", "Chess"],
  ["Reversi", "Othello"],
  ["Go", "9×9"],
]) {
  test(`after swapping sides at ${game} one plays on from the other side`, async () => {
    await begin(page, family, game, { level: "Beginner", side: "first" });
    await playByClicks(page, (await state(page)).moves[0]);
    await until(page, (now) => now.ply === 2);
    await page.getByRole("button", { name: "Swap sides" }).click();
    const now = await until(page, (now) => now.seats[1] === "human" && now.to_move === "second");
    await page.getByRole("heading", { name: "Your turn" }).waitFor();
    assert.match(await page.locator(".below .player").textContent(), /You/, "one's own plate is below");
    for (const name of ["Hint", "Take back"]) {
      assert.ok(await page.getByRole("button", { name, exact: true }).isEnabled(), name);
    }
    await playByClicks(page, now.moves[0]);
    await until(page, (next) => next.ply > now.ply);
  });
}

for (const [family, game, side] of [
  ["Draughts", "English", "first"],
  ["Draughts", "English", "second"],
  ["Draughts", "Pool", "first"],
  ["Draughts", "Pool", "second"],
  ["Draughts", "International", "second"],
  ["Chess", "Chess", "first"],
]) {
  test(`at ${game} the ${side} player sits below, beside the own plate`, async () => {
    await begin(page, family, game, { level: "Beginner", side });
    const now = await until(page, (now) => now.to_move === side);
    const mine = side === "first" ? "1" : "2";
    const height = async (owner) => {
      const squares = [...now.board.owners].flatMap((whose, square) => (whose === owner ? [square] : []));
      const points = await Promise.all(squares.map((square) => point(page, square)));
      return points.reduce((sum, { y }) => sum + y, 0) / points.length;
    };
    assert.ok((await height(mine)) > (await height(mine === "1" ? "2" : "1")), "one's own pieces are below");
    const colour = { White: "White", Black: "Black" }[now.colours[side === "first" ? 0 : 1]];
    assert.match(await page.locator(".below .player").textContent(), new RegExp(`${colour}.*You`));
    assert.match(await page.locator(".above .player").textContent(), /Machine/);
    await page.getByRole("button", { name: "Turn the board" }).click();
    assert.match(await page.locator(".above .player").textContent(), /You/, "plates turn with the board");
    assert.ok((await height(mine)) < (await height(mine === "1" ? "2" : "1")));
  });
}

test("two at one board and those who look on see it as the game has it", async () => {
  await begin(page, "Draughts", "English", { against: "a friend, here" });
  assert.match(await page.locator(".below .player").textContent(), /White/);
  const { board } = await state(page);
  const [one, last] = [await point(page, board.numbers.indexOf(1)), await point(page, board.numbers.indexOf(32))];
  assert.ok(last.y > one.y, "square 1 is above");
});

test("a piece that moves does not arrive anew", async () => {
  const arrivals = () => page.evaluate(() => globalThis.arrivals);
  await begin(page, "Chess", "Chess", { against: "a friend, here" });
  await page.waitForTimeout(400);
  await page.evaluate(() => {
    globalThis.arrivals = 0;
    addEventListener(
      "animationstart",
      (event) => (globalThis.arrivals += Number(event.animationName.endsWith("arrive"))),
    );
  });
  for (const text of ["e2e4", "d7d5", "g1f3", "b8c6", "e4d5", "d8d5", "b1c3", "d5a5"]) {
    const now = await state(page);
    await playByClicks(
      page,
      now.moves.find((move) => move.text === text),
    );
    await until(page, (next) => next.ply === now.ply + 1);
  }
  await page.waitForTimeout(400);
  assert.equal(await arrivals(), 0);
  await begin(await home(), "Go", "9×9", { against: "a friend, here" });
  await page.waitForTimeout(400);
  const before = await arrivals();
  await playByClicks(page, { squares: [40] });
  await until(page, (next) => next.ply === 1);
  await page.waitForTimeout(400);
  assert.equal((await arrivals()) - before, 1, "a new stone does");
});

async function home() {
  await page.getByRole("link", { name: "New game" }).click();
  return page;
}
