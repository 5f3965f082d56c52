/** A server of its own and a real browser for each file of tests. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, afterEach, before, beforeEach } from "node:test";
import { chromium } from "playwright-core";

export const PROGRAM = process.env.ZERMELO ?? "zermelo";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];
export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

export class Server {
  static async start(port = 0, home = mkdtempSync(join(tmpdir(), "zermelo-e2e-"))) {
    const server = new Server();
    server.home = home;
    const options = ["serve", "--port", String(port), "--json"];
    const environment = { ...process.env, ZERMELO_HOME: home };
    server.process = spawn(PROGRAM, options, { env: environment, stdio: ["ignore", "pipe", "inherit"] });
    // Whatever happens to the tests, no server is left behind.
    process.once("exit", () => server.process.kill("SIGKILL"));
    const lines = createInterface({ input: server.process.stdout });
    const first = await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      server.process.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    server.address = JSON.parse(first).address;
    return server;
  }

  get port() {
    return Number(new URL(this.address).port);
  }

  /** Ends it as a crash would. */
  async kill() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }

  async end() {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** WebGL without a graphics card. */
export const SOFTWARE_WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export const browse = (flags = []) =>
  chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags], ignoreDefaultArgs: ["--headless=old"] });

/** A browser of somebody's own, which remembers nothing yet. */
const somebody = (browser, options) => browser.newContext({ viewport: DESK, locale: "en-GB", ...options });

/** A browser window of somebody else's; what the page does wrong fails the test. */
export const visit = async (browser, address, options = {}) => enter(await somebody(browser, options), address);

async function enter(context, address) {
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION|400|404/.test(message.text()))
      page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.host !== new URL(address).host) page.faults.push(`asked ${url.host}`);
  });
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  return page;
}

/** A page in the same window as the ones before, of which the browser remembers nothing: quicker than another window. */
async function enterAnew(context, address) {
  const blank = await context.newPage();
  const browser = await context.newCDPSession(blank);
  await browser.send("Storage.clearDataForOrigin", { origin: new URL(address).origin, storageTypes: "local_storage" });
  const page = await enter(context, address);
  await blank.close();
  return page;
}

/** A server and a browser for a file of tests, and a page for each; `set` is told of them. */
export function stage(set, { flags = [], ...options } = {}) {
  const now = {};
  before(async () => {
    now.server = await Server.start();
    now.browser = await browse(flags);
    now.context = await somebody(now.browser, options);
  });
  after(async () => {
    await now.browser?.close();
    await now.server?.end();
  });
  beforeEach(async () => {
    now.page = await enterAnew(now.context, now.server.address);
    set(now);
  });
  afterEach(async () => {
    const { faults } = now.page;
    for (const page of now.context.pages()) await page.close();
    assert.deepEqual(faults, []);
  });
}

/** Sets up a game through the panel. */
export async function begin(page, family, game, { level, side, against, rules } = {}) {
  await page.getByRole("button", { name: family, exact: true }).first().click();
  if (game) await page.locator(".games").getByRole("button", { name: game, exact: true }).click();
  if (rules) await page.getByText("Rules and board", { exact: true }).click();
  if (rules?.size) {
    const [typed, chosen] = [page.getByLabel("Rows × columns"), page.locator(".parameters").getByLabel(/^Board/)];
    await typed.or(chosen).waitFor();
    if (await typed.count()) await typed.fill(rules.size);
    else await chosen.selectOption(rules.size);
  }
  if (against) await page.getByText(against, { exact: true }).click();
  const seconds = /^(\d+) s a move$/.exec(level ?? "")?.[1];
  if (level) await page.getByLabel("Level").selectOption({ label: seconds ? "as I like …" : level });
  if (seconds) await page.getByLabel(/Thinks \d+ seconds? a move/).fill(seconds);
  if (side) await page.getByLabel("You play").selectOption(side);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".table .board").waitFor();
}

/** The game as the server sees it. */
export async function state(page) {
  const id = new URL(page.url()).hash.split("/")[2];
  return page.evaluate(async (id) => (await fetch(`/api/games/${id}`)).json(), id);
}

/** Waits until the game is so. */
export async function until(page, wanted, what = "the game to change") {
  for (let i = 0; i < 400; i++) {
    const now = await state(page);
    if (wanted(now)) return now;
    await page.waitForTimeout(50);
  }
  throw new Error(`waited in vain for ${what}: ${JSON.stringify((await state(page)).position)}`);
}

/** The middle of a square on the screen. */
export async function point(page, square) {
  const { board } = await state(page);
  // A large board is there before it knows what it shows.
  await page.waitForFunction(() => {
    const drawn = document.querySelector(":is(.table, .classic) .board");
    // In three dimensions nothing is where it will be while it moves.
    if (drawn?.scene) return drawn.scene.stage.frames > 0 && !drawn.scene.stage.moving;
    return drawn && (drawn.dataset.view || drawn.querySelector(".field"));
  });
  return page.evaluate(
    ({ square, rows, columns, top }) => {
      const drawn = document.querySelector(":is(.table, .classic) .board");
      if (drawn.scene) return drawn.scene.pointOf(square);
      const flipped = drawn.dataset.flipped === "true";
      let row = Math.floor(square / columns);
      let column = square % columns;
      if (!top) row = rows - 1 - row;
      if (flipped) [row, column] = [rows - 1 - row, columns - 1 - column];
      if (drawn.dataset.view) {
        const [x, y, scale] = drawn.dataset.view.split(" ").map(Number);
        const box = drawn.getBoundingClientRect();
        return { x: box.x + (column + 0.5 - x) * scale, y: box.y + (row + 0.5 - y) * scale };
      }
      const field = drawn.querySelector(".field").getBoundingClientRect();
      return {
        x: field.x + ((column + 0.5) * field.width) / columns,
        y: field.y + ((row + 0.5) * field.height) / rows,
      };
    },
    { square, rows: board.rows, columns: board.columns, top: board.row_one === "top" },
  );
}

export async function click(page, square) {
  const { x, y } = await point(page, square);
  await page.mouse.click(x, y);
}

/** What axe finds serious on the page; the page must have been visited with `bypassCSP`. */
export async function violations(page) {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations
      .filter((one) => one.impact === "serious" || one.impact === "critical")
      .map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`);
  });
}

/** What every page on a phone must be: nothing serious for axe, and no wider than the screen. */
export async function pleases(page, where) {
  assert.deepEqual(await violations(page), [], where);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= PHONE.width, `${where} is ${wide} wide`);
}

/** Plays a move by clicking its squares. */
export async function playByClicks(page, move) {
  if (move.squares.length === 0) {
    await page.getByRole("button", { name: "Pass", exact: true }).click();
    return;
  }
  for (const square of move.squares) await click(page, square);
}
