/** Boards in three dimensions, drawn by software: whole games by clicks on what is seen, and the classic scene. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, PHONE, playByClicks, pleases, SOFTWARE_WEBGL, stage, state, until, visit } from "./table.mjs";

/** Fewer pixels for a processor to draw. */
const SMALL = { width: 920, height: 560 };
let server, browser, page;
stage(
  (now) => {
    ({ server, browser, page } = now);
    patient(page);
  },
  { flags: SOFTWARE_WEBGL, viewport: SMALL },
);

/** A processor that draws everything may take its time. */
function patient(on) {
  on.setDefaultTimeout(60_000);
  return on;
}

/** Whole games take minutes where a processor draws every picture. */
const WHOLE = { skip: process.env.ZERMELO_LONG ? false : "minutes: cargo xtask test --long" };

const HERE = { against: "a friend, here" };

/** How the scene on a page stands. */
const scene = (on = page) =>
  on.evaluate(() => {
    const { stage } = document.querySelector("canvas.board").scene;
    return { frames: stage.frames, moving: stage.moving, quality: stage.options.quality };
  });

const rest = (on = page) =>
  on.waitForFunction(() => {
    const stage = document.querySelector("canvas.board")?.scene?.stage;
    return stage && stage.frames > 0 && !stage.moving;
  });

/** Waits until nothing is drawn for a second; then: how many frames there were. What never rests fails. */
async function stillness() {
  for (let i = 0; i < 15; i++) {
    const { frames } = await scene();
    await page.waitForTimeout(1000);
    if ((await scene()).frames === frames) return frames;
  }
  throw new Error("it is drawn all the time");
}

/** Switches to three dimensions and waits for the first picture. */
async function deepen(on = page) {
  await on.getByRole("button", { name: "3D", exact: true }).click();
  await rest(on);
}

/** Plays moves by clicks, each written so that `find` finds it among the legal ones. */
async function plays(on, moves, find) {
  for (const text of moves) {
    const now = await state(on);
    const move = find(now, text);
    assert.ok(move, `${text} in ${now.position}`);
    await playByClicks(on, move);
    // A machine may have answered already.
    await until(on, (next) => next.ply > now.ply, `${text} in ${now.position}`);
  }
}

const byText = (now, text) => now.moves.find((move) => move.text === text);
/** By the first and the last square. */
const byNumbers = (now, text) => {
  const [from, to] = text.split(/[-x]/).map((number) => now.board.numbers.indexOf(Number(number)));
  return now.moves.find((move) => move.squares[0] === from && move.squares.at(-1) === to);
};

// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858: castling, captures, mate.
const OPERA =
  "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 " +
  "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8";

test(
  "a whole game of chess by clicks on pieces, from 2D to 3D in the middle, seen from both sides",
  WHOLE,
  async () => {
    const moves = OPERA.split(" ");
    await begin(page, "Chess", "Chess", HERE);
    await plays(page, moves.slice(0, 6), byText);
    await deepen();
    assert.equal((await scene()).quality, "low", "a slow machine draws in low quality");
    await plays(page, moves.slice(6, 16), byText);
    await page.getByRole("button", { name: "Turn the board" }).click();
    await plays(page, moves.slice(16, 26), byText);
    await page.getByRole("button", { name: "3D", exact: true }).click();
    await page.locator("svg.board").waitFor();
    assert.equal(await page.locator("svg.board").getAttribute("data-flipped"), "true");
    await deepen();
    await plays(page, moves.slice(26), byText);
    const end = await state(page);
    assert.deepEqual([end.outcome.value, end.outcome.why.kind], ["first", "checkmate"]);
    await page.getByRole("heading", { name: "White wins" }).waitFor();
  },
);

test("a whole game of draughts with kings in 3D, for readers who do not like motion", WHOLE, async () => {
  const moves =
    "9-13 21-17 12-16 17-14 10x17 25-21 6-9 21x14 9x25 30x21 8-12 24-19 7-10 29-25 5-9 21-17 13x29 28-24 9-14 23-18 " +
    "14x30 31-26 30x23 27x18 16x23 18-15 10x28 32-27 23x32";
  const calm = patient(await visit(browser, server.address, { viewport: SMALL, reducedMotion: "reduce" }));
  await begin(calm, "Draughts", "English", HERE);
  await deepen(calm);
  await plays(calm, moves.split(" "), byNumbers);
  const end = await state(calm);
  assert.equal(end.outcome.value, "first");
  assert.equal(await calm.locator("canvas.board").count(), 1);
  assert.deepEqual(calm.faults, []);
  await calm.context().close();
});

test("a whole game of Reversi in 3D", WHOLE, async () => {
  await begin(page, "Reversi", "Reversi 6×6", HERE);
  await deepen();
  let now = await state(page);
  for (let i = 0; !now.outcome; i++) {
    const before = now;
    await playByClicks(page, now.moves[(i * 3 + 1) % now.moves.length]);
    now = await until(page, (next) => next.version > before.version);
  }
  const count = (side) => [...now.board.owners].filter((owner) => owner === side).length;
  assert.equal(Math.sign(count("1") - count("2")), { first: 1, draw: 0, second: -1 }[now.outcome.value]);
});

/** A game of two people here from a position. */
async function from(on, position) {
  const id = await on.evaluate(async (position) => {
    const body = JSON.stringify({ game: "chess", position, seats: ["human", "human"] });
    const answer = await fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const made = await answer.json();
    const kept = [{ id: made.id, game: "", at: Date.now(), tokens: Object.values(made.tokens) }];
    localStorage.setItem("zermelo.games", JSON.stringify(kept));
    return made.id;
  }, position);
  await on.goto(`${server.address}#/game/${id}`);
  await on.locator(".table .board").waitFor();
}

