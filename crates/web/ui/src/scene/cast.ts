/** The pieces on a stage: bodies that go, come, leave, turn over and become others. */

import { BufferGeometry, Float32BufferAttribute, Group, Mesh, PlaneGeometry } from "three";
import { colourOf, follow, type Piece } from "../lib/look";
import type { Board, Look } from "../lib/types";
import { changesOf, eased, fallen, onWay, type Change } from "./changes";
import { spotOf, type Ground } from "./ground";
import type { Materials } from "./materials";
import { COARSE, FINE, ROUGH, type Fineness } from "./fineness";
import { GRIPS, heightOf, MEN, type Man } from "./men";
import type { Grip } from "./picking";
import type { Solid } from "./solid";

const CHESSMEN: Record<string, Man> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The body of what a letter stands for. */
export function manOf(look: Look, { glyph, owner }: Pick<Piece, "glyph" | "owner">): Man {
  switch (look.pieces) {
    case "chessmen":
      return CHESSMEN[glyph.toLowerCase()] ?? "pawn";
    case "draughtsmen":
      return glyph === glyph.toUpperCase() ? "crowned" : "man";
    case "discs":
      return "disc";
    case "marks":
      return colourOf(look, owner) === "cross" ? "cross" : "nought";
    default:
      return look.turns_over ? "top" : look.board === "points" ? "point" : "stone";
  }
}

/** Which way a piece looks: knights half aside, a king's cross and a bishop's cut towards who sits below. */
function facing(man: Man, first: boolean): number {
  const ahead = first ? Math.PI / 2 : -Math.PI / 2;
  if (man === "knight") return ahead + 1.2;
  if (man === "bishop") return ahead - 2.2;
  return man === "king" ? ahead : 0;
}

interface Body {
  piece: Piece;
  man: Man;
  /** Moves over the board; its shadow stays on it. */
  group: Group;
  /** Rises and turns. */
  raised: Group;
  shade: Mesh;
}

interface Act {
  from: number;
  lasts: number;
  step: (t: number) => void;
  done?: () => void;
}

/** Milliseconds. */
const [MOVE, HOP, ARRIVE, FALL, LEAVE, TURN] = [420, 300, 240, 520, 260, 420];

export class Cast {
  readonly group = new Group();
  readonly #bodies = new Map<number, Body>();
  readonly #shapes = new Map<Fineness, Map<Man, BufferGeometry>>();
  #fineness: Fineness;
  readonly #plane = new PlaneGeometry();
  #acts: Act[] = [];
  #pieces: Piece[] = [];
  #keys = 0;

  constructor(
    readonly look: Look,
    readonly ground: Ground,
    readonly materials: Materials,
  ) {
    this.#fineness = materials.quality === "low" ? ROUGH : FINE;
  }

  /** On a slow machine pieces are finer where nothing moves. */
  refine(still: boolean): void {
    if (this.materials.quality === "high") return;
    this.#fineness = still ? COARSE : ROUGH;
    this.group.traverse((one) => {
      const man = one.userData.man as Man | undefined;
      if (man && one instanceof Mesh) one.geometry = this.#shape(man);
    });
  }

