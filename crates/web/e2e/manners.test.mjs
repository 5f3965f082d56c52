/** What the page says and when, and that it stays in its place: reasons, endings, status, panels, poor conditions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, PHONE, playByClicks, pleases, point, stage, state, until, visit } from "./table.mjs";

let server, browser, page;
stage((now) => ({ server, browser, page } = now));

const here = { against: "a friend, here" };

async function home() {
  await page.getByRole("link", { name: "New game" }).click();
  return page;
}

/** Sets up a game from a position. */
async function from(family, game, position, against = "a friend, here") {
  await page.getByRole("button", { name: family, exact: true }).first().click();
  await page.locator(".games").getByRole("button", { name: game, exact: true }).click();
  await page.getByText(against, { exact: true }).click();
  if (!(await page.getByLabel("Position, as the game writes it").isVisible())) {
    await page.getByText("Start position", { exact: true }).click();
  }
  await page.getByLabel("Position, as the game writes it").fill(position);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".table .board").waitFor();
}

async function type(moves) {
  for (const move of moves.split(" ")) {
    const { ply } = await state(page);
    await page.getByLabel("Type a move").fill(move);
    await page.keyboard.press("Enter");
    await until(page, (now) => now.ply === ply + 1, move);
  }
}

async function drag(a, b) {
  const [start, end] = [await point(page, a), await point(page, b)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

/** The reason that is said, in red. */
async function said(pattern) {
  const alert = page.locator(".status").getByRole("alert").filter({ hasText: pattern });
  await alert.waitFor();
  const [ink, warn] = await alert.evaluate((element) => {
    const probe = document.createElement("i");
    probe.style.color = "var(--warn)";
    element.append(probe);
    const colours = [getComputedStyle(element).color, getComputedStyle(probe).color];
    probe.remove();
    return colours;
  });
  assert.equal(ink, warn);
}

test("an illegal click or drag is answered with the reason", async () => {
  await from("Chess", "Chess", "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1");
  await click(page, 12);
  await said("the knight on e2 is pinned");
  await drag(12, 22);
  await said("the knight on e2 is pinned");
  await click(page, 4);
  assert.equal(await page.getByRole("alert").count(), 0, "a piece that may move is chosen: nothing is wrong any more");
  await click(page, 20);
  await said("the king on e1 does not go to e3");
  await drag(60, 52);
  await said("Black's, and White is to move");

  await from2("Draughts", "English", "W:W22,32:B18");
  const { board } = await state(page);
  await click(page, board.numbers.indexOf(32));
  await said("a capture is compulsory");

  await from2(
    "Go",
    "9×9",
    ".XO....../X.XO...../.XO....../........./........./........./........./........./......... w",
  );
  await click(page, 64);
  await until(page, (now) => now.ply === 1);
  await click(page, 65);
  await said(/repeat an earlier position|ko/);
  await click(page, 64);
  await said("taken");

  await begin(await home(), "Reversi", "Othello", here);
  await click(page, 0);
  await said("turns no disc");
  await begin(await home(), "In a row", "Connect Four", here);
  for (let ply = 1; ply <= 6; ply++) {
    await click(page, 3);
    await until(page, (now) => now.ply === ply);
  }
  await click(page, 3);
  await said("column d is full");
  const { ply } = await state(page);
  assert.equal(ply, 6, "nothing was played");
});

async function from2(...what) {
  await home();
  await from(...what);
}

test("check is shown, and endings say why, in the reader's language", async () => {
  await begin(page, "Chess", "Chess", here);
  await type("e4 f6 Qh5");
  await page.getByText("Check!").waitFor();
  assert.equal(await page.locator(".board rect.check").count(), 1);
  await type("g6");
  assert.equal(await page.locator(".board rect.check").count(), 0);
  await home();
  await begin(page, "Chess", "Chess", here);
  await type("f3 e5 g4 Qh4");
  await page.getByRole("heading", { name: "Black wins" }).waitFor();
  const why = (text) => page.locator(".status .note").getByText(text, { exact: true }).waitFor();
  await why("checkmate");
  for (const [language, word] of [
    ["pl", "mat"],
    ["sk", "mat"],
    ["sr", "мат"],
    ["sr-Latn", "mat"],
    ["en", "checkmate"],
  ]) {
    await page.locator("#language").selectOption(language);
    await why(word);
  }
  for (const [family, game, position, moves, text] of [
    ["Chess", "Chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "stalemate"],
    ["Chess", "Chess", "7k/8/8/8/8/8/R7/K7 w - - 149 90", "a1b1", "75 moves without a capture or a pawn move"],
    ["Draughts", "International", "W:W11,22:B6", "22-17", "no move left"],
    ["Draughts", "International", "W:W32:B28", "32x23", "no piece left"],
    [
      "Go",
      "9×9",
      "........./........./........./........./........./........./........./........./......... b",
      "pass pass",
      "two passes in a row",
    ],
    ["In a row", "Tic-tac-toe", "xox/xoo/ox. x", "c1", "the board is full"],
    ["In a row", "Tic-tac-toe", "xx./oo./... x", "c3", "3 in a row"],
  ]) {
    await from2(family, game, position);
    await type(moves);
    await why(text);
  }
  await from2("Chess", "Chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  await type("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  await page.getByRole("button", { name: "Claim the draw" }).click();
  await why("the same position 3 times");
});

test("a loss is not told in the colour of a win", async () => {
  await begin(page, "Chess", "Chess", { level: "Beginner", side: "first" });
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  const heading = page.getByRole("heading", { name: "You lose by resignation" });
  await heading.waitFor();
  const tone = (name) =>
    page.evaluate((name) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = `var(--${name})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, name);
  assert.equal(await heading.evaluate((element) => getComputedStyle(element).color), await tone("warn"));
  await page.getByText("The game is over: there is nothing to think about.").waitFor();
});

for (const [screen, viewport] of [
  ["desk", { width: 1280, height: 800 }],
  ["phone", PHONE],
]) {
  test(`nothing in the panel moves from click to click at the ${screen}`, async () => {
    await page.setViewportSize(viewport);
    await begin(page, "Chess", "Chess", { level: "Easy", side: "first" });
    const places = () =>
      page.evaluate(() =>
        Object.fromEntries(
          [".board", ".tools", ".thinking", ".moves", ".type"].map((name) => {
            const { top, height } = document.querySelector(`.table ${name}`).getBoundingClientRect();
            return [name, [Math.round(top + scrollY), Math.round(height)]];
          }),
        ),
      );
    const held = await places();
    const same = async (what) => assert.deepEqual(await places(), held, what);
    for (const text of ["e2e4", "g1f3", "b1c3"]) {
      const now = await until(page, (now) => now.to_move === "first");
      await page.getByRole("heading", { name: "Your turn" }).waitFor();
      const [a, b] = now.moves.find((move) => move.text === text).squares;
      await click(page, a);
      await page.getByRole("heading", { name: "where shall it go?" }).waitFor();
      await same("a piece was chosen");
      await click(page, 36);
      await page.locator(".status").getByRole("alert").waitFor();
      await same("it cannot go there");
      await click(page, a);
      await click(page, b);
      await page.getByRole("heading", { name: "is thinking" }).waitFor();
      await same("the machine thinks");
      await until(page, (next) => next.ply === now.ply + 2);
      await page.getByRole("heading", { name: "Your turn" }).waitFor();
      await same("it has answered");
    }
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.locator(".thinking .line").nth(2).waitFor();
    await same("a hint");
    await page.getByRole("button", { name: "Stop the hint" }).click();
    await page.locator(".moves li button").first().click();
    await page.getByRole("heading", { name: "You are looking at move 1" }).waitFor();
    await same("an earlier move");
    await page.locator(".next").getByRole("button", { name: "Back to the game" }).click();
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await page.getByRole("heading", { name: "You lose" }).waitFor();
    await same("the end");
  });
}

test("at an earlier move there is no hint and nothing to type", async () => {
  await begin(page, "Chess", "Chess", here);
  await type("e4 e5 Nf3");
  await page.locator(".moves li button").first().click();
  await page.getByRole("heading", { name: "You are looking at move 1" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Hint", exact: true }).isDisabled());
  assert.ok(await page.getByLabel("Type a move").isDisabled());
  assert.ok(await page.getByRole("button", { name: "Play it" }).isDisabled());
  await page.locator(".next").getByRole("button", { name: "Back to the game" }).click();
  assert.ok(await page.getByRole("button", { name: "Hint", exact: true }).isEnabled());
  await type("Nc6");
});

test("another game begins where the first one did", async () => {
  const position = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
  await from("Chess", "Chess", position, "the machine");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really resign?" }).click();
  const { id } = await state(page);
  await page.getByRole("button", { name: "Play again, sides swapped" }).click();
  const next = await until(page, (now) => now.id !== id);
  const first = await page.evaluate(async (id) => (await fetch(`/api/games/${id}/plies/0`)).json(), next.id);
  assert.equal(first.position, position);
  assert.equal(next.seats[1], "human");
});

test("a silent server is called silent, and heard when it is back", async () => {
  let silent = true;
  await page.route("**/api/**", (route) => (silent ? route.abort("connectionrefused") : route.continue()));
  await page.reload();
  await page.getByText("The server does not answer. Trying again …").waitFor();
  assert.equal(await page.getByText("One moment …").count(), 0);
  silent = false;
  await page.locator(".preview .board").waitFor();
  await page.getByText("The server does not answer").waitFor({ state: "detached" });
  silent = true;
  await page.getByRole("button", { name: "Go", exact: true }).first().click();
  await page.getByText("The server does not answer. Trying again …").waitFor();
  silent = false;
  await page.getByText("The server does not answer").waitFor({ state: "detached" });
  await page.locator(".spec").getByText("go:").waitFor();
});

test("preview and labels are of the choice as it stands", async () => {
  await page.getByRole("button", { name: "Chess", exact: true }).first().click();
  const side = page.getByLabel("You play").locator("option").first();
  await page.waitForFunction(() => document.querySelector(".preview:not(.stale) .board.chessmen"));
  assert.equal(await side.textContent(), "White (first)");
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/api/preview", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Draughts", exact: true }).first().click();
  await page.waitForTimeout(400);
  assert.equal(await side.textContent(), "first", "the colours of chess are not those of draughts");
  assert.ok(await page.locator(".preview.stale").count(), "the board of chess is not called a preview");
  release();
  await page.waitForFunction(() => document.querySelector(".preview:not(.stale) .board.draughtsmen"));
  assert.equal(await side.textContent(), "Black (first)");
  // As it will be seen from the chosen side: in English draughts Black begins, above.
  assert.equal(await page.locator(".preview .board").getAttribute("data-flipped"), "true");
  await page.getByLabel("You play").selectOption("second");
  await page.waitForFunction(() => document.querySelector(".preview .board").dataset.flipped === "false");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("the status names who is to move, and which machine thinks", async () => {
  await begin(page, "Chess", "Chess", here);
  await page.getByRole("heading", { name: "White is to move: choose a piece" }).waitFor();
  await type("e4");
  await page.getByRole("heading", { name: "Black is to move: choose a piece" }).waitFor();
  await page.getByRole("button", { name: "Hint", exact: true }).waitFor();
  await page.getByText("Nothing yet. Hint asks it about your move.").waitFor();
  await begin(await home(), "Chess", "Chess", { against: "the machine", level: "5 s a move", side: "second" });
  await page.getByRole("heading", { name: "Machine · 5 s a move (White) is thinking" }).waitFor();
  await page.getByRole("button", { name: "Stop thinking" }).click();
  await page.getByRole("heading", { name: "Machine · 5 s a move (White) waits for you" }).waitFor();
});

test("a browser that refuses to remember anything can be played with", async () => {
  const strict = await browser.newContext({ locale: "en-GB" });
  await strict.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
  });
  const other = await strict.newPage();
  const faults = [];
  other.on("pageerror", (error) => faults.push(String(error)));
  await other.goto(server.address);
  await begin(other, "In a row", "Tic-tac-toe", { level: "Easy", side: "first" });
  await playByClicks(other, (await state(other)).moves[0]);
  await until(other, (now) => now.ply === 2);
  await other.locator("#language").selectOption("pl");
  await other.getByRole("link", { name: "Nowa gra" }).waitFor();
  await other.getByRole("button", { name: /Motyw/ }).click();
  assert.deepEqual(faults, []);
  await strict.close();
});

test("pieces are called by their names", async () => {
  await begin(page, "Chess", "Chess", here);
  const spoken = (text) =>
    page.locator("p.unseen[aria-live]").getByText(text, { exact: true }).waitFor({ state: "attached" });
  await page.locator(".board").focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowDown");
  await spoken("a1: White rook");
  await page.keyboard.press("ArrowUp");
  await spoken("a2: White pawn");
  await page.keyboard.press("ArrowUp");
  await spoken("a3: empty");
  await from2("Draughts", "Russian", "W:Wc3,Kg1:Bh8");
  await page.locator(".board").focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await spoken("g1: White king");
});

test("on a phone the language box shows all it says", async () => {
  const phone = await visit(browser, server.address, { viewport: PHONE, bypassCSP: true });
  for (const language of ["en", "pl", "sk", "sr", "sr-Latn"]) {
    await phone.locator("#language").selectOption(language);
    await phone.waitForFunction((language) => document.documentElement.lang === language, language);
    const cut = await phone.evaluate(() => {
      const box = document.querySelector("#language");
      if (getComputedStyle(box).opacity === "0") {
        const shown = box.parentElement.querySelector(".code");
        return shown.scrollWidth - shown.clientWidth;
      }
      const clone = box.cloneNode(true);
      clone.value = box.value;
      clone.style.cssText = "position: absolute; width: max-content; max-width: none";
      document.body.append(clone);
      const missing = clone.offsetWidth - box.offsetWidth;
      clone.remove();
      return missing;
    });
    assert.ok(cut <= 0, `${language}: ${cut} pixels are cut`);
    await pleases(phone, language);
  }
  await phone.context().close();
});

test("in the dark both halves of the bar are seen", async () => {
  const dark = await visit(browser, server.address, { colorScheme: "dark" });
  await begin(dark, "Chess", "Chess", { level: "Easy", side: "first" });
  await playByClicks(dark, (await state(dark)).moves[0]);
  const bar = dark.locator(".thinking .balance");
  await bar.waitFor();
  const contrast = await bar.evaluate((bar) => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const ratio = (a, b) => Math.max(light(a), light(b)) / Math.min(light(a), light(b));
    const ground = getComputedStyle(bar.closest(".thinking")).backgroundColor;
    const style = getComputedStyle(bar);
    return Math.max(ratio(style.backgroundColor, ground), ratio(style.borderTopColor, ground));
  });
  assert.ok(contrast >= 3, `a contrast of ${contrast}`);
  await dark.context().close();
});
