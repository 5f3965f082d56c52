/** What one or two pointers do: drag, pinch, or tap. */

export interface Point {
  x: number;
  y: number;
}

/** A drag by so much, and for two fingers a factor about the point between them. */
export interface Drag {
  by: Point;
  factor: number;
  at: Point;
}

/** A hand that moves less than so many pixels has tapped. */
const STILL = 6;

export class Gestures {
  #pointers = new Map<number, Point>();
  #begun: Point | null = null;
  #moved = false;

  down(id: number, at: Point): void {
    this.#pointers.set(id, at);
    this.#moved = this.#pointers.size > 1;
    this.#begun = at;
  }

  /** What the board has to follow, if anything. */
  move(id: number, at: Point): Drag | null {
    const before = this.#pointers.get(id);
    if (!before || !this.#begun) return null;
    if (!this.#moved && Math.hypot(at.x - this.#begun.x, at.y - this.#begun.y) < STILL) return null;
    this.#moved = true;
    this.#pointers.set(id, at);
    const other = [...this.#pointers].find(([one]) => one !== id)?.[1];
    if (!other) return { by: { x: at.x - before.x, y: at.y - before.y }, factor: 1, at };
    const away = (point: Point): number => Math.max(Math.hypot(point.x - other.x, point.y - other.y), 1);
    return {
      by: { x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 },
      factor: away(at) / away(before),
      at: { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 },
    };
  }

  /** Whether that was a tap. */
  up(id: number): boolean {
    const known = this.#pointers.delete(id);
    return known && this.#pointers.size === 0 && !this.#moved;
  }

  get dragging(): boolean {
    return this.#moved && this.#pointers.size > 0;
  }
}
