/** The pieces of all games: chessmen, men, stones, discs, crosses and noughts. */

import { bishop, king, knight, pawn, queen, rook } from "./chessmen";
import type { Fineness } from "./fineness";
import { joined, placed, prism, smooth, torus, turned, type Point, type Solid, type Turn } from "./solid";

const UP = Math.PI / 2;

/** A flat piece with rings cut into its top. */
const man = ({ segments }: Fineness): Solid => {
  const [r, h] = [0.385, 0.15];
  return turned(
    [
      [
        [0, 0],
        [r - 0.02, 0],
      ],
      smooth(
        [
          [r - 0.02, 0],
          [r, 0.02],
          [r - 0.012, h * 0.36],
          [r - 0.012, h * 0.64],
          [r, h - 0.02],
          [r - 0.02, h],
        ],
        3,
      ),
      [
        [r - 0.02, h],
        [r - 0.075, h],
      ],
      smooth(
        [
          [r - 0.075, h],
          [r - 0.09, h - 0.018],
          [r - 0.105, h],
        ],
        3,
      ),
      [
        [r - 0.105, h],
        [r - 0.155, h],
      ],
      smooth(
        [
          [r - 0.155, h],
          [r - 0.17, h - 0.018],
          [r - 0.185, h],
        ],
        3,
      ),
      smooth(
        [
          [r - 0.185, h],
          [0.1, h - 0.012],
          [0, h - 0.016],
        ],
        4,
      ),
    ],
    segments,
  );
};

/** Two men, one upon the other. */
const crowned = (fine: Fineness): Solid => joined(man(fine), placed(man(fine), { z: 0.152 }));

/** A lens. */
const stone =
  (radius: number, height: number) =>
  ({ segments }: Fineness): Solid => {
    const profile = Array.from({ length: 15 }, (_, i): Turn => {
      const angle = -UP + (i / 14) * Math.PI;
      const c = Math.max(Math.cos(angle), 0);
      return [i === 0 || i === 14 ? 0 : radius * c ** 0.8, height / 2 + (height / 2) * Math.sin(angle)];
    });
    return turned([profile], Math.min(segments, 36));
  };

/** Half of a disc that has another colour on its other side. */
const half =
  (top: boolean) =>
  ({ segments }: Fineness): Solid => {
    const [r, h] = [0.4, 0.1];
    const upper: Turn[][] = [
      [
        [0, 0],
        [r, 0],
      ],
      smooth(
        [
          [r, 0],
          [r, h * 0.28],
          [r - 0.02, h * 0.46],
          [r - 0.05, h * 0.5],
        ],
        3,
      ),
      smooth(
        [
          [r - 0.05, h * 0.5],
          [r * 0.5, h * 0.54],
          [0, h * 0.55],
        ],
        4,
      ),
    ];
    const lower = upper.map((stretch) => stretch.map(([a, b]): Turn => [a, -b]).reverse()).reverse();
    return placed(turned(top ? upper : lower, Math.min(segments, 44)), { z: h * 0.55 });
  };

/** A flat disc with a ring, that fits into a slot. */
const disc = ({ segments }: Fineness): Solid => {
  const [r, h] = [0.41, 0.17];
  return turned(
    [
      [
        [0, 0],
        [r - 0.02, 0],
      ],
      smooth(
        [
          [r - 0.02, 0],
          [r, 0.02],
          [r, h - 0.02],
          [r - 0.02, h],
        ],
        3,
      ),
      [
        [r - 0.02, h],
        [r - 0.08, h],
      ],
      smooth(
        [
          [r - 0.08, h],
          [r - 0.1, h - 0.022],
          [r - 0.12, h - 0.022],
        ],
        3,
      ),
      [
        [r - 0.12, h - 0.022],
        [0.15, h - 0.022],
      ],
      smooth(
        [
          [0.15, h - 0.022],
          [0.13, h],
          [0.11, h],
        ],
        3,
      ),
      [
        [0.11, h],
        [0, h],
      ],
    ],
    segments,
  );
};

