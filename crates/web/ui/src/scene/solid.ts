/**
 * Bodies as plain lists of numbers, without a renderer: what is turned on a lathe, cut from a board or put together
 * of such parts. Pieces stand on the plane z = 0 and their axis is z; all are closed and seen from outside.
 */

/** Triangles with a normal and a place in a texture for each corner. */
export interface Solid {
  positions: number[];
  normals: number[];
  uvs: number[];
  indices: number[];
}

/** A distance from the axis and a height. */
export type Turn = [radius: number, height: number];
export type Point = [x: number, y: number];

export const empty = (): Solid => ({ positions: [], normals: [], uvs: [], indices: [] });

/** One body of several. */
export function joined(...parts: Solid[]): Solid {
  const all = empty();
  for (const part of parts) {
    const first = all.positions.length / 3;
    for (const value of part.positions) all.positions.push(value);
    for (const value of part.normals) all.normals.push(value);
    for (const value of part.uvs) all.uvs.push(value);
    for (const index of part.indices) all.indices.push(first + index);
  }
  return all;
}

/** Turned about the axis by an angle, then moved. */
export function placed(solid: Solid, { x = 0, y = 0, z = 0, turn = 0 }): Solid {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const map = (values: number[], by: [number, number, number]): number[] => {
    const out = new Array<number>(values.length);
    for (let i = 0; i < values.length; i += 3) {
      const [a, b, h] = [values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0];
      out[i] = a * c - b * s + by[0];
      out[i + 1] = a * s + b * c + by[1];
      out[i + 2] = h + by[2];
    }
    return out;
  };
  return { ...solid, positions: map(solid.positions, [x, y, z]), normals: map(solid.normals, [0, 0, 0]) };
}

/** Points on a smooth curve through these (Catmull and Rom's), so many for each stretch. */
export function smooth(through: Turn[], steps = 6): Turn[] {
  const at = (i: number): Turn => through[Math.min(Math.max(i, 0), through.length - 1)] ?? [0, 0];
  const out: Turn[] = [];
  for (let i = 0; i + 1 < through.length; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let step = 0; step < steps; step++) {
      const t = step / steps;
      const mix = (p: number, q: number, r: number, s: number): number =>
        0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t);
      out.push([Math.max(mix(a[0], b[0], c[0], d[0]), 0), mix(a[1], b[1], c[1], d[1])]);
    }
  }
  out.push(at(through.length - 1));
  return out;
}

/** Part of a circle about a point of the profile, from one angle to another; 0 points away from the axis, a quarter up. */
export function arc(r: number, z: number, radius: number, from: number, to: number, steps = 8): Turn[] {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps;
    return [Math.max(r + radius * Math.cos(angle), 0), z + radius * Math.sin(angle)];
  });
}

const [ROUGH_SIDES, COARSE_SIDES] = [20, 32];

/**
 * What a lathe makes of a profile, from the middle of the bottom to the middle of the top. Each stretch of it is smooth;
 * where one ends and the next begins there is an edge, or a straight cut from one to the other.
 */
export function turned(stretches: Turn[][], segments: number, bend?: (angle: number, turn: Turn) => Turn): Solid {
  const solid = empty();
  // Few sides go with few steps of a curve.
  const skip = segments < ROUGH_SIDES ? 4 : segments < COARSE_SIDES ? 2 : 1;
  const coarse = stretches.map((all) => all.filter((_, i) => i % skip === 0 || i + 1 === all.length));
  const profile = coarse.flatMap((stretch, i) => {
    const [end, start] = [coarse[i - 1]?.at(-1), stretch[0]];
    return end && start && (end[0] !== start[0] || end[1] !== start[1]) ? [[end, start], stretch] : [stretch];
  });
  const length = profile.flat().reduce((sum, [r, z], i, all) => {
    const before = all[i - 1];
    return before ? sum + Math.hypot(r - before[0], z - before[1]) : 0;
  }, 0);
  let along = 0;
  let last: Turn | null = null;
  for (const stretch of profile) {
    const first = solid.positions.length / 3;
    for (const [i, point] of stretch.entries()) {
      if (last) along += Math.hypot(point[0] - last[0], point[1] - last[1]);
      last = point;
      const [nr, nz] = outward(stretch, i);
      for (let j = 0; j <= segments; j++) {
        const angle = (j === segments ? 0 : j / segments) * 2 * Math.PI;
        const [r, z] = bend ? bend(angle, point) : point;
        solid.positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
        solid.normals.push(nr * Math.cos(angle), nr * Math.sin(angle), nz);
        solid.uvs.push(j / segments, along / (length || 1));
      }
    }
    const ring = segments + 1;
    for (let i = 0; i + 1 < stretch.length; i++) {
      for (let j = 0; j < segments; j++) {
        const [a, b] = [first + i * ring + j, first + (i + 1) * ring + j];
        if ((stretch[i]?.[0] ?? 0) > 0) solid.indices.push(a, a + 1, b);
        if ((stretch[i + 1]?.[0] ?? 0) > 0) solid.indices.push(a + 1, b + 1, b);
      }
    }
  }
  return bend ? shaded(solid) : solid;
}