test("a pawn is promoted in 3D to what is chosen; nothing is drawn while nothing moves; what is in front is picked", async () => {
  await from(page, "7k/P7/8/8/8/3Q4/3P4/K7 w - - 0 1");
  await deepen();
  await click(page, 48);
  await click(page, 56);
  await page.getByRole("dialog").getByRole("button", { name: "Knight" }).click();
  const now = await until(page, (next) => next.ply === 1);
  assert.equal(now.line[0].text, "a7a8n");
  const before = await stillness();
  // A drag looks around and plays nothing.
  const box = await page.locator("canvas.board").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 - 40, { steps: 5 });
  await page.mouse.up();
  await rest();
  assert.ok((await scene()).frames > before, "moving");
  assert.equal((await state(page)).ply, 1);
  // Wherever the eye is, a point of a square is told at which the square is picked.
  const told = await page.evaluate(() => {
    const { stage } = document.querySelector("canvas.board").scene;
    return Array.from({ length: 64 }, (_, square) => {
      const at = stage.pointOf(square);
      return at === null || stage.pick(at.x, at.y) === square;
    });
  });
  assert.ok(told.every(Boolean));
});

test("a lost context and a browser without WebGL go back to 2D, and say why; the game goes on", async () => {
  await begin(page, "Chess", "Chess", HERE);
  await deepen();
  await plays(page, ["e2e4"], byText);
  await page.evaluate(() => {
    const gl = document.querySelector("canvas.board").getContext("webgl2");
    gl.getExtension("WEBGL_lose_context").loseContext();
  });
  await page.locator("svg.board").waitFor();
  await page.getByText("The graphics context was lost").waitFor();
  await plays(page, ["e7e5"], byText);
  await deepen();
  assert.equal(await page.getByText("The graphics context was lost").count(), 0);
  await plays(page, ["g1f3"], byText);

  const poor = patient(await visit(browser, server.address, { viewport: SMALL }));
  await poor.addInitScript(() => {
    const usual = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : usual.call(this, kind, ...rest);
    };
  });
  await poor.reload();
  await begin(poor, "In a row", "Tic-tac-toe", HERE);
  await poor.getByRole("button", { name: "3D", exact: true }).click();
  await poor.getByText("This browser has no WebGL").waitFor();
  await click(poor, 4);
  await until(poor, (now) => now.ply === 1);
  assert.deepEqual(poor.faults, []);
  await poor.context().close();
});

test("the classic scene plays its acceptance position: queen given away, mate in two", async () => {
  await page.getByRole("link", { name: "Classic scene" }).click();
  const white = page.getByRole("group", { name: "White" });
  const black = page.getByRole("group", { name: "Black" });
  assert.equal(await black.getByLabel("Greatest depth, or time").inputValue(), "depth=3");
  await white.getByLabel("Player").selectOption("bot");
  await white.getByLabel("Greatest depth, or time").selectOption("depth=5");
  await black.getByLabel("Player").selectOption("human");
  await page.getByLabel("FEN").fill("not a position");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("FEN").fill("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -");
  await page.getByRole("button", { name: "Start" }).click();
  const status = page.locator(".classic [role=status]");
  await status.filter({ hasText: "White (Bot) is calculating." }).waitFor();
  await status.filter({ hasText: "Black (Human), select piece to move." }).waitFor();
  const first = await state(page);
  assert.deepEqual(
    first.line.map((ply) => ply.text),
    ["g3g6"],
  );
  const search = page.getByLabel("The last search");
  assert.match(
    await search.textContent(),
    /Depth\s*[45].*g3g6.*White wins in 2 moves.*Principal variation\s*g3g6 \w{4} \w{4}/s,
  );
  // A piece that is pinned down by the rules: told in red.
  await click(page, 53);
  await status.filter({ hasText: "Black (Human), select square to move." }).waitFor();
  await click(page, 37);
  await page.getByRole("alert").filter({ hasText: "Illegal move" }).waitFor();
  await status.filter({ hasText: "Black (Human), select piece to move." }).waitFor();
  await page.getByRole("button", { name: "Turn the camera" }).click();
  await plays(page, ["f7g6"], byText);
  await status.filter({ hasText: "White (Bot) has won." }).waitFor();
  const end = await state(page);
  assert.deepEqual(
    end.line.map((ply) => ply.text),
    ["g3g6", "f7g6", "e5g6"],
  );
  assert.equal(end.outcome.why.kind, "checkmate");
  await click(page, 52);
  assert.equal(await page.locator("canvas.board.live").count(), 0, "the board is dead");
  await page.getByRole("link", { name: "Exit Game" }).click();
  await page.getByRole("heading", { name: "What shall we play?" }).waitFor();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious in 3D on a phone in the ${colorScheme} theme`, async () => {
    const phone = patient(
      await visit(browser, server.address, { viewport: PHONE, colorScheme, bypassCSP: true, hasTouch: true }),
    );
    await phone.goto(`${server.address}#/classic`);
    await phone.getByRole("button", { name: "Start" }).waitFor();
    await pleases(phone, "classic menu");
    await phone.getByRole("button", { name: "Start" }).click();
    await rest(phone);
    await pleases(phone, "classic scene");
    await phone.getByRole("link", { name: "Exit Game" }).click();
    await begin(phone, "Go", "9×9", HERE);
    await deepen(phone);
    await pleases(phone, "table in 3D");
    await phone.context().close();
  });
}
