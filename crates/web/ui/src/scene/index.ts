/** Everything that draws boards in three dimensions; fetched when somebody wants to see one. */

import { chosen } from "./quality";
import { Stage, type Options } from "./stage";

export type { Stage } from "./stage";

/** A stage on a canvas; null where the browser has no WebGL. */
export function open(canvas: HTMLCanvasElement, options: Omit<Options, "quality">): Stage | null {
  const quality = chosen();
  if (quality === null) return null;
  try {
    return new Stage(canvas, { ...options, quality });
  } catch {
    return null;
  }
}