  /** Brings on a position; what was still moving is where it should be at once. */
  show(board: Board, way: number[], now: number, still: boolean): void {
    this.finish();
    const before = this.#pieces;
    this.#pieces = follow(before, board, this.look.turns_over, () => ++this.#keys);
    const changes = changesOf(before, this.#pieces, way);
    const quiet = still || before.length === 0 || changes.length > 40;
    const pieces = new Map(this.#pieces.map((piece) => [piece.key, piece]));
    for (const piece of this.#pieces) {
      const body = this.#bodies.get(piece.key);
      if (body) body.piece = piece;
    }
    for (const change of changes) this.#change(change, pieces.get(change.key), board, way, quiet ? null : now);
    for (const body of this.#bodies.values())
      if (pieces.has(body.piece.key)) body.group.userData.square = body.piece.square;
    if (quiet) this.finish();
  }

  #change(change: Change, piece: Piece | undefined, board: Board, way: number[], now: number | null): void {
    const act = (after: number, lasts: number, step: Act["step"], done?: Act["done"]): void => {
      this.#acts.push({ from: (now ?? -1e9) + after, lasts, step, ...(done ? { done } : {}) });
    };
    const body = this.#bodies.get(change.key);
    switch (change.kind) {
      case "arrive":
        if (piece) this.#arrive(piece, board, act);
        break;
      case "move":
        if (body) this.#move(body, change.squares, board, act);
        break;
      case "leave":
        if (body) this.#leave(body, change.square, board, way, act);
        break;
      case "turn": {
        if (!body || !piece) break;
        const target = way.at(-1);
        const from = target === undefined ? null : spotOf(board, target);
        const at = spotOf(board, change.square);
        const far = from ? Math.hypot(at.x - from.x, at.y - from.y) : 0;
        this.#turn(body, piece, 60 + far * 70, act);
        break;
      }
      case "become":
        if (body && piece)
          act(
            this.#duration(way.length) * 0.9,
            1,
            () => undefined,
            () => this.#dress(body, piece),
          );
    }
  }

  #duration = (squares: number): number => (squares > 2 ? HOP * (squares - 1) : MOVE);

  #arrive(piece: Piece, board: Board, act: Action): void {
    const body = this.#make(piece, board);
    const { group, raised } = body;
    if (this.ground.upright) {
      const { y } = spotOf(board, piece.square);
      const above = board.rows / 2 + 0.7 - y;
      act(0, FALL, (t) => (group.position.y = y + above * fallen(t)));
    } else {
      act(0, ARRIVE, (t) => {
        raised.position.z = 0.9 * (1 - eased(t));
        raised.scale.setScalar(0.7 + 0.3 * eased(t));
      });
    }
  }

  #move(body: Body, squares: number[], board: Board, act: Action): void {
    const spots = squares.map((square) => spotOf(board, square));
    const knightly = body.man === "knight";
    const lift = knightly ? 1.15 : squares.length > 2 || this.look.pieces === "draughtsmen" ? 0.42 : 0.16;
    act(0, this.#duration(squares.length), (t) => {
      const { x, y, z } = onWay(spots, t, lift);
      body.group.position.set(x, y, 0);
      body.raised.position.z = z;
    });
  }

  /** What is taken goes as its captor comes. */
  #leave(body: Body, square: number, board: Board, way: number[], act: Action): void {
    const at = way.indexOf(square);
    const after = at > 0 ? this.#duration(way.length) * 0.62 : way.length > 1 ? this.#duration(way.length) * 0.5 : 0;
    void board;
    this.#bodies.delete(body.piece.key);
    act(
      after,
      LEAVE,
      (t) => body.raised.scale.setScalar(Math.max(1 - eased(t), 0.001)),
      () => this.group.remove(body.group),
    );
  }

  #turn(body: Body, piece: Piece, after: number, act: Action): void {
    const [from, to] = [body.raised.rotation.x, piece.owner === "first" ? 0 : Math.PI];
    act(after, TURN, (t) => {
      body.raised.rotation.x = from + (to - from) * eased(t);
      body.raised.position.z = 0.055 + 0.75 * Math.sin(Math.PI * eased(t));
    });
  }

  #make(piece: Piece, board: Board): Body {
    const [group, raised] = [new Group(), new Group()];
    const shade = new Mesh(this.#plane, this.materials.shade(this.materials.quality === "low" ? 0.55 : 0.34));
    shade.renderOrder = 2;
    const body: Body = { piece, man: "pawn", group, raised, shade };
    if (!this.ground.upright) group.add(shade);
    group.add(raised);
    const { x, y } = spotOf(board, piece.square);
    group.position.set(x, y, 0);
    this.#dress(body, piece);
    this.group.add(group);
    this.#bodies.set(piece.key, body);
    return body;
  }

  /** Gives a body its shape. */
  #dress(body: Body, piece: Piece): void {
    const { raised, shade } = body;
    const man = manOf(this.look, piece);
    body.man = man;
    raised.clear();
    const add = (shape: Man, colour: 0 | 1): Mesh => {
      const mesh = new Mesh(this.#shape(shape), this.materials.piece(this.look, this.look.sides[colour]));
      mesh.userData.man = shape;
      mesh.castShadow = mesh.receiveShadow = true;
      raised.add(mesh);
      return mesh;
    };
    if (man === "top") {
      for (const mesh of [add("top", 0), add("bottom", 1)]) mesh.position.z = -0.055;
      raised.position.z = 0.055;
      raised.rotation.x = piece.owner === "first" ? 0 : Math.PI;
    } else {
      const mesh = add(man, piece.owner === "first" ? 0 : 1);
      mesh.rotation.z = facing(man, piece.owner === "first");
      if (this.ground.upright) mesh.position.z = -heightOf(man) / 2;
      if (this.look.pieces === "lettered") this.#letter(raised, piece, man);
    }
    const wide = (GRIPS[man][0]?.[0] ?? 0.3) * (this.materials.quality === "low" ? 3.3 : 2.9);
    shade.scale.set(wide, wide, 1);
    const low = this.materials.quality === "low";
    shade.position.set(low ? 0.07 : 0.02, low ? 0.05 : 0.01, 0.009);
  }

  #letter(raised: Group, piece: Piece, man: Man): void {
    const ink = colourOf(this.look, piece.owner) === "dark" ? "#f3ecdf" : "#2a211a";
    const letter = new Mesh(this.#plane, this.materials.written(piece.glyph, ink, null));
    letter.scale.setScalar(0.5);
    letter.position.z = heightOf(man) + 0.02;
    raised.add(letter);
  }

  #shape(man: Man): BufferGeometry {
    const shapes = this.#shapes.get(this.#fineness) ?? new Map<Man, BufferGeometry>();
    this.#shapes.set(this.#fineness, shapes);
    const known = shapes.get(man) ?? geometryOf(MEN[man](this.#fineness));
    shapes.set(man, known);
    return known;
  }

  /** Moves all to where they are at a time; whether any is still on its way. */
  step(now: number): boolean {
    const acts = this.#acts;
    this.#acts = [];
    for (const act of acts) {
      const t = Math.min(Math.max((now - act.from) / act.lasts, 0), 1);
      act.step(t);
      if (t < 1) this.#acts.push(act);
      else act.done?.();
    }
    return this.#acts.length > 0;
  }

  finish(): void {
    this.step(Infinity);
  }

  /** What rays meet. */
  grips(): Grip[] {
    return [...this.#bodies.values()].map(({ piece, man, group }) => {
      const z = this.ground.upright ? -heightOf(man) / 2 : 0;
      return { square: piece.square, x: group.position.x, y: group.position.y, z, rings: GRIPS[man] };
    });
  }

  /** How high the piece on a square is; 0 where there is none. */
  heights(): Map<number, number> {
    return new Map(
      [...this.#bodies.values()].map(({ piece, man }) => [piece.square, this.ground.upright ? 0.01 : heightOf(man)]),
    );
  }

  dispose(): void {
    for (const shapes of this.#shapes.values()) for (const shape of shapes.values()) shape.dispose();
    this.#plane.dispose();
  }
}

type Action = (after: number, lasts: number, step: Act["step"], done?: Act["done"]) => void;

export function geometryOf(solid: Solid): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(solid.positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(solid.normals, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(solid.uvs, 2));
  geometry.setIndex(solid.indices);
  return geometry;
}
