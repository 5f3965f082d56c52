import { describe, expect, test } from "vitest";
import { follow, type Piece } from "../../src/lib/look";
import type { Board } from "../../src/lib/types";
import { changesOf, fallen, onWay } from "../../src/scene/changes";

/** A board from rows, the first at the top of the text; capitals are the first player's. */
function board(...rows: string[]): Board {
  const glyphs = [...rows].reverse().join("");
  const owners = [...glyphs].map((glyph) => (glyph === "." ? "." : glyph === glyph.toUpperCase() ? "1" : "2")).join("");
  return {
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    row_one: "bottom",
    column_names: [],
    below: "first",
    numbers: null,
    glyphs,
    owners,
    last: [],
    line: [],
  };
}

/** What happens from board to board. */
function course(turns: boolean, way: number[], ...boards: Board[]): ReturnType<typeof changesOf> {
  let keys = 0;
  let [before, now]: Piece[][] = [[], []];
  for (const one of boards) [before, now] = [now!, follow(now!, one, turns, () => ++keys)];
  return changesOf(before!, now!, way);
}

describe("what happened between two positions", () => {
  test("nothing", () => expect(course(false, [], board("k..", "..K"), board("k..", "..K"))).toEqual([]));

  test("a move", () => {
    const changes = course(false, [2, 1], board("k..", "..K"), board("k..", ".K."));
    expect(changes).toMatchObject([{ kind: "move", squares: [2, 1] }]);
  });

  test("a capture: one moves, one leaves", () => {
    const changes = course(false, [1, 4], board(".p.", ".R."), board(".R.", "..."));
    expect(changes).toMatchObject([
      { kind: "move", squares: [1, 4] },
      { kind: "leave", square: 4 },
    ]);
  });

  test("a promotion moves and becomes", () => {
    const changes = course(false, [1, 4], board("...", ".P."), board(".Q.", "..."));
    expect(changes).toMatchObject([{ kind: "move", squares: [1, 4] }, { kind: "become" }]);
  });

  test("a man goes along all squares of its jumps, and back when it is taken back", () => {
    const [one, two] = [
      board(".....", "...o.", ".....", ".o...", "W...."),
      board("....W", ".....", ".....", ".....", "....."),
    ];
    const there = course(false, [0, 12, 24], one, two);
    expect(there.find((change) => change.kind === "move")).toMatchObject({ squares: [0, 12, 24] });
    expect(there.filter((change) => change.kind === "leave")).toHaveLength(2);
    const back = course(false, [0, 12, 24], two, one);
    expect(back.find((change) => change.kind === "move")).toMatchObject({ squares: [24, 12, 0] });
    expect(back.filter((change) => change.kind === "arrive")).toHaveLength(2);
  });

  test("castling moves two", () => {
    const changes = course(false, [4, 6], board("....K..R"), board(".....RK."));
    expect(changes.map(({ kind }) => kind)).toEqual(["move", "move"]);
  });

  test("discs turn where they lie", () => {
    const changes = course(true, [3], board("XoX."), board("XXXX"));
    expect(changes).toMatchObject([
      { kind: "turn", square: 1 },
      { kind: "arrive", square: 3 },
    ]);
  });
});

describe("on the way", () => {
  const spots = [
    { x: 0, y: 0 },
    { x: 2, y: 0 },
    { x: 2, y: 4 },
  ];

  test("begins and ends on the board, and is in the air between", () => {
    expect(onWay(spots, 0, 1)).toMatchObject({ x: 0, y: 0, z: 0 });
    expect(onWay(spots, 1, 1)).toMatchObject({ x: 2, y: 4, z: 0 });
    expect(onWay(spots, 1 / 6, 1).z).toBeCloseTo(1, 6);
    expect(onWay(spots, 1 / 3, 1).z).toBeCloseTo(0, 6);
    expect(onWay([{ x: 1, y: 1 }], 0.5, 1)).toEqual({ x: 1, y: 1, z: 0 });
  });

  test("never leaps: a small step in time is a small step on the board", () => {
    for (let i = 0; i < 1000; i++) {
      const [a, b] = [onWay(spots, i / 1000, 1), onWay(spots, (i + 1) / 1000, 1)];
      expect(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)).toBeLessThan(0.05);
    }
  });

  test("a fall ends on the ground and never goes through it", () => {
    expect(fallen(0)).toBe(1);
    expect(fallen(1)).toBeCloseTo(0, 9);
    for (let t = 0; t <= 1; t += 0.01) expect(fallen(t)).toBeGreaterThanOrEqual(-1e-9);
  });
});
