/** Two people at one board: clocks, who is here, one seat one person, offers, lost connections, a server that dies. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { begin, browse, DESK, PHONE, pleases, playByClicks, Server, state, until, visit } from "./table.mjs";

let server, browser;
const pages = [];

before(async () => {
  server = await Server.start();
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
});
afterEach(async () => {
  const faults = pages.flatMap((page) => page.faults);
  for (const page of pages.splice(0)) await page.context().close();
  assert.deepEqual(faults, []);
});

/** Sets up a game, as the page does. */
async function found(wanted) {
  const answer = await fetch(new URL("/api/games", server.address), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ seats: ["human", "human"], ...wanted }),
  });
  assert.equal(answer.status, 201);
  return answer.json();
}

/** A browser of somebody's own at this address of the page. */
async function open(hash, options = {}) {
  const page = await visit(browser, "about:blank", { viewport: DESK, ...options });
  pages.push(page);
  // What is asked of any other server is a fault; the blank page has none of its own.
  page.removeAllListeners("request");
  if (options.prepare) await options.prepare(page);
  await page.goto(new URL(hash, server.address).href);
  return page;
}

/** Two people who came by the links to their seats. */
async function two(wanted, options = {}) {
  const { id, tokens } = await found(wanted);
  const one = await open(`#/game/${id}/${tokens.first}`, options);
  await one.locator(".table .board").waitFor();
  const other = await open(`#/game/${id}/${tokens.second}`, options);
  await other.locator(".table .board").waitFor();
  return { id, tokens, one, other };
}

/** A move by clicks, and both see it. */
async function play(mover, other, text) {
  const { ply, moves } = await state(mover);
  await mover.waitForFunction(() => document.title.startsWith("●"));
  await playByClicks(
    mover,
    moves.find((move) => move.text === text),
  );
  await until(mover, (now) => now.ply === ply + 1, text);
  for (const page of [mover, other])
    await page
      .locator(".moves")
      .getByText(notation(await state(mover)))
      .first()
      .waitFor();
}
const notation = ({ line, ply }) => line[ply - 1].notation;

const clock = (page, side) => page.locator(`.clock[data-side=${side}]`).textContent();

test("clocks run, whoever is away is missed and comes back to the game as it is", async () => {
  const { one, other } = await two({ game: "chess", clock: "300+2" });
  assert.equal(await clock(one, "first"), "5:00");
  assert.match(await one.title(), /^● Your turn/);
  assert.match(await other.title(), /^White is to move/);
  await play(one, other, "e2e4");
  await play(other, one, "e7e5");
  // Both first moves are free; then the clock of whoever is to move runs, in both browsers.
  for (const page of [one, other]) {
    const shown = await page.locator(".clock.runs[data-side=first]").textContent();
    await page.waitForFunction(
      (shown) => document.querySelector(".clock[data-side=first]").textContent !== shown,
      shown,
    );
  }
  await other.context().setOffline(true);
  await other.getByRole("heading", { name: "Connection lost" }).waitFor();
  await one.getByText(/^left \d+ s ago$/).waitFor();
  await playByClicks(
    one,
    (await state(one)).moves.find((move) => move.text === "g1f3"),
  );
  await until(one, (now) => now.ply === 3);
  assert.equal(await other.locator(".moves").getByText("Nf3").count(), 0);
  await other.context().setOffline(false);
  await other.locator(".moves").getByText("Nf3").waitFor();
  await one.locator(".above .here.on").waitFor();
  await other.locator(".clock.runs[data-side=second]").waitFor();
  await play(other, one, "b8c6");
  const { line } = await state(one);
  assert.deepEqual(
    line.map((ply) => ply.notation),
    ["e4", "e5", "Nf3", "Nc6"],
    "nothing lost, nothing twice",
  );
});

test("a seat is one person's: a third visitor looks on and cannot move", async () => {
  const { id, tokens, one, other } = await two({ game: "chess", clock: "300" });
  const third = await open(`#/game/${id}/${tokens.first}`);
  await third.getByText("This seat is taken: you are looking on").waitFor();
  await one.getByText("1 looks on").waitFor();
  await playByClicks(
    third,
    (await state(third)).moves.find((move) => move.text === "e2e4"),
  );
  // What the page does not let through, the server does not either.
  const answers = await third.evaluate(
    ({ id, token }) =>
      new Promise((resolve) => {
        const heard = [];
        const socket = new WebSocket(`ws://${location.host}/api/games/${id}/socket`);
        socket.onopen = () => {
          socket.send(JSON.stringify({ type: "hello", tokens: [token] }));
          for (const type of ["resign", "swap", "undo"]) socket.send(JSON.stringify({ type }));
          socket.send(JSON.stringify({ type: "play", move: "e2e4", version: 2 }));
        };
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === "refused") heard.push(message.error);
          if (heard.length === 4) resolve(heard);
        };
      }),
    { id, token: tokens.first },
  );
  assert.ok(
    answers.every((error) => error.includes("looking on")),
    answers.join(),
  );
  assert.equal((await state(one)).ply, 0);
  // A name is text, whatever it looks like.
  await third.locator(".watching summary").click();
  await third.getByLabel("Your name").fill("<img src=x onerror=alert(1)>");
  await third.keyboard.press("Enter");
  await one.locator(".watching summary").click();
  await one.locator(".watching .names").getByText("<img src=x onerror=alert").waitFor();
  assert.equal(await one.locator(".watching img").count(), 0);
  // Who has the seat may come in again, in another tab.
  const again = await one.context().newPage();
  await again.goto(new URL(`#/game/${id}`, server.address).href);
  await again.getByRole("heading", { name: "Your turn" }).waitFor();
  await play(one, other, "d2d4");
});

