/** The eye: around the board by two angles, as near as shows all of it, and what a drag, a wheel and a turn do to it. */

import type { Ground } from "./ground";

export interface View {
  /** Around the board: 0 is where whoever sits below sits. */
  around: number;
  /** Above the board. */
  above: number;
  /** 1 shows all of it, less is nearer. */
  zoom: number;
  /** What is looked at beside the middle, in the board's own frame. */
  aside: { x: number; y: number };
}

/** From the eye's top to its bottom, in degrees: long, so that lines hardly run together. */
export const LENS = 26;
/** How much of the window a board takes; the rest is for its shadow. */
export const MARGIN = 0.95;
const HALF = Math.tan((LENS * Math.PI) / 360);
const LOWEST = 0.16;
const HIGHEST = Math.PI / 2 - 0.02;
const [NEAREST, FARTHEST] = [0.35, 1.4];

const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** How one sees it at first: from as high as the window's width allows, so that a flat board fills it. */
export function usual(ground: Ground, aspect: number): View {
  const view = { around: 0, above: LOW, zoom: 1, aside: { x: 0, y: 0 } };
  if (ground.upright) return { ...view, around: 0.16, above: 0.2 };
  const far = (above: number): number => distance({ ...view, above }, ground, aspect);
  while (view.above < HIGH && far(view.above + 0.04) < far(LOW) * 1.015) view.above += 0.04;
  return view;
}
const [LOW, HIGH] = [0.72, 1.08];

function distance(view: View, ground: Ground, aspect: number): number {
  const { from, to } = eyeOf(view, ground, aspect);
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}

export const dragged = (view: View, dx: number, dy: number, ground: Ground): View => ({
  ...view,
  around: view.around - dx * 0.008,
  above: within(view.above + dy * 0.006, ground.upright ? -0.3 : LOWEST, ground.upright ? 1.1 : HIGHEST),
});

export const zoomed = (view: View, by: number): View => ({ ...view, zoom: within(view.zoom * by, NEAREST, FARTHEST) });

/** Part of the way from one view to another; angles go the short way. */
export function between(a: View, b: View, t: number): View {
  const mix = (p: number, q: number): number => p + (q - p) * t;
  return {
    around: mix(a.around, b.around),
    above: mix(a.above, b.above),
    zoom: mix(a.zoom, b.zoom),
    aside: { x: mix(a.aside.x, b.aside.x), y: mix(a.aside.y, b.aside.y) },
  };
}

/** Whether nobody could tell them apart. */
export function alike(a: View, b: View): boolean {
  const far = Math.abs(a.around - b.around) + Math.abs(a.above - b.above) + Math.abs(a.zoom - b.zoom);
  return far + Math.hypot(a.aside.x - b.aside.x, a.aside.y - b.aside.y) < 1e-3;
}

/** The eye and what it looks at, in the world's frame: y is up, whoever sits below sits towards z. */
export interface Eye {
  from: [number, number, number];
  to: [number, number, number];
}

/** The corners of all there is to see, in the world's frame. */
export function cornersOf(ground: Ground): [number, number, number][] {
  const [w, h] = [ground.columns / 2 + ground.rim, ground.rows / 2 + ground.rim];
  if (ground.upright) {
    const deep = 0.9;
    return [-1, 1].flatMap((sx) =>
      [-1, 1].flatMap(
        (sz) =>
          [
            [sx * (w + 0.2), -0.15, sz * deep],
            [sx * w, 2 * h - ground.rim + 0.25, (sz * ground.thick) / 2],
          ] as [number, number, number][],
      ),
    );
  }
  const [iw, ih] = [ground.columns / 2 - 0.25, ground.rows / 2 - 0.25];
  return [-1, 1].flatMap((sx) =>
    [-1, 1].flatMap(
      (sz) =>
        [
          [sx * w, 0, sz * h],
          [sx * w, -ground.thick, sz * h],
          [sx * iw, ground.tall, sz * ih],
        ] as [number, number, number][],
    ),
  );
}

/** The nearest eye that sees all corners in a window, with equal margins above and below. */
export function eyeOf(view: View, ground: Ground, aspect: number, margin = MARGIN): Eye {
  const { around, above } = view;
  const back: [number, number, number] = [
    Math.sin(around) * Math.cos(above),
    Math.sin(above),
    Math.cos(around) * Math.cos(above),
  ];
  const right: [number, number, number] = [Math.cos(around), 0, -Math.sin(around)];
  const up: [number, number, number] = [
    -Math.sin(around) * Math.sin(above),
    Math.cos(above),
    -Math.cos(around) * Math.sin(above),
  ];
  const dot = (a: [number, number, number], b: [number, number, number]): number =>
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const seen = cornersOf(ground).map((p) => ({ x: dot(p, right), y: dot(p, up), z: dot(p, back) }));
  // The eye's heights from which a corner is still within the window rise or fall with the distance: the least distance is
  // where highest and lowest meet.
  const room = (far: number, k: number, part: (p: { x: number; y: number }) => number): [number, number] => {
    let [low, high] = [-Infinity, Infinity];
    for (const p of seen) {
      const half = (far - p.z) * k;
      [low, high] = [Math.max(low, part(p) - half), Math.min(high, part(p) + half)];
    }
    return [low, high];
  };
  let [near, far] = [0, 400];
  const [ky, kx] = [HALF * margin, HALF * margin * aspect];
  for (let i = 0; i < 40; i++) {
    const middle = (near + far) / 2;
    const [a, b] = room(middle, ky, (p) => p.y);
    const [c, d] = room(middle, kx, (p) => p.x);
    if (a <= b && c <= d && seen.every((p) => p.z < middle)) far = middle;
    else near = middle;
  }
  const [a, b] = room(far, ky, (p) => p.y);
  const [c, d] = room(far, kx, (p) => p.x);
  const middle = [0, 1, 2].map((k) => up[k as 0] * ((a + b) / 2) + right[k as 0] * ((c + d) / 2));
  const aside = ground.upright ? [view.aside.x, view.aside.y, 0] : [view.aside.x, 0, -view.aside.y];
  const to = [0, 1, 2].map((k) => (middle[k] ?? 0) + (aside[k] ?? 0)) as Eye["to"];
  return { from: to.map((value, k) => value + (back[k] ?? 0) * far * view.zoom) as Eye["from"], to };
}
