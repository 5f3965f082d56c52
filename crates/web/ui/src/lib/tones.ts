/** How sounds are made: knocks on wood, and three soft notes at the end. */

import type { Sound } from "./sounds.svelte";

interface Tone {
  /** Hertz, and what it falls to. */
  from: number;
  to: number;
  /** Seconds from now, and how long it rings. */
  at: number;
  rings: number;
  loud: number;
}

const knock = (pitch: number, at: number, loud: number): Tone[] => [
  { from: pitch, to: pitch * 0.55, at, rings: 0.07, loud },
  { from: pitch * 2.7, to: pitch * 1.9, at, rings: 0.025, loud: loud * 0.45 },
];
const note = (pitch: number, at: number): Tone => ({ from: pitch, to: pitch, at, rings: 0.7, loud: 0.12 });

const SOUNDS: Record<Sound, Tone[]> = {
  move: knock(420, 0, 0.3),
  capture: [...knock(330, 0, 0.34), ...knock(520, 0.06, 0.22)],
  end: [note(392, 0), note(494, 0.14), note(587, 0.28)],
  illegal: [...knock(150, 0, 0.3), ...knock(130, 0.12, 0.3)],
};

export function sing(context: AudioContext, sound: Sound): void {
  for (const { from, to, at, rings, loud } of SOUNDS[sound]) {
    const begin = context.currentTime + at;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(from, begin);
    tone.frequency.exponentialRampToValueAtTime(to, begin + rings);
    volume.gain.setValueAtTime(0.0001, begin);
    volume.gain.exponentialRampToValueAtTime(loud, begin + 0.004);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + rings);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + rings + 0.02);
  }
}
