/**
 * A board in three dimensions on a canvas: told what to show, it brings the pieces where they should be, and draws a frame
 * only while something moves. In low quality frames are plain while things move; the last one is drawn anew with finer pixels.
 */

import {
  type DirectionalLight,
  Group,
  Mesh,
  MeshBasicMaterial,
  NeutralToneMapping,
  NoToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Board, Look } from "../lib/types";
import { Cast, geometryOf } from "./cast";
import { groundOf, spotOf, squareOn, type Ground } from "./ground";
import { hang, lamps, surroundings } from "./lights";
import { Marks } from "./marks";
import { Materials, type Quality } from "./materials";
import { alike, between, dragged, eyeOf, LENS, usual, zoomed, type View } from "./orbit";
import { picked, type Ray } from "./picking";
import type { Picture } from "./picture";
import { feet, plate } from "./rack";
import { prism, rounded } from "./solid";
import { boardTop, pool, sidesOf } from "./wood";

export interface Options {
  quality: Quality;
  /** Nothing moves by itself: the reader does not like it. */
  still: boolean;
  /** The context was lost. */
  onlost: () => void;
}

/** How far the shadow of a board reaches: no farther than the canvas. */
const SPREAD = 1.1;
/** Milliseconds until a still picture is drawn finely. */
const REST = 600;
/** How much of the way to its goal the eye goes in a hundredth of a second. */
const PULL = 0.085;

