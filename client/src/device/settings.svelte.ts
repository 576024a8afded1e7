/** What this device remembers of its owner's wishes. */

import { LANGUAGES, preferred, type Language } from "~/words/languages";
import { speak } from "~/words/words.svelte";
import { keep, recall, SETTINGS } from "./storage";

export type Theme = "auto" | "light" | "dark";

interface Settings {
  language: Language | null; // null: as the browser says
  theme: Theme;
  sound: boolean;
  volume: number;
  name: string;
}

const DEFAULTS: Settings = { language: null, theme: "auto", sound: true, volume: 0.5, name: "" };

/** What was kept, as far as it still makes sense. */
function load(): Settings {
  const kept = (recall(SETTINGS) ?? {}) as Partial<Settings>;
  return {
    language: LANGUAGES.includes(kept.language as Language) ? (kept.language as Language) : DEFAULTS.language,
    theme: kept.theme === "light" || kept.theme === "dark" ? kept.theme : DEFAULTS.theme,
    sound: typeof kept.sound === "boolean" ? kept.sound : DEFAULTS.sound,
    volume: typeof kept.volume === "number" ? Math.min(1, Math.max(0, kept.volume)) : DEFAULTS.volume,
    name: typeof kept.name === "string" ? kept.name : DEFAULTS.name,
  };
}

export const settings: Settings = $state(load());

/** Change something and keep it. */
export function change(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  keep(SETTINGS, settings);
  if (changes.theme !== undefined) applyTheme();
  if (changes.language !== undefined) void applyLanguage();
}

export function applyTheme(): void {
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

export function applyLanguage(): Promise<void> {
  return speak(settings.language ?? preferred(navigator.languages));
}

/** Does the player want less motion? */
export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
