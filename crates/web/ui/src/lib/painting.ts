/** A large board on a canvas: only what is seen is drawn, and small squares are drawn more simply. */

import { shapeOf, thickness, type Arrow } from "./arrows";
import type { Camera, Size } from "./camera";
import { colourOf } from "./look";
import { seenAt, squareAt, starsOf } from "./places";
import { colourAt } from "./colours";
import { disc, stone } from "./sprites";
import type { Board, Colour, Look } from "./types";
import { SIGNS } from "./worth";

/** Room for the names of columns below and of rows at the left. */
export const BAND = { left: 34, bottom: 22 };

/** Below so many pixels a square, stones are plain and names of lines few. */
const PLAIN = 7;

export interface Scene {
  board: Board;
  look: Look;
  flipped: boolean;
  last: number[];
  /** Moves to point out. */
  arrows: Arrow[];
  /** Where a stone would go. */
  ghost: number | null;
  cursor: number | null;
  /** From 0 to 1, how long ago the last stone came. */
  age: number;
}

/** Colours from the page's style sheet. */
export type Palette = Record<(typeof COLOURS)[number], string>;
const COLOURS = [
  "rim",
  "rim-ink",
  "focus",
  "paper",
  "wood",
  "wood-end",
  "wood-line",
  "panel",
  "panel-hole",
  "dark-stone",
  "light-stone",
  "red-stone",
  "yellow-stone",
  "mark",
  "win",
  "advice",
  "proved-win",
  "proved-draw",
  "proved-loss",
] as const;

export function paletteOf(element: Element): Palette {
  return Object.fromEntries(COLOURS.map((name) => [name, colourAt(element, name)])) as Palette;
}

interface Window {
  context: CanvasRenderingContext2D;
  scene: Scene;
  camera: Camera;
  palette: Palette;
  /** The part for the board, at the upper right of the canvas. */
  pane: Size;
  /** Rows and columns that are seen, the last ones not counted. */
  rows: [number, number];
  columns: [number, number];
  /** Pixels of the screen for one of the page. */
  density: number;
}

/** Draws everything. */
export function paint(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  palette: Palette,
  size: Size,
  density: number,
): void {
  const pane = { width: size.width - BAND.left, height: size.height - BAND.bottom };
  const range = (from: number, room: number, count: number): [number, number] => [
    Math.max(0, Math.floor(from)),
    Math.min(count, Math.ceil(from + room / camera.scale)),
  ];
  const rows = range(camera.y, pane.height, scene.board.rows);
  const columns = range(camera.x, pane.width, scene.board.columns);
  const window: Window = { context, scene, camera, palette, pane, rows, columns, density };
  context.setTransform(density, 0, 0, density, 0, 0);
  context.fillStyle = palette.rim;
  context.fillRect(0, 0, size.width, size.height);
  context.save();
  context.translate(BAND.left, 0);
  context.beginPath();
  context.rect(0, 0, pane.width, pane.height);
  context.clip();
  if (scene.look.board === "rack") panel(window);
  else wood(window);
  stones(window);
  marks(window);
  context.restore();
  names(window, size);
}

const left = ({ camera }: Window, column: number): number => (column - camera.x) * camera.scale;
const top = ({ camera }: Window, row: number): number => (row - camera.y) * camera.scale;

const snapped = ({ density }: Window, at: number): number => Math.floor(at * density) / density;

function middle(window: Window, square: number): { x: number; y: number } {
  const { board, flipped } = window.scene;
  const { row, column } = seenAt(board, flipped, square);
  return { x: left(window, column + 0.5), y: top(window, row + 0.5) };
}

function wood(window: Window): void {
  const { context, scene, camera, palette, rows, columns } = window;
  const { board, flipped } = scene;
  const [x, y] = [left(window, 0), top(window, 0)];
  const [width, height] = [board.columns * camera.scale, board.rows * camera.scale];
  const grain = context.createLinearGradient(x, y, x + width, y + height / 4);
  for (const at of [0, 0.55, 1]) grain.addColorStop(at, at === 0.55 ? palette.wood : palette["wood-end"]);
  context.fillStyle = grain;
  context.fillRect(x, y, width, height);

  // Lines nearer than a few pixels would be a grey veil: every tenth is enough there.
  const every = camera.scale < 5 ? 10 : 1;
  // Rectangles on whole pixels of the screen: several times quicker than strokes.
  context.fillStyle = palette["wood-line"];
  context.globalAlpha = camera.scale < 14 ? 0.6 : 0.9;
  const thick = Math.max(1, Math.round(window.density)) / window.density;
  const [up, down] = [top(window, 0.5), top(window, board.rows - 0.5)];
  const [west, east] = [left(window, 0.5), left(window, board.columns - 0.5)];
  for (let row = rows[0]; row < rows[1]; row++) {
    const number = squareAt(board, flipped, row, 0) ?? 0;
    if ((Math.floor(number / board.columns) + 1) % every !== 0) continue;
    context.fillRect(west, snapped(window, top(window, row + 0.5)), east - west, thick);
  }
  for (let column = columns[0]; column < columns[1]; column++) {
    const number = (squareAt(board, flipped, 0, column) ?? 0) % board.columns;
    if ((number + 1) % every !== 0) continue;
    context.fillRect(snapped(window, left(window, column + 0.5)), up, thick, down - up);
  }
  context.globalAlpha = 1;
  for (const square of starsOf(board)) dot(window, square, 0.09, palette["wood-line"]);
}

