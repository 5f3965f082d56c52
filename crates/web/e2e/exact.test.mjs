/** Tables of solved games: what every move is worth, on the board and beside it. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { begin, click, pleases, PHONE, PROGRAM, stage, state, until, visit } from "./table.mjs";

let server, browser, page;
stage((now) => ({ server, browser, page } = now));

const here = { against: "a friend, here" };
const solve = (game) => {
  const solved = spawnSync(PROGRAM, ["solve", game, "--proof", "strong"], {
    env: { ...process.env, ZERMELO_HOME: server.home },
  });
  assert.equal(solved.status, 0, String(solved.stderr));
};
const toggle = (page) => page.getByRole("button", { name: "Exact values", exact: true });

test("a game without a table offers nothing", async () => {
  await begin(page, "In a row", "Connect Four", here);
  assert.equal(await toggle(page).count(), 0);
});

test("every legal move has its value on the board and in the list, until it is switched off", async () => {
  solve("tictactoe");
  await begin(page, "In a row", "Tic-tac-toe", here);
  await toggle(page).click();
  await page.locator(".board .advice.exact").nth(8).waitFor({ state: "attached" });
  assert.equal(await page.locator(".exact .known").count(), 9);
  assert.equal(await page.locator(".exact .known .verdict.draw").count(), 9);
  for (const square of [0, 1]) {
    const { version } = await state(page);
    await click(page, square);
    await until(page, (now) => now.version > version);
  }
  await page.locator(".exact .known.best").first().waitFor();
  await page.locator(".exact > p").getByText("wins in 3 moves").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".board .advice.exact").length === 7);
  assert.equal(await page.locator(".board .advice.win.best text").first().textContent(), "3");
  // An earlier position has values of its own.
  await page.getByRole("button", { name: "One move back" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".board .advice.exact").length === 8);
  assert.equal(await page.locator(".exact .known.best").getAttribute("data-move"), "b2");
  assert.equal(await page.locator(".board .advice.loss").count(), 7);
  await toggle(page).click();
  await page.waitForFunction(() => document.querySelectorAll(".board .advice").length === 0);
  assert.equal(await page.locator(".exact").count(), 0);
});

test("margins are told for whoever moves", async () => {
  solve("reversi:4x4");
  await begin(page, "Reversi", null, { ...here, rules: { size: "4x4" } });
  await toggle(page).click();
  await page.locator(".board .advice.loss").nth(3).waitFor({ state: "attached" });
  assert.equal(await page.locator(".board .advice text").first().textContent(), "−10");
  await page.locator(".exact > p").getByText("end after 12 plies").waitFor();
});

test("it fits a phone, and everybody can read it", async () => {
  const phone = await visit(browser, server.address, { viewport: PHONE, bypassCSP: true });
  await begin(phone, "In a row", "Tic-tac-toe", here);
  await toggle(phone).click();
  await phone.locator(".exact .known").nth(8).waitFor();
  await pleases(phone, "exact values");
  await phone.context().close();
});
