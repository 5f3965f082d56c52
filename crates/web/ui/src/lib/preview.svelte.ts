/** A line that is played through on the board while somebody points at it. */

import type { Line, Step } from "./types";

const PACE = 750;
const PAUSE = 1600;

export class LinePreview {
  /** The lines as they were when the reader began to point; they do not change under the finger. */
  lines = $state.raw<Line[] | null>(null);
  line = $state(-1);
  /** Which move of the line is shown; -1 while it is fetched. */
  at = $state(-1);

  #wanted: Promise<Step[]> = Promise.resolve([]);
  #steps: Step[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(
    /** Asks for the positions along moves. */
    readonly ask: (moves: string[]) => Promise<Step[]>,
    /** Shows one, or none. */
    readonly show: (step: Step | null) => void,
  ) {}

  /** Shows the position after a move of a line, and plays on from there if wanted. */
  async point(lines: Line[], line: number, at: number, play: boolean): Promise<void> {
    const known = this.lines !== null && this.line === line;
    const turn = ++this.#turn;
    clearTimeout(this.#timer);
    if (!known) {
      [this.lines, this.line, this.at] = [lines, line, -1];
      const moves = lines[line]?.moves.map((move) => move.text) ?? [];
      this.#wanted = this.ask(moves).catch(() => []);
    }
    // Meanwhile the reader may point elsewhere.
    const steps = await this.#wanted;
    if (turn !== this.#turn) return;
    this.#steps = steps;
    this.#go(at, play);
  }

  /** To the next or the last move of the line, by keys. */
  step(by: number): void {
    clearTimeout(this.#timer);
    if (this.#steps.length > 0) this.#go(Math.min(Math.max(this.at + by, 0), this.#steps.length - 1), false);
  }

  leave(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#steps = [];
    [this.lines, this.line, this.at] = [null, -1, -1];
    this.show(null);
  }

  #go(at: number, play: boolean): void {
    const step = this.#steps[at];
    if (!step) return;
    this.at = at;
    this.show(step);
    if (!play || this.#steps.length < 2) return;
    const last = at + 1 >= this.#steps.length;
    this.#timer = setTimeout(() => this.#go(last ? 0 : at + 1, true), last ? PAUSE : PACE);
  }
}