/** A panel with a hole for each disc: one hole, repeated. */
function panel(window: Window): void {
  const { context, scene, camera, palette, density } = window;
  const [x, y] = [left(window, 0), top(window, 0)];
  const [width, height] = [scene.board.columns * camera.scale, scene.board.rows * camera.scale];
  context.fillStyle = palette.panel;
  context.fillRect(x, y, width, height);
  if (camera.scale < 4) return;
  const tile = disc(camera.scale, density, palette["panel-hole"], "none");
  const pattern = context.createPattern(tile, "repeat");
  if (!pattern) return;
  const shrink = camera.scale / tile.width;
  pattern.setTransform(new DOMMatrix().translate(x, y).scale(shrink, shrink));
  context.fillStyle = pattern;
  context.fillRect(x, y, width, height);
}

function stones(window: Window): void {
  const { context, scene, camera, palette, rows, columns, density } = window;
  const { board, flipped, look } = scene;
  const { scale } = camera;
  const fills: Record<Colour, string> = {
    light: palette["light-stone"],
    dark: palette["dark-stone"],
    red: palette["red-stone"],
    yellow: palette["yellow-stone"],
    cross: palette["red-stone"],
    nought: palette["dark-stone"],
  };
  const colour = [colourOf(look, "first"), colourOf(look, "second")] as const;
  const draw = look.pieces === "discs" ? disc : stone;
  const sprites = scale < PLAIN ? null : colour.map((one) => draw(scale, density, fills[one], one));
  const plain = Math.max(Math.round(scale * 0.86 * density), 1) / density;
  const step = flipped ? -1 : 1;
  for (let row = rows[0]; row < rows[1]; row++) {
    let square = squareAt(board, flipped, row, columns[0]) ?? 0;
    for (let column = columns[0]; column < columns[1]; column++, square += step) {
      // The letters 1 and 2; anything else is nobody's.
      const side = board.owners.charCodeAt(square) - 49;
      if (side === 0 || side === 1) {
        const sprite = sprites?.[side];
        if (sprite) context.drawImage(sprite, left(window, column), top(window, row), scale, scale);
        else {
          context.fillStyle = fills[colour[side]];
          context.fillRect(snapped(window, left(window, column)), snapped(window, top(window, row)), plain, plain);
        }
      } else if (board.glyphs[square] === "#") {
        context.fillStyle = palette.paper;
        context.fillRect(left(window, column), top(window, row), scale + 0.5, scale + 0.5);
      }
    }
  }
}

function dot(window: Window, square: number, radius: number, fill: string): void {
  const { context, camera } = window;
  const { x, y } = middle(window, square);
  context.fillStyle = fill;
  context.beginPath();
  context.arc(x, y, Math.max(radius * camera.scale, 1.5), 0, 2 * Math.PI);
  context.fill();
}

function ring(window: Window, square: number, radius: number, stroke: string, width: number): void {
  const { context, camera } = window;
  const { x, y } = middle(window, square);
  context.strokeStyle = stroke;
  context.lineWidth = Math.max(width * camera.scale, 1.5);
  context.beginPath();
  context.arc(x, y, Math.max(radius * camera.scale, 3.5), 0, 2 * Math.PI);
  context.stroke();
}

