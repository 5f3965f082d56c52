import { describe, expect, test } from "vitest";
import { groundOf, spotOf, squareOn } from "../../src/scene/ground";
import { GRIPS, heightOf, type Man } from "../../src/scene/men";
import { cornersOf, eyeOf, LENS, MARGIN, usual, type Eye } from "../../src/scene/orbit";
import { picked, reach, type Grip } from "../../src/scene/picking";
import { PLAIN } from "../../src/lib/look";
import type { Look } from "../../src/lib/types";

const size = (rows: number, columns: number, row_one: "top" | "bottom" = "bottom") => ({
  rows,
  columns,
  row_one,
  numbers: null,
});
const CHESS: Look = { ...PLAIN, board: "chequered", pieces: "chessmen" };
const RACK: Look = { ...PLAIN, board: "rack", pieces: "discs" };

describe("squares and places", () => {
  test.each([size(8, 8), size(6, 7), size(19, 19), size(10, 10, "top"), size(3, 5, "top")])(
    "every square of $rows x $columns, row one at the $row_one",
    (board) => {
      const spots = new Set<string>();
      for (let square = 0; square < board.rows * board.columns; square++) {
        const spot = spotOf(board, square);
        spots.add(`${spot.x} ${spot.y}`);
        for (const [dx, dy] of [
          [0, 0],
          [0.49, 0.49],
          [-0.49, 0.49],
          [0.49, -0.49],
          [-0.49, -0.49],
        ] as const) {
          expect(squareOn(board, { x: spot.x + dx, y: spot.y + dy })).toBe(square);
        }
      }
      expect(spots.size).toBe(board.rows * board.columns);
      expect(squareOn(board, { x: board.columns / 2 + 0.01, y: 0 })).toBeNull();
      expect(squareOn(board, { x: 0, y: -board.rows / 2 - 0.01 })).toBeNull();
    },
  );

  test("the first row is near whoever sits below, or far, as the game has it", () => {
    expect(spotOf(size(8, 8), 0)).toEqual({ x: -3.5, y: -3.5 });
    expect(spotOf(size(8, 8, "top"), 0)).toEqual({ x: -3.5, y: 3.5 });
  });
});

