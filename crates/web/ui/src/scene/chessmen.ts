/** A turner's chess set after Staunton's pattern. */

import type { Fineness } from "./fineness";
import { horse } from "./knight";
import { carved, without, type Field } from "./sculpt";
import { arc, joined, prism, smooth, turned, wall, type Point, type Solid, type Turn } from "./solid";

const UP = Math.PI / 2;

/** A foot with a rounded edge, a bead upon it, and the beginning of the stem; where it ends, and what is there. */
function foot(radius: number, neck: number, height: number): Turn[][] {
  return [
    [
      [0, 0],
      [radius - 0.012, 0],
    ],
    smooth(
      [
        [radius - 0.012, 0],
        [radius, 0.02],
        [radius, 0.055],
        [radius - 0.012, 0.075],
        [radius - 0.035, 0.084],
      ],
      3,
    ),
    smooth(
      [
        [radius - 0.035, 0.084],
        [radius - 0.05, 0.098],
        [radius - 0.038, 0.122],
        [radius - 0.05, 0.15],
        [radius - 0.085, 0.162],
      ],
      3,
    ),
    smooth(
      [
        [radius - 0.085, 0.162],
        [neck + (radius - neck) * 0.42, 0.2],
        [neck + (radius - neck) * 0.16, 0.2 + (height - 0.2) * 0.34],
        [neck, height],
      ],
      6,
    ),
  ];
}

/** A ring around a stem. */
const collar = (inner: number, outer: number, low: number, high: number, above = inner): Turn[][] => [
  [
    [inner, low],
    [outer - (high - low) / 2, low],
  ],
  arc(outer - (high - low) / 2, (low + high) / 2, (high - low) / 2, -UP, UP, 6),
  [
    [outer - (high - low) / 2, high],
    [above, high + 0.008],
  ],
];

export const pawn = ({ segments }: Fineness): Solid => {
  const head = 0.138;
  const middle = 0.655;
  return turned(
    [
      ...foot(0.27, 0.088, 0.47),
      ...collar(0.088, 0.165, 0.47, 0.515, 0.085),
      smooth(
        [
          [0.085, 0.523],
          [0.074, 0.53],
          [0.078, 0.542],
        ],
        3,
      ),
      arc(0, middle, head, -UP + 0.55, UP, 12),
    ],
    segments,
  );
};

export const rook = ({ segments }: Fineness): Solid => {
  const [outer, inner, low, high] = [0.232, 0.158, 0.8, 0.905];
  const body = turned(
    [
      ...foot(0.305, 0.168, 0.57),
      ...collar(0.168, 0.222, 0.57, 0.612, 0.18),
      smooth(
        [
          [0.18, 0.62],
          [0.192, 0.66],
          [outer - 0.006, 0.7],
          [outer, 0.73],
        ],
        5,
      ),
      [
        [outer, 0.73],
        [outer, low],
      ],
      [
        [outer, low],
        [inner, low],
      ],
      [
        [inner, low],
        [inner, 0.775],
      ],
      [
        [inner, 0.775],
        [0, 0.775],
      ],
    ],
    segments,
  );
  const merlons = Array.from({ length: 6 }, (_, i) => {
    const from = (i * Math.PI) / 3 + 0.17;
    return wall(inner, outer, low - 0.01, high, from, from + Math.PI / 3 - 0.34, Math.max(3, Math.round(segments / 8)));
  });
  return joined(body, ...merlons);
};

/** The mitre of a bishop with its cut. */
function mitre(cell: number): Solid {
  const outline: Turn[] = smooth(
    [
      [0.085, 0.735],
      [0.135, 0.79],
      [0.156, 0.855],
      [0.135, 0.93],
      [0.088, 1.0],
      [0.034, 1.055],
    ],
    4,
  );
  const body: Field = (x, y, z) => {
    const r = Math.hypot(x, y);
    let nearest = Infinity;
    let inside = false;
    for (let i = 0; i + 1 < outline.length; i++) {
      const [a, b]: [Turn, Turn] = [outline[i] ?? [0, 0], outline[i + 1] ?? [0, 0]];
      const [dr, dz] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.min(Math.max(((r - a[0]) * dr + (z - a[1]) * dz) / (dr * dr + dz * dz), 0), 1);
      const d = Math.hypot(r - a[0] - t * dr, z - a[1] - t * dz);
      if (d < nearest) [nearest, inside] = [d, (r - a[0]) * dz - (z - a[1]) * dr < 0];
    }
    const [low, high] = [0.735, 1.055];
    const shell = inside ? -nearest : nearest;
    return Math.max(shell, low - z, z - high);
  };
  // A saw's cut that leans: from high in front into the middle.
  const lean = 0.62;
  const cut: Field = (x, _y, z) => {
    const across = (x - 0.06) * Math.cos(lean) + (z - 0.93) * Math.sin(lean);
    const deep = -(x - 0.06) * Math.sin(lean) + (z - 0.93) * Math.cos(lean);
    return Math.max(Math.abs(across) - 0.017, 0.02 - deep - 0.055);
  };
  const whole = without(0.012, body, cut);
  return carved(whole, { low: [-0.2, -0.2, 0.7], high: [0.2, 0.2, 1.1] }, cell);
}

