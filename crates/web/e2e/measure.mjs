/**
 * What has to be quick, measured in a real browser and printed; nothing is judged. See docs/web.md.
 *
 * Each number is the median and the worst of several.
 */

import { begin, browse, playByClicks, point, Server, SOFTWARE_WEBGL, state, visit } from "./table.mjs";

const TIMES = 15;

function report(what, target, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const shown = (value) => value.toFixed(1).padStart(7);
  console.log(
    `${what.padEnd(72)} ${shown(middle)} ms, worst ${shown(sorted.at(-1))} ms, target ${target} ms, n = ${times.length}`,
  );
}

/** From a click on a piece to the first picture with its legal moves. */
async function clicks(browser, server) {
  const page = await visit(browser, server.address);
  await begin(page, "Chess", "Chess", { against: "a friend, here" });
  await page.evaluate(() => {
    globalThis.shown = [];
    addEventListener("pointerdown", (event) => {
      // The other clicks let the piece go again.
      if (document.querySelector(".board .target")) return;
      const begun = event.timeStamp;
      const look = () => {
        const there = document.querySelector(".board .target");
        // A frame's callbacks run before it is painted: the next one comes after.
        if (there) requestAnimationFrame((now) => globalThis.shown.push(now - begun));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  });
  const knight = await point(page, 1);
  for (let i = 0; i < TIMES; i++) {
    await page.mouse.click(knight.x, knight.y);
    await page.waitForFunction((n) => globalThis.shown.length === n, i + 1);
    await page.mouse.click(knight.x, knight.y);
    await page.waitForFunction(() => !document.querySelector(".board .target"));
  }
  report("click on a piece to legal moves on the screen", 50, await page.evaluate(() => globalThis.shown));
  await page.context().close();
}

/** From "stop thinking" to a page that says so and a server whose processors rest. */
async function stops(browser, server) {
  const page = await visit(browser, server.address);
  await begin(page, "Chess", "Chess", { level: "20 s a move", side: "first" });
  await playByClicks(page, (await state(page)).moves[0]);
  const times = [];
  for (let i = 0; i < TIMES; i++) {
    await page.locator(".thinking .line").first().waitFor();
    await page.waitForTimeout(300);
    await page.evaluate(() => {
      globalThis.stopped = new Promise((resolve) => {
        const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "Stop thinking");
        button.addEventListener("click", (event) => {
          const look = (now) => {
            const heading = document.querySelector(".status h1").textContent;
            if (heading.includes("waits")) resolve(now - event.timeStamp);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        });
        button.click();
      });
    });
    times.push(await page.evaluate(() => globalThis.stopped));
    times.idle ??= [];
    times.idle.push(await untilIdle(server));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Stop thinking" }).waitFor();
  }
  report("stop thinking to the page saying so", 200, times);
  report("then, until the server uses no processor for 20 ms", 200, times.idle);
  await page.context().close();
}

/** Milliseconds until the server's processor time stands still; Linux counts it in hundredths of a second. */
async function untilIdle(server) {
  const { readFile } = await import("node:fs/promises");
  const used = async () => {
    const fields = (await readFile(`/proc/${server.process.pid}/stat`, "utf8")).split(") ")[1].split(" ");
    return Number(fields[11]) + Number(fields[12]);
  };
  const begun = performance.now();
  for (let before = await used(); ;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = await used();
    if (now === before) return Math.max(performance.now() - begun - 20, 0);
    before = now;
  }
}

/** Frames while a 250x250 board with three thousand stones is dragged about, near and far. */
async function pans(browser, server) {
  const side = 250;
  const rows = Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => ((row * 97 + column * 31) % 21 === 0 ? "xo"[(row + column) % 2] : ".")),
  );
  // As many of one side as of the other.
  const flat = rows.flat();
  let surplus = flat.filter((one) => one === "x").length - flat.filter((one) => one === "o").length;
  for (let at = 0; surplus !== 0; at++) {
    if (flat[at] !== (surplus > 0 ? "x" : "o")) continue;
    flat[at] = ".";
    surplus -= Math.sign(surplus);
  }
  const text = Array.from({ length: side }, (_, row) => flat.slice(row * side, (row + 1) * side).join("")).join("/");
  const page = await visit(browser, server.address);
  const id = await page.evaluate(async (position) => {
    const body = JSON.stringify({ game: "mnk:250x250,k=5", position, seats: ["human", "human"] });
    const answer = await fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const made = await answer.json();
    if (!answer.ok) throw new Error(made.error);
    const kept = [{ id: made.id, game: "", at: Date.now(), tokens: Object.values(made.tokens) }];
    localStorage.setItem("zermelo.games", JSON.stringify(kept));
    return made.id;
  }, text);
  await page.goto(`${server.address}#/game/${id}`);
  await page.locator(".table .board[data-view]").waitFor();
  const stones = flat.filter((one) => one !== ".").length;
  for (const [name, clicks] of [
    ["whole board, a little nearer", 2],
    ["squares of 20 pixels", 5],
  ]) {
    await page
      .getByRole("button", { name: "Whole board" })
      .click()
      .catch(() => undefined);
    await page.waitForTimeout(500);
    for (let i = 0; i < clicks; i++) await page.getByRole("button", { name: "Closer" }).click();
    await page.waitForTimeout(500);
    const { drawing, frames } = await page.evaluate(dragAbout);
    report(`pan 250x250, ${stones} stones, ${name}: drawing`, 16, drawing);
    report(`pan 250x250, ${stones} stones, ${name}: frame to frame`, 16, frames);
  }
  const begun = performance.now();
  const now = await state(page);
  console.log(
    `state of that board: ${JSON.stringify(now).length} letters, asked and read in ${(performance.now() - begun).toFixed(0)} ms`,
  );
  await page.context().close();
}

/** In the page: drags for two hundred frames; the time the page draws in each, and from frame to frame. */
async function dragAbout() {
  const canvas = document.querySelector(".table .board");
  const box = canvas.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const send = (type, at) =>
    canvas.dispatchEvent(
      new PointerEvent(type, { pointerId: 1, pointerType: "mouse", button: 0, bubbles: true, ...at }),
    );
  canvas.setPointerCapture = () => undefined;
  send("pointerdown", { clientX: x, clientY: y });
  const [drawing, frames] = [[], []];
  let before = null;
  for (let i = 0; i < 200; i++) {
    // Callbacks of a frame run in the order they were asked for: the page's drawing comes between these two.
    let begun = 0;
    requestAnimationFrame(() => (begun = performance.now()));
    send("pointermove", { clientX: x + 150 * Math.sin(i / 15), clientY: y + 100 * Math.cos(i / 11) });
    await new Promise((resolve) =>
      requestAnimationFrame((now) => {
        drawing.push(performance.now() - begun);
        if (before !== null) frames.push(now - before);
        before = now;
        resolve();
      }),
    );
  }
  send("pointerup", { clientX: x, clientY: y });
  return { drawing, frames };
}

/** Frames of chess in three dimensions while the eye goes around it, drawn by the processor; then none, and picking. */
async function orbits(server) {
  const browser = await browse(SOFTWARE_WEBGL);
  const page = await visit(browser, `${server.address}?gfx=low`);
  await begin(page, "Chess", "Chess", { against: "a friend, here" });
  await page.getByRole("button", { name: "3D", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("canvas.board")?.scene?.stage.frames > 0);
  await page.waitForTimeout(2000);
  const { frames, picks, idle, size } = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas.board");
    const { stage } = canvas.scene;
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const frames = [];
    for (let i = 0, before = await next(); i < 80; i++) {
      stage.orbit(8 * Math.sin(i / 12), 0);
      const now = await next();
      frames.push(now - before);
      before = now;
    }
    const picks = Array.from({ length: 400 }, (_, i) => {
      const begun = performance.now();
      stage.pick((i % 20) / 20, Math.floor(i / 20) / 20);
      return performance.now() - begun;
    });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const drawn = stage.frames;
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return { frames, picks, idle: stage.frames - drawn, size: `${canvas.clientWidth}x${canvas.clientHeight}` };
  });
  report(`chess in 3D on ${size}, low quality, no graphics card: frame to frame`, 125, frames);
  report("what is under the pointer in 3D", 1, picks);
  console.log(`frames drawn in 3 s while nothing moves: ${idle}, target 0`);
  await browser.close();
}

const server = await Server.start();
const browser = await browse();
try {
  await clicks(browser, server);
  await stops(browser, server);
  await pans(browser, server);
  await orbits(server);
} finally {
  await browser.close();
  await server.end();
}
