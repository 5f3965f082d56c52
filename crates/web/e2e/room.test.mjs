/** Who sits at a table and what is kept of it: engines by name, two people who settle things, the list of games. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { begin, click, PHONE, playByClicks, pleases, PROGRAM, stage, state, until, visit } from "./table.mjs";

let server, browser, page;
const zermelo = (...options) =>
  execFileSync(PROGRAM, options, { env: { ...process.env, ZERMELO_HOME: server.home }, encoding: "utf8" });

stage((now) => ({ server, browser, page } = now));

/** Two people at a table, the first of them here. */
async function together(family, game) {
  await begin(page, family, game, { against: "a friend, by link", side: "first" });
  const link = await page.getByLabel("Send this link to your friend").inputValue();
  return visit(browser, link);
}

test("an engine is given a name while the server runs, plays its games and is not offered for others", async () => {
  zermelo("engines", "add", "other-me", `hub:${PROGRAM} engine draughts:english`, "--game", "draughts:english");
  const listed = JSON.parse(zermelo("engines", "list", "--json"));
  assert.deepEqual(
    listed.engines.map(({ name, family }) => [name, family]),
    [["other-me", "draughts"]],
  );
  await page.reload();
  await page.getByRole("button", { name: "Chess", exact: true }).first().click();
  await page.getByLabel("Level").waitFor();
  assert.equal(await page.getByRole("option", { name: "other-me" }).count(), 0);
  await begin(page, "Draughts", "English", { level: "other-me", side: "first" });
  await page.getByText("Engine · other-me").waitFor();
  for (const ply of [0, 2]) {
    const now = await until(page, (now) => now.ply === ply && now.to_move === "first");
    await playByClicks(page, now.moves[0]);
  }
  await until(page, (now) => now.ply === 4);
  zermelo("engines", "remove", "other-me");
});

test("an engine that fails says so, and the table lives on", async () => {
  // It speaks for the trial, and is gone when it matters.
  const once = `sh -c "while read l; do case $l in uci) echo uciok;; isready) echo readyok;; go*) exit 3;; quit) exit;; esac; done"`;
  zermelo("engines", "add", "fragile", `uci:${once}`);
  await page.reload();
  await begin(page, "Chess", "Chess", { level: "fragile", side: "first" });
  await playByClicks(page, (await state(page)).moves[0]);
  await page.getByRole("heading", { name: "The machine cannot go on: fragile: the engine ended" }).waitFor();
  await page.getByRole("button", { name: "Take back", exact: true }).click();
  await until(page, (now) => now.ply === 0 && now.trouble === null);
  zermelo("engines", "remove", "fragile");
});

test("taking back is asked for, declined and granted; both see it, also after a reload", async () => {
  const friend = await together("Chess", "Chess");
  await playByClicks(page, { squares: [12, 28] });
  await friend.getByRole("heading", { name: "Your turn" }).waitFor();
  await page.getByRole("button", { name: "Ask to take back" }).click();
  await page.getByText("You asked to take back").waitFor();
  await friend.getByText("White asks to take back a move").waitFor();
  await friend.reload();
  await friend.getByText("White asks to take back a move").waitFor();
  await friend.getByRole("button", { name: "Decline" }).click();
  await page.getByText("Taking back was declined").waitFor();
  assert.equal(await page.getByRole("button", { name: "Ask to take back" }).count(), 0, "not asked again");
  await playByClicks(friend, { squares: [52, 36] });
  await page.getByRole("button", { name: "Ask to take back" }).click();
  await friend.getByRole("button", { name: "Accept" }).click();
  await until(page, (now) => now.ply === 0);
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  assert.deepEqual(friend.faults, []);
  await friend.context().close();
});

