/** Boards too large for one look: drawn on a canvas, with pan and zoom. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, PHONE, point, stage, state, until, violations, visit } from "./table.mjs";

let server, browser, page;
stage((now) => ({ server, browser, page } = now));

const SIDE = 250;
const square = (row, column) => (row - 1) * SIDE + column - 1;
const MIDDLE = square(126, 126);

const beginBig = (page, options) =>
  begin(page, "In a row", "Gomoku", { rules: { size: `${SIDE}x${SIDE}` }, ...options });

/** Waits until what is seen no longer moves; then: the corner and the pixels a square. */
async function view(page) {
  const read = () => page.locator(".table .board").getAttribute("data-view");
  for (let before = null, now; ; before = now) {
    now = await read();
    if (now !== null && now === before) {
      const [x, y, scale] = now.split(" ").map(Number);
      return { x, y, scale };
    }
    await page.waitForTimeout(120);
  }
}

/** The colour on a square, so many widths of a square beside its middle. */
async function colour(page, at, beside) {
  const { scale } = await view(page);
  const { x, y } = await point(page, at);
  return page.evaluate(
    ({ x, y }) => {
      const canvas = document.querySelector(".table .board");
      const box = canvas.getBoundingClientRect();
      if (x < box.x || y < box.y || x > box.right || y > box.bottom) throw new Error("not in sight");
      const density = canvas.width / box.width;
      return [...canvas.getContext("2d").getImageData((x - box.x) * density, (y - box.y) * density, 1, 1).data];
    },
    { x: x + beside * scale, y },
  );
}

/** How light a stone is, from 0 to 255; in the middle the last move has its mark. */
async function lightness(page, at) {
  const [r, g, b] = await colour(page, at, 0.28);
  return (r + g + b) / 3;
}

test("250x250: stones by clicks, the machine answers, both are seen", async () => {
  await beginBig(page, { level: "Beginner", side: "first" });
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  assert.equal(await page.locator(".table svg.board").count(), 0);
  await view(page);
  await click(page, MIDDLE);
  const now = await until(page, (next) => next.ply === 2);
  assert.deepEqual(now.line[0].squares, [MIDDLE]);
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  // The machine's answer, near the only stone, is brought into sight; a taken square is not played on.
  const answer = now.line[1].squares[0];
  assert.ok((await lightness(page, answer)) > 190, "a white stone");
  await click(page, answer);
  const beside = answer + 1 === MIDDLE ? answer - 1 : answer + 1;
  await click(page, beside);
  await until(page, (next) => next.line[2]?.squares[0] === beside);
  await page.waitForFunction(() => document.querySelectorAll(".moves li button").length === 4);
  await page.getByRole("button", { name: "One move back" }).click();
  await page.getByRole("heading", { name: "You are looking at move 3" }).waitFor();
  assert.ok((await lightness(page, beside)) < 90, "a black stone");
});

test("250x250: states are small, and say what may be played", async () => {
  await beginBig(page, { against: "a friend, here" });
  await click(page, MIDDLE);
  const now = await until(page, (next) => next.ply === 1);
  assert.ok(JSON.stringify(now).length < 5_000, `${JSON.stringify(now).length} letters`);
  assert.deepEqual([now.free, now.moves, now.position], [true, [], null]);
});

test("250x250: drag pans, wheel and buttons zoom, a tap on tiny squares comes nearer", async () => {
  await beginBig(page, { against: "a friend, here" });
  const first = await view(page);
  const from = await point(page, MIDDLE);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 130, from.y + 52, { steps: 5 });
  await page.mouse.up();
  const panned = await view(page);
  assert.ok(Math.abs((panned.x - first.x) * first.scale - 130) < 1, "130 pixels to the right");
  assert.ok(Math.abs((first.y - panned.y) * first.scale - 52) < 1, "52 pixels up");
  assert.equal((await state(page)).ply, 0, "dragging plays nothing");
  await page.mouse.wheel(0, -300);
  const nearer = await view(page);
  assert.ok(nearer.scale > panned.scale * 1.2);
  await page.getByRole("button", { name: "Whole board" }).click();
  const whole = await view(page);
  assert.ok(whole.scale < 4);
  assert.ok(await page.getByRole("button", { name: "Farther" }).isDisabled());
  await click(page, square(200, 50));
  const close = await view(page);
  assert.ok(close.scale > 20);
  assert.equal((await state(page)).ply, 0, "too small to be meant");
  await click(page, square(200, 50));
  await until(page, (next) => next.line[0]?.squares[0] === square(200, 50));
  await page.getByRole("button", { name: "Closer" }).click();
  assert.ok((await view(page)).scale > close.scale);
});

