/** What things are made of, for a quick machine and for a slow one. */

import {
  CanvasTexture,
  Color,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
} from "three";
import type { Colour, Look } from "../lib/types";
import { blot, grain, label, type Canvas } from "./wood";

export type Quality = "low" | "high";

interface Stuff {
  colour: string;
  /** Mirror 0, chalk 1. */
  rough: number;
  /** Varnish. */
  coat: number;
  /** Whether grain is seen. */
  wood: boolean;
}

const WOODEN: Record<Colour, Stuff> = {
  light: { colour: "#f3d9a6", rough: 0.42, coat: 0.35, wood: true },
  dark: { colour: "#54301f", rough: 0.36, coat: 0.6, wood: true },
  red: { colour: "#a8261c", rough: 0.34, coat: 0.5, wood: true },
  yellow: { colour: "#e8a71f", rough: 0.34, coat: 0.5, wood: true },
  cross: { colour: "#b0442c", rough: 0.4, coat: 0.4, wood: true },
  nought: { colour: "#2d5f8e", rough: 0.4, coat: 0.4, wood: true },
};

/** Shell and slate. */
const POLISHED: Partial<Record<Colour, Stuff>> = {
  light: { colour: "#f6f1e6", rough: 0.3, coat: 0.6, wood: false },
  dark: { colour: "#26262b", rough: 0.46, coat: 0.3, wood: false },
};

/** Makes each material once and keeps it until all are thrown away. */
export class Materials {
  readonly #kept = new Map<string, Material>();
  readonly #textures = new Map<string, Texture>();

  constructor(
    readonly quality: Quality,
    readonly anisotropy: number,
  ) {}

  /** What a piece of this colour is made of. */
  piece(look: Look, colour: Colour): Material {
    const polished = look.pieces === "stones" || look.pieces === "lettered";
    const stuff = (polished ? POLISHED[colour] : undefined) ?? WOODEN[colour];
    return this.#once(`piece ${colour} ${polished}`, () => this.#solid(stuff, stuff.wood ? this.#grained() : null));
  }

  /** Wood of a colour. */
  wood(colour: string): Material {
    return this.#once(`wood ${colour}`, () =>
      this.#solid({ colour, rough: 0.5, coat: 0.2, wood: true }, this.#grained()),
    );
  }

  /** The face of a board. */
  face(canvas: Canvas, cloth: boolean): Material {
    return this.#once("face", () =>
      this.#solid(
        { colour: "#ffffff", rough: cloth ? 0.85 : 0.46, coat: cloth ? 0 : 0.25, wood: false },
        this.texture("face", () => canvas),
      ),
    );
  }

  /** Light by itself, drawn over what lies beneath. */
  flat(colour: string, opacity: number, over = false): Material {
    return this.#once(`flat ${colour} ${opacity} ${over}`, () => {
      const depth = { transparent: true, depthWrite: false, depthTest: !over, toneMapped: false };
      return new MeshBasicMaterial({ color: colour, opacity, ...depth });
    });
  }

  /** A soft shadow. */
  shade(opacity: number): Material {
    const map = this.texture("blot", blot);
    return this.#once(
      `shade ${opacity}`,
      () => new MeshBasicMaterial({ map, color: "#000000", opacity, transparent: true, depthWrite: false }),
    );
  }

  /** What is written. */
  written(text: string, colour: string, paper: string | null): Material {
    const map = this.texture(`label ${text} ${colour} ${paper}`, () => label(text, colour, paper));
    const depth = { transparent: true, depthWrite: false, depthTest: paper === null, toneMapped: false };
    return this.#once(`written ${text} ${colour} ${paper}`, () => new MeshBasicMaterial({ map, ...depth }));
  }

  texture(name: string, make: () => Canvas): Texture {
    const known = this.#textures.get(name);
    if (known) return known;
    const texture = new CanvasTexture(make());
    texture.colorSpace = SRGBColorSpace;
    texture.anisotropy = this.anisotropy;
    this.#textures.set(name, texture);
    return texture;
  }

  #grained(): Texture {
    const texture = this.texture("grain", () => grain(3, 0.8));
    texture.wrapS = texture.wrapT = RepeatWrapping;
    return texture;
  }

  #solid({ colour, rough, coat }: Stuff, map: Texture | null): Material {
    // What has no varnish to speak of needs no highlights.
    if (this.quality === "low" && coat < 0.3) return new MeshLambertMaterial({ color: colour, map });
    if (this.quality === "low")
      return new MeshPhongMaterial({
        color: colour,
        map,
        specular: new Color(coat * 0.3, coat * 0.3, coat * 0.285),
        shininess: 14 + 60 * (1 - rough),
      });
    return new MeshPhysicalMaterial({
      color: colour,
      map,
      roughness: rough,
      clearcoat: coat,
      clearcoatRoughness: 0.28,
    });
  }

  #once(name: string, make: () => Material): Material {
    const known = this.#kept.get(name) ?? make();
    this.#kept.set(name, known);
    return known;
  }

  dispose(): void {
    for (const material of this.#kept.values()) material.dispose();
    for (const texture of this.#textures.values()) texture.dispose();
  }
}
