/** What is pointed out on a board: squares, dots, rings, arrows, numbers. All flat, in the board's own frame. */

import {
  BufferGeometry,
  CircleGeometry,
  Float32BufferAttribute,
  Group,
  type Material,
  Mesh,
  PlaneGeometry,
  RingGeometry,
} from "three";
import { shapeOf, thickness, type Arrow } from "../lib/arrows";
import type { Highlight } from "../lib/board";
import type { Board, Look } from "../lib/types";
import type { Verdict } from "../lib/worth";
import { spotOf } from "./ground";
import type { Materials } from "./materials";
import type { Picture } from "./picture";

/** How high things lie: squares under shadows under dots; what is written lies over all. */
const [SQUARE, DOT] = [0.006, 0.014];

/** What is proved of a move, as on a flat board. */
const PROVED: Record<Verdict, { sign: string; tone: string }> = {
  win: { sign: "▲", tone: "#1b7a5a" },
  draw: { sign: "■", tone: "#75601f" },
  loss: { sign: "▼", tone: "#b23a24" },
};

export class Marks {
  readonly group = new Group();
  readonly #plane = new PlaneGeometry();
  readonly #dot = new CircleGeometry(0.15, 28);
  readonly #small = new CircleGeometry(0.12, 24);
  readonly #ring = new RingGeometry(0.4, 0.46, 48);
  readonly #frame = new RingGeometry(0.6, 0.66, 4, 1, Math.PI / 4);
  #arrows: BufferGeometry[] = [];

  constructor(readonly materials: Materials) {}

  /** Draws all anew; `top` is how high the piece on a square is, 0 for none. */
  show(picture: Picture, face: number, top: (square: number) => number): void {
    this.group.clear();
    for (const arrow of this.#arrows) arrow.dispose();
    this.#arrows = [];
    const { board, look, materials } = { ...picture, materials: this.materials };
    const place = (geometry: BufferGeometry, material: Material, square: number, z: number): Mesh =>
      this.#place(geometry, material, board, square, face + z);
    /** Around the foot of what is tall, upon what is flat. */
    const height = (square: number): number => (top(square) > 0.4 ? DOT : top(square) + DOT);
    for (const { square, kind } of picture.marked) {
      const [shape, colour, opacity] = this.#drawing(kind, look);
      place(shape, materials.flat(colour, opacity), square, shape === this.#plane ? SQUARE : height(square));
    }
    if (picture.ghost !== null)
      place(this.#dot, materials.flat("#ffffff", 0.4), picture.ghost, DOT).scale.setScalar(2.4);
    if (picture.cursor !== null)
      place(this.#frame, materials.flat("#1f6feb", 1, true), picture.cursor, DOT).renderOrder = 8;
    for (const arrow of [...picture.arrows].reverse()) this.#point(arrow, picture, face + 0.03);
  }

  /** How a mark is drawn: its shape, its colour, and how much of what lies beneath it hides. */
  #drawing(kind: Highlight, look: Look): [BufferGeometry, string, number] {
    switch (kind) {
      case "last":
        return [this.#plane, "#f2d648", look.board === "paper" ? 0.35 : 0.46];
      case "dot":
        return [this.#small, look.board === "rack" ? "#ffffff" : "#d2502e", 1];
      case "check":
        return [this.#plane, "#e0321a", 0.66];
      case "chosen":
        return [this.#plane, "#74c05a", 0.66];
      case "winning":
        return [this.#ring, "#f7cb2d", 1];
      case "movable":
        return [this.#ring, "#f2d648", 0.9];
      case "take":
        return [this.#ring, "#d0432a", 0.95];
      case "target":
        return look.board === "felt" ? [this.#dot, "#f4eeda", 0.6] : [this.#dot, "#2f7d5b", 0.85];
    }
  }

  #place(geometry: BufferGeometry, material: Material, board: Board, square: number, z: number): Mesh {
    const mesh = new Mesh(geometry, material);
    const { x, y } = spotOf(board, square);
    mesh.position.set(x, y, z);
    mesh.renderOrder = z > SQUARE ? 3 : 1;
    this.group.add(mesh);
    return mesh;
  }

  /** An arrow where a piece moves, a ring with a number where one is put; what is proved of it has a sign. */
  #point(arrow: Arrow, { board, arrows }: Picture, z: number): void {
    const best = arrow.best ?? arrow.rank === 1;
    const end = arrow.squares.at(-1) ?? 0;
    const tone = arrow.verdict ? PROVED[arrow.verdict].tone : "#2c78c4";
    const material = this.materials.flat(tone, best ? 0.88 : 0.68, true);
    if (arrow.squares.length > 1) {
      const points = arrow.squares
        .map((square) => spotOf(board, square))
        .map(({ x, y }) => ({ x: 100 * x, y: 100 * y }));
      const geometry = arrowGeometry(points, thickness(best ? 1 : arrow.rank));
      this.#arrows.push(geometry);
      const mesh = new Mesh(geometry, material);
      mesh.position.z = z;
      mesh.renderOrder = 5;
      this.group.add(mesh);
    } else {
      this.#place(this.#ring, material, board, end, z).renderOrder = 5;
      const text = arrow.label ?? (arrows.length > 1 ? String(arrow.rank) : null);
      if (text !== null) this.#label(text, "#1d2b3a", "rgb(255 253 246 / 82%)", board, end, z, 0.56, { x: 0, y: 0 });
    }
    if (arrow.verdict) {
      const { sign } = PROVED[arrow.verdict];
      this.#label(sign, "#ffffff", tone, board, end, z, 0.36, { x: 0.31, y: 0.31 });
    }
  }

  #label(
    text: string,
    colour: string,
    paper: string,
    board: Board,
    square: number,
    z: number,
    size: number,
    by: { x: number; y: number },
  ): void {
    const mesh = this.#place(this.#plane, this.materials.written(text, colour, paper), board, square, z);
    mesh.position.x += by.x;
    mesh.position.y += by.y;
    mesh.scale.setScalar(size);
    mesh.renderOrder = 6;
  }

  dispose(): void {
    for (const geometry of [this.#plane, this.#dot, this.#small, this.#ring, this.#frame, ...this.#arrows])
      geometry.dispose();
  }
}

/** A shaft and a head, from points in hundredths of a square. */
function arrowGeometry(points: { x: number; y: number }[], width: number): BufferGeometry {
  const { shaft, head } = shapeOf(points, width);
  const corners: number[] = [];
  const corner = (x: number, y: number): void => void corners.push(x / 100, y / 100, 0);
  shaft.slice(1).forEach((b, i) => {
    const a = shaft[i] ?? b;
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [nx, ny] = [(-(b.y - a.y) / far) * (width / 2), ((b.x - a.x) / far) * (width / 2)];
    for (const [p, s] of [
      [a, 1],
      [a, -1],
      [b, -1],
      [a, 1],
      [b, -1],
      [b, 1],
    ] as const)
      corner(p.x + s * nx, p.y + s * ny);
  });
  const [tip, left, right] = head;
  if (tip && left && right) for (const p of [tip, left, right]) corner(p.x, p.y);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(corners, 3));
  return geometry;
}