test("a draw is agreed, and another game follows with sides swapped", async () => {
  const friend = await together("Chess", "Chess");
  await playByClicks(page, { squares: [12, 28] });
  await friend.getByRole("button", { name: "Offer a draw" }).click();
  await page.getByText("Black offers a draw").waitFor();
  const watcher = await visit(browser, `${server.address}#/game/${(await state(page)).id}`);
  await watcher.getByText("Black offers a draw").waitFor();
  assert.equal(await watcher.getByRole("button", { name: "Accept" }).count(), 0);
  // By keyboard alone.
  await page.getByRole("button", { name: "Accept" }).focus();
  await page.keyboard.press("Enter");
  await friend.getByRole("heading", { name: "A draw by agreement" }).waitFor();
  await friend.getByRole("button", { name: "Ask for another game" }).click();
  const old = page.url();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.waitForURL((url) => String(url) !== old);
  await friend.getByRole("heading", { name: "Your turn" }).waitFor();
  assert.equal(friend.url(), page.url());
  await page.getByRole("heading", { name: "White is to move" }).waitFor();
  await playByClicks(friend, { squares: [11, 27] });
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  // Whoever goes back to the old game is not sent away again.
  await page.goto(old);
  await page.getByRole("link", { name: "To the next game" }).waitFor();
  await watcher.getByRole("link", { name: "To the next game" }).click();
  await watcher.getByRole("heading", { name: "Black is to move" }).waitFor();
  assert.deepEqual([friend.faults, watcher.faults], [[], []]);
  await friend.context().close();
  await watcher.context().close();
});

test("games are found again and played again, move by move and by themselves", async () => {
  await begin(page, "In a row", "Tic-tac-toe", { against: "a friend, here" });
  for (const square of [4, 0, 3, 8, 5]) {
    const { ply } = await state(page);
    await click(page, square);
    await until(page, (now) => now.ply === ply + 1);
  }
  await begin(await visitHome(), "Reversi", "Othello", { against: "a friend, here" });
  await playByClicks(page, (await state(page)).moves[0]);
  await until(page, (now) => now.ply === 1);

  await page.getByRole("link", { name: "History" }).click();
  const rows = page.locator(".history li");
  await page.getByLabel("Search").fill("toe");
  await rows.filter({ hasText: "Tic-tac-toe" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 1);
  await page.getByLabel("Search").fill("nothing at all");
  await page.getByText("There is no such game yet").waitFor();
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Family").selectOption("reversi");
  await rows.filter({ hasText: "Othello" }).waitFor();
  await page.getByLabel("Which games").selectOption("finished");
  await page.getByText("There is no such game yet").waitFor();
  await page.getByLabel("Family").selectOption("mnk");
  await rows.filter({ hasText: "1 – 0" }).first().waitFor();
  await page.locator("#language").selectOption("pl");
  await page.getByLabel("Szukaj").fill("kółko");
  await rows.filter({ hasText: "Kółko i krzyżyk" }).waitFor();
  // Whoever searches in one language finds nothing of it in another: the row is opened first.
  await rows.first().getByRole("link").click();
  await page.locator("#language").selectOption("en");
  await page.getByRole("heading", { name: "Cross wins" }).waitFor();
  const shown = (ply, text) => page.getByRole("status").filter({ hasText: text }).waitFor();
  const stones = (count) =>
    page.waitForFunction((count) => document.querySelectorAll(".board .piece").length === count, count);
  await shown(0, "Move 0 of 5");
  await page.getByRole("button", { name: "One move on" }).first().click();
  await shown(1, "Move 1 of 5: b2");
  await stones(1);
  await page.keyboard.press("End");
  await shown(5, "Last position: c2");
  await stones(5);
  await page.keyboard.press("ArrowLeft");
  await shown(4, "Move 4 of 5: c3");
  await page.keyboard.press("Home");
  await shown(0, "Move 0 of 5");
  await page.getByLabel("Speed").selectOption({ label: "0.5 seconds a move" });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await shown(5, "Last position: c2");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "game.sgf");
  await page.getByRole("link", { name: "Back to the list" }).click();
  assert.equal(await page.getByLabel("Search").inputValue(), "kółko", "the search stays");
});

async function visitHome() {
  await page.getByRole("link", { name: "New game" }).click();
  return page;
}

for (const scheme of ["light", "dark"]) {
  test(`list and replay please axe in the ${scheme} theme, and are no wider than a phone`, async () => {
    const phone = await visit(browser, server.address, { viewport: PHONE, colorScheme: scheme, bypassCSP: true });
    await begin(phone, "Chess", "Chess", { against: "a friend, here" });
    await playByClicks(phone, (await state(phone)).moves[0]);
    await until(phone, (now) => now.ply === 1);
    await phone.getByRole("link", { name: "History" }).click();
    await phone.locator(".history li").first().waitFor();
    await pleases(phone, "history");
    await phone.locator(".history li a").first().click();
    await phone.locator(".replay .board").waitFor();
    await pleases(phone, "replay");
    await phone.context().close();
  });
}