export class Stage {
  frames = 0;
  /** Milliseconds the last picking took. */
  took = 0;
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(LENS);
  #scene = new Scene();
  #field = new Group();
  #materials: Materials;
  #cast: Cast | null = null;
  #marks: Marks | null = null;
  #ground: Ground | null = null;
  #lamp: DirectionalLight | null = null;
  #drawn = "";
  #picture: Picture | null = null;
  #view: View | null = null;
  #goal: View | null = null;
  #follows = false;
  #asked = 0;
  #before = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #fine = false;
  /** Pixels of a moving picture for one of the page, where the machine is slow. */
  #coarse = 1;
  #size = { width: 1, height: 1 };

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly options: Options,
  ) {
    const high = options.quality === "high";
    this.#renderer = new WebGLRenderer({
      canvas,
      alpha: true,
      antialias: high,
      powerPreference: high ? "high-performance" : "default",
    });
    this.#renderer.toneMapping = high ? NeutralToneMapping : NoToneMapping;
    this.#renderer.shadowMap.enabled = high;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#materials = new Materials(options.quality, high ? this.#renderer.capabilities.getMaxAnisotropy() : 2);
    canvas.addEventListener("webglcontextlost", this.#lost);
  }

  #lost = (event: Event): void => {
    event.preventDefault();
    this.options.onlost();
  };

  /** Shows a position and what is pointed out in it. */
  show(picture: Picture): void {
    const { board, look } = picture;
    const shape = `${look.board} ${look.pieces} ${look.sides.join()} ${board.rows}x${board.columns} ${board.row_one} ${board.numbers ? "n" : ""}`;
    if (shape !== this.#drawn) this.#build(board, look);
    this.#drawn = shape;
    const flip = this.#picture === null || this.#picture.flipped !== picture.flipped;
    if (this.#picture?.board !== board) this.#cast?.show(board, picture.last, performance.now(), this.options.still);
    const last = this.#picture?.last;
    this.#picture = picture;
    if (flip) this.#face(picture.flipped);
    if (this.#follows && last?.join() !== picture.last.join()) this.#look();
    const heights = this.#cast?.heights() ?? new Map<number, number>();
    const face = this.#ground?.upright ? 0.16 : 0;
    this.#marks?.show(picture, face, (square) => heights.get(square) ?? 0);
    this.#renderer.shadowMap.needsUpdate = true;
    this.#wake();
  }

  /** Makes the board; pieces come with the first position. */
  #build(board: Board, look: Look): void {
    this.#clear();
    const high = this.options.quality === "high";
    const ground = groundOf(board, look);
    this.#ground = ground;
    this.#materials = new Materials(this.options.quality, this.#materials.anisotropy);
    this.#scene = new Scene();
    this.#field = new Group();
    this.#scene.add(this.#field);
    if (high) {
      this.#scene.environment = surroundings(this.#renderer);
      this.#scene.environmentIntensity = 0.62;
    }
    this.#lamp = lamps(this.#scene, ground, this.options.quality);
    this.#cast = new Cast(look, ground, this.#materials);
    this.#marks = new Marks(this.#materials);
    if (ground.upright) this.#standing(ground);
    else this.#lying(board, look, ground);
    this.#field.add(this.#cast.group, this.#marks.group);
    this.#field.updateMatrixWorld(true);
    this.#view = this.#goal = null;
    this.#picture = null;
  }

  /** A slab with a painted face. */
  #lying(board: Board, look: Look, ground: Ground): void {
    this.#field.rotation.x = -Math.PI / 2;
    const [w, h] = [ground.columns + 2 * ground.rim, ground.rows + 2 * ground.rim];
    const bevel = 0.06;
    const slab = prism(rounded(w, h, 0.12), [
      [-ground.thick, bevel],
      [-ground.thick + bevel, 0],
      [-bevel * 0.6, 0],
      [-0.002, bevel * 0.6],
    ]);
    slab.uvs = slab.uvs.map((value) => value / 5);
    const sides = new Mesh(geometryOf(slab), this.#materials.wood(sidesOf(look)));
    const top = boardTop(board, look, ground, this.options.quality === "high" ? 2048 : 1024);
    // The face ends where the edge begins to fall.
    const cut = bevel * 0.6;
    const face = new PlaneGeometry(w - 2 * cut, h - 2 * cut);
    const uv = face.getAttribute("uv");
    for (let i = 0; i < uv.count; i++)
      uv.setXY(i, (uv.getX(i) * (w - 2 * cut) + cut) / w, (uv.getY(i) * (h - 2 * cut) + cut) / h);
    const upper = new Mesh(face, this.#materials.face(top, look.board === "felt"));
    sides.castShadow = sides.receiveShadow = upper.receiveShadow = true;
    this.#field.add(sides, upper);
    this.#table(w, h, -ground.thick);
  }

  /** Two plates on feet. */
  #standing(ground: Ground): void {
    const [w, h] = [ground.columns + 2 * ground.rim, ground.rows + 2 * ground.rim];
    this.#field.position.y = h / 2 + 0.1;
    const wood = this.#materials.wood("#9a6238");
    const one = geometryOf(plate(ground.columns, ground.rows, ground.rim, 0.05));
    for (const z of [0.15, -0.1]) {
      const mesh = new Mesh(one, wood);
      mesh.position.z = z;
      mesh.castShadow = mesh.receiveShadow = true;
      this.#field.add(mesh);
    }
    const below = new Mesh(geometryOf(feet(ground.columns, ground.rows, ground.rim)), this.#materials.wood("#5f3a22"));
    below.castShadow = below.receiveShadow = true;
    this.#field.add(below);
    this.#table(w + 0.3, 1.7, 0);
  }

  /** The shadow of it all on the page. */
  #table(w: number, h: number, z: number): void {
    const map = this.#materials.texture("pool", () => pool(w, h, SPREAD));
    const shadow = new Mesh(
      new PlaneGeometry(w * SPREAD, h + w * (SPREAD - 1)),
      new MeshBasicMaterial({ map, transparent: true, opacity: 0.6, depthWrite: false }),
    );
    shadow.rotation.x = -Math.PI / 2;
    shadow.position.y = z - 0.01;
    shadow.renderOrder = -1;
    this.#scene.add(shadow);
  }

  #clear(): void {
    this.#scene.traverse((one) => {
      if (one instanceof Mesh) one.geometry.dispose();
    });
    this.#scene.environment?.dispose();
    this.#cast?.dispose();
    this.#marks?.dispose();
    this.#materials.dispose();
  }

  /** The canvas has another size. */
  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    const before = this.#usual();
    this.#size = { width, height };
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    const now = this.#usual();
    // Who has not touched the view sees the board as the new window shows it best.
    if (before && now && this.#goal && alike({ ...this.#goal, around: before.around, aside: before.aside }, before)) {
      this.#goal = this.#view = { ...this.#goal, above: now.above };
    }
    this.#sharpen(this.#fine ? 2 : this.#coarse);
    this.#wake();
  }

  #usual(): View | null {
    return this.#ground ? usual(this.#ground, this.#camera.aspect) : null;
  }

  #sharpen(finer: number): void {
    const ratio = this.options.quality === "high" ? Math.min(devicePixelRatio, 2) : finer;
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(this.#size.width, this.#size.height, false);
  }

  /** Turns to the side of whoever sits below. */
  #face(flipped: boolean): void {
    const home = this.#usual();
    if (!home) return;
    if (this.#lamp && this.#ground) hang(this.#lamp, this.#ground, flipped);
    if (!this.#goal || !this.#view) {
      this.#goal = this.#view = { ...home, around: home.around + (flipped ? Math.PI : 0) };
      return;
    }
    // Half a turn further, to the nearest of such views.
    const wanted = home.around + (flipped ? Math.PI : 0);
    const turns = Math.round((this.#goal.around + Math.PI * (flipped ? 1 : -1) - wanted) / (2 * Math.PI));
    this.#goal = { ...this.#goal, around: wanted + turns * 2 * Math.PI };
    if (this.options.still) this.#view = this.#goal;
  }

  /** The whole board, as at first. */
  home(): void {
    const home = this.#usual();
    if (!home || !this.#goal) return;
    const wanted = home.around + (this.#picture?.flipped ? Math.PI : 0);
    const turns = Math.round((this.#goal.around - wanted) / (2 * Math.PI));
    this.#aim({ ...home, around: wanted + turns * 2 * Math.PI });
  }

  /** Whether the eye goes along with moves. */
  follow(on: boolean): void {
    this.#follows = on;
    if (on) this.#look();
    else this.home();
  }

  /** Comes nearer to the last move. */
  #look(): void {
    const { board, last } = this.#picture ?? {};
    if (!board || !last || last.length === 0 || !this.#goal) return;
    const spots = last.map((square) => spotOf(board, square));
    const mean = (part: (spot: { x: number; y: number }) => number): number =>
      spots.reduce((sum, spot) => sum + part(spot), 0) / spots.length;
    this.#aim({ ...this.#goal, zoom: 0.72, aside: { x: mean(({ x }) => x) * 0.6, y: mean(({ y }) => y) * 0.6 } });
  }

  orbit(dx: number, dy: number): void {
    if (this.#goal && this.#ground) this.#aim(dragged(this.#goal, dx, dy, this.#ground));
  }

  zoom(by: number): void {
    if (this.#goal) this.#aim(zoomed(this.#goal, by));
  }

  #aim(view: View): void {
    this.#goal = view;
    if (this.options.still) this.#view = view;
    this.#wake();
  }

  #wake(): void {
    if (this.#asked === 0) this.#asked = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    this.#asked = 0;
    const pieces = this.#cast?.step(performance.now()) ?? false;
    const eye = this.#glide(now);
    clearTimeout(this.#rest);
    const coarse = this.#before === 0 ? this.#coarse : pace(this.#coarse, now - this.#before);
    if (this.#fine || coarse !== this.#coarse) {
      if (this.#fine) this.#cast?.refine(false);
      [this.#fine, this.#coarse] = [false, coarse];
      this.#sharpen(coarse);
    }
    if (pieces) this.#renderer.shadowMap.needsUpdate = true;
    this.#render();
    if (pieces || eye) {
      this.#before = now;
      this.#wake();
      return;
    }
    this.#before = 0;
    if (this.options.quality === "low") this.#rest = setTimeout(() => this.#still(), REST);
  }

  /** One more frame of what stands still, with finer pixels. */
  #still(): void {
    if (this.#asked !== 0) return;
    this.#fine = true;
    this.#cast?.refine(true);
    this.#sharpen(2);
    this.#render();
  }

  #render(): void {
    this.frames++;
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** Moves the eye towards its goal; whether it is not there yet. */
  #glide(now: number): boolean {
    const [view, goal, ground] = [this.#view, this.#goal, this.#ground];
    if (!view || !goal || !ground) return false;
    const hundredths = this.#before === 0 ? 1.6 : Math.min((now - this.#before) / 10, 12);
    const there = alike(view, goal);
    this.#view = there ? goal : between(view, goal, 1 - (1 - PULL) ** hundredths);
    const { from, to } = eyeOf(this.#view, ground, this.#camera.aspect);
    this.#camera.position.set(...from);
    this.#camera.lookAt(...to);
    const far = Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
    [this.#camera.near, this.#camera.far] = [Math.max(far - 30, 0.5), far + 60];
    this.#camera.updateProjectionMatrix();
    this.#camera.updateMatrixWorld();
    return !there;
  }

  /** The square that is seen at a place of the canvas, from 0 to 1 each way. */
  pick(x: number, y: number): number | null {
    const board = this.#picture?.board;
    if (!board || !this.#cast) return null;
    const begun = performance.now();
    const square = picked(this.#ray(x, y), this.#cast.grips(), (spot) => squareOn(board, spot));
    this.took = performance.now() - begun;
    return square;
  }

  #ray(x: number, y: number): Ray {
    const eye = this.#field.worldToLocal(this.#camera.position.clone());
    const far = this.#field.worldToLocal(new Vector3(2 * x - 1, 1 - 2 * y, 0.5).unproject(this.#camera));
    return { from: [eye.x, eye.y, eye.z], to: [far.x - eye.x, far.y - eye.y, far.z - eye.z] };
  }

  /** A place of the canvas, from 0 to 1 each way, at which a square is picked; null where nothing of it is seen. */
  pointOf(square: number): { x: number; y: number } | null {
    const board = this.#picture?.board;
    if (!board) return null;
    const { x, y } = spotOf(board, square);
    const top = this.#cast?.heights().get(square) ?? 0;
    for (const z of [0, top * 0.25, top * 0.5, top * 0.8]) {
      for (const [dx, dy] of AROUND) {
        const p = this.#field.localToWorld(new Vector3(x + dx, y + dy, z)).project(this.#camera);
        const [px, py] = [(p.x + 1) / 2, (1 - p.y) / 2];
        if (px > 0 && px < 1 && py > 0 && py < 1 && this.pick(px, py) === square) return { x: px, y: py };
      }
    }
    return null;
  }

  /** Whether something is still to be drawn. */
  get moving(): boolean {
    return this.#asked !== 0;
  }

  dispose(): void {
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#rest);
    this.canvas.removeEventListener("webglcontextlost", this.#lost);
    this.#clear();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}

/** How many pixels the next frame has, after one that took so long: fewer where frames come slowly. */
function pace(coarse: number, took: number): number {
  if (took > SLOW) return Math.max(coarse * 0.8, 0.5);
  return took < QUICK ? Math.min(coarse * 1.25, 1) : coarse;
}
const [QUICK, SLOW] = [30, 80];

/** Places within a square, its middle first. */
const AROUND: [number, number][] = [0, -0.2, 0.2, -0.4, 0.4].flatMap((dy) =>
  [0, -0.2, 0.2, -0.4, 0.4].map((dx): [number, number] => [dx, dy]),
);
