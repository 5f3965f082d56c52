/**
 * Measures, by hand: many games against a low-level bot at once, over real sockets.
 *
 *   ZERMELO=target/release/zermelo node crowd.mjs [GAMES] [SECONDS] [GAME] [SEAT]
 *
 * Each guest plays a move drawn at random as soon as it is its turn, and begins anew when its game is over. The answer time is
 * from sending a move to hearing the bot's. Guests come from several addresses of this machine, as the server limits how
 * much one may ask. Prints one line of JSON.
 */

import { request } from "node:http";
import { connect } from "node:net";
import { readFileSync } from "node:fs";
import { Server } from "./table.mjs";

const [games = "500", seconds = "30", game = "tictactoe", seat = "bot:beginner"] = process.argv.slice(2);
const server = await Server.start();
const { hostname, port, host } = new URL(server.address);
const times = [];
let measuring = false;
let over = 0;
let failed = 0;

/** So that no address has more than ten guests. */
const addressOf = (guest) => `127.0.${1 + Math.floor(guest / 2500)}.${1 + (Math.floor(guest / 10) % 250)}`;

function found(guest) {
  const body = JSON.stringify({ game, seats: ["human", seat] });
  return new Promise((resolve, reject) => {
    const headers = { Host: host, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const asked = request(
      { hostname, port, path: "/api/games", method: "POST", headers, localAddress: addressOf(guest) },
      (answer) => {
        let text = "";
        answer.on("data", (part) => (text += part));
        answer.on("end", () => (answer.statusCode === 201 ? resolve(JSON.parse(text)) : reject(new Error(text))));
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** A text frame as clients send it, masked with zeros. */
function frame(message) {
  const text = Buffer.from(JSON.stringify(message));
  const head = text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0x80 | 126, text.length >> 8, text.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), text]);
}

/** Whole frames at the beginning of what was heard, and the rest. */
function frames(heard) {
  const found = [];
  let at = 0;
  while (heard.length - at >= 2) {
    let [length, begin] = [heard[at + 1] & 127, at + 2];
    if (length === 126) [length, begin] = [heard.length - at >= 4 ? heard.readUInt16BE(at + 2) : Infinity, at + 4];
    else if (length === 127)
      [length, begin] = [heard.length - at >= 10 ? Number(heard.readBigUInt64BE(at + 2)) : Infinity, at + 10];
    if (heard.length < begin + length) break;
    found.push([heard[at] & 15, heard.subarray(begin, begin + length)]);
    at = begin + length;
  }
  return [found, heard.subarray(at)];
}

function socket(guest, id, hear) {
  const stream = connect({ host: hostname, port: Number(port), localAddress: addressOf(guest) });
  const lines = [
    `GET /api/games/${id}/socket HTTP/1.1`,
    `Host: ${host}`,
    `Origin: http://${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  stream.write(`${lines.join("\r\n")}\r\n\r\n`);
  let [open, heard] = [false, Buffer.alloc(0)];
  stream.on("data", (part) => {
    heard = Buffer.concat([heard, part]);
    if (!open) {
      const end = heard.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (heard.subarray(9, 12).toString() !== "101") throw new Error(heard.toString());
      [open, heard] = [true, heard.subarray(end + 4)];
    }
    const [whole, rest] = frames(heard);
    heard = rest;
    for (const [kind, bytes] of whole) {
      if (kind === 1) hear(JSON.parse(bytes.toString()));
      else if (kind === 9) stream.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
    }
  });
  stream.on("error", () => (failed += 1));
  return stream;
}

async function play(guest) {
  const { id, tokens } = await found(guest);
  let [sent, answered] = [0, -1];
  const stream = socket(guest, id, (message) => {
    if (message.type === "refused") failed += 1;
    if (message.type !== "state") return;
    if (message.outcome) {
      over += measuring ? 1 : 0;
      stream.end();
      play(guest).catch(() => (failed += 1));
    } else if (message.to_move === "first" && message.version > answered) {
      answered = message.version;
      if (sent > 0 && measuring) times.push(performance.now() - sent);
      const { text } = message.moves[Math.floor(Math.random() * message.moves.length)];
      // As fast as a hand on a mouse, and slower than the server's limit of ten messages a second.
      setTimeout(
        () => {
          sent = performance.now();
          stream.write(frame({ type: "play", move: text, version: message.version }));
        },
        500 + Math.random() * 1000,
      );
    }
  });
  stream.write(frame({ type: "hello", tokens: [tokens.host, tokens.first] }));
  stream.write(frame({ type: "pace", milliseconds: 0 }));
}

const memory = (name) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))?.[1]) / 1024;
const idle = memory("VmRSS");
await Promise.all(Array.from({ length: Number(games) }, (_, guest) => play(guest)));
await new Promise((resolve) => setTimeout(resolve, 3000));
measuring = true;
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
measuring = false;
times.sort((a, b) => a - b);
const at = (share) =>
  Math.round((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN) * 10) / 10;
const result = {
  games: Number(games),
  game,
  seat,
  seconds: Number(seconds),
  answers_per_second: Math.round(times.length / Number(seconds)),
  median_ms: at(0.5),
  p99_ms: at(0.99),
  longest_ms: at(1),
  games_finished: over,
  failed,
  idle_mb: Math.round(idle),
  memory_mb: Math.round(memory("VmRSS")),
  peak_mb: Math.round(memory("VmHWM")),
};
console.log(JSON.stringify(result));
await server.end();
process.exit(failed > 0 ? 1 : 0);
