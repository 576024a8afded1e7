/** Short sounds, made on the spot: no files to load. One at a time. */

import { settings } from "~/device/settings.svelte";

export type SoundName = "card" | "flip" | "plate" | "squeak" | "bell" | "off" | "cheer";

interface Tone {
  from: number; // Hz
  to: number;
  ms: number;
  wave: OscillatorType;
  after?: number; // ms
}

const SOUNDS: Record<SoundName, Tone[]> = {
  card: [{ from: 420, to: 180, ms: 70, wave: "triangle" }],
  flip: [{ from: 300, to: 620, ms: 60, wave: "triangle" }],
  plate: [
    { from: 1250, to: 1180, ms: 90, wave: "sine" },
    { from: 1890, to: 1800, ms: 120, wave: "sine", after: 20 },
  ],
  squeak: [
    { from: 1500, to: 2300, ms: 70, wave: "sine" },
    { from: 2100, to: 1600, ms: 80, wave: "sine", after: 90 },
  ],
  bell: [
    { from: 880, to: 880, ms: 260, wave: "sine" },
    { from: 1320, to: 1320, ms: 320, wave: "sine", after: 90 },
  ],
  off: [
    { from: 700, to: 1400, ms: 90, wave: "triangle" },
    { from: 900, to: 2400, ms: 180, wave: "sine", after: 80 },
  ],
  cheer: [
    { from: 523, to: 523, ms: 140, wave: "triangle" },
    { from: 659, to: 659, ms: 140, wave: "triangle", after: 120 },
    { from: 784, to: 1046, ms: 320, wave: "triangle", after: 240 },
  ],
};
const LOUDEST = 0.25;

let context: AudioContext | undefined;
let silentUntil = 0;

/** Get the instrument out, which takes a moment, before it is needed. */
export function tune(): void {
  if (settings.sound && "AudioContext" in globalThis) context ??= new AudioContext();
}

/** Make a sound, after the picture that it belongs to: the eye is quicker than the ear. */
export function play(name: SoundName): void {
  setTimeout(() => sound(name));
}

/** Unless one is being made, or nobody wants to hear any. */
function sound(name: SoundName): void {
  if (!settings.sound || settings.volume === 0 || document.visibilityState === "hidden") return;
  // A page may make no sound before somebody has touched it.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- older browsers do not tell
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume();
  if (context.currentTime < silentUntil) return;
  for (const tone of SOUNDS[name]) silentUntil = Math.max(silentUntil, sing(context, tone));
}

/** Returns when the tone ends. */
function sing(audio: AudioContext, { from, to, ms, wave, after = 0 }: Tone): number {
  const begin = audio.currentTime + after / 1000;
  const end = begin + ms / 1000;
  const oscillator = new OscillatorNode(audio, { type: wave, frequency: from });
  const gain = new GainNode(audio, { gain: 0 });
  oscillator.frequency.exponentialRampToValueAtTime(to, end);
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(LOUDEST * settings.volume, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(end);
  return end;
}
