/** Whether boards are seen in three dimensions, and why they are not where that was wanted. */

import type { Key } from "./i18n.svelte";
import { recall, remember } from "./storage";

const NAME = "zermelo.depth";

class Depth {
  wanted = $state(recall(NAME) === "3d");
  /** Why boards are flat although nobody asked for that. */
  why = $state<Key | null>(null);

  toggle(): void {
    this.wanted = !this.on;
    this.why = null;
    remember(NAME, this.wanted ? "3d" : "2d");
  }

  get on(): boolean {
    return this.wanted && this.why === null;
  }

  /** Another try, where somebody asks for it. */
  retry(): void {
    this.why = null;
  }

  refuse(why: Key): void {
    this.why = why;
  }
}

export const depth = new Depth();
