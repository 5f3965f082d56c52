/** Stones and discs drawn once for each size, then copied. */

const kept = new Map<string, HTMLCanvasElement>();
/** While one zooms, sizes come and go. */
const MOST = 24;

type Draw = (context: CanvasRenderingContext2D, size: number) => void;

function sprite(key: string, scale: number, density: number, draw: Draw): HTMLCanvasElement {
  const size = Math.max(1, Math.round(scale * density));
  const name = `${key} ${size}`;
  const found = kept.get(name);
  if (found) return found;
  if (kept.size >= MOST) kept.clear();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context) draw(context, size);
  kept.set(name, canvas);
  return canvas;
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** A stone with some light on it, and its shade on the wood. */
export const stone = (scale: number, density: number, fill: string, name: string): HTMLCanvasElement =>
  sprite(`stone ${name} ${fill}`, scale, density, (context, size) => {
    const half = size / 2;
    context.fillStyle = "rgb(40 22 5 / 28%)";
    circle(context, half + size * 0.02, half + size * 0.045, size * 0.44);
    context.fill();
    context.fillStyle = fill;
    circle(context, half, half, size * 0.445);
    context.fill();
    const light = context.createRadialGradient(size * 0.36, size * 0.3, 0, size * 0.36, size * 0.3, size * 0.7);
    light.addColorStop(0, name === "dark" ? "rgb(255 250 240 / 34%)" : "rgb(255 255 255 / 60%)");
    light.addColorStop(0.5, "rgb(255 250 240 / 0%)");
    light.addColorStop(1, name === "dark" ? "rgb(0 0 0 / 40%)" : "rgb(90 70 40 / 42%)");
    context.fillStyle = light;
    context.fill();
  });

/** A flat disc; a ring, and a second one in the lighter of two colours, tell them apart without colour. */
export const disc = (scale: number, density: number, fill: string, name: string): HTMLCanvasElement =>
  sprite(`disc ${name} ${fill}`, scale, density, (context, size) => {
    const half = size / 2;
    context.fillStyle = fill;
    circle(context, half, half, size * 0.4);
    context.fill();
    if (name === "none") return;
    context.strokeStyle = "rgb(0 0 0 / 24%)";
    context.lineWidth = size * 0.04;
    for (const radius of name === "yellow" ? [0.28, 0.12] : [0.28]) {
      circle(context, half, half, size * radius);
      context.stroke();
    }
  });
