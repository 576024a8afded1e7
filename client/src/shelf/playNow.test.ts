import { beforeEach, describe, expect, it, vi } from "vitest";
import { keyRing } from "~/device/keys.svelte";
import { change } from "~/device/settings.svelte";
import { here } from "~/app/router.svelte";
import type { GameInfo } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import { playNow, takeAutoStart } from "./playNow";

const buffet: GameInfo = {
  id: "buffet",
  title: "Schlacht am Buffet",
  credit: "",
  rules: 1,
  least_seats: 3,
  most_seats: 6,
  real_time: false,
  options: [],
  bots: ["random", "greedy"],
  deck: null,
  secrets: {},
};
const small: GameInfo = { ...buffet, id: "small", least_seats: 2, most_seats: 2 };

const sent: { path: string; body: Record<string, unknown> }[] = [];

function answer(path: string): [number, object] {
  if (path === "/api/games") return [200, { games: [buffet, small], protocol: 1 }];
  if (path === "/api/tables") return [200, { code: "nupadure", seat: 0, token: "secret" }];
  return [404, { code: "not-found", rule: null, sentence: "" }];
}

beforeEach(async () => {
  sent.length = 0;
  localStorage.clear();
  keyRing.forget("nupadure");
  change({ name: "" });
  await speak("en");
  vi.stubGlobal("fetch", async (path: string, request: RequestInit = {}) => {
    if (request.body) sent.push({ path, body: JSON.parse(request.body as string) as Record<string, unknown> });
    const [status, body] = answer(path);
    return new Response(JSON.stringify(body), { status });
  });
});

describe("one click", () => {
  it("fills a table with the strongest bots and goes there", async () => {
    change({ name: "Ada" });
    await playNow("buffet");
    const { body } = sent[0]!;
    expect(body).toMatchObject({
      game: "buffet",
      seats: 4,
      name: "Ada",
      bots: [1, 2, 3].map((seat) => ({ seat, level: "greedy" })),
    });
    expect(body["pledge"]).toMatch(/^[0-9a-f]{64}$/);
    expect(here()).toEqual({ screen: "table", code: "nupadure", pass: null });
  });

  it("keeps the key to the seat, and the nonce that was promised", async () => {
    await playNow("buffet");
    const [key] = keyRing.at("nupadure");
    expect(key).toMatchObject({ seat: 0, name: "Hungry mouse", token: "secret" });
    const bytes = Uint8Array.from(key!.nonce!.match(/../g)!, (pair) => parseInt(pair, 16));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(sent[0]!.body["pledge"]).toBe(Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  });

  it("asks for the start once", async () => {
    await playNow("buffet");
    expect(takeAutoStart("nupadure")).toBe(true);
    expect(takeAutoStart("nupadure")).toBe(false);
  });

  it("asks no more to the table than there are seats", async () => {
    await playNow("small");
    expect(sent[0]!.body).toMatchObject({ seats: 2, bots: [{ seat: 1, level: "greedy" }] });
  });

  it("is refused for a game that the server does not have", async () => {
    await expect(playNow("chess")).rejects.toMatchObject({ code: "unknown-game" });
    expect(sent).toEqual([]);
  });
});
