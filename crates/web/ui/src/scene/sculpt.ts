/**
 * Carved bodies: a function tells how far a point is outside (negative: inside), and naive surface nets (Gibson 1998) find
 * the surface: a corner in each cell that it passes through, at the middle of where it crosses the cell's edges.
 */

import { empty, type Solid } from "./solid";

export type Vector = [x: number, y: number, z: number];
export type Field = (x: number, y: number, z: number) => number;

/** A thick line whose ends may be of different thickness. */
export function rod(a: Vector, b: Vector, ra: number, rb: number, flat = 1): Field {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const long = dx * dx + dy * dy + dz * dz || 1;
  return (x, y, z) => {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
    const t = Math.min(Math.max((px * dx + py * dy + pz * dz) / long, 0), 1);
    return Math.hypot(px - t * dx, (py - t * dy) / flat, pz - t * dz) - (ra + t * (rb - ra));
  };
}

/** A ball, flattened along the axes; distances are estimates. */
export function ball(at: Vector, radii: Vector): Field {
  const least = Math.min(...radii);
  return (x, y, z) => (Math.hypot((x - at[0]) / radii[0], (y - at[1]) / radii[1], (z - at[2]) / radii[2]) - 1) * least;
}

/** Several as one, flowing into each other over such a distance (Quilez's polynomial). */
export const union =
  (soft: number, ...fields: Field[]): Field =>
  (x, y, z) => {
    let all = Infinity;
    for (const field of fields) {
      const d = field(x, y, z);
      const h = Math.max(soft - Math.abs(all - d), 0) / soft;
      all = Math.min(all, d) - (Number.isFinite(h) ? h * h * soft * 0.25 : 0);
    }
    return all;
  };

/** One without another, with an edge as soft as said. */
export const without =
  (soft: number, field: Field, ...cuts: Field[]): Field =>
  (x, y, z) => {
    let all = field(x, y, z);
    for (const cut of cuts) {
      const d = -cut(x, y, z);
      const h = Math.max(soft - Math.abs(all - d), 0) / soft;
      all = Math.max(all, d) + h * h * soft * 0.25;
    }
    return all;
  };

export interface Box {
  low: Vector;
  high: Vector;
}

/** The surface of a field that ends within a box. */
export function carved(field: Field, box: Box, cell: number): Solid {
  // A cell more on each side: the outermost ones have no neighbours to join.
  const [low, high] = [box.low.map((value) => value - cell), box.high.map((value) => value + cell)] as [Vector, Vector];
  const [nx, ny, nz] = [0, 1, 2].map((k) => Math.ceil(((high[k] ?? 0) - (low[k] ?? 0)) / cell) + 1) as Vector;
  const values = new Float32Array(nx * ny * nz);
  for (let k = 0, at = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) values[at++] = field(low[0] + i * cell, low[1] + j * cell, low[2] + k * cell);
  const solid = empty();
  const corners = new Int32Array(values.length).fill(-1);
  const step = [1, nx, nx * ny] as const;
  const value = (at: number): number => values[at] ?? 1;
  for (let k = 0; k + 1 < nz; k++)
    for (let j = 0; j + 1 < ny; j++)
      for (let i = 0; i + 1 < nx; i++) {
        const at = i + nx * (j + ny * k);
        const middle = crossing(value, at, step);
        if (!middle) continue;
        const p: Vector = [
          low[0] + (i + middle[0]) * cell,
          low[1] + (j + middle[1]) * cell,
          low[2] + (k + middle[2]) * cell,
        ];
        corners[at] = solid.positions.length / 3;
        solid.positions.push(...p);
        solid.normals.push(...slope(field, p, cell / 2));
        solid.uvs.push(Math.atan2(p[1], p[0]) / (2 * Math.PI), p[2]);
      }
  const corner = (at: number): number => corners[at] ?? -1;
  for (let k = 1; k + 1 < nz; k++)
    for (let j = 1; j + 1 < ny; j++)
      for (let i = 1; i + 1 < nx; i++) {
        const at = i + nx * (j + ny * k);
        for (let axis = 0; axis < 3; axis++) {
          const [along, u, v] = [step[axis] ?? 1, step[(axis + 1) % 3] ?? 1, step[(axis + 2) % 3] ?? 1];
          const inside = value(at) < 0;
          if (inside === value(at + along) < 0) continue;
          const quad = [at, at - u, at - u - v, at - v].map(corner);
          const [a, b, c, d] = (inside ? quad : quad.reverse()) as [number, number, number, number];
          solid.indices.push(a, b, c, a, c, d);
        }
      }
  return solid;
}

/** The middle of where the surface crosses a cell's twelve edges, as parts of the cell; null where it does not. */
function crossing(value: (at: number) => number, at: number, step: readonly [number, number, number]): Vector | null {
  let [x, y, z, count] = [0, 0, 0, 0];
  for (let corner = 0; corner < 8; corner++) {
    const bits = [corner & 1, (corner >> 1) & 1, (corner >> 2) & 1] as const;
    const a = value(at + bits[0] * step[0] + bits[1] * step[1] + bits[2] * step[2]);
    for (let axis = 0; axis < 3; axis++) {
      if (bits[axis] === 1) continue;
      const b = value(at + bits[0] * step[0] + bits[1] * step[1] + bits[2] * step[2] + (step[axis] ?? 0));
      if (a < 0 === b < 0) continue;
      const t = a / (a - b);
      x += bits[0] + (axis === 0 ? t : 0);
      y += bits[1] + (axis === 1 ? t : 0);
      z += bits[2] + (axis === 2 ? t : 0);
      count++;
    }
  }
  return count === 0 ? null : [x / count, y / count, z / count];
}

/** The direction in which a field grows. */
function slope(field: Field, [x, y, z]: Vector, by: number): Vector {
  const n: Vector = [
    field(x + by, y, z) - field(x - by, y, z),
    field(x, y + by, z) - field(x, y - by, z),
    field(x, y, z + by) - field(x, y, z - by),
  ];
  const far = Math.hypot(...n);
  return far > 0 ? [n[0] / far, n[1] / far, n[2] / far] : [0, 0, 1];
}
