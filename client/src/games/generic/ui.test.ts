import { expect, it, vi } from "vitest";
import { loadWords, speak } from "~/words/words.svelte";
import { NAMES } from "./testing";
import { uiFor } from "./ui";

const GAMES = { protocol: 1, games: [{ id: "duel", secrets: { lay: ["card"] } }] };
const SHOW = { by: 0, do: "show", card: 5 };

it("tells less while nobody knows what is secret, and asks again when it tells", async () => {
  await speak("en");
  await loadWords("generic");
  const fetch = vi.fn(async () => new Response(JSON.stringify(GAMES)));
  vi.stubGlobal("fetch", fetch);
  fetch.mockRejectedValueOnce(new TypeError("offline"));
  const { tell } = await uiFor("duel");
  const told = () => tell(SHOW as never, NAMES)?.text;
  expect(told()).toBe("Ada: show");
  await vi.waitFor(() => expect(told()).toBe("Ada: show, card 5"));
  expect(fetch).toHaveBeenCalledTimes(2);
});
