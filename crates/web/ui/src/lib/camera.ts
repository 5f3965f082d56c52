/** What part of a large board is seen, and how large. Lengths on the board are squares, on the screen pixels. */

export interface Camera {
  /** The board's point at the upper left corner of the window. */
  x: number;
  y: number;
  /** Pixels a square. */
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

/** No square is drawn larger. */
const LARGEST = 72;

/** The scale at which the whole board is seen. */
export const wholeScale = (board: Size, pane: Size): number =>
  Math.min(pane.width / board.width, pane.height / board.height);

/** The board stays in the window; what is smaller than the window is in its middle. */
export function settled(camera: Camera, board: Size, pane: Size): Camera {
  const least = wholeScale(board, pane);
  const scale = Math.min(Math.max(camera.scale, least), Math.max(LARGEST, least));
  const along = (at: number, length: number, room: number): number =>
    length <= room ? (length - room) / 2 : Math.min(Math.max(at, 0), length - room);
  return {
    scale,
    x: along(camera.x, board.width, pane.width / scale),
    y: along(camera.y, board.height, pane.height / scale),
  };
}

export const whole = (board: Size, pane: Size): Camera =>
  settled({ x: 0, y: 0, scale: wholeScale(board, pane) }, board, pane);

/** Larger or smaller by a factor; the point of the window stays where it is. */
export function zoomed(camera: Camera, factor: number, at: { x: number; y: number }, board: Size, pane: Size): Camera {
  const { scale } = settled({ ...camera, scale: camera.scale * factor }, board, pane);
  const x = camera.x + at.x / camera.scale - at.x / scale;
  const y = camera.y + at.y / camera.scale - at.y / scale;
  return settled({ x, y, scale }, board, pane);
}

/** With a point of the board in the middle. */
export const centred = (camera: Camera, at: { x: number; y: number }, board: Size, pane: Size): Camera =>
  settled(
    { ...camera, x: at.x - pane.width / camera.scale / 2, y: at.y - pane.height / camera.scale / 2 },
    board,
    pane,
  );

/** Moved just so far that a point of the board is seen, with some squares around it. */
export function revealing(camera: Camera, at: { x: number; y: number }, board: Size, pane: Size): Camera {
  const along = (from: number, point: number, room: number): number => {
    const margin = Math.min(2.5, room / 3);
    return Math.min(Math.max(from, point + margin - room), point - margin);
  };
  const x = along(camera.x, at.x, pane.width / camera.scale);
  const y = along(camera.y, at.y, pane.height / camera.scale);
  return settled({ ...camera, x, y }, board, pane);
}

/** Between two views, from 0 to 1. */
export const between = (from: Camera, to: Camera, share: number): Camera => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
  scale: from.scale + (to.scale - from.scale) * share,
});
