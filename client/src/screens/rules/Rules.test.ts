import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { speak, t } from "~/words/words.svelte";
import Rules from "./Rules.svelte";

beforeAll(() => speak("en"));
afterEach(cleanup);

it("says of no game that there is none before the server has told its games", async () => {
  let answer = (_: Response) => {};
  vi.stubGlobal("fetch", () => new Promise((resolve) => (answer = resolve)));
  const { findByRole, findByText, queryByText } = render(Rules, { game: "duel", rule: null });
  await findByText(t("loading"));
  expect(queryByText(t("missing.title"))).toBeNull();
  answer(new Response(JSON.stringify({ protocol: 1, games: [{ id: "duel", title: "Card duel" }] })));
  expect((await findByRole("heading", { level: 1 })).textContent).toBe("Card duel");
  expect(queryByText(t("rules.none"))).not.toBeNull();
});

it("says so of a game that the server does not have", async () => {
  const { findByText } = render(Rules, { game: "chess", rule: null });
  expect(await findByText(t("missing.title"))).toBeTruthy();
});