export const bishop = ({ segments, cell }: Fineness): Solid =>
  joined(
    turned(
      [
        ...foot(0.285, 0.09, 0.62),
        ...collar(0.09, 0.18, 0.62, 0.662, 0.1),
        ...collar(0.1, 0.138, 0.678, 0.708, 0.088),
        smooth(
          [
            [0.088, 0.716],
            [0.08, 0.728],
            [0.09, 0.745],
          ],
          3,
        ),
        [
          [0.09, 0.745],
          [0, 0.745],
        ],
      ],
      segments,
    ),
    mitre(cell * 0.75),
    turned([arc(0, 1.088, 0.046, -UP, UP, 10)], Math.max(8, segments >> 1)),
  );

export const queen = ({ segments }: Fineness): Solid => {
  const points = 8;
  const rim = 1.2;
  // The coronet: its edge rises and falls around.
  const crown = (angle: number, [r, z]: Turn): Turn => {
    const near = Math.max(0, 1 - Math.abs(z - rim) / 0.075) * (r > 0.11 ? 1 : 0);
    return [r + 0.008 * near * Math.cos(points * angle), z + 0.03 * near * Math.cos(points * angle)];
  };
  return joined(
    turned(
      [
        ...foot(0.325, 0.108, 0.83),
        ...collar(0.108, 0.2, 0.83, 0.876, 0.12),
        ...collar(0.12, 0.155, 0.892, 0.924, 0.1),
        smooth(
          [
            [0.1, 0.932],
            [0.104, 0.99],
            [0.128, 1.07],
            [0.178, 1.15],
            [0.205, rim],
          ],
          6,
        ),
        smooth(
          [
            [0.205, rim],
            [0.192, rim + 0.012],
            [0.172, rim],
          ],
          2,
        ),
        smooth(
          [
            [0.172, rim],
            [0.15, rim - 0.035],
            [0.128, rim - 0.028],
          ],
          3,
        ),
        smooth(
          [
            [0.128, rim - 0.028],
            [0.11, rim + 0.025],
            [0.06, rim + 0.062],
            [0.032, rim + 0.07],
          ],
          4,
        ),
        [
          [0.032, rim + 0.07],
          [0, rim + 0.07],
        ],
      ],
      Math.max(segments, segments < 20 ? 16 : 40),
      crown,
    ),
    turned([arc(0, rim + 0.105, 0.05, -UP, UP, 10)], Math.max(8, segments >> 1)),
  );
};

export const king = ({ segments }: Fineness): Solid => {
  const [w, n] = [0.03, 0.017];
  const long = 0.082;
  // Arms that widen outwards.
  const cross: Point[] = [
    [long, -w],
    [long, w],
    [n, n],
    [w, long],
    [-w, long],
    [-n, n],
    [-long, w],
    [-long, -w],
    [-n, -n],
    [-w, -long - 0.02],
    [w, -long - 0.02],
    [n, -n],
  ];
  const thick = 0.026;
  const flat = prism(cross, [
    [-thick, 0.006],
    [-thick + 0.008, 0],
    [thick - 0.008, 0],
    [thick, 0.006],
  ]);
  return joined(
    turned(
      [
        ...foot(0.335, 0.116, 0.9),
        ...collar(0.116, 0.21, 0.9, 0.95, 0.13),
        ...collar(0.13, 0.168, 0.966, 1.002, 0.108),
        smooth(
          [
            [0.108, 1.01],
            [0.112, 1.07],
            [0.138, 1.16],
            [0.182, 1.245],
            [0.196, 1.28],
          ],
          6,
        ),
        smooth(
          [
            [0.196, 1.28],
            [0.2, 1.3],
            [0.188, 1.316],
          ],
          3,
        ),
        smooth(
          [
            [0.188, 1.316],
            [0.15, 1.345],
            [0.085, 1.37],
            [0.05, 1.38],
          ],
          4,
        ),
        smooth(
          [
            [0.05, 1.38],
            [0.042, 1.4],
            [0.05, 1.415],
            [0.034, 1.43],
          ],
          3,
        ),
        [
          [0.034, 1.43],
          [0, 1.43],
        ],
      ],
      segments,
    ),
    upright(flat, 1.515),
  );
};

/** What lay flat stands up: its outline is seen along x. */
function upright(solid: Solid, height: number): Solid {
  const stand = (values: number[], by: number): number[] => {
    const out: number[] = [];
    for (let i = 0; i < values.length; i += 3) out.push(values[i + 2] ?? 0, values[i] ?? 0, (values[i + 1] ?? 0) + by);
    return out;
  };
  return { ...solid, positions: stand(solid.positions, height), normals: stand(solid.normals, 0) };
}

export const knight = ({ segments, cell }: Fineness): Solid =>
  joined(
    turned(
      [
        ...foot(0.305, 0.2, 0.215),
        [
          [0.2, 0.215],
          [0, 0.215],
        ],
      ],
      segments,
    ),
    carved(horse(), { low: [-0.32, -0.28, -0.02], high: [0.42, 0.28, 1.14] }, cell),
  );
