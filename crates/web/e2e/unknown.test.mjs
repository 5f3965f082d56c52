/** A family of games that the page has no words for: it shows the game's own. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./table.mjs";

let page;
let server;
stage((now) => ({ page, server } = now));

const PARAMETERS = [
  {
    name: "size",
    kind: { type: "size", low: 3, high: 5, sides: [3, 5], square: true },
    values: "3x3 or 5x5",
    default: "3x3",
    meaning: "the board",
  },
  {
    name: "k",
    kind: { type: "number", low: 1, high: 9, step: 1 },
    values: "k=N, 1 to 9",
    default: null,
    meaning: "so many win",
  },
  {
    name: "komi",
    kind: { type: "number", low: -9, high: 9, step: 0.5 },
    values: "komi=N",
    default: "0",
    meaning: "points",
  },
  {
    name: "pace",
    kind: {
      type: "choice",
      words: [
        { name: "yes", meaning: "" },
        { name: "slow", meaning: "one step a move" },
      ],
    },
    values: "pace=yes or slow (one step a move)",
    default: "slow",
    meaning: "how far pieces go",
  },
  {
    name: "back",
    kind: { type: "switch" },
    values: "back or back=no",
    default: "no",
    meaning: "whether pieces go back",
  },
  { name: "open", kind: { type: "flag" }, values: "a flag", default: "off", meaning: "no walls" },
  {
    name: "holes",
    kind: { type: "squares" },
    values: "holes=SQUARE+SQUARE+…",
    default: "none",
    meaning: "no part of the board",
  },
  {
    name: "draw",
    kind: { type: "text", example: "3-fold" },
    values: "draw=any text",
    default: "none",
    meaning: "when it is drawn",
  },
];
const FAMILY = {
  name: "hexapawn",
  summary: "Three pawns against three",
  variants: [],
  parameters: PARAMETERS,
  presets: [],
  games: [
    { name: "hexapawn", summary: "Three pawns against three", steps: [null, null, null, null] },
    { name: "octopawn", summary: "Four pawns against four", steps: [null, null, null, null] },
  ],
};

/** The server's answers, as if it knew the family; `asked` gets the games that the page wants to see. */
async function teach(asked) {
  await page.route("**/api/families", async (route) => {
    const response = await route.fetch();
    const all = await response.json();
    await route.fulfill({ response, json: { ...all, families: [...all.families, FAMILY] } });
  });
  await page.route("**/api/preview", async (route) => {
    const { game } = route.request().postDataJSON();
    if (!/^(hexa|octo)pawn/.test(game)) return route.continue();
    asked.push(game);
    const response = await route.fetch({ postData: JSON.stringify({ game: "tictactoe" }) });
    const preview = await response.json();
    preview.board = { ...preview.board, glyphs: "PPP...ppp", owners: "111...222" };
    preview.look = { ...preview.look, board: "squares", pieces: "lettered", sides: ["light", "dark"] };
    await route.fulfill({ response, json: { ...preview, game, name: game, family: FAMILY.name } });
  });
  await page.goto(server.address);
  await page.reload();
}

test("the page offers a family that it has no words for", async () => {
  const asked = [];
  await teach(asked);
  const family = page.locator(".families").getByRole("button", { name: "hexapawn", exact: true });
  assert.equal(await family.getAttribute("title"), FAMILY.summary);
  await family.click();
  await page.waitForFunction(() => document.querySelector(".preview:not(.stale) .board.squares.lettered"));
  assert.equal(asked.at(-1), "hexapawn");
  assert.deepEqual(await page.locator(".preview .letter").allTextContents(), ["P", "P", "P", "p", "p", "p"]);
  const games = page.locator(".games").getByRole("button");
  assert.deepEqual(
    (await games.allTextContents()).map((text) => text.trim()),
    ["hexapawn", "octopawn"],
  );
  assert.equal(await games.last().getAttribute("title"), "Four pawns against four");
  assert.equal(await page.getByLabel("You play").locator("option").first().textContent(), "White (first)");
  await page.locator("#language").selectOption("pl");
  await page.locator("h1").filter({ hasText: "W co zagramy?" }).waitFor();
  await family.waitFor();
});

test("each kind of parameter has its control, and makes the name of the game", async () => {
  const asked = [];
  await teach(asked);
  await page.getByRole("button", { name: "hexapawn", exact: true }).first().click();
  await page.getByText("Rules and board", { exact: true }).click();
  const field = (name) => page.locator(".parameters .field").filter({ has: page.getByText(name, { exact: true }) });
  const meanings = await page.locator(".parameters small").allTextContents();
  assert.deepEqual(
    meanings,
    PARAMETERS.map((parameter) => parameter.meaning),
  );
  const options = (name) =>
    field(name)
      .locator("select option")
      .evaluateAll((all) => all.map((one) => one.value));
  assert.deepEqual(await options("pace"), ["", "yes", "slow"]);
  assert.deepEqual(await options("back"), ["", "yes", "no"]);
  assert.deepEqual(await options("Board"), ["", "3x3", "5x5"]);
  const number = field("komi").locator("input");
  const limits = await number.evaluate((input) => [input.type, input.min, input.max, input.step]);
  assert.deepEqual(limits, ["number", "-9", "9", "0.5"]);
  for (const [name, value] of [
    ["k", "4"],
    ["komi", "-6.5"],
    ["holes", "a1+b2"],
    ["draw", "3-fold"],
  ]) {
    await field(name).locator("input").fill(value);
  }
  await page.getByLabel("open", { exact: false }).check();
  for (const [name, value] of [
    ["Board", "5x5"],
    ["pace", "yes"],
    ["back", "no"],
  ]) {
    await field(name).locator("select").selectOption(value);
  }
  const name = "hexapawn:5x5,k=4,komi=-6.5,pace=yes,back=no,open,holes=a1+b2,draw=3-fold";
  await page.locator(".spec").getByText(name, { exact: true }).waitFor();
  // What is told under the preview is the choice; the preview follows when the server has answered.
  await page.waitForFunction(() => document.querySelector(".preview:not(.stale)"));
  assert.equal(asked.at(-1), name);
});
