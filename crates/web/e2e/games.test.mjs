/** Games of every family by clicks, as people play them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, playByClicks, point, stage, state, until } from "./table.mjs";

let page;
stage((now) => ({ page } = now));

const myTurn = (side) => (now) => now.to_move === side || now.outcome !== null;

test("a whole game of tic-tac-toe, taken back and played again", async () => {
  await begin(page, "In a row", "Tic-tac-toe", { level: "Easy", side: "first" });
  await page.getByRole("heading", { name: "Your turn" }).waitFor();
  for (let now; ;) {
    now = await until(page, myTurn("first"));
    if (now.outcome) break;
    await playByClicks(page, now.moves[0]);
    await until(page, (next) => next.version > now.version);
  }
  const end = await state(page);
  const words = { first: "You win", second: "You lose", draw: "A draw" }[end.outcome.value];
  await page.getByRole("heading", { name: words }).waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  const back = await until(page, (now) => now.version > end.version);
  assert.ok(back.ply < end.ply && back.to_move === "first");
  await page.getByRole("button", { name: "Redo" }).click();
  await until(page, (now) => now.ply === end.ply && now.outcome !== null);
  await page.getByRole("button", { name: "Play again, sides swapped" }).click();
  await until(page, (now) => now.id !== end.id && now.seats[1] === "human" && now.ply === 1);
});

for (const [family, game, moves] of [
  ["In a row", "Connect6", 4],
  ["Reversi", "Othello", 6],
  ["Draughts", "English", 6],
  ["Draughts", "International", 5],
  ["Draughts", "Russian", 5],
  ["Go", "9×9", 5],
  ["Chess", "Chess", 5],
]) {
  test(`some moves of ${game} against a bot`, async () => {
    await begin(page, family, game, { level: "Beginner", side: "first" });
    for (let i = 0; i < moves; i++) {
      const now = await until(page, myTurn("first"));
      if (now.outcome) break;
      const move = now.moves[(i * 5 + 1) % now.moves.length];
      await playByClicks(page, move);
      const next = await until(page, (next) => next.version > now.version, move.text);
      assert.equal(next.line[now.ply].text, move.text);
    }
    const now = await until(page, myTurn("first"));
    assert.equal(await page.locator(".moves li button").count(), now.line.length);
    const stones = [...now.board.owners].filter((owner) => owner !== ".").length;
    await page.waitForFunction((n) => document.querySelectorAll(".table .piece").length === n, stones);
  });
}

test("the second player sees the board from the other side, and the bot begins", async () => {
  await begin(page, "Chess", "Chess", { level: "Beginner", side: "second" });
  const now = await until(page, myTurn("second"));
  assert.equal(now.ply, 1);
  const [king, rook] = [await point(page, 60), await point(page, 0)];
  assert.ok(king.y > rook.y, "Black is at the bottom");
  await playByClicks(page, now.moves[0]);
  await until(page, (next) => next.ply === 3);
});

async function fromPosition(family, game, position) {
  await page.getByRole("button", { name: family, exact: true }).first().click();
  await page.locator(".games").getByRole("button", { name: game, exact: true }).click();
  await page.getByText("a friend, here", { exact: true }).click();
  await page.getByText("Start position", { exact: true }).click();
  await page.getByLabel("Position, as the game writes it").fill(position);
}

test("a pawn is promoted to what is chosen", async () => {
  await fromPosition("Chess", "Chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".table .board").waitFor();
  await click(page, 48);
  await click(page, 56);
  await page.getByRole("dialog").getByRole("button", { name: "Knight" }).click();
  const now = await until(page, (next) => next.ply === 1);
  assert.equal(now.line[0].text, "a7a8n");
});

test("of two ways to capture, the squares on the way decide", async () => {
  await fromPosition("Draughts", "English", "W:W27:B15,16,23,24");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("heading", { name: "you must capture" }).waitFor();
  const { moves, board } = await state(page);
  assert.deepEqual(moves.map((move) => move.text).sort(), ["27x18x11", "27x20x11"]);
  const square = (number) => board.numbers.indexOf(number);
  await click(page, square(27));
  assert.equal(await page.locator(".board .target").count(), 3);
  await click(page, square(20));
  const now = await until(page, (next) => next.ply === 1);
  assert.equal(now.line[0].text, "27x20x11");
  await page.getByRole("button", { name: "Take back" }).click();
  await until(page, (next) => next.ply === 0);
  // The end alone does not say which way: one is asked.
  await click(page, square(27));
  await click(page, square(11));
  await page.getByRole("dialog").getByRole("button", { name: "27x18x11" }).click();
  await until(page, (next) => next.line[0]?.text === "27x18x11");
});

test("a piece is dragged, and one that may not go there comes back", async () => {
  await begin(page, "Chess", "Chess", { against: "a friend, here" });
  const drag = async (from, to) => {
    const [a, b] = [await point(page, from), await point(page, to)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 4 });
    await page.mouse.move(b.x, b.y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(12, 36);
  await drag(12, 28);
  const now = await until(page, (next) => next.ply === 1);
  assert.equal(now.line[0].text, "e2e4");
});

test("an illegal position is pointed at and cannot be played", async () => {
  await fromPosition("Chess", "Chess", "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.equal(await alert.locator("mark").textContent(), "x");
  assert.ok(await page.getByRole("button", { name: "Play", exact: true }).isDisabled());
  await page.getByLabel("Position, as the game writes it").fill("");
  await alert.waitFor({ state: "detached" });
});

test("a typed move that is illegal is refused with a reason", async () => {
  await begin(page, "Chess", "Chess", { against: "a friend, here" });
  await page.getByLabel("Type a move").fill("Ke5");
  await page.getByRole("button", { name: "Play it" }).click();
  assert.match(await page.getByRole("alert").textContent(), /Ke5/);
  await page.getByLabel("Type a move").fill("Nf3");
  await page.keyboard.press("Enter");
  await until(page, (now) => now.line[0]?.text === "g1f3");
});

/** Goes on by Tab until something with this name has the focus. */
async function tabTo(name) {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute("aria-label") ?? (at?.labels?.[0] ?? at)?.textContent?.trim() ?? "";
    });
    if (here.startsWith(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

test("the keyboard alone sets up a game and plays it", async () => {
  await page.locator(".games button").first().waitFor();
  for (const name of ["In a row", "Tic-tac-toe", "Play"]) {
    await tabTo(name);
    await page.keyboard.press("Enter");
  }
  await page.locator(".table .board").waitFor();
  await tabTo("Board.");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const now = await until(page, (next) => next.ply >= 1);
  assert.deepEqual(now.line[0].squares, [7]);
});

test("the keyboard alone plays chess to mate, and another game", async () => {
  await page.locator(".games button").first().waitFor();
  await tabTo("Chess");
  await page.keyboard.press("Enter");
  await tabTo("the machine");
  await page.keyboard.press("ArrowRight");
  await tabTo("Play");
  await page.keyboard.press("Enter");
  await page.locator(".table .board").waitFor();
  await tabTo("Board.");
  const spoken = page.locator(".place [aria-live]");
  /** To a square by arrows: what is spoken tells where one is. */
  const walk = async (to) => {
    const at = /^[a-h][1-8]/.exec(await spoken.textContent())[0];
    const [across, up] = [0, 1].map((i) => to.charCodeAt(i) - at.charCodeAt(i));
    for (let i = 0; i < Math.abs(across); i++) await page.keyboard.press(across > 0 ? "ArrowRight" : "ArrowLeft");
    for (let i = 0; i < Math.abs(up); i++) await page.keyboard.press(up > 0 ? "ArrowUp" : "ArrowDown");
    await spoken.filter({ hasText: `${to}:` }).waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
  };
  for (const [ply, move] of ["f2f3", "e7e5", "g2g4", "d8h4"].entries()) {
    await walk(move.slice(0, 2));
    await walk(move.slice(2));
    await until(page, (now) => now.line[ply]?.text === move, move);
    await page.waitForFunction((n) => document.querySelectorAll(".moves li button").length === n, ply + 1);
  }
  await page.getByRole("heading", { name: "Black wins" }).waitFor();
  const before = page.url();
  await tabTo("Play again");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href !== before);
  await until(page, (now) => now.ply === 0);
});

test("what the machine thinks is shown, and a hint on the board", async () => {
  await begin(page, "Chess", "Chess", { level: "Beginner", side: "first" });
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  // A straight line has no width, which would count as hidden.
  await page.locator(".board .advice.best").waitFor({ state: "attached" });
  await page.locator(".thinking .line").first().waitFor();
  await page.getByRole("button", { name: "Stop the hint" }).click();
});

test("earlier positions are looked at and left again", async () => {
  await begin(page, "In a row", "Tic-tac-toe", { against: "a friend, here" });
  for (const square of [4, 0, 8]) {
    const now = await state(page);
    await click(page, square);
    await until(page, (next) => next.version > now.version);
  }
  await page.locator(".moves li button").first().click();
  await page.getByRole("heading", { name: "You are looking at move 1" }).waitFor();
  assert.equal(await page.locator(".table .piece").count(), 1);
  await page.locator(".next").getByRole("button", { name: "Back to the game" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".table .piece").length === 3);
});
