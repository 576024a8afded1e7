import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameUi } from "~/gamekit/game";
import type { GameEntry, GameView, ReplayData } from "~/wire/messages";
import { Film } from "./film";
import buffet from "./fixtures/buffet-3.json";
import dash from "./fixtures/dash-3.json";
import { Projector } from "./projector.svelte";

/** Every entry takes a tenth of a second. */
const ui = {
  staging: { unfold: (view: GameView) => view, pause: () => 100, settle: (view: GameView) => view, since: () => 0 },
} as unknown as GameUi;
const film = new Film(buffet.data as unknown as ReplayData);

let projector: Projector;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  projector = new Projector(film, ui, false, { at: 3, eyes: 1 });
});
afterEach(() => {
  projector.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("by hand", () => {
  it("begins at the moment that was asked for, as near as there is one", () => {
    expect(projector.at).toBe(3);
    expect(projector.playback.shown).toBe(film.view(3, 1));
    expect(new Projector(film, ui, false, { at: 10_000, eyes: null }).at).toBe(film.end);
  });

  it("goes one step on, and shows how it happened", () => {
    projector.forward();
    expect(projector.at).toBe(4);
    expect(projector.playback.running).toBe(true);
    vi.runAllTimers();
    expect(projector.playback.running).toBe(false);
    expect(projector.playback.shown).toBe(film.view(4, 1));
  });

  it("goes back at once", () => {
    projector.forward();
    projector.back();
    expect(projector.at).toBe(3);
    expect(projector.playback.shown).toBe(film.view(3, 1));
    expect(projector.playback.running).toBe(false);
  });

  it("stays within the game", () => {
    projector.to(-5);
    expect(projector.at).toBe(0);
    projector.back();
    expect(projector.at).toBe(0);
    projector.to(film.end);
    projector.forward();
    expect(projector.at).toBe(film.end);
  });

  it("looks through other eyes at the same moment", () => {
    projector.seeAs(null);
    expect(projector.playback.shown).toBe(film.view(3, null));
    expect(projector.view.seat).toBeNull();
    projector.seeAs(0);
    expect(projector.view.seat).toBe(0);
  });
});

describe("by itself", () => {
  it("goes to the end and stops there; then it begins anew", () => {
    projector.play();
    vi.runAllTimers();
    expect(projector.at).toBe(film.end);
    expect(projector.playing).toBe(false);
    projector.play();
    expect(projector.at).toBe(0);
  });

  it("stops when somebody takes a hand in it", () => {
    projector.play();
    projector.to(5);
    vi.advanceTimersByTime(60_000);
    expect(projector.at).toBe(5);
  });

  it("is as fast as is wished", () => {
    const after = (speed: 1 | 4) => {
      const one = new Projector(film, ui, false, { at: 0, eyes: null });
      one.speed = speed;
      one.play();
      vi.advanceTimersByTime(2000);
      one.close();
      return one.at;
    };
    expect(after(4)).toBeGreaterThan(2 * after(1));
  });

  it("keeps to the time in which a game in real time was played", () => {
    const grab = new Film(dash.data as unknown as ReplayData);
    const heard: [number, GameEntry][] = [];
    const live = new Projector(grab, ui, true, { at: 0, eyes: null });
    vi.spyOn(live.playback, "step").mockImplementation(({ entries }) => void heard.push([Date.now(), entries[0]!]));
    const begun = Date.now();
    live.play();
    vi.runAllTimers();
    const [first, ...rest] = heard;
    expect(rest).toHaveLength(grab.end - 1);
    for (const [at, entry] of rest) {
      const played = (entry as { ms: number }).ms - (first![1] as { ms: number }).ms;
      expect(at - begun).toBeCloseTo(played, -2);
    }
  });
});
