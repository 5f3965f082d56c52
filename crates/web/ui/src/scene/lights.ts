/** The room: a window, a lamp and what they throw back. */

import {
  BackSide,
  BoxGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  type Texture,
  type WebGLRenderer,
} from "three";
import type { Ground } from "./ground";
import type { Quality } from "./materials";

/** Where the lamp hangs, as whoever sits below sees it: to the left, high, a little in front. */
const LAMP: [number, number, number] = [-0.62, 1.25, 0.5];
const UPRIGHT_LAMP: [number, number, number] = [-0.5, 1.1, 1];

/** Lights a scene; the lamp is handed back. */
export function lamps(scene: Scene, ground: Ground, quality: Quality): DirectionalLight {
  const span = Math.max(ground.columns, ground.rows) + 2 * ground.rim;
  const lamp = new DirectionalLight("#fff0d8", quality === "high" ? 2.3 : 2.35);
  if (ground.upright) {
    lamp.target.position.set(0, span / 2, 0);
    scene.add(lamp.target);
  }
  hang(lamp, ground, false);
  scene.add(lamp);
  if (quality === "high") {
    lamp.castShadow = true;
    lamp.shadow.mapSize.set(2048, 2048);
    const { camera } = lamp.shadow;
    const reach = span * (ground.upright ? 0.85 : 0.74);
    [camera.left, camera.right, camera.top, camera.bottom] = [-reach, reach, reach, -reach];
    [camera.near, camera.far] = [span * 0.3, span * 3];
    lamp.shadow.bias = -0.0004;
    lamp.shadow.normalBias = 0.012;
    lamp.shadow.radius = 4;
    lamp.shadow.intensity = 0.82;
  } else {
    scene.add(new HemisphereLight("#fff6ea", "#8f8478", 1.5));
  }
  return lamp;
}

/** Both players sit in the same light: opposite the lamp flat tops would mirror it. */
export function hang(lamp: DirectionalLight, ground: Ground, flipped: boolean): void {
  const span = (Math.max(ground.columns, ground.rows) + 2 * ground.rim) * (flipped ? -1 : 1);
  const [x, y, z] = ground.upright ? UPRIGHT_LAMP : LAMP;
  lamp.position.set(x * span, y * Math.abs(span), z * span);
}

/** What shiny things mirror: a grey room with a bright window, a long lamp above and a dim one behind. */
export function surroundings(renderer: WebGLRenderer): Texture {
  const room = new Scene();
  const box = new BoxGeometry();
  const walls = new Mesh(box, new MeshBasicMaterial({ color: "#8a8078", side: BackSide }));
  walls.scale.set(24, 12, 24);
  walls.position.y = 4;
  room.add(walls);
  const pane = new PlaneGeometry();
  const panel = (colour: string, bright: number, w: number, h: number, at: [number, number, number]): void => {
    const material = new MeshBasicMaterial({ color: new Color(colour).multiplyScalar(bright) });
    const mesh = new Mesh(pane, material);
    mesh.scale.set(w, h, 1);
    mesh.position.set(...at);
    mesh.lookAt(0, 0, 0);
    room.add(mesh);
  };
  panel("#fff4e0", 11, 7, 5, [-9, 6, 5]);
  panel("#ffffff", 6, 9, 3, [1, 9.5, -1]);
  panel("#dbe8ff", 3.5, 6, 5, [10, 4, -3]);
  panel("#ffe2bd", 2, 9, 3, [2, 3, -11]);
  panel("#fff0dc", 2.2, 8, 3, [1, 4, 11]);
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.03);
  generator.dispose();
  box.dispose();
  pane.dispose();
  return texture;
}