/** The normal of a profile at one of its points. */
function outward(stretch: Turn[], i: number): Turn {
  let [nr, nz] = [0, 0];
  for (const [a, b] of [
    [stretch[i - 1], stretch[i]],
    [stretch[i], stretch[i + 1]],
  ] as const) {
    if (!a || !b) continue;
    const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (far > 0) [nr, nz] = [nr + (b[1] - a[1]) / far, nz - (b[0] - a[0]) / far];
  }
  const far = Math.hypot(nr, nz) || 1;
  return far === 1 && nr === 0 && nz === 0 ? [0, 1] : [nr / far, nz / far];
}

/** Normals found from the triangles; corners at one place whose normals differ little share theirs. */
function shaded(solid: Solid): Solid {
  const { positions, indices } = solid;
  const at = (i: number): [number, number, number] => [
    positions[3 * i] ?? 0,
    positions[3 * i + 1] ?? 0,
    positions[3 * i + 2] ?? 0,
  ];
  const sums = new Map<string, [number, number, number][]>();
  const name = (i: number): string =>
    at(i)
      .map((value) => Math.round(value * 1e5))
      .join();
  const given = (i: number): number[] => solid.normals.slice(3 * i, 3 * i + 3);
  const found = new Array<number>(positions.length).fill(0);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] ?? 0, indices[i + 1] ?? 0, indices[i + 2] ?? 0];
    const n = cross(minus(at(b), at(a)), minus(at(c), at(a)));
    for (const corner of [a, b, c])
      for (let k = 0; k < 3; k++) found[3 * corner + k] = (found[3 * corner + k] ?? 0) + (n[k] ?? 0);
  }
  const of = (i: number): [number, number, number] => [found[3 * i] ?? 0, found[3 * i + 1] ?? 0, found[3 * i + 2] ?? 0];
  for (let i = 0; i < positions.length / 3; i++) sums.set(name(i), [...(sums.get(name(i)) ?? []), of(i)]);
  const normals = new Array<number>(positions.length);
  for (let i = 0; i < positions.length / 3; i++) {
    const own = unit(of(i), given(i));
    const near = (sums.get(name(i)) ?? []).filter((one) => dot(unit(one, given(i)), own) > 0.6);
    const sum = near.reduce<[number, number, number]>(
      (all, one) => [all[0] + one[0], all[1] + one[1], all[2] + one[2]],
      [0, 0, 0],
    );
    const n = unit(sum, given(i));
    for (let k = 0; k < 3; k++) normals[3 * i + k] = n[k] ?? 0;
  }
  return { ...solid, normals };
}

type Vector = [number, number, number];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit(a: Vector, instead: number[]): Vector {
  const far = Math.hypot(...a);
  return far > 1e-12 ? [a[0] / far, a[1] / far, a[2] / far] : [instead[0] ?? 0, instead[1] ?? 0, instead[2] ?? 1];
}

/** A level of a prism: how high, and how far its outline lies inside the widest one. */
export type Level = [height: number, inset: number];

/**
 * What a saw cuts along an outline, whose corners come against the clock and can all be seen from the origin. Levels go
 * up; each face is flat. The texture goes around and up; on top and bottom it lies flat.
 */