test("250x250: the keyboard alone plays, the view follows, and squares are spoken", async () => {
  await beginBig(page, { against: "a friend, here" });
  const first = await view(page);
  await page.locator(".table .board").focus();
  const spoken = page.locator(".place [aria-live]");
  await spoken.filter({ hasText: "dv126: empty" }).waitFor({ state: "attached" });
  for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("ArrowUp");
  await spoken.filter({ hasText: "fj127: empty" }).waitFor({ state: "attached" });
  const moved = await view(page);
  assert.ok(moved.x > first.x + 10, "the view has followed");
  await page.keyboard.press("Enter");
  await until(page, (next) => next.line[0]?.squares[0] === square(127, 166));
  await spoken.filter({ hasText: "fj127: Black" }).waitFor({ state: "attached" });
  await page.keyboard.press("0");
  assert.ok((await view(page)).scale < 4);
  for (let i = 0; i < 9; i++) await page.keyboard.press("+");
  const near = await view(page);
  const at = await point(page, square(127, 166));
  const box = await page.locator(".table .board").boundingBox();
  assert.ok(near.scale > 20 && at.x > box.x && at.x < box.x + box.width, "zooms to the cursor");
  await page.getByLabel("Type a move").fill("ip250");
  await page.keyboard.press("Enter");
  await until(page, (next) => next.line[1]?.text === "ip250");
});

test("250x250: two fingers zoom, one pans, a tap plays", async () => {
  const phone = await visit(browser, server.address, { viewport: PHONE, hasTouch: true, bypassCSP: true });
  await beginBig(phone, { against: "a friend, here" });
  const first = await view(phone);
  const { x, y } = await point(phone, MIDDLE);
  const touch = await phone.context().newCDPSession(phone);
  const send = (type, ...points) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  await send("touchStart", [x - 20, y], [x + 20, y]);
  for (const far of [30, 40, 50]) await send("touchMove", [x - far, y], [x + far, y]);
  await send("touchEnd");
  const nearer = await view(phone);
  assert.ok(nearer.scale > first.scale * 1.8, `${first.scale} to ${nearer.scale}`);
  await send("touchStart", [x, y]);
  for (const far of [10, 40, 60]) await send("touchMove", [x + far, y]);
  await send("touchEnd");
  const panned = await view(phone);
  assert.ok(panned.x < nearer.x - 0.5, "to the left");
  const target = await point(phone, MIDDLE);
  await phone.touchscreen.tap(target.x, target.y);
  await until(phone, (now) => now.line[0]?.squares[0] === MIDDLE);
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= PHONE.width, `${wide} wide`);
  assert.deepEqual(await violations(phone), []);
  assert.deepEqual(phone.faults, []);
  await phone.context().close();
});

test("a hint is ringed on a large board", async () => {
  await begin(page, "In a row", "Gomoku", { rules: { size: "24x24" }, against: "a friend, here" });
  await view(page);
  await click(page, 12 * 24 + 12);
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  const line = page.locator(".thinking .line .step").first();
  await line.waitFor();
  // The advice may change while it thinks; at its end it stands.
  await page.getByRole("button", { name: "Hint", exact: true }).waitFor();
  const name = await line.textContent();
  const { board } = await state(page);
  const column = board.column_names.indexOf(/^[a-z]+/.exec(name)[0]);
  const [r, , b] = await colour(page, (Number(/\d+/.exec(name)[0]) - 1) * 24 + column, 0.36);
  assert.ok(b > r + 60, `blue, not ${[r, b]}`);
});

test("a large board with gravity: a click drops into the column", async () => {
  await begin(page, "In a row", "Connect Four", { rules: { size: "30x40" }, against: "a friend, here" });
  await view(page);
  await click(page, 29 * 40 + 20);
  await until(page, (next) => next.line[0]?.text === "u1");
  await view(page);
  await click(page, 20);
  await until(page, (next) => next.line[1]?.text === "u2");
});

test("five in a row on a large board: the line is shown, the end is told", async () => {
  await beginBig(page, { against: "a friend, here" });
  await view(page);
  for (let i = 0; i < 5; i++) {
    for (const row of i < 4 ? [126, 124] : [126]) {
      const { ply } = await state(page);
      await click(page, square(row, 126 + i));
      await until(page, (next) => next.ply === ply + 1);
      await page.waitForFunction((n) => document.querySelectorAll(".moves li button").length === n, ply + 1);
      await view(page);
    }
  }
  await page.getByRole("heading", { name: "Black wins" }).waitFor();
  const end = await state(page);
  assert.deepEqual(
    end.board.line,
    [0, 1, 2, 3, 4].map((i) => square(126, 126 + i)),
  );
  await click(page, square(120, 126));
  assert.equal((await state(page)).ply, 9);
});