test("draw, taking back and another game by clicks", async () => {
  const { one, other } = await two({ game: "chess", clock: "600+5" });
  await play(one, other, "e2e4");
  await one.getByRole("button", { name: "Ask to take back" }).click();
  await other.getByText("White asks to take back a move").waitFor();
  await other.getByRole("button", { name: "Accept" }).click();
  await until(one, (now) => now.ply === 0);
  await play(one, other, "d2d4");
  await other.getByRole("button", { name: "Offer a draw" }).click();
  await one.getByRole("button", { name: "Decline" }).click();
  await other.getByText("The draw was declined").waitFor();
  await play(other, one, "d7d5");
  await one.getByRole("button", { name: "Offer a draw" }).click();
  await other.getByRole("button", { name: "Accept" }).click();
  for (const page of [one, other]) {
    await page.getByRole("heading", { name: "A draw by agreement" }).waitFor();
    await page.waitForFunction(() => document.title.startsWith("Game over"));
  }
  const before = one.url();
  await other.getByRole("button", { name: "Ask for another game" }).click();
  await one.getByRole("button", { name: "Accept" }).click();
  for (const page of [one, other]) await page.waitForURL((url) => url.href !== before);
  assert.equal(one.url(), other.url(), "both go along");
  await other.getByRole("heading", { name: "Your turn" }).waitFor();
  assert.equal(await clock(other, "first"), "10:00");
  await play(other, one, "c2c4");
  await play(one, other, "c7c5");
  await one.getByRole("button", { name: "Resign", exact: true }).click();
  await one.getByRole("button", { name: "Really resign?" }).click();
  await other.getByRole("heading", { name: "You win by resignation" }).waitFor();
});

test("a flag falls", async () => {
  const { one, other } = await two({ game: "chess", clock: "2" });
  await play(one, other, "e2e4");
  await play(other, one, "e7e5");
  await one.getByRole("heading", { name: "You lose on time" }).waitFor();
  await other.getByRole("heading", { name: "You win on time" }).waitFor();
  assert.equal(await clock(one, "first"), "0.0");
  assert.equal((await state(one)).outcome.reason, "time");
});

test("the server dies in the middle and comes back, and the game goes on", async () => {
  const { one, other } = await two({ game: "chess", clock: "300" });
  await play(one, other, "e2e4");
  await play(other, one, "e7e5");
  await one.locator(".clock.runs[data-side=first]").waitFor();
  const { port, home } = server;
  await server.kill();
  for (const page of [one, other]) await page.getByRole("heading", { name: "Connection lost" }).waitFor();
  const shown = await clock(one, "first");
  server = await Server.start(port, home);
  for (const page of [one, other]) await page.locator(".clock.runs[data-side=first]").waitFor();
  const { clock: now, line } = await state(one);
  assert.equal(line.length, 2);
  assert.ok(now.left[0] < 300_000 && now.running === "first", `${JSON.stringify(now)} after ${shown}`);
  await play(one, other, "g1f3");
  await play(other, one, "b8c6");
});

for (const [what, arrives] of [
  ["a move that was not heard is sent again", false],
  ["a move that was heard is not sent again", true],
]) {
  test(`${what} when the connection comes back`, async () => {
    let cut = false;
    const prepare = (page) =>
      page.routeWebSocket(/\/socket$/, (socket) => {
        const there = socket.connectToServer();
        socket.onMessage((message) => {
          const plays = JSON.parse(message).type === "play";
          if (!plays || cut || arrives) there.send(message);
          if (!plays || cut) return;
          cut = true;
          // The answer is lost in any case.
          there.onMessage(() => undefined);
          setTimeout(() => socket.close({ code: 1001 }), 300);
        });
      });
    const { id, tokens } = await found({ game: "chess" });
    const one = await open(`#/game/${id}/${tokens.first}`, { prepare });
    await one.getByRole("heading", { name: "Your turn" }).waitFor();
    await playByClicks(
      one,
      (await state(one)).moves.find((move) => move.text === "e2e4"),
    );
    await one.locator(".moves").getByText("e4", { exact: true }).waitFor();
    assert.ok(cut);
    await one.getByRole("heading", { name: "Black is to move" }).waitFor();
    const now = await state(one);
    assert.deepEqual([now.line.length, now.version], [1, 2], "the seat was taken, and the move made once");
  });
}

