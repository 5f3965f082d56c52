/** Which part of a drawing is seen: two fingers bring it nearer, one moves it about. All in the drawing's own units. */

export interface Section {
  x: number;
  y: number;
  /** 1 shows all of it. */
  scale: number;
}

export interface Extent {
  width: number;
  height: number;
}

export const WHOLE: Section = { x: 0, y: 0, scale: 1 };
const NEAREST = 5;

/** Boards with longer sides have squares too small for a finger. */
export const NEEDS_ZOOM = 13;

/** Within the drawing, and not farther than all of it. */
export function kept({ x, y, scale }: Section, { width, height }: Extent): Section {
  const near = Math.min(Math.max(scale, 1), NEAREST);
  const within = (value: number, size: number): number => Math.min(Math.max(value, 0), size - size / near);
  return { x: within(x, width), y: within(y, height), scale: near };
}

/** Nearer by a factor; the point stays under the fingers. */
export function nearer(section: Section, factor: number, at: { x: number; y: number }, extent: Extent): Section {
  const scale = Math.min(Math.max(section.scale * factor, 1), NEAREST);
  const part = section.scale / scale;
  return kept({ x: at.x - (at.x - section.x) * part, y: at.y - (at.y - section.y) * part, scale }, extent);
}

/** Moved along with a finger. */
export const dragged = (section: Section, by: { x: number; y: number }, extent: Extent): Section =>
  kept({ ...section, x: section.x - by.x, y: section.y - by.y }, extent);

export const viewBox = ({ x, y, scale }: Section, { width, height }: Extent): string =>
  `${x} ${y} ${width / scale} ${height / scale}`;
