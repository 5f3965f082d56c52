/** What the machine thinks: arrows, lines that are played through, the course of a game, its review. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, PHONE, pleases, stage, state, until, visit } from "./table.mjs";

let server, browser, page;
stage((now) => ({ server, browser, page } = now));

const here = { against: "a friend, here" };
/** The second player answers a corner at the edge, and has lost. */
const BLUNDERED = [0, 1, 4, 8, 3, 6, 5];

async function play(page, squares) {
  for (const square of squares) {
    const { version } = await state(page);
    await click(page, square);
    await until(page, (now) => now.version > version);
  }
}

const hint = async (page) => {
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.locator(".thinking .line").nth(2).waitFor();
};

test("a hint shows several arrows, the best one thickest, and moves as people write them", async () => {
  await begin(page, "Chess", "Chess", here);
  await hint(page);
  await page.locator(".board .advice polygon").nth(2).waitFor({ state: "attached" });
  const widths = await page.evaluate(() =>
    ["1", "2", "3"].map((rank) =>
      Number(document.querySelector(`.advice[data-rank="${rank}"] polyline`).getAttribute("stroke-width")),
    ),
  );
  assert.ok(widths[0] > widths[1] && widths[1] > widths[2], String(widths));
  const notation = await page.locator(".thinking .line .step").first().textContent();
  assert.match(notation, /^([NBRQK]|[a-h])[a-h1-8x]*[1-8]$/);
  assert.ok(notation.length < 4, notation);
  await page.getByText("The thicker, the better").waitFor();
});

test("what is proved has its sign on the board, in the list and in the legend", async () => {
  await begin(page, "In a row", "Tic-tac-toe", here);
  await play(page, [0, 1]);
  await hint(page);
  await page.getByRole("button", { name: "Hint", exact: true }).waitFor();
  await page.locator(".board .advice.win .badge").first().waitFor({ state: "attached" });
  await page.locator(".thinking .line .verdict.win").first().waitFor();
  await page.locator(".legend").getByText("proved win").waitFor();
  assert.equal(await page.locator(".board .advice text").first().textContent(), "3");
});

test("pointing at a move of a line shows the position after it, until one leaves", async () => {
  await begin(page, "Chess", "Chess", here);
  await hint(page);
  await page.getByRole("button", { name: "Hint", exact: true }).waitFor();
  const steps = page.locator(".thinking .line").first().locator(".step");
  await steps.nth(1).hover();
  await page.locator(".step.now").waitFor();
  const pieces = () => page.locator(".board .piece").evaluateAll((all) => all.map((one) => one.dataset.square).sort());
  const start = (await state(page)).board;
  const home = [..."abcdefgh"].flatMap((column) => [1, 2, 7, 8].map((row) => `${column}${row}`)).sort();
  assert.equal(start.owners.length, 64);
  await page.waitForFunction(() => document.querySelectorAll(".board .last").length === 2);
  const there = await pieces();
  const moved = there.filter((square) => !home.includes(square));
  assert.equal(moved.length + (32 - there.length), 2, "both sides have moved");
  assert.equal((await state(page)).version, 0, "nothing was played");
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => document.querySelectorAll(".board .last").length === 0);
  assert.deepEqual(await pieces(), home);
  // By keys as well: the line, then its second move.
  await page.locator(".thinking .line").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.locator(".step.now").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".step.now").waitFor({ state: "detached" });
});

test("a game against a machine has its graph, and a click on it shows the position", async () => {
  await begin(page, "In a row", "Connect Four", { level: "Easy", side: "first" });
  for (const ply of [2, 4, 6]) {
    const { moves } = await state(page);
    await click(page, moves[moves.length >> 1].squares[0]);
    await until(page, (now) => now.ply === ply);
  }
  const graph = page.getByRole("slider", { name: "Chances" });
  await graph.locator("canvas").waitFor();
  const { opinions } = await state(page);
  assert.deepEqual(
    opinions.map((one) => one.ply),
    [1, 3, 5],
  );
  await graph.scrollIntoViewIfNeeded();
  const box = await graph.boundingBox();
  await page.mouse.click(box.x + 8 + ((box.width - 16) * 3) / 6, box.y + box.height / 2);
  await page.getByRole("heading", { name: "You are looking at move 3" }).waitFor();
  assert.equal(await page.locator(".board .piece").count(), 3);
  await graph.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "You are looking at move 2" }).waitFor();
  await page.reload();
  await graph.locator("canvas").waitFor();
  await page.getByText("As a list").click();
  await page.locator(".course details li").nth(2).getByRole("button").click();
  await page.getByRole("heading", { name: "You are looking at move 5" }).waitFor();
});

test("a review marks the blunder, says what was better, and stays", async () => {
  await begin(page, "In a row", "Tic-tac-toe", here);
  await play(page, BLUNDERED);
  await page.getByRole("button", { name: "Review the game" }).click();
  const turns = page.locator(".turns button");
  await turns.first().waitFor();
  assert.deepEqual(await turns.count(), 1);
  assert.match(await turns.first().textContent(), /1… b1\?\?.*blunder.*better: b2/);
  assert.equal(await page.locator(".moves .mark").textContent(), "??");
  await turns.first().click();
  await page.getByRole("heading", { name: "You are looking at move 1" }).waitFor();
  await page.locator(".board .advice").waitFor({ state: "attached" });
  const { id } = await state(page);
  const guest = await visit(browser, `${server.address}#/history/${id}`, { viewport: PHONE, bypassCSP: true });
  await guest.locator(".turns button").waitFor();
  await guest.locator(".graph canvas").waitFor();
  await pleases(guest, "a reviewed game");
  for (const [language, words] of [
    ["pl", "Punkty zwrotne"],
    ["sk", "Zlomové ťahy"],
    ["sr", "Преломни потези"],
    ["sr-Latn", "Prelomni potezi"],
  ]) {
    await guest.locator("#language").selectOption(language);
    await guest.getByRole("heading", { name: words }).waitFor();
    await guest.waitForTimeout(100);
    const wide = await guest.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= PHONE.width, `${language} is ${wide} wide`);
  }
  assert.deepEqual(guest.faults, []);
  await guest.context().close();
});

test("a review on the page of replays shows how far it is, and can be stopped", async () => {
  await begin(page, "Chess", "Chess", here);
  const input = page.getByLabel("Type a move");
  for (const move of ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"]) {
    const { ply } = await state(page);
    await input.fill(move);
    await page.keyboard.press("Enter");
    await until(page, (now) => now.ply === ply + 1, move);
  }
  const { id } = await state(page);
  await page.goto(`${server.address}#/history/${id}`);
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".course progress").waitFor();
  await page.locator(".course").getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Review the game" }).waitFor();
  await until2(page, async () => {
    await page
      .getByRole("button", { name: "Review the game" })
      .click({ timeout: 1000 })
      .catch(() => undefined);
    return (await page.locator(".turns button").count()) > 0 || (await page.locator(".course progress").count()) > 0;
  });
  await page.locator(".turns button").first().waitFor();
  assert.match(await page.locator(".turns").textContent(), /3… Nf6\?\?/);
});

/** Whoever stopped a review may have to wait a moment before the next. */
async function until2(page, done) {
  for (let i = 0; i < 40; i++) {
    if (await done()) return;
    await page.waitForTimeout(250);
  }
  throw new Error("waited in vain");
}
