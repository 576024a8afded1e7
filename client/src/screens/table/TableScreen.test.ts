import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { CODE, FakeSocket } from "~/testing/fakeTable";
import { speak, t } from "~/words/words.svelte";
import TableScreen from "./TableScreen.svelte";

beforeAll(() => speak("de"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(code: string) {
  vi.stubGlobal("WebSocket", FakeSocket);
  const refusal = { code, rule: null, sentence: "No." };
  const asked = vi.fn(async () => Response.json(refusal, { status: 421 }));
  vi.stubGlobal("fetch", asked);
  const screen = render(TableScreen, { code: CODE, pass: null });
  FakeSocket.last.breakDown();
  return { ...screen, asked };
}

it("says why there is no line, if waiting does not help", async () => {
  const { findByText } = open("wrong-host");
  await findByText(t("refused.wrong-host"));
  expect(FakeSocket.last.isClosed).toBe(true);
});

it("waits for a line that may still come", async () => {
  const { asked, getByText } = open("unavailable");
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  getByText(t("table.opening"));
});