export function prism(outline: Point[], levels: Level[]): Solid {
  const solid = empty();
  const rings = levels.map(([z, by]) => inset(outline, by).map(([x, y]): Vector => [x, y, z]));
  const corner = (p: Vector, n: Vector, u: number, v: number): number => {
    solid.positions.push(...p);
    solid.normals.push(...n);
    return solid.uvs.push(u, v) / 2 - 1;
  };
  rings.forEach((ring, level) => {
    const above = rings[level + 1];
    if (!above) return;
    let along = 0;
    ring.forEach((a, i) => {
      const j = (i + 1) % ring.length;
      const [b, c, d] = [ring[j] ?? a, above[j] ?? a, above[i] ?? a];
      const n = unit(cross(minus(b, a), minus(d, a)), [0, 0, 1]);
      const next = along + Math.hypot(b[0] - a[0], b[1] - a[1]);
      const at = [
        corner(a, n, along, a[2]),
        corner(b, n, next, b[2]),
        corner(c, n, next, c[2]),
        corner(d, n, along, d[2]),
      ] as const;
      solid.indices.push(at[0], at[1], at[2], at[0], at[2], at[3]);
      along = next;
    });
  });
  for (const [ring, up] of [
    [rings[0], -1],
    [rings.at(-1), 1],
  ] as const) {
    if (!ring) continue;
    const z = ring[0]?.[2] ?? 0;
    const middle = corner([0, 0, z], [0, 0, up], 0, 0);
    const around = ring.map((p) => corner(p, [0, 0, up], p[0], p[1]));
    around.forEach((a, i) => {
      const b = around[(i + 1) % around.length] ?? a;
      solid.indices.push(middle, ...(up > 0 ? [a, b] : [b, a]));
    });
  }
  return solid;
}

/** An outline with all its sides moved inwards. */
function inset(outline: Point[], by: number): Point[] {
  if (by === 0) return outline;
  return outline.map((p, i) => {
    const a = outline[(i + outline.length - 1) % outline.length] ?? p;
    const b = outline[(i + 1) % outline.length] ?? p;
    const left = (from: Point, to: Point): Point => {
      const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      return [-(to[1] - from[1]) / far, (to[0] - from[0]) / far];
    };
    const [n, m] = [left(a, p), left(p, b)];
    const scale = by / Math.max(1 + n[0] * m[0] + n[1] * m[1], 0.2);
    return [p[0] + (n[0] + m[0]) * scale, p[1] + (n[1] + m[1]) * scale];
  });
}

/** A rectangle about the origin with rounded corners. */
export function rounded(width: number, height: number, radius: number, steps = 5): Point[] {
  const out: Point[] = [];
  for (const [sx, sy, from] of [
    [1, 1, 0],
    [-1, 1, 1],
    [-1, -1, 2],
    [1, -1, 3],
  ] as const) {
    for (let i = 0; i <= steps; i++) {
      const angle = ((from + i / steps) * Math.PI) / 2;
      out.push([
        sx * (width / 2 - radius) + radius * Math.cos(angle),
        sy * (height / 2 - radius) + radius * Math.sin(angle),
      ]);
    }
  }
  return out;
}

/** A stretch of a wall that goes round the axis. */
export function wall(
  inner: number,
  outer: number,
  low: number,
  high: number,
  from: number,
  to: number,
  steps = 6,
): Solid {
  const outline = (radius: number): Point[] =>
    Array.from({ length: steps + 1 }, (_, i) => {
      const angle = from + ((to - from) * i) / steps;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
  const [near, far] = [outline(inner), outline(outer)];
  // About its own middle all corners can be seen.
  const middle: Point = [
    ((inner + outer) / 2) * Math.cos((from + to) / 2),
    ((inner + outer) / 2) * Math.sin((from + to) / 2),
  ];
  const around = [...far, ...near.reverse()].map(([x, y]): Point => [x - middle[0], y - middle[1]]);
  const bevel = 0.008;
  return placed(
    prism(around, [
      [low, 0],
      [high - bevel, 0],
      [high, bevel],
    ]),
    { x: middle[0], y: middle[1] },
  );
}

/** A rod bent to a ring. */
export function torus(radius: number, thick: number, segments: number, sides: number): Solid {
  const solid = empty();
  for (let i = 0; i <= segments; i++) {
    const a = ((i % segments) / segments) * 2 * Math.PI;
    for (let j = 0; j <= sides; j++) {
      const b = ((j % sides) / sides) * 2 * Math.PI;
      const far = radius + thick * Math.cos(b);
      solid.positions.push(far * Math.cos(a), far * Math.sin(a), thick + thick * Math.sin(b));
      solid.normals.push(Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b));
      solid.uvs.push((4 * i) / segments, j / sides);
      if (i < segments && j < sides) {
        const at = i * (sides + 1) + j;
        const next = at + sides + 1;
        solid.indices.push(at, next, at + 1, next, next + 1, at + 1);
      }
    }
  }
  return solid;
}