/** Two bars that cross. */
function cross({ segments }: Fineness): Solid {
  const [long, wide, bevel] = [0.37, 0.085, 0.03];
  const bar: Point[] = [];
  const steps = Math.max(5, segments >> 3);
  for (const [end, from] of [
    [1, -UP],
    [-1, UP],
  ] as const) {
    for (let i = 0; i <= steps; i++) {
      const angle = from + (Math.PI * i) / steps;
      bar.push([end * (long - wide) + wide * Math.cos(angle), wide * Math.sin(angle)]);
    }
  }
  const level = (z: number): Solid =>
    prism(bar, [
      [0, 0],
      [z - bevel, 0],
      [z - 0.01, 0.012],
      [z, bevel],
    ]);
  return joined(placed(level(0.15), { turn: Math.PI / 4 }), placed(level(0.149), { turn: -Math.PI / 4 }));
}

const nought = ({ segments }: Fineness): Solid => torus(0.27, 0.08, segments, Math.max(10, segments >> 2));

/** All bodies by name. */
export const MEN = {
  pawn,
  rook,
  knight,
  bishop,
  queen,
  king,
  man,
  crowned,
  point: stone(0.475, 0.27),
  stone: stone(0.42, 0.22),
  top: half(true),
  bottom: half(false),
  disc,
  cross,
  nought,
} satisfies Record<string, (fine: Fineness) => Solid>;

export type Man = keyof typeof MEN;

/** How far each reaches from its axis, from low to high: what a ray meets, a little less than the piece itself. */
export const GRIPS: Record<Man, Turn[]> = {
  pawn: [
    [0.27, 0],
    [0.24, 0.15],
    [0.1, 0.3],
    [0.1, 0.5],
    [0.138, 0.6],
    [0.138, 0.72],
    [0.05, 0.79],
  ],
  rook: [
    [0.3, 0],
    [0.26, 0.15],
    [0.18, 0.35],
    [0.18, 0.6],
    [0.232, 0.7],
    [0.232, 0.9],
  ],
  knight: [
    [0.3, 0],
    [0.26, 0.15],
    [0.2, 0.25],
    [0.19, 0.6],
    [0.2, 0.85],
    [0.07, 1.04],
  ],
  bishop: [
    [0.285, 0],
    [0.24, 0.15],
    [0.11, 0.35],
    [0.11, 0.62],
    [0.156, 0.78],
    [0.156, 0.9],
    [0.05, 1.05],
    [0.04, 1.13],
  ],
  queen: [
    [0.32, 0],
    [0.27, 0.15],
    [0.13, 0.4],
    [0.115, 0.85],
    [0.13, 1.02],
    [0.205, 1.2],
    [0.05, 1.3],
  ],
  king: [
    [0.33, 0],
    [0.28, 0.15],
    [0.14, 0.4],
    [0.125, 0.95],
    [0.14, 1.1],
    [0.196, 1.3],
    [0.06, 1.38],
    [0.06, 1.59],
  ],
  man: [
    [0.385, 0],
    [0.385, 0.15],
  ],
  crowned: [
    [0.385, 0],
    [0.385, 0.302],
  ],
  point: [
    [0.3, 0],
    [0.46, 0.08],
    [0.46, 0.19],
    [0.2, 0.27],
  ],
  stone: [
    [0.3, 0],
    [0.41, 0.06],
    [0.41, 0.15],
    [0.2, 0.22],
  ],
  top: [
    [0.4, 0],
    [0.4, 0.11],
  ],
  bottom: [
    [0.4, 0],
    [0.4, 0.11],
  ],
  disc: [
    [0.41, 0],
    [0.41, 0.17],
  ],
  cross: [
    [0.36, 0],
    [0.36, 0.15],
  ],
  nought: [
    [0.35, 0],
    [0.35, 0.16],
  ],
};

/** How high a piece is. */
export const heightOf = (man: Man): number => GRIPS[man].at(-1)?.[1] ?? 0;