function marks(window: Window): void {
  const { context, scene, camera, palette } = window;
  for (const square of scene.board.line) {
    // Dark under light: it is seen on stones of any colour.
    ring(window, square, 0.43, palette["dark-stone"], 0.17);
    ring(window, square, 0.43, palette.win, 0.1);
  }
  for (const square of scene.last) {
    dot(window, square, 0.13, palette.mark);
    // Where squares are tiny a dot is lost, and a stone that has just come draws the eye.
    if (camera.scale < PLAIN * 2) ring(window, square, 1.4, palette.mark, 0.2);
    if (scene.age < 1) {
      context.globalAlpha = 1 - scene.age;
      ring(window, square, 0.5 + (1 - scene.age) * 1.4, palette.mark, 0.09);
      context.globalAlpha = 1;
    }
  }
  if (scene.ghost !== null) {
    context.globalAlpha = 0.3;
    dot(window, scene.ghost, 0.4, scene.look.board === "rack" ? palette["light-stone"] : palette["dark-stone"]);
    context.globalAlpha = 1;
  }
  for (const arrow of scene.arrows.toReversed()) advise(window, arrow);
  if (scene.cursor !== null) {
    const { x, y } = middle(window, scene.cursor);
    const half = Math.max(camera.scale * 0.47, 5);
    // Light under colour: it is seen on wood as well as on stones.
    for (const [width, stroke] of [
      [5, palette["light-stone"]],
      [3, palette.focus],
    ] as const) {
      context.lineWidth = width;
      context.strokeStyle = stroke;
      context.beginPath();
      context.roundRect(x - half, y - half, 2 * half, 2 * half, half * 0.18);
      context.stroke();
    }
  }
}

/** A ring with its rank, or an arrow; and the sign of what is proved. */
function advise(window: Window, arrow: Arrow): void {
  const { context, scene, camera, palette } = window;
  const end = arrow.squares.at(-1) ?? 0;
  const { x, y } = middle(window, end);
  const fill = palette[arrow.verdict ? (`proved-${arrow.verdict}` as const) : "advice"];
  const thick = thickness(arrow.rank) / 100;
  context.save();
  if (arrow.squares.length > 1) {
    const width = Math.max(thick * camera.scale, 2);
    const { shaft, head } = shapeOf(
      arrow.squares.map((square) => middle(window, square)),
      width,
    );
    context.beginPath();
    for (const point of shaft) context.lineTo(point.x, point.y);
    context.lineWidth = width;
    context.strokeStyle = fill;
    context.stroke();
    context.beginPath();
    for (const point of head) context.lineTo(point.x, point.y);
    context.fillStyle = fill;
    context.fill();
  } else {
    const room = camera.scale >= 2 * PLAIN;
    context.globalAlpha = 0.78;
    if (room) dot(window, end, 0.36, palette["light-stone"]);
    context.globalAlpha = arrow.rank === 1 ? 1 : 0.75;
    ring(window, end, 0.36, fill, thick * 0.75);
    if (room && scene.arrows.length > 1) {
      context.fillStyle = palette["dark-stone"];
      context.font = `600 ${0.4 * camera.scale}px ${getComputedStyle(context.canvas).fontFamily}`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(String(arrow.rank), x, y);
    }
  }
  if (arrow.verdict) {
    const radius = Math.max(0.19 * camera.scale, 5);
    context.translate(x + 0.31 * camera.scale, y - 0.31 * camera.scale);
    context.scale(radius, radius);
    context.fillStyle = fill;
    context.beginPath();
    context.arc(0, 0, 1, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = palette["light-stone"];
    context.fill(new Path2D(SIGNS[arrow.verdict]));
  }
  context.restore();
}

/** How far apart names of lines are: so that none touches the next. */
const apart = (scale: number, room: number): number => [1, 2, 5, 10, 25, 50].find((n) => n * scale >= room) ?? 100;

function names(window: Window, size: Size): void {
  const { context, scene, camera, palette, rows, columns, pane } = window;
  const { board, flipped } = scene;
  context.fillStyle = palette["rim-ink"];
  context.font = `12px ${getComputedStyle(context.canvas).fontFamily}`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  const inside = (at: number, room: number): boolean => at > 8 && at < room - 8;
  const sparse = apart(camera.scale, 30);
  for (let column = columns[0]; column < columns[1]; column++) {
    const number = (squareAt(board, flipped, 0, column) ?? 0) % board.columns;
    const x = left(window, column + 0.5);
    if ((number + 1) % sparse !== 0 || !inside(x, pane.width)) continue;
    context.fillText(board.column_names[number] ?? "", BAND.left + x, size.height - BAND.bottom / 2);
  }
  const tall = apart(camera.scale, 22);
  for (let row = rows[0]; row < rows[1]; row++) {
    const number = Math.floor((squareAt(board, flipped, row, 0) ?? 0) / board.columns) + 1;
    const y = top(window, row + 0.5);
    if (number % tall !== 0 || !inside(y, pane.height)) continue;
    context.fillText(String(number), BAND.left / 2, y);
  }
}