test("a move made without a connection waits for one; if the game went on meanwhile, that is told", async () => {
  let [cut, last] = [false, null];
  const prepare = (page) =>
    page.routeWebSocket(/\/socket$/, (socket) => {
      if (cut) return void socket.close({ code: 1001 });
      socket.connectToServer();
      last = socket;
    });
  const { id, tokens } = await found({ game: "chess" });
  const one = await open(`#/game/${id}/${tokens.first}`, { prepare });
  await one.getByRole("heading", { name: "Your turn" }).waitFor();
  const lose = async () => {
    cut = true;
    await last.close({ code: 1001 });
    await one.getByRole("heading", { name: "Connection lost" }).waitFor();
  };
  const find = () => {
    cut = false;
    return one.evaluate(() => dispatchEvent(new Event("online")));
  };
  const move = async (text) =>
    playByClicks(
      one,
      (await state(one)).moves.find((one) => one.text === text),
    );
  await lose();
  await move("e2e4");
  await one.getByText("No connection: e2e4 is sent as soon as there is one").waitFor();
  assert.equal((await state(one)).ply, 0);
  await find();
  await one.locator(".moves").getByText("e4", { exact: true }).waitFor();
  await one.getByRole("heading", { name: "Black is to move" }).waitFor();
  const other = await open(`#/game/${id}/${tokens.second}`);
  await other.getByRole("heading", { name: "Your turn" }).waitFor();
  await playByClicks(
    other,
    (await state(other)).moves.find((one) => one.text === "e7e5"),
  );
  await one.getByRole("heading", { name: "Your turn" }).waitFor();
  // The same person plays in another tab while this one hears nothing.
  await lose();
  await move("g1f3");
  await one.getByText("No connection: g1f3 is sent").waitFor();
  const again = await one.context().newPage();
  await again.goto(new URL(`#/game/${id}`, server.address).href);
  await again.getByRole("heading", { name: "Your turn" }).waitFor();
  await playByClicks(
    again,
    (await state(again)).moves.find((one) => one.text === "f2f4"),
  );
  await until(again, (now) => now.ply === 3);
  await find();
  await one.getByRole("alert").getByText("g1f3 was not played").waitFor();
  const { line } = await state(one);
  assert.deepEqual(
    line.map((ply) => ply.notation),
    ["e4", "e5", "f4"],
  );
});

test("a browser that keeps nothing has its seat for as long as its tab", async () => {
  const refuse = (page) =>
    page.addInitScript(() =>
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new Error("refused");
        },
      }),
    );
  const { one, other } = await two({ game: "chess", clock: "1/60" }, { prepare: refuse });
  await play(one, other, "e2e4");
  await other.reload();
  await other.getByRole("heading", { name: "Your turn" }).waitFor();
  await play(other, one, "e7e5");
  assert.ok(!other.url().includes("/game/") || other.url().split("/").length === 6, "no secret in the address");
});

test("a game with a clock is set up by the panel, and the invitation goes when it is taken up", async () => {
  const page = await open("", { bypassCSP: true });
  await page.getByRole("button", { name: "Chess", exact: true }).first().click();
  await page.getByLabel("Clock").selectOption({ label: "time and increment" });
  await page.getByLabel("Each side has").selectOption({ label: "3 minutes" });
  await page.getByLabel("And for each move").selectOption({ label: "2 seconds" });
  await begin(page, "Chess", "Chess", { against: "a friend, by link", side: "first" });
  const link = await page.getByLabel("Send this link to your friend").inputValue();
  assert.equal((await state(page)).clock.control, "180+2");
  const friend = await open(new URL(link).hash, { viewport: PHONE, bypassCSP: true });
  await friend.locator(".table .board").waitFor();
  await page.getByLabel("Send this link to your friend").waitFor({ state: "detached" });
  await play(page, friend, "e2e4");
  await pleases(friend, "a friend's phone");
});

test("the machine obeys its clock", async () => {
  const { id, tokens } = await found({ game: "chess", seats: ["human", "bot:master"], clock: "1/1" });
  const me = await open(`#/game/${id}/${tokens.first}`);
  await me.getByRole("heading", { name: "Your turn" }).waitFor();
  await playByClicks(
    me,
    (await state(me)).moves.find((move) => move.text === "e2e4"),
  );
  const now = await until(me, (now) => now.ply === 2 || now.outcome !== null);
  assert.equal(now.ply, 2);
});
