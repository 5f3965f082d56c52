/**
 * Pictures of the page: `node pictures.mjs all FOLDER` takes every family, the menus, analysis and large boards at a
 * desk's and a phone's size; `node pictures.mjs deep FOLDER` boards in three dimensions, in low and high quality, light and
 * dark; `node pictures.mjs readme FOLDER` the small ones of the README. See docs/web.md.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  begin,
  browse,
  click,
  DESK,
  PHONE,
  playByClicks,
  Server,
  SOFTWARE_WEBGL,
  state,
  until,
  visit,
} from "./table.mjs";

/** Lets two bots play some moves, so that there is something to see. */
async function watch(page, family, game, plies) {
  await begin(page, family, game, { against: "watch two machines" });
  await until(page, (now) => now.ply >= plies || now.outcome !== null);
  await page
    .getByRole("button", { name: "Stop thinking" })
    .click()
    .catch(() => undefined);
}

/** Types moves for both sides. */
async function type(page, moves) {
  for (const move of moves.split(" ")) {
    const { ply } = await state(page);
    await page.getByLabel("Type a move").fill(move);
    await page.keyboard.press("Enter");
    await until(page, (now) => now.ply === ply + 1, move);
  }
}

const SPANISH = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O";
const here = { against: "a friend, here" };

async function hint(page) {
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.locator(".board .advice.best").waitFor({ state: "attached" });
  await page.waitForTimeout(2500);
}

async function large(page) {
  await begin(page, "In a row", "Gomoku", { ...here, rules: { size: "250x250" } });
  await type(page, "dv126 dw127 dv127 dv125 dw126 dx126 du126 dt126 du124 dt123 dx127 du128 dv129 dx128 dy128");
}

const SCENES = {
  "new-game": async (page) => page.locator(".preview .board").waitFor(),
  "new-game-rules": async (page) => {
    await page.getByRole("button", { name: "Draughts", exact: true }).click();
    await page.getByText("Rules and board", { exact: true }).click();
  },
  "new-game-large": async (page) => {
    await page.getByRole("button", { name: "In a row", exact: true }).click();
    await page.getByText("Rules and board", { exact: true }).click();
    await page.getByRole("button", { name: "Gomoku", exact: true }).click();
    await page.getByLabel("Rows × columns").fill("100x120");
    await page.locator(".preview .board.big").waitFor();
  },
  chess: async (page) => {
    await begin(page, "Chess", "Chess", here);
    await type(page, SPANISH);
    await click(page, 21);
  },
  "chess-hint": async (page) => {
    await begin(page, "Chess", "Chess", here);
    await type(page, SPANISH);
    await hint(page);
  },
  "proved-hint": async (page) => {
    await begin(page, "In a row", "Tic-tac-toe", here);
    await type(page, "a1 b1 b2 c3");
    await hint(page);
  },
  "gomoku-hint": async (page) => {
    await begin(page, "In a row", "Gomoku", here);
    await type(page, "h8 i9 h9 h7");
    await hint(page);
  },
  "large-hint": async (page) => {
    await large(page);
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.locator(".thinking .line").nth(2).waitFor();
  },
  "chess-line": async (page) => {
    await begin(page, "Chess", "Chess", here);
    await type(page, SPANISH);
    await hint(page);
    await page.getByRole("button", { name: "Hint", exact: true }).waitFor();
    await page.locator(".thinking .line").first().focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    return { stay: true };
  },
  "chess-review": async (page) => {
    await begin(page, "Chess", "Chess", here);
    await type(page, "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5 Nxf7 Qxg2 Rf1 Qxe4 Be2 Nf3");
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".turns button").first().waitFor();
    await page.locator(".turns button").last().click();
  },
  course: async (page) => {
    await watch(page, "In a row", "Connect Four", 42);
    await page.locator(".graph canvas").waitFor();
  },
  draughts: (page) => watch(page, "Draughts", "International", 14),
  reversi: (page) => watch(page, "Reversi", "Othello", 18),
  go: (page) => watch(page, "Go", "19×19", 16),
  "go-opening": async (page) => {
    await begin(page, "Go", "19×19", here);
    await type(page, "Q16 D4 Q3 D16 R14 O3 P4 P3 Q2 O4 P5 K4 F3 D6 C14 F17 C10 F5 D2 C3 L16 R9 R11 Q8");
  },
  "connect-four": (page) => watch(page, "In a row", "Connect Four", 14),
  gomoku: (page) => watch(page, "In a row", "Gomoku", 15),
  "tic-tac-toe-end": async (page) => {
    await begin(page, "In a row", "Tic-tac-toe", here);
    for (const square of [4, 0, 1, 7, 3, 5, 2, 6, 8]) {
      const now = await state(page);
      if (now.outcome) break;
      await playByClicks(page, { squares: [square] });
      await until(page, (next) => next.version > now.version);
    }
  },
  "two-people": async (page) => {
    await page.getByLabel("Clock").selectOption({ label: "time and increment" });
    await begin(page, "Chess", "Chess", { against: "a friend, by link", side: "first" });
    const link = await page.getByLabel("Send this link to your friend").inputValue();
    const friend = await visit(page.context().browser(), link);
    await friend.getByText(/looks? on$/).click();
    await friend.getByLabel("Your name").fill("Marija");
    await friend.keyboard.press("Enter");
    await visit(page.context().browser(), link);
    const moves = SPANISH.split(" ");
    for (const [i, move] of moves.entries()) await type(i % 2 ? friend : page, move);
    await friend.getByRole("button", { name: "Offer a draw" }).click();
    await page.getByText("offers a draw").waitFor();
  },
  large,
  "large-end": async (page) => {
    await begin(page, "In a row", "Gomoku", { ...here, rules: { size: "25x25" } });
    await type(page, "m13 n14 m14 m12 n13 o13 l13 k13 n15 o16 l14 o14 k14 j14 k15 o15 l16 m17 o12");
    await type(page, "o17");
  },
  "large-whole": async (page) => {
    await large(page);
    await page.getByRole("button", { name: "Whole board" }).click();
  },
  "large-gravity": async (page) => {
    await begin(page, "In a row", "Connect Four", { ...here, rules: { size: "24x30" } });
    await type(page, "o p o o n m n p q p q q r n");
  },
};

