/** A horse's head, carved: neck, head, ears, mane, eyes, mouth. It looks towards x. */

import { ball, rod, union, without, type Field, type Vector } from "./sculpt";

/** A horse's head, looking towards x. */
export function horse(): Field {
  const neck = (points: [Vector, number][]): Field[] =>
    points.slice(1).map(([b, rb], i) => {
      const [a, ra] = points[i] ?? [b, rb];
      return rod(a, b, ra, rb, 0.86);
    });
  const both = (make: (side: number) => Field): Field[] => [make(1), make(-1)];
  const body = union(
    0.07,
    ...neck([
      [[0.0, 0, 0.2], 0.185],
      [[-0.035, 0, 0.4], 0.168],
      [[-0.052, 0, 0.56], 0.15],
      [[-0.03, 0, 0.72], 0.13],
      [[0.02, 0, 0.84], 0.112],
    ]),
    ball([0.085, 0, 0.37], [0.13, 0.125, 0.15]),
  );
  const head = union(
    0.05,
    rod([0.02, 0, 0.86], [0.245, 0, 0.655], 0.098, 0.062, 0.86),
    ball([0.27, 0, 0.632], [0.066, 0.058, 0.064]),
    ball([0.085, 0, 0.745], [0.105, 0.092, 0.1]),
  );
  const ears = both((side) =>
    union(0.02, rod([-0.005, side * 0.052, 0.925], [-0.012, side * 0.062, 1.052], 0.036, 0.012)),
  );
  const brows = both((side) => ball([0.125, side * 0.072, 0.83], [0.05, 0.028, 0.024]));
  const eyes = both((side) => ball([0.13, side * 0.086, 0.803], [0.024, 0.018, 0.022]));
  const whole = union(0.03, union(0.04, body, head), ...ears, ...brows);
  const cut = without(
    0.02,
    whole,
    ...both((side) => rod([0.345, side * 0.062, 0.612], [0.215, side * 0.078, 0.665], 0.013, 0.012)),
    ...both((side) => ball([0.315, side * 0.05, 0.668], [0.017, 0.02, 0.02])),
    // The jaw stands out from the neck.
    ...both((side) => rod([0.045, side * 0.125, 0.64], [-0.03, side * 0.13, 0.78], 0.028, 0.02)),
    // The inside of the ears.
    ...both((side) => rod([0.032, side * 0.056, 0.955], [0.012, side * 0.066, 1.02], 0.016, 0.01)),
  );
  return union(0.012, cut, mane(), ...eyes);
}

/** Locks along the back of the neck. */
function mane(): Field {
  const back: [number, number][] = [
    [0.05, 0.955],
    [-0.06, 0.94],
    [-0.13, 0.87],
    [-0.17, 0.78],
    [-0.195, 0.68],
    [-0.208, 0.575],
    [-0.208, 0.47],
    [-0.195, 0.365],
  ];
  const locks = back.slice(1).map(([x, z], i) => {
    const [a, b] = back[i] ?? [x, z];
    return rod([a + 0.03, 0, b], [x - 0.012, 0, z - 0.012], 0.046, 0.026, 1.15);
  });
  const forelock = rod([0.03, 0, 0.965], [0.12, 0, 0.905], 0.034, 0.014);
  return union(0.014, ...locks, forelock);
}
