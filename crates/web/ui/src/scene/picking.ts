/** What a ray from the eye meets first: a piece, or a square of the board. All in the board's own frame. */

import type { Turn } from "./solid";

export interface Ray {
  from: [number, number, number];
  /** Of any length. */
  to: [number, number, number];
}

/** A piece as a ray meets it: rings about an upright axis, from low to high. */
export interface Grip {
  square: number;
  x: number;
  y: number;
  z: number;
  rings: Turn[];
}

/** How far along the ray it enters a piece; infinite where it passes by. */
export function reach({ from, to }: Ray, { x, y, z, rings }: Grip): number {
  const [px, py, pz] = [from[0] - x, from[1] - y, from[2] - z];
  const [dx, dy, dz] = to;
  let best = Infinity;
  for (let i = 0; i + 1 < rings.length; i++) {
    const [ra, za] = rings[i] ?? [0, 0];
    const [rb, zb] = rings[i + 1] ?? [0, 0];
    if (zb <= za) continue;
    // On a cone r = ra + k (z - za): |p + t d|² = r², a quadratic in t.
    const k = (rb - ra) / (zb - za);
    const [r0, r1] = [ra + k * (pz - za), k * dz];
    const a = dx * dx + dy * dy - r1 * r1;
    const b = px * dx + py * dy - r0 * r1;
    const c = px * px + py * py - r0 * r0;
    const root = b * b - a * c;
    if (root < 0 || Math.abs(a) < 1e-12) continue;
    for (const t of [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a]) {
      const height = pz + t * dz;
      if (t > 0 && t < best && height >= za && height <= zb && r0 + t * r1 >= 0) best = t;
    }
  }
  // The lid and the bottom are flat.
  for (const lid of [rings[0], rings.at(-1)]) {
    if (!lid || dz === 0) continue;
    const [radius, height] = lid;
    const t = (height - pz) / dz;
    if (t > 0 && t < best && Math.hypot(px + t * dx, py + t * dy) <= radius) best = t;
  }
  return best;
}

/** What is picked: the nearest piece, else the square at which the ray comes through the board's face. */
export function picked(
  ray: Ray,
  grips: Grip[],
  squareOn: (spot: { x: number; y: number }) => number | null,
): number | null {
  const { from, to } = ray;
  const t = to[2] === 0 ? -1 : -from[2] / to[2];
  let [nearest, square] = t > 0 ? [t, squareOn({ x: from[0] + t * to[0], y: from[1] + t * to[1] })] : [Infinity, null];
  for (const grip of grips) {
    const far = reach(ray, grip);
    if (far < nearest) [nearest, square] = [far, grip.square];
  }
  return square;
}