/** Families in three dimensions. */
const DEEP = ["chess", "chess-hint", "draughts", "reversi", "go-opening", "gomoku", "connect-four", "tic-tac-toe-end"];

/** Switches to three dimensions, and waits until all is drawn finely. */
async function deepen(page) {
  await page.getByRole("button", { name: "3D", exact: true }).click();
  await page.waitForFunction(() => {
    const stage = document.querySelector("canvas.board")?.scene?.stage;
    return stage && stage.frames > 0 && !stage.moving;
  });
}

async function take(browser, server, scene, { gfx, ...options }, wait = 900) {
  const page = await visit(browser, `${server.address}${gfx ? `?gfx=${gfx}` : ""}`, options);
  page.setDefaultTimeout(120_000);
  await page.locator(".games button").first().waitFor();
  const how = await SCENES[scene](page);
  if (gfx) await deepen(page);
  await page.mouse.move(2, 2);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(wait);
  if (!how?.stay) await page.evaluate(() => document.activeElement?.blur());
  const picture = await page.screenshot({ fullPage: how?.stay !== true && process.env.WHOLE !== undefined });
  if (page.faults.length > 0) console.log(scene, page.faults);
  await page.context().close();
  return picture;
}

async function all(browser, server, folder, only) {
  for (const scene of Object.keys(SCENES).filter((name) => !only || name === only)) {
    for (const [size, viewport] of [
      ["desk", DESK],
      ["phone", PHONE],
    ]) {
      const dark = scene.length % 3 === 0 ? "dark" : "light";
      const picture = await take(browser, server, scene, { viewport, colorScheme: dark, hasTouch: size === "phone" });
      writeFileSync(join(folder, `${scene}-${size}.png`), picture);
    }
    console.log(scene);
  }
}

async function deep(browser, server, folder, only) {
  for (const scene of DEEP.filter((name) => !only || name === only)) {
    for (const [size, viewport] of [
      ["desk", DESK],
      ["phone", PHONE],
    ]) {
      for (const [gfx, colorScheme] of [
        ["low", "light"],
        ["high", "light"],
        ["low", "dark"],
        ["high", "dark"],
      ]) {
        const picture = await take(browser, server, scene, { viewport, colorScheme, gfx, hasTouch: size === "phone" });
        writeFileSync(join(folder, `${scene}-${size}-${gfx}-${colorScheme}.png`), picture);
      }
    }
    console.log(scene);
  }
}

/** Small ones, as WebP. */
async function readme(browser, server, folder) {
  const shrink = await browser.newPage();
  for (const [scene, name, colorScheme, gfx] of [
    ["chess-hint", "analysis", "light"],
    ["go-opening", "go", "dark"],
    ["large", "large-board", "light"],
    ["chess", "chess-3d", "light", "high"],
    ["go-opening", "go-3d", "dark", "high"],
  ]) {
    const picture = await take(browser, server, scene, { viewport: { width: 1040, height: 690 }, colorScheme, gfx });
    const small = await shrink.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [640, Math.round((640 * image.height) / image.width)];
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", 0.88).split(",")[1];
    }, picture.toString("base64"));
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(small, "base64"));
    console.log(name, Math.round((small.length * 3) / 4 / 1024), "KB");
  }
}

const [what, folder = "pictures", only] = process.argv.slice(2);
const server = await Server.start();
const browser = await browse(SOFTWARE_WEBGL);
try {
  mkdirSync(folder, { recursive: true });
  await ({ readme, deep }[what] ?? all)(browser, server, folder, only);
} finally {
  await browser.close();
  await server.end();
}
