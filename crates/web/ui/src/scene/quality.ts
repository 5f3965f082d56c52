/** How much this machine can draw: told in the address (`?gfx=low`), chosen in a menu, or measured. */

import { recall, remember } from "../lib/storage";
import type { Quality } from "./materials";

export type Wish = Quality | "auto";
const NAME = "zermelo.gfx";
/** So many milliseconds for the trial below, or less, and a frame with shadows takes a few hundredths of a second at most. */
const QUICK = 16;

const known = (text: string | null): Wish | null =>
  text === "low" || text === "high" || text === "auto" ? text : null;

export const wished = (): Wish =>
  known(new URLSearchParams(location.search).get("gfx")) ?? known(recall(NAME)) ?? "auto";

export const wish = (quality: Wish): void => remember(NAME, quality);

const VERTEX = "attribute vec2 at;varying vec2 p;void main(){p=at;gl_Position=vec4(at,0.,1.);}";
/** About what varnished wood costs. */
const FRAGMENT =
  "precision highp float;varying vec2 p;void main(){float s=0.;for(int i=0;i<64;i++){s+=sin(p.x*float(i)+s)*cos(p.y*3.+s);}gl_FragColor=vec4(s);}";

/** Draws a picture that is as costly as ours, small, and reads it back; null where nothing can be drawn. */
function trial(): number | null {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 512;
  const gl = canvas.getContext("webgl2");
  if (!gl) return null;
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) return null;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const pixel = new Uint8Array(4);
  const draw = (): number => {
    const begun = performance.now();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return performance.now() - begun;
  };
  // The first compiles.
  draw();
  const best = Math.min(draw(), draw(), draw());
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return best;
}

/** The quality to draw in; null where there is no WebGL. */
export function chosen(): Quality | null {
  const asked = wished();
  const took = trial();
  if (took === null) return null;
  return asked !== "auto" ? asked : took <= QUICK ? "high" : "low";
}
