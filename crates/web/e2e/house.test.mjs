/** What a page must stand: reloads, a lost server, two browsers, other languages, all readers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, PHONE, playByClicks, pleases, Server, stage, state, until, visit } from "./table.mjs";

/** What is called the same everywhere. */
const NAMES = new Set(["Komi"]);

let server, browser, page;
stage((now) => ({ server, browser, page } = now));

test("a reload in the middle of a game changes nothing", async () => {
  await begin(page, "Reversi", "Othello", { level: "Easy", side: "first" });
  await playByClicks(page, (await state(page)).moves[0]);
  const before = await until(page, (now) => now.ply === 2);
  await page.reload();
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  await playByClicks(page, before.moves[0]);
  await until(page, (now) => now.ply === 4);
});

test("two browsers play each other by a link", async () => {
  await begin(page, "In a row", "Tic-tac-toe", { against: "a friend, by link", side: "first" });
  const link = await page.getByLabel("Send this link to your friend").inputValue();
  const friend = await visit(browser, link);
  await friend.getByRole("heading", { name: "Cross is to move" }).waitFor();
  assert.ok(!friend.url().includes(link.split("/").at(-1)), "the secret leaves the address");
  await click(friend, 0);
  assert.equal((await state(page)).ply, 0, "not one's turn");
  await click(page, 4);
  await friend.getByRole("heading", { name: "Your turn" }).waitFor();
  await click(friend, 0);
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  const watcher = await visit(browser, `${server.address}#/game/${(await state(page)).id}`);
  await watcher.getByRole("heading", { name: "Cross is to move" }).waitFor();
  await click(watcher, 8);
  assert.equal((await state(page)).ply, 2, "lookers-on do not play");
  assert.equal(await watcher.getByRole("button", { name: "Resign" }).count(), 0);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  await friend.getByRole("heading", { name: "You win" }).waitFor();
  assert.deepEqual([friend.faults, watcher.faults], [[], []]);
  await friend.context().close();
  await watcher.context().close();
});

test("a server that dies and comes back finds its players waiting", async () => {
  const first = await Server.start();
  const guest = await visit(browser, first.address);
  await begin(guest, "In a row", "Tic-tac-toe", { against: "a friend, here" });
  await click(guest, 4);
  await until(guest, (now) => now.version === 1);
  await first.kill();
  await guest.getByRole("heading", { name: "Connection lost" }).waitFor();
  const second = await Server.start(first.port, first.home);
  await guest.getByRole("heading", { name: "Nought is to move" }).waitFor();
  await click(guest, 0);
  await until(guest, (now) => now.version === 2 && now.line[0].squares[0] === 4);
  await guest.context().close();
  await second.end();
});

test("two machines are watched, paused and set going again", async () => {
  await begin(page, "In a row", "Connect Four", { against: "watch two machines" });
  await until(page, (now) => now.ply >= 2);
  await page.getByRole("button", { name: "Stop thinking" }).click();
  const paused = await until(page, (now) => now.paused);
  await page.getByRole("button", { name: "Go on" }).click();
  await until(page, (now) => now.ply > paused.ply);
});

test("languages change all words, and stay", async () => {
  const title = page.locator("h1");
  for (const [language, words] of [
    ["pl", "W co zagramy?"],
    ["sk", "Čo si zahráme?"],
    ["sr", "Шта ћемо да играмо?"],
    ["sr-Latn", "Šta ćemo da igramo?"],
  ]) {
    await page.locator("#language").selectOption(language);
    await title.filter({ hasText: words }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), language);
  }
  await page.reload();
  await title.filter({ hasText: "Šta ćemo" }).waitFor();
});

