import { describe, expect, test } from "vitest";
import { COARSE, FINE, ROUGH } from "../../src/scene/fineness";
import { GRIPS, heightOf, MEN, type Man } from "../../src/scene/men";
import { feet, plate } from "../../src/scene/rack";
import { prism, rounded, type Solid } from "../../src/scene/solid";

const corner = (solid: Solid, i: number): [number, number, number] => [
  solid.positions[3 * i] ?? NaN,
  solid.positions[3 * i + 1] ?? NaN,
  solid.positions[3 * i + 2] ?? NaN,
];

/** Edges, by the places of their ends, that do not have as many triangles on one side as on the other. */
function openEdges(solid: Solid): number {
  const names = Array.from({ length: solid.positions.length / 3 }, (_, i) =>
    corner(solid, i)
      .map((value) => Math.round(value * 1e5))
      .join(),
  );
  const balance = new Map<string, number>();
  for (let i = 0; i < solid.indices.length; i += 3) {
    const triangle = [0, 1, 2].map((k) => names[solid.indices[i + k] ?? -1] ?? "none");
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangle[k] ?? "", triangle[(k + 1) % 3] ?? ""];
      if (a === b) continue;
      const [name, by] = a < b ? [`${a} ${b}`, 1] : [`${b} ${a}`, -1];
      balance.set(name, (balance.get(name) ?? 0) + by);
    }
  }
  return [...balance.values()].filter((sum) => sum !== 0).length;
}

/** Positive where the triangles are seen from outside. */
function volume(solid: Solid): number {
  let sum = 0;
  for (let i = 0; i < solid.indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(solid, solid.indices[i + k] ?? -1)) as unknown as [
      number[],
      number[],
      number[],
    ];
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = [...a, ...b, ...c] as number[] & Record<number, number>;
    sum += (ax! * (by! * cz! - bz! * cy!) - ay! * (bx! * cz! - bz! * cx!) + az! * (bx! * cy! - by! * cx!)) / 6;
  }
  return sum;
}

/** How many corners have normals that look into the body. */
function inward(solid: Solid): number {
  let wrong = 0;
  for (let i = 0; i < solid.indices.length; i += 3) {
    const at = [0, 1, 2].map((k) => solid.indices[i + k] ?? 0);
    const [a, b, c] = at.map((k) => corner(solid, k)) as unknown as [number[], number[], number[]];
    const [u, v] = [b.map((x, k) => x - a[k]!), c.map((x, k) => x - a[k]!)];
    const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
    const far = Math.hypot(...n);
    if (far < 1e-9) continue;
    for (const k of at) if (n.reduce((sum, x, j) => sum + (x / far) * solid.normals[3 * k + j]!, 0) < -0.35) wrong++;
  }
  return wrong;
}

function sound(solid: Solid): void {
  expect(solid.positions.length).toBeGreaterThan(0);
  expect(solid.normals.length).toBe(solid.positions.length);
  expect(solid.uvs.length / 2).toBe(solid.positions.length / 3);
  for (const list of [solid.positions, solid.normals, solid.uvs]) expect(list.every(Number.isFinite)).toBe(true);
  const corners = solid.positions.length / 3;
  expect(solid.indices.every((index) => Number.isInteger(index) && index >= 0 && index < corners)).toBe(true);
  const lengths = Array.from({ length: corners }, (_, i) => Math.hypot(...solid.normals.slice(3 * i, 3 * i + 3)));
  expect(lengths.filter((length) => Math.abs(length - 1) > 1e-3)).toEqual([]);
}

describe.each([
  ["rough", ROUGH],
  ["coarse", COARSE],
  ["fine", FINE],
] as const)("%s pieces", (_, fineness) => {
  test.each(Object.keys(MEN) as Man[])(
    "a %s is closed, seen from outside, stands on the board and within its square",
    (man) => {
      const solid = MEN[man](fineness);
      sound(solid);
      expect(openEdges(solid)).toBe(0);
      expect(volume(solid)).toBeGreaterThan(0.005);
      // A cut may be finer than a rough carver's cell.
      expect(inward(solid) / solid.indices.length).toBeLessThan(fineness === ROUGH ? 0.02 : 0.002);
      const [xs, ys, zs] = [0, 1, 2].map((k) => solid.positions.filter((__, i) => i % 3 === k)) as [
        number[],
        number[],
        number[],
      ];
      expect(Math.min(...zs)).toBeCloseTo(man === "top" ? 0.055 : 0, 2);
      expect(Math.max(...zs)).toBeGreaterThan(heightOf(man) - 0.06);
      expect(Math.max(...zs)).toBeLessThan(heightOf(man) + 0.06);
      expect(Math.max(...[...xs, ...ys].map(Math.abs))).toBeLessThan(0.5);
    },
  );

  test("what a ray meets is hardly wider than the piece", () => {
    for (const man of Object.keys(MEN) as Man[]) {
      const { positions } = MEN[man](fineness);
      const wide = Math.max(
        ...positions.filter((__, i) => i % 3 === 0).map((x, i) => Math.hypot(x, positions[3 * i + 1] ?? 0)),
      );
      expect(Math.max(...GRIPS[man].map(([r]) => r)), man).toBeLessThan(wide + 0.01);
    }
  });
});

test("all of chess takes no more triangles than a slow machine draws in time", () => {
  const count = (man: Man): number => MEN[man](ROUGH).indices.length / 3;
  const back = 4 * (count("rook") + count("knight") + count("bishop")) + 2 * (count("queen") + count("king"));
  expect(16 * count("pawn") + back).toBeLessThan(32_000);
});

test("boards are closed", () => {
  for (const solid of [
    prism(rounded(9, 9, 0.1), [
      [-0.4, 0.05],
      [-0.35, 0],
      [-0.05, 0],
      [0, 0.05],
    ]),
    feet(7, 6, 0.3),
  ]) {
    sound(solid);
    expect(openEdges(solid)).toBe(0);
    expect(volume(solid)).toBeGreaterThan(0);
  }
  const holes = plate(7, 6, 0.3, 0.05);
  sound(holes);
  expect(volume(holes)).toBeGreaterThan(0);
});
