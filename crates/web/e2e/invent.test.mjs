/** A game that somebody makes up: set by sliders and clicks, judged by the machine, shared by a link, in each language. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { playByClicks, stage, state, until, visit } from "./table.mjs";

let server, browser, page;
stage((now) => ({ server, browser, page } = now));

test("an invented game is judged, shared by a link and played", async () => {
  await page.goto(`${server.address}#/invent/mnk:3x4,k=3`);
  await page.locator(".preview .board").waitFor();
  await page.getByRole("button", { name: "Is it fair?" }).click();
  await page.getByText("Solved: with perfect play").waitFor();
  await page.getByLabel("Rows: 3").fill("5");
  await page.locator(".spec code").getByText("mnk:5x4,k=3", { exact: true }).waitFor();
  const link = await page.getByLabel("Link to this game").inputValue();
  const friend = await visit(browser, link);
  await friend.locator(".spec code").getByText("mnk:5x4,k=3", { exact: true }).waitFor();
  await friend.getByRole("button", { name: "Play", exact: true }).click();
  await friend.locator(".table .board").waitFor();
  const now = await state(friend);
  assert.equal(now.game, "mnk:5x4,k=3");
  await playByClicks(friend, now.moves[0]);
  await until(friend, (next) => next.ply >= 1);
  assert.deepEqual(friend.faults, []);
  await friend.context().close();
});
