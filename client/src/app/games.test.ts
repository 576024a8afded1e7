import { expect, it, vi } from "vitest";
import { speak } from "~/words/words.svelte";
import { allGames, botTitle, gameTitle } from "./games.svelte";

it("asks the server once, and again only after a failure", async () => {
  const fetch = vi.fn(async () => new Response(JSON.stringify({ games: [], protocol: 1 })));
  vi.stubGlobal("fetch", fetch);
  fetch.mockRejectedValueOnce(new TypeError("offline"));
  await expect(allGames()).rejects.toMatchObject({ code: "unreachable" });
  await Promise.all([allGames(), allGames()]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it("calls games and bots by their names, as far as they have any", async () => {
  await speak("de");
  expect(gameTitle("dash")).toBe("Ich bin dann mal weg!");
  expect(gameTitle("chess")).toBe("chess");
  expect(botTitle("greedy")).toBe("Gieriger Bot");
  expect(botTitle("neural-7")).toBe("neural-7");
});
