/** Clocks as they are shown: what the server said, and what has passed since. */

import type { ClockReading, SideName } from "./types";

/** A reading, and when it came by this browser's own time. */
export interface Heard {
  reading: ClockReading;
  at: number;
}

/** Milliseconds left on a side's clock. */
export function leftOf({ reading, at }: Heard, side: SideName, now: number): number {
  const left = reading.left[side === "first" ? 0 : 1];
  return reading.running === side ? Math.max(0, left - (now - at)) : left;
}

/** Below it the clock is red and shows tenths. */
export const isLow = (left: number, control: string): boolean => left < Math.min(20_000, wholeOf(control) / 5);

const wholeOf = (control: string): number => {
  const { main } = readControl(control);
  return main * 1000;
};

/** `5:03`, `1:00:09`, and `9.4` where it is short. */
export function clockText(left: number): string {
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const all = Math.ceil(left / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n: number): string => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** How much time there is, in seconds. */
export interface Control {
  kind: "none" | "game" | "increment" | "move";
  main: number;
  increment: number;
}

/** As the server writes it: `300`, `300+3`, `1/30`. */
export function readControl(text: string | null): Control {
  const found = /^(1\/)?([\d.]+)(?:\+([\d.]+))?$/.exec(text ?? "");
  if (!found) return { kind: "none", main: 0, increment: 0 };
  const [main, increment] = [Number(found[2]), Number(found[3] ?? 0)];
  const kind = found[1] ? "move" : increment > 0 ? "increment" : "game";
  return { kind, main, increment };
}

export function writeControl({ kind, main, increment }: Control): string | null {
  switch (kind) {
    case "none":
      return null;
    case "move":
      return `1/${main}`;
    default:
      return kind === "increment" && increment > 0 ? `${main}+${increment}` : `${main}`;
  }
}

/** What passed since somebody left, in the largest fitting unit. */
export function sinceParts(milliseconds: number): { unit: "seconds" | "minutes" | "hours"; n: number } {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return { unit: "seconds", n: seconds };
  if (seconds < 3600) return { unit: "minutes", n: Math.floor(seconds / 60) };
  return { unit: "hours", n: Math.floor(seconds / 3600) };
}
