/** Short sounds of our own. Browsers allow none before the reader's first touch or key; hidden pages are silent. */

import { recall, remember } from "./storage";
import type { TableState } from "./types";

export type Sound = "move" | "capture" | "end" | "illegal";
const NAME = "zermelo.sounds";

const pieces = (state: TableState): number => state.board.owners.length - state.board.owners.split(".").length + 1;

/** What is to be heard when one state follows another. */
export function soundOf(before: TableState | null, now: TableState | null): Sound | null {
  if (!before || !now || now.version <= before.version) return null;
  if (now.outcome && !before.outcome) return "end";
  const ply = now.line[now.ply - 1];
  if (now.ply <= before.ply || !ply) return null;
  // A stone that is placed makes one more, a piece that moves makes none.
  const usual = pieces(before) + (ply.squares.length === 1 ? 1 : 0);
  return pieces(now) < usual ? "capture" : "move";
}

class Sounds {
  on = $state(recall(NAME) !== "off");
  #context: AudioContext | null = null;

  constructor() {
    const allow = (): void => {
      removeEventListener("pointerdown", allow);
      removeEventListener("keydown", allow);
      this.#context = new AudioContext();
    };
    addEventListener("pointerdown", allow);
    addEventListener("keydown", allow);
  }

  toggle(): void {
    this.on = !this.on;
    remember(NAME, this.on ? "on" : "off");
    this.play("move");
  }

  play(sound: Sound): void {
    const context = this.#context;
    if (!this.on || !context || document.hidden) return;
    void context.resume();
    void import("./tones").then(({ sing }) => sing(context, sound));
  }
}

export const sounds = new Sounds();
