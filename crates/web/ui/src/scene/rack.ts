/** An upright board with round holes, in two plates between which discs fall. */

import { empty, joined, placed, prism, rounded, type Solid } from "./solid";

const HOLE = 0.385;
const STEPS = 32;

/** A plate with a round hole in each cell; its face lies at z = 0 and it is so thick. */
export function plate(columns: number, rows: number, rim: number, thick: number): Solid {
  const solid = empty();
  const corner = (x: number, y: number, z: number, n: [number, number, number]): number => {
    solid.positions.push(x, y, z);
    solid.normals.push(...n);
    return solid.uvs.push(x / 4, y / 4) / 2 - 1;
  };
  const quad = (a: number, b: number, c: number, d: number): void => void solid.indices.push(a, b, c, a, c, d);
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) {
      const [cx, cy] = [column - (columns - 1) / 2, row - (rows - 1) / 2];
      for (let i = 0; i < STEPS; i++) {
        const [a, b] = [(i / STEPS) * 2 * Math.PI, (((i + 1) % STEPS) / STEPS) * 2 * Math.PI];
        const ring = (t: number): [number, number] => [cx + HOLE * Math.cos(t), cy + HOLE * Math.sin(t)];
        // On the cell's edge, in the same direction.
        const edge = (t: number): [number, number] => {
          const far = 0.5 / Math.max(Math.abs(Math.cos(t)), Math.abs(Math.sin(t)));
          return [cx + far * Math.cos(t), cy + far * Math.sin(t)];
        };
        for (const [z, up] of [
          [0, 1],
          [-thick, -1],
        ] as const) {
          const n: [number, number, number] = [0, 0, up];
          const at = [
            corner(...ring(a), z, n),
            corner(...edge(a), z, n),
            corner(...edge(b), z, n),
            corner(...ring(b), z, n),
          ] as const;
          if (up > 0) quad(...at);
          else quad(at[3], at[2], at[1], at[0]);
        }
        const inward = (t: number): [number, number, number] => [-Math.cos(t), -Math.sin(t), 0];
        quad(
          corner(...ring(a), 0, inward(a)),
          corner(...ring(b), 0, inward(b)),
          corner(...ring(b), -thick, inward(b)),
          corner(...ring(a), -thick, inward(a)),
        );
      }
    }
  return joined(solid, ...bars(columns, rows, rim, thick));
}

/** The frame around the holes. */
function bars(columns: number, rows: number, rim: number, thick: number): Solid[] {
  const bar = (w: number, h: number, x: number, y: number): Solid => {
    const outline: [number, number][] = [
      [w / 2, h / 2],
      [-w / 2, h / 2],
      [-w / 2, -h / 2],
      [w / 2, -h / 2],
    ];
    const solid = prism(outline, [
      [-thick, 0],
      [0, 0],
    ]);
    solid.uvs = solid.uvs.map((value) => value / 4);
    return placed(solid, { x, y });
  };
  return [
    bar(rim, rows + rim, -(columns + rim) / 2, -rim / 2),
    bar(rim, rows + rim, (columns + rim) / 2, -rim / 2),
    bar(columns, rim, 0, -(rows + rim) / 2),
  ];
}

/** Two feet. */
export function feet(columns: number, rows: number, rim: number): Solid {
  const foot = prism(rounded(0.34, 1.7, 0.12), [
    [0, 0.02],
    [0.03, 0],
    [0.2, 0],
    [0.24, 0.04],
  ]);
  const lie = (x: number): Solid => {
    // Its length goes from the front to the back, its top up.
    const turn = (values: number[]): number[] =>
      values.map((_, i) => [values[i] ?? 0, values[i + 1] ?? 0, -(values[i - 1] ?? 0)][i % 3] ?? 0);
    return placed(
      { ...foot, positions: turn(foot.positions), normals: turn(foot.normals) },
      { x, y: -rows / 2 - rim - 0.1 },
    );
  };
  return joined(lie(-(columns + rim) / 2), lie((columns + rim) / 2));
}
