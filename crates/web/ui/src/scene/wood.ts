/** Wood, felt and what is drawn on boards, painted on canvases: no picture is fetched. */

import type { Board, Look } from "../lib/types";
import type { Ground } from "./ground";
import { spotOf } from "./ground";
import { starsOf } from "../lib/places";

export type Canvas = HTMLCanvasElement;

export function canvasOf(width: number, height: number): { canvas: Canvas; pen: CanvasRenderingContext2D } {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  return { canvas, pen };
}

/** Numbers that look random and are the same each time. */
function dice(seed: number): () => number {
  let now = seed;
  return () => {
    now = (Math.imul(now, 1664525) + 1013904223) >>> 0;
    return now / 2 ** 32;
  };
}

/** Smooth noise of one dimension, the same at both ends of its period. */
function waves(roll: () => number, period: number): (x: number) => number {
  const values = Array.from({ length: period }, () => roll());
  return (x) => {
    const i = Math.floor(x);
    const t = x - i;
    const at = (k: number): number => values[((k % period) + period) % period] ?? 0;
    return at(i) + (at(i + 1) - at(i)) * t * t * (3 - 2 * t);
  };
}

const GRAIN = 512;

/** Grey planks: bright is 1, lines run along x. */
export function grain(seed: number, fine: number): Canvas {
  const { canvas, pen } = canvasOf(GRAIN, GRAIN);
  const image = pen.createImageData(GRAIN, GRAIN);
  const roll = dice(seed);
  const [rings, bend, bend2, fibre, fleck] = [
    waves(roll, 4096),
    waves(roll, 8),
    waves(roll, 16),
    waves(roll, GRAIN * 4),
    waves(roll, 8192),
  ];
  for (let y = 0; y < GRAIN; y++) {
    for (let x = 0; x < GRAIN; x++) {
      const sway = 20 * bend(x / 64) + 3 * bend2(x / 32 + 3);
      const depth = (y + sway) / GRAIN;
      const ring = rings(depth * 26 * fine);
      // Late wood is a sharp dark line at the end of a year's ring.
      const year = (depth * 15 * fine + ring * 0.7) % 1;
      const late = year > 0.72 ? ((year - 0.72) / 0.28) ** 2 : 0;
      const thread = fibre(y * 3.1 + 7 * bend2(x / 32)) * 0.5 + fleck(x / 22 + y * 13.7) * 0.5;
      const shade = 1 - 0.13 * late - 0.08 * ring - 0.12 * thread;
      const at = 4 * (y * GRAIN + x);
      image.data[at] = image.data[at + 1] = image.data[at + 2] = 255 * shade;
      image.data[at + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** Cloth. */
function cloth(seed: number): Canvas {
  const { canvas, pen } = canvasOf(256, 256);
  const image = pen.createImageData(256, 256);
  const roll = dice(seed);
  for (let i = 0; i < 256 * 256; i++) {
    image.data[4 * i] = image.data[4 * i + 1] = image.data[4 * i + 2] = 205 + 50 * roll();
    image.data[4 * i + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** The woods of a board. */
const WOODS = {
  light: "#f0d9ae",
  dark: "#a8703f",
  walnut: "#6d4528",
  kaya: "#e8bf78",
  maple: "#e3c08a",
  felt: "#2f7a52",
} as const;

interface Brush {
  pen: CanvasRenderingContext2D;
  planks: Canvas;
  roll: () => number;
}

/** A piece of wood: its colour, then the lines of the grain, from a place of the plank of its own. */
function plank(
  { pen, planks, roll }: Brush,
  colour: string,
  x: number,
  y: number,
  w: number,
  h: number,
  along: "x" | "y",
  scale: number,
): void {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, w, h);
  pen.clip();
  pen.fillStyle = colour;
  pen.fillRect(x, y, w, h);
  pen.globalCompositeOperation = "multiply";
  pen.translate(x + w / 2, y + h / 2);
  if (along === "y") pen.rotate(Math.PI / 2);
  const [long, wide] = along === "y" ? [h, w] : [w, h];
  const [cutX, cutY] = [Math.min(GRAIN, long / scale), Math.min(GRAIN, wide / scale)];
  pen.drawImage(planks, roll() * (GRAIN - cutX), roll() * (GRAIN - cutY), cutX, cutY, -long / 2, -wide / 2, long, wide);
  pen.restore();
  pen.save();
  pen.globalCompositeOperation = "multiply";
  pen.fillStyle = `rgb(90 50 20 / ${roll() * 13}%)`;
  pen.fillRect(x, y, w, h);
  pen.restore();
}

/** What lies on top of a board: rim, squares or lines, and names. One square is `cell` pixels. */
export function boardTop(board: Board, look: Look, ground: Ground, pixels: number): Canvas {
  const [wide, high] = [ground.columns + 2 * ground.rim, ground.rows + 2 * ground.rim];
  const cell = pixels / Math.max(wide, high);
  const { canvas, pen } = canvasOf(Math.round(wide * cell), Math.round(high * cell));
  const brush: Brush = { pen, planks: grain(7, 1), roll: dice(11) };
  const fields = { x: ground.rim * cell, y: ground.rim * cell, w: ground.columns * cell, h: ground.rows * cell };
  const whole = look.board === "points" || look.board === "paper" || look.board === "squares";
  if (whole)
    plank(
      brush,
      look.board === "points" ? WOODS.kaya : WOODS.maple,
      0,
      0,
      canvas.width,
      canvas.height,
      "y",
      canvas.height / GRAIN / 1.02,
    );
  else frame(brush, canvas, fields);
  if (look.board === "chequered") chequers(brush, board, ground, cell);
  else if (look.board === "felt") felt(pen, fields);
  lines(pen, board, look, ground, cell);
  names(pen, board, ground, cell, whole);
  return canvas;
}

interface Fields {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Four bars with mitred corners, and a thin line of light wood around the fields. */
function frame(brush: Brush, canvas: Canvas, { x, y, w, h }: Fields): void {
  const { pen } = brush;
  const corner = (sides: [number, number][], draw: () => void): void => {
    pen.save();
    pen.beginPath();
    for (const [a, b] of sides) pen.lineTo(a, b);
    pen.clip();
    draw();
    pen.restore();
  };
  const [W, H] = [canvas.width, canvas.height];
  plank(brush, WOODS.walnut, 0, 0, W, H, "x", 1.6);
  const upright = (): void => plank(brush, WOODS.walnut, 0, 0, W, H, "y", 1.6);
  corner(
    [
      [0, 0],
      [x, y],
      [x, y + h],
      [0, H],
    ],
    upright,
  );
  corner(
    [
      [W, 0],
      [x + w, y],
      [x + w, y + h],
      [W, H],
    ],
    upright,
  );
  pen.strokeStyle = "rgb(20 10 4 / 45%)";
  pen.lineWidth = Math.max(1, x * 0.02);
  for (const [a, b, c, d] of [
    [0, 0, x, y],
    [W, 0, x + w, y],
    [0, H, x, y + h],
    [W, H, x + w, y + h],
  ] as const) {
    pen.beginPath();
    pen.moveTo(a, b);
    pen.lineTo(c, d);
    pen.stroke();
  }
  const line = x * 0.13;
  pen.lineWidth = line * 0.5;
  pen.strokeStyle = "#dcb67c";
  pen.strokeRect(x - line, y - line, w + 2 * line, h + 2 * line);
}

/** Light and dark squares, each of a piece of wood of its own. */
function chequers(brush: Brush, board: Board, ground: Ground, cell: number): void {
  const partial = board.glyphs.includes(" ");
  const { pen } = brush;
  for (let square = 0; square < board.rows * board.columns; square++) {
    const { x, y } = corner(board, ground, cell, square);
    const odd = (Math.floor(square / board.columns) + (square % board.columns)) % 2 === 0;
    const dark = partial ? board.glyphs[square] !== " " : odd;
    plank(
      brush,
      dark ? WOODS.dark : WOODS.light,
      x,
      y,
      cell + 0.5,
      cell + 0.5,
      brush.roll() < 0.85 ? "y" : "x",
      cell / 190,
    );
    pen.strokeStyle = "rgb(40 20 8 / 22%)";
    pen.lineWidth = Math.max(1, cell * 0.008);
    pen.strokeRect(x, y, cell, cell);
  }
}

/** Where a square begins on the canvas. */
function corner(board: Board, ground: Ground, cell: number, square: number): { x: number; y: number } {
  const { x, y } = spotOf(board, square);
  return { x: (x - 0.5 + ground.columns / 2 + ground.rim) * cell, y: (ground.rows / 2 - y - 0.5 + ground.rim) * cell };
}

function felt(pen: CanvasRenderingContext2D, { x, y, w, h }: Fields): void {
  pen.fillStyle = WOODS.felt;
  pen.fillRect(x, y, w, h);
  pen.save();
  pen.globalCompositeOperation = "multiply";
  pen.fillStyle = pen.createPattern(cloth(5), "repeat") ?? WOODS.felt;
  pen.fillRect(x, y, w, h);
  // Darker towards the frame, as cloth that lies in a tray.
  pen.strokeStyle = "rgb(10 30 20 / 14%)";
  for (let i = 1; i < 5; i++) {
    pen.lineWidth = w * 0.006 * i;
    pen.strokeRect(x, y, w, h);
  }
  pen.restore();
}

/** Lines between squares or through points, stars, numbers of squares. */
function lines(pen: CanvasRenderingContext2D, board: Board, look: Look, ground: Ground, cell: number): void {
  const onPoints = look.board === "points";
  const [left, top] = [ground.rim * cell, ground.rim * cell];
  if (look.board !== "chequered" && look.board !== "rack") {
    pen.strokeStyle = look.board === "felt" ? "rgb(12 38 24 / 80%)" : "rgb(46 26 10 / 88%)";
    pen.lineWidth = cell * (onPoints ? Math.max(0.026, 0.0013 * ground.columns) : 0.03);
    pen.lineCap = onPoints ? "square" : "round";
    const shift = onPoints ? 0.5 : 0;
    const inset = look.board === "paper" ? 0.09 : onPoints ? 0.5 : 0;
    const [from, to] = look.board === "paper" ? [1, 1] : [0, 0];
    pen.beginPath();
    for (let row = from; row <= board.rows - (onPoints ? 1 : to); row++) {
      pen.moveTo(left + inset * cell, top + (row + shift) * cell);
      pen.lineTo(left + (board.columns - inset) * cell, top + (row + shift) * cell);
    }
    for (let column = from; column <= board.columns - (onPoints ? 1 : to); column++) {
      pen.moveTo(left + (column + shift) * cell, top + inset * cell);
      pen.lineTo(left + (column + shift) * cell, top + (board.rows - inset) * cell);
    }
    pen.stroke();
  }
  pen.fillStyle = "rgb(40 22 8)";
  for (const star of onPoints ? starsOf(board) : []) {
    const { x, y } = corner(board, ground, cell, star);
    pen.beginPath();
    pen.arc(x + cell / 2, y + cell / 2, cell * 0.11, 0, 2 * Math.PI);
    pen.fill();
  }
  for (let square = 0; square < board.rows * board.columns; square++) {
    const { x, y } = corner(board, ground, cell, square);
    const number = board.numbers?.[square];
    if (typeof number === "number") {
      pen.fillStyle = "rgb(255 236 200 / 55%)";
      pen.font = `600 ${cell * 0.15}px system-ui, sans-serif`;
      pen.textAlign = "left";
      pen.textBaseline = "top";
      pen.fillText(String(number), x + cell * 0.06, y + cell * 0.06);
    }
    if (board.glyphs[square] === "#") {
      pen.fillStyle = "rgb(20 12 6 / 70%)";
      pen.fillRect(x, y, cell, cell);
    }
  }
}

/** The names of columns and rows on all four sides, to be read from each. */
function names(pen: CanvasRenderingContext2D, board: Board, ground: Ground, cell: number, whole: boolean): void {
  if (board.numbers) return;
  const size = Math.min(ground.rim * 0.5, 0.2 + 0.012 * Math.max(board.rows, board.columns)) * cell;
  pen.font = `600 ${size}px Georgia, "Times New Roman", serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = whole ? "rgb(70 40 15 / 90%)" : "rgb(240 212 160 / 92%)";
  const write = (text: string, x: number, y: number, turned: boolean): void => {
    pen.save();
    pen.translate(x, y);
    if (turned) pen.rotate(Math.PI);
    pen.fillText(text, 0, 0);
    pen.restore();
  };
  const near = (whole ? 0.45 : 0.52) * ground.rim * cell;
  const [width, height] = [pen.canvas.width, pen.canvas.height];
  for (let column = 0; column < board.columns; column++) {
    const x = corner(board, ground, cell, column).x + cell / 2;
    const name = board.column_names[column] ?? "";
    write(name, x, height - near, false);
    write(name, x, near, true);
  }
  for (let row = 0; row < board.rows; row++) {
    const y = corner(board, ground, cell, row * board.columns).y + cell / 2;
    write(String(row + 1), near, y, false);
    write(String(row + 1), width - near, y, true);
  }
}

/** The colour of a board's sides. */
export const sidesOf = (look: Look): string =>
  look.board === "points"
    ? WOODS.kaya
    : look.board === "paper" || look.board === "squares"
      ? WOODS.maple
      : WOODS.walnut;

/** A soft dark spot. */
export function blot(): Canvas {
  const { canvas, pen } = canvasOf(128, 128);
  const shade = pen.createRadialGradient(64, 64, 0, 64, 64, 64);
  for (let i = 0; i <= 16; i++) {
    const t = i / 16;
    shade.addColorStop(t, `rgb(0 0 0 / ${(1 - eased(t)) * 100}%)`);
  }
  pen.fillStyle = shade;
  pen.fillRect(0, 0, 128, 128);
  return canvas;
}

const eased = (t: number): number => t * t * (3 - 2 * t);

/** A soft dark rectangle, so much larger than what darkens the table: dark below the board, nothing at its own edge. */
export function pool(w: number, h: number, spread: number): Canvas {
  const [wide, high] = [w * spread, h + w * (spread - 1)];
  const scale = 256 / Math.max(wide, high);
  const { canvas, pen } = canvasOf(Math.round(wide * scale), Math.round(high * scale));
  const soft = (w * (spread - 1) * scale) / 2;
  pen.filter = `blur(${soft * 0.42}px)`;
  pen.fillStyle = "#000";
  pen.fillRect(soft, soft, canvas.width - 2 * soft, canvas.height - 2 * soft);
  return canvas;
}

/** A letter on a disc, or a number on a ring. */
export function label(text: string, colour: string, paper: string | null): Canvas {
  const { canvas, pen } = canvasOf(128, 128);
  if (paper) {
    pen.fillStyle = paper;
    pen.beginPath();
    pen.arc(64, 64, 62, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.fillStyle = colour;
  pen.font = `700 ${text.length > 2 ? 46 : text.length > 1 ? 62 : 76}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, 64, 68);
  return canvas;
}