/** What the panel says of the rules of each family, and of a position, a move and a click that are wrong. */
async function saidIn(language) {
  await page.goto(server.address);
  await page.locator("#language").selectOption(language);
  await page.waitForFunction((tag) => document.documentElement.lang === tag, language);
  const said = [];
  const families = page.locator(".families button");
  await families.first().waitFor();
  for (let i = 0; i < (await families.count()); i++) {
    await families.nth(i).click();
    said.push(...(await page.locator(".parameters :is(legend, span, small, option)").allTextContents()));
  }
  const alert = page.getByRole("alert");
  await page.locator("details:has(textarea) > summary").click();
  await page.locator("textarea").fill("8/8/8/8/8/8/8/8 w - - 0 1");
  said.push(await alert.textContent());
  await page.locator("textarea").fill("");
  await alert.waitFor({ state: "detached" });
  await page.locator(".segments label").nth(1).click();
  await page.locator(".setup .main").click();
  await page.locator(".table .board").waitFor();
  await page.locator("#typed").fill("Ke5");
  await page.keyboard.press("Enter");
  said.push(await alert.textContent());
  await click(page, 12);
  await alert.waitFor({ state: "detached" });
  await click(page, 36);
  said.push(await alert.textContent());
  return said.map((text) => text.trim()).filter((text) => /\p{L}{3}/u.test(text));
}

test("rules, refused positions and refused moves are told in each language", async () => {
  const english = new Set(await saidIn("en"));
  assert.ok(english.size > 40, `${english.size} texts`);
  for (const language of ["pl", "sk", "sr", "sr-Latn"]) {
    const said = await saidIn(language);
    assert.ok(said.length > 40);
    assert.deepEqual(
      said.filter((text) => english.has(text) && !NAMES.has(text)),
      [],
      language,
    );
  }
});

test("moves are heard, unless sounds are off, and that is remembered", async () => {
  // Counts what would be heard: there is no loudspeaker here.
  await page.addInitScript(() => {
    globalThis.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      globalThis.tones++;
      return start.apply(this, when);
    };
  });
  await page.reload();
  const heard = (least) => page.waitForFunction((n) => globalThis.tones >= n, least);
  await begin(page, "In a row", "Tic-tac-toe", { against: "a friend, here" });
  const speaker = page.getByRole("button", { name: "Sounds" });
  assert.equal(await speaker.getAttribute("aria-pressed"), "true");
  assert.equal(await page.evaluate(() => globalThis.tones), 0);
  await click(page, 4);
  await heard(1);
  const before = await page.evaluate(() => globalThis.tones);
  await page.getByLabel("Type a move").fill("b2");
  await page.keyboard.press("Enter");
  await heard(before + 1);
  await speaker.click();
  assert.equal(await speaker.getAttribute("aria-pressed"), "false");
  const silent = await page.evaluate(() => globalThis.tones);
  await click(page, 0);
  await page.waitForFunction(() => document.querySelectorAll(".table .piece").length === 2);
  assert.equal(await page.evaluate(() => globalThis.tones), silent);
  await page.reload();
  await page.locator(".table .board").waitFor();
  assert.equal(await speaker.getAttribute("aria-pressed"), "false");
});

test("a link to nowhere says so", async () => {
  await page.goto(`${server.address}#/game/nowhere`);
  await page.getByRole("heading", { name: "There is no such game here" }).waitFor();
});

test("the page is small and asks nobody else", async () => {
  const sizes = new Map();
  const fresh = await visit(browser, server.address);
  fresh.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (/\.(js|css)$/.test(pathname)) sizes.set(pathname, Number(response.headers()["content-length"]));
    if (/\.(js|css)$/.test(pathname)) assert.equal(response.headers()["content-encoding"], "gzip");
  });
  await fresh.reload();
  await fresh.locator(".games button").first().waitFor();
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(total > 0 && total <= 70 * 1024, `${total} bytes`);
  assert.deepEqual(fresh.faults, []);
  await fresh.context().close();
});

for (const scheme of ["light", "dark"]) {
  test(`axe finds nothing serious in the ${scheme} theme, and nothing is wider than a phone`, async () => {
    const phone = await visit(browser, server.address, { viewport: PHONE, colorScheme: scheme, bypassCSP: true });
    await phone.locator(".games button").first().waitFor();
    await pleases(phone, "new game");
    await begin(phone, "Chess", "Chess", { level: "Beginner", side: "first" });
    await playByClicks(phone, (await state(phone)).moves[0]);
    await until(phone, (now) => now.ply === 2);
    await phone.waitForTimeout(400);
    await pleases(phone, "table");
    await phone.context().close();
  });
}