describe("rays", () => {
  const at = (square: number, man: Man, x = 0, y = 0): Grip => ({ square, x, y, z: 0, rings: GRIPS[man] });

  test("straight down upon a piece comes to its top", () => {
    for (const man of Object.keys(GRIPS) as Man[]) {
      expect(reach({ from: [0, 0, 10], to: [0, 0, -1] }, at(0, man)), man).toBeCloseTo(10 - heightOf(man), 5);
      expect(reach({ from: [0.6, 0, 10], to: [0, 0, -1] }, at(0, man)), man).toBe(Infinity);
    }
  });

  test("along the board comes to a piece's foot", () => {
    expect(reach({ from: [-5, 0, 0.01], to: [1, 0, 0] }, at(0, "rook"))).toBeCloseTo(5 - 0.3, 2);
    expect(reach({ from: [-5, 0, 2], to: [1, 0, 0] }, at(0, "rook"))).toBe(Infinity);
    expect(reach({ from: [5, 0, 0.01], to: [1, 0, 0] }, at(0, "rook")), "behind the eye").toBe(Infinity);
  });

  test("as many points of a ray through a body are inside as a fine walk finds", () => {
    // An independent way: walk along the ray and look when it is within the rings.
    const inside = (grip: Grip, p: number[]): boolean =>
      grip.rings.some(([ra, za], i) => {
        const next = grip.rings[i + 1];
        if (!next || p[2]! < za || p[2]! > next[1]) return false;
        const radius = ra + ((next[0] - ra) * (p[2]! - za)) / (next[1] - za);
        return Math.hypot(p[0]!, p[1]!) <= radius;
      });
    let now = 7;
    const roll = (): number => (now = (Math.imul(now, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    for (let i = 0; i < 90; i++) {
      const grip = at(0, (Object.keys(GRIPS) as Man[])[i % Object.keys(GRIPS).length] ?? "pawn");
      const from: [number, number, number] = [6 * roll() - 3, -3, 3 * roll()];
      const to: [number, number, number] = [
        (0.6 * roll() - 0.3 - from[0]) / 5,
        (0.6 * roll() - 0.3 - from[1]) / 5,
        (1.2 * roll() - from[2]) / 5,
      ];
      let walked = Infinity;
      for (let t = 0; t < 12 && walked === Infinity; t += 0.002)
        if (
          inside(
            grip,
            from.map((value, k) => value + t * to[k]!),
          )
        )
          walked = t;
      const found = reach({ from, to }, grip);
      if (Number.isFinite(walked)) expect(found).toBeLessThan(walked + 1e-6);
      if (Number.isFinite(found) && Number.isFinite(walked)) expect(Math.abs(found - walked)).toBeLessThan(0.01);
      if (Number.isFinite(found) && !Number.isFinite(walked))
        expect(
          inside(
            { ...grip, rings: grip.rings.map(([r, z]) => [r + 0.01, z]) },
            from.map((value, k) => value + found * to[k]!),
          ),
        ).toBe(true);
    }
  });

  test("the piece in front is picked, not the square behind it", () => {
    const board = size(8, 8);
    const grips = [
      at(12, "queen", spotOf(board, 12).x, spotOf(board, 12).y),
      at(20, "pawn", spotOf(board, 20).x, spotOf(board, 20).y),
    ];
    const { x, y } = spotOf(board, 20);
    const from: [number, number, number] = [x, -14, 9];
    const through = (z: number): number | null =>
      picked({ from, to: [x - from[0], y - from[1], z - from[2]] }, grips, (spot) => squareOn(board, spot));
    expect(through(0), "a naive projection of the square").toBe(12);
    expect(through(0.7), "the pawn's head").toBe(20);
    expect(picked({ from, to: [0, 0, 1] }, grips, (spot) => squareOn(board, spot))).toBeNull();
  });

  test("one of 361 stones", () => {
    const board = size(19, 19);
    const grips = Array.from({ length: 361 }, (_, square) => ({ ...at(square, "point"), ...spotOf(board, square) }));
    const ray = { from: [0, -30, 30] as [number, number, number], to: [0.1, 30, -30] as [number, number, number] };
    expect(picked(ray, grips, (spot) => squareOn(board, spot))).not.toBeNull();
  });
});

describe("the eye", () => {
  /** Where corners come to in a window, from -1 to 1 each way. */
  function seen({ from, to }: Eye, aspect: number, p: number[]): [number, number] {
    const unit = (v: number[]): number[] => v.map((value) => value / Math.hypot(...v));
    const cross = (a: number[], b: number[]): number[] => [
      a[1]! * b[2]! - a[2]! * b[1]!,
      a[2]! * b[0]! - a[0]! * b[2]!,
      a[0]! * b[1]! - a[1]! * b[0]!,
    ];
    const dot = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);
    const back = unit(from.map((value, k) => value - to[k]!));
    const right = unit(cross([0, 1, 0], back));
    const up = cross(back, right);
    const d = p.map((value, k) => value - from[k]!);
    const half = Math.tan((LENS * Math.PI) / 360) * -dot(d, back);
    return [dot(d, right) / (half * aspect), dot(d, up) / half];
  }

  test.each([0.7, 1, 1.18, 1.8])("all of a board is seen and fills a window of %f to 1, from every side", (aspect) => {
    for (const ground of [
      groundOf(size(8, 8), CHESS),
      groundOf(size(19, 19), { ...CHESS, pieces: "stones" }),
      groundOf(size(6, 7), RACK),
    ]) {
      for (const around of [0, 0.7, Math.PI, 4]) {
        const eye = eyeOf({ ...usual(ground, aspect), around }, ground, aspect);
        const corners = cornersOf(ground).map((corner) => seen(eye, aspect, corner));
        expect(Math.max(...corners.flat().map(Math.abs))).toBeLessThanOrEqual(MARGIN + 1e-4);
        expect(Math.max(...corners.flat().map(Math.abs))).toBeGreaterThan(MARGIN - 0.01);
      }
    }
  });
});
